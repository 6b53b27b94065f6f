"""Lines from the user: prompts and commands, and the answers to questions.

One thread reads stdin; a question gets the next line before anything else does.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections import deque
from collections.abc import Callable

_PIECE = 65536


class Keyboard:
    """Reads lines of a file descriptor. interactive: a person types, so that a line that was typed
    before a question is no answer to it. Must be created in a running event loop.
    """

    def __init__(self, descriptor: int = 0, *, interactive: bool | None = None) -> None:
        self._descriptor = descriptor
        self.interactive = os.isatty(descriptor) if interactive is None else interactive
        self._loop = asyncio.get_running_loop()
        self._lines: deque[str] = deque()
        self._ended = False
        self._started = False
        self._questions: list[asyncio.Future[str | None]] = []
        self._reader: asyncio.Future[str | None] | None = None
        self.urgent: Callable[[str], bool] | None = None
        """Given a typed line that answers no question; True: it was taken."""

    async def line(self) -> str | None:
        """The next line, without its end; None at the end of the input."""
        self._start()
        if self._lines:
            return self._lines.popleft()
        if self._ended:
            return None
        self._reader = self._loop.create_future()
        try:
            return await self._reader
        finally:
            self._reader = None

    async def answer(self) -> str | None:
        """The answer to a question; None at the end of the input."""
        self._start()
        if self._lines and not self.interactive:
            return self._lines.popleft()
        if self._ended:
            return None
        question: asyncio.Future[str | None] = self._loop.create_future()
        self._questions.append(question)
        try:
            return await question
        finally:
            self._questions.remove(question)

    def dismiss(self) -> bool:
        """Answer every open question with the end of the input; False if there is none."""
        waiting = [question for question in self._questions if not question.done()]
        for question in waiting:
            question.set_result(None)
        return bool(waiting)

    def _start(self) -> None:
        if not self._started:
            self._started = True
            # A daemon: a read that never returns must not keep the program from ending. It reads
            # the descriptor, because a file object would be locked when the interpreter ends.
            threading.Thread(target=self._read, name="keyboard", daemon=True).start()

    def _read(self) -> None:
        rest = b""
        while True:
            try:
                piece = os.read(self._descriptor, _PIECE)
            except OSError:
                piece = b""
            *lines, rest = (rest + piece).split(b"\n")
            if not piece and rest:
                lines.append(rest)
            try:
                for line in lines:
                    text = line.decode("utf-8", "replace").rstrip("\r")
                    self._loop.call_soon_threadsafe(self._take, text)
                if not piece:
                    self._loop.call_soon_threadsafe(self._take, None)
                    return
            except RuntimeError:  # the loop is closed
                return

    def _take(self, line: str | None) -> None:
        if line is None:
            self._ended = True
            self.dismiss()
            if self._reader is not None and not self._reader.done():
                self._reader.set_result(None)
            return
        for question in reversed(self._questions):
            if not question.done():
                question.set_result(line)
                return
        if self.interactive and self.urgent is not None and self.urgent(line):
            return
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(line)
        else:
            self._lines.append(line)
