"""One end of a connection under test, and a raw peer that sends and reads plain messages."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Coroutine
from typing import Any

from acp_bindings.runtime.connect import connect
from acp_bindings.runtime.serve import agent_connection
from acp_bindings.runtime.transport import Transport, memory_pair

SECONDS = 20.0

INITIALIZE: dict[int, dict[str, Any]] = {
    1: {"protocolVersion": 1},
    2: {"protocolVersion": 2, "info": {"name": "raw", "version": "1"}},
}
NEW: dict[int, dict[str, Any]] = {1: {"cwd": "/w", "mcpServers": []}, 2: {"cwd": "/w"}}


def run(scenario: Coroutine[Any, Any, None]) -> None:
    """Run a scenario to its end, within a bounded time."""
    asyncio.run(asyncio.wait_for(scenario, SECONDS))


class Raw:
    """Sends and reads messages as they are."""

    def __init__(self, transport: Transport) -> None:
        self.transport = transport
        self.count = 0

    async def send(self, message: dict[str, Any]) -> None:
        await self.transport.send({"jsonrpc": "2.0", **message})

    async def read(self) -> dict[str, Any]:
        """The next message."""
        message: dict[str, Any] = await asyncio.wait_for(self.transport.receive(), SECONDS)
        assert message is not None, "the connection is closed"
        return message

    async def note(self, method: str, params: Any = None) -> None:
        await self.send({"method": method, **({} if params is None else {"params": params})})

    async def ask(self, method: str, params: Any = None) -> Any:
        """Send a request; the id to find its answer by."""
        self.count += 1
        message = {"id": f"raw {self.count}", "method": method}
        await self.send(message if params is None else {**message, "params": params})
        return message["id"]

    async def call(self, method: str, params: Any = None) -> dict[str, Any]:
        """Send a request and give its answer, which has to be the next message."""
        id_ = await self.ask(method, params)
        answer = await self.read()
        assert answer.get("id") == id_ and "method" not in answer, answer
        return answer

    async def result(self, method: str, params: Any = None) -> Any:
        answer = await self.call(method, params)
        assert "error" not in answer, answer
        return answer["result"]

    async def error(self, method: str, params: Any = None) -> dict[str, Any]:
        answer = await self.call(method, params)
        assert "result" not in answer, answer
        error: dict[str, Any] = answer["error"]
        return error

    async def answer(self, request: dict[str, Any], result: Any) -> None:
        await self.send({"id": request["id"], "result": result})

    async def refuse(self, request: dict[str, Any], code: int, data: Any = None) -> None:
        error = {"code": code, "message": "no", **({} if data is None else {"data": data})}
        await self.send({"id": request["id"], "error": error})

    async def silent(self) -> None:
        """Nothing was sent: what comes next answers a request that is sent now."""
        assert (await self.error("_silent"))["code"] == -32601


@contextlib.asynccontextmanager
async def agent_end(
    *agents: Any, initialize: dict[str, Any] | None = None, **options: Any
) -> AsyncIterator[Raw]:
    """Agents on one end; the raw client has sent these `initialize` params, if any."""
    ours, theirs = memory_pair()
    connection = agent_connection(ours, *agents, **options)
    serving = asyncio.create_task(connection.run())
    raw = Raw(theirs)
    try:
        if initialize is not None:
            await raw.result("initialize", initialize)
        yield raw
    finally:
        await connection.close()
        await serving


@contextlib.asynccontextmanager
async def client_end(
    *clients: Any, answer: dict[str, Any]
) -> AsyncIterator[tuple[Any, Raw, dict[str, Any]]]:
    """Clients on one end, connected to a raw agent that answered `initialize` like this. Gives the
    typed peer, the raw agent, and the params of `initialize`.
    """
    ours, theirs = memory_pair()
    raw = Raw(theirs)
    connecting = asyncio.create_task(connect(ours, *clients))
    request = await raw.read()
    assert request["method"] == "initialize"
    await raw.answer(request, answer)
    peer = await connecting
    try:
        yield peer, raw, request["params"]
    finally:
        await peer.close()


def pointers(error: dict[str, Any]) -> list[str]:
    """The places that an error names in its data."""
    return [item["pointer"] for item in error["data"]["errors"]]


def answer_of(version: int, capabilities: dict[str, Any] | None = None) -> dict[str, Any]:
    """An agent's answer to `initialize`."""
    if version == 1:
        return {"protocolVersion": 1, "agentCapabilities": capabilities or {}}
    info = {"name": "raw", "version": "1"}
    return {"protocolVersion": 2, "info": info, "capabilities": capabilities or {}}


def client_params(version: int, capabilities: dict[str, Any]) -> dict[str, Any]:
    """A client's `initialize` params with capabilities."""
    name = "clientCapabilities" if version == 1 else "capabilities"
    return {**INITIALIZE[version], name: capabilities}
