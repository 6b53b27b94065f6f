# Part of acpgen's runtime, copied as it is. Do not edit.
"""The requests of the peer: a task each, one answer each."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from .errors import InternalError, RequestCancelled, RpcError
from .links import Link
from .ordered import ORIGIN, SERVED

logger = logging.getLogger(__name__)

Handle = Callable[[str, Any], Awaitable[Any]]


class _Served:
    """One request of the peer that is not answered yet."""

    __slots__ = ("begun", "cancelled", "id", "method", "params", "task")

    def __init__(self, id_: int | str, method: str, params: Any) -> None:
        self.id = id_
        self.method = method
        self.params = params
        self.begun = False
        self.cancelled = False
        self.task: asyncio.Task[None] | None = None


class Serving:
    """Runs the handler for each request and writes its answer.

    cancel_grace: seconds after which a cancelled request is answered for a handler that does not
    end; None waits for the handler.
    """

    def __init__(self, handle: Handle, link: Link, *, cancel_grace: float | None) -> None:
        self._handle = handle
        self._link = link
        self._grace = cancel_grace
        self._served: dict[int | str, _Served] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def open(self, id_: int | str, method: str, params: Any) -> Callable[[], None] | None:
        """A request arrived; what is returned starts it. None if its id is in use."""
        if id_ in self._served:
            return None
        served = self._served[id_] = _Served(id_, method, params)

        def start() -> None:
            if self._served.get(id_) is served:
                task = served.task = asyncio.create_task(self._serve(served))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

        return start

    def cancel(self, id_: object) -> None:
        """The peer cancels a request; one that is unknown or answered is ignored."""
        if type(id_) is not int and type(id_) is not str:
            return
        served = self._served.get(id_)
        if served is None or served.cancelled:
            return
        served.cancelled = True
        if served.task is not None:
            served.task.cancel()
        if not served.begun:
            # A task that is cancelled before its first step never takes one.
            self._fail(served, RequestCancelled())
        elif self._grace is not None:
            loop = asyncio.get_running_loop()
            loop.call_later(self._grace, self._fail, served, RequestCancelled())

    def runs_current_task(self) -> bool:
        """The caller is a handler."""
        return asyncio.current_task() in self._tasks

    async def finish(self, grace: float, patience: float) -> None:
        """Wait for the handlers, for so many seconds; then cancel what still runs, without an
        answer, and wait for that too.
        """
        tasks = self._tasks - {asyncio.current_task()}
        if tasks and grace > 0:
            _done, tasks = await asyncio.wait(tasks, timeout=grace)
        self._served.clear()
        for task in tasks:
            task.cancel()
        if tasks:
            _done, late = await asyncio.wait(tasks, timeout=patience)
            if late:
                logger.warning("%d handlers ignore that they were cancelled", len(late))

    async def _serve(self, served: _Served) -> None:
        served.begun = True
        ORIGIN.set(SERVED)
        try:
            result = await self._handle(served.method, served.params)
        except RpcError as error:
            self._fail(served, error)
        except asyncio.CancelledError:
            self._fail(served, RequestCancelled())
        except (KeyboardInterrupt, SystemExit, GeneratorExit):
            raise
        except BaseException:
            logger.exception("the handler of %s failed", served.method)
            self._fail(served, InternalError())
        else:
            if not self._close(served):
                return
            try:
                self._link.result(served.id, result)
            except (TypeError, ValueError):
                logger.exception("the result of %s is no JSON", served.method)
                self._link.error(served.id, InternalError().to_wire())

    def _fail(self, served: _Served, error: RpcError) -> None:
        if not self._close(served):
            return
        try:
            self._link.error(served.id, error.to_wire())
        except (TypeError, ValueError):
            logger.exception("the data of an error of %s is no JSON", served.method)
            self._link.error(served.id, {"code": error.code, "message": str(error.message)})

    def _close(self, served: _Served) -> bool:
        """Whether the request is still to be answered; after this it is not."""
        if self._served.get(served.id) is not served:
            return False
        del self._served[served.id]
        return True
