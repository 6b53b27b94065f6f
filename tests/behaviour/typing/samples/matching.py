# pyright: strict
"""Decoding, narrowing and matching. `# => T`: what reveal_type shows; `# !`: an error is expected
on the line.
"""

from acp_bindings.v2 import MISSING, decode, decode_json
from acp_bindings.v2.models import (
    AgentMessageChunk,
    AvailableCommand,
    CommandAvailableCommand,
    ContentBlock,
    NewSessionRequest,
    OtherAvailableCommand,
    SessionInfoUpdate,
    SessionUpdate,
    TextContentBlock,
    ToolCallUpdate,
    UpdateSessionNotification,
)
from typing_extensions import assert_never, reveal_type


def decoded(data: bytes) -> None:
    request = decode(NewSessionRequest, {})
    reveal_type(request)  # => NewSessionRequest
    reveal_type(request.cwd)  # => str
    reveal_type(request.meta)  # => dict[str, Any] | None
    notification = decode_json(UpdateSessionNotification, data)
    reveal_type(notification)  # => UpdateSessionNotification
    reveal_type(notification.session_id)  # => str
    print(notification.sessionId)  # !


def matched(update: SessionUpdate) -> str:
    match update:
        case AgentMessageChunk(content=TextContentBlock(text=text)):
            reveal_type(update)  # => AgentMessageChunk
            reveal_type(text)  # => str
            return text
        case AgentMessageChunk(content=content):
            reveal_type(content.type)  # => str
            return content.type
        case ToolCallUpdate():
            reveal_type(update.tool_call_id)  # => str
            return update.tool_call_id
        case _:
            return ""


def tags(block: ContentBlock) -> None:
    if isinstance(block, TextContentBlock):
        reveal_type(block.type)  # => Literal['text']
        reveal_type(block.text)  # => str
        print(block.data)  # !
    print(block.text)  # !


def exhaustive(command: AvailableCommand) -> str:
    match command:
        case CommandAvailableCommand():
            return command.name
        case OtherAvailableCommand():
            return command.type
        case _:
            assert_never(command)


def not_exhaustive(command: AvailableCommand) -> str:
    match command:
        case CommandAvailableCommand():
            return command.name
        case _:
            assert_never(command)  # !


def three_states(update: SessionInfoUpdate) -> str:
    title = update.title
    if title is MISSING:
        return "unchanged"
    reveal_type(title)  # => str | None
    if title is None:
        return "cleared"
    reveal_type(title)  # => str
    return title
