"""The log of what goes over the wire."""

from __future__ import annotations

import asyncio
import os
import re
from pathlib import Path

import pytest

from acpgen.runtime.connection import Connection
from acpgen.runtime.transport import memory_pair
from acpgen.runtime.wirelog import LIMIT_VARIABLE, VARIABLE, WireLog
from tests.robustness.raw import Recorder, connected, request, run

HEAD = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z (\d+) (<-|->) (.*)")


def lines(text: str) -> list[tuple[str, str]]:
    """Direction and message of each line."""
    found = []
    for line in text.splitlines():
        match = HEAD.fullmatch(line)
        assert match, line
        assert int(match[1]) == os.getpid()
        found.append((match[2], match[3]))
    return found


@pytest.fixture(autouse=True)
def _off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.delenv(LIMIT_VARIABLE, raising=False)


def talk(**options: WireLog) -> None:
    async def scenario() -> None:
        async with connected(**options) as (connection, raw):
            await connection.notify("note", {"é": 1})
            await raw.read()
            raw.send(request(1, x="y" * 50), b"no json\r\n")
            await raw.read()
            await raw.read()

    run(scenario())


ECHO = '{"jsonrpc": "2.0", "id": 1, "method": "echo", "params": {"x": "%s"}}' % ("y" * 50)
EXPECTED = [
    ("->", '{"jsonrpc":"2.0","method":"note","params":{"é":1}}'),
    ("<-", ECHO),
    ("<-", "no json"),
    ("->", '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}'),
    ("->", '{"jsonrpc":"2.0","id":1,"result":{"x":"%s"}}' % ("y" * 50)),
]


def test_off_by_default(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    talk()
    assert capfd.readouterr().err == ""
    assert WireLog.from_environment() is None


def test_to_a_file_that_is_appended_to(tmp_path: Path) -> None:
    file = tmp_path / "wire.log"
    talk(wire_log=WireLog(file))
    talk(wire_log=WireLog(file))
    assert lines(file.read_text(encoding="utf-8")) == EXPECTED * 2


def test_to_stderr_by_the_environment(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(VARIABLE, "stderr")
    talk()
    assert lines(capfd.readouterr().err) == EXPECTED


def test_shortened_by_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "wire.log"
    monkeypatch.setenv(VARIABLE, str(file))
    monkeypatch.setenv(LIMIT_VARIABLE, "20")
    talk()
    written = lines(file.read_text(encoding="utf-8"))
    assert written[1] == ("<-", f"{ECHO[:20]}... ({len(ECHO)} bytes)")
    assert written[2] == ("<-", "no json")


@pytest.mark.parametrize("value", ["", "0"])
def test_turned_off_by_the_environment(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, value)
    assert WireLog.from_environment() is None


def test_messages_of_a_message_transport(tmp_path: Path) -> None:
    file = tmp_path / "wire.log"

    async def scenario() -> None:
        one, other = memory_pair()
        log = WireLog(file)
        async with Connection(one, Recorder(), wire_log=log), Connection(other, Recorder()) as peer:
            await peer.request("echo", {"x": 1})

    run(scenario())
    assert lines(file.read_text(encoding="utf-8")) == [
        ("<-", '{"jsonrpc":"2.0","id":0,"method":"echo","params":{"x":1}}'),
        ("->", '{"jsonrpc":"2.0","id":0,"result":{"x":1}}'),
    ]


def test_a_log_that_fails_says_so_once_and_stops_nothing(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    talk(wire_log=WireLog(tmp_path / "no" / "folder"))
    assert capfd.readouterr().err.count("the wire log is off") == 1
    if Path("/dev/full").exists():
        talk(wire_log=WireLog("/dev/full"))
        assert capfd.readouterr().err.count("the wire log is off") == 1


def test_a_connection_closes_the_log_that_the_environment_asked_for(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "wire.log"))

    def descriptors() -> int:
        return sum(1 for _ in Path("/dev/fd").iterdir())

    async def scenario() -> None:
        before = descriptors()
        for _ in range(5):
            async with connected() as (_, raw):
                await raw.alive()
        await asyncio.sleep(0.01)
        assert descriptors() <= before

    run(scenario())
