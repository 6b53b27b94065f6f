"""The method map: every method of the old side beside what it is on the new side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from acpgen.diff.reporting.tally import by_name, worst
from acpgen.diff.reporting.view import MethodPair, MethodView, RowView
from acpgen.runtime.table import Row
from acpgen.spec.ir import Spec
from acpgen.spec.names import ClassName

Groups = Mapping[str, Sequence[RowView]]
_PAIRING = frozenset({"method.renamed", "method.moved", "method.kind"})
DIRECTIONS = {
    "agent": "client to agent",
    "client": "agent to client",
    "protocol": "either way",
    "proxy": "through a proxy",
}
# Most of them in the first place: what a client asks of an agent.
_ORDER = tuple(DIRECTIONS)
_WORDS = {
    "method.params": "other params",
    "method.result": "other result",
    "method.kind": "request or notification",
    "method.moved": "other direction",
    "method.stability": "stability",
    "method.errors": "error codes",
    "gate.added": "gated",
    "gate.removed": "gate dropped",
    "gate.changed": "gate changed",
}
_RULE_WORDS = {"added": "rule added", "removed": "rule dropped", "changed": "rule changed"}
_FIELD_WORDS = {
    "added": "+ {}",
    "removed": "\N{MINUS SIGN} {}",
    "required": "{} required",
    "optional": "{} optional",
    "nullable": "{} may be null",
    "non_nullable": "{} never null",
}


def pairs(
    rows: Sequence[RowView], methods: Groups, types: Groups, old: Spec, new: Spec
) -> list[MethodPair]:
    """The map, by direction and name.

    rows: every row of the report. methods, types: the rows of those two sections by group: a method's name,
    a type's schema name.
    """
    found = [
        _pair(before, after, rows, methods, types, old, new)
        for before, after in _matched(rows, old, new)
    ]
    return sorted(found, key=_place)


def _place(pair: MethodPair) -> tuple[int, tuple[str, str], str]:
    end = pair["old"] or pair["new"]
    assert end is not None
    return _ORDER.index(end["side"]), by_name(end["method"]), end["kind"]


def _matched(
    rows: Sequence[RowView], old: Spec, new: Spec
) -> Iterator[tuple[Row | None, Row | None]]:
    """Each method of either side once, beside its successor: equal ones first, then those that a finding pairs."""
    olds = {row.key: row for row in old.table.rows}
    news = {row.key: row for row in new.table.rows}
    for key in [key for key in olds if key in news]:
        yield olds.pop(key), news.pop(key)
    for row in rows:
        if row["kind"] not in _PAIRING:
            continue
        before = [item for item in olds.values() if item.method == row["old"]["name"]]
        after = [item for item in news.values() if item.method == row["new"]["name"]]
        for one in before:
            same = sorted(after, key=lambda two, one=one: _unlike(one, two))  # type: ignore[misc]
            if same:
                after.remove(same[0])
                yield olds.pop(one.key), news.pop(same[0].key)
    yield from ((row, None) for row in olds.values())
    yield from ((None, row) for row in news.values())


def _unlike(one: Row, two: Row) -> tuple[bool, bool]:
    return one.side != two.side, one.kind != two.kind


def _pair(
    before: Row | None,
    after: Row | None,
    rows: Sequence[RowView],
    methods: Groups,
    types: Groups,
    old: Spec,
    new: Spec,
) -> MethodPair:
    ends = [(spec, row) for spec, row in ((old, before), (new, after)) if row is not None]
    names = {row.method for _, row in ends}
    own = _unique(row for name in sorted(names) for row in methods.get(name, ()))
    own = [row for row in own if _about(row, before, after)]
    parts = {name for spec, row in ends for name in _parts(spec, row)}
    direct = _unique(row for name in sorted(parts) for row in types.get(name, ()))
    seen = {row["id"] for row in (*own, *direct)}
    held = names | {kind for spec, row in ends for kind in _updates(spec, row)}
    inside = [row for row in rows if row["id"] not in seen and not held.isdisjoint(row["uses"])]
    if before is None or after is None:  # what is new or gone is so with all that it holds
        inside = []
    words = list(dict.fromkeys(_words(own, direct)))
    moved = before and after and before.requires != after.requires
    if moved and not any(row["area"] == "gate" for row in own):
        words.insert(0, "other gate")  # its capability moved, which is a finding about that one
    return {
        "old": _end(old, before),
        "new": _end(new, after),
        "status": _status(before, after, bool(own or words), bool(direct or inside), own),
        "changes": words,
        "severity": worst([*own, *direct, *inside]),
        "rows": [row["id"] for row in (*own, *direct)],
        "inside": [row["id"] for row in inside],
        "replaced_by": _replacements(before, after, own),
    }


def _about(row: RowView, before: Row | None, after: Row | None) -> bool:
    """A row about a wire name that stands for two methods belongs to the one whose side or kind it names."""
    for key in ("side", "kind"):
        named = row["detail"].get(key)
        if isinstance(named, str) and named not in {
            getattr(item, key) for item in (before, after) if item is not None
        }:
            return False
    return True


def _unique(rows: Iterator[RowView]) -> list[RowView]:
    return list({row["id"]: row for row in rows}.values())


def _updates(spec: Spec, row: Row) -> Iterator[str]:
    """The kinds of update that messages of a method hold: rows name these, not the method."""
    if row.method == spec.table.update_method:
        yield from (item.kind for item in spec.table.updates)


def _parts(spec: Spec, row: Row) -> Iterator[str]:
    """The schema's names of params and result."""
    yield from (_wire(spec, name) for name in (row.params, row.result) if name)


