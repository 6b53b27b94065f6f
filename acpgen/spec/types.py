"""Property schemas -> the types and fields of the intermediate representation."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from acpgen.spec.ir import (
    NO_DEFAULT,
    AnyType,
    ArrayType,
    EnumValue,
    Field,
    Json,
    LiteralType,
    MapType,
    NoDefault,
    OptionsType,
    Presence,
    RefType,
    Scalar,
    ScalarKind,
    Tolerance,
    Type,
)
from acpgen.spec.names import ClassName, FieldName, class_name, pascal
from acpgen.spec.shapes import (
    TOLERANCE,
    Property,
    Schema,
    ShapeReader,
    bare_ref,
    const_of,
    is_null,
    is_object,
    ref_name,
    split_null,
)

# Inclusive bounds that an integer format implies.
INTEGER_FORMATS: Mapping[str, tuple[int, int]] = {
    **{f"int{bits}": (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) for bits in (8, 16, 32, 64)},
    **{f"uint{bits}": (0, 2**bits - 1) for bits in (8, 16, 32, 64)},
}
_CONSTRAINING = frozenset(
    "$ref allOf anyOf oneOf not type const enum properties required additionalProperties items minimum maximum "
    "exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern minItems maxItems".split()
)
_ZERO: Mapping[str, Json] = {
    "string": "",
    "integer": 0,
    "number": 0,
    "boolean": False,
    "null": None,
}
_SCALARS = ("string", "integer", "number", "boolean", "null")

Hoist = Callable[[Schema, str, str], Type]
"""Gives a nested schema a name of its own: (schema, pointer, name) -> a reference to it."""


def enum_values(schema: Schema) -> tuple[list[EnumValue], str, bool] | None:
    """The values, their JSON kind and openness where a schema is an enumeration of strings or of integers."""
    if isinstance(schema.get("enum"), list) and schema["enum"]:
        values, is_open = [EnumValue(value) for value in schema["enum"]], False
    else:
        branches = schema.get("oneOf") or schema.get("anyOf") or ()
        if (
            not branches
            or "properties" in schema
            or not all(isinstance(item, Mapping) for item in branches)
        ):
            return None
        known = [item for item in branches if const_of(item) is not None]
        free = [item for item in branches if const_of(item) is None]
        if (
            not known
            or any(set(item) & _CONSTRAINING - {"type"} or "type" not in item for item in free)
            or len(free) > 1
        ):
            return None
        values = [EnumValue(const_of(item), item.get("title", "")) for item in known]
        is_open = bool(free)
        if free and free[0]["type"] not in ("string", "integer"):
            return None
    kinds = {type(value.value) for value in values}
    if kinds == {str}:
        return values, "string", is_open
    if kinds == {int}:
        return values, "integer", is_open
    return None


def scalar(schema: Schema, kind: str) -> Scalar:
    """A scalar with the bounds that the schema states and those that its format implies."""
    minimum, maximum = schema.get("minimum"), schema.get("maximum")
    fmt = schema.get("format")
    if kind == "integer" and isinstance(fmt, str) and fmt in INTEGER_FORMATS:
        low, high = INTEGER_FORMATS[fmt]
        minimum = low if minimum is None else max(low, minimum)
        maximum = high if maximum is None else min(high, maximum)
    if kind == "integer":  # 0.5 and 1 admit the same integers
        minimum = None if minimum is None else math.ceil(minimum)
        maximum = None if maximum is None else math.floor(maximum)
    return Scalar(
        cast(ScalarKind, kind),
        fmt,
        minimum,
        maximum,
        schema.get("exclusiveMinimum"),
        schema.get("exclusiveMaximum"),
        schema.get("multipleOf"),
        schema.get("minLength"),
        schema.get("maxLength"),
        schema.get("pattern"),
    )


def default_of_type(kind: Type, nullable: bool) -> Json | NoDefault:
    """What a malformed required value becomes, where the schema names no default."""
    if nullable or isinstance(kind, AnyType):
        return None
    if isinstance(kind, ArrayType):
        return []
    if isinstance(kind, MapType):
        return {}
    if isinstance(kind, Scalar):
        return _ZERO[kind.kind]
    return NO_DEFAULT


class TypeReader:
    """Reads property schemas. names: the Python name of each definition that has one."""

    def __init__(self, reader: ShapeReader, names: Mapping[str, ClassName], hoist: Hoist) -> None:
        self.reader = reader
        self.names = names
        self.hoist = hoist

    def type_of(self, schema: Any, pointer: str, name: str) -> tuple[Type, bool]:
        """The type of a schema and whether null is allowed beside it. name: what a nested definition would be called."""
        if not isinstance(schema, Mapping) or not set(schema) & _CONSTRAINING:
            return AnyType(), False
        ref = bare_ref(schema)
        if ref is not None:
            if ref not in self.names:
                self.reader.problem(
                    pointer, f"`{ref}` is no type of its own and cannot be referred to here"
                )
                return AnyType(), False
            return RefType(self.names[ref]), False
        if is_null(schema):
            return Scalar("null"), False
        inner, nullable = split_null(schema)
        if nullable:
            kind, again = self.type_of(inner, pointer, name)
            return kind, not isinstance(kind, AnyType) or again
        return self._plain(schema, pointer, name), False

    def _plain(self, schema: Schema, pointer: str, name: str) -> Type:
        kind = schema.get("type")
        if "const" in schema or "enum" in schema:
            return self._constants(
                [schema["const"]] if "const" in schema else schema["enum"], pointer
            )
        narrowed = self._narrowed(schema)
        if narrowed is not None:
            return self._plain(narrowed, pointer, name)
        if "properties" in schema or "anyOf" in schema or "oneOf" in schema or "allOf" in schema:
            return self.hoist(schema, pointer, name)
        if isinstance(kind, list):
            parts = ({**schema, "type": item} for item in kind)
            return OptionsType(tuple(self._plain(part, pointer, name) for part in parts))
        if kind in _SCALARS:
            return scalar(schema, kind)
        if kind == "array":
            items, nullable = self.type_of(
                schema.get("items", {}), f"{pointer}/items", f"{name}Item"
            )
            return ArrayType(
                with_null(items, nullable), schema.get("minItems"), schema.get("maxItems")
            )
        if kind == "object":
            values = schema.get("additionalProperties", {})
            if values is False:
                return self.hoist(schema, pointer, name)
            item, nullable = self.type_of(values, f"{pointer}/additionalProperties", f"{name}Value")
            return MapType(with_null(item, nullable))
        self.reader.problem(
            pointer,
            "no rule knows this shape",
            "look for a newer acpgen, or report it: acpgen has to learn what it means",
        )
        return AnyType()

    def _constants(self, values: Sequence[Any], pointer: str) -> Type:
        if not values:
            self.reader.problem(pointer, "an `enum` without values allows nothing")
        odd = [value for value in values if not isinstance(value, (str, bool, int))]
        if odd:
            self.reader.problem(
                pointer,
                f"no rule knows the constant {odd[0]!r}: it is no string, integer or boolean",
            )
            return AnyType()
        return LiteralType(tuple(values))

    def _narrowed(self, schema: Schema) -> Schema | None:
        """A reference to something that is no object, with constraints beside it, as one schema."""
        parts: Sequence[Schema] = schema.get("allOf") or (
            [{"$ref": schema["$ref"]}] if "$ref" in schema else []
        )
        if len(parts) != 1 or set(parts[0]) != {"$ref"}:
            return None
        target = self.reader.defs.get(ref_name(parts[0]["$ref"]), {})
        if is_object(target) or {"anyOf", "oneOf", "allOf", "$ref"} & set(target) or not target:
            return None
        return {
            **target,
            **{key: value for key, value in schema.items() if key not in ("allOf", "$ref")},
        }

    def field_of(
        self,
        wire: str,
        name: FieldName,
        prop: Property,
        required: bool,
        owner: ClassName,
        *,
        patch: bool,
        omit_empty: bool,
    ) -> Field:
        """One property as a field. owner: the record's name, for what must be named inside it."""
        schema = prop.schema
        kind, nullable = self.type_of(schema, prop.pointer, hoisted_name(prop, wire, owner))
        on_error, skip_items, on_null = (schema.get(annotation) is True for annotation in TOLERANCE)
        tolerance = Tolerance(on_error, skip_items, on_null)
        presence: Presence = "required" if required else "patch" if patch else "optional"
        return Field(
            wire,
            name,
            kind,
            presence,
            nullable,
            self._default(schema, kind, nullable, presence, tolerance, prop.pointer),
            tolerance,
            omit_empty,
            tag=required
            and isinstance(kind, LiteralType)
            and len(kind.values) == 1
            and const_of(schema) is not None,
            pointer=prop.pointer,
        )

    def _default(
        self,
        schema: Schema,
        kind: Type,
        nullable: bool,
        presence: Presence,
        tolerance: Tolerance,
        pointer: str,
    ) -> Json | NoDefault:
        if presence == "patch":
            return NO_DEFAULT
        if "default" in schema:
            return cast(Json, schema["default"])
        if presence == "required":
            if not (tolerance.on_error or tolerance.on_null):
                return NO_DEFAULT
            found = default_of_type(kind, nullable)
            if found is NO_DEFAULT:
                self.reader.problem(
                    pointer,
                    "a malformed value is to become the default, but the schema names none and none follows from the type",
                    "state `default` in the schema",
                )
            return found
        # An absent list and an empty one mean the same to every reader, so code need not tell them apart.
        if not nullable and isinstance(kind, (ArrayType, MapType)):
            return default_of_type(kind, nullable)
        return None


def with_null(kind: Type, nullable: bool) -> Type:
    """A type that takes null too, for places that are no field."""
    return (
        OptionsType((kind, Scalar("null"))) if nullable and not isinstance(kind, AnyType) else kind
    )


def hoisted_name(prop: Property, wire: str, owner: ClassName) -> str:
    """What a definition nested in a property is called: after the definition that states the property, and the property."""
    return (class_name(prop.owner) if prop.owner else owner) + pascal(wire)
