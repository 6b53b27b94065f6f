"""A small project, and its package."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from acpgen import dist
from acpgen.config import Config
from tests.unit.support import project, settings

MINE = '[project]\nname = "acp-of-mine"\nversion = "1.2.0"\n'


def package(folder: Path, out: str = "dist", **more: Any) -> dist.Outcome:
    against = more.pop("against", None)
    check = more.pop("check", False)
    config: Config = settings(folder, **more)
    return dist.package(
        config, folder / out, against=against, check=check, isolated=False, jobs=1
    )


@pytest.fixture(scope="package")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with its package built; tests do not change it."""
    folder = project(tmp_path_factory.mktemp("project"), config=MINE)
    assert package(folder).written == (
        "acp_of_mine-1.2.0.tar.gz",
        "acp_of_mine-1.2.0-py3-none-any.whl",
    )
    return folder
