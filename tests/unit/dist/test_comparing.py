"""What a run says of the artefacts that the output folder has already."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from acpgen.dist import comparing
from acpgen.problem import ProblemError
from tests.unit.dist.conftest import MINE, package
from tests.unit.support import project


def test_check_of_one_artefact_says_that_the_other_was_not_compared(
    folder: Path, tmp_path: Path
) -> None:
    other = project(tmp_path, config=MINE)
    (other / "dist").mkdir()
    names = sorted(path.name for path in (folder / "dist").iterdir())
    for name, absent in (names, names[::-1]):
        (other / "dist" / name).write_bytes((folder / "dist" / name).read_bytes())
        outcome = package(other, check=True)
        assert (outcome.drifted, outcome.missing) == (False, (absent,))
        assert f"dist has no {absent}: not compared" in outcome.notices
        (other / "dist" / name).unlink()


@pytest.mark.parametrize("make", [False, True])
def test_check_of_nothing_is_no_success(tmp_path: Path, make: bool) -> None:
    folder = project(tmp_path, config=MINE)
    if make:
        (folder / "dist").mkdir()
        (folder / "dist/acp_of_mine-1.1.0.tar.gz").write_bytes(b"another version")
    outcome = package(folder, check=True)
    assert outcome.drifted
    (finding,) = outcome.findings
    assert finding.startswith("nothing to compare: there is no acp_of_mine-1.2.0")
    assert (folder / "dist").exists() == make


def test_check_names_another_hatchling(folder: Path, tmp_path: Path) -> None:
    other = project(tmp_path, config=MINE)
    name = "acp_of_mine-1.2.0-py3-none-any.whl"
    (other / "dist").mkdir()
    with (
        zipfile.ZipFile(folder / "dist" / name) as good,
        zipfile.ZipFile(other / "dist" / name, "w") as changed,
    ):
        for item in good.namelist():
            data = good.read(item)
            if item.endswith("/WHEEL"):
                now = comparing.generator((folder / "dist" / name).read_bytes())
                assert data.count(now.encode()) == 1
                data = data.replace(now.encode(), b"hatchling 1.2.3")
            changed.writestr(item, data)
    (finding,) = package(other, check=True).findings
    assert f"{name} is not what the input gives: it was built with hatchling 1.2.3, " in finding
    assert f"this one with {now};" in finding
    assert "install hatchling==1.2.3 and use --no-isolation" in finding


@pytest.mark.parametrize("data", [b"", b"PK\x05\x06", b"PK\x03\x04" + bytes(40)])
def test_what_is_no_wheel_was_built_by_nothing(data: bytes) -> None:
    assert comparing.generator(data) == ""


def test_an_artefact_that_is_replaced_is_said(tmp_path: Path) -> None:
    folder = project(tmp_path, config=MINE)
    first = package(folder)
    assert not [text for text in first.notices if "was replaced" in text]
    again = package(folder)
    assert (again.written, again.notices) == ((), first.notices)
    changed = folder / "dist" / first.artefacts[1].name
    changed.write_bytes(b"other")
    third = package(folder)
    assert third.written == (changed.name,)
    (notice,) = (text for text in third.notices if "was replaced" in text)
    assert notice.startswith(f"dist/{changed.name} was there with other bytes")


def test_an_artefact_that_cannot_be_read_is_not_said_to_be_written(tmp_path: Path) -> None:
    folder = project(tmp_path, config=MINE)
    name = "acp_of_mine-1.2.0.tar.gz"
    (folder / "dist" / name).mkdir(parents=True)
    for check in (True, False):
        with pytest.raises(ProblemError, match=f"dist/{name}: cannot be read: ") as caught:
            package(folder, check=check)
        assert "written" not in str(caught.value)
