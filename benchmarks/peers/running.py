"""One run of an agent, or of a client with an agent."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": 1, "clientCapabilities": {}},
}
_PATIENCE = 300.0  # seconds for one run


@dataclass(frozen=True)
class Amount:
    """How much a client asks for: prompts one after another, chunks of one flood, characters of
    one update.
    """

    trips: int = 1000
    chunks: int = 20_000
    characters: int = 10_000_000


@dataclass(frozen=True)
class Started:
    """Milliseconds from the start of the process to the answer of `initialize`; its resident
    memory then, in MB.
    """

    milliseconds: float
    megabytes: float


@dataclass(frozen=True)
class Worked:
    """Round trips and chunks per second, and the milliseconds of the large update."""

    trips: float
    chunks: float
    large: float


def start(command: Sequence[str], environment: Mapping[str, str]) -> Started:
    """Start an agent, and end it when it has answered. RuntimeError if it answers otherwise."""
    line = json.dumps(_INITIALIZE).encode() + b"\n"
    started = time.perf_counter()
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
    ) as process:
        assert process.stdin and process.stdout
        try:
            process.stdin.write(line)
            process.stdin.flush()
            answer = process.stdout.readline()
            elapsed = time.perf_counter() - started
            if b'"result"' not in answer:
                raise RuntimeError(f"{command} answered initialize with {answer!r}")
            megabytes = _resident(process.pid)
            process.communicate(timeout=10)
        finally:
            process.kill()
    return Started(elapsed * 1000, megabytes)


def _resident(pid: int) -> float:
    """Resident memory of a process in MB, with its children: an interpreter on Windows may be the
    child of its launcher.
    """
    psutil: Any = importlib.import_module("psutil")
    process = psutil.Process(pid)
    family = [process, *process.children(recursive=True)]
    return float(sum(member.memory_info().rss for member in family)) / (1 << 20)


def work(
    client: Sequence[str], agent: Sequence[str], environment: Mapping[str, str], amount: Amount
) -> Worked:
    """Run a client with an agent. A client that fails raises CalledProcessError after its stderr
    was shown.
    """
    numbers = (amount.trips, amount.chunks, amount.characters)
    done = subprocess.run(
        [*client, *map(str, numbers), *agent],
        capture_output=True,
        text=True,
        env=environment,
        timeout=_PATIENCE,
    )
    if done.returncode:
        print(done.stderr[-2000:], file=sys.stderr)
        done.check_returncode()
    return Worked(**json.loads(done.stdout.splitlines()[-1]))
