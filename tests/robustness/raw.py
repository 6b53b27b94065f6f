"""A connection under test on one end, a peer that sends raw bytes on the other."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from typing import Any

from acpgen.runtime.connection import Connection
from acpgen.runtime.errors import MethodNotFound
from acpgen.runtime.streams import open_socket

SECONDS = 30.0
READ_LIMIT = 256 * 1024 * 1024

Method = Callable[[Any], Awaitable[Any]]
Hook = Callable[[str, Any], Awaitable[None] | None]


class Recorder:
    """A handler that echoes, fails and waits on demand, and keeps what it was told.

    methods: further requests by name. hook: handles notifications after they were kept.
    """

    def __init__(self, hook: Hook | None = None, **methods: Method) -> None:
        self.notes: list[tuple[str, Any]] = []
        self.begun: list[str] = []
        self.cancelled: list[str] = []
        self._hook = hook
        self._methods = methods

    async def request(self, method: str, params: Any) -> Any:
        self.begun.append(method)
        if method in self._methods:
            return await self._methods[method](params)
        if method == "echo":
            return params
        if method == "fail":
            raise LookupError("a secret of the handler")
        if method == "never":
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                self.cancelled.append(method)
                raise
        raise MethodNotFound(data={"method": method})

    def notify(self, method: str, params: Any) -> Awaitable[None] | None:
        self.notes.append((method, params))
        return None if self._hook is None else self._hook(method, params)


class RawPeer:
    """The other end, as bytes."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self.writer = writer
        self._pings = 0

    def send(self, *messages: object) -> None:
        """JSON values, a line each, or bytes as they are."""
        for message in messages:
            if isinstance(message, bytes):
                self.writer.write(message)
            else:
                self.writer.write(json.dumps(message).encode() + b"\n")

    async def line(self) -> bytes:
        """The next line; b"" at the end."""
        return await asyncio.wait_for(self._reader.readline(), SECONDS)

    async def read(self) -> Any:
        """The next message."""
        line = await self.line()
        assert line, "the connection is closed"
        return json.loads(line)

    async def alive(self) -> None:
        """The connection answers, and has written nothing that was not read before."""
        self._pings += 1
        id_ = f"alive {self._pings}"
        self.send({"jsonrpc": "2.0", "id": id_, "method": "echo", "params": {"ok": self._pings}})
        answer = await self.read()
        assert answer == {"jsonrpc": "2.0", "id": id_, "result": {"ok": self._pings}}

    def hold(self, still: bool = True) -> None:
        """Stop taking bytes from the connection, or go on with it."""
        transport: Any = self.writer.transport
        if still:
            transport.pause_reading()
        else:
            transport.resume_reading()

    async def close(self) -> None:
        self.writer.close()
        with contextlib.suppress(OSError):
            await self.writer.wait_closed()


@contextlib.asynccontextmanager
async def connected(
    handler: Any = None, **options: Any
) -> AsyncIterator[tuple[Connection, RawPeer]]:
    """A connection and its raw peer."""
    ours, theirs = socket.socketpair()
    stream = await open_socket(ours)
    reader, writer = await asyncio.open_connection(sock=theirs, limit=READ_LIMIT)
    raw = RawPeer(reader, writer)
    connection = Connection(stream, handler or Recorder(), **options)
    try:
        async with connection:
            yield connection, raw
    finally:
        await raw.close()


def run(scenario: Coroutine[Any, Any, None]) -> None:
    """Run a scenario to its end, within a bounded time."""
    asyncio.run(asyncio.wait_for(scenario, SECONDS))


def request(id_: object, method: str = "echo", **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id_, "method": method, "params": params}


def note(method: str = "note", **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": method, "params": params}


def cancel(id_: object) -> dict[str, Any]:
    return note("$/cancel_request", requestId=id_)


def result(id_: object, value: object = None) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id_, "result": value}
