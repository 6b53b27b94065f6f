# Part of acpgen's runtime, copied as it is. Do not edit.
"""Starting an agent as a child process and talking to it on its stdin and stdout."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import cast

from . import groups
from .framing import Lines
from .transport import Sink

logger = logging.getLogger(__name__)

HELD_BYTES = 256 * 1024
_STDERR_LINE = 64 * 1024
# Seconds from the end of stdout to the exit, or the other way round, that usually follow at once.
_CLOSELY = 0.5
_POLL = 0.05


class SpawnError(OSError):
    """The agent could not be started; the message says which command, and why."""


class AgentProcess(asyncio.SubprocessProtocol):
    """A running agent: a ByteStream (see `transport`) that a Connection runs on.

    Closing it closes the agent's stdin, and then, each after `patience` seconds in which the agent
    has not exited, asks its process group to terminate, and kills it.
    """

    def __init__(self, stderr: Callable[[str], None] | None, patience: float) -> None:
        self._loop = asyncio.get_running_loop()
        self._stderr = stderr
        self._patience = patience
        self._transport: asyncio.SubprocessTransport | None = None
        self._stdin: asyncio.WriteTransport | None = None
        self._sink: Sink | None = None
        self._early: list[bytes] = []
        self._lines = Lines(_STDERR_LINE)
        self._stdout_open = True
        self._ended: str | None = None
        self._exited = asyncio.Event()
        self._closing: asyncio.Task[None] | None = None

    @property
    def pid(self) -> int:
        """The id of the process, and on POSIX of its group."""
        assert self._transport is not None
        return self._transport.get_pid()

    @property
    def returncode(self) -> int | None:
        """The exit status, negative for a signal; None while it runs."""
        return None if self._transport is None else self._transport.get_returncode()

    async def wait(self) -> int:
        """Wait until the process has exited, and return its status."""
        await self._exited.wait()
        return cast(int, self.returncode)

    # ByteStream

    def start(self, sink: Sink) -> None:
        """See ByteStream."""
        self._sink = sink
        early, self._early = self._early, []
        for piece in early:
            sink.data(piece)
        if self._ended is not None:
            sink.end(self._ended)

    def write(self, data: bytes) -> None:
        """See ByteStream."""
        if self._stdin is not None and not self._stdin.is_closing():
            self._stdin.write(data)

    async def close(self) -> None:
        """See ByteStream, and the class."""
        if self._closing is None:
            self._closing = asyncio.create_task(self._close(), name="acp close agent")
        await asyncio.shield(self._closing)

    async def _close(self) -> None:
        try:
            if self._stdin is not None:
                self._stdin.close()
            if not await self._exits():
                logger.info("agent %d does not exit; terminating it", self.pid)
                groups.end(self.pid, kill=False)
                if not await self._exits():
                    logger.warning("agent %d does not terminate; killing it", self.pid)
                    groups.end(self.pid, kill=True)
                    await self._exits()
            await self._clear_group()
        finally:
            if self._transport is not None:
                self._transport.close()

    async def _exits(self) -> bool:
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(self._exited.wait(), self._patience)
        return self._exited.is_set()

    async def _clear_group(self) -> None:
        """End what the agent started and left behind."""
        if not groups.exists(self.pid):
            return
        groups.end(self.pid, kill=False)
        for _ in range(round(self._patience / _POLL)):
            await asyncio.sleep(_POLL)
            if not groups.exists(self.pid):
                return
        groups.end(self.pid, kill=True)

    # called by asyncio, as SubprocessProtocol has it

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.SubprocessTransport, transport)
        self._stdin = cast(asyncio.WriteTransport, self._transport.get_pipe_transport(0))
        self._stdin.set_write_buffer_limits(high=HELD_BYTES)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if fd == 2:
            self._report(self._lines.feed(data))
        elif self._sink is None:
            self._early.append(data)
        else:
            self._sink.data(data)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        if fd == 2:
            self._report([self._lines.end() or b""])
        elif fd == 1:
            self._stdout_open = False
            if self._exited.is_set():
                self._end()
            else:
                self._loop.call_later(_CLOSELY, self._end)
        elif self._ended is None and self._closing is None:
            self._loop.call_later(_CLOSELY, self._end)

    def process_exited(self) -> None:
        self._exited.set()
        if self._stdout_open:
            # Something that it started may hold stdout open.
            self._loop.call_later(_CLOSELY, self._end)
        else:
            self._end()

    def pause_writing(self) -> None:
        if self._sink is not None:
            self._sink.paused(True)

    def resume_writing(self) -> None:
        if self._sink is not None:
            self._sink.paused(False)

    def _end(self) -> None:
        if self._ended is None:
            self._ended = self._reason()
            if self._sink is not None:
                self._sink.end(self._ended)

    def _reason(self) -> str:
        status = self.returncode
        if status is None:
            what = "stdin" if self._stdout_open else "stdout"
            return f"the agent (process {self.pid}) closed its {what}"
        if status >= 0:
            return f"the agent (process {self.pid}) exited with status {status}"
        try:
            name = signal.Signals(-status).name
        except ValueError:
            name = f"signal {-status}"
        return f"the agent (process {self.pid}) was ended by {name}"

    def _report(self, lines: Sequence[bytes | None]) -> None:
        if self._stderr is None:
            return
        for line in lines:
            if line == b"":
                continue
            text = "(a very long line)" if line is None else line.decode("utf-8", "replace")
            try:
                self._stderr(text.rstrip("\r"))
            except Exception:
                logger.exception("the callback for stderr failed")


async def spawn(
    command: Sequence[str | os.PathLike[str]],
    *,
    cwd: str | os.PathLike[str] | None = None,
    env: Mapping[str, str] | None = None,
    stderr: Callable[[str], None] | None = None,
    patience: float = 2.0,
) -> AgentProcess:
    """Start an agent, in a process group of its own.

    command: the program and its arguments; no shell is involved. cwd: its working folder. env: all
    of its environment; None: this process's. stderr: gets each line that the agent writes there;
    None: the lines go to this process's stderr. patience: see AgentProcess.
    Raises SpawnError.
    """
    if isinstance(command, (str, bytes)) or not command:
        raise ValueError("the command is a list: the program, then its arguments")
    words = [os.fspath(word) for word in command]
    if sys.platform == "win32":
        path = None if env is None else env.get("PATH")
        words[0] = shutil.which(words[0], path=path) or words[0]  # finds .cmd and .bat too
    loop = asyncio.get_running_loop()
    try:
        _, process = await loop.subprocess_exec(
            lambda: AgentProcess(stderr, patience),
            *words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=None if stderr is None else subprocess.PIPE,
            cwd=cwd,
            env=None if env is None else dict(env),
            **groups.options(),
        )
    except OSError as error:
        raise SpawnError(_why(words[0], cwd, error)) from error
    return process


def _why(program: str, cwd: str | os.PathLike[str] | None, error: OSError) -> str:
    start = f"cannot start the agent {program!r}"
    if cwd is not None and not os.path.isdir(cwd):  # noqa: PTH112
        return f"{start}: its working folder {os.fspath(cwd)!r} does not exist"
    if isinstance(error, FileNotFoundError):
        where = "" if os.sep in program else " on the PATH"
        return f"{start}: there is no such command{where}"
    if isinstance(error, PermissionError):
        return f"{start}: it is not executable"
    return f"{start}: {error.strerror or error}"
