"""Byte streams on pipes and sockets, read and written by the event loop where it can, else by
threads.
"""

from __future__ import annotations

import asyncio
import os
import socket
import stat
import sys
from collections.abc import Callable
from typing import Any, Protocol, cast

from .threads import ThreadReader, ThreadWriter
from .transport import Sink

HELD_BYTES = 256 * 1024
PIPE_SIZE = 64 * 1024
CLOSED = "the peer closed its end"
_PATIENCE = 2.0


class Reader(Protocol):
    """The side that bytes come from."""

    def start(self, data: Callable[[bytes], None], end: Callable[[str], None], /) -> None: ...

    def close(self) -> None: ...


class Writer(Protocol):
    """The side that bytes go to. Whoever writes is told when to hold back, and when it is lost."""

    def start(self, paused: Callable[[bool], None], lost: Callable[[str], None], /) -> None: ...

    def write(self, data: bytes, /) -> None: ...

    async def close(self, patience: float, /) -> None: ...


class Stream:
    """A ByteStream (see `transport`) of a reader and a writer."""

    def __init__(self, reader: Reader, writer: Writer) -> None:
        self._reader = reader
        self._writer = writer

    def start(self, sink: Sink) -> None:
        # The writer first: what is read may be answered at once.
        self._writer.start(sink.paused, sink.end)
        self._reader.start(sink.data, sink.end)

    def write(self, data: bytes) -> None:
        self._writer.write(data)

    async def close(self) -> None:
        await self._writer.close(_PATIENCE)
        self._reader.close()


class LoopReader(asyncio.Protocol):
    """Reads with the event loop. What comes before it is started is kept."""

    def __init__(self) -> None:
        self._transport: asyncio.ReadTransport | None = None
        self._data: Callable[[bytes], None] | None = None
        self._end: Callable[[str], None] | None = None
        self._early: list[bytes] = []
        self._ended: str | None = None

    def start(self, data: Callable[[bytes], None], end: Callable[[str], None]) -> None:
        self._data, self._end = data, end
        early, self._early = self._early, []
        for piece in early:
            data(piece)
        if self._ended is not None:
            end(self._ended)

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.ReadTransport, transport)
        # A pipe holds no more at once, and asyncio's own buffer of 256 KiB is mapped anew by the
        # allocator for every read.
        pipe: Any = transport
        if hasattr(pipe, "max_size"):
            pipe.max_size = PIPE_SIZE

    def data_received(self, data: bytes) -> None:
        if self._data is None:
            self._early.append(data)
        else:
            self._data(data)

    def eof_received(self) -> bool:
        self._finish(CLOSED)
        return True  # a socket may still be written to

    def connection_lost(self, exc: Exception | None) -> None:
        self._finish(CLOSED if exc is None else f"reading failed: {exc}")

    def _finish(self, reason: str) -> None:
        if self._ended is None:
            self._ended = reason
            if self._end is not None:
                self._end(reason)


class LoopWriter(asyncio.BaseProtocol):
    """Writes with the event loop."""

    def __init__(self) -> None:
        self._transport: asyncio.WriteTransport | None = None
        self._paused: Callable[[bool], None] | None = None
        self._lost: Callable[[str], None] | None = None
        self._gone = asyncio.get_running_loop().create_future()

    def start(self, paused: Callable[[bool], None], lost: Callable[[str], None]) -> None:
        self._paused, self._lost = paused, lost
        if self._gone.done():
            lost(self._gone.result())

    def write(self, data: bytes) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(data)

    async def close(self, patience: float) -> None:
        if self._transport is None:
            return
        self._transport.close()  # after what it holds is written
        await asyncio.wait({self._gone}, timeout=patience)
        if not self._gone.done():
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.WriteTransport, transport)
        self._transport.set_write_buffer_limits(high=HELD_BYTES)

    def connection_lost(self, exc: Exception | None) -> None:
        if not self._gone.done():
            reason = CLOSED if exc is None else f"writing failed: {exc}"
            self._gone.set_result(reason)
            if self._lost is not None:
                self._lost(reason)

    def pause_writing(self) -> None:
        if self._paused is not None:
            self._paused(True)

    def resume_writing(self) -> None:
        if self._paused is not None:
            self._paused(False)


class _SocketProtocol(asyncio.Protocol):
    """One transport for both directions."""

    def __init__(self) -> None:
        self.reader = LoopReader()
        self.writer = LoopWriter()
        self.data_received = self.reader.data_received  # type: ignore[method-assign]
        self.eof_received = self.reader.eof_received  # type: ignore[method-assign]
        self.pause_writing = self.writer.pause_writing  # type: ignore[method-assign]
        self.resume_writing = self.writer.resume_writing  # type: ignore[method-assign]

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.writer.connection_made(transport)
        self.reader.connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self.reader.connection_lost(exc)
        self.writer.connection_lost(exc)


async def open_socket(connected: socket.socket) -> Stream:
    """A stream on a connected stream socket, which it owns from now on."""
    connected.setblocking(False)
    loop = asyncio.get_running_loop()
    _, protocol = await loop.create_connection(_SocketProtocol, sock=connected)
    return Stream(protocol.reader, protocol.writer)


async def socket_pair() -> tuple[Stream, Stream]:
    """Two connected streams in this process, for tests."""
    one, other = socket.socketpair()
    return await open_socket(one), await open_socket(other)


async def open_pipes(read: int, write: int, *, threads: bool | None = None) -> Stream:
    """A stream on two file descriptors, which it owns from now on.

    threads: whether threads read and write. None: where the event loop cannot wait for a
    descriptor, which is so for files, terminals and devices, and for everything on Windows.
    """
    shared = _same(read, write)
    writer: Writer
    if threads or (threads is None and (shared or not _waitable(write))):
        writer = ThreadWriter(write)
    else:
        writer = await _loop_writer(write)
    if threads or (threads is None and not _waitable(read)):
        return Stream(ThreadReader(read), writer)
    reader = LoopReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: reader, os.fdopen(read, "rb", buffering=0))
    return Stream(reader, writer)


async def _loop_writer(descriptor: int) -> LoopWriter:
    loop = asyncio.get_running_loop()
    writer = LoopWriter()
    await loop.connect_write_pipe(lambda: writer, os.fdopen(descriptor, "wb", buffering=0))
    return writer


def _waitable(descriptor: int) -> bool:
    mode = os.fstat(descriptor).st_mode
    waitable = stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)
    return waitable and sys.platform != "win32"


def _same(read: int, write: int) -> bool:
    """One socket for both directions: the event loop would take what it reads for its end."""
    one, other = os.fstat(read), os.fstat(write)
    return (one.st_dev, one.st_ino) == (other.st_dev, other.st_ino) and stat.S_ISSOCK(one.st_mode)
