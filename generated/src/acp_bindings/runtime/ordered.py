# Part of acpgen's runtime, copied as it is. Do not edit.
"""The order in which what arrives takes effect: one queue, one consumer.

- Notifications are handled one after another, in the order of their arrival.
- An answer resumes its waiter after every notification that arrived before it was handled, and
  before any that arrived after it starts.
- A request starts after every notification that arrived before it was handled; from then on it
  runs in a task of its own, and nothing waits for it.

While the notification that is being handled itself awaits an answer from the peer, waiting for it
would never end. Until that answer is there: the answer resumes at once; requests of the peer, which
may be what it needs to answer, start at once; so do the answers that running handlers of the peer's
requests await. Notifications keep their order always.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from typing import Any, Final

from .pending import Waiter

logger = logging.getLogger(__name__)

# Passes of the event loop that a waiter gets to reach the code behind `wait_for` or `gather`
# around its call: one for itself, and two for each task in between.
_HOPS = 8
# Notifications that are handled in a row before the rest of the program has its turn.
_BATCH = 64

SERVED: Final = object()
"""The origin of what a handler of the peer's request sends."""

ORIGIN: ContextVar[object] = ContextVar("acp_origin", default=None)
"""What the running code belongs to: a Hook, SERVED, or None for the program itself."""


class Hook:
    """One notification that is being handled. waiting: how many answers it awaits."""

    __slots__ = ("active", "waiting")

    def __init__(self) -> None:
        self.active = True
        self.waiting = 0


class _Task(asyncio.Task[None]):
    """Knows whether it was cancelled itself, or awaits something that was."""

    asked_to_stop = False

    def cancel(self, msg: Any = None) -> bool:
        self.asked_to_stop = True
        return super().cancel(msg)


Notify = Callable[[str, Any], "Awaitable[None] | None"]
Start = Callable[[], None]


