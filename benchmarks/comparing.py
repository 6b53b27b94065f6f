"""`acpgen diff` beside loading what it compares: both unstable schemas."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from acpgen import sides
from acpgen.config import load
from acpgen.diff import run
from acpgen.spec.ir import Spec
from benchmarks.measure import Table, interleave, table

LOAD, DIFF = "load both schemas", "diff"
OLD, NEW = "v1-unstable", "v2-unstable"

T = TypeVar("T")


def comparing(root: Path, rounds: int) -> list[Table]:
    """Seconds of this process's own CPU time, so that what else the machine does counts less. Loading reads and builds
    both sides anew in every round, as the command does; the diff is of what that round loaded.
    """
    loaded: list[Spec] = []

    def loading() -> float:
        seconds, specs = _timed(lambda: both(root))
        loaded[:] = specs
        return seconds

    def diffing() -> float:
        old, new = loaded
        seconds, found = _timed(lambda: run.diff(old, new))
        assert found.findings, "two versions differ"
        return seconds

    figures = interleave({LOAD: loading, DIFF: diffing}, rounds)
    return [table(f"diff {OLD} to {NEW}", "s CPU", figures, LOAD, (DIFF, 0.2))]


def both(root: Path) -> tuple[Spec, Spec]:
    """Both unstable surfaces of the packaged schemas, read and built as the command does it."""
    old, new = sides.pair(load(root), OLD, NEW)
    return old.specs[0], new.specs[0]


def _timed(call: Callable[[], T]) -> tuple[float, T]:
    """(seconds of CPU, what the call answers). What came before leaves no garbage to collect within it."""
    gc.collect()
    started = time.process_time()
    found = call()
    return time.process_time() - started, found
