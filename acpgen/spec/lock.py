"""schemas/lock.toml: which release the schemas come from, and what each file was and is.

It holds no time and no absolute path, so that equal input gives an equal lock. A path of a folder
or tarball is relative to the folder of the lock file.
"""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import tomlkit

from acpgen.problem import Problem, ProblemError
from acpgen.spec.source import key_of

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

NAME = "lock.toml"

_HEADER = (
    "Written by `acpgen sync`; do not edit. `acpgen sync --check` compares it with its source."
)
_SHA256 = re.compile(r"[0-9a-f]{64}")
_TEXTS = ("source", "package", "version", "integrity")
_HINT = "restore it, or remove it and run acpgen sync SOURCE"


@dataclass(frozen=True, slots=True)
class LockedFile:
    """One schema. upstream: its path in the release. Hashes of the file there, and of its contract
    form here.
    """

    upstream: str
    upstream_sha256: str
    contract_sha256: str


@dataclass(frozen=True, slots=True)
class Lock:
    """source: what `acpgen sync` was given. package, version, integrity: as far as the source says.
    files: by path here.
    """

    source: str
    package: str = ""
    version: str = ""
    integrity: str = ""
    files: Mapping[str, LockedFile] = field(default_factory=dict)


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def dumps(lock: Lock) -> str:
    """The text of a lock file."""
    lines = [f"# {_HEADER}", *(f"{key} = {_quoted(getattr(lock, key))}" for key in _TEXTS)]
    for path, file in sorted(lock.files.items()):
        lines += ["", "[[file]]", f"path = {_quoted(path)}"]
        lines += [f"{key} = {_quoted(getattr(file, key))}" for key in LockedFile.__slots__]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return tomlkit.string(text).as_string()


def load(folder: Path) -> Lock | None:
    """The lock of a schemas folder, or None if it has none. Raises ProblemError where it is not
    what `dumps` writes.
    """
    path = folder / NAME
    where = f"{folder.resolve().name}/{NAME}"
    try:
        value = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise ProblemError.of(where, f"cannot be read: {error}", _HINT) from None
    problems: list[Problem] = []
    texts = {key: _text(value, key, where, problems) for key in _TEXTS}
    if not texts["source"]:
        problems.append(Problem(where, "names no source", _HINT))
    tables = value.pop("file", [])
    files: dict[str, LockedFile] = {}
    for index, table in enumerate(tables if isinstance(tables, list) else [None]):
        place = f"{where}#file[{index}]"
        if not isinstance(table, dict):
            problems.append(Problem(place, "is no table", _HINT))
            continue
        path_here, locked = _file(table, place, problems)
        if path_here in files:
            problems.append(Problem(place, f"{path_here} stands twice", _HINT))
        files[path_here] = locked
    problems += [Problem(where, f"unknown key {key!r}", _HINT) for key in sorted(value)]
    if problems:
        raise ProblemError(problems)
    return Lock(**texts, files=files)


def _file(table: dict[str, Any], place: str, problems: list[Problem]) -> tuple[str, LockedFile]:
    path = _text(table, "path", place, problems)
    if key_of(path) is None:  # also keeps a lock from reaching outside its folder
        problems.append(Problem(place, f"{path!r} is no place of a schema", _HINT))
    texts = {key: _text(table, key, place, problems) for key in LockedFile.__slots__}
    for key in ("upstream_sha256", "contract_sha256"):
        if not _SHA256.fullmatch(texts[key]):
            problems.append(Problem(place, f"{key} is no SHA-256", _HINT))
    problems += [Problem(place, f"unknown key {key!r}", _HINT) for key in sorted(table)]
    return path, LockedFile(**texts)


def _text(table: dict[str, Any], key: str, where: str, problems: list[Problem]) -> str:
    """Take a text out of a table."""
    value = table.pop(key, None)
    if not isinstance(value, str):
        problems.append(Problem(where, f"{key} must be a text", _HINT))
        return ""
    return value
