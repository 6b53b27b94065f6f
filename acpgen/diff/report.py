"""The report: a judged diff as plain data, in the order in which people read it.

`view` makes it (its keys: `acpgen.diff.reporting.view`), `as_json` writes it. Nothing is decided here that a rule decides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from acpgen.diff.change import Spot
from acpgen.diff.finding import PEERS, Diff, Finding, Note
from acpgen.diff.reporting import jsonlines
from acpgen.diff.reporting import methods as report_methods
from acpgen.diff.reporting.tally import by_name, counts, fresh, slug
from acpgen.diff.reporting.view import (
    FORMAT,
    GroupView,
    NoteView,
    Overview,
    RowView,
    SectionView,
    SpotView,
    View,
)
from acpgen.diff.updates import update_unions
from acpgen.spec.ir import Json, Spec

_WIDTH = 160  # of a line of JSON
_SELECTED = "Only a part of the changes is shown: those that were asked for."
SECTIONS = {
    "methods": "Methods and their gates",
    "capabilities": "Capabilities",
    "updates": "Kinds of session/update",
    "types": "Types and their fields",
    "variants": "Variants and values",
    "errors": "Error codes",
}
_SECTION_OF = {
    "method": "methods",
    "gate": "methods",
    "capability": "capabilities",
    "update": "updates",
    "type": "types",
    "field": "types",
    "variant": "variants",
    "value": "variants",
    "error": "errors",
}


def view(diff: Diff, old: Spec, new: Spec, selected: bool = False) -> View:
    """The report of a diff between two Specs, ready for JSON and for templates.

    selected: the diff holds a part of the findings; then there is no method map, which would say of the others that
    nothing changed.
    """
    rows = _rows(diff.findings)
    groups: dict[str, dict[str, list[RowView]]] = {name: {} for name in SECTIONS}
    updates = _Updates(old, new)
    for row in rows:
        section, group = _place(row, updates)
        groups[section].setdefault(group, []).append(row)
    sections = [_section(name, groups[name]) for name in SECTIONS if groups[name]]
    methods = report_methods.pairs(rows, groups["methods"], groups["types"], old, new)
    return {
        "format": FORMAT,
        "old": diff.old,
        "new": diff.new,
        "overview": _overview(rows, sections),
        "methods": [] if selected else methods,
        "sections": sections,
        "notes": _notes(diff.notes),
        "notices": [*([_SELECTED] if selected else []), *diff.notices],
    }


def as_json(report: View) -> str:
    """The report as JSON text, in a fixed order, with a line end."""
    return "\n".join(jsonlines.lines(cast(Json, report), _WIDTH, " ")) + "\n"


def _rows(findings: Sequence[Finding]) -> list[RowView]:
    taken: set[str] = set()
    return [_row(item, fresh(f"f-{item.fingerprint}", taken)) for item in findings]


def _row(finding: Finding, anchor: str) -> RowView:
    change = finding.change
    levels: dict[str, str] = {
        peer: finding.severity_for(peer) or finding.severity
        for peer in PEERS
        if finding.consequence(peer) or peer in finding.breaks
    }
    return {
        "id": anchor,
        "fingerprint": finding.fingerprint,
        "area": change.area,
        "action": change.action,
        "kind": change.kind,
        "severity": finding.severity,
        "subject": change.subject,
        "text": finding.text,
        "agent": finding.agent,
        "client": finding.client,
        "concerns": list(levels),
        "levels": levels,
        "breaks": sorted(finding.breaks),
        "writers": sorted(change.writers),
        "rule": finding.rule,
        "waived": finding.waived,
        "evidence": change.evidence,
        "uses": list(change.uses),
        "old": _spot(change.old),
        "new": _spot(change.new),
        "detail": dict(sorted(change.detail.items())),
    }


def _spot(spot: Spot) -> SpotView:
    return {
        "pointer": spot.pointer,
        "exists": spot.exists,
        "name": spot.name,
        "shape": spot.shape,
    }


class _Updates:
    """What belongs to the updates: the kinds, and the union that holds them, on either side."""

    def __init__(self, *specs: Spec) -> None:
        self.kinds = {item.kind for spec in specs for item in spec.table.updates}
        self.unions = {name for spec in specs for name in update_unions(spec)}


def _place(row: RowView, updates: _Updates) -> tuple[str, str]:
    """(section, group) of a row."""
    subject = row["subject"]
    section = _SECTION_OF[row["area"]]
    if section == "methods":
        head = subject.split(" ", 1)[0]
        return ("updates" if head in updates.kinds else "methods"), head
    if section == "types":
        return section, subject.partition(".")[0] if row["area"] == "field" else subject
    if section == "variants":
        owner, _, tag = subject.partition(":")
        return ("updates", tag) if owner in updates.unions and tag else (section, owner)
    if section == "capabilities":
        side, colon, _ = subject.partition(":")
        return section, f"Advertised by the {side}" if colon else "Advertised"
    return section, subject if section == "updates" else "codes"


def _section(name: str, groups: Mapping[str, list[RowView]]) -> SectionView:
    taken: set[str] = set()
    found: list[GroupView] = [
        {"id": fresh(f"{name}-{slug(group)}", taken), "name": group, "rows": rows}
        for group, rows in sorted(groups.items(), key=lambda item: by_name(item[0]))
    ]
    everything = [row for group in found for row in group["rows"]]
    return {"id": name, "title": SECTIONS[name], "counts": counts(everything), "groups": found}


def _overview(rows: Sequence[RowView], sections: Sequence[SectionView]) -> Overview:
    kinds: dict[str, int] = {}
    for row in rows:
        kinds[row["kind"]] = kinds.get(row["kind"], 0) + 1
    return {
        "counts": counts(rows),
        "agent": counts(rows, "agent"),
        "client": counts(rows, "client"),
        "sections": {section["id"]: section["counts"] for section in sections},
        "kinds": dict(sorted(kinds.items())),
    }


def _notes(notes: Sequence[Note]) -> list[NoteView]:
    taken: set[str] = set()
    return [
        {
            "id": fresh(f"note-{slug(note.topic)}", taken),
            "topic": note.topic,
            "old": note.old,
            "new": note.new,
            "agent": note.agent,
            "client": note.client,
            "severity": note.severity,
            "about": list(note.about),
            "old_pointers": list(note.old_pointers),
            "new_pointers": list(note.new_pointers),
        }
        for note in notes
    ]
