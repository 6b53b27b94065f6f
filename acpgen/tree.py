"""{path: text} <-> the output folder.

`plan` compares texts with the disk and says what may be done; `write` does it; `drift` shows how
they differ. Files that acpgen did not write are never touched, and a generated file that was edited
by hand is reported, not overwritten.
"""

from __future__ import annotations

import difflib
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Literal

from acpgen import manifest as manifests
from acpgen.manifest import Manifest, ManifestError
from acpgen.problem import Problem, ProblemError
from acpgen.resources import digest
from acpgen.spec import atomic

Doing = Literal["read", "write"]


@dataclass(frozen=True, slots=True)
class Plan:
    """What writing would do: texts to write (where the disk differs) and files to remove."""

    writes: Mapping[str, str]
    removes: tuple[str, ...]

    @property
    def empty(self) -> bool:
        return not self.writes and not self.removes


def read_manifest(root: Path, force: bool = False) -> Manifest | None:
    """The folder's manifest, None where there is none. An unusable one is a ProblemError, or with
    force as good as none.
    """
    try:
        return manifests.read(root)
    except OSError as error:
        raise os_problem(root, error, "read") from error
    except ManifestError as error:
        if force:
            return None
        raise ProblemError.of(
            f"{_name(root)}/{manifests.NAME}",
            str(error),
            "restore it from version control, or generate with --force",
        ) from error


@contextmanager
def guarded(root: Path, doing: Doing = "write") -> Iterator[None]:
    """Turn what the filesystem refuses inside into a ProblemError. doing: what was tried there."""
    try:
        yield
    except OSError as error:
        raise os_problem(root, error, doing) from error


def plan(root: Path, files: Mapping[str, str], old: Manifest | None, force: bool = False) -> Plan:
    """Compare. Raises ProblemError naming every file that stands in the way; force overwrites
    files, but no folders.

    `files` includes the manifest's own text.
    """
    problems = list(_unsafe(files))
    if root.exists() and not root.is_dir():
        problems.append(
            Problem(_name(root), "is a file, not a folder", "choose another output folder")
        )
    if problems:
        raise ProblemError(problems)
    owned = dict(old.files) if old is not None else {}
    gone = [path for path in owned if path not in files]
    writes: dict[str, str] = {}
    removes: list[str] = []
    problems.extend(_links(root, [*files, *gone]))
    for path, text in files.items():
        state = _state(root, path)
        if state == digest(text):
            continue
        if state == "folder":
            problems.append(Problem(f"{_name(root)}/{path}", "is a folder where a file has to be"))
        elif state is not None and not force and path != manifests.NAME:
            problems.extend(_in_the_way(root, path, state, owned.get(path)))
        if (blocking := _blocking_file(root, path)) is not None and blocking not in gone:
            problems.append(
                Problem(f"{_name(root)}/{blocking}", "is a file where a folder has to be")
            )
        writes[path] = text
    for path in gone:
        state = _state(root, path)
        if state is None or state == "folder":
            continue
        if state != owned[path] and not force:
            problems.extend(_in_the_way(root, path, state, owned[path]))
        removes.append(path)
    if problems:
        raise ProblemError(problems)
    return Plan(writes, tuple(sorted(removes)))


def write(root: Path, plan: Plan) -> None:
    """Carry out a plan, all or nothing; the manifest goes last. Hold `atomic.exclusive` meanwhile.

    Raises ProblemError for what the filesystem refuses; the old output then stands.
    """
    if plan.empty:
        return
    order = sorted(plan.writes, key=lambda path: (path == manifests.NAME, path))
    changes: dict[str, bytes | None] = dict.fromkeys(plan.removes)
    changes |= {path: plan.writes[path].encode("utf-8") for path in order}
    try:
        atomic.replace_all(root, changes)
    finally:
        _prune(root, changes)


def recover(root: Path) -> bool:
    """Undo an interrupted run of before. True where there was one."""
    try:
        return atomic.recover(root)
    except (OSError, ValueError) as error:
        raise ProblemError.of(
            f"{_name(root)}/{atomic.STAGE}",
            f"an interrupted run cannot be undone: {error}",
            "restore the folder from version control and remove this one",
        ) from error


def _prune(root: Path, paths: Iterable[str]) -> None:
    """Remove the folders below root that became empty, or hold bytecode of removed modules
    alone.
    """
    folders = {parent for path in paths for parent in (root / path).parents}
    inside = [folder for folder in folders if folder != root and folder.is_relative_to(root)]
    for folder in sorted(inside, key=lambda item: -len(item.parts)):
        if folder.is_dir() and all(item.name == "__pycache__" for item in folder.iterdir()):
            shutil.rmtree(folder / "__pycache__", ignore_errors=True)
            with suppress(OSError):
                folder.rmdir()


