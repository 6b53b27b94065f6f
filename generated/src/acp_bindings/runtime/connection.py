# Part of acpgen's runtime, copied as it is. Do not edit.
"""A JSON-RPC 2.0 connection between two peers, each of which may call the other.

Nothing that the peer sends ends a connection. What is no message is answered as JSON-RPC says (by a
client: not at all where it is no JSON, because agents print), what is an answer to nothing is
logged. How what arrives is ordered stands in `ordered`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Any, Literal, Protocol, TypeVar, overload

from .errors import (
    ConnectionClosed,
    DecodeError,
    InvalidRequest,
    InvalidResponse,
    RpcError,
)
from .framing import MAX_LINE
from .links import Link, MessageLink, StreamLink
from .ordered import ORIGIN, Ordered
from .pending import Pending
from .serving import Serving
from .transport import ByteStream, Transport
from .wirelog import WireLog

logger = logging.getLogger(__name__)

T = TypeVar("T")

CANCEL = "$/cancel_request"

# Seconds. What has arrived is handled to its end as long as each step takes no longer than this.
_STANDSTILL = 1.0
# For handlers, when the peer has closed: those that are about to answer may.
_GRACE = 0.1
# For what ignores that it was cancelled.
_PATIENCE = 1.0


class Handler(Protocol):
    """What the peer's messages are handed to.

    params: as they came, which should be an object but may be any JSON value; None where there are
    none.
    """

    def request(self, method: str, params: Any, /) -> Awaitable[Any]:
        """Handle a request, in a task of its own. The result is a JSON value or a model; an
        RpcError is answered as it is, any other exception as -32603. Cancelled when the peer
        cancels the request or is gone.
        """
        ...

    def notify(self, method: str, params: Any, /) -> Awaitable[None] | None:
        """Handle a notification. What is returned is awaited before the next one is handled, and
        None means that it is handled already. Exceptions are logged.
        """
        ...


class Connection:
    """One end of a connection. Must be created, and used, in a running event loop.

    transport: messages (`Transport`) or bytes (`ByteStream`).
    role: what this end is.
    max_line: the longest message that is read from a byte stream, in bytes.
    cancel_grace: seconds until a request that the peer cancelled is answered without its handler;
      None: never.
    wire_log: None: the one that the environment asks for (see `wirelog`).
    """

    def __init__(
        self,
        transport: Transport | ByteStream,
        handler: Handler,
        *,
        role: Literal["agent", "client"] = "agent",
        max_line: int = MAX_LINE,
        cancel_grace: float | None = 10.0,
        wire_log: WireLog | None = None,
    ) -> None:
        self._own_log = WireLog.from_environment() if wire_log is None else None
        self._link = _link(transport, max_line, wire_log or self._own_log)
        self.role = role
        self._pending = Pending()
        self._ordered = Ordered(handler.notify)
        self._serving = Serving(handler.request, self._link, cancel_grace=cancel_grace)
        self._started = False
        self._reason: str | None = None
        self._gone = asyncio.Event()
        self._closing: asyncio.Task[None] | None = None

    # calling the peer

    @overload
    async def request(self, method: str, params: Any = None) -> Any: ...
    @overload
    async def request(
        self, method: str, params: Any = None, *, decode: Callable[[Any], T]
    ) -> T: ...
    async def request(
        self, method: str, params: Any = None, *, decode: Callable[[Any], Any] | None = None
    ) -> Any:
        """Call the peer and wait for its answer: a JSON value, or what `decode` makes of it.

        params: a JSON value or a model, encoded before this returns to the event loop; None: none.
        If the task is cancelled meanwhile, the peer is told so with `$/cancel_request`.
        Raises the RpcError that the peer answers with, ConnectionClosed, InvalidResponse for an
        answer that is none and where `decode` raises DecodeError.
        """
        self.start()
        if self._reason is not None:
            raise ConnectionClosed(f"{method} was not sent: {self._reason}")
        waiter = self._pending.open(method, ORIGIN.get())
        self._ordered.waits(waiter)
        try:
            self._link.request(waiter.id, method, params, waiter.fail)
            await self._link.drain()
            result = await waiter.future
        except asyncio.CancelledError:
            if self._pending.give_up(waiter) and self._reason is None:
                self._link.notification(CANCEL, {"requestId": waiter.id})
            raise
        finally:
            self._ordered.waited(waiter)
            self._pending.give_up(waiter)
            waiter.drop()
        if decode is None:
            return result
        try:
            return decode(result)
        except DecodeError as error:
            raise InvalidResponse(error.problems, method, result) from None

    async def notify(self, method: str, params: Any = None) -> None:
        """Tell the peer. Returns when the message is on its way, which takes time only while the
        peer does not read. Raises ConnectionClosed.
        """
        self.start()
        if self._gone.is_set():
            raise ConnectionClosed(f"{method} was not sent: {self._reason}")
        self._link.notification(method, params)
        await self._link.drain()

    # from beginning to end

    def start(self) -> None:
        """Begin to read, unless that has begun; `run`, `request` and `notify` do so themselves."""
        if not self._started:
            self._started = True
            self._ordered.start()
            self._link.start(self)

    async def run(self) -> None:
        """Serve until the peer or `close` closes the connection; closes it when cancelled."""
        self.start()
        try:
            await self._gone.wait()
        except asyncio.CancelledError:
            await self.close()
            raise

    async def close(self, reason: str = "this end closed the connection") -> None:
        """Close: pending requests fail, handlers are cancelled, what is written goes out.

        Takes a bounded time. From inside a handler or a hook it only begins to.
        """
        self._end(reason, patiently=False)
        self._ordered.abandon()
        if self._closing is not None and not self._serves_current_task():
            await asyncio.shield(self._closing)

    @property
    def closed(self) -> bool:
        """Nothing can be called any more, and nothing is answered."""
        return self._reason is not None

    @property
    def reason(self) -> str | None:
        """Why the connection is closed; None while it is open."""
        return self._reason

    async def __aenter__(self) -> Connection:
        self.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    def _serves_current_task(self) -> bool:
        return self._serving.runs_current_task() or self._ordered.runs_current_task()

    def _end(self, reason: str, *, patiently: bool) -> None:
        if self._reason is None:
            self._reason = reason
            self._pending.fail(reason)
            finish = self._finish(patiently)
            self._closing = asyncio.create_task(finish, name="acp close")

    async def _finish(self, patiently: bool) -> None:
        try:
            if patiently:
                await self._catch_up()
            await self._ordered.stop(_PATIENCE)
            await self._serving.finish(_GRACE if patiently else 0.0, _PATIENCE)
            await self._link.close()
        finally:
            self._gone.set()
            if self._own_log is not None:
                self._own_log.close()

    async def _catch_up(self) -> None:
        """Let everything that has arrived take effect, as long as that makes progress."""
        drained = asyncio.create_task(self._ordered.drained())
        done: set[asyncio.Task[None]] = set()
        before = -1
        while not done and before != self._ordered.handled:
            before = self._ordered.handled
            done, _ = await asyncio.wait({drained}, timeout=_STANDSTILL)
        drained.cancel()

    # what the link delivers

    def received(self, message: Any) -> None:
        """Called by the link for every message."""
        if self._reason is not None:
            return
        if not isinstance(message, dict):
            what = "a batch" if isinstance(message, list) else "no object"
            self._refuse(f"{what}, where a message is expected")
            return
        if "method" not in message:
            if "id" in message or "result" in message or "error" in message:
                waiter = self._pending.take(message)
                if waiter is not None:
                    self._ordered.answer(waiter, message)
            else:
                self._refuse("neither method nor result nor error")
            return
        method = message["method"]
        fault = _fault(message, method)
        if fault is not None:
            self._refuse(fault)
        elif "id" not in message:
            if method == CANCEL:
                self._cancel(message.get("params"))
            else:
                self._ordered.note(method, message.get("params"))
        else:
            start = self._serving.open(message["id"], method, message.get("params"))
            if start is None:
                self._refuse(f"id {message['id']!r:.80} is that of a request that still runs")
            else:
                self._ordered.request(start)

    def unreadable(self, reason: str, error: RpcError) -> None:
        """Called by the link for what is no message."""
        logger.warning("%s", reason)
        if self.role == "agent" and self._reason is None:
            self._link.error(None, error.to_wire())

    def ended(self, reason: str) -> None:
        """Called by the link at the end of the stream."""
        self._end(reason, patiently=True)

    def _refuse(self, reason: str) -> None:
        logger.warning("refused a message: %s", reason)
        self._link.error(None, InvalidRequest(data=reason).to_wire())

    def _cancel(self, params: Any) -> None:
        if isinstance(params, dict) and "requestId" in params:
            self._serving.cancel(params["requestId"])
        else:
            logger.warning("ignored %s without requestId", CANCEL)


def _fault(message: dict[str, Any], method: object) -> str | None:
    """What is wrong with the envelope of a request or notification."""
    if not isinstance(method, str):
        return "method is no string"
    if message.get("jsonrpc") != "2.0":
        return 'jsonrpc is not "2.0"'
    if "result" in message or "error" in message:
        return "method together with result or error"
    # JSON's true and 1.0 are no integers, though Python has them equal to 1.
    if "id" in message and type(message["id"]) is not int and type(message["id"]) is not str:
        return "id is neither a string nor an integer"
    return None


def _link(transport: Transport | ByteStream, max_line: int, log: WireLog | None) -> Link:
    if isinstance(transport, Transport):
        return MessageLink(transport, log=log)
    return StreamLink(transport, limit=max_line, log=log)
