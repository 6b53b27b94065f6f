"""The view of a diff: plain data that the tables are rendered from. `as_json` writes it as it is.

Every key below is part of the JSON that `acpgen diff --format json` prints and that stands in
generated/tables. `format` counts up when a key changes its meaning or goes.
"""

from __future__ import annotations

from typing import Final, TypedDict

from acpgen.spec.ir import Json

FORMAT: Final = 1


class Counts(TypedDict):
    """How many findings: of each severity without the waived ones, the waived ones, and all of them."""

    breaking: int
    risky: int
    compatible: int
    waived: int
    total: int


class SpotView(TypedDict):
    """One side of a finding.

    pointer: JSON pointer into that side's contract schema, "" is the whole. exists: whether the thing
    stands there; if not, the pointer names the nearest container that could hold it. name: its name on
    that side. shape: what stands there, null where nothing does.
    """

    pointer: str
    exists: bool
    name: str
    shape: Json


class RowView(TypedDict):
    """One finding.

    id: stable anchor, made of the fingerprint. kind: `area.action`. subject: what changed. text: the change in a
    sentence. agent, client: what it means for the author of each, "" for nothing. concerns: the peers whose authors
    it concerns. levels: how severe it is for each of those. breaks: the peers that have to change. writers: who writes
    the value. rule: what judged it. waived: the reason of a waiver, or "". evidence: why two names are believed to be
    one thing. uses: methods and updates that hold it. detail: more, by action.
    """

    id: str
    fingerprint: str
    area: str
    action: str
    kind: str
    severity: str
    subject: str
    text: str
    agent: str
    client: str
    concerns: list[str]
    levels: dict[str, str]
    breaks: list[str]
    writers: list[str]
    rule: str
    waived: str
    evidence: str
    uses: list[str]
    old: SpotView
    new: SpotView
    detail: dict[str, Json]


class GroupView(TypedDict):
    """Findings about one thing: a method, a type, a union. id: stable anchor."""

    id: str
    name: str
    rows: list[RowView]


class SectionView(TypedDict):
    """A part of the report: methods, capabilities, updates, types, variants, errors."""

    id: str
    title: str
    counts: Counts
    groups: list[GroupView]


class MethodView(TypedDict):
    """A method on one side of the method map.

    side: who receives it. direction: who calls whom, in words. gate: the expression that opens it, ""
    for none. params, result: types by their schema name, "" for none.
    """

    method: str
    side: str
    kind: str
    direction: str
    gate: str
    params: str
    result: str
    stability: str


class MethodPair(TypedDict):
    """One row of the method map.

    old, new: null where that side has none. status: same, changed, types changed, renamed, moved,
    replaced, removed, added. changes: what changed, in a few words each. severity: the worst of its rows,
    "" for none. rows: ids of the findings about the method, its params and its result. inside: ids of those about
    types further down in its messages. replaced_by: methods of the new side that do its work.
    """

    old: MethodView | None
    new: MethodView | None
    status: str
    changes: list[str]
    severity: str
    rows: list[str]
    inside: list[str]
    replaced_by: list[str]


class NoteView(TypedDict):
    """A change of meaning that no schema shows, kept by hand.

    id: stable anchor. old, new: how it is before and after. agent, client: what the author of each has to
    do, "" for nothing. about: methods, updates, capabilities and types that it is about. old_pointers,
    new_pointers: into the contract schemas.
    """

    id: str
    topic: str
    old: str
    new: str
    agent: str
    client: str
    severity: str
    about: list[str]
    old_pointers: list[str]
    new_pointers: list[str]


class Overview(TypedDict):
    """The figures. agent, client: findings that concern the author of each; kinds: per kind."""

    counts: Counts
    agent: Counts
    client: Counts
    sections: dict[str, Counts]
    kinds: dict[str, int]


class View(TypedDict):
    """The whole report. old, new: labels of the two sides. notices: what the reader should know first."""

    format: int
    old: str
    new: str
    overview: Overview
    methods: list[MethodPair]
    sections: list[SectionView]
    notes: list[NoteView]
    notices: list[str]
