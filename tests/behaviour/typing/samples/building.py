# pyright: strict
"""Building: Python names, tags filled in, unknown keywords refused."""

from acp_bindings.v1 import encode_json
from acp_bindings.v1.models import (
    AgentMessageChunk,
    InitializeRequest,
    NewSessionRequest,
    PromptResponse,
    SessionInfoUpdate,
    SessionNotification,
    StopReason,
    TextContentBlock,
    ToolCallUpdate,
)
from typing_extensions import reveal_type

chunk = AgentMessageChunk(content=TextContentBlock(text="hi"), meta={"k": 1})
reveal_type(chunk)  # => AgentMessageChunk
notification = SessionNotification(session_id="s", update=chunk)
reveal_type(encode_json(notification))  # => bytes

NewSessionRequest(cwd="/w", mcp_servers=[])
NewSessionRequest(cwd="/w", mcpServers=[])  # !
NewSessionRequest(cwd="/w")  # !
TextContentBlock(text="t", annotations=None, meta=None)
TextContentBlock(text=5)  # !
TextContentBlock(txt="t")  # !
TextContentBlock("t")  # !
TextContentBlock(text="t", type="image")  # !
InitializeRequest()  # !
InitializeRequest(protocol_version="1")  # !
SessionInfoUpdate()
SessionInfoUpdate(title=None)
SessionInfoUpdate(title=5)  # !
ToolCallUpdate(tool_call_id="t", kind="edit")
ToolCallUpdate(tool_call_id="t", kind="deploy")  # !

reason: StopReason = "end_turn"
PromptResponse(stop_reason=reason)
wrong: StopReason = "ended"  # !
