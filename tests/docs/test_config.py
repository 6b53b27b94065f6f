"""docs/config.md and the code say the same."""

from __future__ import annotations

import re
from pathlib import Path

from acpgen import cli, config, project
from acpgen.config import Config
from tests.docs.shell import ROOT

PAGE = (ROOT / "docs/config.md").read_text(encoding="utf-8")


def table(head: str) -> dict[str, list[str]]:
    """The rows of the table below a heading: key -> the other cells."""
    part = PAGE.split(f"## {head}\n", 1)[1].split("\n## ", 1)[0]
    rows = [line.strip("|").split(" | ") for line in part.splitlines() if line.startswith("| `")]
    return {row[0].strip(" `"): [cell.strip() for cell in row[1:]] for row in rows}


def test_every_key_is_there_with_its_types() -> None:
    rows = table("Keys")
    assert list(rows) == list(config._KEYS)
    for key, kinds in config._KEYS.items():
        assert rows[key][0] == " or ".join(kinds), key


def test_every_key_of_the_project_is_there() -> None:
    known = []
    project.parse({"unknown": 1}, lambda key, what, hint: known.append(hint))
    assert list(table("The table project")) == known[0].removeprefix("known keys: ").split(", ")


def test_the_defaults_are_those_of_the_code() -> None:
    rows = {key: cells[1] for key, cells in table("Keys").items()}
    assert rows["package"] == f'`"{config.DEFAULT_PACKAGE}"`'
    assert rows["overlays"] == '`["session-options"]`'
    assert list(config.DEFAULT_OVERLAYS) == ["session-options"]
    assert rows["layout"] == f'`"{Config().layout}"`'
    assert re.findall(r'"([^"]+)"', rows["out"]) == list(config.DEFAULT_OUT.values())
    assert rows["docs"] == rows["allow-ungated"] == "`false`"
    assert (Config().docs, Config().allow_ungated) == (False, False)


def test_the_options_exist() -> None:
    from typer.testing import CliRunner

    said = CliRunner().invoke(cli.app, ["generate", "--help"], env={"COLUMNS": "200"}).output
    named = [
        option for cells in table("Keys").values() for option in re.findall(r"--[\w-]+", cells[2])
    ]
    assert len(named) >= 10
    for option in named:
        assert option in said, option


def test_the_example_is_a_configuration(tmp_path: Path) -> None:
    (example,) = re.findall(r"^```toml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    (tmp_path / "pyproject.toml").write_text(example, encoding="utf-8")
    found = config.load(tmp_path)
    assert (found.package, found.surfaces) == ("my_acp", ("v1", "v2"))
    assert found.project.distribution(found.package) == "my-acp"
