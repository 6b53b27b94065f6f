"""`acpgen new` on a terminal asks for what was not said; elsewhere it takes defaults."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

from acpgen.scaffold import render

if sys.platform == "win32":
    pytest.skip("no pseudo terminals", allow_module_level=True)

import pty

ROOT = Path(__file__).parents[2]
ENTER, DOWN, SPACE, YES, INTERRUPT = b"\r", b"\x1b[B", b" ", b"y", b"\x03"


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm", "COLUMNS": "100"}


def converse(folder: Path, *arguments: str, answers: list[tuple[str, bytes]]) -> tuple[int, str]:
    """Run `acpgen new` on a terminal: wait for each text, then type. Exit code and screen."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "acpgen", "new", *arguments]
    process = subprocess.Popen(
        command,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        cwd=folder,
        env=environment(),
        start_new_session=True,
    )
    os.close(theirs)
    screen, waiting = "", list(answers)
    end = time.monotonic() + 60
    try:
        while time.monotonic() < end:
            if not select.select([ours], [], [], 0.2)[0]:
                if process.poll() is not None:
                    break
                continue
            try:
                data = os.read(ours, 65536)
            except OSError:  # Linux: the other side is closed
                break
            if not data:
                break
            screen += data.decode("utf-8", "replace")
            if b"\x1b[6n" in data:  # where is the cursor?
                os.write(ours, b"\x1b[1;1R")
            if waiting and waiting[0][0] in screen.rsplit("\x00", 1)[-1]:
                keys = waiting.pop(0)[1]
                screen += "\x00"
                os.write(ours, keys)
        return process.wait(timeout=20), screen
    finally:
        process.kill()
        process.wait()
        os.close(ours)


def test_a_terminal_is_asked_for_what_was_not_said(tmp_path: Path) -> None:
    code, screen = converse(
        tmp_path,
        "demo",
        "--bindings",
        "pypi",
        answers=[
            ("Which versions", SPACE + ENTER),  # not the first one
            ("unstable parts", YES + ENTER),
            ("login", ENTER),
        ],
    )
    assert code == 0, screen
    answers = render.read_answers(tmp_path / "demo/.copier-answers.yml")
    assert answers["protocols"] == [2]
    assert answers["bindings"] == "pypi"
    assert answers["unstable"] is True
    assert answers["login"] is False


def test_an_interrupt_at_a_question_leaves_nothing(tmp_path: Path) -> None:
    code, screen = converse(tmp_path, "demo", answers=[("Which versions", INTERRUPT)])
    assert code == 130, screen
    assert "interrupted" in screen
    assert [path.name for path in tmp_path.iterdir() if path.name != "home"] == []


@pytest.mark.parametrize("option", ["--no-input", "--json"])
def test_a_terminal_is_not_asked_when_that_is_not_wanted(tmp_path: Path, option: str) -> None:
    code, screen = converse(tmp_path, "demo", "--bindings", "pypi", option, answers=[])
    assert code == 0, screen
    assert "Which versions" not in screen
    assert render.read_answers(tmp_path / "demo/.copier-answers.yml")["protocols"] == [1, 2]
