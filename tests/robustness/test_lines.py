"""Lines that are no messages, and messages that are hard to read. The connection is alive after
each of them.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.robustness.raw import Recorder, connected, note, request, run

PARSE_ERROR = {"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "Parse error"}}

NOT_JSON = {
    "a banner": b"Loaded cached credentials.\n",
    "cut": b'{"jsonrpc":"2.0",\n',
    "NaN": b'{"jsonrpc":"2.0","id":1,"method":"echo","params":{"x":NaN}}\n',
    "Infinity": b'{"jsonrpc":"2.0","id":1,"method":"echo","params":{"x":-Infinity}}\n',
    "invalid UTF-8": b'{"jsonrpc":"2.0","id":1,"method":"echo","params":{"x":"\xff\xfe"}}\n',
    "UTF-16": '{"jsonrpc":"2.0","id":1,"method":"echo"}'.encode("utf-16-be") + b"\n",
    "two on a line": b'{"jsonrpc":"2.0","method":"x"} {"jsonrpc":"2.0","method":"y"}\n',
    "nested 100,000 deep": b"[" * 100_000 + b"]" * 100_000 + b"\n",
    "nested in params": b'{"jsonrpc":"2.0","id":1,"method":"echo","params":{"x":'
    + b'{"a":' * 50_000
    + b"1"
    + b"}" * 50_000
    + b"}}\n",
    "a number of 10,000 digits": b'{"jsonrpc":"2.0","id":%b,"method":"echo"}\n' % (b"9" * 10_000),
    "NUL": b"\x00\x00\x00\n",
}


@pytest.mark.parametrize("line", NOT_JSON.values(), ids=NOT_JSON.keys())
def test_an_agent_answers_what_is_no_json_with_a_parse_error(line: bytes) -> None:
    """Cases C30 and C33."""

    async def scenario() -> None:
        async with connected(role="agent") as (_, raw):
            raw.send(line)
            assert await raw.read() == PARSE_ERROR
            await raw.alive()

    run(scenario())


@pytest.mark.parametrize("line", NOT_JSON.values(), ids=NOT_JSON.keys())
def test_a_client_logs_what_is_no_json(line: bytes, caplog: pytest.LogCaptureFixture) -> None:
    async def scenario() -> None:
        async with connected(role="client") as (_, raw):
            raw.send(line)
            await raw.alive()  # which reads the next line: there was none before it

    run(scenario())
    assert "not JSON" in caplog.text


READABLE: dict[str, tuple[bytes, Any]] = {
    "half a surrogate pair": (
        b'{"jsonrpc":"2.0","id":1,"method":"echo","params":{"x":"\\ud83d"}}\n',
        {"x": "\ufffd"},
    ),
    "the other half": (
        b'{"jsonrpc":"2.0","id":1,"method":"echo","params":{"x":"a\\uDE00b"}}\n',
        {"x": "a\ufffdb"},
    ),
    "half a pair beside a whole one": (
        b'{"jsonrpc":"2.0","id":1,"method":"echo","params":{"x":"\\ud83d\\ud83d\\ude00"}}\n',
        {"x": "\ufffd\U0001f600"},
    ),
    "a backslash before what looks like one": (
        b'{"jsonrpc":"2.0","id":1,"method":"echo","params":{"x":"\\ud83d \\\\ud83d"}}\n',
        {"x": "\ufffd \\ud83d"},
    ),
    "half a pair, encoded on its own": (
        b'{"jsonrpc":"2.0","id":1,"method":"echo","params":{"x":"\xed\xa0\xbd"}}\n',
        {"x": "\ufffd"},
    ),
    "a byte order mark": (
        b'\xef\xbb\xbf{"jsonrpc":"2.0","id":1,"method":"echo","params":{"x":1}}\n',
        {"x": 1},
    ),
    "CRLF": (b'{"jsonrpc":"2.0","id":1,"method":"echo","params":{"x":1}}\r\n', {"x": 1}),
    "blank lines around": (
        b'\n\r\n  \t\n{"jsonrpc":"2.0","id":1,"method":"echo","params":{"x":1}}\n\n',
        {"x": 1},
    ),
    "duplicate keys": (
        b'{"jsonrpc":"2.0","id":0,"id":1,"method":"echo","params":{"x":1,"x":2}}\n',
        {"x": 2},
    ),
    "a line separator inside a string": (
        b'{"jsonrpc":"2.0","id":1,"method":"echo","params":{"x":"\xe2\x80\xa8\xc2\x85"}}\n',
        {"x": "\u2028\x85"},
    ),
    "a newline escaped": (
        b'{"jsonrpc":"2.0","id":1,"method":"echo","params":{"x":"a\\nb"}}\n',
        {"x": "a\nb"},
    ),
    "a number beyond a float": (
        b'{"jsonrpc":"2.0","id":1,"method":"echo","params":{"x":1e400}}\n',
        {"x": None},
    ),
}


@pytest.mark.parametrize(("line", "params"), READABLE.values(), ids=READABLE.keys())
def test_what_can_be_read_is_answered(line: bytes, params: Any) -> None:
    async def scenario() -> None:
        async with connected() as (_, raw):
            raw.send(line)
            assert await raw.read() == {"jsonrpc": "2.0", "id": 1, "result": params}
            await raw.alive()

    run(scenario())


def test_nesting_beyond_the_fast_parser_reaches_the_handler() -> None:
    async def scenario() -> None:
        handler = Recorder()
        async with connected(handler) as (_, raw):
            raw.send(
                b'{"jsonrpc":"2.0","method":"deep","params":%b1%b}\n' % (b"[" * 400, b"]" * 400)
            )
            await raw.alive()
        depth, value = 0, handler.notes[0][1]
        while isinstance(value, list):
            depth, value = depth + 1, value[0]
        assert (depth, value) == (400, 1)

    run(scenario())


def test_a_result_that_cannot_be_written_is_an_internal_error() -> None:
    async def scenario() -> None:
        async with connected() as (_, raw):
            raw.send(
                b'{"jsonrpc":"2.0","id":5,"method":"echo","params":%b1%b}\n'
                % (b"[" * 400, b"]" * 400)
            )
            answer = await raw.read()
            assert (answer["id"], answer["error"]["code"]) == (5, -32603)
            await raw.alive()

    run(scenario())


@pytest.mark.parametrize("size", [70_000, 40_000_000])
def test_a_long_line(size: int) -> None:
    """Case C35."""

    async def scenario() -> None:
        async with connected() as (_, raw):
            text = "x" * size
            raw.send(request(1, text=text))
            answer = await raw.read()
            assert answer["result"]["text"] == text
            await raw.alive()

    run(scenario())


@pytest.mark.parametrize("size", [70_000, 1_000_000])
def test_a_line_over_the_limit_is_one_error_and_the_next_one_is_read(size: int) -> None:
    """Case C35."""

    async def scenario() -> None:
        async with connected(max_line=65_536) as (_, raw):
            raw.send(request(1, text="x" * size), request(2, text="y"))
            refused = await raw.read()
            assert refused["id"] is None
            assert refused["error"]["code"] == -32700
            assert refused["error"]["data"] == {"limit": 65_536}
            assert (await raw.read())["id"] == 2
            await raw.alive()

    run(scenario())


def test_an_unterminated_last_line_is_handled() -> None:
    async def scenario() -> None:
        handler = Recorder()
        async with connected(handler) as (connection, raw):
            raw.send(b'{"jsonrpc":"2.0","method":"first"}\n')
            raw.send(b'{"jsonrpc":"2.0","id":1,"method":"echo","params":{"x":1}}')
            raw.writer.write_eof()
            assert await raw.read() == {"jsonrpc": "2.0", "id": 1, "result": {"x": 1}}
            await connection.run()
            assert await raw.line() == b""
        assert handler.notes == [("first", None)]

    run(scenario())


def test_a_peer_that_dies_in_the_middle_of_a_line() -> None:
    async def scenario() -> None:
        handler = Recorder()
        async with connected(handler) as (connection, raw):
            raw.send(note(), b'{"jsonrpc":"2.0","id":1,"meth')
            await raw.writer.drain()
            await raw.close()
            await connection.run()
        assert handler.notes == [("note", {})]
        assert handler.begun == []

    run(scenario())


def test_bytes_one_by_one() -> None:
    async def scenario() -> None:
        async with connected() as (_, raw):
            for byte in '{"jsonrpc":"2.0","id":1,"method":"echo","params":{"é":"😀"}}\n'.encode():
                raw.send(bytes([byte]))
                await raw.writer.drain()
            assert (await raw.read())["result"] == {"é": "😀"}
            await raw.alive()

    run(scenario())
