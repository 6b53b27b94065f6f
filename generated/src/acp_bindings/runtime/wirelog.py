# Part of acpgen's runtime, copied as it is. Do not edit.
"""A log of every message on the wire, for debugging. Off by default.

The environment variable ACP_WIRE_LOG turns it on: `stderr` (or `1`), or the path of a file that is
appended to. ACP_WIRE_LOG_LIMIT shortens each message to so many bytes. A line is the UTF-8 text

    2026-01-31T12:00:00.000000Z 4711 -> {"jsonrpc":"2.0",...}

of the time (UTC), the id of the process, `->` for what this side sent and `<-` for what it
received, and the message as it was on the wire.
"""

from __future__ import annotations

import contextlib
import os
import reprlib
import time
from typing import Any

from .jsontext import write

VARIABLE = "ACP_WIRE_LOG"
LIMIT_VARIABLE = "ACP_WIRE_LOG_LIMIT"


class WireLog:
    """Writes to a file descriptor; an error there turns the log off and is never raised.

    target: `stderr`, or the path of a file. limit: bytes of a message that are kept; None: all.
    """

    def __init__(self, target: str | os.PathLike[str] = "stderr", limit: int | None = None) -> None:
        self._limit = limit
        self._file: int | None = None
        try:
            if os.fspath(target) in ("stderr", "1"):
                self._file = os.dup(2)
            else:
                # Appending keeps the lines of several processes apart.
                flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
                self._file = os.open(target, flags, 0o600)
        except (OSError, ValueError) as error:
            _complain(f"the wire log is off: {error}")

    @classmethod
    def from_environment(cls) -> WireLog | None:
        """The log that the environment asks for, or None."""
        target = os.environ.get(VARIABLE)
        if not target or target == "0":
            return None
        limit = os.environ.get(LIMIT_VARIABLE, "")
        return cls(target, int(limit) if limit.isdecimal() else None)

    def sent(self, frame: bytes) -> None:
        """A message that goes out, as JSON text."""
        self._write(b"->", frame)

    def received(self, line: bytes) -> None:
        """A message that came in, as JSON text."""
        self._write(b"<-", line)

    def sent_value(self, message: Any) -> None:
        """A message that goes out, as a JSON value."""
        self._write_value(b"->", message)

    def received_value(self, message: Any) -> None:
        """A message that came in, as a JSON value."""
        self._write_value(b"<-", message)

    def close(self) -> None:
        """Let go of the file."""
        file, self._file = self._file, None
        if file is not None:
            os.close(file)

    def _write_value(self, arrow: bytes, message: Any) -> None:
        if self._file is None:
            return
        try:
            text = write(message)
        except (TypeError, ValueError):
            text = reprlib.repr(message).encode("utf-8", "replace")
        self._write(arrow, text)

    def _write(self, arrow: bytes, text: bytes) -> None:
        if self._file is None:
            return
        text = text.strip()
        if self._limit is not None and len(text) > self._limit:
            text = b"%b... (%d bytes)" % (text[: self._limit], len(text))
        head = f"{_now()} {os.getpid()} ".encode()
        line = b"%b%b %b\n" % (head, arrow, text)
        try:
            while line:
                line = line[os.write(self._file, line) :]
        except OSError as error:
            self.close()
            _complain(f"the wire log is off: {error}")


def _now() -> str:
    seconds, nanoseconds = divmod(time.time_ns(), 1_000_000_000)
    start = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))
    return f"{start}.{nanoseconds // 1000:06d}Z"


def _complain(text: str) -> None:
    with contextlib.suppress(OSError):
        os.write(2, f"{text}\n".encode())
