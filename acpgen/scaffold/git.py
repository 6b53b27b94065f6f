"""git, as far as projects need it: run it, write trees as commits, read them back."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from acpgen.problem import ProblemError

# Nothing of the user's hooks, editors, pagers or language takes part.
_SETTINGS = (
    f"core.hooksPath={os.devnull}",
    "core.quotePath=false",
    "core.fsmonitor=false",
    "gc.auto=0",
    "advice.detachedHead=false",
    "rerere.enabled=false",
)
# Set while git runs a hook: they would point to that hook's repository.
_FOREIGN = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_OBJECT_DIRECTORY")

FILE, PROGRAM = "100644", "100755"


def program() -> str | None:
    """The path of git, or None."""
    return shutil.which("git")


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit to be made.

    files: path -> (mode, content), relative to `below`. base: a tree that everything outside of
    `below` comes from. parent: a commit. stamp: name, address and time
    (`name <address> seconds zone`).
    """

    message: str
    files: Mapping[str, tuple[str, bytes]]
    stamp: str
    base: str | None = None
    below: str = ""
    parent: str | None = None


@dataclass(frozen=True, slots=True)
class Repository:
    """A folder that is, or lies in, a work tree."""

    folder: Path

    def call(
        self, *arguments: str, data: bytes | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        """Run git and return what came out. Raises ProblemError where there is no git."""
        found = program()
        if found is None:
            raise ProblemError.of("git", "is not installed", "install git, then try again")
        settings = [part for setting in _SETTINGS for part in ("-c", setting)]
        environment = {key: text for key, text in os.environ.items() if key not in _FOREIGN}
        environment |= {"LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GIT_EDITOR": "true"}
        command = [found, "-C", str(self.folder), *settings, *arguments]
        return subprocess.run(command, input=data or b"", capture_output=True, env=environment)

    def run(self, *arguments: str, data: bytes | None = None) -> bytes:
        """What git wrote. Raises ProblemError with what it complained of."""
        done = self.call(*arguments, data=data)
        if done.returncode:
            text = complaint(done)
            raise ProblemError.of(f"git {arguments[0]}", text, f"in {self.folder}")
        return done.stdout

    def line(self, *arguments: str) -> str:
        """The one line that git wrote."""
        return os.fsdecode(self.run(*arguments)).rstrip("\n")

    def has(self, name: str) -> bool:
        """There is an object of that name (`HEAD`, `HEAD:path`, `refs/tags/x`)."""
        return self.call("cat-file", "-e", name).returncode == 0

    def paths(self, *arguments: str) -> list[str]:
        """The paths that a command with -z wrote."""
        return [os.fsdecode(path) for path in self.run(*arguments).split(b"\0") if path]

    def files(self, tree: str) -> dict[str, bytes]:
        """The files of a tree or commit: path -> content, in order of the paths."""
        entries = [entry.split("\t", 1) for entry in self.paths("ls-tree", "-r", "-z", tree)]
        ids = {path: head.split()[2] for head, path in entries}
        data = "".join(f"{ids[path]}\n" for path in ids).encode()
        stream = self.run("cat-file", "--batch", data=data)
        found = {}
        for path in ids:
            head, _, stream = stream.partition(b"\n")
            size = int(head.split()[2])
            found[path] = stream[:size]
            stream = stream[size + 1 :]
        return found

    def commit(self, commit: Commit) -> str:
        """Write a commit that no branch has, and return its id."""
        parts = [b"feature get-mark\ncommit refs/acpgen/scratch\nmark :1\n"]
        parts.append(f"committer {commit.stamp}\n".encode())
        parts.append(_data(commit.message.encode()))
        if commit.parent is not None:
            parts.append(f"from {commit.parent}\n".encode())
            parts.append(b"deleteall\n")
        below = f"{commit.below.strip('/')}/" if commit.below.strip("/") else ""
        if commit.base is not None and below:
            parts.append(f'M 040000 {commit.base} ""\n'.encode())
            parts.append(b"D %b\n" % _quoted(below[:-1]))
        for path, (mode, content) in sorted(commit.files.items()):
            parts.append(b"M %b inline %b\n" % (mode.encode(), _quoted(below + path)))
            parts.append(_data(content))
        parts.append(b"\nget-mark :1\n")
        parts.append(b"reset refs/acpgen/scratch\nfrom 0000000000000000000000000000000000000000\n")
        answer = self.run("fast-import", "--quiet", "--force", data=b"".join(parts))
        return os.fsdecode(answer).strip()


def complaint(done: subprocess.CompletedProcess[bytes]) -> str:
    """What git said about a failure, in one line."""
    text = (done.stderr or done.stdout).decode("utf-8", "replace")
    lines = [line for line in text.splitlines() if not line.startswith("hint:")]
    return " ".join(" ".join(lines).split()) or f"failed with status {done.returncode}"


def _data(content: bytes) -> bytes:
    return b"data %d\n%b\n" % (len(content), content)


def _quoted(path: str) -> bytes:
    raw = os.fsencode(path)
    for sign, escape in ((b"\\", b"\\\\"), (b'"', b'\\"'), (b"\n", b"\\n")):
        raw = raw.replace(sign, escape)
    return b'"%b"' % raw
