"""The rules of tests/contract/rules.md that a generator or a checker can hold: models and gates.

A test names the rows that it is about with the marker `rule`; rows that no test names are in
docs/rules.md, with who keeps them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def rows() -> Iterator[tuple[str, str]]:
    """(number, check column) of every rule."""
    text = (ROOT / "tests/contract/rules.md").read_text(encoding="utf-8")
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and re.fullmatch(r"N?\d+", cells[0]):
            yield cells[0], cells[2] if cells[0].startswith("N") else cells[3]


def marked() -> set[str]:
    """The numbers that tests name."""
    found: set[str] = set()
    for path in (ROOT / "tests").rglob("test_*.py"):
        for call in re.findall(r"mark\.rule\(([^)]*)\)", path.read_text(encoding="utf-8")):
            found |= {str(item) for item in ast.literal_eval(f"({call},)")}
    return found


def documented() -> dict[str, str]:
    """Number -> reason, of docs/rules.md."""
    text = (ROOT / "docs/rules.md").read_text(encoding="utf-8")
    return dict(re.findall(r"^\| (N?\d+) \| (\S.*?) \|$", text, re.M))


def test_every_rule_that_can_be_checked_is_tested_or_explained() -> None:
    checkable = [number for number, check in rows() if re.search(r"\b[SR]\b", check)]
    assert len(list(rows())) == 123 + 14
    assert len(checkable) > 80
    missing = [item for item in checkable if item not in marked() | set(documented())]
    assert missing == []
    assert marked() | set(documented()) <= {number for number, _ in rows()}
    assert all(len(reason) > 15 for reason in documented().values())
