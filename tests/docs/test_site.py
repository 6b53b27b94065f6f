"""The site, built as CI does: every link leads somewhere, and no page loads anything from elsewhere."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from tests.dist.support import run
from tests.docs.shell import ROOT

pytest.importorskip("material", reason="nox -s docs installs it")

LOADS = re.compile(
    r"<(?:script|img|link|iframe|source)\b[^>]*?\b(?:src|href)=\"?(https?:)?//[^>]*>"
)


def entries(part: object) -> Iterator[str]:
    """The pages that a part of the menu names."""
    if isinstance(part, str):
        yield part
    else:
        for item in (
            part.values() if isinstance(part, dict) else part if isinstance(part, list) else []
        ):
            yield from entries(item)


def test_every_page_is_in_the_menu_once() -> None:
    menu = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["nav"]
    assert sorted(entries(menu)) == sorted(path.name for path in (ROOT / "docs").glob("*.md"))


@pytest.mark.slow
def test_no_page_loads_anything_from_another_host(tmp_path: Path) -> None:
    command = ("-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", tmp_path / "site")
    run(sys.executable, *command, cwd=ROOT, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"})
    pages = sorted((tmp_path / "site").rglob("*.html"))
    assert len(pages) > len(list((ROOT / "docs").glob("*.md")))
    for page in pages:
        assert not LOADS.search(page.read_text(encoding="utf-8")), page.name
    assert LOADS.search('<script src="https://host/x.js"></script>')
