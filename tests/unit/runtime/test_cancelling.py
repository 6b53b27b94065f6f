"""Cancelling requests, both ways."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from acpgen.runtime.connection import Connection
from tests.robustness.raw import Recorder, cancel, connected, note, request, result, run


def test_a_cancelled_call_tells_the_peer_and_ignores_its_answer() -> None:
    async def scenario() -> None:
        async with connected() as (connection, raw):
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(connection.request("ask"), 0.01)
            assert (await raw.read())["id"] == 0
            assert await raw.read() == cancel(0)
            raw.send({"jsonrpc": "2.0", "id": 0, "error": {"code": -32800, "message": "c"}})
            await raw.alive()

    run(scenario())


def test_a_call_that_was_answered_is_not_cancelled() -> None:
    async def scenario() -> None:
        async with connected(Recorder(lambda _m, _p: asyncio.sleep(60))) as (connection, raw):
            task = asyncio.ensure_future(connection.request("ask"))
            await raw.read()
            raw.send(note("slow"), result(0, "answered"), b"no json\n")
            await raw.read()  # the answer has arrived by now, and waits for the hook
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            raw.send(b"no json\n")
            assert (await raw.read())["error"]["code"] == -32700

    run(scenario())


def test_the_peer_cancels_a_handler() -> None:
    async def scenario() -> None:
        handler = Recorder()
        async with connected(handler) as (_, raw):
            raw.send(request(1, "never"), request("1", "never"))
            await raw.alive()
            raw.send(cancel(1))
            answer = await raw.read()
            assert (answer["id"], answer["error"]["code"]) == (1, -32800)
            await raw.alive()
            assert handler.cancelled == ["never"]  # the one with id "1" runs on

    run(scenario())


def test_a_handler_may_answer_a_cancelled_request_with_a_result() -> None:
    async def scenario() -> None:
        tidy = asyncio.Event()

        async def prompt(_params: Any) -> Any:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                await tidy.wait()
                return {"stopReason": "cancelled"}

        async with connected(Recorder(prompt=prompt)) as (_, raw):
            raw.send(request(1, "prompt"))
            await raw.alive()
            raw.send(cancel(1))
            await raw.alive()
            raw.send(cancel(1))  # does not disturb the handler any more
            await raw.alive()
            tidy.set()
            assert await raw.read() == result(1, {"stopReason": "cancelled"})
            await raw.alive()

    run(scenario())


def test_a_request_that_is_cancelled_before_it_starts_never_does() -> None:
    async def scenario() -> None:
        event = asyncio.Event()

        async def hook(_method: str, _params: Any) -> None:
            await event.wait()

        handler = Recorder(hook)
        async with connected(handler) as (_, raw):
            raw.send(note("slow"), request(1, "echo"), cancel(1))
            answer = await raw.read()
            assert (answer["id"], answer["error"]["code"]) == (1, -32800)
            event.set()
            await raw.alive()
        assert handler.begun == ["echo"]  # that of alive()

    run(scenario())


def test_a_request_and_its_cancellation_in_one_piece() -> None:
    async def scenario() -> None:
        handler = Recorder()
        async with connected(handler, cancel_grace=None) as (_, raw):
            both = [json.dumps(message).encode() for message in (request(1, "never"), cancel(1))]
            raw.send(b"\n".join(both) + b"\n")
            answer = await raw.read()
            assert (answer["id"], answer["error"]["code"]) == (1, -32800)
            await raw.alive()
            assert "never" not in handler.begun

    run(scenario())


CANCELS: dict[str, Any] = {
    "unknown": cancel(99),
    "finished": cancel("done"),
    "true": cancel(True),
    "1.0": cancel(1.0),
    "null": cancel(None),
    "an array": cancel([1]),
    "no id": note("$/cancel_request"),
    "no params": {"jsonrpc": "2.0", "method": "$/cancel_request"},
    "params an array": {"jsonrpc": "2.0", "method": "$/cancel_request", "params": [1]},
}


@pytest.mark.parametrize("message", CANCELS.values(), ids=CANCELS.keys())
def test_cancelling_what_does_not_run_is_ignored(message: Any) -> None:
    async def scenario() -> None:
        handler = Recorder()
        async with connected(handler) as (_, raw):
            raw.send(request("done"), request(1, "never"))
            assert (await raw.read())["id"] == "done"
            raw.send(message, message)
            await raw.alive()
            assert handler.cancelled == [] and handler.notes == []

    run(scenario())


def test_a_handler_that_ignores_that_it_is_cancelled_is_answered_for() -> None:
    async def scenario() -> None:
        event = asyncio.Event()

        async def stubborn(_params: Any) -> Any:
            while not event.is_set():
                try:
                    await event.wait()
                except asyncio.CancelledError:
                    continue
            return "too late"

        async with connected(Recorder(stubborn=stubborn), cancel_grace=0.05) as (_, raw):
            raw.send(request(1, "stubborn"), cancel(1))
            answer = await raw.read()
            assert (answer["id"], answer["error"]["code"]) == (1, -32800)
            await raw.alive()
            event.set()
            await raw.alive()

    run(scenario())


def test_cancelling_passes_on_to_what_the_handler_asked() -> None:
    async def scenario() -> None:
        holder: list[Connection] = []

        async def outer(_params: Any) -> Any:
            return await holder[0].request("inner")

        async with connected(Recorder(outer=outer)) as (connection, raw):
            holder.append(connection)
            raw.send(request(1, "outer"))
            inner = await raw.read()
            raw.send(cancel(1))
            answers = [await raw.read(), await raw.read()]
            assert cancel(inner["id"]) in answers
            assert [a["error"]["code"] for a in answers if a.get("id") == 1] == [-32800]
            await raw.alive()

    run(scenario())
