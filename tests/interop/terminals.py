"""Terminals of the harness client: child processes whose output is kept."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Sequence


class Terminal:
    """One running command. output: what it wrote so far."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.output = b""
        self._pump = asyncio.create_task(self._read())

    @classmethod
    async def start(cls, command: str, args: Sequence[str], cwd: str | None) -> Terminal:
        process = await asyncio.create_subprocess_exec(
            command,
            *args,
            cwd=cwd,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        return cls(process)

    async def _read(self) -> None:
        assert self.process.stdout is not None
        while data := await self.process.stdout.read(65536):
            self.output += data
        await self.process.wait()

    async def ended(self) -> None:
        """Wait for the exit and the end of the output."""
        await asyncio.shield(self._pump)

    @property
    def exit_code(self) -> int | None:
        code = self.process.returncode
        return code if code is not None and code >= 0 else None

    @property
    def signal(self) -> str | None:
        code = self.process.returncode
        return signal.Signals(-code).name if code is not None and code < 0 else None

    def kill(self) -> None:
        if self.process.returncode is None:
            self.process.terminate()
