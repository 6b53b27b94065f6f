"""How a command ends: every expected error as text and an exit code.

0 fine, 1 drift, conflicts or a match of --fail-on, 2 bad input, 130 interrupted, 141 where nobody
reads the output any more.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import NoReturn

import typer

from acpgen import console
from acpgen.problem import Problem, ProblemError

DRIFT, BAD_INPUT, INTERRUPTED = 1, 2, 130
NO_READER = 141
"""What a shell reports of a command that SIGPIPE ended: neither a finding nor bad input."""


@contextmanager
def handled() -> Iterator[None]:
    """Every expected error as text and an exit code, without a traceback."""
    with suppress(ValueError):  # only the main thread may set it
        signal.signal(signal.SIGTERM, _terminated)
    try:
        try:
            yield
        finally:
            sys.stdout.flush()  # here a reader that is gone can still be told
    except ProblemError as error:
        console.errors(error.problems)
        raise typer.Exit(BAD_INPUT) from None
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        raise typer.Exit(INTERRUPTED) from None
    except BrokenPipeError:
        # The reader of our output went away (`| head`); keep Python from complaining when it
        # flushes.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(NO_READER) from None
    except OSError as error:
        console.errors([Problem(str(error.filename or "acpgen"), error.strerror or str(error))])
        raise typer.Exit(BAD_INPUT) from None


def _terminated(_signal: int, _frame: FrameType | None) -> NoReturn:
    """End like an interrupt, so that a half written output is undone."""
    raise SystemExit(143)
