"""What stands at a place of a message, by the schema: pointers with `*`, and capability paths."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from acpgen.spec.ir import (
    Alias,
    AnyDefinition,
    ArrayType,
    CapabilityKind,
    Enum,
    LiteralType,
    MapType,
    OptionsType,
    Record,
    RefType,
    Scalar,
    Type,
    Union,
    all_fields,
)
from acpgen.spec.names import ClassName

Definitions = Mapping[ClassName, AnyDefinition]


def places(definitions: Definitions, start: ClassName, pointer: str) -> list[Type]:
    """Every type that a value at the pointer may have; empty where the schema has no such place."""
    found: list[Type] = [RefType(start)]
    for part in pointer.split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        found = [after for kind in found for after in _step(definitions, kind, key)]
    return found


def known_values(definitions: Definitions, kinds: Sequence[Type]) -> list[str | int | bool]:
    """The values that the schema names for a place: of an enum, or the tags of a union."""
    found: dict[str | int | bool, None] = {}
    for kind in kinds:
        for item in forms(definitions, kind):
            if isinstance(item, LiteralType):
                found.update(dict.fromkeys(item.values))
            elif isinstance(item, Enum):
                found.update({one.value: None for one in item.values})
    return list(found)


def _step(definitions: Definitions, kind: Type, key: str) -> Iterator[Type]:
    for item in forms(definitions, kind):
        if key == "*":
            if isinstance(item, ArrayType):
                yield item.items
            elif isinstance(item, MapType):
                yield item.values
        elif isinstance(item, Record):
            yield from (field.type for field in all_fields(definitions, item) if field.wire == key)


def forms(
    definitions: Definitions, kind: Type, seen: frozenset[ClassName] = frozenset()
) -> Iterator[Type | AnyDefinition]:
    """What a type stands for: records, enums and inline types; a choice gives each of its forms."""
    if isinstance(kind, OptionsType):
        for option in kind.options:
            yield from forms(definitions, option, seen)
        return
    if not isinstance(kind, RefType):
        yield kind
        return
    if kind.name in seen:
        return
    seen = seen | {kind.name}
    target = definitions[kind.name]
    if isinstance(target, Alias):
        yield from forms(definitions, target.type, seen)
    elif isinstance(target, Union):
        for variant in target.variants:
            yield from forms(definitions, variant.type, seen)
        if target.catch_all is not None:
            yield from forms(definitions, RefType(target.catch_all), seen)
    else:
        yield target


def union_at(definitions: Definitions, kinds: Sequence[Type]) -> Union | None:
    """The tagged union that stands at a place, if one does."""
    for kind in kinds:
        if isinstance(kind, RefType):
            target = definitions[kind.name]
            if isinstance(target, Union) and target.tag is not None:
                return target
            if isinstance(target, Alias):
                return union_at(definitions, [target.type])
    return None


def capabilities(
    definitions: Definitions, kinds: Sequence[Type], prefix: str = ""
) -> Iterator[tuple[str, CapabilityKind, bool]]:
    """(dotted path, how it counts, nothing is below it) of every capability below an object.

    A property whose name begins with an underscore is an extension's, not the protocol's.
    """
    if prefix.count(".") > 8:
        return  # an object that holds itself: no capability is nested that deep
    for kind in kinds:
        for item in forms(definitions, kind):
            if not isinstance(item, Record):
                continue
            for field in all_fields(definitions, item):
                if field.wire.startswith("_"):
                    continue
                path = f"{prefix}{field.wire}"
                below = list(capabilities(definitions, [field.type], f"{path}."))
                yield path, _kind(definitions, field.type), not below
                yield from below


def _kind(definitions: Definitions, kind: Type) -> CapabilityKind:
    found = list(forms(definitions, kind))
    if all(isinstance(item, Scalar) and item.kind == "boolean" for item in found):
        return "boolean"
    if all(isinstance(item, (Record, MapType)) for item in found):
        return "object"
    return "value"
