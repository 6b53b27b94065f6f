"""Transports of whole messages, such as the pair in memory."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from acpgen.runtime.connection import Connection
from acpgen.runtime.errors import ConnectionClosed, RpcError
from acpgen.runtime.links import FAILURES, HELD_MESSAGES
from acpgen.runtime.transport import memory_pair
from tests.robustness.raw import Recorder, run


def test_two_connections_in_memory() -> None:
    async def scenario() -> None:
        one, other = memory_pair()
        told = Recorder()
        async with Connection(one, told) as agent, Connection(other, Recorder()) as client:
            assert await client.request("echo", {"x": [1, None, "é"]}) == {"x": [1, None, "é"]}
            assert await agent.request("echo", {"y": 1}) == {"y": 1}
            with pytest.raises(RpcError) as caught:
                await client.request("no/such")
            assert caught.value.code == -32601
            await client.notify("note", {"z": 1})
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(client.request("never"), 0.01)
            assert await client.request("echo") is None
            assert told.notes == [("note", {"z": 1})]
            assert told.cancelled == ["never"]
            call = asyncio.ensure_future(agent.request("never"))
            await asyncio.sleep(0)
            await client.close()
            with pytest.raises(ConnectionClosed):
                await call
            await agent.run()

    run(scenario())


class Scripted:
    """Receives what a test puts into it: messages, exceptions to raise, None for the end."""

    def __init__(self, *script: Any) -> None:
        self.script: asyncio.Queue[Any] = asyncio.Queue()
        for item in script:
            self.script.put_nowait(item)
        self.sent: asyncio.Queue[Any] = asyncio.Queue()
        self.may_send = asyncio.Event()
        self.may_send.set()
        self.refuse = ""
        self.closed = False

    async def send(self, message: dict[str, Any]) -> None:
        await self.may_send.wait()
        if message.get("method") == self.refuse:
            raise ConnectionError("status 500")
        self.sent.put_nowait(message)

    async def receive(self) -> Any:
        item = await self.script.get()
        if isinstance(item, Exception):
            raise item
        return item

    async def close(self) -> None:
        self.closed = True


ECHO = {"jsonrpc": "2.0", "id": 1, "method": "echo", "params": {"x": 1}}


def test_a_message_that_cannot_be_read_is_answered_and_the_next_one_is_read() -> None:
    async def scenario() -> None:
        transport = Scripted(ValueError("frame"), ["batch"], ECHO)
        async with Connection(transport, Recorder()):
            codes = [(await transport.sent.get())["error"]["code"] for _ in range(2)]
            assert codes == [-32700, -32600]
            assert (await transport.sent.get())["result"] == {"x": 1}
        assert transport.closed

    run(scenario())


@pytest.mark.parametrize(
    "script", [[None], [OSError("gone")], [ValueError("again")] * FAILURES], ids=str
)
def test_the_end_of_a_transport(script: list[Any]) -> None:
    async def scenario() -> None:
        transport = Scripted(*script)
        connection = Connection(transport, Recorder(), role="client")
        with pytest.raises(ConnectionClosed):
            await connection.request("ask")
        await connection.run()
        assert transport.closed

    run(scenario())


def test_a_request_that_cannot_be_sent_fails_alone() -> None:
    async def scenario() -> None:
        transport = Scripted()
        transport.refuse = "bad"
        async with Connection(transport, Recorder()) as connection:
            with pytest.raises(ConnectionError, match="status 500"):
                await connection.request("bad")
            await connection.notify("bad")
            call = asyncio.ensure_future(connection.request("good"))
            assert (await transport.sent.get()) == {"jsonrpc": "2.0", "id": 1, "method": "good"}
            transport.script.put_nowait({"jsonrpc": "2.0", "id": 1, "result": 5})
            assert await call == 5

    run(scenario())


def test_a_slow_transport_holds_the_sender_back() -> None:
    async def scenario() -> None:
        transport = Scripted()
        transport.may_send.clear()
        async with Connection(transport, Recorder()) as connection:
            sent = 0

            async def flood() -> None:
                nonlocal sent
                for _ in range(3 * HELD_MESSAGES):
                    await connection.notify("chunk")
                    sent += 1

            task = asyncio.ensure_future(flood())
            for _ in range(50):
                await asyncio.sleep(0)
            assert sent == HELD_MESSAGES - 1
            transport.may_send.set()
            await task
            for _ in range(3 * HELD_MESSAGES):
                await transport.sent.get()

    run(scenario())
