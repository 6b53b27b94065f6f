"""Fixtures for everything that reads releases."""

from __future__ import annotations

import stat
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from acpgen.spec import sync
from tests.unit.spec.releases import OWN, files, folder, tgz

NPM = """#!{python}
import json, os, pathlib, sys, time
here = pathlib.Path(__file__).parent
assert sys.argv[1:4] == ["pack", "--json", "--ignore-scripts"], sys.argv
{body}
"""


@pytest.fixture
def upstream(tmp_path: Path) -> Path:
    """An unpacked release."""
    return folder(tmp_path / "upstream", files())


@pytest.fixture
def schemas(tmp_path: Path, upstream: Path) -> Path:
    """A schemas folder with files of its own, synced from that release."""
    target = folder(tmp_path / "schemas", OWN)
    sync.sync(str(upstream), target)
    return target


@pytest.fixture
def fake_npm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Put an `npm` on an otherwise empty PATH: it runs the given Python lines."""
    home = tmp_path / "bin"
    home.mkdir()
    (home / "package.tgz").write_bytes(tgz(files("1.2.3")))
    monkeypatch.setenv("PATH", str(home))

    def install(body: str) -> None:
        script = home / "npm"
        script.write_text(NPM.replace("{python}", sys.executable).replace("{body}", body))
        script.chmod(script.stat().st_mode | stat.S_IXUSR)

    return install
