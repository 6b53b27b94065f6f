"""The end of a connection, by either end."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from acpgen.runtime.connection import Connection
from acpgen.runtime.errors import ConnectionClosed
from tests.robustness.raw import Recorder, connected, note, request, result, run


def test_at_the_end_pending_calls_fail_and_handlers_are_cancelled() -> None:
    async def scenario() -> None:
        handler = Recorder()
        async with connected(handler) as (connection, raw):
            call = asyncio.ensure_future(connection.request("ask"))
            await raw.read()
            raw.send(request(1, "never"))
            await raw.alive()
            raw.writer.write_eof()
            with pytest.raises(ConnectionClosed, match="no answer to ask: the peer closed its end"):
                await call
            await connection.run()
            assert connection.closed
            assert handler.cancelled == ["never"]
            assert await raw.line() == b""  # nothing was answered for it
            with pytest.raises(ConnectionClosed, match="the peer closed its end"):
                await connection.request("more")
            with pytest.raises(ConnectionClosed):
                await connection.notify("more")

    run(scenario())


def test_what_arrived_before_the_end_is_handled() -> None:
    async def scenario() -> None:
        seen: list[str] = []

        async def hook(method: str, _params: Any) -> None:
            await asyncio.sleep(0.001)
            seen.append(method)

        async with connected(Recorder(hook)) as (connection, raw):
            call = asyncio.ensure_future(connection.request("ask"))
            await raw.read()
            raw.send(*(note(str(number)) for number in range(50)), result(0, "answered"))
            raw.send(note("last"), request(1))
            raw.writer.write_eof()
            assert await call == "answered"
            await connection.run()
            assert seen == [*map(str, range(50)), "last"]
            assert await raw.read() == result(1, {})

    run(scenario())


def test_a_handler_that_is_about_to_answer_may() -> None:
    async def scenario() -> None:
        async def soon(_params: Any) -> str:
            await asyncio.sleep(0.01)
            return "done"

        async with connected(Recorder(soon=soon)) as (connection, raw):
            raw.send(request(1, "soon"), request(2, "never"))
            raw.writer.write_eof()
            await connection.run()
            assert await raw.read() == result(1, "done")
            assert await raw.line() == b""

    run(scenario())


def test_a_hook_that_never_ends_does_not_keep_a_closed_connection() -> None:
    async def scenario() -> None:
        async with connected(Recorder(lambda _m, _p: asyncio.sleep(3600))) as (connection, raw):
            call = asyncio.ensure_future(connection.request("ask"))
            await raw.read()
            raw.send(note("stuck"), note("behind"), result(0, "answered"))
            raw.writer.write_eof()
            await connection.run()
            assert await call == "answered"

    run(scenario())


def test_closing_ends_handlers_and_calls_and_tells_the_peer() -> None:
    async def scenario() -> None:
        handler = Recorder()
        async with connected(handler) as (connection, raw):
            runs = asyncio.ensure_future(connection.run())
            call = asyncio.ensure_future(connection.request("ask"))
            raw.send(request(1, "never"), request("2"))
            assert {(await raw.read())["id"], (await raw.read())["id"]} == {0, "2"}
            await connection.notify("last words")
            await connection.close("enough")
            await runs
            assert handler.cancelled == ["never"]
            with pytest.raises(ConnectionClosed, match="enough"):
                await call
            assert (await raw.read())["method"] == "last words"
            assert await raw.line() == b""
            await connection.close()

    run(scenario())


@pytest.mark.parametrize("where", ["handler", "hook"])
def test_closing_from_inside(where: str) -> None:
    async def scenario() -> None:
        holder: list[Connection] = []

        async def leave(*_arguments: Any) -> None:
            await holder[0].close("left")

        handler = Recorder(leave, leave=leave)
        async with connected(handler) as (connection, raw):
            holder.append(connection)
            raw.send(request(1, "leave") if where == "handler" else note("leave"))
            await connection.run()
            assert connection.reason == "left"

    run(scenario())


def test_a_cancelled_run_closes() -> None:
    async def scenario() -> None:
        async with connected() as (connection, raw):
            runs = asyncio.ensure_future(connection.run())
            await raw.alive()
            runs.cancel()
            with pytest.raises(asyncio.CancelledError):
                await runs
            assert connection.closed
            assert await raw.line() == b""

    run(scenario())


def test_what_arrives_after_closing_began_is_ignored() -> None:
    async def scenario() -> None:
        handler = Recorder()
        async with connected(handler) as (connection, raw):
            await raw.alive()
            closing = asyncio.ensure_future(connection.close())
            raw.send(note("late"), request(1), b"no json\n")
            await closing
            assert await raw.line() == b""
        assert handler.notes == []
        assert handler.begun == ["echo"]

    run(scenario())
