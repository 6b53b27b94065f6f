"""The workflows of docs/publish.md: they are YAML of the shape that GitHub reads, and their scripts
do what the page says, in a repository with a remote.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.docs.shell import ROOT, File, Session, steps
from tests.unit.support import PING, record

yaml = pytest.importorskip("yaml")
PAGE = (ROOT / "docs/publish.md").read_text(encoding="utf-8")
posix = pytest.mark.skipif(os.name == "nt", reason="the scripts are of a POSIX shell")


def workflow(name: str) -> dict[Any, Any]:
    """A workflow of the page, read as YAML (where the key `on` is read as true)."""
    (text,) = (
        step.text
        for step in steps(PAGE)
        if isinstance(step, File) and step.path == f".github/workflows/{name}.yml"
    )
    found: dict[Any, Any] = yaml.safe_load(text)
    return found


def script(name: str, job: str, step: str) -> str:
    (found,) = (
        item["run"] for item in workflow(name)["jobs"][job]["steps"] if item.get("name") == step
    )
    return str(found)


def test_only_the_job_that_uploads_has_the_identity() -> None:
    publish = workflow("publish")
    assert publish["permissions"] == {"contents": "read"}
    jobs = publish["jobs"]
    assert jobs["upload"]["permissions"] == {"id-token": "write"}
    assert jobs["upload"]["environment"] == "pypi"
    assert "permissions" not in jobs["build"]
    assert not [item for item in jobs["upload"]["steps"] if "run" in item]
    uses = [item["uses"] for item in jobs["upload"]["steps"]]
    assert uses == ["actions/download-artifact@v4", "pypa/gh-action-pypi-publish@release/v1"]


def test_the_renewal_runs_on_a_schedule_and_may_write() -> None:
    renew = workflow("renew")
    assert renew[True]["schedule"][0]["cron"].split() == ["17", "5", "*", "*", "*"]
    assert renew["permissions"] == {"contents": "write", "pull-requests": "write"}


class Repository:
    """A project of small schemas, pushed to a remote; `gh` writes down how it was called."""

    def __init__(self, folder: Path) -> None:
        self.session = Session(folder)
        self.folder = self.session.root
        self.temp = folder / "temp"
        self.temp.mkdir()
        self.called = folder / "gh.txt"
        gh = folder / "bin/gh"
        gh.write_text(f'#!/bin/sh\necho "$@" >> {self.called}\n', encoding="utf-8")
        gh.chmod(0o755)
        self.session.environment["RUNNER_TEMP"] = str(self.temp)
        self.run(f"git init -q --bare {folder}/remote.git && git init -q -b main")
        self.run(f"git remote add origin {folder}/remote.git")
        (self.folder / "acpgen.toml").write_text(
            'schemas = "schemas"\nsurfaces = ["v1"]\nallow-ungated = true\n', encoding="utf-8"
        )
        self.release("1.2.0", PING)
        self.run('acpgen sync "$RELEASE" && acpgen generate')
        self.commit("first")

    def release(self, version: str, defs: dict[str, Any]) -> None:
        """Make a schema release the newest one."""
        folder = self.temp / f"sdk-{version}"
        (folder / "schema/v1").mkdir(parents=True)
        (folder / "schema/v1/schema.json").write_text(json.dumps({"$defs": defs}), encoding="utf-8")
        package = {"name": "@example/sdk", "version": version}
        (folder / "package.json").write_text(json.dumps(package), encoding="utf-8")
        self.session.environment["RELEASE"] = str(folder)

    def commit(self, message: str) -> None:
        self.run(f"git add . && git commit -qm '{message}' && git push -q origin main")

    def run(self, text: str, code: int = 0) -> str:
        """A script as GitHub runs it where no shell is named: -e, and no pipefail."""
        file = self.temp / "script.sh"
        file.write_text(text, encoding="utf-8")
        done = subprocess.run(
            ["bash", "-e", str(file)],
            cwd=self.folder,
            env=self.session.environment,
            capture_output=True,
            text=True,
        )
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path)


@posix
@pytest.mark.slow
def test_a_new_release_becomes_a_pull_request(repository: Repository) -> None:
    renew = script("renew", "renew", "Renew")
    assert repository.run(renew) == "nothing new\n"
    assert not repository.called.exists()

    repository.release("1.3.0", {"Ping": PING["Ping"], "Peng": record(id={"type": "integer"})})
    repository.run(renew)
    assert repository.called.read_text(encoding="utf-8").startswith(
        "pr create --title Schemas 1.3.0"
    )
    body = (repository.temp / "body.md").read_text(encoding="utf-8")
    assert "v1.Pong: this public name is gone" in body
    assert "schemas-1.3.0" in repository.run("git ls-remote --heads origin")
    changed = repository.run("git diff --name-only main HEAD").split()
    assert {"schemas/lock.toml", "generated/acpgen.lock.json"} <= set(changed)
    assert repository.run("git status --porcelain") == ""

    repository.run("git switch -q main")
    assert repository.run(renew) == "schemas-1.3.0 is there already\n"


@posix
@pytest.mark.slow
def test_a_renewal_that_fails_says_why(repository: Repository) -> None:
    """What nothing gates stops it, and the log is all that is left of the runner."""
    config = repository.folder / "acpgen.toml"
    text = config.read_text(encoding="utf-8").replace("allow-ungated = true\n", "")
    config.write_text(text, encoding="utf-8")
    method = {**record(id={"type": "integer"}), "x-side": "agent", "x-method": "some/new"}
    repository.release("1.3.0", {**PING, "NewRequest": method})
    said = repository.run(script("renew", "renew", "Renew"), code=1)
    assert "Schemas of release 1.3.0" in said
    assert "error: " in said
    assert "some/new" in said
    assert not repository.called.exists()
    assert repository.run("git ls-remote --heads origin | wc -l").strip() == "1"


@posix
@pytest.mark.slow
def test_a_schema_that_was_edited_is_not_published(repository: Repository) -> None:
    schema = repository.folder / "schemas/v1/schema.json"
    pinned = script("publish", "build", "The schemas are those of the pinned release")
    repository.run(pinned)
    schema.write_text(schema.read_text(encoding="utf-8").replace("Pong", "Peng"), encoding="utf-8")
    repository.run(pinned, code=1)
    build = script(
        "publish", "build", "Build, and hold the version to the names of the release before"
    )
    repository.run(build, code=2)
    assert not (repository.folder / "dist").exists()


@posix
@pytest.mark.slow
def test_a_tag_becomes_a_package_held_to_the_one_before(repository: Repository) -> None:
    check = script("publish", "build", "The committed bindings are what the schemas give")
    build = script(
        "publish", "build", "Build, and hold the version to the names of the release before"
    )
    tag = script("publish", "build", "The tag is the version")
    repository.run("git tag v1.2.0")
    repository.session.environment["GITHUB_REF_NAME"] = "v1.2.0"
    for text in (check, build, tag):
        repository.run(text)
    assert len(list((repository.folder / "dist").glob("*-1.2.0*"))) == 2
    repository.session.environment["GITHUB_REF_NAME"] = "v1.2.1"
    repository.run(tag, code=1)

    repository.run("rm -r dist")
    repository.release("1.2.1", {"Ping": PING["Ping"]})
    repository.run('acpgen sync "$RELEASE" && acpgen generate --accept-names')
    repository.commit("next")
    repository.run("git tag v1.2.1")
    repository.run(build, code=2)
    assert not (repository.folder / "dist").exists()
    repository.run("git tag -d v1.2.1")
    config = repository.folder / "acpgen.toml"
    config.write_text(
        config.read_text(encoding="utf-8") + '[project]\nversion = "1.3.0"\n', encoding="utf-8"
    )
    repository.run("acpgen generate")
    repository.commit("a version that says so")
    report = json.loads(repository.run(build))
    assert (report["version"], report["removed"]) == ("1.3.0", ["v1.Pong"])


def test_the_commands_are_those_of_the_page() -> None:
    """No script was left out above: what is not run here installs things from an index."""
    scripts = [
        item["run"]
        for name in ("publish", "renew")
        for job in workflow(name)["jobs"].values()
        for item in job["steps"]
        if "run" in item
    ]
    left = [text for text in scripts if re.match("python -m pip install", text)]
    assert len(scripts) - len(left) == 5


def test_a_page_that_installs_acpgen_says_from_where() -> None:
    index = (ROOT / "docs/index.md").read_text(encoding="utf-8")
    assert "\n## Install\n" in index
    pages = [path for path in (ROOT / "docs").glob("*.md") if path.name != "index.md"]
    found = [
        path.name
        for path in pages
        if re.search(r"pip install '?acpgen\b", text := path.read_text(encoding="utf-8"))
        and "](index.md#install)" not in text
    ]
    assert found == []
    assert "](index.md#install)" in PAGE
