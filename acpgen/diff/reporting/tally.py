"""Counts and orders of rows, for every part of the report."""

from __future__ import annotations

import re
from collections.abc import Iterable

from acpgen.diff.finding import SEVERITIES
from acpgen.diff.reporting.view import Counts, RowView


def counts(rows: Iterable[RowView], peer: str = "") -> Counts:
    """How many of each severity; waived ones count apart. peer: those that concern its author, as severe as they are
    for that one.
    """
    found: Counts = {"breaking": 0, "risky": 0, "compatible": 0, "waived": 0, "total": 0}
    for row in rows:
        severity = row["levels"].get(peer, "") if peer else row["severity"]
        if not severity:
            continue
        found["total"] += 1
        if row["waived"]:
            found["waived"] += 1
        elif severity == "breaking":
            found["breaking"] += 1
        elif severity == "risky":
            found["risky"] += 1
        else:
            found["compatible"] += 1
    return found


def worst(rows: Iterable[RowView]) -> str:
    """The worst severity of rows that are not waived, "" for none."""
    found = {row["severity"] for row in rows if not row["waived"]}
    return next((name for name in SEVERITIES if name in found), "")


def fresh(name: str, taken: set[str]) -> str:
    """The name, with a number behind it where it is taken; takes it."""
    number, found = 1, name
    while found in taken:
        number += 1
        found = f"{name}-{number}"
    taken.add(found)
    return found


def slug(name: str) -> str:
    """A name as part of an anchor: ASCII letters, digits, `_` and hyphens."""
    return re.sub(r"[^A-Za-z0-9_]+", "-", name).strip("-") or "x"


def by_name(name: str) -> tuple[str, str]:
    """The key by which names are sorted for people."""
    return name.casefold(), name
