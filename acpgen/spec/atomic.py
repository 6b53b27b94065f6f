"""Change several files of a folder as one: all of them, or none.

Single files are replaced by a rename. Before the first rename the old files and a journal of the
change are on disk beside them, so that an error or an interruption is undone at once, and a process
that was killed by the next run (`recover`).
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from acpgen.problem import ProblemError

STAGE = ".acpgen-stage"
"""The folder in which a change is prepared; it is gone when the change is done."""

WAIT = 15.0
"""Seconds to wait for another run; one change takes a fraction of a second."""

_JOURNAL = "journal.json"


@contextmanager
def exclusive(folder: Path, what: str) -> Iterator[None]:
    """Keep other processes of this user out of a folder, by a lock file that lies outside of it.

    what: the command, for the message. Raises ProblemError where another one has the folder for
    longer than WAIT seconds.
    """
    user = os.environ.get("USERNAME", "") if os.name == "nt" else str(os.getuid())
    digest = hashlib.sha256(f"{user}\0{folder.resolve()}".encode("utf-8", "surrogateescape"))
    path = Path(tempfile.gettempdir(), f"acpgen-{digest.hexdigest()[:24]}.lock")
    lock = FileLock(path, timeout=WAIT)
    try:
        lock.acquire()
    except Timeout:
        what = f"another {what} is at work in this folder"
        raise ProblemError.of(str(folder), what, "wait until it is done") from None
    except OSError as error:
        what = f"no lock file can be made: {error.strerror or error}"
        raise ProblemError.of(str(path.parent), what, "set TMPDIR to a folder of yours") from None
    try:
        yield
    finally:
        lock.release()


def pending(folder: Path) -> bool:
    """Whether a killed run left a change half done."""
    return (folder / STAGE / _JOURNAL).is_file()


def recover(folder: Path) -> bool:
    """Undo what a killed run left half done. Returns whether there was anything to undo."""
    half_done = pending(folder)
    if half_done:
        _undo(folder)
    shutil.rmtree(folder / STAGE, ignore_errors=True)
    return half_done


def replace_all(folder: Path, changes: Mapping[str, bytes | None]) -> None:
    """Write files of a folder, or remove those whose content is None, in that order.

    folder: made if it is missing. changes: by path below the folder, with `/`. Hold `exclusive`
    while you call it.
    Raises ProblemError where the disk refuses; then, and on any other exception, the files are as
    they were.
    """
    made = _missing(folder)
    try:
        try:
            _prepare(folder, changes)
            for index, (path, data) in enumerate(changes.items()):
                target = folder / path
                if data is None:
                    target.unlink(missing_ok=True)
                    _remove_if_empty(target.parent, folder)
                else:
                    target.parent.mkdir(parents=True, exist_ok=True)
                    (folder / STAGE / f"new-{index}").replace(target)
            (folder / STAGE / _JOURNAL).unlink()
        except BaseException:
            _undo(folder)
            raise
    except BaseException as error:
        if isinstance(error, OSError):
            what = f"cannot be written: {error.strerror or error}"
            raise ProblemError.of(str(error.filename or folder), what) from None
        raise
    finally:
        if not pending(folder):  # else it could not be undone: the next run needs what is there
            shutil.rmtree(folder / STAGE, ignore_errors=True)
            for parent in made:
                _remove_if_empty(parent, parent.parent)


def _missing(folder: Path) -> list[Path]:
    """The folders that have to be made for it, innermost first."""
    return [path for path in (folder, *folder.parents) if not path.exists()]


def _prepare(folder: Path, changes: Mapping[str, bytes | None]) -> None:
    """Put the new files, the old files and, last, the journal on disk."""
    stage = folder / STAGE
    stage.mkdir(parents=True)
    journal: list[tuple[str, bool]] = []
    for index, (path, data) in enumerate(changes.items()):
        old = folder / path
        exists = old.exists()
        if exists:
            shutil.copy2(old, stage / f"old-{index}")
        if data is not None:
            (stage / f"new-{index}").write_bytes(data)
        journal.append((path, exists))
    draft = stage / f"{_JOURNAL}.new"
    draft.write_text(json.dumps(journal), encoding="utf-8")
    draft.replace(stage / _JOURNAL)


def _undo(folder: Path) -> None:
    """Put the old files back, as the journal lists them, then remove the journal.

    It needs no room on the disk, and can be repeated if it is interrupted itself.
    """
    stage = folder / STAGE
    journal = stage / _JOURNAL
    if not journal.is_file():
        return
    for index, (path, existed) in enumerate(json.loads(journal.read_text(encoding="utf-8"))):
        target = folder / path
        if not existed:
            target.unlink(missing_ok=True)
            _remove_if_empty(target.parent, folder)
            continue
        old = stage / f"old-{index}"
        if old.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            old.replace(target)
    journal.unlink()


def _remove_if_empty(path: Path, keep: Path) -> None:
    """Remove a folder and those above it, up to `keep`, as long as they are empty."""
    while path != keep and path.is_dir() and not any(path.iterdir()):
        path.rmdir()
        path = path.parent
