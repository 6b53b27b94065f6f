"""An agent process on stdin and stdout."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import IO, Any

import pytest

AGENT = Path(__file__).with_name("stdio_agent.py")
ROOT = AGENT.parents[3]
COMMAND = [sys.executable, "-X", "dev", "-W", "error::ResourceWarning", str(AGENT)]
ENV = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": ""}
SECONDS = 30

posix = pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals and devices")
modes = pytest.mark.parametrize("mode", ["loop", "threads"])


def line(id_: object, method: str = "echo", **params: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": id_, "method": method, "params": params}).encode()


def answers(output: bytes) -> list[Any]:
    assert b"\r" not in output
    return [json.loads(one) for one in output.splitlines()]


def once(mode: str, data: bytes) -> subprocess.CompletedProcess[bytes]:
    """Run the agent on this input, to its end."""
    return subprocess.run(
        [*COMMAND, mode], input=data, capture_output=True, env=ENV, timeout=SECONDS, check=False
    )


class Running:
    """The agent while it runs."""

    def __init__(self, mode: str = "", **options: Any) -> None:
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        command = [*COMMAND, mode]
        self.process = subprocess.Popen(command, env=ENV, **{**pipes, **options})

    def __enter__(self) -> Running:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()

    def _pipe(self, pipe: IO[bytes] | None) -> IO[bytes]:
        assert pipe is not None
        return pipe

    def send(self, *lines: bytes) -> None:
        stdin = self._pipe(self.process.stdin)
        stdin.write(b"".join(one + b"\n" for one in lines))
        stdin.flush()

    def read(self) -> Any:
        return json.loads(self._pipe(self.process.stdout).readline())

    def hears(self, text: str) -> bool:
        """Wait for a line on stderr; False if stderr ends without it."""
        stderr = self._pipe(self.process.stderr)
        return any(text in one.decode() for one in iter(stderr.readline, b""))

    def end(self) -> tuple[int, bytes, str]:
        """Close stdin; status, the rest of stdout, and stderr."""
        out, err = self.process.communicate(timeout=SECONDS)
        return self.process.returncode, out, err.decode() if err else ""


@modes
def test_answers_and_ends_with_its_input(mode: str) -> None:
    done = once(mode, b"\n" + line(1, a="é") + b"\r\n\r\n" + line("2"))
    assert done.returncode == 0
    assert answers(done.stdout) == [
        {"jsonrpc": "2.0", "id": 1, "result": {"a": "é"}},
        {"jsonrpc": "2.0", "id": "2", "result": {}},
    ]
    assert done.stdout.endswith(b"}\n")
    assert b"run_stdio returned" in done.stderr
    assert b"Traceback" not in done.stderr


@modes
def test_nothing_but_the_protocol_is_on_stdout(mode: str) -> None:
    """Case C36."""
    with Running(mode) as agent:
        agent.send(line(1, "noise"))
        assert agent.read()["result"] == {"input": "", "child": "''"}
        status, out, err = agent.end()
    assert (status, out) == (0, b"")
    for text in (
        "a banner while importing",
        "print in a handler",
        "the stream that was stdout",
        "file descriptor 1",
        "a child process",
        "a log line",
        "run_stdio returned",
    ):
        assert text in err


def test_which_threads_read_and_write() -> None:
    """Case C38: the path for Windows, chosen in code."""

    def own(mode: str) -> list[str]:
        with Running(mode) as agent:
            agent.send(line(1, "threads"))
            return [name for name in agent.read()["result"] if name.startswith("acp ")]

    assert own("threads") == ["acp reader", "acp writer"]
    assert own("loop") == []
    assert own("") == ([] if sys.platform != "win32" else ["acp reader", "acp writer"])


def test_regular_files(tmp_path: Path) -> None:
    (tmp_path / "in").write_bytes(line(1, n=1) + b"\n" + line(2, text="x" * 1_000_000))
    with (tmp_path / "in").open("rb") as stdin, (tmp_path / "out").open("wb") as stdout:
        done = subprocess.run(
            COMMAND, stdin=stdin, stdout=stdout, env=ENV, timeout=SECONDS, check=False
        )
    assert done.returncode == 0
    written = answers((tmp_path / "out").read_bytes())
    assert [answer["id"] for answer in written] == [1, 2]
    assert written[1]["result"] == {"text": "x" * 1_000_000}


@posix
def test_no_input_at_all() -> None:
    done = subprocess.run(
        COMMAND,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=ENV,
        timeout=SECONDS,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, b"")


@posix
def test_a_terminal() -> None:
    import pty

    ours, theirs = pty.openpty()
    with Running(stdin=theirs) as agent:
        os.close(theirs)
        os.write(ours, line(1, n=1) + b"\n")
        assert agent.read()["result"] == {"n": 1}
        os.write(ours, b"\x04")  # the key for the end of the input
        assert agent.process.wait(SECONDS) == 0
    os.close(ours)


@posix
def test_one_socket_for_both_directions() -> None:
    import socket

    ours, theirs = socket.socketpair()
    with ours, Running(stdin=theirs, stdout=theirs) as agent:
        theirs.close()
        ours.settimeout(SECONDS)
        for number in range(3):
            ours.sendall(line(number) + b"\n")
            with ours.makefile("rb") as file:
                assert json.loads(file.readline())["id"] == number
        ours.shutdown(socket.SHUT_WR)
        assert agent.process.wait(SECONDS) == 0


@modes
@pytest.mark.parametrize("method", ["never", "stubborn", "thread"])
def test_ends_when_stdin_closes_whatever_a_handler_does(mode: str, method: str) -> None:
    with Running(mode) as agent:
        agent.send(line(1, method), line(2))
        assert agent.read()["id"] == 2
        status, out, err = agent.end()
    assert (status, out) == (0, b"")
    assert "Traceback" not in err


@posix
@modes
@pytest.mark.parametrize("number", ["SIGINT", "SIGTERM"])
def test_ends_cleanly_at_a_signal(mode: str, number: str) -> None:
    with Running(mode) as agent:
        agent.send(line(1, "never"), line(2))
        assert agent.read()["id"] == 2
        agent.process.send_signal(getattr(signal, number))
        assert agent.process.wait(SECONDS) == 0
        status, out, err = agent.end()
    assert (status, out) == (0, b"")
    assert "run_stdio returned" in err
    assert "Traceback" not in err


@posix
def test_a_signal_ends_an_agent_whose_event_loop_is_blocked() -> None:
    with Running() as agent:
        agent.send(line(1))
        assert agent.read()["id"] == 1
        agent.send(line(2, "block"))
        assert agent.hears("about to block")
        agent.process.send_signal(signal.SIGTERM)
        assert agent.process.wait(SECONDS) == 128 + signal.SIGTERM


@modes
def test_ends_when_nobody_reads_its_answers(mode: str) -> None:
    with Running(mode) as agent:
        agent.send(line(1))
        assert agent.read()["id"] == 1
        assert agent.process.stdout is not None
        agent.process.stdout.close()
        agent.process.stdout = None
        # stdin stays open: only the broken pipe can end it.
        with contextlib.suppress(BrokenPipeError):
            agent.send(line(2))
        assert agent.process.wait(SECONDS) == 0
        assert agent.process.stderr is not None
        err = agent.process.stderr.read().decode()
    assert "Traceback" not in err


@modes
def test_a_large_message_each_way(mode: str) -> None:
    text = "x" * 5_000_000
    with Running(mode) as agent:
        agent.send(line(1, text=text))
        assert agent.read()["result"] == {"text": text}
        agent.send(*(line(number, text="y" * 1_000) for number in range(2_000)))
        assert [agent.read()["id"] for _ in range(2_000)] == list(range(2_000))
        assert agent.end()[:2] == (0, b"")
