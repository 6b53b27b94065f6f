"""The bindings, from `acpgen package` over an index into a new environment, and used there."""

from __future__ import annotations

import json
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.dist import programs
from tests.dist.support import DEPENDENCIES, ROOT, Environment, clean, index, run

pytest.importorskip("pypiserver", reason="nox -s dist installs it")
pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Published:
    """folder: a publisher's project. address: of the index. wheels: dependencies, from elsewhere."""

    folder: Path
    address: str
    wheels: Path

    def package(self, *options: str) -> dict[str, object]:
        """`acpgen package`, with its report."""
        command = ["-m", "acpgen", "package", "--no-isolation", "--json", *options]
        env = clean(self.folder, PYTHONPATH=str(ROOT))
        report: dict[str, object] = json.loads(run(sys.executable, *command, cwd=self.folder, env=env))
        return report

    def upload(self, *files: Path) -> None:
        options = ["--non-interactive", "--disable-progress-bar", "--repository-url", self.address]
        command = [sys.executable, "-m", "twine", "upload", *options, "-u", "x", "-p", "x"]
        run(*command, *files, cwd=self.folder, env=clean(self.folder))

    def pip(self, environment: Environment, *arguments: str) -> str:
        """pip with this index and the downloaded dependencies, and no other source."""
        own = ("--index-url", f"{self.address}simple/", "--find-links", str(self.wheels))
        command = ["-m", "pip", arguments[0], *own, *arguments[1:]]
        return run(environment.python, *command, cwd=self.folder, env=clean(self.folder))


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Published]:
    """Release 2.4.0 of the bindings on an index."""
    folder = tmp_path_factory.mktemp("publisher")
    (folder / "acpgen.toml").write_text('surfaces = ["v1", "v2"]\n', encoding="utf-8")
    packages, wheels = folder / "index", folder / "wheels"
    packages.mkdir()
    run(sys.executable, "-m", "pip", "download", "-q", "-d", wheels, *DEPENDENCIES, cwd=folder)
    with index(packages, folder / "index.log") as address:
        found = Published(folder, address, wheels)
        report = found.package()
        assert report["name"] == "acp-bindings"
        files = sorted((folder / "dist").iterdir())
        assert len(files) == 2
        found.upload(*files)
        assert {path.name for path in packages.iterdir()} == {path.name for path in files}
        yield found


@pytest.fixture(scope="module")
def installed(published: Published, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """A new environment with the bindings and their extra, from the index."""
    environment = Environment(tmp_path_factory.mktemp("user") / "venv")
    report = published.folder / "report.json"
    published.pip(environment, "install", "-q", "--report", str(report), "acp-bindings[strict]", "mypy")
    entries = json.loads(report.read_text(encoding="utf-8"))["install"]
    (ours,) = (item for item in entries if item["metadata"]["name"] == "acp-bindings")
    assert ours["download_info"]["url"].startswith(published.address)
    return environment


@pytest.fixture
def user(tmp_path: Path) -> Path:
    for name in ("AGENT", "CLIENT", "WRONG", "STRICT"):
        path = tmp_path / f"{name.lower()}.py"
        path.write_text(getattr(programs, name).lstrip(), encoding="utf-8")
    return tmp_path


def test_it_is_imported_from_the_new_environment(installed: Environment, user: Path) -> None:
    code = "import acp_bindings.v2 as v2; print(v2.PROTOCOL_VERSION, v2.__file__)"
    version, file = run(installed.python, "-c", code, cwd=user, env=clean(user)).split()
    assert version == "2"
    assert Path(file).is_relative_to(installed.site(user))


def test_a_type_checker_sees_its_types(installed: Environment, user: Path) -> None:
    mypy = (installed.python, "-m", "mypy", "--strict", "--cache-dir", str(user / "cache"))
    run(*mypy, "agent.py", "client.py", cwd=user, env=clean(user))
    said = run(*mypy, "wrong.py", cwd=user, env=clean(user), code=1)
    assert 'Argument "stop_reason" to "PromptResponse" has incompatible type' in said


def test_an_agent_made_with_it_answers_a_client_made_with_it(
    installed: Environment, user: Path
) -> None:
    command = (installed.python, "client.py", installed.python, "agent.py")
    assert run(*command, cwd=user, env=clean(user)) == "agent: HELLO\nstopped: end_turn\n"


def test_case_c46_its_extra_is_there_and_works(installed: Environment, user: Path) -> None:
    said = run(installed.python, "strict.py", cwd=user, env=clean(user))
    none, found = said.splitlines()
    assert none == "0"
    assert "/cwd" in found


def test_the_sdist_gives_the_same_files(
    published: Published, installed: Environment, tmp_path: Path
) -> None:
    target = tmp_path / "target"
    published.pip(
        installed, "install", "-q", "--no-deps", "--no-compile", "--no-binary", "acp-bindings",
        "--target", str(target), "acp-bindings",
    )  # fmt: skip
    (wheel,) = (published.folder / "dist").glob("acp_bindings-2.4.0-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if not name.endswith("/RECORD")]
        assert len(names) > 50
        for name in names:
            assert (target / name).read_bytes() == archive.read(name), name


def test_a_revision_follows_and_is_taken_as_an_upgrade(
    published: Published, installed: Environment, tmp_path: Path
) -> None:
    """The previous release is got from the index, as a publisher would."""
    published.pip(installed, "download", "-q", "--no-deps", "-d", str(tmp_path), "acp-bindings==2.4.0")
    (previous,) = tmp_path.iterdir()
    out = published.folder / "revision"
    report = published.package("--revision", "1", "--against", str(previous), "--out", str(out))
    assert (report["version"], report["removed"]) == ("2.4.0.post1", [])
    published.upload(*sorted(out.iterdir()))
    environment = Environment(tmp_path / "venv")
    show = "from importlib.metadata import version; print(version('acp-bindings'))"
    for wanted, found in (("acp-bindings==2.4.0", "2.4.0"), ("-U acp-bindings", "2.4.0.post1")):
        published.pip(environment, "install", "-q", *wanted.split())
        assert run(environment.python, "-c", show, cwd=tmp_path).strip() == found
