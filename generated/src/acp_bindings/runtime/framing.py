# Part of acpgen's runtime, copied as it is. Do not edit.
"""Bytes to lines: where one message ends and the next begins."""

from __future__ import annotations

MAX_LINE = 64 * 1024 * 1024
"""The longest line, in bytes without its newline, that is read where nothing else is said."""


class Lines:
    """Cuts what arrives into lines.

    limit: the longest line in bytes. What is longer is skipped to its newline and reported once, as
    None, so that the lines behind it still arrive. Memory is bounded by the limit.
    """

    __slots__ = ("_length", "_limit", "_parts", "_skipping")

    def __init__(self, limit: int = MAX_LINE) -> None:
        self._limit = limit
        self._parts: list[bytes] = []
        self._length = 0
        self._skipping = False

    def feed(self, data: bytes) -> list[bytes | None]:
        """The lines that end in this piece, without their newline, which is LF; a CR before it is
        left to the parser, to which it is white space. Blank lines are left out.
        """
        pieces = data.split(b"\n")
        rest = pieces.pop()
        lines: list[bytes | None] = []
        for piece in pieces:
            if self._parts or self._skipping:
                self._hold(piece, lines)
                line = self._take()
            elif len(piece) > self._limit:
                lines.append(None)
                continue
            else:
                line = piece
            if line and not line.isspace():
                lines.append(line)
        if rest:
            self._hold(rest, lines)
        return lines

    def end(self) -> bytes | None:
        """What stands after the last newline, at the end of the stream; None if that is nothing."""
        line = self._take()
        return line if line and not line.isspace() else None

    def _hold(self, piece: bytes, lines: list[bytes | None]) -> None:
        if self._skipping:
            return
        self._length += len(piece)
        if self._length > self._limit:
            self._parts.clear()
            self._skipping = True
            lines.append(None)
        else:
            self._parts.append(piece)

    def _take(self) -> bytes | None:
        line = None if self._skipping else b"".join(self._parts)
        self._parts.clear()
        self._length = 0
        self._skipping = False
        return line
