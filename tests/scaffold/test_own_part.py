"""A project whose author did what its README says first: put a part of their own into agent.py."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from acpgen import scaffold
from tests.behaviour.bindings import SOURCE

pytestmark = pytest.mark.slow

OWN = """
from .author import Author
from .events import Text


class OwnPartAgent(Author):
    name = "own"
    version = "1"

    async def prompt(self, turn):
        yield Text("42")
"""


@pytest.mark.parametrize("login", [False, True])
def test_all_tests_but_those_of_the_example_hold_for_another_agent(
    tmp_path: Path, login: bool
) -> None:
    project = tmp_path / "own-part"
    wishes = scaffold.Wishes((1, 2), "pypi", True, login)
    scaffold.new("own-part", wishes=wishes, path=project)
    (project / "src" / "own_part" / "agent.py").write_text(OWN, encoding="utf-8")
    of_example = sorted(path.name for path in (project / "tests").glob("test_example*.py"))
    assert of_example == ["test_example.py", "test_example_v1.py", "test_example_v2.py"]
    for name in of_example:
        (project / "tests" / name).unlink()
    folders = [str(project / "src"), str(SOURCE)]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
        cwd=project,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(folders)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-4000:]
