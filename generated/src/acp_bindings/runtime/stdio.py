# Part of acpgen's runtime, copied as it is. Do not edit.
"""Serving on stdin and stdout: the whole life of an agent process."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import sys
import threading
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from types import FrameType
from typing import Any

from .streams import Stream, open_pipes
from .takeover import take_stdio

logger = logging.getLogger(__name__)

Serve = Callable[[Stream], Coroutine[Any, Any, None]]

# Seconds: for tasks that ignore that they were cancelled, for threads that still run when all else
# has ended, and from a signal to the end.
_PATIENCE = 1.0
_THREADS = 2.0
_SIGNAL = 5.0


def run_stdio(serve: Serve, *, threads: bool | None = None) -> None:
    """Serve on stdin and stdout until stdin closes, nobody reads stdout any more, or SIGINT or
    SIGTERM arrives; then return.

    serve: gets the stream, usually to run a Connection on it. It is cancelled by a signal.
    threads: see `streams.open_pipes`.

    stdout and stdin are taken for the protocol (see `takeover`). What a handler leaves running is
    cancelled, and its threads may hold the process for 2 seconds more; after those it is ended.
    """
    read, write = take_stdio()
    loop = asyncio.new_event_loop()
    pool = ThreadPoolExecutor(thread_name_prefix="acp")
    loop.set_default_executor(pool)
    try:
        asyncio.set_event_loop(loop)
        main = loop.create_task(_main(serve, read, write, threads))
        with _signals(loop, main), contextlib.suppress(asyncio.CancelledError):
            loop.run_until_complete(main)
    finally:
        _finish(loop)
        pool.shutdown(wait=False, cancel_futures=True)
        if any(thread.name.startswith("acp_") for thread in threading.enumerate()):
            _end_after(_THREADS, 0)


async def _main(serve: Serve, read: int, write: int, threads: bool | None) -> None:
    stream = await open_pipes(read, write, threads=threads)
    try:
        await serve(stream)
    finally:
        await stream.close()


def _finish(loop: asyncio.AbstractEventLoop) -> None:
    try:
        tasks = asyncio.all_tasks(loop)
        for task in tasks:
            task.cancel()
        if tasks:
            _done, late = loop.run_until_complete(asyncio.wait(tasks, timeout=_PATIENCE))
            for task in late:
                logger.warning("%r ignores that it was cancelled", task)
        loop.run_until_complete(loop.shutdown_asyncgens())
    finally:
        asyncio.set_event_loop(None)
        loop.close()


@contextlib.contextmanager
def _signals(loop: asyncio.AbstractEventLoop, main: asyncio.Task[None]) -> Iterator[None]:
    """The first signal cancels the task; after that, signals do what they did before."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    names = ("SIGINT", "SIGTERM", "SIGBREAK")
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    before: dict[int, Any] = {}

    def restore() -> None:
        while before:
            number, handler = before.popitem()
            signal.signal(number, signal.SIG_DFL if handler is None else handler)

    def stop(number: int, frame: FrameType | None) -> None:
        restore()
        loop.call_soon_threadsafe(main.cancel)
        # A handler that blocks the event loop would never let the task end.
        _end_after(_SIGNAL, 128 + number)

    for number in numbers:
        before[number] = signal.signal(number, stop)
    try:
        yield
    finally:
        restore()


def _end_after(seconds: float, status: int) -> None:
    """End the process, unless it ends by itself before."""

    def end() -> None:
        logger.warning("something still runs; the process ends without it")
        with contextlib.suppress(Exception):
            sys.stderr.flush()
        os._exit(status)

    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()
