"""Which definitions name which others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from acpgen.spec.ir import (
    Alias,
    AnyDefinition,
    ArrayType,
    Enum,
    MapType,
    OptionsType,
    Record,
    RefType,
    Spec,
    Type,
    Union,
)
from acpgen.spec.names import ClassName

Uses: TypeAlias = Mapping[str, list[str]]


def references(item: Type) -> Iterator[ClassName]:
    """The definitions that a type names."""
    if isinstance(item, RefType):
        yield item.name
    elif isinstance(item, ArrayType):
        yield from references(item.items)
    elif isinstance(item, MapType):
        yield from references(item.values)
    elif isinstance(item, OptionsType):
        for option in item.options:
            yield from references(option)


def types_of(item: AnyDefinition) -> Iterator[Type]:
    """The types that a definition is made of; its base and its catch-all are among them."""
    if isinstance(item, Record):
        if item.base is not None:
            yield RefType(item.base)
        yield from (field.type for field in item.fields)
    elif isinstance(item, Union):
        yield from (variant.type for variant in item.variants)
        if item.catch_all is not None:
            yield RefType(item.catch_all)
    elif isinstance(item, Alias):
        yield item.type
    else:
        assert isinstance(item, Enum)


def uses(spec: Spec) -> Uses:
    """Where each definition is used: `Class.field`, in the order of the schema."""
    found: dict[str, list[str]] = {}
    for name, item in spec.definitions.items():
        if isinstance(item, Record):
            for field in item.fields:
                for used in references(field.type):
                    place = f"{name}.{field.name}"
                    if place not in found.setdefault(str(used), []):
                        found[str(used)].append(place)
    return found
