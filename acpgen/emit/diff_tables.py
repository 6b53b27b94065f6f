"""The tables of what changed: a report (`acpgen.diff.report`) as Markdown, JSON or one HTML page.

The templates are below templates/diff/. They get the report itself, `header`, and a few functions for text that
comes from schemas: nothing reaches a page unescaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal, TypeAlias

from acpgen.diff import report as reports
from acpgen.diff.reporting.view import MethodPair, RowView, View
from acpgen.emit import diff_text
from acpgen.emit.templates import Templates
from acpgen.spec.ir import Spec

DIFF = "diff"
Format: TypeAlias = Literal["md", "json", "html"]
_LINES = 60  # of a shape in Markdown; the JSON has all
_DIRECTIONS = {
    "agent": "The client calls the agent",
    "client": "The agent calls the client",
    "protocol": "Either calls the other",
    "proxy": "Through a proxy",
}
FORMATS: tuple[Format, ...] = ("md", "json", "html")


def render(report: View, form: Format, templates: Templates, header: str = "") -> str:
    """A report as text. header: a line that says where it comes from, or "".

    Raises ProblemError for a faulty template.
    """
    if form == "json":
        return reports.as_json(report)
    context = {
        "header": header,
        "report": report,
        "rows": {row["id"]: row for row in _rows(report)},
        "code": diff_text.code,
        "md": diff_text.markdown,
        "md_code": diff_text.markdown_code,
        "shapes": diff_text.shapes,
        "alike": diff_text.alike,
        "fence": diff_text.fence,
        "limit": _LINES,
        "kinds": _kinds(report),
        "directions": _directions(report),
        "lines_of": _lines_of(report),
    }
    text = templates.render(f"{DIFF}/diff.{form}.jinja", context)
    return re.sub(r"\n{3,}", "\n\n", text).rstrip("\n") + "\n"


def _rows(report: View) -> Iterator[RowView]:
    for section in report["sections"]:
        for group in section["groups"]:
            yield from group["rows"]


def _kinds(report: View) -> dict[str, dict[str, int]]:
    """How many findings there are of each kind, by area."""
    found: dict[str, dict[str, int]] = {}
    for kind, count in report["overview"]["kinds"].items():
        found.setdefault(kind.partition(".")[0], {})[kind] = count
    return found


def _directions(report: View) -> list[tuple[str, list[tuple[int, MethodPair]]]]:
    """The method map by direction: who calls whom, in words, and its numbered lines."""
    found: dict[str, list[tuple[int, MethodPair]]] = {}
    for number, pair in enumerate(report["methods"]):
        end = pair["old"] or pair["new"]
        assert end is not None
        found.setdefault(_DIRECTIONS[end["side"]], []).append((number, pair))
    return list(found.items())


def _lines_of(report: View) -> dict[str, str]:
    """By the id of a row: the numbers of the lines of the method map that it belongs to."""
    found: dict[str, list[str]] = {}
    for number, pair in enumerate(report["methods"]):
        for name in (*pair["rows"], *pair["inside"]):
            found.setdefault(name, []).append(str(number))
    return {name: " ".join(numbers) for name, numbers in found.items()}


def pairs(specs: Sequence[Spec]) -> Iterator[tuple[str, Spec, Spec]]:
    """The tables that a set of surfaces calls for, as (name, old, new): each stable version beside the next one,
    and beside its own unstable surface.
    """
    stable = {spec.version: spec for spec in specs if spec.channel == "stable"}
    numbers = sorted(stable)
    for before, after in pairwise(numbers):
        yield f"v{before}-v{after}", stable[before], stable[after]
    for spec in sorted(specs, key=lambda item: item.version):
        if spec.channel == "unstable" and spec.version in stable:
            yield f"v{spec.version}-unstable", stable[spec.version], spec


def files(specs: Sequence[Spec], templates: Templates, header: str, folder: str) -> dict[str, str]:
    """Path in the output folder -> text, for every pair of surfaces and every format.

    Raises ProblemError for a faulty template, and for hand-kept renames that do not fit.
    """
    from acpgen.diff import run

    found = {}
    for name, old, new in pairs(specs):
        report = reports.view(run.diff(old, new), old, new)
        for form in FORMATS:
            found[f"{folder}/{name}.{form}"] = render(report, form, templates, header)
    return found
