"""The checkers of `diff_check` for fields, variants and capabilities."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tests.oracle.diff_check import (
    Claim,
    bounds_are,
    bounds_of,
    checks,
    differ,
    exists,
    inner_claims,
    last,
    place,
    sides,
)
from tests.oracle.diff_raw import CHOICES, Raw, steps, without_null

Place = tuple[Any, str, Any]


def both(claim: Claim) -> tuple[Place, Place]:
    """(object schema, property, its schema) on each side."""
    return place(claim.old, claim.change.old), place(claim.new, claim.change.new)


@checks("field.added", "field.removed")
def _field_present(claim: Claim) -> Iterator[str]:
    added = claim.change.action == "added"
    yield from exists(claim, not added, added)
    raw, spot, other, without = sides(claim)
    container, name, schema = place(raw, spot)
    if last(spot.name) != name:
        yield f"{spot.pointer} is not {spot.name}"
    if name in other.properties(other.at(without.pointer)):
        yield f"{without.pointer} has {name} too"
    if "required" in claim.detail and claim.detail["required"] != (name in raw.required(container)):
        yield f"required: {name in raw.required(container)}"
    if "nullable" in claim.detail and claim.detail["nullable"] != raw.nullable(schema):
        yield f"nullable: {raw.nullable(schema)}"


@checks("field.renamed")
def _field_renamed(claim: Claim) -> Iterator[str]:
    yield from exists(claim, True, True)
    (left, was, _), (right, now, _) = both(claim)
    if was == now:
        yield "both names are equal"
    if now in claim.old.properties(left):
        yield f"the old side has {now} as well"
    if was in claim.new.properties(right):
        yield f"the new side has {was} as well"


@checks("field.moved")
def _field_moved(claim: Claim) -> Iterator[str]:
    yield from exists(claim, True, True)
    both(claim)
    old, new = (steps(spot.pointer)[:-2] for spot in (claim.change.old, claim.change.new))
    if old == new or claim.context.types.get(old[-1]) == new[-1]:
        yield "it stands where it stood"


@checks("field.type")
def _field_type(claim: Claim) -> Iterator[str]:
    yield from exists(claim, True, True)
    (_, _, old), (_, _, new) = both(claim)
    yield from differ(claim, without_null(old), without_null(new))
    yield from inner_claims(claim, old, new)


@checks("field.required", "field.optional")
def _field_required(claim: Claim) -> Iterator[str]:
    yield from exists(claim, True, True)
    (left, was, _), (right, now, _) = both(claim)
    found = was in claim.old.required(left), now in claim.new.required(right)
    wanted = (False, True) if claim.change.action == "required" else (True, False)
    if found != wanted:
        yield f"required: {found}"
    yield from _with_it(claim)


@checks("field.nullable", "field.non_nullable")
def _field_nullable(claim: Claim) -> Iterator[str]:
    yield from exists(claim, True, True)
    (_, _, old), (_, _, new) = both(claim)
    found = claim.old.nullable(old), claim.new.nullable(new)
    wanted = (False, True) if claim.change.action == "nullable" else (True, False)
    if found != wanted:
        yield f"null: {found}"
    yield from _with_it(claim)


def _with_it(claim: Claim) -> Iterator[str]:
    """What else the detail of a change of requiredness or null states."""
    (_, _, old), (_, _, new) = both(claim)
    nullable = claim.detail.get("nullable")
    if isinstance(nullable, Mapping):
        found = {"was": claim.old.nullable(old), "now": claim.new.nullable(new)}
        if dict(nullable) != found:
            yield f"nullable: {found}"
    if isinstance(claim.detail.get("default"), Mapping):
        yield from _default_is(claim, claim.detail["default"])


def _default_is(claim: Claim, said: Mapping[str, Any]) -> Iterator[str]:
    (_, _, old), (_, _, new) = both(claim)
    for raw, schema, key in ((claim.old, old, "was"), (claim.new, new, "now")):
        there, value = raw.default_of(schema)
        if not same(said.get(key), value if there else None):
            yield f"the default {key} {value!r}"


def same(a: Any, b: Any) -> bool:
    """Equal as JSON: true is not 1, and null not absent."""
    return type(a) is type(b) and bool(a == b)


@checks("field.default")
def _field_default(claim: Claim) -> Iterator[str]:
    yield from exists(claim, True, True)
    (_, _, old), (_, _, new) = both(claim)
    found = claim.old.meant(old), claim.new.meant(new)
    if found[0][0] == found[1][0] and same(found[0][1], found[1][1]):
        yield f"both defaults are {found[0]}"
    yield from _default_is(claim, claim.detail)


@checks("field.presence")
def _field_presence(claim: Claim) -> Iterator[str]:
    yield from exists(claim, True, True)
    if claim.detail["was"] == claim.detail["now"]:
        yield "nothing changed"
    for (raw, spot), said in zip(
        claim.pairs(), (claim.detail["was"], claim.detail["now"]), strict=True
    ):
        container, name, _ = place(raw, spot)
        listed = any(name in row["fields"] for row in raw.rows("patch") if _is_row_of(row, spot))
        found = "patch" if listed else "required" if name in raw.required(container) else "optional"
        if found != said:
            yield f"{spot.name} is {found}, not {said}"


def _is_row_of(row: Mapping[str, Any], spot: Any) -> bool:
    """A [[patch]] row is about the type of a field: by its `$defs` key."""
    keys = steps(spot.pointer)
    return row["type"] in (keys[1], spot.name.rpartition(".")[0])


@checks("field.bounds")
def _field_bounds(claim: Claim) -> Iterator[str]:
    yield from exists(claim, True, True)
    (_, _, old), (_, _, new) = both(claim)
    left, right = bounds_of(claim.old, old), bounds_of(claim.new, new)
    if not claim.detail["bounds"]:
        yield "no bound is stated"
    yield from bounds_are(claim.detail["bounds"], left, right)


@checks("field.tolerance")
def _field_tolerance(claim: Claim) -> Iterator[str]:
    yield from exists(claim, True, True)
    (_, _, old), (_, _, new) = both(claim)
    names = {
        "on_error": "default-on-error",
        "skip_items": "skip-invalid-items",
        "on_null": "default-on-null",
    }
    if claim.detail["was"] == claim.detail["now"]:
        yield "nothing changed"
    for raw, schema, said in (
        (claim.old, old, claim.detail["was"]),
        (claim.new, new, claim.detail["now"]),
    ):
        found = raw.tolerance(schema)
        for key, value in said.items():
            if found[names[key]] != bool(value):
                yield f"{names[key]}: {found[names[key]]}"


# Variants


def union_of(raw: Raw, spot: Any) -> Any:
    """The schema that holds the choice of which a pointer names a branch; the schema itself else."""
    keys = steps(spot.pointer)
    if len(keys) > 2 and keys[-2] in CHOICES:
        return raw.at(spot.pointer.rpartition("/")[0].rpartition("/")[0])
    return raw.at(spot.pointer)


def tag_value(name: str) -> str:
    """The tag in `Union:tag`, or in `Union:outer:tag` of a nested one."""
    return name.rpartition(":")[2]


def _tags(raw: Raw, spot: Any, tag: str) -> list[str]:
    return [str(value) for value in raw.tags(union_of(raw, spot), tag)]


def _titles(raw: Raw, union: Any) -> set[str]:
    """What branches without a tag go by."""
    found = set()
    choices = [part[word] for part in raw.parts(union) for word in CHOICES if word in part]
    for branch in choices[0] if choices else ():
        for part in raw.parts(branch):
            found |= {str(part[key]) for key in ("title", "type", "const") if key in part}
            if "$ref" in part:
                found.add(part["$ref"].rpartition("/")[2])
    return found


@checks("variant.added", "variant.removed")
def _variant_present(claim: Claim) -> Iterator[str]:
    added = claim.change.action == "added"
    yield from exists(claim, not added, added)
    raw, spot, other, without = sides(claim)
    tag, value = claim.detail.get("tag"), tag_value(spot.name)
    if tag:
        if value not in _tags(raw, spot, tag):
            yield f"{spot.pointer} has no {tag} {value}"
        if value in _tags(other, without, tag):
            yield f"{value} is a tag of both"
    else:
        if value not in _titles(raw, union_of(raw, spot)):
            yield f"{spot.pointer} has no branch {value}"
        theirs = other.branches(other.at(without.pointer))
        if value in _titles(other, other.at(without.pointer)) and len(theirs) > 1:
            yield f"{value} is a branch of both"
    if "open" in claim.detail and bool(claim.detail["open"]) != raw.is_open(union_of(raw, spot)):
        yield f"open: {raw.is_open(union_of(raw, spot))}"


@checks("variant.renamed")
def _variant_renamed(claim: Claim) -> Iterator[str]:
    yield from exists(claim, True, True)
    tag = claim.detail.get("tag")
    was, now = tag_value(claim.change.old.name), tag_value(claim.change.new.name)
    if was == now:
        yield "both tags are equal"
    for (raw, spot), own, theirs in zip(claim.pairs(), (was, now), (now, was), strict=True):
        tags = _tags(raw, spot, tag) if tag else _titles(raw, union_of(raw, spot))
        if own not in tags:
            yield f"{spot.pointer} has no {own}"
        if tag and theirs in tags:
            yield f"{spot.pointer} has {theirs} as well"


@checks("variant.type")
def _variant_type(claim: Claim) -> Iterator[str]:
    yield from exists(claim, True, True)
    schemas = [raw.at(spot.pointer) for raw, spot in claim.pairs()]
    yield from differ(claim, *schemas)
    yield from inner_claims(claim, *schemas)


@checks("variant.tag_required", "variant.tag_optional")
def _variant_tag(claim: Claim) -> Iterator[str]:
    yield from exists(claim, True, True)
    tag = claim.detail["tag"]
    found = []
    for raw, spot in claim.pairs():
        branch = raw.at(spot.pointer)
        inner = raw.branches(branch)
        found.append(
            tag in raw.required(branch)
            or bool(inner and all(tag in raw.required(item) for item in inner))
        )
        constants = raw.constants(raw.properties(branch).get(tag, {}))
        value = claim.detail.get("value")
        if found[-1] and value is not None and value not in constants:
            yield f"the tag is {constants}, not {value}"
    wanted = [False, True] if claim.change.action == "tag_required" else [True, False]
    if found != wanted:
        yield f"tag required: {found}"


# Capabilities


def truth(raw: Raw, schema: Any) -> str:
    """boolean, object or value: what a capability is."""
    if raw.takes(schema, True) and not raw.takes(schema, {}):
        return "boolean"
    if raw.takes(schema, {}) and not raw.takes(schema, True):
        return "object"
    return "value"


def _paths(claim: Claim) -> tuple[Any, Any]:
    """The capability's schemas, None where it is not."""
    side, was, now = (claim.detail.get(key) for key in ("side", "was", "now"))
    was = was if was is not None else claim.change.old.name.rpartition(": ")[2]
    now = now if now is not None else claim.change.new.name.rpartition(": ")[2]
    return (
        claim.old.capability(str(side), was) if was else None,
        claim.new.capability(str(side), now) if now else None,
    )


