"""mypy --strict and pyright (strict) on the samples: what they reveal, and where they object.

A line that ends with `# => T` reveals T; with `# => T || U`, mypy reveals T and pyright U. On a
line that ends with `# !` both object. There is nothing else to say on any other line.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.behaviour.bindings import SOURCE

SAMPLES = sorted((Path(__file__).parent / "samples").glob("*.py"))


@dataclass
class Said:
    """What a checker said: line -> revealed type, and lines with an error."""

    revealed: dict[int, str] = field(default_factory=dict)
    errors: dict[int, str] = field(default_factory=dict)


def mypy(path: Path, folder: Path) -> Said:
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--output",
        "json",
        "--cache-dir",
        str(folder),
        str(path),
    ]
    environment = {**os.environ, "MYPYPATH": str(SOURCE)}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=folder)
    said = Said()
    for line in done.stdout.splitlines():
        item = json.loads(line)
        if Path(item["file"]).name != path.name:
            raise AssertionError(f"{item['file']}:{item['line']}: {item['message']}")
        shown = re.fullmatch(r'Revealed type is "(.*)"', item["message"])
        if shown:
            said.revealed[item["line"]] = shown[1]
        elif item["severity"] == "error":
            said.errors[item["line"]] = item["message"]
    assert done.returncode in (0, 1), done.stderr
    return said


def pyright(path: Path, folder: Path) -> Said:
    if not (folder / path.name).exists():
        shutil.copy(path, folder)
    config = {"extraPaths": [str(SOURCE)], "include": [path.name], "pythonVersion": "3.10"}
    (folder / "pyrightconfig.json").write_text(json.dumps(config), encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "pyright",
        "--outputjson",
        "--pythonpath",
        sys.executable,
        "-p",
        str(folder),
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    said = Said()
    output = json.loads(done.stdout)
    assert output["summary"]["filesAnalyzed"] == 1, done.stdout
    for item in output["generalDiagnostics"]:
        line = item["range"]["start"]["line"] + 1
        shown = re.fullmatch(r'Type of ".*" is "(.*)"', item["message"], flags=re.S)
        if shown and item["severity"] == "information":
            said.revealed[line] = shown[1]
        elif item["severity"] == "error":
            said.errors[line] = item["message"]
    return said


def plain(type_: str) -> str:
    """A revealed type without module names."""
    return re.sub(r"\b(?:\w+\.)+(\w+)", r"\1", type_).replace('"', "'")


CHECKERS: dict[str, Callable[[Path, Path], Said]] = {"mypy": mypy, "pyright": pyright}


@pytest.mark.parametrize("checker", CHECKERS)
@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_samples(checker: str, path: Path, tmp_path: Path) -> None:
    pytest.importorskip(checker)
    said = CHECKERS[checker](path, tmp_path)
    lines = path.read_text(encoding="utf-8").splitlines()
    revealed, errors = {}, set()
    for number, line in enumerate(lines, start=1):
        if match := re.search(r"  # => (.*)$", line):
            texts = match[1].split(" || ")
            revealed[number] = texts[-1] if checker == "pyright" else texts[0]
        if line.endswith("  # !"):
            errors.add(number)
    assert {number: plain(type_) for number, type_ in said.revealed.items()} == revealed
    unexpected = {number: text for number, text in said.errors.items() if number not in errors}
    assert not unexpected
    missing = {number: lines[number - 1] for number in errors - set(said.errors)}
    assert not missing


def test_the_runner_sees_what_is_wrong(tmp_path: Path) -> None:
    """A wrong expectation would not pass unnoticed: checkers report on a sample without marks."""
    pytest.importorskip("mypy")
    path = tmp_path / "wrong.py"
    shutil.copy(SAMPLES[0], path)
    said = mypy(path, tmp_path)
    assert len(said.errors) > 5
