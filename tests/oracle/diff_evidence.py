"""Whether the reason is so for which two names are believed to be one thing.

Every form of reason is looked up where it points to: a row of renames.toml or methods.toml, the message of a method,
the type of a property, a branch of a union, a gate, what a capability holds. A reason of any other form is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from tests.oracle.diff_gates import asks, tree
from tests.oracle.diff_raw import Raw, steps

if TYPE_CHECKING:
    from tests.oracle.diff_check import Claim

NEEDED = frozenset(
    (
        *("type.renamed", "field.renamed", "field.moved", "method.renamed", "variant.renamed"),
        *("capability.moved", "capability.absorbed", "capability.split"),
    )
)
"""The kinds that say of two names that they are one."""

_ROW = re.compile(r"(?P<file>\S+\.toml): (?P<old>.+) = (?P<new>.+)")
_REPLACES = re.compile(r"methods\.toml: each replaces the other, (?P<old>.+) and (?P<new>.+)")
_METHOD = re.compile(r"(?P<name>\S+) \((?P<kind>request|notification) to the (?P<side>\w+)\)")
_MESSAGE = re.compile(r"(?P<part>params|result) of (?P<method>\S+)")
_FIELD = re.compile(r"type of (?P<type>[^.]+)\.(?P<field>\S+)")
_ALONE = re.compile(r"the only variant of (?P<union>\S+)")
_UNTAGGED = re.compile(r"the only one without a tag of (?P<union>\S+)")
_BRANCH = re.compile(r"(?:tag|variant) `(?P<tag>[^`]+)` of (?P<union>\S+)")
_ROOT = re.compile(r"both hold the capabilities of the (?P<side>agent|client)")
_HOLD = re.compile(r"both hold (?P<name>\w+)")
_BELOW = re.compile(r"below (?P<path>(?:agent|client): \S+)")
_GATE = re.compile(r'gate of (?P<name>\S+)(?: (?P<at>/\S+))?(?: "(?P<value>[^"]*)")?')


def check_evidence(claim: Claim) -> Iterator[str]:
    """What is wrong with the reason of a change; nothing, where none is needed and none is given."""
    text = claim.change.evidence
    if not text:
        if f"{claim.change.area}.{claim.change.action}" in NEEDED:
            yield "there is no evidence"
        return
    for areas, pattern, judge in _FORMS:
        if claim.change.area not in areas.split():
            continue
        match = pattern.fullmatch(text)
        if match is not None:
            if not judge(claim, match):
                yield f"it is not so: {text}"
            return
    yield f"that is no evidence: {text}"


# Rows kept by hand


def _row(claim: Claim, match: re.Match[str]) -> bool:
    """renames.toml has the row, in either direction, and it is about this change."""
    said = match["old"], match["new"]
    names = claim.change.old.name, claim.change.new.name
    return _rows(claim).get(said[0]) == said[1] and said == names


def _rows(claim: Claim) -> dict[str, str]:
    """Old name -> new one, of all rows between the two versions, turned where they are the other way round."""
    versions = claim.old.version, claim.new.version
    rows: dict[str, str] = {}
    for table in claim.context.renames.get("v{}-v{}".format(*versions), {}).values():
        rows |= {old: to["to"] if isinstance(to, Mapping) else to for old, to in table.items()}
    for table in claim.context.renames.get("v{1}-v{0}".format(*versions), {}).values():
        rows |= {to["to"] if isinstance(to, Mapping) else to: old for old, to in table.items()}
    return rows


def _replaces(claim: Claim, match: re.Match[str]) -> bool:
    """Each row of methods.toml names the other method, and nothing else, as what does the same."""
    keys = []
    for (raw, spot), said in zip(claim.pairs(), (match["old"], match["new"]), strict=True):
        found = _METHOD.fullmatch(said)
        if found is None or found["name"] != spot.name:
            return False
        keys.append((raw, (found["name"], found["side"], found["kind"])))
    (old, one), (new, other) = keys
    return _each_replaces(old, one, new, other)


def _each_replaces(
    old: Raw, one: tuple[str, str, str], new: Raw, other: tuple[str, str, str]
) -> bool:
    return (
        one in old.methods
        and other in new.methods
        and one[1:] == other[1:]
        and list(old.method_row(*one).get("replaced_by", ())) == [other[0]]
        and list(new.method_row(*other).get("replaced_by", ())) == [one[0]]
    )


@cache
def method_pairs(old: Raw, new: Raw) -> list[tuple[tuple[str, str, str], tuple[str, str, str]]]:
    """The methods of both sides that are one: of one key, or that replace each other."""
    found = [(one, one) for one in old.methods if one in new.methods]
    for one in old.methods:
        for other in new.methods:
            alone = one not in new.methods and other not in old.methods
            if alone and _each_replaces(old, one, new, other):
                found.append((one, other))
    return found


# Places in the schemas


def _key(pointer: str) -> str:
    """The `$defs` key of a pointer to a whole definition; "" for any other."""
    found = steps(pointer)
    return found[1] if len(found) == 2 else ""


def _keys(claim: Claim) -> tuple[str, str]:
    """The `$defs` keys of the two spots."""
    return _key(claim.change.old.pointer), _key(claim.change.new.pointer)


def _message(claim: Claim, match: re.Match[str]) -> bool:
    old, new = claim.old.methods, claim.new.methods
    return any(
        other[0] == match["method"]
        and (old[one][match["part"]], new[other][match["part"]]) == _keys(claim)
        for one, other in method_pairs(claim.old, claim.new)
    )


def _named(raw: Raw, schema: Any) -> set[str]:
    """The definitions that a schema stands for: by reference, as items or values of one, or as the one beside null."""
    found = set()
    for part in raw.parts(schema):
        found |= {part["$ref"].rpartition("/")[2]} if "$ref" in part else set()
        for key in ("items", "additionalProperties"):
            if isinstance(part.get(key), dict):
                found |= _named(raw, part[key])
    for branch in raw.branches(schema):
        found |= {branch["$ref"].rpartition("/")[2]} if "$ref" in branch else set()
    return found


def _type_of(claim: Claim, match: re.Match[str]) -> bool:
    """Both spots are the type of that property. The property of the old side has the same name in the record's
    predecessor, or the name that a row of renames.toml or the capabilities of a side give it.
    """
    holder = claim.new.defs.get(match["type"])
    back = {now: was for was, now in claim.context.types.items()}
    before = claim.old.defs.get(back.get(match["type"], match["type"]))
    place = f"{match['type']}.{match['field']}"
    origin = {new: old for old, new in _rows(claim).items()}.get(place, "")
    record, _, name = origin.rpartition(".")
    if record in claim.old.defs:
        there = [claim.old.properties(claim.old.defs[record]).get(name)]
    else:
        names = [match["field"], *(_root_name(claim.old, side) for side in ("agent", "client"))]
        found = [claim.old.properties(before).get(name) for name in names]
        there = found[:1] if found[0] is not None else found[1:]
    here = claim.new.properties(holder).get(match["field"])
    return _is(claim.new, here, claim.change.new.pointer) and any(
        _is(claim.old, item, claim.change.old.pointer) for item in there
    )


def _is(raw: Raw, schema: Any, spot: str) -> bool:
    """A spot is what a schema refers to, or stands in the schema itself."""
    if _key(spot):
        return _key(spot) in _named(raw, schema)
    return raw.at(spot) in list(raw.parts(schema))


def _union(claim: Claim, name: str) -> list[tuple[Raw, Any]]:
    """The union of that name, on each side that has it as one."""
    back = {now: was for was, now in claim.context.types.items()}
    found = []
    for raw, key in ((claim.old, back.get(name, name)), (claim.new, name)):
        if key in raw.defs and raw.branches(raw.defs[key]):
            found.append((raw, raw.defs[key]))
    return found


def _about(claim: Claim, name: str) -> bool:
    """Each spot stands in what goes by that name on its side, or is what one of its branches refers to."""
    back = {now: was for was, now in claim.context.types.items()}
    for key, (raw, spot) in zip((back.get(name, name), name), claim.pairs(), strict=True):
        keys = steps(spot.pointer)
        held = _held(raw, raw.defs.get(key))
        if len(keys) < 2 or not (keys[1] == key or (len(keys) == 2 and keys[1] in held)):
            return False
    return True


def _held(raw: Raw, union: Any) -> set[str]:
    return {name for branch in raw.branches(union) for name in _named(raw, branch)}


def _alone(claim: Claim, match: re.Match[str]) -> bool:
    """The union has one branch beside the one for everything else."""
    return _about(claim, match["union"]) and any(
        len([item for item in raw.branches(union) if "not" not in item]) == 1
        for raw, union in _union(claim, match["union"])
    )


def _untagged(claim: Claim, match: re.Match[str]) -> bool:
    """One branch of the union, on a side, need not say a tag that its others do."""
    for raw, union in _union(claim, match["union"]):
        branches = [item for item in raw.branches(union) if "not" not in item]
        tags = {name for item in branches for name in _constant(raw, item)}
        free = [item for item in branches if not _constant(raw, item) & tags & raw.required(item)]
        if _about(claim, match["union"]) and tags and len(free) == 1:
            return True
    return False


def _constant(raw: Raw, branch: Any) -> set[str]:
    """The properties for which a branch names the value."""
    return {name for name, inner in raw.properties(branch).items() if raw.constants(inner)}


def _branch(claim: Claim, match: re.Match[str]) -> bool:
    """Both definitions stand behind that tag or in that branch."""
    unions = _union(claim, match["union"])
    if len(unions) != 2:
        return False
    for (raw, union), spot in zip(unions, (claim.change.old, claim.change.new), strict=True):
        held = False
        for branch in raw.branches(union):
            values = [raw.constants(inner) for inner in raw.properties(branch).values()]
            titles = branch.get("title"), _key(spot.pointer)
            named = [match["tag"]] in values or match["tag"] in titles
            held = held or (named and _is(raw, branch, spot.pointer))
        if not held:
            return False
    return True


# Capabilities and gates


def _root(claim: Claim, match: re.Match[str]) -> bool:
    for raw, spot in claim.pairs():
        ends = raw.methods[("initialize", "agent", "request")]
        part = ends["result" if match["side"] == "agent" else "params"]
        wanted = ["$defs", part, "properties", _root_name(raw, match["side"])]
        if steps(spot.pointer) != wanted:
            return False
    return True


def _root_name(raw: Raw, side: str) -> str:
    """The property that holds the capabilities of a side."""
    roots: Mapping[str, str] = next((one["roots"] for one in raw.metadata if "roots" in one), {})
    return roots[side]


def _moved(claim: Claim, was: str, now: str) -> bool:
    """The diff says that a capability moved there, or it is in the same place."""
    return claim.context.capabilities.get(was, was) == now


def _hold(claim: Claim, match: re.Match[str]) -> bool:
    was, now = (f"{item.name}.{match['name']}" for item in (claim.change.old, claim.change.new))
    return _moved(claim, was, now)


def _below(claim: Claim, match: re.Match[str]) -> bool:
    (above, _, one), (there, _, other) = (
        item.name.rpartition(".") for item in (claim.change.old, claim.change.new)
    )
    return one == other and there == match["path"] and _moved(claim, above, there)


def _gate(claim: Claim, match: re.Match[str]) -> bool:
    """Both sides ask for just this capability at that place."""
    wanted = (("is", repr(match["value"])),) if match["value"] is not None else None
    found = []
    for index, (raw, spot) in enumerate(claim.pairs()):
        owners: list[tuple[str, ...]] = [
            pair[index]
            for pair in method_pairs(claim.old, claim.new)
            if match["name"] in (pair[0][0], pair[1][0])
        ]
        owners += [(kind,) for kind in raw.update_kinds if kind == match["name"]]
        found.append(
            any(
                item.gate == tree(spot.name)
                and item.at == (match["at"] or "")
                and (wanted is None or item.when == wanted)
                for owner in owners
                for item in asks(raw, owner)
            )
        )
    return all(found)


_FORMS = (
    ("method", _REPLACES, _replaces),
    ("type field method variant capability", _ROW, _row),
    ("type", _MESSAGE, _message),
    ("type", _FIELD, _type_of),
    ("type variant", _ALONE, _alone),
    ("type variant", _UNTAGGED, _untagged),
    ("type", _BRANCH, _branch),
    ("field", _ROOT, _root),
    ("capability", _HOLD, _hold),
    ("capability", _BELOW, _below),
    ("capability", _GATE, _gate),
)
"""The areas of changes for which a form of reason counts."""
