"""What the two bare agents answer, as lines: json alone, nothing is checked."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any


def _line(message: dict[str, Any]) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **message}, separators=(",", ":")).encode() + b"\n"


def _update(session: str, update: dict[str, Any]) -> bytes:
    return _line({"method": "session/update", "params": {"sessionId": session, "update": update}})


def _chunk(session: str, text: str) -> bytes:
    content = {"type": "text", "text": text}
    return _update(session, {"sessionUpdate": "agent_message_chunk", "content": content})


def _updates(session: str, text: str) -> Iterator[bytes]:
    command, _, number = text.partition(" ")
    if command == "flood":
        for index in range(int(number)):
            yield _chunk(session, f"token {index} of the answer, with some more words ")
    elif command == "large":
        content = {"type": "content", "content": {"type": "text", "text": "x" * int(number)}}
        yield _update(
            session,
            {
                "sessionUpdate": "tool_call_update",
                "toolCallId": "t",
                "status": "completed",
                "content": [content],
            },
        )
    else:
        yield _chunk(session, text)


def answers(line: bytes) -> Iterator[bytes]:
    """The lines that one line of the client is answered with."""
    message = json.loads(line)
    number, method, params = message.get("id"), message.get("method"), message.get("params")
    if method == "initialize":
        yield _line({"id": number, "result": {"protocolVersion": 1, "agentCapabilities": {}}})
    elif method == "session/new":
        yield _line({"id": number, "result": {"sessionId": "s1"}})
    elif method == "session/prompt":
        yield from _updates(params["sessionId"], params["prompt"][0]["text"])
        yield _line({"id": number, "result": {"stopReason": "end_turn"}})
    elif number is not None:
        error = {"code": -32601, "message": "Method not found"}
        yield _line({"id": number, "error": error})
