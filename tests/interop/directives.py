"""What the harness agents of both versions share."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable
from typing import Any

from acp_bindings.runtime.errors import RpcError

ECHO, DELAY, SLOW = "_peer/echo", "_peer/delay", "_peer/slow"


def parsed(text: str) -> tuple[str, str] | None:
    """`h:NAME ARGUMENT` -> (name, argument); None for any other text."""
    match = re.match(r"h:(\S+)\s*([\s\S]*)$", text)
    return (match[1], match[2]) if match else None


def text_of(blocks: list[Any]) -> str:
    """The text blocks of a prompt, joined."""
    return "".join(block.text for block in blocks if block.type == "text")


async def outcome(call: Awaitable[Any]) -> str:
    """The result of a call as JSON, or the code of its error."""
    try:
        return json.dumps(await call, separators=(",", ":"))
    except RpcError as error:
        return str(error.code)


async def extension(method: str, params: Any) -> Any:
    """The extension methods that harness agents answer; KeyError for any other."""
    if method == ECHO:
        return params
    if method == DELAY:
        await asyncio.sleep(params.get("ms", 0) / 1000)
        return params
    if method == SLOW:
        await asyncio.Event().wait()  # ends by $/cancel_request, which answers -32800
    raise KeyError(method)


async def cancelled_answer(connection: Any, method: str, params: Any, after: float) -> str:
    """Send a request, cancel it with `$/cancel_request` while its answer is awaited, and give that
    answer's outcome or code. (A cancelled call does not wait for its answer, so this one is not
    cancelled here.)
    """
    call = asyncio.ensure_future(connection.request(method, params))
    await asyncio.sleep(0)
    sent = connection._pending._next - 1  # the id that it went out with
    await asyncio.sleep(after)
    await connection.notify("$/cancel_request", {"requestId": sent})
    try:
        answer = await call
        return str(answer["outcome"]["outcome"] if "outcome" in answer else answer)
    except RpcError as error:
        return str(error.code)
