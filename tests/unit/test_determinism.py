"""Equal input gives equal bytes, whatever surrounds the run; and the committed output is such a
run's.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from acpgen.spec.build import build
from tests.unit.support import disk

ROOT = Path(__file__).parents[2]
SURFACE = "v1_unstable"


def generate(out: Path, cwd: Path, *args: str, **environment: str) -> dict[str, str]:
    env = {
        **{key: value for key, value in os.environ.items() if not key.startswith("LC_")},
        "PYTHONPATH": str(ROOT),
        **environment,
    }
    command = [sys.executable, "-m", "acpgen", "generate", "--out", str(out), *args]
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return disk(out)


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("usual")
    return generate(folder / "out", folder, "--surface", SURFACE, "--jobs", "1", PYTHONHASHSEED="0")


@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONHASHSEED": "1", "LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0"},
        {"PYTHONHASHSEED": "4294967295", "TZ": "Asia/Kathmandu", "LC_ALL": "C.UTF-8"},
    ],
    ids=["C locale", "far away"],
)
def test_the_surroundings_do_not_matter(
    usual: dict[str, str], tmp_path: Path, environment: dict[str, str]
) -> None:
    cwd = tmp_path / "a folder with späces"
    cwd.mkdir()
    out = cwd / "other name"
    assert generate(out, cwd, "--surface", SURFACE, "--jobs", "2", **environment) == usual


def test_the_order_of_definitions_changes_no_name() -> None:
    defs: dict[str, Any] = {
        "B": {"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}}},
        "A": {
            "oneOf": [
                {"type": "object", "properties": {"k": {"const": tag}}, "required": ["k"]}
                for tag in ("x", "y")
            ]
        },
    }
    one = build({"$defs": defs}, version=1, channel="stable")
    two = build({"$defs": dict(reversed(defs.items()))}, version=1, channel="stable")
    assert dict(one.definitions) == dict(two.definitions)


@pytest.mark.slow
def test_the_committed_output_is_what_this_python_makes(tmp_path: Path) -> None:
    """With the tests of every supported version this says: two Pythons, equal bytes."""
    made = generate(tmp_path / "out", ROOT)
    committed = disk(ROOT / "generated")
    assert sorted(made) == sorted(committed)
    assert [path for path, text in made.items() if text != committed[path]] == []
