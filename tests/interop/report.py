"""Checks and their output: one JSON line each, and a summary as the last one."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable
from typing import Any

from acp_bindings.runtime.errors import RpcError

TIMEOUT = float(os.environ.get("CHECK_TIMEOUT_MS", "15000")) / 1000

# What a check gives: nothing (it passed), whether it passed, or that and a detail. Instead of a
# bool, "pass", "fail" or "skip".
Outcome = Any
Check = Callable[[], Awaitable[Outcome]]


class Report:
    """Counts checks and writes their lines."""

    def __init__(self) -> None:
        self.counts = {"pass": 0, "fail": 0, "skip": 0}

    def record(self, check: str, status: bool | str, detail: object = None) -> None:
        if isinstance(status, bool):
            status = "pass" if status else "fail"
        self.counts[status] += 1
        self._line(check=check, status=status, **{"pass": status == "pass"}, detail=detail)

    async def step(self, check: str, run: Check) -> None:
        """Make a check; what it raises is a failure."""
        try:
            found = await asyncio.wait_for(run(), TIMEOUT)
        except RpcError as error:
            detail = {"code": error.code, "message": str(error)[:300], "data": error.data}
            self.record(check, False, detail)
        except Exception as error:
            self.record(check, False, f"{type(error).__name__}: {str(error)[:300]}")
        else:
            status, detail = found if isinstance(found, tuple) else (found, None)
            self.record(check, True if status is None else status, detail)

    async def refused(self, call: Awaitable[Any], *codes: int) -> Outcome:
        """The call is answered with an error of one of these codes."""
        try:
            answer = await call
        except RpcError as error:
            return error.code in codes, {"code": error.code, "data": error.data}
        return False, f"answered {answer!r}"[:200]

    def summary(self, peer: str) -> int:
        """Write the summary; the exit status."""
        self._line(summary=True, **self.counts, peer=peer)
        return 1 if self.counts["fail"] else 0

    @staticmethod
    def _line(**values: object) -> None:
        sys.stdout.write(json.dumps(values, default=str) + "\n")
        sys.stdout.flush()


def stderr() -> Callable[[str], None] | None:
    """What becomes of the agent's stderr: nothing, unless AGENT_STDERR=1."""
    return None if os.environ.get("AGENT_STDERR") == "1" else lambda _line: None
