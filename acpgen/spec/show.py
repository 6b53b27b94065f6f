"""`acpgen show`: one type as people read it, surface by surface."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from acpgen.problem import ProblemError
from acpgen.spec.ir import (
    NO_DEFAULT,
    Alias,
    AnyDefinition,
    AnyType,
    ArrayType,
    Enum,
    Field,
    LiteralType,
    MapType,
    OptionsType,
    Record,
    Scalar,
    Spec,
    Type,
    Union,
)
from acpgen.spec.names import ClassName
from acpgen.spec.types import INTEGER_FORMATS

_PYTHON = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}


def type_text(kind: Type) -> str:
    """A type as Python spells it."""
    if isinstance(kind, AnyType):
        return "Any"
    if isinstance(kind, Scalar):
        return _PYTHON[kind.kind]
    if isinstance(kind, LiteralType):
        return f"Literal[{', '.join(map(repr, kind.values))}]"
    if isinstance(kind, ArrayType):
        return f"list[{type_text(kind.items)}]"
    if isinstance(kind, MapType):
        return f"dict[str, {type_text(kind.values)}]"
    if isinstance(kind, OptionsType):
        return " | ".join(type_text(option) for option in kind.options)
    return kind.name


def bounds_text(kind: Type) -> str:
    """The bounds of a type's values, in words of JSON Schema; empty without any.

    A format stands for the bounds that it implies.
    """
    if isinstance(kind, Scalar):
        low, high = INTEGER_FORMATS.get(kind.format or "", (None, None))
        limits = {
            "minimum": None if kind.minimum == low else kind.minimum,
            "maximum": None if kind.maximum == high else kind.maximum,
            "exclusiveMinimum": kind.exclusive_minimum,
            "exclusiveMaximum": kind.exclusive_maximum,
            "multipleOf": kind.multiple_of,
            "minLength": kind.min_length,
            "maxLength": kind.max_length,
            "pattern": kind.pattern,
        }
    elif isinstance(kind, ArrayType):
        limits = {"minItems": kind.min_items, "maxItems": kind.max_items}
    else:
        limits = {}
    named = [str(kind.format)] if isinstance(kind, Scalar) and kind.format else []
    return ", ".join(
        [*named, *(f"{key} {value}" for key, value in limits.items() if value is not None)]
    )


def tolerance_text(item: Field) -> str:
    """What a malformed value of a field becomes; empty where it is an error."""
    default = (
        "absent"
        if item.default is NO_DEFAULT
        else "null" if item.default is None else repr(item.default)
    )
    parts = []
    if item.tolerance.on_null:
        parts.append(f"null reads as {default}")
    if item.tolerance.skip_items:
        parts.append("malformed items are dropped")
    if item.tolerance.on_error:
        parts.append(f"malformed reads as {default}")
    return "; ".join(parts)


@dataclass(frozen=True)
class Row:
    """One line of the table of a type."""

    wire: str
    python: str
    type: str
    presence: str
    tolerance: str = ""
    bounds: str = ""


@dataclass(frozen=True)
class View:
    """One type on the surfaces where it looks the same. kind: record, union, enum or alias."""

    surfaces: tuple[str, ...]
    name: str
    kind: str
    about: str
    rows: tuple[Row, ...]

    def as_json(self) -> dict[str, Any]:
        return {
            "surfaces": list(self.surfaces),
            "name": self.name,
            "kind": self.kind,
            "about": self.about,
            "rows": [dict(vars(row)) for row in self.rows],
        }


def show(name: str, specs: Sequence[Spec], others: Iterable[str] = ()) -> list[View]:
    """What a type is on each surface; equal views are joined. others: names of other things, for
    the suggestions.

    name: a Python name or a `$defs` key. A key that occurs only inside variants shows the types that hold it. Raises
    ProblemError with the nearest names where no surface knows it.
    """
    found: dict[tuple[str, str, str, tuple[Row, ...]], list[str]] = {}
    for spec in specs:
        for target in _targets(name, spec):
            definition = spec.definitions[target]
            kind, about, rows = _view(definition, spec)
            found.setdefault((target, kind, about, rows), []).append(spec.surface)
    if not found:
        known = sorted(
            {
                str(key)
                for spec in specs
                for key in (*spec.definitions, *spec.wire_types, *spec.merged)
            }
            | set(others)
        )
        near = difflib.get_close_matches(name, known, n=5, cutoff=0.5)
        raise ProblemError.of(
            name,
            "no surface has a type of that name",
            f"did you mean {', '.join(near)}?" if near else "",
        )
    return [View(tuple(surfaces), *key) for key, surfaces in found.items()]


def _targets(name: str, spec: Spec) -> Iterable[ClassName]:
    by_name: Mapping[str, ClassName] = {str(key): key for key in spec.definitions}
    if name in by_name:
        return (by_name[name],)
    if name in spec.wire_types:
        return (spec.wire_types[name],)
    return spec.merged.get(name, ())


def _view(definition: AnyDefinition, spec: Spec) -> tuple[str, str, tuple[Row, ...]]:
    if isinstance(definition, Record):
        return "record", _record_about(definition), tuple(map(_field_row, spec.fields(definition)))
    if isinstance(definition, Union):
        rows = [
            Row(item.label, type_text(item.type), "", "variant" if item.tag else "default variant")
            for item in definition.variants
        ]
        if definition.catch_all is not None:
            rows.append(Row("(any other)", definition.catch_all, "", "catch-all"))
        about = f"told apart by `{definition.tag}`" if definition.tag else "told apart by shape"
        return "union", f"{about}; {'open' if definition.open else 'closed'}", tuple(rows)
    if isinstance(definition, Enum):
        rows = [
            Row(str(item.value), repr(item.value), "", item.label) for item in definition.values
        ]
        return "enum", "open: any other value is kept" if definition.open else "closed", tuple(rows)
    assert isinstance(definition, Alias)
    return (
        "alias",
        type_text(definition.type),
        (Row("", type_text(definition.type), "", "", "", bounds_text(definition.type)),),
    )


def _record_about(record: Record) -> str:
    parts = [f"adds to {record.base}"] if record.base else []
    if record.unions:
        parts.append(f"variant of {', '.join(record.unions)}")
    if record.catch_all is not None:
        parts.append(
            "catch-all, for readers only" if record.catch_all.received_only else "catch-all"
        )
    return "; ".join(parts)


def _field_row(item: Field) -> Row:
    null = " | None" if item.nullable else ""
    return Row(
        item.wire,
        item.name,
        type_text(item.type) + null,
        item.presence,
        tolerance_text(item),
        bounds_text(item.type),
    )
