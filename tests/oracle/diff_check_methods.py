"""The checkers of `diff_check` for methods, gates, updates and error codes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tests.oracle.diff_check import Claim, checks, exists, sides
from tests.oracle.diff_gates import Ask, asks, bare, condition, tree
from tests.oracle.diff_raw import Raw

# Methods


def key_of(claim: Claim, name: str, **over: str) -> tuple[str, str, str]:
    detail = {**claim.detail, **over}
    return name, detail["side"], detail["kind"]


def is_of(raw: Raw, spot: Any, method: str) -> Iterator[str]:
    """The spot of a method is a definition that names it."""
    found = raw.at(spot.pointer)
    if not isinstance(found, dict) or found.get("x-method") != method:
        yield f"{spot.pointer} is not of {method}"


@checks("method.added", "method.removed")
def _method_present(claim: Claim) -> Iterator[str]:
    added = claim.change.action == "added"
    yield from exists(claim, not added, added)
    raw, spot, other, _ = sides(claim)
    key = key_of(claim, spot.name)
    if key not in raw.methods:
        yield f"{key} is no method"
    if key in other.methods:
        yield f"{key} is a method of both"
    yield from is_of(raw, spot, spot.name)


@checks("method.renamed")
def _method_renamed(claim: Claim) -> Iterator[str]:
    yield from exists(claim, True, True)
    old, new = claim.change.old.name, claim.change.new.name
    if old == new:
        yield "both names are equal"
    for raw, other, spot in (
        (claim.old, claim.new, claim.change.old),
        (claim.new, claim.old, claim.change.new),
    ):
        key = key_of(claim, spot.name)
        if key not in raw.methods:
            yield f"{key} is no method"
        if key in other.methods:
            yield f"{key} is a method of both"
        yield from is_of(raw, spot, spot.name)


@checks("method.moved", "method.kind")
def _method_moved(claim: Claim) -> Iterator[str]:
    yield from exists(claim, True, True)
    part = "side" if claim.change.action == "moved" else "kind"
    was, now = claim.detail["was"], claim.detail["now"]
    for raw, spot, value, other in (
        (claim.old, claim.change.old, was, now),
        (claim.new, claim.change.new, now, was),
    ):
        if key_of(claim, spot.name, **{part: value}) not in raw.methods:
            yield f"{spot.name} has no {part} {value}"
        if key_of(claim, spot.name, **{part: other}) in raw.methods:
            yield f"{spot.name} has {part} {other} as well"
        yield from is_of(raw, spot, spot.name)


@checks("method.params", "method.result")
def _method_types(claim: Claim) -> Iterator[str]:
    part = claim.change.action
    found = [
        raw.methods[key_of(claim, spot.name)][part]
        for raw, spot in ((claim.old, claim.change.old), (claim.new, claim.change.new))
    ]
    if [claim.detail["was"], claim.detail["now"]] != found:
        yield f"the types are {found}"
    if claim.context.types.get(str(found[0]), found[0]) == found[1]:
        yield "the type is the same, or merely renamed"


@checks("method.stability")
def _method_stability(claim: Claim) -> Iterator[str]:
    for raw, stable, spot, word in (
        (claim.old, claim.context.stable[0], claim.change.old, claim.detail["was"]),
        (claim.new, claim.context.stable[1], claim.change.new, claim.detail["now"]),
    ):
        if "side" in claim.detail:
            key: Any = key_of(claim, spot.name)
            there: list[Any] = list(raw.methods)
            settled: list[Any] = list((stable or raw).methods)
        else:
            key = spot.name
            there, settled = raw.update_kinds, (stable or raw).update_kinds
        if key not in there:
            yield f"{key} is no method and no update"
        if (key in settled) != (word == "stable"):
            yield f"{spot.name} is not {word}"
    if claim.detail["was"] == claim.detail["now"]:
        yield "nothing changed"


@checks("method.errors")
def _method_errors(claim: Claim) -> Iterator[str]:
    stated = {
        name: item
        for name, item in claim.detail.items()
        if isinstance(item, Mapping) and "was" in item
    }
    if not stated:
        yield "nothing is stated"
    for name, item in stated.items():
        if item["was"] == item["now"]:
            yield f"{name} is the same"
        for (raw, spot), said in zip(claim.pairs(), (item["was"], item["now"]), strict=True):
            if claim.detail.get("at") and name == "error":
                codes = {one.error for one in asked(claim, raw, spot)}
                if said not in codes:
                    yield f"the code of the place is {sorted(codes)}, not {said}"
                continue
            row = raw.method_row(*key_of(claim, spot.name))
            found = row.get(name, -32601 if name == "error" else [])
            ordered = [sorted(one) if isinstance(one, list) else one for one in (found, said)]
            if ordered[0] != ordered[1]:
                yield f"{name} is {found}, not {said}"


# Gates


def owner_of(claim: Claim, spot: Any) -> tuple[str, ...]:
    """(name, side, kind) of the method, or (kind,) of the update, that a gate is about."""
    name = (spot.name or claim.change.subject).partition(" ")[0]
    return key_of(claim, name) if "side" in claim.detail else (name,)


@checks("gate.added", "gate.removed", "gate.changed")
def _gate(claim: Claim) -> Iterator[str]:
    detail = claim.detail
    was, now = detail["was"], detail["now"]
    if was == now:
        yield "nothing changed"
    wanted = {"added": (False, True), "removed": (True, False), "changed": (True, True)}
    if (bool(was), bool(now)) != wanted[claim.change.action]:
        yield f"was {was!r}, now {now!r} is not {claim.change.action}"
    for key, (raw, spot), other in zip(
        ("was", "now"), claim.pairs(), (claim.new, claim.old), strict=True
    ):
        said = detail[key]
        found = asked(claim, raw, spot)
        if detail.get("rule"):
            rules = {item.rule for item in found}
            if said not in rules if said else rules & {detail["rule"]}:
                yield f"methods.toml has the rules {sorted(rules)}, not {said!r}"
            continue
        gates = [item.gate for item in found]
        both = [*gates, *(bare(other, item) for item in gates)]
        if tree(said) not in both if said else any(bare(other, item) for item in gates):
            yield f"methods.toml asks for {gates}, not {said!r}"


def asked(claim: Claim, raw: Raw, spot: Any) -> list[Ask]:
    """What methods.toml asks at the place of a gate: rules, or gates, whichever the change is about."""
    detail = claim.detail
    here = detail.get("at", ""), detail.get("of", "params"), condition(detail.get("when", {}))
    return [
        item
        for item in asks(raw, owner_of(claim, spot))
        if item.place == here and bool(item.rule) == bool(detail.get("rule"))
    ]


# Errors


def codes_of(raw: Raw) -> set[Any]:
    """The codes that the schema names."""
    return set(raw.constants(raw.defs.get("ErrorCode", {})))


@checks("error.added", "error.removed")
def _error(claim: Claim) -> Iterator[str]:
    added = claim.change.action == "added"
    yield from exists(claim, not added, added)
    raw, _, other, _ = sides(claim)
    code = claim.detail["value"]
    if code not in codes_of(raw) or code in codes_of(other):
        yield f"{code}: {code in codes_of(raw)}, {code in codes_of(other)}"


# Updates


@checks("update.semantics", "update.identity")
def _update(claim: Claim) -> Iterator[str]:
    part = claim.change.action
    for (raw, spot), said in zip(
        claim.pairs(), (claim.detail["was"], claim.detail["now"]), strict=True
    ):
        found = raw.update_row(spot.name or claim.change.subject).get(part, "")
        if found != said:
            yield f"{part} is {found!r}, not {said!r}"
    if claim.detail["was"] == claim.detail["now"]:
        yield "nothing changed"
