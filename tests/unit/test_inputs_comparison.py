"""What the tables of what changed follow from takes part in the fingerprint of a run."""

from __future__ import annotations

from pathlib import Path

import pytest

from acpgen import inputs, resources
from tests.unit.support import project, settings


@pytest.fixture
def found(tmp_path: Path) -> dict[str, dict[str, str]]:
    config = settings(project(tmp_path))
    return inputs.fingerprint(config, inputs.read(config))


def test_modules_and_templates_of_the_comparison(found: dict[str, dict[str, str]]) -> None:
    assert {"acpgen/diff/compare.py", "acpgen/diff/rules.py"} <= set(found["module"])
    assert not {"acpgen/diff/reporting/guide.py", "acpgen/diff/judging/waivers.py"} & set(
        found["module"]
    )
    assert {"diff/diff.html.jinja", "diff/_page.css"} <= set(found["template"])


def test_what_people_keep_by_hand(
    tmp_path: Path, found: dict[str, dict[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "renames.toml" in found["comparison"]
    folder = tmp_path / "packaged"
    (folder / "migrations").mkdir(parents=True)
    (folder / "renames.toml").write_text("# one", encoding="utf-8")
    (folder / "migrations/v1-v2.toml").write_text("# two", encoding="utf-8")
    (folder / "other.toml").write_text("# three", encoding="utf-8")
    monkeypatch.setattr(resources, "schemas_dir", lambda: folder)
    config = settings(tmp_path)
    before = inputs.fingerprint(config, inputs.read(config))
    assert set(before["comparison"]) == {"migrations/v1-v2.toml", "renames.toml"}
    (folder / "renames.toml").write_text("# other", encoding="utf-8")
    after = inputs.fingerprint(config, inputs.read(config))
    assert inputs.moved(before, after) == ["comparison renames.toml changed"]
