"""A lock.toml names the release; what it does not name is not published as that release."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from acpgen import inputs
from acpgen.config import Config
from acpgen.dist import origin
from acpgen.problem import ProblemError
from acpgen.spec.sync import sync
from tests.unit.dist.conftest import package
from tests.unit.support import PING, project


@pytest.fixture
def synced(tmp_path: Path) -> Path:
    folder = project(tmp_path / "project", config='[project]\nname = "acp-of-mine"\n')
    shutil.rmtree(folder / "schemas")
    release = tmp_path / "release"
    (release / "schema/v1").mkdir(parents=True)
    text = json.dumps({"$defs": PING})
    (release / "schema/v1/schema.json").write_text(text, encoding="utf-8")
    about = json.dumps({"name": "@a/b", "version": "1.2.0"})
    (release / "package.json").write_text(about, encoding="utf-8")
    sync(str(release), folder / "schemas")
    return folder


def test_as_they_were_synced(synced: Path) -> None:
    path = synced / "schemas/v1/schema.json"
    assert package(synced).version == "1.2.0"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))  # as git may check it out
    assert package(synced).version == "1.2.0"


def test_one_that_was_edited_is_refused(synced: Path) -> None:
    path = synced / "schemas/v1/schema.json"
    value = json.loads(path.read_text(encoding="utf-8"))
    value["$defs"]["Ping"]["properties"]["mine"] = {"type": "string"}
    path.write_text(json.dumps(value), encoding="utf-8")
    for more in ({}, {"project": {"version": "9.0"}}):  # NOTICE would still name the release
        with pytest.raises(ProblemError) as caught:
            package(synced, **more)
        (problem,) = caught.value.problems
        assert problem.where == "schemas/v1/schema.json"
        assert problem.what.startswith("is not the schema of @a/b 1.2.0")
    assert not (synced / "dist").exists()
    (synced / "schemas/lock.toml").unlink()
    assert package(synced, project={"version": "9.0"}).version == "9.0"


def test_one_that_the_release_does_not_have_is_refused(synced: Path) -> None:
    with pytest.raises(ProblemError) as caught:
        package(synced, surfaces=["v1", "v2"])  # v2 would be the one that acpgen brings
    (problem,) = caught.value.problems
    assert problem.what.startswith("is not of @a/b 1.2.0")
    assert "v2" in problem.hint


def test_those_that_acpgen_brings_are_of_their_release(tmp_path: Path) -> None:
    config = Config(surfaces=("v1", "v2_unstable"), base=tmp_path)
    origin.check(config, inputs.read(config))
