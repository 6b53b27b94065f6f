"""acpgen sync: what it writes, and that bad input changes nothing."""

from __future__ import annotations

import tarfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from acpgen.spec import contract, lock, sync
from acpgen.spec.source import fetch
from acpgen.spec.sync import SyncReport
from tests.unit.spec import releases
from tests.unit.spec.releases import (
    GOOD_NPM,
    OWN,
    PLACES,
    check,
    files,
    folder,
    held,
    members,
    posix,
    refused,
    server,
    tgz,
    tree,
)


# Writing.
def test_a_first_sync(tmp_path: Path, upstream: Path) -> None:
    target = tmp_path / "new" / "schemas"
    report = sync.sync(str(upstream), target)
    assert report == SyncReport(
        "../../upstream", "@made/up", "1.0.0", written=("lock.toml", *PLACES)
    )
    assert tree(target).keys() == {"lock.toml", *PLACES}
    for key, file in fetch(str(upstream)).files.items():
        made = contract.dumps(contract.parse(file.data, "s"))
        assert (target / f"v{key[0]}/{Path(file.path).name}").read_bytes() == made.encode()


def test_files_of_others_are_kept(schemas: Path) -> None:
    assert OWN.items() <= tree(schemas).items()
    assert tree(schemas).keys() - OWN.keys() == {"lock.toml", *PLACES}


def test_a_second_sync_writes_nothing(schemas: Path, upstream: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in schemas.rglob("*")}
    for source in (str(upstream), None):
        report = sync.sync(source, schemas)
        assert (report.written, report.removed) == ((), ())
        assert report.unchanged == ("lock.toml", *PLACES)
    assert {path: path.stat().st_mtime_ns for path in schemas.rglob("*")} == before


def test_only_what_changed_is_written(schemas: Path, upstream: Path) -> None:
    (upstream / "schema/v2/schema.json").write_bytes(releases.text(Changed={}))
    report = sync.sync(None, schemas)
    assert report.written == ("lock.toml", "v2/schema.json")
    assert report.unchanged == tuple(place for place in PLACES if place != "v2/schema.json")
    assert check(schemas) == []


def test_files_that_a_release_no_longer_has_are_removed(tmp_path: Path, schemas: Path) -> None:
    old = tgz({"package.json": b"{}", "schema/schema.json": releases.text()})
    report = sync.sync(held(tmp_path, old), schemas)
    assert report.removed == tuple(PLACES[1:])
    assert tree(schemas).keys() == OWN.keys() | {"lock.toml", "v1/schema.json"}
    assert OWN.items() <= tree(schemas).items()
    (schemas / "v2/schema.notes.json").unlink()
    sync.sync(str(folder(tmp_path / "b", {"v3/schema.json": releases.text()})), schemas)
    assert tree(schemas).keys() == OWN.keys() - {"v2/schema.notes.json"} | {
        "lock.toml",
        "v3/schema.json",
    }


def test_a_folder_that_becomes_empty_goes(tmp_path: Path, upstream: Path) -> None:
    target = tmp_path / "schemas"
    sync.sync(str(upstream), target)
    sync.sync(str(folder(tmp_path / "b", {"v1/schema.json": releases.text()})), target)
    assert sorted(path.name for path in target.iterdir()) == ["lock.toml", "v1"]


def test_the_lock(schemas: Path, upstream: Path) -> None:
    stored = (schemas / "lock.toml").read_text()
    assert str(upstream.parent) not in stored
    locked = lock.load(schemas)
    assert locked is not None
    assert stored == lock.dumps(locked)
    assert (locked.source, locked.package, locked.version) == ("../upstream", "@made/up", "1.0.0")
    assert list(locked.files) == PLACES
    assert locked.files["v2/schema.json"] == lock.LockedFile(
        "schema/v2/schema.json",
        lock.sha256((upstream / "schema/v2/schema.json").read_bytes()),
        lock.sha256((schemas / "v2/schema.json").read_bytes()),
    )


def test_a_lock_keeps_any_text(tmp_path: Path) -> None:
    odd = lock.Lock('a"b\\c\n\té\x7f', "p", "v", "i")
    (tmp_path / "lock.toml").write_text(lock.dumps(odd), encoding="utf-8")
    assert lock.load(tmp_path) == odd


def test_contract_form_is_a_source(tmp_path: Path, schemas: Path) -> None:
    target = tmp_path / "copy"
    sync.sync(str(schemas), target)
    assert all((target / place).read_bytes() == (schemas / place).read_bytes() for place in PLACES)


