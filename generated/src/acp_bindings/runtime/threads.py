# Part of acpgen's runtime, copied as it is. Do not edit.
"""Reading and writing descriptors in threads, for those that the event loop cannot wait for.

The threads are daemons: one that is stuck in a read does not hold the process.
"""

from __future__ import annotations

import asyncio
import os
import queue
import threading
from collections.abc import Callable
from typing import Any

_PIECE = 256 * 1024
_AHEAD = 16
_HELD_BYTES = 256 * 1024


class _Side:
    def __init__(self, descriptor: int, name: str) -> None:
        self._descriptor = descriptor
        self._loop = asyncio.get_running_loop()
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)

    def _work(self) -> None:
        raise NotImplementedError

    def _tell(self, call: Callable[..., None], *arguments: Any) -> bool:
        """Call in the event loop's thread; False once the loop is closed."""
        try:
            self._loop.call_soon_threadsafe(call, *arguments)
        except RuntimeError:
            return False
        return True


class ThreadReader(_Side):
    """Reads in a thread, a few pieces ahead of the event loop."""

    def __init__(self, descriptor: int) -> None:
        super().__init__(descriptor, "acp reader")
        self._ahead = threading.Semaphore(_AHEAD)
        self._closed = False
        self._data: Callable[[bytes], None] = _nothing
        self._end: Callable[[str], None] = _nothing

    def start(self, data: Callable[[bytes], None], end: Callable[[str], None]) -> None:
        self._data, self._end = data, end
        self._thread.start()

    def close(self) -> None:
        self._closed = True
        self._ahead.release()

    def _work(self) -> None:
        reason = "the peer closed its end"
        try:
            while True:
                self._ahead.acquire()
                if self._closed:
                    return
                data = os.read(self._descriptor, _PIECE)
                if not data or not self._tell(self._arrived, data):
                    break
        except OSError as error:
            reason = f"reading failed: {error}"
        finally:
            os.close(self._descriptor)
        self._tell(self._ended, reason)

    def _arrived(self, data: bytes) -> None:
        self._ahead.release()
        if not self._closed:
            self._data(data)

    def _ended(self, reason: str) -> None:
        if not self._closed:
            self._end(reason)


class ThreadWriter(_Side):
    """Writes in a thread, and says when it holds too much."""

    def __init__(self, descriptor: int) -> None:
        super().__init__(descriptor, "acp writer")
        self._queue: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._held = 0
        self._full = False
        self._closed = False
        self._done = self._loop.create_future()
        self._paused: Callable[[bool], None] = _nothing
        self._lost: Callable[[str], None] = _nothing

    def start(self, paused: Callable[[bool], None], lost: Callable[[str], None]) -> None:
        self._paused, self._lost = paused, lost
        self._thread.start()

    def write(self, data: bytes) -> None:
        if self._closed or not data:
            return
        self._held += len(data)
        self._queue.put(data)
        if self._held > _HELD_BYTES and not self._full:
            self._full = True
            self._paused(True)

    async def close(self, patience: float) -> None:
        if not self._closed:
            self._closed = True
            self._queue.put(b"")
        if self._thread.ident is not None:
            await asyncio.wait({self._done}, timeout=patience)

    def _work(self) -> None:
        reason: str | None = None
        try:
            while data := self._queue.get():
                rest = memoryview(data)
                while rest:
                    rest = rest[os.write(self._descriptor, rest) :]
                self._tell(self._written, len(data))
        except OSError as error:
            reason = f"writing failed: {error}"
        finally:
            os.close(self._descriptor)
        self._tell(self._finished, reason)

    def _written(self, size: int) -> None:
        self._held -= size
        if self._full and self._held <= _HELD_BYTES // 4:
            self._full = False
            self._paused(False)

    def _finished(self, reason: str | None) -> None:
        self._closed = True
        if not self._done.done():
            self._done.set_result(None)
        if reason is not None:
            self._lost(reason)


def _nothing(*_arguments: object) -> None:
    pass
