"""A headless Chromium from the distribution, driven with Selenium, that has no way to a network.

Without either the tests are skipped; where ACPGEN_BROWSER is `required` (the nox session `browser`) they fail.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from acpgen import inputs
from acpgen.config import load
from acpgen.diff import report
from acpgen.emit import diff_tables
from acpgen.emit.templates import Templates
from acpgen.generate import build_specs
from tests.browser.page import DiffPage
from tests.unit.diff.samples import sample, specs

ROOT = Path(__file__).parents[2]
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND",
)


def _missing(what: str) -> None:
    if os.environ.get("ACPGEN_BROWSER") == "required":
        pytest.fail(f"{what} is missing")
    pytest.skip(f"{what} is missing")


def _program(*names: str) -> str:
    found = next(filter(None, map(shutil.which, names)), None)
    if found is None:
        _missing(names[0])
    return str(found)


@pytest.fixture(scope="session")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    try:
        from selenium import webdriver
    except ImportError:
        _missing("selenium")
    browser = _program("chromium", "chromium-browser", "google-chrome")
    server = _program("chromedriver", "chromium.chromedriver")
    options = webdriver.ChromeOptions()
    options.binary_location = browser
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('chromium')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    started = webdriver.Chrome(options=options, service=webdriver.ChromeService(server))
    started.get("about:blank")  # instead of the browser's own page, which loads a lot
    started.get_log("performance")
    yield started
    started.quit()


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of the small diff, with names that want to do harm."""
    view = report.view(sample(), *specs())
    path = tmp_path_factory.mktemp("page") / "small.html"
    path.write_text(diff_tables.render(view, "html", Templates(), "Made here."), encoding="utf-8")
    return path


@pytest.fixture
def page(driver: Any, small: Path) -> Iterator[DiffPage]:
    """The small page, opened wide and light; fails on what the console or the network saw meanwhile."""
    found = DiffPage(driver, small)
    found.look(1400)
    found.open()
    yield found
    found.quiet()


@pytest.fixture(scope="session")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of v1 and v2 as `acpgen generate` makes it."""
    settings = load(ROOT, {"surfaces": ["v1", "v2"]})
    surfaces = build_specs(settings, inputs.read(settings))[0]
    path = tmp_path_factory.mktemp("page") / "v1-v2.html"
    files = diff_tables.files(surfaces, Templates(), "Made here.", "tables")
    path.write_text(files["tables/v1-v2.html"], encoding="utf-8")
    return path


@pytest.fixture
def real(driver: Any, large: Path) -> Iterator[DiffPage]:
    """The page of v1 and v2, as `page`."""
    found = DiffPage(driver, large)
    found.look(1400)
    found.open()
    yield found
    found.quiet()
