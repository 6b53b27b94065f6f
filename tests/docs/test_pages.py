"""What pages list is all that there is."""

from __future__ import annotations

import re
import shlex
from fnmatch import fnmatch

from acpgen.runtime.checks import CONTEXT_RULES, RULES
from acpgen.spec.metadata_format import FORMAT, KINDS, NEEDS, SIDES
from tests.docs.shell import ROOT


def page(name: str) -> str:
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


def test_the_first_page_leads_to_every_other_one() -> None:
    linked = set(re.findall(r"\]\(([\w-]+\.md)", page("index.md")))
    assert linked == {path.name for path in (ROOT / "docs").glob("*.md")} - {"index.md"}


def test_the_rows_of_methods_toml_are_described_without_the_code() -> None:
    rows = page("gates.md").split("## The rows\n", 1)[1].split("### Your own rows", 1)[0]
    assert ".py" not in rows
    prose = re.sub(r"^```.*?^```$", "", rows, flags=re.MULTILINE | re.DOTALL)
    named = set(re.findall(r"`([^`]+)`", prose))
    tables = FORMAT["properties"]
    for table, form in tables.items():
        assert {f"[{table}]", f"[[{table}]]"} & named, table
        if table in ("method", "check"):
            keys = form["items"]["properties"]
            assert set(keys) <= named, table
    assert set(tables["check"]["items"]["properties"]["when"]["properties"]) <= named
    assert {*SIDES, *KINDS, *NEEDS} <= named
    assert {*RULES, *CONTEXT_RULES} <= {name.split()[0] for name in named}


def test_the_upload_of_the_tutorial_takes_no_revision() -> None:
    (command,) = re.findall(r"`python -m twine upload ([^`]+)`", page("tutorial-publish.md"))
    patterns = shlex.split(command)

    def taken(version: str) -> list[str]:
        names = (f"dist/team_acp-{version}.tar.gz", f"dist/team_acp-{version}-py3-none-any.whl")
        return [name for name in names if any(fnmatch(name, pattern) for pattern in patterns)]

    assert len(taken("2.4.0")) == 2
    assert taken("2.4.0.post1") == []
