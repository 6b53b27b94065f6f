"""Timing whole processes, and Python statements in a fresh one."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_PROBE = """
import json, sys, time
started = time.perf_counter()
exec(sys.argv[1])
elapsed = time.perf_counter() - started
try:
    with open("/proc/self/status") as status:
        peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) / 1024
except OSError:
    import resource
    scale = 1024 * 1024 if sys.platform == "darwin" else 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / scale
print(json.dumps({"seconds": elapsed, "megabytes": peak}))
"""


@dataclass(frozen=True)
class Probe:
    """What running a statement in a new interpreter took: its own time, and the process's peak
    memory.
    """

    seconds: float
    megabytes: float


def probe(statement: str, path: Path | None = None, arguments: Sequence[str] = ()) -> Probe:
    """Run `statement` in a new interpreter, with `path` in front of the module search path."""
    setup = f"import sys; sys.path.insert(0, {str(path)!r})\n" if path else ""
    command = [sys.executable, "-c", setup + _PROBE, statement, *arguments]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return Probe(**json.loads(output.splitlines()[-1]))


def seconds(command: Sequence[str], environment: Mapping[str, str] | None = None) -> float:
    """Wall time of a command. A command that fails raises CalledProcessError with its stderr."""
    started = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    elapsed = time.perf_counter() - started
    if done.returncode:
        print(done.stderr[-2000:], file=sys.stderr)
        done.check_returncode()
    return elapsed
