"""The steps of a migration, in the order in which people take them, and what belongs to each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase

from acpgen.diff.change import Peer
from acpgen.diff.finding import Finding


@dataclass(frozen=True, slots=True)
class Step:
    """One step. agent, client: what it is about for the author of each.

    names: patterns of methods and kinds of session/update. types: patterns of schema types; they go
    before the names, since one type is held by many messages.
    """

    id: str
    title: str
    agent: str
    client: str
    names: tuple[str, ...] = ()
    types: tuple[str, ...] = ()

    def intro(self, peer: Peer) -> str:
        return self.agent if peer == "agent" else self.client


STEPS: tuple[Step, ...] = (
    Step(
        "connect",
        "Connection: initialize, capabilities, errors",
        "Read the client's initialize, answer it, and advertise what you offer.",
        "Send initialize, read the agent's answer, and look for what you need in it.",
        ("initialize", "$/*"),
        (
            "Initialize*",
            "*Capabilities",
            "*Capability",
            "Implementation",
            "ProtocolVersion",
            "Error*",
            "RequestId",
        ),
    ),
    Step(
        "sessions",
        "Sessions: new, resume, list, close",
        "Set sessions up, bring them back and end them.",
        "Open sessions, bring them back and end them.",
        (
            "session/new",
            "session/load",
            "session/resume",
            "session/list",
            "session/close",
            "session/delete",
            "session/fork",
            "session/archive",
            "session/unarchive",
            "session/status",
            "session/set_title",
            "session/options",
            "session_info_update",
        ),
        (
            "McpServer*",
            "EnvVariable",
            "HttpHeader",
            "SessionInfo*",
            "*SessionRequest",
            "*SessionResponse",
        ),
    ),
    Step(
        "prompt",
        "Prompts and updates",
        "Take prompts, run the turn, and tell of it in updates.",
        "Send prompts, and follow the turn by its updates.",
        (
            "session/prompt",
            "session/cancel",
            "session/update",
            "*_chunk",
            "*_message",
            "*_thought",
            "*_update",
            "*_removed",
            "plan",
            "notice",
        ),
        ("Prompt*", "Plan*", "StopReason", "Usage*", "Cost", "AvailableCommand*", "*CommandInput"),
    ),
    Step(
        "tools",
        "Tool calls and terminals",
        "Tell of tool calls, what they change and what they run.",
        "Show tool calls, what they change and what they run.",
        ("tool_call*", "terminal_*", "terminal/*"),
        ("*ToolCall*", "ToolKind", "Diff*", "Terminal*", "*Terminal"),
    ),
    Step(
        "permissions",
        "Permissions and questions to the user",
        "Ask for permission, and for what only the user knows.",
        "Put the agent's questions to the user, and answer them.",
        ("session/request_permission", "elicitation/*"),
        ("*Permission*", "*Elicitation*"),
    ),
    Step(
        "content",
        "Content blocks",
        "Read what is in prompts, and write what is in messages.",
        "Write what is in prompts, and show what is in messages.",
        (),
        (
            "ContentBlock*",
            "*Content",
            "*ResourceContents",
            "Annotations",
            "Role",
            "Icon*",
            "ResourceLink",
        ),
    ),
    Step(
        "config",
        "Config options and modes",
        "Offer the options of a session, and take the values that are chosen.",
        "Show the options of a session, and set them.",
        (
            "session/set_config_option",
            "session/set_mode",
            "config_option_update",
            "current_mode_update",
            "providers/*",
        ),
        ("*ConfigOption*", "SessionConfig*", "*SessionMode*", "*Mode"),
    ),
    Step(
        "auth",
        "Authentication",
        "Say how one logs in, and do it.",
        "Let the user log in and out.",
        ("auth/*", "authenticate", "logout"),
        ("Auth*", "*AuthRequest", "*AuthResponse"),
    ),
    Step(
        "removals",
        "What is gone",
        "Take out what nobody calls or answers any more.",
        "Take out what nobody calls or answers any more.",
    ),
    Step(
        "rest",
        "Everything else",
        "What belongs to none of these.",
        "What belongs to none of these.",
        ("*",),
    ),
)
"""In the order of the guide."""

# A removed method is looked for among the removals, whatever it did; types that name their purpose go
# before those that are only held somewhere.
_BY_TYPE = ("auth", "permissions", "config", "tools", "content", "prompt", "connect", "sessions")
_BY_ID: Mapping[str, Step] = {item.id: item for item in STEPS}


def step_of(finding: Finding) -> str:
    """The one step that a finding belongs to."""
    change = finding.change
    if change.kind == "method.removed":
        return "removals"
    if change.area in ("capability", "error"):
        return "connect"
    head = change.subject.split(" ", 1)[0]
    if change.area in ("method", "gate", "update"):
        return _by_names((head,)) or "rest"
    owner, _, rest = head.partition(":")
    owner = owner.partition(".")[0]
    if found := _by_names((rest.partition(".")[0],)) if rest else "":
        return found
    for name in _BY_TYPE:
        if any(fnmatchcase(owner, pattern) for pattern in _BY_ID[name].types):
            return name
    return _by_names(change.uses) or "rest"


def _by_names(names: tuple[str, ...]) -> str:
    """The step that the most of some names belong to; of equal ones the first."""
    counts: dict[str, int] = {}
    for name in names:
        if found := _by_name(name):
            counts[found] = counts.get(found, 0) + 1
    order = [item.id for item in STEPS]
    return max(counts, key=lambda item: (counts[item], -order.index(item)), default="")


def _by_name(name: str) -> str:
    """The step with the most exact pattern for a name; "" for one that only the last takes."""
    fitting = [
        (len(pattern.replace("*", "")), -rank, step.id)
        for rank, step in enumerate(STEPS)
        for pattern in step.names
        if pattern != "*" and fnmatchcase(name, pattern)
    ]
    return max(fitting)[2] if fitting else ""
