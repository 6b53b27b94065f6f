"""What the checks find in artefacts that are not as they should be: each begins with good ones, and
one thing is changed.
"""

from __future__ import annotations

import io
import shutil
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from acpgen import generate as generation
from acpgen import inputs
from acpgen.config import Config
from acpgen.dist import building, verify
from acpgen.problem import ProblemError
from tests.unit.support import project, settings

CONFIG = """
[project]
version = "1.2.0"
authors = [{ name = "Ada", email = "ada@example.org" }, { name = "Bo" }]
urls = { Source = "https://example.org/x" }
"""
INFO = "acp_bindings-1.2.0.dist-info"
WORK = "the-folder-of-the-build"
Members = dict[str, bytes]


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> tuple[Config, dict[str, str], building.Built]:
    folder = tmp_path_factory.mktemp("good")
    config = settings(project(folder / "project", config=CONFIG))
    files = generation.make(config, inputs.read(config), None, jobs=1).files
    work = folder / "work"
    work.mkdir()
    built = building.run(files, work, building.EPOCH, isolated=False, progress=lambda _: None)
    return config, files, built


def zipped(members: Members) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return data.getvalue()


def tarred(members: Members, owner: str = "") -> bytes:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz") as archive:
        for name, content in members.items():
            member = tarfile.TarInfo(name)
            member.size, member.uname = len(content), owner
            archive.addfile(member, io.BytesIO(content))
    return data.getvalue()


@pytest.fixture
def faults(
    good: tuple[Config, dict[str, str], building.Built], tmp_path: Path
) -> Callable[..., list[str]]:
    """Change the members of the wheel or of the sdist, and say what the checks find."""
    config, files, built = good

    def run(
        wheel: Callable[[Members], object] | None = None,
        sdist: Callable[[Members], object] | None = None,
        owner: str = "",
        texts: dict[str, str] | None = None,
    ) -> list[str]:
        artefacts = dict(built.files)
        if wheel is not None:
            members = verify._zip(artefacts[built.wheel])
            wheel(members)
            artefacts[built.wheel] = zipped(members)
        if sdist is not None or owner:
            members = verify._tar(artefacts[built.sdist])
            if sdist is not None:
                sdist(members)
            artefacts[built.sdist] = tarred(members, owner)
        changed = building.Built(artefacts, built.sdist, built.wheel)
        work = tmp_path / WORK
        work.mkdir()
        try:
            verify.check(changed, {**files, **(texts or {})}, config, "1.2.0", work)
        except ProblemError as error:
            return [f"{problem.where}: {problem.what}" for problem in error.problems]
        finally:
            shutil.rmtree(work)
        return []

    return run


def test_good_ones_pass(faults: Callable[..., list[str]]) -> None:
    assert faults() == []
    assert faults(wheel=lambda members: None, sdist=lambda members: None) == []


def replaced(path: str, old: bytes, new: bytes) -> Callable[[Members], None]:
    def change(members: Members) -> None:
        assert members[path].count(old) == 1
        members[path] = members[path].replace(old, new)

    return change


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        (b"Summary: ", b"X-Summary: ", "has no Summary"),
        (b"License-Expression: ", b"X-Licence: ", "has no License-Expression"),
        (b"Requires-Python: ", b"X-Python: ", "has no Requires-Python"),
        (b"Description-Content-Type: text/markdown", b"X-Type: x", "has no Description-Content-Type"),
        (b"License-File: NOTICE", b"License-File: NOTES", "the licence file NOTES is not in the wheel"),
        (b"Version: 1.2.0", b"Version: 1.2.1", "the version is 1.2.1, not 1.2.0"),
        (b"Name: acp-bindings", b"Name: acp-other", "the name is acp-other"),
        (b"Project-URL: Source", b"X-URL: Source", "lacks the URL Source"),
        (b"ada@example.org", b"eve@example.org", "lacks the author Ada"),
        (b"Author: Bo", b"Author: Bob", "lacks the author Bo"),
        (b"Provides-Extra: strict", b"X-Extra: strict", "names the extra strict"),
    ],
)
def test_metadata(faults: Callable[..., list[str]], old: bytes, new: bytes, what: str) -> None:
    found = faults(wheel=replaced(f"{INFO}/METADATA", old, new))
    assert any(what in fault for fault in found), found


def test_case_c46_an_extra_of_the_readme_exists(
    faults: Callable[..., list[str]], good: tuple[Config, dict[str, str], building.Built]
) -> None:
    text = good[1]["README.md"]
    for named in ("`pip install 'ACP-bindings[strict, http]'`", "The extra `http` adds that."):
        found = faults(texts={"README.md": f"{text}\n{named}\n"})
        assert "README.md: names the extra http, which the package does not have" in found


