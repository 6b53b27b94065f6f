"""A page read as a session at a terminal: files that it shows are written, commands are run.

- A block whose first line is a comment with a file's name (`# agent.py`, `# acpgen.toml`), or
  that follows a line with nothing but one (`` `v2.json`: ``), is written to that file, in the
  folder that the session is in.
- In a `console` block a line that begins with `$ ` is a command, and what follows is what it
  prints; `...` stands for any number of lines. `# exit 1` behind a command is its exit code.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]

QUICK = ("overlays.md", "templates.md")
NETWORK = ("tutorial-regenerate.md", "tutorial-agent.md", "tutorial-publish.md")
WALKTHROUGHS = (*QUICK, *NETWORK)
"""The pages of docs/ that are followed like this; those of NETWORK need npm and a package index."""

PROJECT = "/home/you/project"
"""What pages call the folder that a session begins in."""

_BLOCK = re.compile(r"(?:^`([^`\n]+)`:\n\n)?^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"# ([\w.-]+(?:/[\w.%-]+)*\.\w+)\n")
_COUNT = re.compile(r"\d+(?= (?:written|unchanged|bytes|files\)))")
_EXIT = re.compile(r"\s+# exit ([0-9]+)$")


@dataclass(frozen=True)
class File:
    path: str
    text: str


@dataclass(frozen=True)
class Command:
    text: str
    code: int
    output: tuple[str, ...]


Step = File | Command


def steps(page: str) -> Iterator[Step]:
    """What a page says is done, in order."""
    for path, kind, text in _BLOCK.findall(page):
        if kind == "console":
            yield from _commands(text)
        elif path:
            yield File(path, text)
        elif named := _FILE.match(text):
            yield File(named[1], text)


def _commands(text: str) -> Iterator[Command]:
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        line, *output = part.rstrip("\n").split("\n")
        code = _EXIT.search(line)
        yield Command(_EXIT.sub("", line), int(code[1]) if code else 0, tuple(output))


class Session:
    """A folder that commands are run in, as at a terminal of 100 columns without colour."""

    def __init__(self, folder: Path) -> None:
        folder = folder.resolve()
        self.root = self.folder = folder / "work"
        self.root.mkdir()
        self._note = folder / "cwd"
        scripts = folder / "bin"
        scripts.mkdir()
        python = shlex.quote(sys.executable)
        ours = f"env PYTHONPATH={shlex.quote(str(ROOT))} {python} -m acpgen"
        for name, command in (("python", python), ("acpgen", ours)):
            script = scripts / name
            script.write_text(f'#!/bin/sh\nexec {command} "$@"\n', encoding="utf-8")
            script.chmod(0o755)
        kept = {key: os.environ[key] for key in os.environ if not key.startswith(("GIT_", "PYT"))}
        self.environment = {
            **kept,
            "PATH": os.pathsep.join([str(scripts), os.environ["PATH"]]),
            "HOME": str(folder),
            "COLUMNS": "100",
            "TERM": "dumb",
            "GIT_PAGER": "cat",
            "NO_COLOR": "1",
            "GIT_AUTHOR_NAME": "You",
            "GIT_AUTHOR_EMAIL": "you@example.org",
            "GIT_COMMITTER_NAME": "You",
            "GIT_COMMITTER_EMAIL": "you@example.org",
        }

    def write(self, file: File) -> None:
        target = self.folder / file.path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(file.text, encoding="utf-8")

    def run(self, command: str) -> tuple[int, list[str]]:
        """The exit code of a command, and the lines that the terminal shows."""
        import pty  # not on Windows

        here, there = pty.openpty()
        script = f"{command}\ncode=$?\npwd > {shlex.quote(str(self._note))}\nexit $code"
        process = subprocess.Popen(
            ["bash", "-c", script],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=there,
            stderr=there,
        )
        os.close(there)
        shown = b""
        while True:
            try:
                data = os.read(here, 65536)
            except OSError:  # how Linux says that the other end was closed
                data = b""
            if not data:
                break
            shown += data
        os.close(here)
        code = process.wait()
        self.folder = Path(self._note.read_text(encoding="utf-8").strip())
        lines = shown.decode("utf-8", "replace").replace("\r\n", "\n").split("\n")
        while lines and not lines[-1].strip():
            lines.pop()
        return code, [line.rstrip().replace(str(self.root), PROJECT) for line in lines]


def matches(shown: Sequence[str], expected: Sequence[str]) -> bool:
    """Whether lines are those that a page shows, where `...` is any number of them."""
    if not expected:
        return not shown
    if expected[0] == "...":
        rest = expected[1:]
        return any(matches(shown[skipped:], rest) for skipped in range(len(shown) + 1))
    return bool(shown) and _same(shown[0], expected[0]) and matches(shown[1:], expected[1:])


def _same(shown: str, expected: str) -> bool:
    """Lines are the same but for how many files or bytes there are: that changes with every
    module.
    """
    return _COUNT.sub("N", shown) == _COUNT.sub("N", expected.rstrip())


def play(page: str, folder: Path) -> Iterator[tuple[Command, int, list[str]]]:
    """Do what a page says; each command with its exit code and what it printed."""
    session = Session(folder)
    for step in steps(page):
        if isinstance(step, File):
            session.write(step)
        else:
            yield (step, *session.run(step.text))
