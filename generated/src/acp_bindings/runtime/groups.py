# Part of acpgen's runtime, copied as it is. Do not edit.
"""Processes with all that they started: a process group on POSIX, a process tree on Windows."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import Any

if sys.platform == "win32":

    def options() -> dict[str, Any]:
        """What makes a new process the first of its group, for subprocess."""
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}

    def end(process: int, *, kill: bool) -> bool:
        """Ask the group of this process to end, or kill it. False if there is none any more."""
        force = ["/F"] if kill else []
        command = ["taskkill", *force, "/T", "/PID", str(process)]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0

    def exists(process: int) -> bool:
        """Whether anything in the group still runs; the tree of an exited process is unknown."""
        return False

else:

    def options() -> dict[str, Any]:
        """What makes a new process the first of its group, for subprocess."""
        return {"start_new_session": True}

    def end(process: int, *, kill: bool) -> bool:
        """Ask the group of this process to end, or kill it. False if there is none any more."""
        return _send(process, signal.SIGKILL if kill else signal.SIGTERM)

    def exists(process: int) -> bool:
        """Whether anything in the group still runs."""
        return _send(process, 0)

    def _send(process: int, number: int) -> bool:
        try:
            os.killpg(process, number)
        except (ProcessLookupError, PermissionError):
            return False
        return True