def _wire(spec: Spec, name: str) -> str:
    return spec.definitions[ClassName(name)].wire or name


def _end(spec: Spec, row: Row | None) -> MethodView | None:
    if row is None:
        return None
    return {
        "method": row.method,
        "side": row.side,
        "kind": row.kind,
        "direction": DIRECTIONS[row.side],
        "gate": row.requires,
        "params": _wire(spec, row.params) if row.params else "",
        "result": _wire(spec, row.result) if row.result else "",
        "stability": row.stability,
    }


def _status(
    before: Row | None, after: Row | None, changed: bool, inside: bool, own: Sequence[RowView]
) -> str:
    if before is None:
        return "added"
    if after is None:
        return "replaced" if _replacements(before, after, own) else "removed"
    if before.method != after.method:
        return "renamed"
    if before.side != after.side:
        return "moved"
    return "changed" if changed else "types changed" if inside else "same"


def _replacements(before: Row | None, after: Row | None, own: Sequence[RowView]) -> list[str]:
    if before is None or after is not None:
        return []
    for row in own:
        named = row["detail"].get("replaced_by")
        if row["kind"] == "method.removed" and isinstance(named, list):
            return [str(item) for item in named]
    return []


def _words(own: Sequence[RowView], direct: Sequence[RowView]) -> Iterator[str]:
    for row in own:
        if (word := _WORDS.get(row["kind"])) is not None:
            if row["area"] == "gate" and row["detail"].get("rule"):
                word = _RULE_WORDS[row["action"]]
            for side, never in (("now", "not allowed"), ("was", "allowed")):
                if row["area"] == "gate" and row["detail"].get(side) == "never":
                    word = never
            at = row["detail"].get("at")
            yield f"{at}: {word}" if at and isinstance(at, str) else word
    for row in direct:
        if row["area"] == "field":
            name = row["subject"].partition(".")[2] or row["subject"]
            if row["action"] == "renamed":
                after = row["new"]["name"]
                yield f"{name} \N{RIGHTWARDS ARROW} {after.partition('.')[2] or after}"
            else:
                word = _FIELD_WORDS.get(row["action"], f"{{}}: {row['action'].replace('_', ' ')}")
                yield word.replace("{}", name)
        elif row["action"] not in ("added", "removed", "renamed"):
            yield f"{row['subject']}: {row['action']}"
