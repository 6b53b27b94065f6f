# Part of acpgen's runtime, copied as it is. Do not edit.
"""The requests that this side has sent and that are not answered yet."""

from __future__ import annotations

import asyncio
import logging
import reprlib
from typing import Any

from .errors import ConnectionClosed, InvalidResponse, RpcError

logger = logging.getLogger(__name__)


class Waiter:
    """One request on its way. origin: what was running when it was sent (see `ordered`)."""

    __slots__ = ("counted", "future", "id", "method", "origin")

    def __init__(self, id_: int, method: str, origin: object) -> None:
        self.id = id_
        self.method = method
        self.origin = origin
        self.counted = False
        self.future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

    def fail(self, error: Exception) -> None:
        """The request has failed; without effect once it is settled or given up."""
        if not self.future.done():
            self.future.set_exception(error)

    def drop(self) -> None:
        """Nobody waits any more."""
        if not self.future.cancel() and not self.future.cancelled():
            self.future.exception()  # or asyncio complains that nobody looked at it

    def settle(self, message: dict[str, Any]) -> None:
        """Take the answer: `result` unless there is an `error`. null beside the other one is
        nothing, as JSON-RPC 1.0 wrote it.
        """
        if self.future.done():
            return
        error = message.get("error")
        if error is None and "result" in message:
            self.future.set_result(message["result"])
        elif error is not None and message.get("result") is None:
            self.future.set_exception(RpcError.of(error))
        else:
            what = "has both result and error" if "result" in message else "has no result"
            problem = ("", what, "invalid_response")
            self.future.set_exception(InvalidResponse([problem], self.method, message))


class Pending:
    """Gives out ids, integers from 0, and finds the waiter of an answer."""

    def __init__(self) -> None:
        self._next = 0
        self._waiters: dict[int, Waiter] = {}

    def open(self, method: str, origin: object) -> Waiter:
        """A new request."""
        waiter = Waiter(self._next, method, origin)
        self._next += 1
        self._waiters[waiter.id] = waiter
        return waiter

    def take(self, message: dict[str, Any]) -> Waiter | None:
        """The waiter of an answer, once; None, and a line in the log, for an answer to nothing."""
        id_ = message.get("id")
        # True and 1.0 equal 1 in Python, not on the wire.
        waiter = self._waiters.pop(id_, None) if type(id_) is int else None
        if waiter is None:
            known = type(id_) is int and 0 <= id_ < self._next
            why = "was answered or given up before" if known else "was never sent"
            error = message.get("error")
            # reprlib, because what a peer nests deeply repr cannot show.
            about = f": {reprlib.repr(error)}" if error is not None else ""
            level = logging.DEBUG if known else logging.WARNING
            id_ = reprlib.repr(id_)
            logger.log(level, "ignored an answer to request %s, which %s%s", id_, why, about)
        return waiter

    def give_up(self, waiter: Waiter) -> bool:
        """Forget a request; False if its answer has come already."""
        return self._waiters.pop(waiter.id, None) is not None

    def fail(self, reason: str) -> None:
        """Fail what is not answered."""
        waiters = list(self._waiters.values())
        self._waiters.clear()
        for waiter in waiters:
            waiter.fail(ConnectionClosed(f"no answer to {waiter.method}: {reason}"))
