"""Every combination of a project's options, made and judged with the tools that its author has.

    python -m tests.scaffold.projects FOLDER                     all of them, made in that folder
    python -m tests.scaffold.projects FOLDER agent-12-vendored   some of them

It needs pytest, mypy, ruff, black, build, hatchling and acp_bindings in the environment.
"""

from __future__ import annotations

import functools
import itertools
import os
import re
import shutil
import subprocess
import sys
import tarfile
import time
import zipfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from email.parser import Parser
from pathlib import Path
from unittest import mock

from acpgen import config, generate, scaffold
from acpgen.scaffold import making

WORKERS = 3  # some of what they do is waiting


@dataclass(frozen=True)
class Combination:
    """The options of one project."""

    kind: str
    protocols: tuple[int, ...]
    bindings: str
    unstable: bool
    login: bool

    def __str__(self) -> str:
        words = [self.kind, "".join(map(str, self.protocols)), self.bindings]
        words += ["unstable"] * self.unstable + ["login"] * self.login
        return "-".join(words)

    @property
    def wishes(self) -> scaffold.Wishes:
        login = self.login if self.kind == "agent" else None
        return scaffold.Wishes(self.protocols, self.bindings, self.unstable, login)


def combinations() -> Iterator[Combination]:
    """All of them; a client has no login."""
    for kind, protocols, bindings, unstable, login in itertools.product(
        scaffold.KINDS, ((1, 2), (1,), (2,)), ("vendored", "pypi"), (False, True), (False, True)
    ):
        if kind == "agent" or not login:
            yield Combination(kind, protocols, bindings, unstable, login)


def make(combination: Combination, folder: Path, cache: Path) -> Path:
    """A project of that kind, whose distribution is not called like its folder.

    cache: a folder for bindings, which are generated once for each set of surfaces.
    """
    target = folder / str(combination)
    name = f"test-{combination.kind}"
    with mock.patch.object(making, "_bindings", functools.partial(_bindings, cache)):
        scaffold.new(name, kind=combination.kind, wishes=combination.wishes, path=target)
    return target


def _bindings(cache: Path, project: Path, *_: object) -> None:
    if "[tool.acpgen]" not in _text(project / "pyproject.toml"):
        return
    settings = config.load(start=project)
    kept = cache / "-".join(settings.surfaces or ())
    if not kept.exists():
        generate.generate(settings, jobs=1)
        shutil.copytree(settings.root, kept)
    shutil.copytree(kept, settings.root, dirs_exist_ok=True)


def judge(project: Path, cache: Path) -> list[str]:
    """What the tools complain of, each with its name; a project that they changed is a fault too."""
    python = sys.executable
    commands: dict[str, Sequence[str]] = {
        "black": (python, "-m", "black", "--check", "--quiet", "--diff", "."),
        "ruff": (python, "-m", "ruff", "check", "--no-cache", "."),
        "mypy": (python, "-m", "mypy", "--cache-dir", str(cache)),
        "pytest": (python, "-m", "pytest", "-q", "-p", "no:cacheprovider"),
    }
    before = _contents(project)
    faults = []
    for name, command in commands.items():
        done = _run(command, project, python_path="src")  # as if it were installed
        if done.returncode:
            faults.append(f"{name}:\n{done.stdout[-6000:]}{done.stderr[-2000:]}")
    if _contents(project) != before:
        faults.append("the project's files changed")
    if "[tool.acpgen]" in _text(project / "pyproject.toml"):
        outcome = generate.check(config.load(start=project))
        faults += [f"acpgen generate --check: {line}" for line in outcome.moved]
    return faults


def build(project: Path) -> list[str]:
    """What is wrong with the distributions that `python -m build` makes straight after `new`."""
    done = _run((sys.executable, "-m", "build", "--no-isolation", "."), project)
    if done.returncode:
        return [f"build:\n{done.stdout[-3000:]}{done.stderr[-3000:]}"]
    faults = []
    (wheel,) = (project / "dist").glob("*.whl")
    (sdist,) = (project / "dist").glob("*.tar.gz")
    package = next(path.name for path in (project / "src").iterdir())
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        info = next(name for name in names if name.endswith("/METADATA"))
        metadata = Parser().parsestr(archive.read(info).decode())
        scripts = archive.read(info.replace("METADATA", "entry_points.txt")).decode()
    with tarfile.open(sdist) as archive_:
        names += archive_.getnames()
    if f"{package}/py.typed" not in names:
        faults.append("the wheel has no py.typed")
    if metadata["Name"] not in scripts:
        faults.append("there is no command of the distribution's name")
    if junk := [name for name in names if "__pycache__" in name or ".copier" in name]:
        faults.append(f"junk is packed: {junk}")
    extras = set(metadata.get_all("Provides-Extra", []))
    wanted = re.findall(
        rf"{re.escape(metadata['Name'])}\[([\w, -]+)\]", _text(project / "README.md")
    )
    faults += [f"README names the extra {name}" for name in wanted if name not in extras]
    shutil.rmtree(project / "dist")
    return faults


def _run(
    command: Sequence[str], folder: Path, python_path: str | None = None
) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "NO_COLOR": "1"}
    environment.pop("PYTHONPATH", None)
    if python_path is not None:
        environment["PYTHONPATH"] = str(folder / python_path)
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _contents(folder: Path) -> dict[Path, bytes]:
    found = (path for path in folder.rglob("*") if path.is_file())
    return {path: path.read_bytes() for path in found if "__pycache__" not in path.parts}


def _one(combination: Combination, folder: Path, cache: Path) -> bool:
    start = time.monotonic()
    project = make(combination, folder, cache / "bindings")
    faults = judge(project, cache / "mypy")
    if combination.protocols == (1, 2) and not combination.unstable and not combination.login:
        faults += build(project)
    seconds = time.monotonic() - start
    print(f"{combination}: {'FAULTS' if faults else 'fine'}, {seconds:.1f} s", flush=True)
    if faults:
        print("\n".join(faults), flush=True)
    return not faults


def _part(part: Sequence[Combination], folder: Path, cache: Path) -> list[bool]:
    return [_one(combination, folder, cache) for combination in part]


def main(arguments: Sequence[str]) -> int:
    """Make and judge; 1 where anything was complained of."""
    folder, wanted = Path(arguments[0]).resolve(), set(arguments[1:])
    chosen = [item for item in combinations() if not wanted or str(item) in wanted]
    if missing := wanted - {str(item) for item in chosen}:
        print("there is no", ", ".join(sorted(missing)))
        return 2
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    # Not the templates of the user's own projects.
    os.environ["HOME"] = os.environ["USERPROFILE"] = str(folder / "home")
    # Each worker has a part with a cache of its own, in order, so that neighbours share bindings.
    parts = [chosen[worker::WORKERS] for worker in range(WORKERS)]
    with ProcessPoolExecutor(WORKERS) as pool:  # copier changes the working folder of its process
        done = [
            pool.submit(_part, part, folder, folder / f"cache-{at}")
            for at, part in enumerate(parts)
        ]
        results = [fine for future in done for fine in future.result()]
    print(f"{sum(results)} of {len(results)} projects pass")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
