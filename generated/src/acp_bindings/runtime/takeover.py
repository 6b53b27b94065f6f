# Part of acpgen's runtime, copied as it is. Do not edit.
"""Takes the standard streams for the protocol, so that nothing else can write on them.

A program that speaks the protocol on stdio calls `take_stdio` before it imports anything that might
print. From then on `print`, logging to stdout, and child processes write to stderr, and reading
stdin finds it empty.
"""

from __future__ import annotations

import os
import sys

_taken: tuple[int, int] | None = None


def take_stdio() -> tuple[int, int]:
    """File descriptors of the real stdin and stdout, which the caller owns. Taken once; a second
    call returns the same.
    """
    global _taken
    if _taken is None:
        read, write = os.dup(0), os.dup(1)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        # What was captured before, such as a logging handler's stream, goes to stderr as well.
        os.dup2(2, 1)
        sys.stdout = sys.stderr
        if sys.platform == "win32":
            import msvcrt

            for descriptor in (read, write):
                msvcrt.setmode(descriptor, os.O_BINARY)
        _taken = read, write
    return _taken
