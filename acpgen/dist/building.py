"""Build the sdist and the wheel of a generated project, more than once, and compare the bytes.

The backend (hatchling) runs through `build`: in an environment of its own, made once for all builds
of a run, or with what is installed beside acpgen.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import os
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

from acpgen.problem import Problem, ProblemError

EPOCH = 1577836800
"""2020-01-01, the time of every file in an artefact unless SOURCE_DATE_EPOCH says another."""

_FIRST, _LAST = 315532800, 4354819199
"""1980-01-01 and 2107-12-31 in seconds: what a wheel, which is a zip file, can hold."""

# Lines of a failed build that are shown.
_TAIL = 12

Kind = Literal["sdist", "wheel"]


@dataclass(frozen=True, slots=True)
class Built:
    """The artefacts: file name -> bytes; the sdist's and the wheel's name."""

    files: Mapping[str, bytes]
    sdist: str
    wheel: str


Backend: TypeAlias = "Callable[[Kind, Path, Path], Path]"
"""Builds one artefact of a project folder into another folder and returns its path."""


def need_tools(isolated: bool) -> None:
    """Raise ProblemError where a tool that packaging needs is not installed."""
    needed = ["build", "twine", *([] if isolated else ["hatchling"])]
    if missing := [name for name in needed if importlib.util.find_spec(name) is None]:
        raise ProblemError.of(
            "acpgen package",
            f"{' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} not installed",
            "python -m pip install 'acpgen[package]'",
        )


def epoch() -> int:
    """The time that goes into the artefacts, in seconds: SOURCE_DATE_EPOCH, else a fixed one."""
    text = os.environ.get("SOURCE_DATE_EPOCH", "")
    if not text:
        return EPOCH
    if not (text.isascii() and text.isdigit() and _FIRST <= int(text) <= _LAST):
        raise ProblemError.of(
            "SOURCE_DATE_EPOCH",
            f"{text!r} is no time between 1980 and 2107 in seconds since 1970",
            "unset it, or set it to a whole number",
        )
    return int(text)


def run(
    files: Mapping[str, str],
    work: Path,
    seconds: int,
    *,
    isolated: bool,
    progress: Callable[[str], None],
) -> Built:
    """Build in the folder `work`, which is empty.

    The sdist is built twice, from two folders of different names and file modes, the wheel from
    each and from the sdist; all have to be equal. Raises ProblemError where one is not, and where
    the backend fails.
    """
    (work / ".git").mkdir()  # hatchling looks upwards for a .gitignore; here it stops
    one, two = work / "one", work / "another folder" / "two"
    _write(files, one, 0o755, 0o644)
    _write(files, two, 0o700, 0o600)
    with _backend(one, seconds, isolated, progress) as backend:
        progress("building the sdist")
        sdist = backend("sdist", one, work / "sdist")
        progress("building the wheel")
        wheel = backend("wheel", one, work / "wheel")
        progress("building again")
        unpacked = _unpack(sdist.read_bytes(), work / "unpacked")
        others = {
            "the sdist, built in another folder,": backend("sdist", two, work / "sdist2"),
            "the wheel, built from the sdist,": backend("wheel", unpacked, work / "wheel2"),
            "the wheel, built in another folder,": backend("wheel", two, work / "wheel3"),
        }
    built = Built({item.name: item.read_bytes() for item in (sdist, wheel)}, sdist.name, wheel.name)
    problems = [
        Problem(path.name, f"{what} has other bytes than the first one")
        for what, path in others.items()
        if built.files.get(path.name) != path.read_bytes()
    ]
    if problems:
        raise ProblemError(problems)
    return built


def _write(files: Mapping[str, str], folder: Path, folder_mode: int, file_mode: int) -> None:
    folder.mkdir(parents=True)
    for path, text in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode("utf-8"))
        target.chmod(file_mode)
    for item in folder.rglob("*"):
        if item.is_dir():
            item.chmod(folder_mode)


def _unpack(sdist: bytes, folder: Path) -> Path:
    """Unpack an sdist by hand: regular files below one folder, and nothing else."""
    with tarfile.open(fileobj=io.BytesIO(sdist), mode="r:gz") as archive:
        for member in archive.getmembers():
            target = (folder / member.name).resolve()
            content = archive.extractfile(member) if member.isreg() else None
            if content is None or not target.is_relative_to(folder):
                raise ProblemError.of(f"sdist#{member.name}", "is no regular file of the project")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content.read())
    tops = list(folder.iterdir())
    if len(tops) != 1:
        raise ProblemError.of("sdist", f"has {len(tops)} folders on top instead of one")
    return tops[0]


@contextmanager
def _backend(
    project: Path, seconds: int, isolated: bool, progress: Callable[[str], None]
) -> Iterator[Backend]:
    """What builds; `project` is any of the folders, for its build requirements."""
    from build import BuildBackendException, BuildException, ProjectBuilder
    from build.env import DefaultIsolatedEnv

    runner = _runner(seconds)
    try:
        with contextlib.ExitStack() as stack:
            # What `build` says of its steps must not mix with our own output.
            stack.enter_context(contextlib.redirect_stdout(io.StringIO()))
            environment = stack.enter_context(DefaultIsolatedEnv()) if isolated else None
            if environment is not None:
                progress("making a build environment")
                builder = ProjectBuilder.from_isolated_env(environment, project, runner)
                environment.install(builder.build_system_requires)
                for kind in ("sdist", "wheel"):
                    environment.install(builder.get_requires_for_build(kind))

            def backend(kind: Kind, folder: Path, target: Path) -> Path:
                if environment is not None:
                    builder = ProjectBuilder.from_isolated_env(environment, folder, runner)
                else:
                    builder = ProjectBuilder(folder, runner=runner)
                return Path(builder.build(kind, target))

            yield backend
    except (BuildBackendException, BuildException) as error:
        raise ProblemError.of("build", _reason(error), _hint(isolated)) from error
    except subprocess.CalledProcessError as error:  # pip could not fill the environment
        raise ProblemError.of(
            "build", f"the build environment cannot be made: {_reason(error)}", _hint(isolated)
        ) from error


def _hint(isolated: bool) -> str:
    if isolated:
        return "without a package index, --no-isolation builds with the hatchling that is installed"
    return "acpgen generate --out FOLDER writes the project that this is about"


def _reason(error: BaseException) -> str:
    """The last line that a failed process wrote and those before it, else the error's own text."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, subprocess.CalledProcessError):
            raw = cause.stderr or cause.stdout or b""
            text = raw.decode("utf-8", "replace") if isinstance(raw, bytes) else str(raw)
            lines = [line.rstrip() for line in text.splitlines() if line.strip()]
            if lines:
                told = [f"    | {line}" for line in lines[-_TAIL:-1]]
                return "\n".join([lines[-1].strip(), *told])
        cause = getattr(cause, "exception", None) or cause.__cause__
    return str(error).strip() or type(error).__name__


def _runner(seconds: int) -> Any:
    """Runs the backend's hooks quietly, in an environment that says nothing of this machine."""

    def run(
        command: Sequence[str],
        cwd: str | None = None,
        extra_environ: Mapping[str, str] | None = None,
    ) -> None:
        kept = {key: value for key, value in os.environ.items() if not key.startswith("HATCH_")}
        environment = {**kept, **(extra_environ or {}), "SOURCE_DATE_EPOCH": str(seconds)}
        subprocess.run(command, cwd=cwd, env=environment, check=True, capture_output=True)

    return run


def twine(files: Sequence[Path], folder: Path) -> list[Problem]:
    """What `twine check --strict` finds in the artefacts."""
    done = subprocess.run(
        [sys.executable, "-m", "twine", "--no-color", "check", "--strict", *map(str, files)],
        cwd=folder,
        capture_output=True,
        text=True,
        encoding="utf-8",
        errors="replace",
    )
    if done.returncode == 0:
        return []
    said = " ".join(line.strip() for line in done.stdout.splitlines() if line.strip())
    return [Problem("twine check", (said or done.stderr.strip())[-400:])]
