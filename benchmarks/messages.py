"""A mixed set of ACP v1 messages, as a session with tool calls exchanges them: (definition,
params).
"""

from __future__ import annotations

from typing import Any

SESSION = "session-1"


def _update(**update: Any) -> tuple[str, dict[str, Any]]:
    return "SessionNotification", {"sessionId": SESSION, "update": update}


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


MESSAGES: tuple[tuple[str, dict[str, Any]], ...] = (
    (
        "InitializeRequest",
        {
            "protocolVersion": 1,
            "clientInfo": {"name": "bench", "title": "Benchmark", "version": "1.0"},
            "clientCapabilities": {
                "fs": {"readTextFile": True, "writeTextFile": True},
                "terminal": True,
            },
        },
    ),
    (
        "NewSessionRequest",
        {
            "cwd": "/home/me/project",
            "mcpServers": [
                {
                    "name": "files",
                    "command": "/usr/bin/files",
                    "args": ["--root", "."],
                    "env": [{"name": "A", "value": "b"}],
                },
                {"type": "http", "name": "web", "url": "https://example.com/mcp", "headers": []},
            ],
        },
    ),
    (
        "PromptRequest",
        {"sessionId": SESSION, "prompt": [_text("Please tidy the imports of this module.")]},
    ),
    _update(sessionUpdate="agent_thought_chunk", content=_text("The imports are out of order.")),
    _update(
        sessionUpdate="agent_message_chunk", content=_text("I will sort them and run the tests.")
    ),
    _update(sessionUpdate="agent_message_chunk", content=_text(" One moment.")),
    _update(
        sessionUpdate="plan",
        entries=[
            {"content": "Sort the imports", "priority": "high", "status": "in_progress"},
            {"content": "Run the tests", "priority": "medium", "status": "pending"},
        ],
    ),
    _update(
        sessionUpdate="tool_call",
        toolCallId="call-1",
        title="Edit main.py",
        kind="edit",
        status="pending",
        locations=[{"path": "/home/me/project/main.py", "line": 1}],
        rawInput={"path": "/home/me/project/main.py", "edits": [{"line": 1, "text": "import os"}]},
    ),
    _update(
        sessionUpdate="tool_call_update",
        toolCallId="call-1",
        status="completed",
        content=[
            {"type": "content", "content": _text("Sorted.")},
            {
                "type": "diff",
                "path": "/home/me/project/main.py",
                "oldText": "import b\nimport a\n",
                "newText": "import a\nimport b\n",
            },
        ],
    ),
    _update(
        sessionUpdate="available_commands_update",
        availableCommands=[
            {"name": "test", "description": "Run the tests", "input": {"hint": "a path"}}
        ],
    ),
    (
        "RequestPermissionRequest",
        {
            "sessionId": SESSION,
            "toolCall": {"toolCallId": "call-2", "title": "Run the tests", "kind": "execute"},
            "options": [
                {"optionId": "once", "name": "Allow once", "kind": "allow_once"},
                {"optionId": "no", "name": "Reject", "kind": "reject_once"},
            ],
        },
    ),
)
