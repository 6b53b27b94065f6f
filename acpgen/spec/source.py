"""Releases of the protocol's schemas, wherever they come from.

A source is one of:
- `npm:PACKAGE@VERSION`: a release on npm, through the npm client;
- a folder: the root of a package or repository, its schema/ folder, or a schemas/ folder of acpgen
  itself;
- a tarball (gzipped or plain): of such a folder, with or without one folder around it;
- an http(s) URL: of a tarball, or of one schema file;
- one schema file. Its version and channel follow from the end of its path
  (`v2/schema.unstable.json`).

Where the files are has changed: `schema/v1/schema.json` and `schema/v1/schema.unstable.json` today,
one `schema/schema.json` (read as v1 stable) in older releases. Every `vN` folder is taken;
`meta*.json` and anything else is not.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias
from urllib.parse import unquote, urlsplit

from acpgen.problem import Problem, ProblemError
from acpgen.spec import archive, contract, npm
from acpgen.spec.contract import Contract
from acpgen.spec.download import download

Channel = Literal["stable", "unstable"]
Key: TypeAlias = "tuple[int, Channel]"


class SchemaFile(NamedTuple):
    """path: inside the release. data: as it is there."""

    path: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Release:
    """What a source holds.

    source: as it can be given again; a tag on npm is resolved to its version. name, version: from
    npm or package.json, or "".
    integrity: of the tarball or file, as npm writes it (`sha512-...`); "" for a folder.
    files: by version and channel, in that order.
    """

    source: str
    name: str
    version: str
    integrity: str
    files: Mapping[Key, SchemaFile]


_FILE = re.compile(r"(?:v([1-9]\d{0,3})/)?schema(\.unstable)?\.json")
_ROOTS = ("schema/", "schemas/", "")
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
_EXPECTED = "expected schema/vN/schema.json and schema.unstable.json, or schema/schema.json"


def fetch(source: str, base: Path | None = None) -> Release:
    """The schema files of a source.

    base: the folder from which a relative path starts; the working folder if None. Raises
    ProblemError where the source cannot be had, or holds no schema files. Their content is not
    looked at.
    """
    if source.startswith(npm.PREFIX):
        name, version, data = npm.pack(source)
        return _from_bytes(data, f"{npm.PREFIX}{name}@{version}", "", (name, version))
    if _URL.match(source):
        return _from_bytes(download(source), source, unquote(urlsplit(source).path))
    path = Path(base or ".", source)
    try:
        if path.is_dir():
            return _from_folder(path, source)
        if not path.exists():
            hint = "give npm:PACKAGE@VERSION, a folder, a tarball or a URL"
            raise ProblemError.of(source, "there is no such file or folder", hint)
        if not path.is_file():
            raise ProblemError.of(source, "is neither a file nor a folder")
        return _from_bytes(_read(path, source, archive.MAX_PACKED), source, path.as_posix())
    except (OSError, ValueError) as error:
        raise _unreadable(source, error) from None


def contracts(release: Release) -> dict[Key, Contract]:
    """The contract form of every file of a release.

    Raises ProblemError with what is wrong in any of them.
    """
    found: dict[Key, Contract] = {}
    problems: list[Problem] = []
    for key, file in release.files.items():
        try:
            found[key] = contract.parse(file.data, f"{release.source} {file.path}")
        except ProblemError as error:
            problems += error.problems
    if problems:
        raise ProblemError(problems)
    return found


def path_of(key: Key) -> str:
    """Where acpgen keeps a schema: `v2/schema.unstable.json`."""
    version, channel = key
    return f"v{version}/schema{'.unstable' if channel == 'unstable' else ''}.json"


def key_of(path: str) -> Key | None:
    """The version and channel that a path below a schema folder stands for, or None."""
    match = _FILE.fullmatch(path)
    return (int(match[1] or 1), "unstable" if match[2] else "stable") if match else None


def _located(paths: Iterable[str]) -> dict[Key, str]:
    """Which of a release's paths are its schema files. A `v1` folder goes before the old place."""
    known = sorted(paths)
    for root in _ROOTS:
        found: dict[Key, str] = {}
        for path in known:
            key = key_of(path.removeprefix(root)) if path.startswith(root) else None
            if key is not None and (key not in found or path.startswith(f"{root}v")):
                found[key] = path
        if found:
            return dict(sorted(found.items()))
    return {}


def _wanted(path: str) -> bool:
    return path == "package.json" or any(
        path.startswith(root) and key_of(path.removeprefix(root)) for root in _ROOTS
    )


def _release(
    source: str, files: Mapping[str, bytes], integrity: str, known: tuple[str, str] | None = None
) -> Release:
    places = _located(files)
    if not places:
        raise ProblemError.of(source, "holds no schema files of the protocol", _EXPECTED)
    name, version = known or _package(files.get("package.json", b""))
    found = {key: SchemaFile(path, files[path]) for key, path in places.items()}
    return Release(source, name, version, integrity, found)


def _package(manifest: bytes) -> tuple[str, str]:
    """Name and version in a package.json; it is only for information, so whatever else it holds is
    no error.
    """
    try:
        value = json.loads(manifest)
    except (ValueError, RecursionError):
        return ("", "")
    if not isinstance(value, dict):
        return ("", "")
    name, version = value.get("name"), value.get("version")
    return (name if isinstance(name, str) else "", version if isinstance(version, str) else "")


def _from_bytes(
    data: bytes, source: str, path: str, known: tuple[str, str] | None = None
) -> Release:
    digest = base64.b64encode(hashlib.sha512(data).digest()).decode("ascii")
    integrity = f"sha512-{digest}"
    if archive.is_tarball(data):
        return _release(source, archive.read(data, source, _wanted), integrity, known)
    if not data.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{"):
        hint = "it is a page, not a file" if b"<html" in data[:1024].lower() else ""
        raise ProblemError.of(source, "is neither a tarball nor a JSON schema", hint)
    parts = [part for part in path.replace("\\", "/").split("/") if part]
    for end in ("/".join(parts[-2:]), parts[-1] if parts else ""):
        if (key := key_of(end)) is not None:
            return Release(source, "", "", integrity, {key: SchemaFile(end, data)})
    hint = "its path must end like v2/schema.unstable.json"
    raise ProblemError.of(source, "does not say which version and channel it is", hint)


def _from_folder(folder: Path, source: str) -> Release:
    paths = [folder / "package.json"]
    for root in _ROOTS:
        for inner in (folder / root, *sorted((folder / root).glob("v*"))):
            paths += [inner / "schema.json", inner / "schema.unstable.json"]
    files = {
        path.relative_to(folder).as_posix(): _read(path, source, archive.MAX_FILE)
        for path in paths
        if path.is_file()
    }
    return _release(source, {path: data for path, data in files.items() if _wanted(path)}, "")


def _read(path: Path, source: str, limit: int) -> bytes:
    try:
        if path.stat().st_size > limit:
            raise ProblemError.of(source, f"{path.name} is larger than {limit >> 20} MiB: refused")
        return path.read_bytes()
    except OSError as error:
        raise _unreadable(source, error, path.name) from None


def _unreadable(source: str, error: Exception, name: str = "") -> ProblemError:
    reason = (error.strerror if isinstance(error, OSError) else None) or error
    return ProblemError.of(source, f"{name + ' ' if name else ''}cannot be read: {reason}")
