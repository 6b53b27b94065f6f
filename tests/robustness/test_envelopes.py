"""JSON that is no proper request, notification or answer. The connection is alive after each."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from acpgen.runtime.errors import InvalidResponse, RpcError
from tests.robustness.raw import Recorder, connected, note, request, result, run

NO_REQUEST: dict[str, Any] = {
    "a batch": [request(1)],
    "an empty batch": [],
    "a string": "echo",
    "a number": 42,
    "null": None,
    "an empty object": {},
    "only jsonrpc": {"jsonrpc": "2.0"},
    "params alone": {"jsonrpc": "2.0", "params": {}},
    "no jsonrpc": {"id": 1, "method": "echo", "params": {}},
    "jsonrpc 1.0": {"jsonrpc": "1.0", "id": 1, "method": "echo"},
    "jsonrpc a number": {"jsonrpc": 2.0, "id": 1, "method": "echo"},
    "a notification without jsonrpc": {"method": "note"},
    "method a number": {"jsonrpc": "2.0", "id": 1, "method": 5},
    "method null": {"jsonrpc": "2.0", "id": 1, "method": None},
    "method and result": {"jsonrpc": "2.0", "id": 1, "method": "echo", "result": {}},
    "method and error": {"jsonrpc": "2.0", "id": 1, "method": "echo", "error": {"code": 1}},
    "id null": request(None),
    "id true": request(True),
    "id a fraction": request(1.5),
    "id 1.0": request(1.0),
    "id an array": request([1]),
    "id an object": request({"a": 1}),
}


@pytest.mark.parametrize("role", ["agent", "client"])
@pytest.mark.parametrize("message", NO_REQUEST.values(), ids=NO_REQUEST.keys())
def test_what_is_no_request_is_answered_once_with_id_null(message: Any, role: str) -> None:
    """Case C30."""

    async def scenario() -> None:
        handler = Recorder()
        async with connected(handler, role=role) as (_, raw):
            raw.send(message)
            answer = await raw.read()
            assert answer["id"] is None
            assert answer["error"]["code"] == -32600
            assert handler.begun == [] and handler.notes == []
            await raw.alive()

    run(scenario())


@pytest.mark.parametrize(
    "id_", [0, -1, 1, "", "1", "0", "q1", "\u00e9\n", 2**53, 2**63, 2**64 + 1, -(2**70), 10**4299]
)
def test_an_id_is_echoed_with_value_and_type(id_: int | str) -> None:
    async def scenario() -> None:
        async with connected() as (_, raw):
            raw.send(request(id_, x=1))
            answer = await raw.read()
            assert answer == {"jsonrpc": "2.0", "id": id_, "result": {"x": 1}}
            assert type(answer["id"]) is type(id_)
            await raw.alive()

    run(scenario())


def test_ids_that_python_has_equal_are_different_requests() -> None:
    async def scenario() -> None:
        async with connected() as (_, raw):
            raw.send(request(1, "never"), request("1"))
            assert (await raw.read())["id"] == "1"
            await raw.alive()

    run(scenario())


def test_an_id_in_flight_is_refused_and_its_request_goes_on() -> None:
    async def scenario() -> None:
        event = asyncio.Event()

        async def wait(params: Any) -> Any:
            await event.wait()
            return params

        handler = Recorder(wait=wait)
        async with connected(handler) as (_, raw):
            raw.send(request(7, "wait", first=True), request(7, "echo", first=False))
            refused = await raw.read()
            assert (refused["id"], refused["error"]["code"]) == (None, -32600)
            event.set()
            assert await raw.read() == result(7, {"first": True})
            raw.send(request(7, "echo", again=True))  # free again
            assert await raw.read() == result(7, {"again": True})
            await raw.alive()
        assert handler.begun == ["wait", "echo", "echo"]

    run(scenario())


PARAMS: dict[str, Any] = {
    "missing": {},
    "null": {"params": None},
    "an array": {"params": [1, 2]},
    "a string": {"params": "x"},
}


@pytest.mark.parametrize("part", PARAMS.values(), ids=PARAMS.keys())
def test_odd_params_are_handed_to_the_handler_as_they_are(part: dict[str, Any]) -> None:
    async def scenario() -> None:
        handler = Recorder()
        async with connected(handler) as (_, raw):
            raw.send({"jsonrpc": "2.0", "method": "note", **part})
            raw.send({"jsonrpc": "2.0", "id": 3, "method": "echo", **part})
            assert await raw.read() == result(3, part.get("params"))
            await raw.alive()
        assert handler.notes == [("note", part.get("params"))]

    run(scenario())


def test_a_handler_that_fails_answers_without_its_secrets() -> None:
    async def scenario() -> None:
        async with connected() as (_, raw):
            raw.send(request(1, "fail"), request(2, "no/such"))
            assert await raw.read() == {
                "jsonrpc": "2.0",
                "id": 1,
                "error": {"code": -32603, "message": "Internal error"},
            }
            missing = await raw.read()
            assert (missing["id"], missing["error"]["code"]) == (2, -32601)
            await raw.alive()

    run(scenario())


def test_a_notification_is_never_answered() -> None:
    def hook(method: str, _params: Any) -> None:
        raise LookupError(method)

    async def scenario() -> None:
        handler = Recorder(hook)
        async with connected(handler) as (_, raw):
            raw.send(note("echo"), note("no/such"), note("fail"), note("_x"), note(""))
            raw.send({"jsonrpc": "2.0", "method": "params", "params": [1]})
            await raw.alive()
        assert len(handler.notes) == 6

    run(scenario())


def _raw(template: bytes, depth: int = 800) -> bytes:
    """A line with an array that is nested about as deeply as it can be read."""
    return template % (b"[" * depth, b"]" * depth) + b"\n"


STRAY: dict[str, Any] = {
    "id alone": {"id": 4},
    "id and jsonrpc": {"jsonrpc": "2.0", "id": 4},
    "a result for nothing": result(4, {}),
    "an error for nothing": {"jsonrpc": "2.0", "id": 4, "error": {"code": -1, "message": "m"}},
    "an error with id null": {
        "jsonrpc": "2.0",
        "id": None,
        "error": {"code": -32700, "message": "Parse error"},
    },
    "an error without id": {"jsonrpc": "2.0", "error": {"code": -1, "message": "m"}},
    "an error that is a string": {"jsonrpc": "2.0", "id": 4, "error": "boom"},
    "an error that is null": {"jsonrpc": "2.0", "id": 4, "error": None},
    "both": {"jsonrpc": "2.0", "id": 4, "result": {}, "error": {"code": -1, "message": "m"}},
    "id an object": {"jsonrpc": "2.0", "id": {}, "result": {}},
    "id true": result(True, {}),
    "id beyond 64 bits": result(2**70, {}),
    "result without id": {"jsonrpc": "2.0", "result": {}},
    "an id nested deeply": _raw(b'{"jsonrpc":"2.0","id":%b%b,"result":1}'),
    "an error nested deeply": _raw(b'{"jsonrpc":"2.0","id":4,"error":%b%b}'),
}


@pytest.mark.parametrize("message", STRAY.values(), ids=STRAY.keys())
def test_an_answer_to_nothing_is_not_answered(message: Any) -> None:
    """Case C33; the first is the third form of case C04."""

    async def scenario() -> None:
        async with connected() as (_, raw):
            raw.send(message, message)
            await raw.alive()

    run(scenario())


ANSWERS: dict[str, tuple[dict[str, Any], type[Exception], str]] = {
    "neither": ({}, InvalidResponse, "no result"),
    "error null alone": ({"error": None}, InvalidResponse, "no result"),
    "both": (
        {"result": {"a": 1}, "error": {"code": -5, "message": "m"}},
        InvalidResponse,
        "both result and error",
    ),
    "an error that is a string": ({"error": "boom"}, RpcError, "boom"),
    "an error that is a number": ({"error": 5}, RpcError, "malformed"),
    "an error without code": ({"error": {"message": "lost"}}, RpcError, "lost"),
    "an error without message": ({"error": {"code": -7}}, RpcError, "-7"),
    "an error with data null": (
        {"error": {"code": -32603, "message": "backend failed", "data": None}},
        RpcError,
        "backend failed",
    ),
}


@pytest.mark.parametrize(("part", "kind", "text"), ANSWERS.values(), ids=ANSWERS.keys())
def test_a_broken_answer_fails_its_caller(
    part: dict[str, Any], kind: type[Exception], text: str
) -> None:
    async def scenario() -> None:
        async with connected() as (connection, raw):
            call = asyncio.ensure_future(connection.request("ask", {"x": 1}))
            asked = await raw.read()
            assert asked == {"jsonrpc": "2.0", "id": 0, "method": "ask", "params": {"x": 1}}
            raw.send({"jsonrpc": "2.0", "id": 0, **part})
            with pytest.raises(kind, match=text):
                await call
            await raw.alive()

    run(scenario())


@pytest.mark.parametrize(
    "part", [{"result": {"a": 1}}, {"result": {"a": 1}, "error": None}], ids=["plain", "error null"]
)
def test_an_answer_counts_once(part: dict[str, Any]) -> None:
    async def scenario() -> None:
        async with connected() as (connection, raw):
            call = asyncio.ensure_future(connection.request("ask"))
            assert await raw.read() == {"jsonrpc": "2.0", "id": 0, "method": "ask"}
            answer = {"jsonrpc": "2.0", "id": 0, **part}
            raw.send(answer, answer, {"jsonrpc": "2.0", "id": 0, "error": "late"})
            assert await call == {"a": 1}
            await raw.alive()

    run(scenario())


@pytest.mark.parametrize("id_", ["0", 0.0, False, None, [0]])
def test_an_answer_with_another_type_of_id_is_another_ones(id_: Any) -> None:
    async def scenario() -> None:
        async with connected() as (connection, raw):
            call = asyncio.ensure_future(connection.request("ask"))
            await raw.read()
            raw.send(result(id_, "wrong"))
            await raw.alive()
            assert not call.done()
            raw.send(result(0, "right"))
            assert await call == "right"

    run(scenario())
