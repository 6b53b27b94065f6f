# Part of acpgen's runtime, copied as it is. Do not edit.
"""What carries messages: whole JSON-RPC messages, or bytes that are cut into lines."""

from __future__ import annotations

import asyncio
from typing import Any, Protocol, runtime_checkable

from .jsontext import parse, write


@runtime_checkable
class Transport(Protocol):
    """Carries whole messages, as JSON objects (dicts) that are not encoded yet: HTTP, WebSocket.

    Any object with these three methods will do. `send` may take its time, which holds the sender
    back, and may raise where this one message cannot be delivered. `receive` returns None at the
    end; a ValueError from it is a message that cannot be read, anything else ends the connection.
    """

    async def send(self, message: dict[str, Any], /) -> None: ...

    async def receive(self) -> Any: ...

    async def close(self) -> None: ...


class Sink(Protocol):
    """Where a byte stream delivers; called in the event loop's thread."""

    def data(self, data: bytes, /) -> None: ...

    def end(self, reason: str, /) -> None:
        """Nothing more comes, because the other end closed or broke; may be called twice."""

    def paused(self, full: bool, /) -> None:
        """The stream has as much unwritten as it wants to hold (True), or has room again."""


class ByteStream(Protocol):
    """Carries bytes; the connection frames them as lines. See `streams` for those at hand."""

    def start(self, sink: Sink, /) -> None:
        """Deliver to this sink from now on, beginning with what has already come."""

    def write(self, data: bytes, /) -> None:
        """Write, or keep for writing; never blocks. Ignored once the other end is gone."""

    async def close(self) -> None:
        """Write what is kept, within a bounded time, then let go of the stream. Never raises."""


class _MemoryEnd:
    """One end of a pair in memory; messages pass through JSON text, as on any other transport."""

    def __init__(self, incoming: asyncio.Queue[bytes], outgoing: asyncio.Queue[bytes]) -> None:
        self._incoming = incoming
        self._outgoing = outgoing
        self._closed = False

    async def send(self, message: dict[str, Any]) -> None:
        if self._closed:
            raise ConnectionError("this end is closed")
        self._outgoing.put_nowait(write(message))

    async def receive(self) -> Any:
        line = await self._incoming.get()
        return parse(line) if line else None

    async def close(self) -> None:
        if not self._closed:
            self._closed = True
            self._outgoing.put_nowait(b"")
            self._incoming.put_nowait(b"")


def memory_pair() -> tuple[Transport, Transport]:
    """Two ends in this process, for tests: what one sends, the other receives."""
    there: asyncio.Queue[bytes] = asyncio.Queue()
    back: asyncio.Queue[bytes] = asyncio.Queue()
    return _MemoryEnd(there, back), _MemoryEnd(back, there)