# Nothing changes on bad input.
BAD: list[tuple[bytes, str]] = [
    (releases.text(A={"$ref": "x.json#/A"}), "refers to another document"),
    (releases.text(A={"$ref": "#/$defs/A"}), "refers to itself without an object"),
    (releases.text(A={"$ref": "#/$defs/B"}), "refers to 'B', which is not among the definitions"),
    (b"{}", "is no protocol schema: it has no $defs"),
    (b'{"$defs": {"A": {"type": "nope"}}}', "is no JSON Schema"),
    (b"\xff", "is not UTF-8 text"),
    (b"{", "is not JSON"),
    (b'{"$defs": {}, "$defs": {}}', "has the key '$defs' twice"),
]


@pytest.mark.parametrize(("data", "message"), BAD)
def test_bad_schemas(schemas: Path, upstream: Path, data: bytes, message: str) -> None:
    before = tree(schemas)
    (upstream / "schema/v1/schema.json").write_bytes(releases.text(Good={}))
    (upstream / "schema/v2/schema.json").write_bytes(data)
    found = refused(lambda: sync.sync(str(upstream), schemas))
    assert found.startswith(f"{upstream} schema/v2/schema.json")
    assert message in found
    assert tree(schemas) == before


def test_the_faults_of_all_files_are_told(schemas: Path, upstream: Path) -> None:
    for name in ("v1", "v2"):
        (upstream / f"schema/{name}/schema.json").write_bytes(b"{}")
    assert len(refused(lambda: sync.sync(str(upstream), schemas)).splitlines()) == 2


def test_a_byte_order_mark_is_accepted(schemas: Path, upstream: Path) -> None:
    path = upstream / "schema/v2/schema.json"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert sync.sync(None, schemas).written == ("lock.toml",)  # upstream's hash


def test_bad_sources(tmp_path: Path, schemas: Path) -> None:
    before = tree(schemas)
    climbing = members(("package/schema/schema.json", releases.text()), ("package/../../x", b""))
    linked = tarfile.TarInfo("package/x")
    linked.type, linked.linkname = tarfile.SYMTYPE, "/etc/passwd"
    cases = {
        held(tmp_path, tgz(files())[:-20], "cut.tgz"): "is a truncated tarball",
        held(tmp_path, climbing, "climb.tar"): "leads out of it",
        held(tmp_path, members(linked), "link.tar"): "leads out of it",
        held(tmp_path, tgz({"README": b""}), "none.tgz"): "holds no schema files",
        str(tmp_path / "gone"): "there is no such file or folder",
        "npm:": "names no npm release",
        "https://": "is no http or https address",
        str(schemas): "is the schemas folder itself",
        str(schemas.parent): "is the schemas folder itself",
    }
    with server({}) as base:
        cases[f"{base}/x.tgz"] = "answered HTTP 404"
        for source, message in cases.items():
            for checking in (False, True):
                assert message in refused(partial(sync.sync, source, schemas, check=checking))
    assert tree(schemas) == before
    assert sorted(path.name for path in schemas.iterdir()) == [
        "README", "lock.toml", "overlays", "v1", "v2",
    ]  # fmt: skip


def test_no_npm(schemas: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    before = tree(schemas)
    monkeypatch.setenv("PATH", str(tmp_path))
    message = refused(lambda: sync.sync("npm:@made/up@1.2.3", schemas))
    assert "npm is not installed (install Node.js, or sync from a folder" in message
    assert tree(schemas) == before


def test_the_target_is_no_folder(tmp_path: Path, upstream: Path) -> None:
    target = tmp_path / "file"
    target.write_text("x")
    assert f"{target}: is not a folder" in refused(lambda: sync.sync(str(upstream), target))
    assert target.read_text() == "x"


def test_a_pin_is_needed_where_no_source_is_given(tmp_path: Path) -> None:
    for checking in (False, True):
        found = refused(partial(sync.sync, None, tmp_path / "none", check=checking))
        assert found == "none/lock.toml: does not exist (run acpgen sync SOURCE)"
    assert not (tmp_path / "none").exists()


@posix
def test_wrong_integrity(
    tmp_path: Path, fake_npm: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_npm(GOOD_NPM)
    target = tmp_path / "schemas"
    sync.sync("npm:@made/up@1.2.3", target)
    assert check(target) == []
    before = tree(target)
    # A schema that is bad, too: what is told is that the release moved.
    moved = tgz(files("1.2.3", schema__v1__schema_json=b"{}"))
    (tmp_path / "bin" / "package.tgz").write_bytes(moved)
    for source, checking in (("npm:@made/up@1.2.3", False), (None, False), (None, True)):
        found = refused(partial(sync.sync, source, target, check=checking))
        assert "npm:@made/up@1.2.3: has the integrity sha512-" in found
        assert " is pinned (find out why; to accept it, remove lock.toml and sync again)" in found
    assert "has the integrity" in refused(lambda: sync.pinned(target))
    assert tree(target) == before
