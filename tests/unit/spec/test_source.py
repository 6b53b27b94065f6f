"""Releases: where their files are found, and bad paths and addresses."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from acpgen.spec import archive, download
from acpgen.spec.source import fetch
from tests.unit.spec import releases
from tests.unit.spec.releases import (
    V1,
    V1U,
    V2,
    V2U,
    files,
    folder,
    held,
    no_root,
    places,
    refused,
    server,
    tar,
    text,
    tgz,
)


# Layouts.
@pytest.mark.parametrize(
    ("paths", "found"),
    [
        (
            releases.LAYOUT,
            dict(zip((V1, V1U, V2, V2U), releases.LAYOUT, strict=True)),
        ),
        (("schema/schema.json", "schema/meta.json"), {V1: "schema/schema.json"}),
        (
            ("schema/schema.json", "schema/v2/schema.unstable.json", "schema/v2/meta.json"),
            {V1: "schema/schema.json", V2U: "schema/v2/schema.unstable.json"},
        ),
        (
            ("schema/schema.json", "schema/v1/schema.json", "schema/schema.unstable.json"),
            {V1: "schema/v1/schema.json", V1U: "schema/schema.unstable.json"},
        ),
        (("schema/v3/schema.json",), {(3, "stable"): "schema/v3/schema.json"}),
        (("schemas/v1/schema.json", "v9/schema.json"), {V1: "schemas/v1/schema.json"}),
        (("v10/schema.unstable.json",), {(10, "unstable"): "v10/schema.unstable.json"}),
        (("schema.json", "vx/schema.json", "v0/schema.json"), {V1: "schema.json"}),
    ],
)  # fmt: skip
def test_layouts(tmp_path: Path, paths: tuple[str, ...], found: dict[tuple[int, str], str]) -> None:
    content = {path: path.encode() for path in paths}
    made = [
        fetch(str(folder(tmp_path / "f", content))),
        fetch(held(tmp_path, tgz(content))),
        fetch(held(tmp_path, tar(content, "repo-0123/"), "r.tar")),
    ]
    for release in made:
        assert places(release) == found
        assert all(file.data == file.path.encode() for file in release.files.values())
        assert list(release.files) == sorted(release.files)


def test_a_tarball_may_lack_the_folder_around_it(tmp_path: Path) -> None:
    bare = tar({"schema/v1/schema.json": b"1"}, top="")
    assert places(fetch(held(tmp_path, bare))) == {V1: "v1/schema.json"}
    dotted = tar({"README": b"", "schema/schema.json": b"1"}, top="./")
    assert places(fetch(held(tmp_path, dotted))) == {V1: "schema/schema.json"}


def test_what_a_release_says_of_itself(tmp_path: Path) -> None:
    unpacked = fetch(str(folder(tmp_path / "f", files("2.1.0"))))
    packed = fetch(held(tmp_path, tgz(files("2.1.0"))))
    assert (
        (unpacked.name, unpacked.version) == (packed.name, packed.version) == ("@made/up", "2.1.0")
    )
    assert unpacked.files == packed.files
    assert unpacked.integrity == ""
    assert packed.integrity.startswith("sha512-")
    assert packed.integrity != fetch(held(tmp_path, tgz(files("2.1.1")))).integrity


@pytest.mark.parametrize("manifest", [b"", b"[]", b"{", b'{"name": 1, "version": null}'])
def test_a_useless_package_json_is_no_error(tmp_path: Path, manifest: bytes) -> None:
    release = fetch(str(folder(tmp_path, files(package_json=manifest))))
    assert (release.name, release.version) == ("", "")


def test_the_committed_schemas_are_a_source() -> None:
    root = Path(__file__).parents[3]
    for base in (root / "schemas", root):
        assert fetch(str(base)).files.keys() == {V1, V1U, V2, V2U}


def test_a_relative_path_starts_at_the_base(tmp_path: Path) -> None:
    folder(tmp_path / "in", files())
    assert fetch("in", tmp_path).files == fetch(str(tmp_path / "in")).files


def test_one_file(tmp_path: Path) -> None:
    release = fetch(held(tmp_path, b"\xef\xbb\xbf " + text(), "x/v2/schema.unstable.json"))
    assert places(release) == {V2U: "v2/schema.unstable.json"}
    assert places(fetch(held(tmp_path, text(), "y/schema.json"))) == {V1: "schema.json"}


# Bad paths.
@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda p: str(p / "none"), "there is no such file or folder (give npm:PACKAGE@VERSION"),
        (str, "holds no schema files of the protocol (expected schema/vN/schema.json"),
        (lambda p: held(p, b"hello"), "is neither a tarball nor a JSON schema"),
        (lambda p: held(p, b"<!doctype html><HTML>"), "(it is a page, not a file)"),
        (lambda p: held(p, text(), "api.json"), "does not say which version and channel it is"),
        (lambda p: held(p, tgz({"a": b""})), "holds no schema files of the protocol"),
        (lambda p: os.devnull, "is neither a file nor a folder"),
        (lambda p: "a\0b", "there is no such file or folder"),
        (lambda p: "x" * 5000, "cannot be read: File name too long"),
    ],
)
def test_bad_paths(tmp_path: Path, make: Callable[[Path], str], message: str) -> None:
    assert message in refused(lambda: fetch(make(tmp_path)))


@no_root
def test_an_unreadable_file(tmp_path: Path) -> None:
    path = held(tmp_path, tgz(files()))
    Path(path).chmod(0)
    assert "cannot be read: Permission denied" in refused(lambda: fetch(path))


# URLs.
def test_urls() -> None:
    packed = tgz(files("3.0.0"))
    answers = {
        "/a/up-3.0.0.tgz": (200, {}, packed),
        "/moved": (302, {"Location": "/a/up-3.0.0.tgz"}, b""),
        "/raw/v2/schema.unstable.json?ref=main": (200, {}, text()),
    }
    with server(answers) as base:
        for path in ("/a/up-3.0.0.tgz", "/moved"):
            release = fetch(base + path)
            assert (release.source, release.version) == (base + path, "3.0.0")
            assert list(release.files) == [V1, V1U, V2, V2U]
        assert places(fetch(f"{base}/raw/v2/schema.unstable.json?ref=main")) == {
            V2U: "v2/schema.unstable.json"
        }


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ((404, {}, b""), "/x.tgz: answered HTTP 404 Not Found"),
        ((500, {}, b""), "/x.tgz: answered HTTP 500 Internal Server Error"),
        ((302, {"Location": "/x.tgz"}, b""), "answered HTTP 302"),
        (
            (302, {"Location": "file:///etc/passwd"}, b""),
            "redirects to file:///etc/passwd: refused",
        ),
        ((301, {"Location": "ftp://h/x"}, b""), "redirects to ftp://h/x: refused"),
        (
            (200, {"Content-Length": "99999"}, b"\x1f\x8b"),
            "ended early: 2 of 99999 bytes (try again)",
        ),
        (
            (200, {}, b"<html>sign in</html>"),
            "is neither a tarball nor a JSON schema (it is a page",
        ),
        ((200, {}, text()), "does not say which version and channel it is"),
        ((200, {}, tgz({"a": b""})), "holds no schema files of the protocol"),
        ((200, {}, tgz(files())[:100]), "is a truncated tarball"),
    ],
)
def test_bad_answers(answer: releases.Answer, message: str) -> None:
    with server({"/x.tgz": answer}) as base:
        assert message in refused(lambda: fetch(f"{base}/x.tgz"))


def test_downloads_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    with server({"/x.tgz": (200, {}, b"\x1f\x8b" + bytes(200_000))}) as base:
        monkeypatch.setattr(archive, "MAX_PACKED", 1000)
        assert "sends more than 0 MiB: refused" in refused(lambda: fetch(f"{base}/x.tgz"))
        monkeypatch.setattr(archive, "MAX_PACKED", 1 << 20)
        monkeypatch.setattr(download, "DEADLINE", -1.0)
        assert "takes longer than" in refused(lambda: fetch(f"{base}/x.tgz"))


def test_no_network() -> None:
    with server({}) as base:
        pass  # the port is free again
    message = refused(lambda: fetch(f"{base}/x.tgz"))
    assert "cannot be reached: " in message
    assert "without a network, sync from a folder or a tarball" in message


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("file:///etc/passwd", "is no http or https address (give a path for a local file)"),
        ("ftp://host/x", "is no http or https address"),
        ("https://", "is no http or https address"),
        ("https://[::1/x", "is no address: Invalid IPv6 URL"),
        ("https://host.test:port/x", "is no address: nonnumeric port"),
        ("https://me:secret@host.test/x", "holds a user name"),
    ],
)
def test_bad_urls(url: str, message: str) -> None:
    found = refused(lambda: fetch(url))
    assert message in found
    assert "secret" not in found
