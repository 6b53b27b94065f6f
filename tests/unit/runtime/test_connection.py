"""Calling the peer, and being called."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from acpgen.runtime.base import decode
from acpgen.runtime.connection import Connection
from acpgen.runtime.errors import (
    AuthRequired,
    InvalidResponse,
    MethodNotFound,
    RpcError,
    SessionNotFound,
)
from acpgen.runtime.transport import Sink
from tests.robustness.raw import Recorder, connected, request, result, run
from tests.unit.runtime.sample import MINIMAL, Message


def test_requests_have_integer_ids_from_0_and_models_are_encoded() -> None:
    async def scenario() -> None:
        async with connected() as (connection, raw):
            message = decode(Message, {**MINIMAL, "_meta": {"a": 1}})
            tasks = [
                asyncio.ensure_future(connection.request("one", message)),
                asyncio.ensure_future(connection.request("two", {"inside": message})),
                asyncio.ensure_future(connection.request("three")),
            ]
            first, second, third = [await raw.read() for _ in range(3)]
            assert first["params"] == {**MINIMAL, "_meta": {"a": 1}}
            assert second["params"] == {"inside": first["params"]}
            assert third == {"jsonrpc": "2.0", "id": 2, "method": "three"}
            raw.send(result(2, "c"), result(0, "a"), result(1, "b"))
            assert await asyncio.gather(*tasks) == ["a", "b", "c"]

    run(scenario())


def test_each_frame_is_one_line_and_ends_with_one_newline() -> None:
    """Case C37."""

    async def scenario() -> None:
        async with connected() as (connection, raw):
            await connection.notify("a\nb", {"text": "x\r\ny\n", "\n": None})
            await connection.notify("next")
            assert await raw.line() == (
                b'{"jsonrpc":"2.0","method":"a\\nb",'
                b'"params":{"text":"x\\r\\ny\\n","\\n":null}}\n'
            )
            assert await raw.line() == b'{"jsonrpc":"2.0","method":"next"}\n'

    run(scenario())


def test_what_cannot_be_encoded_is_refused_and_nothing_is_written() -> None:
    async def scenario() -> None:
        async with connected() as (connection, raw):
            with pytest.raises((TypeError, ValueError)):
                await connection.notify("a", {"x": object()})
            with pytest.raises((TypeError, ValueError)):
                await connection.request("b", {"x": object()})
            await connection.notify("c", {"cut": "\ud83d", "number": float("nan")})
            written = await raw.read()
            assert written["params"] == {"cut": "\ufffd", "number": None}

    run(scenario())


def test_errors_keep_code_message_and_data() -> None:
    async def scenario() -> None:
        async with connected() as (connection, raw):

            async def call(error: dict[str, Any]) -> RpcError:
                task = asyncio.ensure_future(connection.request("ask"))
                asked = await raw.read()
                raw.send({"jsonrpc": "2.0", "id": asked["id"], "error": error})
                with pytest.raises(RpcError) as caught:
                    await task
                return caught.value

            lost = await call({"code": -32002, "message": "no", "data": {"sessionId": "s1"}})
            assert isinstance(lost, SessionNotFound)
            assert lost.session_id == "s1"
            other = await call({"code": 17, "message": "m", "data": [1]})
            assert (type(other), other.code, other.data) == (RpcError, 17, [1])

    run(scenario())


def test_a_handlers_error_is_answered_as_it_is() -> None:
    async def auth(_params: Any) -> Any:
        raise AuthRequired(data={"methods": ["a"]})

    async def odd(_params: Any) -> Any:
        raise RpcError(5, "odd", object())

    async def scenario() -> None:
        async with connected(Recorder(auth=auth, odd=odd)) as (_, raw):
            raw.send(request(1, "auth"), request(2, "odd"))
            assert (await raw.read())["error"] == {
                "code": -32000,
                "message": "Authentication required",
                "data": {"methods": ["a"]},
            }
            assert (await raw.read())["error"] == {"code": 5, "message": "odd"}
            await raw.alive()

    run(scenario())


def test_decode_makes_the_result_and_its_errors_name_the_method() -> None:
    async def scenario() -> None:
        async with connected() as (connection, raw):

            def read(value: Any) -> Message:
                return decode(Message, value)

            good = asyncio.ensure_future(connection.request("good", decode=read))
            bad = asyncio.ensure_future(connection.request("bad", decode=read))
            raw.send(result(0, MINIMAL), result(1, {"stopReason": "error"}))
            assert isinstance(await good, Message)
            with pytest.raises(InvalidResponse, match="answer to bad") as caught:
                await bad
            assert caught.value.raw == {"stopReason": "error"}
            assert caught.value.problems
            await raw.read()
            await raw.read()
            await raw.alive()

    run(scenario())


def test_who_writes_waits_while_the_peer_does_not_read() -> None:
    async def scenario() -> None:
        async with connected() as (connection, raw):
            sent = 0

            async def flood() -> None:
                nonlocal sent
                for number in range(20_000):
                    await connection.notify("chunk", {"n": number, "text": "x" * 1000})
                    sent += 1

            raw.hold()
            task = asyncio.ensure_future(flood())
            before = -1
            while before != sent:  # until it stands still
                before = sent
                await asyncio.sleep(0.05)
            assert 0 < sent < 10_000
            raw.hold(False)
            for number in range(20_000):
                assert json.loads(await raw.line())["params"]["n"] == number
            await task
            await raw.alive()

    run(scenario())


class Sponge:
    """A stream whose other end takes everything at once, and sends nothing."""

    def __init__(self) -> None:
        self.taken = 0

    def start(self, sink: Sink) -> None:
        pass

    def write(self, data: bytes) -> None:
        self.taken += len(data)

    async def close(self) -> None:
        pass


def test_a_writer_without_end_lets_others_run() -> None:
    async def scenario() -> None:
        stop = asyncio.Event()
        sponge = Sponge()
        async with Connection(sponge, Recorder()) as connection:
            asyncio.get_running_loop().call_later(0.01, stop.set)
            size = 0
            while not stop.is_set():
                await connection.notify("chunk", {"text": "x" * 100})
                size += len('{"jsonrpc":"2.0","method":"chunk","params":{"text":""}}\n') + 100
        assert sponge.taken == size

    run(scenario())


def test_unknown_methods_reach_the_handler_by_their_exact_name() -> None:
    """Case C29."""

    async def scenario() -> None:
        handler = Recorder()
        async with connected(handler) as (connection, raw):
            raw.send(request("q1", "fs/read_text_file"), request("q2", "_example.com/ask"))
            answers = [await raw.read(), await raw.read()]
            assert [(a["id"], a["error"]["code"]) for a in answers] == [
                ("q1", MethodNotFound.CODE),
                ("q2", MethodNotFound.CODE),
            ]
            assert handler.begun == ["fs/read_text_file", "_example.com/ask"]
            assert not connection.closed

    run(scenario())