def os_problem(root: Path, error: OSError, doing: Doing = "write") -> ProblemError:
    """An OSError in our words, the path relative to the output folder's name."""
    where = _name(root)
    if error.filename is not None:
        path = Path(os.fsdecode(error.filename))
        if path.is_relative_to(root) and path != root:
            where = f"{where}/{path.relative_to(root).as_posix()}"
    reason = error.strerror or str(error)
    if doing == "read":
        hint = "look at its permissions" if isinstance(error, PermissionError) else ""
        return ProblemError.of(where, f"cannot be read: {reason}", hint)
    return ProblemError.of(where, f"cannot be written: {reason}", "nothing was changed")


def damage(root: Path, old: Manifest) -> list[str]:
    """Files of the manifest that are gone or differ from it, in order. Reads every file, and
    nothing else.
    """
    return [path for path, sha in sorted(old.files.items()) if _state(root, path) != sha]


def drift(root: Path, files: Mapping[str, str], old: Manifest | None) -> str:
    """A unified diff from the disk to the texts, empty where they agree. Files that acpgen does not
    own take no part.
    """
    owned = set(old.files) if old is not None else set()
    parts: list[str] = []
    for path in sorted({*files, *owned}):
        on_disk = _read(root / path)
        wanted = files.get(path)
        if on_disk == wanted:
            continue
        parts.extend(
            difflib.unified_diff(
                (on_disk or "").splitlines(keepends=True),
                (wanted or "").splitlines(keepends=True),
                f"a/{path}" if on_disk is not None else "/dev/null",
                f"b/{path}" if wanted is not None else "/dev/null",
            )
        )
    return "".join(
        part if part.endswith("\n") else f"{part}\n\\ No newline at end of file\n" for part in parts
    )


def _name(root: Path) -> str:
    return root.name or root.as_posix()


def _read(path: Path) -> str | None:
    try:
        return path.read_bytes().decode("utf-8", "backslashreplace").replace("\r\n", "\n")
    except OSError:
        return None


def _state(root: Path, path: str) -> str | None:
    """None: nothing there; "folder"; "link"; else the file's sha256."""
    target = root / path
    if target.is_symlink():
        return "link"
    try:
        return digest(target.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        return None
    except IsADirectoryError:
        return "folder"
    except OSError as error:
        if target.is_dir():  # a PermissionError is what Windows says when a folder is opened
            return "folder"
        raise os_problem(root, error, "read") from error


def _in_the_way(root: Path, path: str, state: str, recorded: str | None) -> list[Problem]:
    where = f"{_name(root)}/{path}"
    if state == "link":
        return [Problem(where, "is a symbolic link", "--force replaces the link by a file")]
    if recorded is None:
        return [
            Problem(
                where,
                "acpgen did not write this file, and would overwrite it",
                "move it away, or overwrite it with --force",
            )
        ]
    if state != recorded:
        return [
            Problem(
                where,
                "was edited by hand since acpgen wrote it",
                "put the change into a template, or overwrite it with --force",
            )
        ]
    return []


def _unsafe(files: Mapping[str, str]) -> Iterator[Problem]:
    """Paths that would leave the folder, or that some filesystem cannot tell apart."""
    seen: dict[str, str] = {}
    for path in files:
        pure = PurePosixPath(path)
        if (
            pure.is_absolute()
            or ".." in pure.parts
            or "\\" in path
            or ":" in path
            or pure.as_posix() != path
        ):
            yield Problem(path, "is no path inside the output folder")
        other = seen.setdefault(path.casefold(), path)
        if other != path:
            yield Problem(path, f"differs from {other} in case alone")


def _links(root: Path, paths: list[str]) -> Iterator[Problem]:
    """Folders below root that are links: what is written there would land elsewhere."""
    folders = {parent for path in paths for parent in PurePosixPath(path).parents}
    for folder in sorted(item.as_posix() for item in folders if item.parts):
        if (root / folder).is_symlink():
            yield Problem(
                f"{_name(root)}/{folder}",
                "is a symbolic link to a folder; acpgen writes into real folders only",
                "remove the link",
            )


def _blocking_file(root: Path, path: str) -> str | None:
    for folder in reversed(PurePosixPath(path).parents):
        if folder.parts and (root / folder).is_file():
            return folder.as_posix()
    return None
