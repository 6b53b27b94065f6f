"""Tarballs, read in memory: nothing is unpacked to disk, and nothing in one can point out of it."""

from __future__ import annotations

import gzip
import io
import re
import tarfile
import zlib
from collections.abc import Callable

from acpgen.problem import ProblemError

MAX_PACKED = 64 * 2**20
MAX_UNPACKED = 256 * 2**20
MAX_FILE = 32 * 2**20
MAX_MEMBERS = 100_000
"""Limits in bytes and members. Release 2.4.0 of the SDK: 0.8 MB packed, 9 MB unpacked."""

_GZIP = b"\x1f\x8b"
_BLOCK = tarfile.BLOCKSIZE
_DRIVE = re.compile(r"[A-Za-z]:")
_FETCH_AGAIN = "fetch it again"


def is_tarball(data: bytes) -> bool:
    """Whether the bytes begin like a gzip file or a tar archive."""
    return data.startswith(_GZIP) or data[257:262] == b"ustar"


def read(data: bytes, where: str, wanted: Callable[[str], bool]) -> dict[str, bytes]:
    """The wanted regular files of a tarball, gzipped or not, by path.

    Where everything in it lies in one top folder, the paths start below that folder. Links are not
    followed.
    Raises ProblemError where the tarball is truncated, damaged or larger than the limits, or where
    any name or link in it leads out of the folder that it would be unpacked to.
    """
    plain = _decompressed(data, where) if data.startswith(_GZIP) else data
    if not any(plain[:_BLOCK]):
        raise ProblemError.of(where, "is an empty tarball")
    try:
        with tarfile.open(fileobj=io.BytesIO(plain), mode="r:") as tar:
            members = _members(tar, where)
            end = plain[tar.offset : tar.offset + _BLOCK]
            if len(end) < _BLOCK or any(end):
                raise ProblemError.of(where, "is a truncated or damaged tarball", _FETCH_AGAIN)
            return _files(tar, members, where, wanted)
    except (tarfile.TarError, EOFError, OSError, ValueError, OverflowError) as error:
        what = f"is a truncated or damaged tarball: {error}"
        raise ProblemError.of(where, what, _FETCH_AGAIN) from None


def _decompressed(data: bytes, where: str) -> bytes:
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
            plain = stream.read(MAX_UNPACKED + 1)
    except EOFError:
        raise ProblemError.of(where, "is a truncated tarball", _FETCH_AGAIN) from None
    except (OSError, zlib.error) as error:
        raise ProblemError.of(where, f"is a damaged tarball: {error}", _FETCH_AGAIN) from None
    if len(plain) > MAX_UNPACKED:
        raise ProblemError.of(where, f"unpacks to more than {MAX_UNPACKED >> 20} MiB: refused")
    return plain


def _members(tar: tarfile.TarFile, where: str) -> list[tarfile.TarInfo]:
    members: list[tarfile.TarInfo] = []
    for member in tar:
        if len(members) >= MAX_MEMBERS:
            raise ProblemError.of(where, f"has more than {MAX_MEMBERS} members: refused")
        if _climbs(member.name):
            what = f"has a member whose name leads out of it: {member.name!r}"
            raise ProblemError.of(where, what, "do not trust this file")
        if member.issym() or member.islnk():
            folder = member.name.rpartition("/")[0] if member.issym() else ""
            if _climbs(member.linkname, folder):
                what = f"has a link that leads out of it: {member.name!r} -> {member.linkname!r}"
                raise ProblemError.of(where, what, "do not trust this file")
        members.append(member)
    return members


def _climbs(name: str, folder: str = "") -> bool:
    """Whether a path, seen from a folder of the archive, leads out of the archive.

    Backslashes count as separators, on any system.
    """
    name = name.replace("\\", "/")
    if name.startswith("/") or _DRIVE.match(name) or "\0" in name:
        return True
    if not folder:  # a member's own name has no business with `..`
        return ".." in name.split("/")
    depth = len([part for part in folder.split("/") if part not in ("", ".")])
    for part in name.split("/"):
        depth += -1 if part == ".." else part not in ("", ".")
        if depth < 0:
            return True
    return False


def _files(
    tar: tarfile.TarFile,
    members: list[tarfile.TarInfo],
    where: str,
    wanted: Callable[[str], bool],
) -> dict[str, bytes]:
    regular = {_parts(member.name): member for member in members if member.isreg()}
    tops = {parts[:1] for parts in regular}
    nested = len(tops) == 1 and all(len(parts) > 1 for parts in regular)
    found: dict[str, bytes] = {}
    for parts, member in regular.items():
        path = "/".join(parts[1:] if nested else parts)
        if not wanted(path):
            continue
        if member.size > MAX_FILE:
            what = f"has {path} of {member.size} bytes: more than {MAX_FILE >> 20} MiB"
            raise ProblemError.of(where, what, "refused")
        stream = tar.extractfile(member)
        assert stream is not None  # it is a regular file
        found[path] = stream.read()
    return found


def _parts(name: str) -> tuple[str, ...]:
    return tuple(part for part in name.split("/") if part not in ("", "."))
