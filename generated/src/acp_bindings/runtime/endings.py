# Part of acpgen's runtime, copied as it is. Do not edit.
"""Handlers that `session/cancel` ends, with the answer that the protocol prescribes for it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable
from typing import Any

logger = logging.getLogger(__name__)


class Prompts:
    """Running `session/prompt` handlers, by session. Ending one cancels its task, in which it may
    clean up, or give an answer of its own.
    """

    def __init__(self) -> None:
        self._running: dict[str, set[asyncio.Task[Any]]] = {}
        self._ended: set[asyncio.Task[Any]] = set()

    async def run(self, session_id: str, call: Awaitable[Any], answer: Any) -> Any:
        """Await a handler; where `end` cancelled it, give `answer`."""
        task = asyncio.current_task()
        assert task is not None
        running = self._running.setdefault(session_id, set())
        running.add(task)
        try:
            return await call
        except asyncio.CancelledError:
            if task not in self._ended:
                raise
            uncancel = getattr(task, "uncancel", None)  # from Python 3.11 on
            if uncancel is not None:
                uncancel()
            return answer
        finally:
            self._ended.discard(task)
            running.discard(task)
            if not running and self._running.get(session_id) is running:
                del self._running[session_id]

    def end(self, session_id: str) -> None:
        """Cancel every handler that runs for a session."""
        for task in self._running.get(session_id, set()) - self._ended:
            self._ended.add(task)
            task.cancel()


class Permissions:
    """Running `session/request_permission` handlers, by session. Ending one answers at once: what a
    person decides after that is no approval.
    """

    def __init__(self) -> None:
        self._running: dict[str, set[asyncio.Future[None]]] = {}

    async def run(self, session_id: str, call: Awaitable[Any], answer: Any) -> Any:
        """Await a handler; where `end` came first, cancel it and give `answer`."""
        task = asyncio.ensure_future(call)
        end: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        ends = self._running.setdefault(session_id, set())
        ends.add(end)
        try:
            await asyncio.wait({task, end}, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            task.cancel()
            return await task
        finally:
            ends.discard(end)
            if not ends and self._running.get(session_id) is ends:
                del self._running[session_id]
        if not end.done():
            return task.result()
        task.add_done_callback(_log_failure)
        task.cancel()
        return answer

    def end(self, session_id: str) -> None:
        """End every handler that runs for a session."""
        for end in self._running.get(session_id, ()):
            if not end.done():
                end.set_result(None)


def _log_failure(task: asyncio.Future[Any]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        logger.error("a permission handler failed after its answer", exc_info=error)
