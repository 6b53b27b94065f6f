"""Where the packaged input is: schemas/ and templates/.

A wheel carries both under `acpgen/_data`; an editable install and a checkout have no such folder,
so the top level of the checkout serves. A user's own folders are searched first, file by file.
"""

from __future__ import annotations

import difflib
import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from acpgen.problem import Problem, ProblemError

PACKAGE_DIR = Path(__file__).resolve().parent

PROJECTS = ("agent", "client")
"""Folders in templates/ for `acpgen new`, which no other command reads."""


def data_dir(name: str) -> Path:
    """The packaged folder `name` ("schemas" or "templates").

    Raises FileNotFoundError where neither the wheel nor the checkout has it: the installation is
    broken.
    """
    for folder in (PACKAGE_DIR / "_data" / name, PACKAGE_DIR.parent / name):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"this installation of acpgen has no {name}/ folder; install it again")


def is_checkout() -> bool:
    """acpgen runs from its own repository, not from an installed wheel."""
    return not (PACKAGE_DIR / "_data").is_dir()


def schemas_dir() -> Path:
    return data_dir("schemas")


def templates_dir() -> Path:
    return data_dir("templates")


def walk(folder: Path) -> Iterator[str]:
    """Paths of the files below a folder, relative to it, with forward slashes, in a fixed order.

    Hidden files and `__pycache__` are skipped: pip compiles every .py file that it installs, and
    editors and file managers leave their own.
    """
    for path in sorted(folder.iterdir(), key=lambda item: item.name):
        if path.name == "__pycache__" or path.name.startswith("."):
            continue
        if path.is_dir():
            yield from (f"{path.name}/{below}" for below in walk(path))
        else:
            yield path.name


def first(relative: str, folders: Sequence[Path]) -> Path | None:
    """The first of the folders' files at a relative path, or None."""
    return next((path for folder in folders if (path := folder / relative).is_file()), None)


def digest(data: bytes | str) -> str:
    """sha256 in hex. Line ends count as LF, so that a checkout with CRLF hashes alike."""
    raw = data.encode("utf-8") if isinstance(data, str) else data
    return hashlib.sha256(raw.replace(b"\r\n", b"\n")).hexdigest()


def file_digest(path: Path) -> str:
    return digest(path.read_bytes())


def template_files(user_folders: Sequence[Path] = ()) -> dict[str, Path]:
    """Every template of the bindings by name, each from the first folder that has it. Raises
    ProblemError for stale overrides.
    """
    packaged = templates_dir()
    found = {
        name: packaged / name for name in walk(packaged) if name.split("/", 1)[0] not in PROJECTS
    }
    known = set(found)
    problems = []
    for folder in reversed(user_folders):
        if not folder.is_dir():
            problems.append(Problem(folder.as_posix(), "is not a folder of templates"))
            continue
        for name in walk(folder):
            if name in known:
                found[name] = folder / name
            else:
                problems.append(
                    Problem(
                        f"{folder.as_posix()}/{name}",
                        "overrides no template",
                        _nearest(name, known),
                    )
                )
    if problems:
        raise ProblemError(problems)
    return found


def _nearest(name: str, known: set[str]) -> str:
    near = difflib.get_close_matches(name, sorted(known), n=1)
    if not near:
        near = [
            item for item in sorted(known) if item.rsplit("/", 1)[-1] == name.rsplit("/", 1)[-1]
        ]
    return (
        f"did you mean {near[0]}?"
        if near
        else "remove it, or move it to the path of a packaged template"
    )