@checks("capability.added", "capability.removed")
def _capability_present(claim: Claim) -> Iterator[str]:
    added = claim.change.action == "added"
    yield from exists(claim, not added, added)
    raw, spot, other, _ = sides(claim)
    path = claim.detail["now" if added else "was"]
    schema = raw.capability(claim.detail["side"], path)
    if schema is None:
        yield f"there is no capability {path}"
    if other.capability(claim.detail["side"], path) is not None:
        yield f"{path} is a capability of both"
    if schema is not None and raw.at(spot.pointer) != schema:
        yield f"{spot.pointer} is not {path}"


@checks("capability.moved")
def _capability_moved(claim: Claim) -> Iterator[str]:
    yield from exists(claim, True, True)
    side, was, now = (claim.detail[key] for key in ("side", "was", "now"))
    if was == now:
        yield "both paths are equal"
    for raw, own, other, spot in (
        (claim.old, was, now, claim.change.old),
        (claim.new, now, was, claim.change.new),
    ):
        if raw.capability(side, own) != raw.at(spot.pointer):
            yield f"{spot.pointer} is not {own}"
        if raw.capability(side, other) is not None and other:
            yield f"{other} is a capability there as well"
    yield from _kinds(claim)


@checks("capability.kind")
def _capability_kind(claim: Claim) -> Iterator[str]:
    yield from exists(claim, True, True)
    if claim.detail["was_kind"] == claim.detail["now_kind"]:
        yield "nothing changed"
    yield from _kinds(claim)


def _kinds(claim: Claim) -> Iterator[str]:
    for raw, schema, key in zip(
        (claim.old, claim.new), _paths(claim), ("was_kind", "now_kind"), strict=True
    ):
        if schema is not None and key in claim.detail and truth(raw, schema) != claim.detail[key]:
            yield f"{key}: {truth(raw, schema)}"


@checks("capability.absorbed", "capability.split")
def _capability_absorbed(claim: Claim) -> Iterator[str]:
    side, was, now = (claim.detail[key] for key in ("side", "was", "now"))
    small, large = (was, now) if claim.change.action == "absorbed" else (now, was)
    with_it, without = (
        (claim.old, claim.new) if claim.change.action == "absorbed" else (claim.new, claim.old)
    )
    if with_it.capability(side, small) is None:
        yield f"{small} is no capability"
    if without.capability(side, small) is not None:
        yield f"{small} is a capability of both"
    if without.capability(side, large) is None:
        yield f"{large} is no capability"
    few, many = with_it.opened(f"{side}: {small}"), without.opened(f"{side}: {large}")
    if not few <= many or len(few) >= len(many):
        yield f"{large} opens {sorted(many)}, {small} {sorted(few)}"
