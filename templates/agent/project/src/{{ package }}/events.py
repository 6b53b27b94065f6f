"""What an agent says while it answers a prompt, in terms that no protocol version changes.

`agent.py` yields these; the adapters turn them into the messages of each version, and the store
keeps them, so that a session can be replayed.
"""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass, field
from typing import Any, Literal
from uuid import uuid4

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
Kept = UserMessage | Text | Thought | ToolCall | ToolUpdate | Plan
"""What a session's history holds."""

_KINDS: dict[str, type[Kept]] = {
    "user": UserMessage,
    "text": Text,
    "thought": Thought,
    "tool": ToolCall,
    "update": ToolUpdate,
    "plan": Plan,
}
_NAMES = {class_: kind for kind, class_ in _KINDS.items()}


def dump(event: Kept) -> tuple[str, str]:
    """An event as the store keeps it: its kind, and JSON text. Raises TypeError for what is no
    JSON in it.
    """
    return _NAMES[type(event)], json.dumps(dataclasses.asdict(event))


def load(kind: str, text: str) -> Kept | None:
    """The event that `dump` gave; None for a kind that only a newer version of the agent knows."""
    values = json.loads(text)
    match kind:
        case "user":
            return UserMessage(tuple(values["blocks"]))
        case "tool":
            return ToolCall(**{**values, "paths": tuple(values["paths"])})
        case "update":
            diff = values.pop("diff")
            return ToolUpdate(diff=Diff(**diff) if diff else None, **values)
        case "plan":
            return Plan(tuple(Step(**step) for step in values["steps"]))
        case "text":
            return Text(**values)
        case "thought":
            return Thought(**values)
    return None