def test_a_link_that_an_index_cannot_show(
    faults: Callable[..., list[str]], good: tuple[Config, dict[str, str], building.Built]
) -> None:
    found = faults(texts={"README.md": good[1]["README.md"] + "\n[more](docs/more.md) [up](#top)\n"})
    assert "README.md: links to docs/more.md, which an index cannot show" in found
    assert not any("#top" in fault for fault in found)


def test_the_wheel_without_type_marker_or_manifest(faults: Callable[..., list[str]]) -> None:
    found = faults(wheel=lambda members: members.pop("acp_bindings/py.typed"))
    assert any("lacks acp_bindings/py.typed" in fault for fault in found)
    manifest = f"{INFO}/extra_metadata/acpgen.lock.json"
    found = faults(wheel=lambda members: members.pop(manifest))
    assert any("does not carry acpgen.lock.json" in fault for fault in found)


@pytest.mark.parametrize("path", ["acp_bindings/__pycache__/x.pyc", "tests/test_x.py", "notes.txt"])
def test_junk(faults: Callable[..., list[str]], path: str) -> None:
    found = faults(wheel=lambda members: members.update({path: b"x"}))
    assert any(f"#{path}: does not belong there" in fault for fault in found)
    inside = f"acp_bindings-1.2.0/{path}"
    found = faults(sdist=lambda members: members.update({inside: b"x"}))
    assert any(f"#{path}: does not belong there" in fault for fault in found)


def test_a_path_outside_of_the_sdist(faults: Callable[..., list[str]]) -> None:
    for path in ("/etc/x", "../x", "other-1.0/x"):
        found = faults(sdist=lambda members, path=path: members.update({path: b"x"}))
        assert any("is not below acp_bindings-1.2.0/" in fault for fault in found), path


def test_a_file_that_is_missing_or_changed(faults: Callable[..., list[str]]) -> None:
    path = "acp_bindings-1.2.0/src/acp_bindings/__init__.py"
    found = faults(sdist=lambda members: members.pop(path))
    assert any("src/acp_bindings/__init__.py: is missing" in fault for fault in found)
    found = faults(wheel=lambda members: members.update({"acp_bindings/__init__.py": b"x"}))
    assert any("acp_bindings/__init__.py: differs" in fault for fault in found)


def test_the_owner_of_the_files(faults: Callable[..., list[str]]) -> None:
    assert any("tells whose file it was" in fault for fault in faults(owner="ada"))


def test_the_folder_of_the_build(faults: Callable[..., list[str]]) -> None:
    leak = f"# /tmp/{WORK}/one".encode()
    found = faults(wheel=lambda members: members.update({"acp_bindings/__init__.py": leak}))
    assert any("names the folder in which it was built" in fault for fault in found)


def test_what_twine_finds(faults: Callable[..., list[str]]) -> None:
    found = faults(
        wheel=replaced(f"{INFO}/METADATA", b"Description-Content-Type: text/markdown", b"X: y")
    )
    assert any(fault.startswith("twine check: ") for fault in found), found


def test_builds_that_differ_are_refused(tmp_path: Path) -> None:
    """A backend that writes the folder's name into the package."""
    backend = (
        "from pathlib import Path\n"
        "def _write(folder, name):\n"
        "    Path(folder, name).write_text(str(Path.cwd()))\n"
        "    return name\n"
        "def build_sdist(folder, config_settings=None):\n"
        "    import io, tarfile\n"
        "    with tarfile.open(Path(folder, 'x-1.tar.gz'), 'w:gz') as archive:\n"
        "        archive.add('pyproject.toml', 'x-1/pyproject.toml')\n"
        "        archive.add('backend.py', 'x-1/backend.py')\n"
        "    return 'x-1.tar.gz'\n"
        "def build_wheel(folder, config_settings=None, metadata_directory=None):\n"
        "    return _write(folder, 'x-1-py3-none-any.whl')\n"
    )
    files = {
        "backend.py": backend,
        "pyproject.toml": (
            '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'
        ),
    }
    with pytest.raises(ProblemError) as caught:
        building.run(files, tmp_path.resolve(), building.EPOCH, isolated=False, progress=lambda _: None)
    whats = [problem.what for problem in caught.value.problems]
    assert "the wheel, built from the sdist, has other bytes than the first one" in whats
    assert "the wheel, built in another folder, has other bytes than the first one" in whats
