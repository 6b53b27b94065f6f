"""The checkers of `diff_check` for methods, gates, updates and error codes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tests.oracle.diff_check import Claim, checks, exists, sides
from tests.oracle.diff_raw import LEAF, Raw

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
    if not claim.change.evidence:
        yield "there is no evidence"


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
            row = raw.method_row(*key_of(claim, spot.name))
            found = row.get(name, -32601 if name == "error" else [])
            if found != said:
                yield f"{name} is {found}, not {said}"


# Gates


def _gate_texts(raw: Raw, claim: Claim, spot: Any) -> list[tuple[str, str]]:
    """(gate, rule) of every row of methods.toml that speaks about the place of a gate, where the place exists."""
    name = (spot.name or claim.change.subject).partition(" ")[0]
    at, of_update = claim.detail.get("at", ""), "side" not in claim.detail
    if not at:
        row = raw.update_row(name) if of_update else raw.method_row(*key_of(claim, name))
        return [(row.get("requires", ""), "")]
    message = _message(raw, claim, name)
    reached = raw.reaches(message, at) if message is not None else []
    named = [value for schema in reached for value in raw.constants(schema)]
    found = []
    for row in raw.rows("check"):
        names = row.get("updates", ()) if of_update else row.get("methods", ())
        about = name in names or f"{name}:{claim.detail.get('kind')}" in names
        here = (row["at"], row.get("of", "params")) == (at, claim.detail.get("of", "params"))
        when = row.get("when", {})
        wanted = when.get("one_of", [when["is"]] if "is" in when else [])
        occurs = bool(reached) and (not wanted or not named or not set(wanted).isdisjoint(named))
        same = _condition(when) == _condition(claim.detail.get("when", {}))
        if about and here and occurs and same:
            found.append((row.get("requires", ""), row.get("rule", "")))
    return found


def _condition(when: Mapping[str, Any]) -> dict[str, Any]:
    """A condition without the values that `known` stands for, which each schema fills in."""
    found = dict(when)
    if "known" in found:
        found["one_of" if found.pop("known") else "not_one_of"] = None
    return {key: None if key in ("one_of", "not_one_of") else item for key, item in found.items()}


def _message(raw: Raw, claim: Claim, name: str) -> Any:
    """The schema of the message or the update that the place is in; None where there is none."""
    if "side" not in claim.detail:
        for branch in raw.branches(raw.update_union):
            if name in raw.constants(raw.properties(branch).get("sessionUpdate", {})):
                return branch
        return None
    row = raw.methods.get(key_of(claim, name))
    return raw.defs.get(str(row[claim.detail.get("of", "params")])) if row else None


@checks("gate.added", "gate.removed", "gate.changed")
def _gate(claim: Claim) -> Iterator[str]:
    was, now = claim.detail["was"], claim.detail["now"]
    if was == now:
        yield "nothing changed"
    wanted = {"added": (False, True), "removed": (True, False), "changed": (True, True)}
    if (bool(was), bool(now)) != wanted[claim.change.action]:
        yield f"was {was!r}, now {now!r} is not {claim.change.action}"
    for (raw, spot), said in zip(claim.pairs(), (was, now), strict=True):
        texts = _gate_texts(raw, claim, spot)
        if claim.detail.get("rule"):
            asked = {rule for _, rule in texts if rule}
            if said not in asked if said else asked:
                yield f"methods.toml has the rules {sorted(asked)}, not {said!r}"
            continue
        gates = [raw.leaves(text) for text, _ in texts if raw.leaves(text)]
        leaves = {match[0] for match in LEAF.finditer(said)}
        if leaves not in gates if said else gates:
            yield f"methods.toml asks for {gates}, not {said!r}"


# Errors


def _codes(raw: Raw) -> set[Any]:
    return set(raw.constants(raw.defs.get("ErrorCode", {})))


@checks("error.added", "error.removed")
def _error(claim: Claim) -> Iterator[str]:
    added = claim.change.action == "added"
    yield from exists(claim, not added, added)
    raw, _, other, _ = sides(claim)
    code = claim.detail["value"]
    if code not in _codes(raw) or code in _codes(other):
        yield f"{code}: {code in _codes(raw)}, {code in _codes(other)}"


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
