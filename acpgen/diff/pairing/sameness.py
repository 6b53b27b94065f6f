"""Whether two types are one type: names that follow a pairing are equal, an alias is what it stands for, and bounds are
told apart from the rest.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from acpgen.diff.pairing.pairs import Pairs
from acpgen.diff.pairing.surface import Surface
from acpgen.spec.ir import (
    Alias,
    AnyDefinition,
    ArrayType,
    Enum,
    Json,
    LiteralType,
    MapType,
    OptionsType,
    RefType,
    Scalar,
    Type,
)
from acpgen.spec.shapes import bare_ref, is_null, is_object, ref_name, split_null
from acpgen.spec.types import enum_values

Bounds: TypeAlias = "dict[str, Json]"

BOUNDS = (
    "format",
    "contentEncoding",
    "contentMediaType",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "minItems",
    "maxItems",
)
"""The keywords that narrow a type without making it another."""

_INCLUSIVE = {"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}
_NONE: Mapping[str, Json] = {"minLength": 0, "minItems": 0}  # what says nothing
_BOUNDS = frozenset(BOUNDS)


def words(side: Surface, kind: Type, nullable: bool = False) -> str:
    """A type in words, definitions by their `$defs` key: `array of SessionConfigOption`, `string or null`."""
    text = _words(side, kind)
    return f"{text} or null" if nullable else text


def _words(side: Surface, kind: Type) -> str:
    if isinstance(kind, RefType):
        return side.label(kind.name)
    if isinstance(kind, Scalar):
        return kind.kind
    if isinstance(kind, LiteralType):
        return " or ".join(_json_word(value) for value in kind.values)
    if isinstance(kind, ArrayType):
        return f"array of {_inner(side, kind.items)}"
    if isinstance(kind, MapType):
        return f"map of {_inner(side, kind.values)}"
    if isinstance(kind, OptionsType):
        return " or ".join(_words(side, item) for item in kind.options)
    return "any"


def _inner(side: Surface, kind: Type) -> str:
    text = _words(side, kind)
    return f"({text})" if " or " in text else text


def _json_word(value: str | int | bool) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f'"{value}"' if isinstance(value, str) else str(value)


@dataclass
class Sameness:
    """Compares types of two surfaces by their pairs."""

    pairs: Pairs

    def same(self, left: Type, right: Type) -> bool:
        """Equal but for bounds."""
        return self._same(left, right, frozenset())

    def _same(self, left: Type, right: Type, seen: frozenset[tuple[str, str]]) -> bool:
        if isinstance(left, RefType) and isinstance(right, RefType):
            if self.pairs.types.get(left.name) == right.name:
                return True
            if (left.name, right.name) in seen:
                return False
            seen = seen | {(left.name, right.name)}
        one, other = _target(self.pairs.old, left), _target(self.pairs.new, right)
        if one is not left or other is not right:
            if isinstance(one, RefType) and isinstance(other, RefType):
                return self._same_definition(self.pairs.old[one.name], self.pairs.new[other.name])
            return self._same(one, other, seen)
        if isinstance(left, (RefType, LiteralType)) or isinstance(right, (RefType, LiteralType)):
            return _constants(self.pairs.old, left) is not None and _constants(
                self.pairs.old, left
            ) == _constants(self.pairs.new, right)
        if type(left) is not type(right):
            return False
        if isinstance(left, Scalar) and isinstance(right, Scalar):
            return left.kind == right.kind
        if isinstance(left, ArrayType) and isinstance(right, ArrayType):
            return self._same(left.items, right.items, seen)
        if isinstance(left, MapType) and isinstance(right, MapType):
            return self._same(left.values, right.values, seen)
        if isinstance(left, OptionsType) and isinstance(right, OptionsType):
            return self._same_options(left, right, seen)
        return True

    def _same_definition(self, left: AnyDefinition, right: AnyDefinition) -> bool:
        if self.pairs.types.get(left.name) == right.name:
            return True
        if isinstance(left, Enum) and isinstance(right, Enum):
            values = [{item.value for item in one.values} for one in (left, right)]
            return values[0] == values[1] and left.open == right.open
        return False

    def _same_options(
        self, left: OptionsType, right: OptionsType, seen: frozenset[tuple[str, str]]
    ) -> bool:
        rest = list(right.options)
        for one in left.options:
            found = next((other for other in rest if self._same(one, other, seen)), None)
            if found is None:
                return False
            rest.remove(found)
        return not rest

    # Bounds, by the schemas themselves: a format implies bounds that only some readers check

    def bounds(self, left: Any, right: Any) -> dict[str, dict[str, Json]]:
        """The narrowing keywords of two schemas of one type that differ: keyword -> {was, now}, null where not stated.

        Those of array items and map values are called `items.minimum` and `values.minimum`.
        """
        found: dict[str, dict[str, Json]] = {}
        self._bounds(left, right, "", found, 0)
        return found

    def _bounds(
        self, left: Any, right: Any, at: str, found: dict[str, dict[str, Json]], depth: int
    ) -> None:
        if not isinstance(left, dict) or not isinstance(right, dict) or depth > 16:
            return
        if self._paired_refs(left, right):
            return
        left, right = _flat(self.pairs.old, left), _flat(self.pairs.new, right)
        if self._paired_refs(left, right):
            return
        was, now = bounds_of(left), bounds_of(right)
        if was != now:
            one, other = (
                inclusive(item) if schema.get("type") == "integer" else item
                for item, schema in ((was, left), (now, right))
            )
            for key in BOUNDS:
                limit = _INCLUSIVE.get(key, key)
                if was.get(key) != now.get(key) and one.get(limit) != other.get(limit):
                    found[at + key] = {"was": was.get(key), "now": now.get(key)}
        for key, name in (("items", "items"), ("additionalProperties", "values")):
            self._bounds(left.get(key), right.get(key), f"{at}{name}.", found, depth + 1)

    def _paired_refs(self, left: Mapping[str, Any], right: Mapping[str, Any]) -> bool:
        """Both refer to definitions that are one: what differs in them is said of them."""
        one, other = (bare_ref(split_null(item)[0]) for item in (left, right))
        if one is None or other is None:
            return False
        before = self.pairs.old.spec.wire_types.get(one)
        return before is not None and self.pairs.types.get(
            before
        ) == self.pairs.new.spec.wire_types.get(other)


def bounds_of(schema: Mapping[str, Any]) -> Bounds:
    """The narrowing keywords of one schema; those of integers as integers, those that say nothing left out."""
    found: Bounds = {}
    if _BOUNDS.isdisjoint(schema):
        return found
    for key in BOUNDS:
        value = schema.get(key)
        if value is None or _NONE.get(key) == value:
            continue
        if schema.get("type") == "integer" and isinstance(value, float):
            value = _whole(key, value)
        elif isinstance(value, float) and value.is_integer():
            value = int(value)
        found[key] = cast(Json, value)
    return found


def inclusive(bounds: Mapping[str, Json]) -> Bounds:
    """The bounds of an integer with one limit on each side: more than 0 is 1 or more."""
    found = dict(bounds)
    for name, key, step, tightest in (
        ("exclusiveMinimum", "minimum", 1, max),
        ("exclusiveMaximum", "maximum", -1, min),
    ):
        limit = found.pop(name, None)
        if isinstance(limit, (int, float)):
            nearest = (math.floor(limit) if step > 0 else math.ceil(limit)) + step
            stated = found.get(key)
            both = [nearest, stated] if isinstance(stated, (int, float)) else [nearest]
            found[key] = tightest(both)
    return found


def _whole(key: str, value: float) -> int | float:
    if key == "minimum":
        return math.ceil(value)
    if key == "maximum":
        return math.floor(value)
    return int(value) if value.is_integer() else value


def _flat(side: Surface, schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """A schema without null, and with what a reference to a plain definition stands for."""
    for _ in range(16):
        schema = split_null(schema)[0]
        parts = schema.get("allOf") or ([{"$ref": schema["$ref"]}] if "$ref" in schema else [])
        if len(parts) != 1 or not isinstance(parts[0], Mapping) or "$ref" not in parts[0]:
            return schema
        target = side.defs.get(ref_name(parts[0]["$ref"]), {})
        if is_object(target) or enum_values(target) is not None or is_null(target):
            return schema
        rest = {key: item for key, item in schema.items() if key not in ("allOf", "$ref")}
        schema = {**target, **rest}
    return schema


def _target(side: Surface, kind: Type) -> Type:
    """What an alias stands for, whatever aliases stand between."""
    for _ in range(16):
        item = side.get(kind.name) if isinstance(kind, RefType) else None
        if not isinstance(item, Alias):
            return kind
        kind = item.type
    return kind


def _constants(side: Surface, kind: Type) -> frozenset[tuple[str, str | int | bool]] | None:
    """The constants that a closed enumeration allows, inline or named."""
    if isinstance(kind, LiteralType):
        return frozenset((type(value).__name__, value) for value in kind.values)
    item = side.get(kind.name) if isinstance(kind, RefType) else None
    if isinstance(item, Enum) and not item.open:
        return frozenset((type(one.value).__name__, one.value) for one in item.values)
    return None