class Ordered:
    """The queue and its consumer. notify: handles one notification; what it returns is awaited."""

    def __init__(self, notify: Notify) -> None:
        self._notify = notify
        self._items: deque[tuple[str, Any]] = deque()
        self._wake: asyncio.Future[None] | None = None
        self._task: _Task | None = None
        self._current: Hook | None = None
        self._idle = True
        self._hops = 0
        self._settled: asyncio.Future[None] | None = None
        self._stopping = False
        self.handled = 0
        """How many items have taken effect: tells progress from standstill."""

    def start(self) -> None:
        """Run the consumer."""
        loop = asyncio.get_running_loop()
        self._task = _Task(self._consume(), loop=loop, name="acp notifications")

    # what arrives

    def note(self, method: str, params: Any) -> None:
        """A notification."""
        if self._idle and not self._hops:
            # Nothing is before it: a hook that is no coroutine needs no other task.
            self._handle_now(method, params)
        else:
            self._put("note", (method, params))

    def answer(self, waiter: Waiter, message: dict[str, Any]) -> None:
        """The answer to one of our requests."""
        if self._idle or self._stopping or self._exempt(waiter):
            self._resume(waiter, message)
        else:
            self._put("answer", (waiter, message))

    def request(self, start: Start) -> None:
        """A request of the peer; `start` creates the task that serves it."""
        if self._idle or self._hook_waits():
            start()
        else:
            self._put("request", start)

    # hooks that wait for the peer

    def waits(self, waiter: Waiter) -> None:
        """A request was sent, and its answer is about to be awaited."""
        if isinstance(waiter.origin, Hook):
            waiter.counted = True
            waiter.origin.waiting += 1
            if waiter.origin is self._current:
                self._release()

    def waited(self, waiter: Waiter) -> None:
        """The answer is there, or given up."""
        if waiter.counted and isinstance(waiter.origin, Hook):
            waiter.counted = False
            waiter.origin.waiting -= 1

    def _hook_waits(self) -> bool:
        return self._current is not None and self._current.waiting > 0

    def _exempt(self, waiter: Waiter) -> bool:
        origin = waiter.origin
        if isinstance(origin, Hook):
            return origin.active
        return origin is SERVED and self._hook_waits()

    def _release(self) -> None:
        """Let what a waiting hook may depend on pass the notifications before it."""
        items, self._items = self._items, deque()
        for kind, item in items:
            if kind == "request":
                item()
            elif kind == "answer" and self._exempt(item[0]):
                self._resume(*item)
            else:
                self._items.append((kind, item))

    # the end

    async def drained(self) -> None:
        """Wait until everything that has arrived took effect."""
        if not self._idle and not self._stopping:
            done = asyncio.get_running_loop().create_future()
            self._put("end", done)
            await done

    def abandon(self) -> None:
        """Drop the notifications that are not handled yet; answers resume."""
        self._stopping = True
        items, self._items = self._items, deque()
        for kind, item in items:
            if kind == "answer":
                self._resume(*item)
            elif kind == "running":
                _discard(item[1])
            elif kind == "end" and not item.done():
                item.set_result(None)

    async def stop(self, patience: float) -> None:
        """Abandon, and cancel the notification that is being handled; waits at most so many
        seconds for it.
        """
        self.abandon()
        task = self._task
        if task is not None and not task.done():
            task.cancel()
            _done, late = await asyncio.wait({task}, timeout=patience)
            if late:
                logger.warning("a notification hook ignores that it was cancelled")

    def runs_current_task(self) -> bool:
        """The caller is a hook."""
        return self._task is not None and asyncio.current_task() is self._task

    # the consumer

    def _put(self, kind: str, item: Any) -> None:
        if self._stopping:
            if kind == "running":
                _discard(item[1])
            return
        self._items.append((kind, item))
        self._idle = False
        if self._wake is not None:
            if not self._wake.done():
                self._wake.set_result(None)
            self._wake = None

    async def _consume(self) -> None:
        loop = asyncio.get_running_loop()
        in_a_row = 0
        while not self._stopping:
            while self._items:
                kind, item = self._items.popleft()
                if kind == "note" or kind == "running":
                    if self._hops:
                        self._settled = loop.create_future()
                        await self._settled
                    if kind == "note":
                        await self._handle(*item)
                    else:
                        await self._finish(*item)
                    in_a_row += 1
                    if in_a_row >= _BATCH:
                        in_a_row = 0
                        await asyncio.sleep(0)
                elif kind == "answer":
                    self._resume(*item)
                elif kind == "request":
                    item()
                elif not item.done():
                    item.set_result(None)
                self.handled += 1
            self._idle = True
            self._wake = loop.create_future()
            in_a_row = 0
            await self._wake

    def _resume(self, waiter: Waiter, message: dict[str, Any]) -> None:
        waiter.settle(message)
        self.waited(waiter)
        if not self._hops:
            asyncio.get_running_loop().call_soon(self._hop)
        self._hops = _HOPS

    def _hop(self) -> None:
        """Count the passes of the event loop since the last answer."""
        self._hops -= 1
        if self._hops:
            asyncio.get_running_loop().call_soon(self._hop)
        elif self._settled is not None:
            if not self._settled.done():
                self._settled.set_result(None)
            self._settled = None

    def _handle_now(self, method: str, params: Any) -> None:
        hook = Hook()
        token = ORIGIN.set(hook)
        try:
            awaitable = self._notify(method, params)
        except Exception:
            _log_failure(method)
        else:
            if awaitable is not None:
                self._put("running", (hook, awaitable, method))
                return
        finally:
            ORIGIN.reset(token)
        hook.active = False

    async def _handle(self, method: str, params: Any) -> None:
        hook = Hook()
        ORIGIN.set(hook)
        try:
            awaitable = self._notify(method, params)
        except Exception:
            _log_failure(method)
            hook.active = False
        else:
            if awaitable is None:
                hook.active = False
            else:
                await self._finish(hook, awaitable, method)

    async def _finish(self, hook: Hook, awaitable: Awaitable[None], method: str) -> None:
        ORIGIN.set(hook)
        self._current = hook
        if hook.waiting:
            self._release()
        try:
            await awaitable
        except asyncio.CancelledError:
            # A hook may be cancelled by what it awaits; the consumer goes on unless it is meant.
            if self._task is None or self._task.asked_to_stop:
                raise
            logger.warning("the hook of notification %s was cancelled", method)
        except Exception:
            _log_failure(method)
        finally:
            hook.active = False
            self._current = None


def _log_failure(method: str) -> None:
    logger.exception("the hook of notification %s failed", method)


def _discard(awaitable: object) -> None:
    """A coroutine that never ran is closed, a task is cancelled."""
    for name in ("close", "cancel"):
        end = getattr(awaitable, name, None)
        if callable(end):
            end()
            return
