"""What no change states, though methods.toml or the schemas of both sides show it: gates and rules, capabilities, the
meaning of updates, errors.

`diff_walk` looks at definitions and properties; this looks at what they are used for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from tests.oracle.diff_check import Context
from tests.oracle.diff_check_fields import truth
from tests.oracle.diff_check_methods import codes_of
from tests.oracle.diff_evidence import method_pairs
from tests.oracle.diff_gates import Ask, asks, bare, condition, moved, possible, tree
from tests.oracle.diff_raw import Raw

Owner = tuple[str, ...]
DEEP = 8


def missing(context: Context, changes: Iterable[Any]) -> list[str]:
    """What none of the changes states, in words."""
    found = list(changes)
    return [
        *_methods(context, found),
        *_gates(context, found),
        *_capabilities(context, found),
        *_updates(context, found),
        *_codes(context, found),
    ]


def owners(context: Context) -> Iterator[tuple[Owner, Owner]]:
    """The methods and kinds of update of both sides."""
    yield from method_pairs(context.old, context.new)
    kinds = context.new.update_kinds
    yield from (((kind,), (kind,)) for kind in context.old.update_kinds if kind in kinds)


# Gates


def _gates(context: Context, changes: list[Any]) -> Iterator[str]:
    names = _follow(context, changes)
    for one, other in owners(context):
        left, right = asks(context.old, one), asks(context.new, other)
        went = [
            item for item in left if not any(_alike(context, item, they, names) for they in right)
        ]
        came = [
            item for item in right if not any(_alike(context, they, item, names) for they in left)
        ]
        for raw, owner, their, key, items in (
            (context.new, one, other, "was", went),
            (context.old, other, one, "now", came),
        ):
            for item in items:
                if not possible(raw, their, item) or _is_bound(context, changes, other, item):
                    continue
                if not _said(changes, owner, item, key, raw):
                    yield f"gate of {owner}: {item}, {key}"


def _is_bound(context: Context, changes: list[Any], owner: Owner, ask: Ask) -> bool:
    """A rule that a list is not empty, where both schemas' bounds say the same and a change of them is stated."""
    if ask.rule != "non_empty" or len(owner) != 3:
        return False
    key = context.new.methods[(owner[0], owner[1], owner[2])][ask.of]
    place = f"/$defs/{key}/properties{ask.at}"
    return any(
        item.kind == "field.bounds" and "minItems" in item.detail["bounds"]
        for item in changes
        if item.new.pointer == place
    )


def _follow(context: Context, changes: list[Any]) -> list[Mapping[str, str]]:
    """What gates may be called on the new side where they only follow their capabilities."""
    found = [dict(context.capabilities)]
    for item in changes:
        if item.kind in ("capability.absorbed", "capability.split"):
            found.append({**context.capabilities, item.old.name: item.new.name})
    return [{}, *found]


def _alike(context: Context, one: Ask, other: Ask, names: list[Mapping[str, str]]) -> bool:
    if (one.place, one.rule, one.error) != (other.place, other.rule, other.error):
        return False
    gates = bare(context.new, one.gate), bare(context.old, other.gate)
    return any(moved(gates[0], each) == gates[1] for each in names)


def _said(changes: list[Any], owner: Owner, ask: Ask, key: str, other: Raw) -> bool:
    """Some change of a gate has that place, and what is asked there on that side."""
    for item in changes:
        detail = item.detail
        if item.kind == "method.errors" and "error" not in detail:
            continue
        if item.kind != "method.errors" and item.area != "gate":
            continue
        place = detail.get("at", ""), detail.get("of", "params"), condition(detail.get("when", {}))
        spot = item.old if key == "was" else item.new
        name = spot.name or item.subject.partition(" ")[0]
        about = (name, detail["side"], detail["kind"]) if "side" in detail else (name,)
        if about != owner or place != ask.place or bool(detail.get("rule")) != bool(ask.rule):
            continue
        if item.area == "gate":
            said = detail[key]
            same = said == ask.rule if ask.rule else tree(said) in (ask.gate, bare(other, ask.gate))
        else:
            same = detail["error"][key] == ask.error
        if same:
            return True
    return False


