"""The stability of a row follows from the stable schema beside the unstable one."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from acpgen import generate as generation
from acpgen import inputs, resources
from tests.unit.support import settings


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "acpgen.toml").write_text('schemas = "own"\n', encoding="utf-8")
    shutil.copytree(resources.schemas_dir() / "v1", tmp_path / "own/v1")
    return tmp_path


def stability(folder: Path, surfaces: list[str]) -> dict[str, str]:
    config = settings(folder, surfaces=surfaces)
    specs, _ = generation.build_specs(config, inputs.read(config))
    (spec,) = (spec for spec in specs if spec.surface == "v1_unstable")
    return {
        **{row.method: row.stability for row in spec.table.rows},
        **{item.kind: item.stability for item in spec.table.updates},
    }


def test_it_does_not_depend_on_the_surfaces_that_are_asked_for(folder: Path) -> None:
    alone = stability(folder, ["v1_unstable"])
    assert alone == stability(folder, ["v1", "v1_unstable"])
    assert alone["session/new"] == alone["tool_call"] == "stable"
    assert alone["session/fork"] == alone["plan_update"] == "unstable"
    assert alone["session/options"] == "session-options"


def test_a_stable_schema_that_moves_is_an_input(folder: Path) -> None:
    config = settings(folder, surfaces=["v1_unstable"])
    before = inputs.fingerprint(config, inputs.read(config))
    path = folder / "own/v1/schema.json"
    schema = json.loads(path.read_text(encoding="utf-8"))
    for key in ("ListSessionsRequest", "ListSessionsResponse"):
        del schema["$defs"][key]["x-method"]
    path.write_text(json.dumps(schema), encoding="utf-8")
    after = inputs.fingerprint(config, inputs.read(config))
    assert inputs.moved(before, after) == ["schema v1 changed"]
    assert stability(folder, ["v1_unstable"])["session/list"] == "unstable"


def test_without_a_stable_schema_all_is_unstable(folder: Path) -> None:
    release = folder / "release/schema/v1"
    release.mkdir(parents=True)
    shutil.copy(folder / "own/v1/schema.unstable.json", release)
    config = settings(folder, source=str(folder / "release"), overlays=[])
    (spec,), _ = generation.build_specs(config, inputs.read(config))
    assert {row.stability for row in spec.table.rows} == {"unstable"}
