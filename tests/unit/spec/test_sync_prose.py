"""On sync upstream's prose is at hand, and what it says of gates is compared with methods.toml."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from acpgen.spec import sync
from tests.unit.spec.test_tabulate import METADATA, SCHEMA

PROSE = {"GoRequest": "Only available if the client supports `term`."}


@pytest.fixture
def release(tmp_path: Path) -> Path:
    definitions: dict[str, Any] = {
        key: {**schema, "description": PROSE[key]} if key in PROSE else schema
        for key, schema in SCHEMA.items()
    }
    path = tmp_path / "release/schema/v1/schema.json"
    path.parent.mkdir(parents=True)
    text = json.dumps(
        {"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": definitions}
    )
    path.write_text(text, encoding="utf-8")
    return tmp_path / "release"


def _of_prose(report: sync.SyncReport) -> tuple[str, ...]:
    return tuple(item for item in report.notices if item.startswith("prose"))


def test_disagreements_are_notices(tmp_path: Path, release: Path) -> None:
    target = tmp_path / "schemas"
    rows = target / "v1/methods.toml"
    rows.parent.mkdir(parents=True)
    rows.write_text(METADATA, encoding="utf-8")
    report = sync.sync(str(release), target)
    assert _of_prose(report) == (
        "prose and gates differ: v1: go is said to depend on `term`, its gate is `agent: go.fast`",
    )
    agreed = METADATA.replace("agent: go.fast", "all(agent: go.fast, client: term)")
    rows.write_text(agreed, encoding="utf-8")
    assert _of_prose(sync.sync(str(release), target)) == ()
    assert rows.read_text(encoding="utf-8") == agreed


def test_rows_that_cannot_be_read_do_not_keep_a_release_from_being_pinned(
    tmp_path: Path, release: Path
) -> None:
    rows = tmp_path / "schemas/v1/methods.toml"
    rows.parent.mkdir(parents=True)
    rows.write_text("[[method]]\n", encoding="utf-8")
    report = sync.sync(str(release), tmp_path / "schemas")
    assert (_of_prose(report), report.written) == ((), ("lock.toml", "v1/schema.json"))
