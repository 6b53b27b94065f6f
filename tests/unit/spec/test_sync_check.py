"""acpgen sync --check: every kind of drift is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from acpgen.spec import lock, sync
from acpgen.spec.source import fetch
from tests.unit.spec import releases
from tests.unit.spec.releases import (
    PLACES,
    check,
    folder,
    refused,
    tree,
)

ROOT = Path(__file__).parents[3]


# The check.
def test_a_clean_check(schemas: Path, upstream: Path) -> None:
    assert check(schemas) == []
    assert check(schemas, str(upstream)) == []
    assert check(schemas, offline=True) == []


@pytest.mark.parametrize("place", PLACES)
def test_drift_of_one_character(schemas: Path, upstream: Path, place: str) -> None:
    path = schemas / place
    path.write_bytes(path.read_bytes().replace(b"string", b"strinG", 1))
    for source, offline in ((None, False), (None, True), (str(upstream), False)):
        (drift,) = check(schemas, source, offline=offline)
        assert drift.startswith(f"schemas/{place}: was changed: its SHA-256 is ")
        assert drift.endswith("(run acpgen sync SOURCE)")


def test_drift_is_found_without_the_source(schemas: Path, upstream: Path) -> None:
    upstream.rename(upstream.parent / "away")
    assert "there is no such file or folder" in refused(lambda: check(schemas))
    assert check(schemas, offline=True) == []
    (schemas / "v1/schema.json").unlink()
    (schemas / "v3").mkdir()
    (schemas / "v3/schema.json").write_bytes(b"{}")
    assert check(schemas) == [
        "schemas/v1/schema.json: is in the lock but missing (run acpgen sync SOURCE)",
        "schemas/v3/schema.json: is not in the lock (run acpgen sync SOURCE)",
    ]


def test_drift_of_the_source(schemas: Path, upstream: Path) -> None:
    (upstream / "schema/v1/schema.json").write_bytes(releases.text(Changed={}))
    (upstream / "schema/v2/schema.json").unlink()
    folder(upstream, {"schema/v3/schema.json": releases.text()})
    found = check(schemas)
    assert [line.split(" (")[0] for line in found if "SHA-256" not in line] == [
        "../upstream: has schema/v3/schema.json, the lock has no v3/schema.json",
        "../upstream: no longer has schema/v2/schema.json, which is v2/schema.json in the lock",
        "schemas/v1/schema.json: is not the contract form of schema/v1/schema.json in ../upstream",
    ]
    assert sum("has another schema/v1/schema.json: its SHA-256 is" in line for line in found) == 1


def test_drift_of_prose_alone(schemas: Path, upstream: Path) -> None:
    path = upstream / "schema/v1/schema.json"
    path.write_bytes(path.read_bytes() + b"\n")
    (drift,) = check(schemas)
    assert drift.startswith("../upstream: has another schema/v1/schema.json: its SHA-256 is ")
    assert "has another schema/v1/schema.json" in refused(lambda: sync.pinned(schemas))


def test_drift_of_file_and_lock_together(schemas: Path) -> None:
    """Whoever edits a schema and its hash is still found."""
    path = schemas / "v1/schema.json"
    was = lock.sha256(path.read_bytes())
    path.write_bytes(path.read_bytes().replace(b"string", b"object", 1))
    locked = schemas / "lock.toml"
    locked.write_text(locked.read_text().replace(was, lock.sha256(path.read_bytes())))
    assert check(schemas, offline=True) == []
    assert check(schemas) == [
        "schemas/v1/schema.json: is not the contract form of schema/v1/schema.json in ../upstream"
        " (run acpgen sync SOURCE)"
    ]


def test_drift_of_the_lock(schemas: Path) -> None:
    locked = schemas / "lock.toml"
    stored = locked.read_text()
    for changed in (stored + "\n", stored.replace("1.0.0", "1.0.1"), stored.replace("# W", "# w")):
        locked.write_text(changed)
        (drift,) = check(schemas)
        assert drift.startswith("schemas/lock.toml: is not what sync writes for ../upstream")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('source = "', "source = ", "schemas/lock.toml: cannot be read: "),
        ('source = "../upstream"', 'source = ""', "schemas/lock.toml: names no source"),
        ('version = "1.0.0"', "version = 1", "schemas/lock.toml: version must be a text"),
        ('version = "1.0.0"', "", "version must be a text"),
        ("integrity", "integrity_", "unknown key 'integrity_'"),
        ('path = "v1/schema.json"', 'path = "../x.json"', "file[0]: '../x.json' is no place of a"),
        ('path = "v2/schema.json"', 'path = "v1/schema.json"', "v1/schema.json stands twice"),
        ("upstream_sha256 = ", "upstream_sha_256 = ", "unknown key 'upstream_sha_256'"),
        ('contract_sha256 = "', 'contract_sha256 = "x', "contract_sha256 is no SHA-256"),
        ("[[file]]", "[file]", "cannot be read"),
    ],
)
def test_a_bad_lock(schemas: Path, upstream: Path, old: str, new: str, message: str) -> None:
    locked = schemas / "lock.toml"
    locked.write_text(locked.read_text().replace(old, new))
    before = tree(schemas)
    for call in (
        lambda: sync.sync(None, schemas, check=True),
        lambda: sync.sync(str(upstream), schemas),
    ):
        found = refused(call)
        assert message in found
        assert "remove it and run acpgen sync SOURCE" in found
    assert tree(schemas) == before


def test_pinned_gives_upstreams_text(schemas: Path, upstream: Path) -> None:
    assert sync.pinned(schemas).files == fetch(str(upstream)).files


# The committed folder.
def test_the_committed_schemas_agree_with_their_lock() -> None:
    report = sync.sync(None, ROOT / "schemas", check=True, offline=True)
    assert report.drift == ()
    assert report.source == "npm:@agentclientprotocol/sdk@2.4.0"
    stored = (ROOT / "schemas" / "lock.toml").read_text()
    assert "://" not in stored
    assert not any(line.startswith('source = "/') for line in stored.splitlines())


@pytest.mark.network
def test_the_committed_schemas_come_from_the_pin() -> None:
    report = sync.sync(None, ROOT / "schemas", check=True)
    assert report.drift == ()
    assert report.unchanged == ("lock.toml", *PLACES)


def test_a_check_without_a_folder_says_whose_schemas_it_checked(schemas: Path) -> None:
    own = sync.sync(None, ROOT / "schemas", check=True, offline=True)
    pinned = lock.load(ROOT / "schemas")
    assert pinned is not None
    said = own.notices[0]
    assert said.startswith("checked the schemas that acpgen brings (")
    assert f"{pinned.package} {pinned.version}: " in said
    assert all(place in said for place in pinned.files)
    assert len(own.notices) == 2
    assert sync.sync(None, schemas, check=True).notices == ()
