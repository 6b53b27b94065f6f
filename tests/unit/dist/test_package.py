"""`acpgen package` on a protocol of two types, built for real with the installed hatchling."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from acpgen import generate as generation
from acpgen.cli import app
from acpgen.dist import building, previous
from acpgen.problem import ProblemError
from tests.unit.dist.conftest import MINE, package
from tests.unit.support import PING, project, record, schema, settings


def test_what_is_reported_is_what_is_there(folder: Path) -> None:
    outcome = package(folder, check=True)
    assert (outcome.name, outcome.version, outcome.differing) == ("acp-of-mine", "1.2.0", ())
    for item in outcome.artefacts:
        data = (folder / "dist" / item.name).read_bytes()
        assert (len(data), hashlib.sha256(data).hexdigest()) == (item.size, item.sha256)
    assert {path.name for path in folder.iterdir()} == {".git", "acpgen.toml", "schemas", "dist"}


@pytest.mark.parametrize(
    ("out", "shown"), [("dist", "dist/"), ("a/b/dist", "a/b/dist/"), (".", ""), ("../x", "../x/")]
)
def test_the_artefacts_are_told_where_the_output_folder_was_given(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, out: str, shown: str
) -> None:
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    monkeypatch.setattr("acpgen.console.is_terminal", lambda: True)
    command = ["package", "--no-isolation", "--jobs", "1", "--config", str(folder / "acpgen.toml")]
    done = CliRunner().invoke(app, [*command, "--out", out])
    assert done.exit_code == 0, done.output
    for line in done.stdout.splitlines():
        name = line.partition("  ")[0]
        assert name.startswith(f"{shown}acp_of_mine-1.2.0"), line
        assert (work / name).is_file()


def test_the_bytes_do_not_depend_on_where_and_how(folder: Path, tmp_path: Path) -> None:
    """Another folder, umask, hash seed, time zone and locale, and a .gitignore around the build."""
    other = project(tmp_path / "sub", config=MINE)
    (tmp_path / "tmp").mkdir()
    (tmp_path / "tmp/.gitignore").write_text("src/\n*.json\n", encoding="utf-8")
    environment = {
        **os.environ,
        "PYTHONHASHSEED": "7",
        "TZ": "Asia/Kolkata",
        "LC_ALL": "C",
        "TMPDIR": str(tmp_path / "tmp"),
        "PYTHONPATH": str(Path(__file__).parents[3]),
        "HATCH_BUILD_HOOKS_ONLY": "1",
    }
    environment.pop("SOURCE_DATE_EPOCH", None)
    code = "import os, sys; os.umask(0o077); sys.argv[0] = 'acpgen'; from acpgen.cli import app; app()"
    subprocess.run(
        [sys.executable, "-c", code, "package", "--no-isolation", "--jobs", "1"],
        cwd=other,
        env=environment,
        check=True,
    )
    for path in sorted((folder / "dist").iterdir()):
        assert (other / "dist" / path.name).read_bytes() == path.read_bytes()


def test_what_is_not_ascii_can_be_published(tmp_path: Path) -> None:
    """Names as people have them, and what an address in a header has to quote."""
    authors = [
        ("Zoë", "zoe@example.org"),
        ("Zoë", ""),
        ("Łukasz 日本", "l@exämple.org"),
        ('J. "Q" (X) \\ Doe', "j@example.org"),
        ("O'Neil; [a <b>", "o@example.org"),
        ("Ω: (x)", ""),
        ("", "bo@example.org"),
    ]
    tables = ", ".join(
        f"{{ name = {json.dumps(name)}, email = {json.dumps(email)} }}" if name and email
        else f"{{ name = {json.dumps(name)} }}" if name
        else f"{{ email = {json.dumps(email)} }}"
        for name, email in authors
    )  # fmt: skip
    urls = 'urls = { "Homepäge" = "https://exämple.org/ü" }'
    folder = project(
        tmp_path, config=f'{MINE}description = "Für Ω."\nauthors = [{tables}]\n{urls}\n'
    )
    wheel = folder / "dist" / package(folder).artefacts[1].name
    with zipfile.ZipFile(wheel) as archive:
        said = archive.read("acp_of_mine-1.2.0.dist-info/METADATA").decode("utf-8")
    assert "Project-URL: Homepäge, https://exämple.org/ü\n" in said
    assert "Summary: Für Ω.\n" in said


def test_check_finds_other_bytes_and_writes_nothing(folder: Path, tmp_path: Path) -> None:
    other = project(tmp_path, config=MINE)
    (other / "dist").mkdir()
    wheel = other / "dist/acp_of_mine-1.2.0-py3-none-any.whl"
    wheel.write_bytes(b"other")
    outcome = package(other, check=True)
    assert outcome.drifted
    assert outcome.differing == (wheel.name,)
    assert [path.name for path in (other / "dist").iterdir()] == [wheel.name]


def test_the_time_in_the_artefacts(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with zipfile.ZipFile(folder / "dist/acp_of_mine-1.2.0-py3-none-any.whl") as archive:
        assert {item.date_time for item in archive.infolist()} == {(2020, 1, 1, 0, 0, 0)}
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    assert building.epoch() == 1700000000
    assert package(folder, check=True).drifted
    for value in ("soon", "-1", "0", "9999999999", "1.5"):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", value)
        with pytest.raises(ProblemError, match="SOURCE_DATE_EPOCH"):
            building.epoch()


@pytest.mark.parametrize("name", ["acp_of_mine-1.2.0.tar.gz", "acp_of_mine-1.2.0-py3-none-any.whl"])
def test_an_artefact_tells_its_names_to_the_next_release(folder: Path, name: str) -> None:
    before = previous.read(folder / "dist" / name)
    assert (before.name, before.version) == ("acp-of-mine", "1.2.0")
    assert {"Ping", "Pong"} <= set(before.manifest.names["v1"])


def test_a_name_that_went_is_refused_until_the_version_says_so(folder: Path, tmp_path: Path) -> None:
    old = folder / "dist/acp_of_mine-1.2.0-py3-none-any.whl"
    new = project(tmp_path, {"Ping": PING["Ping"]}, MINE.replace("1.2.0", "1.2.1"))
    with pytest.raises(ProblemError, match=r"v1\.Pong: is gone"):
        package(new, against=old)
    assert not (new / "dist").exists()
    outcome = package(new, against=old, project={"version": "1.3.0"})
    assert outcome.removed == ("v1.Pong",)


def test_a_renamed_type_keeps_its_old_name_from_the_release_before(
    folder: Path, tmp_path: Path
) -> None:
    new = project(tmp_path, config='renames = "renames.toml"\n' + MINE.replace("1.2.0", "1.2.1"))
    (new / "renames.toml").write_text('[types]\nPong = "Reply"\n', encoding="utf-8")
    old = folder / "dist/acp_of_mine-1.2.0.tar.gz"
    outcome = package(new, against=old)
    assert (outcome.renamed, outcome.removed) == (("v1.Pong -> Reply",), ())
    code = "import warnings; warnings.simplefilter('ignore'); from acp_bindings import v1; print(v1.Pong is v1.Reply)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(new / "dist" / outcome.artefacts[1].name)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "True\n"


def test_names_of_the_generated_folder_are_locked(tmp_path: Path) -> None:
    folder = project(tmp_path, config=MINE)
    generation.generate(settings(folder), jobs=1)
    schema(folder, {"Ping": PING["Ping"]})
    with pytest.raises(ProblemError, match=r"v1\.Pong: this public name is gone"):
        package(folder)


def test_descriptions_of_the_release_go_into_docstrings_and_notice(tmp_path: Path) -> None:
    folder = project(tmp_path, config=MINE)
    release = tmp_path / "release/schema/v1"
    release.mkdir(parents=True)
    defs = {"Ping": {**record(id={"type": "integer"}), "description": "Knock and see."}}
    (release / "schema.json").write_text(json.dumps({"$defs": defs}), encoding="utf-8")
    options: dict[str, Any] = {"source": "release", "docs": True, "allow-ungated": True}
    outcome = package(folder, **options)
    with zipfile.ZipFile(folder / "dist" / outcome.artefacts[1].name) as archive:
        assert "Knock and see." in archive.read("acp_bindings/v1/models/_types.py").decode()
        info = "acp_of_mine-1.2.0.dist-info"
        assert "descriptions taken from those schemas" in archive.read(
            f"{info}/licenses/NOTICE"
        ).decode().replace("\n", " ")


def test_notice_names_source_version_and_schemas(folder: Path) -> None:
    with zipfile.ZipFile(folder / "dist/acp_of_mine-1.2.0-py3-none-any.whl") as archive:
        notice = archive.read("acp_of_mine-1.2.0.dist-info/licenses/NOTICE").decode()
        contract = archive.read("acp_bindings/v1/schema.json")
    assert "acp-of-mine 1.2.0\n" in notice
    assert "own schemas" in notice
    assert hashlib.sha256(contract).hexdigest() in notice


class TestRefused:
    def test_a_vendored_layout(self, tmp_path: Path) -> None:
        folder = project(tmp_path, config='layout = "package"\n')
        with pytest.raises(ProblemError, match="no project of its own to publish"):
            package(folder)

    def test_schemas_without_a_version(self, tmp_path: Path) -> None:
        folder = project(tmp_path)
        with pytest.raises(ProblemError, match="no version that a package could have"):
            package(folder)

    def test_a_backend_that_fails_leaves_nothing(self, tmp_path: Path) -> None:
        folder = project(tmp_path, config='templates = "mine"\n' + MINE)
        target = folder / "mine/bindings"
        target.mkdir(parents=True)
        (target / "pyproject.toml.jinja").write_text(
            '[build-system]\nrequires = []\nbuild-backend = "hatchling.build"\n[project]\nname = "x"\n',
            encoding="utf-8",
        )
        with pytest.raises(ProblemError) as caught:
            package(folder)
        what, *before = caught.value.problems[0].what.splitlines()
        assert "version" in what
        assert before and all(line.startswith("    | ") for line in before)
        assert any("hatchling" in line for line in before)
        assert not (folder / "dist").exists()

    def test_an_output_folder_that_is_a_file(self, tmp_path: Path) -> None:
        folder = project(tmp_path, config=MINE)
        (folder / "dist").write_text("mine", encoding="utf-8")
        with pytest.raises(ProblemError, match="dist"):
            package(folder)
        assert (folder / "dist").read_text(encoding="utf-8") == "mine"

    @pytest.mark.parametrize(("isolated", "missing"), [(True, "twine"), (False, "hatchling")])
    def test_without_the_tools(
        self, isolated: bool, missing: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        found = importlib.util.find_spec
        monkeypatch.setattr(
            importlib.util, "find_spec", lambda name: None if name == missing else found(name)
        )
        with pytest.raises(ProblemError) as caught:
            building.need_tools(isolated)
        (problem,) = caught.value.problems
        assert problem.what == f"{missing} is not installed"
        assert "acpgen[package]" in problem.hint

    @pytest.mark.parametrize(
        ("name", "data", "what"),
        [
            ("x.whl", b"no zip", "is damaged"),
            ("x.tar.gz", b"no gzip", "cannot be read|is damaged"),
            ("acpgen.lock.json", b"{}", "is not a manifest"),
            ("x.json", b"", "is not JSON"),
        ],
    )
    def test_a_previous_release_that_is_none(
        self, tmp_path: Path, name: str, data: bytes, what: str
    ) -> None:
        (tmp_path / name).write_bytes(data)
        with pytest.raises(ProblemError, match=what):
            previous.read(tmp_path / name)

    @pytest.mark.parametrize("given", ["dist", "."])
    def test_a_folder_without_a_manifest(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str
    ) -> None:
        (tmp_path / "dist").mkdir()
        monkeypatch.chdir(tmp_path)
        with pytest.raises(ProblemError) as caught:
            previous.read(Path(given))
        (problem,) = caught.value.problems
        assert problem.where == f"{given}/acpgen.lock.json"
        assert "No such file" in problem.what

    def test_a_wheel_of_somebody_else(self, tmp_path: Path) -> None:
        with zipfile.ZipFile(tmp_path / "x.whl", "w") as archive:
            archive.writestr("x.py", "")
        with pytest.raises(ProblemError, match="acpgen package did not make it"):
            previous.read(tmp_path / "x.whl")


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = project(tmp_path, config=MINE)
    monkeypatch.chdir(folder)
    runner = CliRunner()
    command = ["package", "--no-isolation", "--jobs", "1", "--revision", "3"]
    done = runner.invoke(app, [*command, "--json"])
    assert done.exit_code == 0, done.output
    report = json.loads(done.stdout)
    assert (report["version"], report["drifted"]) == ("1.2.0.post3", False)
    wheel = folder / "dist/acp_of_mine-1.2.0.post3-py3-none-any.whl"
    assert wheel.name in report["written"]
    wheel.write_bytes(b"")
    again = runner.invoke(app, [*command, "--check"])
    assert (again.exit_code, again.stdout) == (1, f"moved: {wheel.name} is not what the input gives\n")
    nowhere = runner.invoke(app, [*command, "--check", "--out", "empty"])
    assert nowhere.exit_code == 1
    assert nowhere.stdout.startswith("moved: nothing to compare: ")
    assert not (folder / "empty").exists()
    refused = runner.invoke(app, [*command, "--against", "nothing.whl"])
    assert refused.exit_code == 2
    assert refused.stderr.startswith("error: nothing.whl: cannot be read")
