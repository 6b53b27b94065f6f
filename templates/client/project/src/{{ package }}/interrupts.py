"""Ctrl-C: the first one cancels what runs, the second one quits."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from types import FrameType, TracebackType

from .screen import Screen


class Interrupts:
    """Use it in `with`, in the main thread, in a running event loop.

    leave: called with the exit status by the second Ctrl-C, and by SIGTERM.
    """

    def __init__(self, screen: Screen, leave: Callable[[int], None]) -> None:
        self._screen = screen
        self._leave = leave
        self._loop = asyncio.get_running_loop()
        self._pressed = False
        self.cancel: Callable[[], bool] = lambda: False
        """What the first one does; False: there was nothing to cancel."""

    def reset(self) -> None:
        """Something new runs: the next one is a first one."""
        self._pressed = False

    def press(self) -> None:
        """Ctrl-C."""
        if self._pressed:
            self._leave(130)
            return
        self._pressed = True
        self._screen.note("cancelling" if self.cancel() else "nothing runs")
        self._screen.note("Ctrl-C again quits")

    def __enter__(self) -> Interrupts:
        try:
            self._loop.add_signal_handler(signal.SIGINT, self.press)
            self._loop.add_signal_handler(signal.SIGTERM, self._leave, 143)
        except NotImplementedError:  # Windows
            signal.signal(signal.SIGINT, self._from_signal)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            self._loop.remove_signal_handler(signal.SIGINT)
            self._loop.remove_signal_handler(signal.SIGTERM)
        except NotImplementedError:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    def _from_signal(self, number: int, frame: FrameType | None) -> None:
        self._loop.call_soon_threadsafe(self.press)
