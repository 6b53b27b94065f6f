"""What the diff from v1 to v2 rightly does not hold, by name and with the reason.

An exception that is held after all, or that no fact is about, fails as stale.
"""

from __future__ import annotations

LACKING: dict[str, tuple[str, str]] = {
    "fields: NES (retired) nes/accept, nes/reject: id": (
        "* *.id -> *.suggestionId",
        "no pinned schema has nes/* any more, so neither side has the field",
    ),
    "capabilities: agent: nes -> nes": (
        "capability.* agent: nes* -> *",
        "retired in both versions before the pinned release: neither schema has it",
    ),
}
"""KEY -> (the pattern that would hold it, why the diff rightly lacks it)."""

ENVELOPE = "the runtime's envelope of all methods: what changed is said of the methods"
ALIAS = "a name for the same string: the new definition is listed, the values are the same"
TAGGED = "the object became the variant `command`, whose fields are the same"
EMPTY_LIST = "a default [] that is no longer spelled out: an absent list reads as [] all the same"

MECHANICAL: dict[str, str] = {
    "AgentRequest.params": ENVELOPE,
    "AgentNotification.params": ENVELOPE,
    "ClientRequest.params": ENVELOPE,
    "ClientNotification.params": ENVELOPE,
    **dict.fromkeys(
        (
            "ImageContent.mimeType",
            "AudioContent.mimeType",
            "ResourceLink.mimeType",
            "TextResourceContents.mimeType",
            "BlobResourceContents.mimeType",
            "ToolCallLocation.path",
            "SessionInfo.cwd",
            "NewSessionRequest.cwd",
            "NewSessionRequest.additionalDirectories",
            "McpServerStdio.command",
            "ListSessionsRequest.cwd",
            "ListSessionsRequest.cursor",
            "ResumeSessionRequest.cwd",
            "ResumeSessionRequest.additionalDirectories",
            "ForkSessionRequest.cwd",
            "ForkSessionRequest.additionalDirectories",
            "SubagentUpdate.cwd",
            "SubagentUpdate.additionalDirectories",
        ),
        ALIAS,
    ),
    "AvailableCommand.name": TAGGED,
    "AvailableCommand.description": TAGGED,
    "AvailableCommand.input": TAGGED,
    "AvailableCommand._meta": TAGGED,
    "InitializeResponse.authMethods": EMPTY_LIST,
}
"""Properties that the mechanical part calls changed and no finding is about, with the reason."""
