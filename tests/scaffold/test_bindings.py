"""The bindings inside a project: made with it, renewed by `acpgen generate`, which touches nothing else."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from acpgen import config, generate, scaffold
from tests.scaffold.small import commit, git
from tests.unit.support import PING, schema

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


@pytest.fixture(scope="module")
def vendored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project of the packaged template, inside of a folder that has a configuration of its own."""
    top = tmp_path_factory.mktemp("top")
    (top / "acpgen.toml").write_text('surfaces = ["v2_unstable"]\n', encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(top / "home"))
        patch.chdir(top)
        scaffold.new("demo", wishes=scaffold.Wishes(protocols=(1,)), jobs=1)
    git(top / "demo", "init", "--quiet", "--initial-branch=main")
    commit(top / "demo")
    return top / "demo"


def settings(folder: Path) -> config.Config:
    return config.load(start=folder)


def test_a_new_project_has_the_bindings_that_its_options_ask_for(vendored: Path) -> None:
    bindings = vendored / "src/demo/acp_bindings"
    assert (bindings / "v1").is_dir()
    assert not (bindings / "v2").exists()
    assert not (bindings / "v2_unstable").exists()
    outcome = generate.check(settings(vendored))
    assert not outcome.drifted, outcome.moved


def test_renewing_the_bindings_touches_nothing_else(vendored: Path) -> None:
    before = {
        path: path.read_bytes()
        for path in vendored.rglob("*")
        if path.is_file() and "acp_bindings" not in path.parts and ".git" not in path.parts
    }
    schema(vendored.parent, PING)  # the protocol of another day
    other = config.load(start=vendored, overrides={"schemas": [str(vendored.parent / "schemas")]})
    outcome = generate.generate(other, accept_names=True, jobs=1)
    assert outcome.written
    changed = git(vendored, "status", "--porcelain", "--untracked-files=all").splitlines()
    assert changed
    assert all(line[3:].startswith("src/demo/acp_bindings/") for line in changed)
    assert before == {path: path.read_bytes() for path in before}
    git(vendored, "reset", "--quiet", "--hard")
    git(vendored, "clean", "--quiet", "--force", "-d")


@pytest.mark.parametrize("kind", scaffold.KINDS)
@pytest.mark.parametrize("bindings", ["vendored", "pypi"])
def test_the_project_file_says_what_the_options_ask_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, bindings: str
) -> None:
    monkeypatch.setattr("acpgen.scaffold.making._bindings", lambda *_: None)
    wishes = scaffold.Wishes(protocols=(1, 2), bindings=bindings, unstable=True)
    scaffold.new("test-site", kind=kind, wishes=wishes, path=tmp_path / "new")
    file = tomllib.loads((tmp_path / "new/pyproject.toml").read_text(encoding="utf-8"))
    assert file["project"]["name"] == "test-site"
    assert list(file["project"]["scripts"]) == ["test-site"]
    assert file["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"] == ["src/test_site"]
    dependencies = file["project"]["dependencies"]
    if bindings == "vendored":
        assert file["tool"]["acpgen"]["surfaces"] == ["v1_unstable", "v2_unstable"]
        assert dependencies == ["pydantic>=2.14"]
        assert settings(tmp_path / "new").root == tmp_path / "new/src/test_site/acp_bindings"
    else:
        assert "acpgen" not in file["tool"]
        assert dependencies[0].startswith("acp-bindings>=")
    assert (tmp_path / "new/src/test_site/py.typed").exists()


def test_the_readme_tells_each_editor_the_command(tmp_path: Path) -> None:
    scaffold.new("My Agent 2", wishes=scaffold.Wishes(bindings="pypi"), path=tmp_path / "new")
    text = (tmp_path / "new/README.md").read_text(encoding="utf-8")
    blocks = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", text, re.DOTALL)]
    keys = [next(iter(block)) for block in blocks]
    assert keys == ["agent_servers", "agent_servers", "acp.agents"]  # Zed, JetBrains, VS Code
    for block, key in zip(blocks, keys, strict=True):
        assert block[key]["My Agent 2"]["command"].endswith("/my-agent-2")
    for editor in ("CodeCompanion", "avante"):
        assert editor in text
    assert text.count("```lua\n") == 2
    assert "{{" not in text
