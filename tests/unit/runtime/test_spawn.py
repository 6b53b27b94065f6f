"""A client that starts its agent."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from acpgen.runtime.connection import Connection
from acpgen.runtime.errors import ConnectionClosed
from acpgen.runtime.spawn import SpawnError, spawn
from tests.robustness.raw import Recorder, run

AGENT = Path(__file__).with_name("stdio_agent.py")
ENV = {**os.environ, "PYTHONPATH": str(AGENT.parents[3])}

posix = pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals and process groups")


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def exists(process: int) -> bool:
    """Whether a process runs; one that has ended and that nobody waited for does not."""
    try:
        state = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rsplit(")", 1)[1]
    except OSError:
        return False
    return state.split()[0] != "Z"


def test_an_agent_answers_and_exits_when_its_connection_closes() -> None:
    async def scenario() -> None:
        agent = await spawn([sys.executable, AGENT], env=ENV, stderr=lambda _line: None)
        async with Connection(agent, Recorder(), role="client") as connection:
            assert await connection.request("echo", {"a": 1}) == {"a": 1}
            big = {"text": "x" * 3_000_000}
            assert await connection.request("echo", big) == big
        assert agent.returncode == 0
        assert await agent.wait() == 0

    run(scenario())


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("import sys; sys.stdin.readline(); sys.exit(3)", "exited with status 3"),
        ("import sys; sys.stdin.readline()", "exited with status 0"),
        pytest.param(
            "import os, sys; sys.stdin.readline(); os.kill(os.getpid(), 9)",
            "was ended by SIGKILL",
            marks=posix,
        ),
        (
            "import os, sys, time; sys.stdin.readline(); os.close(1); time.sleep(60)",
            "closed its stdout",
        ),
        (
            "import subprocess, sys; sys.stdin.readline();"
            " subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)']); sys.exit(5)",
            "exited with status 5",  # though its child holds stdout open
        ),
        ("import sys; print('half a lin', end=''); sys.exit(4)", "exited with status 4"),
    ],
)
def test_an_agent_that_ends_fails_what_is_pending_and_says_why(code: str, why: str) -> None:
    async def scenario() -> None:
        agent = await spawn(python(code), patience=0.2)
        async with Connection(agent, Recorder(), role="client") as connection:
            with pytest.raises(ConnectionClosed, match=why):
                await connection.request("ask")
            with pytest.raises(ConnectionClosed, match=why):
                await connection.request("again")
        assert agent.returncode is not None

    run(scenario())


def test_prints_and_blank_lines_of_an_agent_are_skipped() -> None:
    """Case C36."""
    code = (
        "import sys; sys.stdin.readline(); print('Loaded cached credentials.\\n');"
        ' print(\'{"jsonrpc": "2.0", "id": 0, "result": {"protocolVersion": 1}}\', flush=True);'
        " sys.stdin.read()"
    )

    async def scenario() -> None:
        agent = await spawn(python(code))
        async with Connection(agent, Recorder(), role="client") as connection:
            assert await connection.request("initialize") == {"protocolVersion": 1}
        assert agent.returncode == 0

    run(scenario())


def test_stderr_goes_to_a_callback_line_by_line() -> None:
    code = (
        "import os; os.write(2, b'one\\r\\n\\xff two\\n' + b'x' * 100_000 + b'\\nunterminated');"
        " os.write(1, b'no json\\n')"
    )
    heard: list[str] = []

    def listen(line: str) -> None:
        heard.append(line)
        raise LookupError("the callback's own fault")

    async def scenario() -> None:
        agent = await spawn(python(code), stderr=listen)
        async with Connection(agent, Recorder(), role="client") as connection:
            await connection.run()

    run(scenario())
    assert heard == ["one", "\ufffd two", "(a very long line)", "unterminated"]


def test_stderr_passes_through_where_nothing_is_said(capfd: pytest.CaptureFixture[str]) -> None:
    async def scenario() -> None:
        agent = await spawn(python("import os; os.write(2, b'for the user')"))
        async with Connection(agent, Recorder(), role="client") as connection:
            await connection.run()

    run(scenario())
    assert capfd.readouterr().err == "for the user"


def test_cwd_and_env(tmp_path: Path) -> None:
    code = (
        "import json, os; print(json.dumps({'jsonrpc': '2.0', 'method': 'here',"
        " 'params': {'cwd': os.getcwd(), 'own': os.environ.get('OWN')}}))"
    )
    handler = Recorder()

    async def scenario() -> None:
        agent = await spawn(python(code), cwd=tmp_path, env={**ENV, "OWN": "set"})
        async with Connection(agent, handler, role="client") as connection:
            await connection.run()

    run(scenario())
    assert handler.notes == [("here", {"cwd": str(tmp_path.resolve()), "own": "set"})]


@pytest.mark.parametrize("command", [[], "agent --flag"])
def test_a_command_is_a_list(command: Any) -> None:
    async def scenario() -> None:
        with pytest.raises(ValueError, match="list"):
            await spawn(command)

    run(scenario())


def test_a_command_that_cannot_be_started(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no program", encoding="utf-8")

    async def failure(command: list[str], **options: Any) -> str:
        with pytest.raises(SpawnError) as caught:
            await spawn(command, **options)
        return str(caught.value)

    async def scenario() -> None:
        name = "an-agent-that-is-not-there"
        why = f"cannot start the agent {name!r}: there is no such command on the PATH"
        assert await failure([name]) == why
        missing = str(tmp_path / "missing")
        assert "there is no such command" in await failure([missing])
        assert "working folder" in await failure([sys.executable], cwd=missing)
        if sys.platform != "win32":
            assert "is not executable" in await failure([str(tmp_path / "file")])

    run(scenario())


STUBBORN = """
import os, signal, subprocess, sys, time
{ignore}
child = subprocess.Popen([sys.executable, "-c", "{child}import time; time.sleep(600)"])
print('{{"jsonrpc": "2.0", "method": "child", "params": {{"pid": %d}}}}' % child.pid, flush=True)
{wait}
"""
IGNORE = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.parametrize(
    ("parts", "status"),
    [
        ({"wait": "sys.stdin.read()", "ignore": "", "child": ""}, 0),
        ({"wait": "sys.stdin.read()", "ignore": "", "child": f"{IGNORE}; "}, 0),
        ({"wait": "time.sleep(600)", "ignore": "", "child": ""}, -15),
        ({"wait": "time.sleep(600)", "ignore": IGNORE, "child": ""}, -9),
        ({"wait": "time.sleep(600)", "ignore": IGNORE, "child": f"{IGNORE}; "}, -9),
    ],
    ids=["exits", "leaves a stubborn child", "reads no stdin", "ignores SIGTERM", "both do"],
)
def test_closing_ends_the_agent_and_what_it_started(parts: dict[str, str], status: int) -> None:
    async def scenario() -> None:
        told = asyncio.Event()
        handler = Recorder(lambda _method, _params: told.set())
        agent = await spawn(python(STUBBORN.format(**parts)), patience=0.3)
        async with Connection(agent, handler, role="client"):
            await told.wait()
            child = handler.notes[0][1]["pid"]
            assert exists(child)
        assert agent.returncode == status
        deadline = time.monotonic() + 10
        while exists(child):
            assert time.monotonic() < deadline, "the agent's child still runs"
            await asyncio.sleep(0.02)

    run(scenario())


@posix
def test_an_agent_has_a_process_group_of_its_own() -> None:
    async def scenario() -> None:
        agent = await spawn(python("import sys; sys.stdin.read()"))
        assert os.getpgid(agent.pid) == agent.pid != os.getpgrp()
        await asyncio.gather(agent.close(), agent.close())
        await agent.close()
        assert agent.returncode == 0

    run(scenario())


def test_what_was_written_arrives_before_the_agents_stdin_closes(tmp_path: Path) -> None:
    file = tmp_path / "received"
    code = (
        "import sys, time; time.sleep(0.2);"
        f" open({str(file)!r}, 'wb').write(sys.stdin.buffer.read())"
    )

    async def scenario() -> None:
        agent = await spawn(python(code), patience=10)
        async with Connection(agent, Recorder(), role="client") as connection:
            for number in range(100):
                await connection.notify("last words", {"n": number, "text": "x" * 1_000})
        assert agent.returncode == 0

    run(scenario())
    assert file.read_bytes().count(b"\n") == 100
