"""What README.md and docs/ show is run, and what it prints is what they say."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from tests.docs.shell import WALKTHROUGHS

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ENVIRONMENT = {
    **os.environ,
    "PYTHONPATH": os.pathsep.join([str(ROOT / "generated" / "src"), str(ROOT)]),
    "COLUMNS": "100",
    "NO_COLOR": "1",
}


def _examples(language: str) -> Iterator[ParameterSet]:
    """(page and number, code, what the next block says is printed)"""
    for page in PAGES:
        if page.name in WALKTHROUGHS:
            continue
        blocks = BLOCK.findall(page.read_text(encoding="utf-8"))
        for number, (kind, code) in enumerate(blocks):
            # A program that is a file of its own is run by tests/behaviour/test_documentation.py.
            if kind == language and not re.match(r"# \w+\.py\n", code):
                after = blocks[number + 1] if number + 1 < len(blocks) else ("", "")
                printed = after[1] if after[0] == "text" else None
                yield pytest.param(code, printed, id=f"{page.stem}-{number}")


def examples(language: str) -> list[ParameterSet]:
    return list(_examples(language))


def run(*command: str) -> str:
    done = subprocess.run(
        [sys.executable, *command], cwd=ROOT, env=ENVIRONMENT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(("code", "printed"), examples("python"))
def test_python(code: str, printed: str | None) -> None:
    output = run("-c", code)
    if printed is not None:
        assert output == printed


@pytest.mark.parametrize(("code", "printed"), examples("console"))
def test_console(code: str, printed: str | None) -> None:
    command, *lines = code.splitlines()
    assert command.startswith("$ acpgen ")
    output = run("-m", "acpgen", *command.split()[2:])
    assert [line.rstrip() for line in output.rstrip().splitlines()] == lines
    assert printed is None


def test_every_link_leads_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8")):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_there_are_examples_to_run() -> None:
    assert len(examples("python")) >= 6
    assert len(examples("console")) >= 1
