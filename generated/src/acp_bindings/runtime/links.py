# Part of acpgen's runtime, copied as it is. Do not edit.
"""One end of a connection as messages: encodes and writes them, reads and decodes them.

A link knows JSON-RPC's envelopes, not their order or meaning. Writing never blocks: what is written
is joined and handed on in one piece. Whoever writes much awaits `drain`, which waits only while the
transport holds back.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from pydantic_core import from_json

from .base import encode
from .errors import ParseError, RpcError
from .framing import MAX_LINE, Lines
from .jsontext import parse, write
from .transport import ByteStream, Transport
from .wirelog import WireLog

logger = logging.getLogger(__name__)

FLUSH_AT = 64 * 1024
HELD_MESSAGES = 256
FAILURES = 100

Failed = Callable[[Exception], None]


class Receiver(Protocol):
    """Where a link delivers."""

    def received(self, message: Any, /) -> None:
        """A JSON value, which may be anything but should be a message."""

    def unreadable(self, reason: str, error: RpcError, /) -> None:
        """A line that is no JSON, or too long; error: what to answer."""

    def ended(self, reason: str, /) -> None:
        """Nothing more comes; may be called more than once."""


class Link(Protocol):
    """See the module. The four senders encode at once, so that a value that cannot be encoded
    raises (ValueError, TypeError) and nothing is written.
    """

    def start(self, receiver: Receiver, /) -> None: ...

    def request(self, id_: int, method: str, params: Any, failed: Failed, /) -> None: ...

    def notification(self, method: str, params: Any, /) -> None: ...

    def result(self, id_: Any, value: Any, /) -> None: ...

    def error(self, id_: Any, error: dict[str, Any], /) -> None: ...

    async def drain(self) -> None: ...

    async def close(self) -> None: ...


class StreamLink:
    """Lines on a byte stream: one message, one LF. The reader takes CRLF and blank lines too."""

    def __init__(self, stream: ByteStream, *, limit: int = MAX_LINE, log: WireLog | None) -> None:
        self._stream = stream
        self._lines = Lines(limit)
        self._limit = limit
        self._log = log
        self._loop = asyncio.get_running_loop()
        self._receiver: Receiver | None = None
        self._kept: list[bytes] = []
        self._size = 0
        self._room: asyncio.Future[None] | None = None
        self._breathe = False

    def start(self, receiver: Receiver) -> None:
        self._receiver = receiver
        self._stream.start(self)

    # reading

    def data(self, data: bytes) -> None:
        """Called by the stream."""
        for line in self._lines.feed(data):
            self._line(line)

    def end(self, reason: str) -> None:
        """Called by the stream. A last line without newline counts."""
        rest = self._lines.end()
        if rest is not None:
            self._line(rest)
        self.paused(False)
        if self._receiver is not None:
            self._receiver.ended(reason)

    def _line(self, line: bytes | None) -> None:
        receiver = self._receiver
        if receiver is None:
            return
        if line is None:
            reason = f"a line is longer than {self._limit} bytes"
            receiver.unreadable(reason, ParseError("Message too long", {"limit": self._limit}))
            return
        if self._log is not None:
            self._log.received(line)
        try:
            message = from_json(line, allow_inf_nan=False, cache_strings="keys")
        except ValueError:
            try:
                message = parse(line)
            except ValueError as error:
                receiver.unreadable(f"not JSON ({error}): {line[:200]!r}", ParseError())
                return
        receiver.received(message)

    # writing

    def request(self, id_: int, method: str, params: Any, failed: Failed) -> None:
        start = b'{"jsonrpc":"2.0","id":%d,"method":%b' % (id_, write(method))
        self._write(start + _params(params))

    def notification(self, method: str, params: Any) -> None:
        self._write(b'{"jsonrpc":"2.0","method":' + write(method) + _params(params))

    def result(self, id_: Any, value: Any) -> None:
        self._write(b'{"jsonrpc":"2.0","id":%b,"result":%b}\n' % (write(id_), write(value)))

    def error(self, id_: Any, error: dict[str, Any]) -> None:
        self._write(b'{"jsonrpc":"2.0","id":%b,"error":%b}\n' % (write(id_), write(error)))

    def _write(self, frame: bytes) -> None:
        if self._log is not None:
            self._log.sent(frame)
        if not self._kept:
            self._loop.call_soon(self._flush)
        self._kept.append(frame)
        self._size += len(frame)
        if self._size >= FLUSH_AT:
            self._flush()
            # Someone who writes without end lets the rest of the program run now and then.
            self._breathe = True

    def _flush(self) -> None:
        if self._kept:
            joined = b"".join(self._kept)
            self._kept.clear()
            self._size = 0
            self._stream.write(joined)

    def paused(self, full: bool) -> None:
        """Called by the stream."""
        if full and self._room is None:
            self._room = self._loop.create_future()
        elif not full and self._room is not None:
            self._room.set_result(None)
            self._room = None

    async def drain(self) -> None:
        if self._breathe:
            self._breathe = False
            await asyncio.sleep(0)
        while self._room is not None:
            await asyncio.shield(self._room)

    async def close(self) -> None:
        self._flush()
        await self._stream.close()
        self.paused(False)


def _params(params: Any) -> bytes:
    return b"}\n" if params is None else b',"params":%b}\n' % write(params)


class MessageLink:
    """Whole messages on a transport; one sender and one receiver at a time."""

    def __init__(self, transport: Transport, *, log: WireLog | None) -> None:
        self._transport = transport
        self._log = log
        self._outgoing: asyncio.Queue[tuple[dict[str, Any], Failed | None]] = asyncio.Queue()
        self._tasks: list[asyncio.Task[None]] = []
        self._room = asyncio.Event()
        self._room.set()

    def start(self, receiver: Receiver) -> None:
        self._tasks = [
            asyncio.create_task(self._send(), name="acp send"),
            asyncio.create_task(self._receive(receiver), name="acp receive"),
        ]

    def request(self, id_: int, method: str, params: Any, failed: Failed) -> None:
        message = {"jsonrpc": "2.0", "id": id_, "method": method}
        self._put(_with_params(message, params), failed)

    def notification(self, method: str, params: Any) -> None:
        self._put(_with_params({"jsonrpc": "2.0", "method": method}, params))

    def result(self, id_: Any, value: Any) -> None:
        self._put({"jsonrpc": "2.0", "id": id_, "result": encode(value)})

    def error(self, id_: Any, error: dict[str, Any]) -> None:
        self._put({"jsonrpc": "2.0", "id": id_, "error": encode(error)})

    def _put(self, message: dict[str, Any], failed: Failed | None = None) -> None:
        self._outgoing.put_nowait((message, failed))
        if self._outgoing.qsize() >= HELD_MESSAGES:
            self._room.clear()

    async def _send(self) -> None:
        while True:
            message, failed = await self._outgoing.get()
            if self._log is not None:
                self._log.sent_value(message)
            try:
                await self._transport.send(message)
            except Exception as error:
                logger.warning("a message could not be sent: %s", error)
                if failed is not None:
                    failed(error)
            finally:
                self._outgoing.task_done()
            if self._outgoing.qsize() < HELD_MESSAGES:
                self._room.set()

    async def _receive(self, receiver: Receiver) -> None:
        failures = 0
        while True:
            try:
                message = await self._transport.receive()
            except ValueError as error:
                failures += 1
                receiver.unreadable(f"a message is not JSON: {error}", ParseError())
                if failures < FAILURES:
                    continue
                receiver.ended(f"{FAILURES} messages in a row could not be read")
                return
            except Exception as error:
                receiver.ended(f"the transport failed: {error!r}")
                return
            if message is None:
                receiver.ended("the peer closed its end")
                return
            failures = 0
            if self._log is not None:
                self._log.received_value(message)
            receiver.received(message)

    async def drain(self) -> None:
        await self._room.wait()

    async def close(self) -> None:
        if self._tasks and not self._tasks[0].done():
            await _bounded(self._outgoing.join())
        for task in self._tasks:
            task.cancel()
        await _bounded(self._transport.close())
        self._room.set()


def _with_params(message: dict[str, Any], params: Any) -> dict[str, Any]:
    if params is not None:
        message["params"] = encode(params)
    return message


async def _bounded(awaitable: Awaitable[None], seconds: float = 2.0) -> None:
    try:
        await asyncio.wait_for(awaitable, seconds)
    except asyncio.TimeoutError:
        pass
    except Exception as error:
        logger.debug("while closing: %r", error)