# Capabilities


@cache
def capabilities(raw: Raw) -> dict[tuple[str, str], Any]:
    """(side, path) -> schema, of all that a side may advertise."""
    found: dict[tuple[str, str], Any] = {}

    def walk(side: str, path: str, schema: Any) -> None:
        for name, inner in raw.properties(schema).items():
            if name != "_meta" and path.count(".") < DEEP:
                below = f"{path}.{name}" if path else name
                found[side, below] = inner
                walk(side, below, inner)

    for side in ("agent", "client"):
        walk(side, "", raw.capability(side, ""))
    return found


def _capabilities(context: Context, changes: list[Any]) -> Iterator[str]:
    left, right = capabilities(context.old), capabilities(context.new)
    said = {
        (key, item.detail["side"], item.detail[key])
        for item in changes
        if item.area == "capability"
        for key in ("was", "now")
    }
    for (side, path), schema in left.items():
        other = right.get((side, path))
        if other is None and ("was", side, path) not in said:
            yield f"capability {side}: {path} went"
        elif ("was", side, path) in said or other is None:
            continue
        elif truth(context.old, schema) != truth(context.new, other):
            yield f"capability {side}: {path} became another kind"
    for side, path in right:
        if (side, path) not in left and ("now", side, path) not in said:
            yield f"capability {side}: {path} came"


# Updates, methods, codes


def _updates(context: Context, changes: list[Any]) -> Iterator[str]:
    kinds = {"old": context.old.update_kinds, "new": context.new.update_kinds}
    for kind in dict.fromkeys([*kinds["old"], *kinds["new"]]):
        if kind not in kinds["old"] or kind not in kinds["new"]:
            names = {
                spot.name.rpartition(":")[2]
                for item in changes
                if item.area == "variant" and item.action in ("added", "removed", "renamed")
                for spot in (item.old, item.new)
            }
            if kind not in names:
                yield f"update {kind} is of one side"
            continue
        for part in ("semantics", "identity"):
            was, now = (raw.update_row(kind).get(part, "") for raw in (context.old, context.new))
            if was != now and not _has(changes, f"update.{part}", kind):
                yield f"update {kind}: {part} {was!r}, {now!r}"


def _has(changes: list[Any], kind: str, subject: str) -> bool:
    return any((item.kind, item.subject) == (kind, subject) for item in changes)


def _methods(context: Context, changes: list[Any]) -> Iterator[str]:
    """Methods of one side alone, and what the others need and answer in an error."""
    paired = list(method_pairs(context.old, context.new))
    for raw, action, index in ((context.old, "removed", 0), (context.new, "added", 1)):
        done = {pair[index] for pair in paired}
        for key in raw.methods:
            stated = any(
                (item.old, item.new)[index].name == key[0]
                and (
                    item.kind in ("method.moved", "method.kind", "method.renamed")
                    or (item.kind, item.detail.get("side"), item.detail.get("kind"))
                    == (f"method.{action}", *key[1:])
                )
                for item in changes
                if item.area == "method"
            )
            if key not in done and not stated:
                yield f"method {key} is not {action}"
    for one, other in paired:
        rows = context.old.method_row(*one), context.new.method_row(*other)
        for part in ("errors", "needs"):
            was, now = (set(row.get(part, ())) for row in rows)
            stated = any(
                item.kind == "method.errors"
                and part in item.detail
                and (item.new.name, item.detail["side"], item.detail["kind"]) == other
                for item in changes
            )
            if was != now and not stated:
                yield f"method {other}: {part} {sorted(was)}, {sorted(now)}"


def _codes(context: Context, changes: list[Any]) -> Iterator[str]:
    if not all("ErrorCode" in raw.defs for raw in (context.old, context.new)):
        return  # the type came or went with all its codes
    was, now = codes_of(context.old), codes_of(context.new)
    stated = {(item.action, item.detail["value"]) for item in changes if item.area == "error"}
    for action, codes in (("removed", was - now), ("added", now - was)):
        for code in sorted(codes):
            if (action, code) not in stated:
                yield f"error {code} is not {action}"
