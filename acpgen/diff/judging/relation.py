"""Whether a type, or its bounds, take more values than before, or fewer.

Every value that the old type takes, the new one takes too: `wider`. The other way round: `narrower`.
Both: `same`. Neither: `other`. A format decides on no value; where it alone changed: `format`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, TypeAlias

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

Effect: TypeAlias = Literal["wider", "narrower", "same", "other", "format"]

_LEAST = {
    "minimum",
    "exclusiveMinimum",
    "minLength",
    "minItems",
    "minProperties",
    "exclusive_minimum",
    "min_length",
    "min_items",
}
_MOST = {
    "maximum",
    "exclusiveMaximum",
    "maxLength",
    "maxItems",
    "maxProperties",
    "exclusive_maximum",
    "max_length",
    "max_items",
}
_MEANING = {"format", "contentEncoding", "contentMediaType", "contentSchema"}
_BOUNDS = _LEAST | _MOST | {"pattern", "multipleOf", "multiple_of", "uniqueItems"}
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
    return "wider" if more else "narrower" if less else "other"


def of_bounds(bounds: Mapping[str, Json]) -> Effect:
    """How bounds changed together. bounds: keyword -> {was, now}, null where not stated; inner ones nested."""
    found: set[Effect] = set(_effects(_with_integer_formats(bounds)))
    if found - {"format"}:
        found.discard("format")
    return found.pop() if len(found) == 1 else "other"


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


def _effects(bounds: Mapping[str, Json]) -> Iterator[Effect]:
    for keyword, change in bounds.items():
        if not isinstance(change, Mapping):
            continue
        if not {"was", "now"} & change.keys():
            yield from _effects(change)
            continue
        yield _one(keyword.rpartition(".")[2], change.get("was"), change.get("now"))


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
    return "other"


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
    names = (
        "minimum",
        "maximum",
        "exclusive_minimum",
        "exclusive_maximum",
        "multiple_of",
        "min_length",
        "max_length",
        "pattern",
    )
    bounds: dict[str, Json] = {
        name: {"was": getattr(a, name), "now": getattr(b, name)} for name in names
    }
    return _not_narrower(bounds)


def _not_narrower(bounds: Mapping[str, Json]) -> bool:
    changed = {
        name: item
        for name, item in bounds.items()
        if isinstance(item, Mapping) and item.get("was") != item.get("now")
    }
    return all(effect == "wider" for effect in _effects(changed))
