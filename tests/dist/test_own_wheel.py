"""acpgen itself: its sdist and its wheel, installed without the repository and used there."""

from __future__ import annotations

import email
import json
import re
import shutil
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from acpgen import cli, dist
from acpgen.config import load
from tests.dist.support import ROOT, Environment, clean, run

pytest.importorskip("pypiserver", reason="nox -s dist installs it")
pytestmark = pytest.mark.slow

# Of what begins with a dot, the files of projects to be made and of sdists are wanted.
JUNK = re.compile(
    r"(^|/)(__pycache__|\.(?!(gitignore|github|copier-answers)\b)[^/]*)(/|$)|(\.py[co]|~|\.orig|\.rej)$"
)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The sdist, the wheel made from it, and a wheel made from the checkout."""
    folder = tmp_path_factory.mktemp("own")
    build = (sys.executable, "-m", "build", "--no-isolation", "--outdir")
    env = clean(folder)
    run(*build, folder / "one", ROOT, cwd=folder, env=env)
    run(*build, folder / "two", "--wheel", ROOT, cwd=folder, env=env)
    (sdist,) = (folder / "one").glob("*.tar.gz")
    (wheel,) = (folder / "one").glob("*.whl")
    (direct,) = (folder / "two").glob("*.whl")
    return {"sdist": sdist, "wheel": wheel, "direct": direct}


@pytest.fixture(scope="module")
def installed(built: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """A new environment with the wheel and its extra, dependencies from where pip gets them."""
    folder = tmp_path_factory.mktemp("user")
    environment = Environment(folder / "venv")
    command = ("-m", "pip", "install", "-q", f"{built['wheel']}[package]")
    run(environment.python, *command, cwd=folder, env=clean(folder, pip=True))
    return environment


def acpgen(environment: Environment, cwd: Path, *arguments: str | Path) -> str:
    return run(environment.scripts / "acpgen", *arguments, cwd=cwd, env=clean(cwd))


def members(path: Path) -> Iterator[str]:
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as archive:
            yield from archive.namelist()
    else:
        with tarfile.open(path) as archive:
            yield from (item.name for item in archive if item.isfile())


def test_the_sdist_makes_the_same_wheel(built: dict[str, Path]) -> None:
    assert built["wheel"].read_bytes() == built["direct"].read_bytes()


def test_twine_finds_no_fault(built: dict[str, Path]) -> None:
    files = (built["sdist"], built["wheel"])
    run(sys.executable, "-m", "twine", "check", "--strict", *files, cwd=built["wheel"].parent)


def test_there_is_no_junk(built: dict[str, Path]) -> None:
    for path in (built["sdist"], built["wheel"]):
        names = list(members(path))
        assert [name for name in names if name.startswith(("/", ".")) or ".." in name] == []
        inside = names if path.suffix == ".whl" else [name.partition("/")[2] for name in names]
        assert [name for name in inside if JUNK.search(name)] == []
    tops = {name.split("/")[0] for name in members(built["wheel"])}
    assert tops == {"acpgen", f"acpgen-{built['wheel'].name.split('-')[1]}.dist-info"}


def test_case_c46_every_extra_that_is_named_exists(built: dict[str, Path]) -> None:
    with zipfile.ZipFile(built["wheel"]) as archive:
        (name,) = (item for item in archive.namelist() if item.endswith(".dist-info/METADATA"))
        provided = set(email.message_from_bytes(archive.read(name)).get_all("Provides-Extra", []))
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "acpgen").rglob("*.py")]
    text = "\n".join(path.read_text(encoding="utf-8") for path in pages)
    named = {extra for group in re.findall(r"acpgen\[([^\]]+)\]", text) for extra in group.split(",")}
    assert named == provided == {"package"}


def test_it_generates_the_same_files_as_the_checkout(
    installed: Environment, tmp_path: Path
) -> None:
    acpgen(installed, tmp_path, "generate", "--surface", "v1")
    acpgen(installed, tmp_path, "generate", "--surface", "v1", "--check")
    command = ("-m", "acpgen", "generate", "--surface", "v1", "--out", tmp_path / "checkout")
    run(sys.executable, *command, cwd=tmp_path, env=clean(tmp_path, PYTHONPATH=str(ROOT)))
    ours, theirs = tmp_path / "checkout", tmp_path / "generated"
    names = sorted(path.relative_to(ours) for path in ours.rglob("*") if path.is_file())
    assert names == sorted(path.relative_to(theirs) for path in theirs.rglob("*") if path.is_file())
    for name in names:
        assert (theirs / name).read_bytes() == (ours / name).read_bytes(), name


def test_it_packages_the_same_bytes_as_the_checkout(installed: Environment, tmp_path: Path) -> None:
    acpgen(installed, tmp_path, "package", "--no-isolation", "--surface", "v2")
    config = load(tmp_path, {"surfaces": ["v2"]})
    names = {path.name for path in (tmp_path / "dist").iterdir()}
    for path in (tmp_path / "dist").iterdir():
        (tmp_path / "checkout").mkdir(exist_ok=True)
        shutil.copy(path, tmp_path / "checkout")
    outcome = dist.package(config, tmp_path / "checkout", isolated=False)
    assert {item.name for item in outcome.artefacts} == names
    for name in names:
        assert contents(tmp_path / "dist" / name) == contents(tmp_path / "checkout" / name)
    if same_backend(installed, tmp_path):
        assert outcome.written == ()


def contents(path: Path) -> dict[str, bytes]:
    """The files of an artefact without what names the backend that made it."""
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as archive:
            found = {name: archive.read(name) for name in archive.namelist()}
    else:
        with tarfile.open(path) as archive_:
            opened = {item.name: archive_.extractfile(item) for item in archive_ if item.isfile()}
            found = {name: file.read() for name, file in opened.items() if file is not None}
    return {name: data for name, data in found.items() if not name.endswith(("/WHEEL", "/RECORD"))}


def same_backend(installed: Environment, cwd: Path) -> bool:
    """Whether the new environment has the same hatchling; another one may write other bytes."""
    show = "from importlib.metadata import version; print(version('hatchling'))"
    return run(installed.python, "-c", show, cwd=cwd) == run(sys.executable, "-c", show, cwd=cwd)


@pytest.mark.parametrize("kind", ["agent", "client"])
def test_it_scaffolds_a_project_that_builds(
    installed: Environment, tmp_path: Path, kind: str
) -> None:
    """Case C47 too: the distribution has another name than its package."""
    acpgen(installed, tmp_path, "new", "test-site", "--kind", kind, "--no-input")
    project = tmp_path / "test-site"
    build = ("-m", "build", "--no-isolation", "--wheel")
    run(installed.python, *build, cwd=project, env=clean(tmp_path))
    (wheel,) = (project / "dist").glob("*.whl")
    assert {name.split("/")[0] for name in members(wheel)} >= {"test_site"}
    shutil.rmtree(project / "dist")
    acpgen(installed, project, "generate", "--check")


def test_every_command_has_its_help_in_the_wheel(installed: Environment, tmp_path: Path) -> None:
    said = acpgen(installed, tmp_path, "--help")
    for command in cli.app.registered_commands:
        assert command.callback is not None
        assert command.callback.__name__ in said
    assert json.loads(acpgen(installed, tmp_path, "methods", "--surface", "v1", "--json"))
