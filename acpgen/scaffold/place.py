"""Where a new project goes: what may be there before, and how it gets there as a whole or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from acpgen.problem import ProblemError


def checked(folder: Path) -> Path:
    """The absolute path of a folder that a project can be put into.

    Raises ProblemError for one that is not empty, no folder, or in a folder that is missing or
    that nothing may be written into.
    """
    try:
        target = Path(os.path.abspath(folder.expanduser()))  # noqa: PTH100 (a link stays a link)
    except RuntimeError as error:
        raise ProblemError.of(str(folder), str(error)) from None
    where, parent = str(folder), target.parent
    try:
        if target.is_symlink() and not target.exists():
            raise ProblemError.of(where, "is a link to nothing", "choose another --path")
        if target.exists():
            if not target.is_dir():
                raise ProblemError.of(where, "is a file, not a folder", "choose another --path")
            if any(target.iterdir()):
                hint = "choose another --path; acpgen update renews a project"
                raise ProblemError.of(where, "is not empty", hint)
            parent = target
        if not parent.exists():
            raise ProblemError.of(where, f"there is no folder {parent}", "make it first")
        if not parent.is_dir():
            raise ProblemError.of(where, f"{parent} is no folder", "choose another --path")
    except PermissionError:
        raise ProblemError.of(where, "may not be read", "choose another --path") from None
    return target


@contextmanager
def staged(target: Path) -> Iterator[tuple[Path, Path]]:
    """Two folders: one to fill with the project, one to work in.

    When the context ends without an error, the project is put at `target`; either way nothing else
    is left. Raises ProblemError where the disk refuses.
    """
    inside = target.exists()
    beside = target if inside else target.parent
    try:
        stage = Path(tempfile.mkdtemp(prefix=".acpgen-new-", dir=beside))
    except OSError as error:
        raise _refused(beside, error) from None
    try:
        project, scratch = stage / "project", stage / "scratch"
        scratch.mkdir()
        project.mkdir()
        try:
            yield project, scratch
            if inside:
                _move_into(project, target, stage)
            else:
                project.rename(target)
        except OSError as error:
            raise _refused(target, error) from error
    finally:
        shutil.rmtree(stage, ignore_errors=True)


def _move_into(project: Path, target: Path, stage: Path) -> None:
    """Move what is in one folder into another, which keeps its identity: somebody may stand in it."""
    if [path for path in target.iterdir() if path != stage]:
        raise ProblemError.of(str(target), "is not empty any more", "choose another --path")
    paths = sorted(project.iterdir())
    try:
        for path in paths:
            goal = target / path.name
            if os.path.lexists(goal):
                raise ProblemError.of(str(goal), "is there already", "choose another --path")
            path.rename(goal)
    except BaseException:
        # Whatever ended it: what is still here was not moved, and its goal is somebody else's.
        for path in (target / path.name for path in paths if not os.path.lexists(path)):
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path, ignore_errors=True)
            else:
                with suppress(OSError):
                    path.unlink()
        raise


def _refused(folder: Path, error: OSError) -> ProblemError:
    what = f"cannot be written: {error.strerror or error}"
    return ProblemError.of(str(folder), what, "choose another --path")
