"""Tarballs that are cut, damaged, hostile or too large."""

from __future__ import annotations

import gzip
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from acpgen.spec import archive
from acpgen.spec.source import fetch
from tests.unit.spec.releases import (
    V1,
    files,
    folder,
    held,
    members,
    places,
    refused,
    tar,
    text,
    tgz,
)


# Tarballs.
@pytest.mark.parametrize("keep", [0.1, 0.5, 0.99])
@pytest.mark.parametrize("pack", [tar, tgz])
def test_a_truncated_tarball(
    tmp_path: Path, keep: float, pack: Callable[[dict[str, bytes]], bytes]
) -> None:
    data = pack(files()).rstrip(b"\0")  # a tar ends in padding
    path = held(tmp_path, data[: int(len(data) * keep)])
    assert " truncated " in refused(lambda: fetch(path))


def test_a_tar_cut_between_two_members(tmp_path: Path) -> None:
    whole = tar({"schema/schema.json": text(), "z": b""})
    cut = held(tmp_path, whole[: 512 + 1024])
    assert "is a truncated or damaged tarball (fetch it again)" in refused(lambda: fetch(cut))


def test_damaged_tarballs(tmp_path: Path) -> None:
    packed = bytearray(tgz(files()))
    packed[len(packed) // 2] ^= 0xFF
    assert "damaged tarball" in refused(lambda: fetch(held(tmp_path, bytes(packed))))
    header = bytearray(tar({"schema/schema.json": text(), "z": b"z"}))
    header[1024 + 10] ^= 0xFF  # the name in the second header no longer fits its checksum
    assert "damaged tarball" in refused(lambda: fetch(held(tmp_path, bytes(header))))
    assert "damaged tarball" in refused(lambda: fetch(held(tmp_path, gzip.compress(b"x" * 2000))))
    assert "is an empty tarball" in refused(lambda: fetch(held(tmp_path, gzip.compress(b""))))
    assert "is an empty tarball" in refused(lambda: fetch(held(tmp_path, tgz({}))))


@pytest.mark.parametrize(
    "name",
    [
        "../schema/schema.json",
        "package/../../x",
        "package/schema/../schema/schema.json",
        "/etc/x",
        "C:/x",
        "c:x",
        "package\\..\\..\\x",
        "\\\\host\\x",
    ],
)
def test_names_that_climb_out(tmp_path: Path, name: str) -> None:
    data = members(("package/schema/schema.json", text()), (name, b"x"))
    message = refused(lambda: fetch(held(tmp_path, data)))
    assert f"has a member whose name leads out of it: {name!r}" in message


def link(name: str, target: str, kind: bytes = tarfile.SYMTYPE) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


@pytest.mark.parametrize(
    "item",
    [
        link("package/schema/x", "../../../etc/passwd"),
        link("package/x", "/etc/passwd"),
        link("package/x", "C:\\x"),
        link("package/x", "a/../../../b"),
        link("x", ".."),
        link("package/x", "../etc/passwd", tarfile.LNKTYPE),
        link("package/x", "/etc/passwd", tarfile.LNKTYPE),
    ],
    ids=lambda item: item.linkname,
)
def test_links_that_climb_out(tmp_path: Path, item: tarfile.TarInfo) -> None:
    data = members(("package/schema/schema.json", text()), item)
    message = refused(lambda: fetch(held(tmp_path, data)))
    assert f"has a link that leads out of it: {item.name!r} -> {item.linkname!r}" in message


def test_links_inside_are_not_followed(tmp_path: Path) -> None:
    inside = link("package/schema/v1/schema.json", "../schema.json")
    up = link("package/schema/x", "../../package")
    pipe = link("package/schema/v2/schema.json", "", tarfile.FIFOTYPE)
    data = members(("package/schema/schema.json", text()), inside, up, pipe)
    assert places(fetch(held(tmp_path, data))) == {V1: "schema/schema.json"}


def test_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = held(tmp_path, tgz({"schema/schema.json": b" " * 9000, "a": b"", "b": b""}))
    unpacked = str(folder(tmp_path / "f", {"schema/schema.json": b" " * 9000}))
    for name, message in (
        ("MAX_UNPACKED", "unpacks to more than 0 MiB: refused"),
        ("MAX_FILE", "has schema/schema.json of 9000 bytes: more than 0 MiB"),
        ("MAX_MEMBERS", "has more than 2 members: refused"),
        ("MAX_PACKED", "r.tgz is larger than 0 MiB: refused"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(archive, name, 2 if name == "MAX_MEMBERS" else 100)
            assert message in refused(lambda: fetch(path))
    monkeypatch.setattr(archive, "MAX_FILE", 100)
    assert "schema.json is larger than 0 MiB" in refused(lambda: fetch(unpacked))
