"""What an agent says while it answers a prompt, in terms that no protocol version changes.

`agent.py` yields these; the adapters turn them into the messages of each version, and the store
keeps them, so that a session can be replayed.
"""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass, field
from typing import Any, Literal, get_args
from uuid import uuid4

from .checking import check

ToolKind = Literal["read", "edit", "delete", "move", "search", "execute", "think", "fetch", "other"]
ToolStatus = Literal["pending", "in_progress", "completed", "failed", "cancelled"]
StepStatus = Literal["pending", "in_progress", "completed"]
Priority = Literal["high", "medium", "low"]
StopReason = Literal["end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled"]

FINAL = ("completed", "failed", "cancelled")
"""The values of ToolStatus after which nothing more comes."""


def new_id() -> str:
    """An id that no other message, tool call or session has."""
    return uuid4().hex


@dataclass(frozen=True)
class UserMessage:
    """What the user sent. blocks: content blocks of ACP as JSON, the same in every version."""

    blocks: tuple[dict[str, Any], ...]

    @property
    def text(self) -> str:
        """Its text blocks, joined."""
        return "\n".join(block["text"] for block in self.blocks if block.get("type") == "text")


@dataclass(frozen=True)
class Text:
    """A piece of the answer. Pieces in a row make one message."""

    text: str


@dataclass(frozen=True)
class Thought:
    """A piece of what the agent thinks. Pieces in a row make one thought."""

    text: str


@dataclass(frozen=True)
class ToolCall:
    """The agent uses a tool. Say how it goes on with `ToolUpdate(call.id, ...)`.

    paths: absolute paths of the files that it works on. input: any JSON value. cancellable: the
    user may stop this call alone, see `Turn.cancelled`.
    """

    title: str
    kind: ToolKind = "other"
    status: ToolStatus = "in_progress"
    input: Any = None
    paths: tuple[str, ...] = ()
    cancellable: bool = False
    id: str = field(default_factory=new_id)


@dataclass(frozen=True)
class Diff:
    """A change of a text file. path: absolute. old: its text before, None for a new file."""

    path: str
    old: str | None
    new: str


@dataclass(frozen=True)
class ToolUpdate:
    """What changed about a tool call; None leaves a part as it is. text, diff: what it shows from
    now on. output: any JSON value.
    """

    id: str
    status: ToolStatus | None = None
    title: str | None = None
    text: str | None = None
    diff: Diff | None = None
    output: Any = None


@dataclass(frozen=True)
class Step:
    """One step of a plan."""

    text: str
    status: StepStatus = "pending"
    priority: Priority = "medium"


@dataclass(frozen=True)
class Plan:
    """The whole plan; yield it again whenever a step changes."""

    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Title:
    """The session is called this in lists. Without one, its first prompt names it."""

    text: str


@dataclass(frozen=True)
class SetOption:
    """The agent itself changes one of the session's options."""

    option: str
    value: str | bool


@dataclass(frozen=True)
class Stop:
    """Ends the turn for another reason than that everything was said."""

    reason: StopReason


Event = Text | Thought | ToolCall | ToolUpdate | Plan | Title | SetOption | Stop
EVENTS: tuple[type[Event], ...] = get_args(Event)
Kept = UserMessage | Text | Thought | ToolCall | ToolUpdate | Plan
"""What a session's history holds."""

_NAMES: dict[type[Kept], str] = {
    UserMessage: "user",
    Text: "text",
    Thought: "thought",
    ToolCall: "tool",
    ToolUpdate: "update",
    Plan: "plan",
}


def check_event(event: object) -> None:
    """See to it that what `prompt` yielded can be stored and sent, now and after a restart. Raises
    TypeError, which says what is wrong about it.
    """
    if type(event) not in EVENTS:
        raise TypeError(f"prompt yielded {event!r:.200}, which is no event")
    check(event)


def merged(before: ToolUpdate, after: ToolUpdate) -> ToolUpdate:
    """One update that says what two of the same tool call say, one after the other."""
    shows = before if after.text is None and after.diff is None else after
    return ToolUpdate(
        after.id,
        status=before.status if after.status is None else after.status,
        title=before.title if after.title is None else after.title,
        text=shows.text,
        diff=shows.diff,
        output=before.output if after.output is None else after.output,
    )


def dump(event: Kept) -> tuple[str, str]:
    """An event as the store keeps it: its kind, and JSON text. Raises TypeError or ValueError for
    what is no JSON in it.
    """
    return _NAMES[type(event)], json.dumps(dataclasses.asdict(event), allow_nan=False)


def load(kind: str, text: str) -> Kept | None:
    """The event that `dump` gave. What only a newer version of the agent knows is left out: fields,
    and whole events; None for these, and for what no version makes sense of.
    """
    try:
        event = _load(kind, json.loads(text))
        if not isinstance(event, UserMessage):  # the client's, and checked when it came
            check(event)
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError):
        return None
    return event


def _load(kind: str, values: dict[str, Any]) -> Kept:
    match kind:
        case "user":
            return UserMessage(tuple(values["blocks"]))
        case "tool":
            known = {**_known(ToolCall, values), "paths": tuple(values["paths"])}
            return ToolCall(**known)
        case "update":
            diff = Diff(**_known(Diff, values["diff"])) if values["diff"] else None
            return ToolUpdate(**{**_known(ToolUpdate, values), "diff": diff})
        case "plan":
            return Plan(tuple(Step(**_known(Step, step)) for step in values["steps"]))
        case "text":
            return Text(values["text"])
        case "thought":
            return Thought(values["text"])
    raise KeyError(kind)


def _known(class_: type[Any], values: dict[str, Any]) -> dict[str, Any]:
    names = {field.name for field in dataclasses.fields(class_)}
    return {name: value for name, value in values.items() if name in names}
