"""Whether a type, or its bounds, take more values than before, or fewer.

Every value that the old type takes, the new one takes too: `wider`. The other way round: `narrower`.
Both: `same`. Neither: `other`. A format decides on no value; where it alone changed: `format`.
`opened` is the one way to be wider that keeps its known values: some constants became any value of their kind.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Literal, TypeAlias

from acpgen.diff.pairing.sameness import inclusive
from acpgen.spec.ir import (
    Alias,
    AnyType,
    ArrayType,
    Enum,
    Json,
    LiteralType,
    MapType,
    OptionsType,
    RefType,
    Scalar,
    Spec,
    Type,
    Union,
)

Effect: TypeAlias = Literal["wider", "narrower", "same", "other", "format", "opened"]

_LEAST = {"minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"}
_MOST = {"maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"}
_PARTNERS = {
    "exclusiveMinimum": "minimum",
    "minimum": "exclusiveMinimum",
    "exclusiveMaximum": "maximum",
    "maximum": "exclusiveMaximum",
}
_MEANING = {"format", "contentEncoding", "contentMediaType", "contentSchema"}
_BOUNDS = _LEAST | _MOST | {"pattern", "multipleOf", "uniqueItems"}
# What an integer format bounds, though no validator looks at it.
_INTEGERS: Mapping[Json, tuple[int, int]] = {
    f"{'' if low else 'u'}int{bits}": (low, high)
    for bits in (8, 16, 32, 64)
    for low, high in ((-(2 ** (bits - 1)), 2 ** (bits - 1) - 1), (0, 2**bits - 1))
}


def of_types(old: Type, old_spec: Spec, new: Type, new_spec: Spec) -> Effect:
    """How a type at a place changed. Two definitions of one schema name are taken for the same."""
    more = _within(old, old_spec, new, new_spec, 0)
    less = _within(new, new_spec, old, old_spec, 0)
    if more and less:
        return "same"
    if more:
        return "opened" if _opened(old, old_spec, new, new_spec, 0) else "wider"
    return "narrower" if less else "other"


def of_bounds(bounds: Mapping[str, Json], schema: Json = None) -> Effect:
    """How bounds changed together. bounds: keyword -> {was, now}, null where not stated; inner ones as `items.KEYWORD` and
    `values.KEYWORD`, or nested. schema: what they are stated in, which tells whether only whole numbers count.
    """
    found: set[Effect] = set(_effects(_with_integer_formats(bounds), schema))
    for quiet in ("format", "same"):
        if len(found) > 1:
            found -= {quiet}
    return found.pop() if len(found) == 1 else "other"


def schema_of(kind: Type, spec: Spec, depth: int = 0) -> Json:
    """What a type says of whole numbers, as a schema."""
    kind = _plain(kind, spec)
    if depth < 16 and isinstance(kind, ArrayType):
        return {"items": schema_of(kind.items, spec, depth + 1)}
    if depth < 16 and isinstance(kind, MapType):
        return {"additionalProperties": schema_of(kind.values, spec, depth + 1)}
    return {"type": kind.kind} if isinstance(kind, Scalar) else None


def _with_integer_formats(bounds: Mapping[str, Json]) -> Mapping[str, Json]:
    """The bounds with what a change between integer formats says about minimum and maximum."""
    change = bounds.get("format")
    if not isinstance(change, Mapping):
        return bounds
    was, now = change.get("was"), change.get("now")
    if was not in _INTEGERS or now not in _INTEGERS:
        return bounds
    found = dict(bounds)
    for index, keyword in enumerate(("minimum", "maximum")):
        stated = bounds.get(keyword)
        stated = stated if isinstance(stated, Mapping) else {}
        pair = [
            _INTEGERS[item][index] if stated.get(side) is None else stated[side]
            for side, item in (("was", was), ("now", now))
        ]
        found.pop(keyword, None)
        if pair[0] != pair[1]:
            found[keyword] = {"was": pair[0], "now": pair[1]}
    return found


def _effects(bounds: Mapping[str, Json], schema: Json) -> Iterator[Effect]:
    for keyword, change in bounds.items():
        if not isinstance(change, Mapping):
            continue
        at, _, name = keyword.rpartition(".")
        if not {"was", "now"} & change.keys():
            yield from _effects(change, _inner(schema, keyword))
            continue
        partner = _PARTNERS.get(name)
        other = bounds.get(f"{at}.{partner}" if at else str(partner))
        if partner is None or not isinstance(other, Mapping):
            yield _one(name, change.get("was"), change.get("now"))
        elif name.startswith("exclusive"):  # the two state one limit together
            yield _limit({name: change, partner: other}, partner, _inner(schema, at))


def _inner(schema: Json, at: str) -> Json:
    """The schema of items and values inside. at: `items`, `values`, joined by dots; "" is the schema itself."""
    for step in at.split(".") if at else ():
        key = "additionalProperties" if step == "values" else step
        schema = schema.get(key) if isinstance(schema, Mapping) else None
    return schema


def _limit(changes: Mapping[str, Mapping[str, Json]], name: str, schema: Json) -> Effect:
    """What a limit does that two keywords state. name: the inclusive one."""
    kinds = schema.get("type") if isinstance(schema, Mapping) else None
    whole = "integer" in (kinds if isinstance(kinds, list) else [kinds])
    sign = 1 if name == "minimum" else -1

    def tightest(side: str) -> tuple[float, bool] | None:
        stated: dict[str, Json] = {key: item.get(side) for key, item in changes.items()}
        found = inclusive(stated) if whole else stated
        limits = [
            (sign * value, key != name)
            for key, value in found.items()
            if isinstance(value, (int, float))
        ]
        return max(limits) if limits else None

    was, now = tightest("was"), tightest("now")
    if was == now:
        return "same"
    return "narrower" if was is None or (now is not None and now > was) else "wider"


def _one(keyword: str, was: Json, now: Json) -> Effect:
    if keyword in _MEANING:
        return "format"
    if keyword not in _BOUNDS:
        return "other"
    if was is None or was is False:
        return "narrower"
    if now is None or now is False:
        return "wider"
    if isinstance(was, (int, float)) and isinstance(now, (int, float)):
        if keyword in _LEAST:
            return "narrower" if now > was else "wider"
        if keyword in _MOST:
            return "wider" if now > was else "narrower"
        if keyword == "multipleOf":
            return "wider" if _divides(now, was) else "narrower" if _divides(was, now) else "other"
    return "other"


def _divides(step: float, value: float) -> bool:
    """Every multiple of the value is one of the step. As decimals: 0.3 is a multiple of 0.1."""
    return step > 0 and (Fraction(str(value)) / Fraction(str(step))).denominator == 1


def _within(a: Type, a_spec: Spec, b: Type, b_spec: Spec, depth: int) -> bool:
    """Every value of the type a is one of b, as far as the types tell."""
    if depth > 16 or isinstance(b, AnyType):
        return isinstance(b, AnyType)
    if isinstance(a, RefType) and isinstance(b, RefType) and _same(a, a_spec, b, b_spec):
        return True
    a, b = _plain(a, a_spec), _plain(b, b_spec)
    if isinstance(b, AnyType):
        return True
    if isinstance(a, OptionsType):
        return all(_within(item, a_spec, b, b_spec, depth + 1) for item in a.options)
    if isinstance(b, OptionsType):
        return any(_within(a, a_spec, item, b_spec, depth + 1) for item in b.options)
    if isinstance(a, LiteralType):
        if isinstance(b, LiteralType):
            known = {(type(value), value) for value in b.values}
            return all((type(value), value) in known for value in a.values)
        return isinstance(b, Scalar) and all(_of_kind(value, b) for value in a.values)
    if isinstance(a, Scalar) and isinstance(b, Scalar):
        return _scalar_within(a, b)
    if isinstance(a, ArrayType) and isinstance(b, ArrayType):
        bounds: dict[str, Json] = {
            "minItems": {"was": a.min_items, "now": b.min_items},
            "maxItems": {"was": a.max_items, "now": b.max_items},
        }
        return _not_narrower(bounds) and _within(a.items, a_spec, b.items, b_spec, depth + 1)
    if isinstance(a, MapType) and isinstance(b, MapType):
        return _within(a.values, a_spec, b.values, b_spec, depth + 1)
    return isinstance(a, AnyType) and isinstance(b, AnyType)


def _opened(a: Type, a_spec: Spec, b: Type, b_spec: Spec, depth: int) -> bool:
    """The wider type b is a but for constants that became any value of their kind."""
    a, b = _plain(a, a_spec), _plain(b, b_spec)
    if depth > 16:
        return False
    if isinstance(a, ArrayType) and isinstance(b, ArrayType):
        bounds = (a.min_items, a.max_items) == (b.min_items, b.max_items)
        return bounds and _opened(a.items, a_spec, b.items, b_spec, depth + 1)
    if isinstance(a, MapType) and isinstance(b, MapType):
        return _opened(a.values, a_spec, b.values, b_spec, depth + 1)
    constants = [item for item in _options(a, a_spec) if isinstance(item, LiteralType)]
    more = [item for item in _options(b, b_spec) if not _within(item, b_spec, a, a_spec, 0)]
    free = [item for item in more if isinstance(item, Scalar) and item.kind != "boolean"]
    return bool(free) and all(
        (
            any(_of_kind(value, item) for one in constants for value in one.values)
            if isinstance(item, Scalar)
            else any(_within(item, b_spec, one, b_spec, 0) for one in free)
        )
        for item in more
    )


def _options(kind: Type, spec: Spec) -> list[Type]:
    """The types that a plain type chooses from; itself where it is no choice."""
    return [_plain(one, spec) for one in kind.options] if isinstance(kind, OptionsType) else [kind]


def _same(a: RefType, a_spec: Spec, b: RefType, b_spec: Spec) -> bool:
    one, other = a_spec.definitions.get(a.name), b_spec.definitions.get(b.name)
    return (
        one is not None
        and other is not None
        and (one.wire or one.name) == (other.wire or other.name)
    )


def _plain(kind: Type, spec: Spec) -> Type:
    """What a reference stands for, where that is no record and no tagged union."""
    for _ in range(16):
        target = spec.definitions.get(kind.name) if isinstance(kind, RefType) else None
        if isinstance(target, Alias):
            kind = target.type
        elif isinstance(target, Enum):
            if target.open:
                return target.scalar
            return LiteralType(tuple(item.value for item in target.values))
        elif isinstance(target, Union) and target.tag is None and target.catch_all is None:
            kind = OptionsType(tuple(item.type for item in target.variants))
        else:
            break
    return kind


def _of_kind(value: str | int | bool, kind: Scalar) -> bool:
    if isinstance(value, bool):
        return kind.kind == "boolean"
    if isinstance(value, int):
        return kind.kind in ("integer", "number") and _plain_bounds(kind)
    return kind.kind == "string" and _plain_bounds(kind)


def _plain_bounds(kind: Scalar) -> bool:
    return kind == Scalar(kind.kind, format=kind.format)


def _scalar_within(a: Scalar, b: Scalar) -> bool:
    if a.kind != b.kind and (a.kind, b.kind) != ("integer", "number"):
        return False
    was, now = _stated(a), _stated(b)
    return _not_narrower({key: {"was": was[key], "now": now[key]} for key in was})


def _stated(kind: Scalar) -> dict[str, Json]:
    """The bounds of a scalar by keyword; those of integers are inclusive, however they are written."""
    found: dict[str, Json] = {
        "minimum": kind.minimum,
        "maximum": kind.maximum,
        "exclusiveMinimum": kind.exclusive_minimum,
        "exclusiveMaximum": kind.exclusive_maximum,
        "multipleOf": kind.multiple_of,
        "minLength": kind.min_length,
        "maxLength": kind.max_length,
        "pattern": kind.pattern,
    }
    return inclusive(found) if kind.kind == "integer" else found


def _not_narrower(bounds: Mapping[str, Json]) -> bool:
    changed = {
        name: item
        for name, item in bounds.items()
        if isinstance(item, Mapping)
        and (
            item.get("was") != item.get("now")
            or (name in _PARTNERS and item.get("was") is not None)
        )
    }
    return all(effect in ("wider", "same") for effect in _effects(changed, None))
