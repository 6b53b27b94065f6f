"""The intermediate representation: what ACP says, without JSON.

A `Spec` is one surface (protocol version and channel). Python names are in it already: `names.py` made them, and nothing
after `build.py` makes another. Everything is frozen, and equal input gives an equal Spec.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum as PyEnum
from typing import Literal, TypeAlias

from acpgen.runtime.table import Elsewhere, Row, State, Update
from acpgen.spec.names import ClassName, FieldName

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
Presence = Literal["required", "optional", "patch"]
ScalarKind = Literal["string", "integer", "number", "boolean", "null"]


class NoDefault(PyEnum):
    """The schema states no default and none follows from the annotations."""

    NO_DEFAULT = "no default"


NO_DEFAULT = NoDefault.NO_DEFAULT


# Types, as they stand at a place of use.
@dataclass(frozen=True, slots=True)
class AnyType:
    """Any JSON value."""


@dataclass(frozen=True, slots=True)
class Scalar:
    """A string, integer, number, boolean or null. `minimum` and `maximum` include what the integer format implies."""

    kind: ScalarKind
    format: str | None = None
    minimum: int | float | None = None
    maximum: int | float | None = None
    exclusive_minimum: int | float | None = None
    exclusive_maximum: int | float | None = None
    multiple_of: int | float | None = None
    min_length: int | None = None
    max_length: int | None = None
    pattern: str | None = None


@dataclass(frozen=True, slots=True)
class LiteralType:
    """One of a few constants (strings, integers, booleans), told apart by value."""

    values: tuple[str | int | bool, ...]


@dataclass(frozen=True, slots=True)
class ArrayType:
    items: Type
    min_items: int | None = None
    max_items: int | None = None


@dataclass(frozen=True, slots=True)
class MapType:
    """An object used as a map: string keys, values of one type."""

    values: Type


@dataclass(frozen=True, slots=True)
class RefType:
    """A definition of the same Spec, by its Python name."""

    name: ClassName


@dataclass(frozen=True, slots=True)
class OptionsType:
    """An inline choice that has no name of its own. `null` among the options is a Scalar of kind null."""

    options: tuple[Type, ...]


Type: TypeAlias = AnyType | Scalar | LiteralType | ArrayType | MapType | RefType | OptionsType


@dataclass(frozen=True, slots=True)
class Tolerance:
    """What a reader does with a malformed value (the x-deserialize-* annotations).

    on_error: take the field's default instead. skip_items: drop a malformed item of the array.
    on_null: read null as the default.
    """

    on_error: bool = False
    skip_items: bool = False
    on_null: bool = False

    def __bool__(self) -> bool:
        return self.on_error or self.skip_items or self.on_null


@dataclass(frozen=True, slots=True)
class Field:
    """One property of a record.

    wire: its name in JSON. name: its name in Python. type: without the null that `nullable` stands for.
    default: what an absent value means, as JSON; for a tolerant field also what a malformed one becomes. None means that
      absent and null are the same (`T | None = None`); NO_DEFAULT stands on required fields without tolerance and on
      patch fields.
    presence: required, optional, or patch (absent, null and a value are three different things).
    omit_empty: an empty list means the same as an absent one and is left out when written.
    tag: this field is a discriminator; its type is a LiteralType of one value, or the open string of a catch-all.
    doc: the upstream description, only where it was asked for.
    """

    wire: str
    name: FieldName
    type: Type
    presence: Presence
    nullable: bool = False
    default: Json | NoDefault = NO_DEFAULT
    tolerance: Tolerance = Tolerance()
    omit_empty: bool = False
    tag: bool = False
    pointer: str = ""
    doc: str = ""

    @property
    def required(self) -> bool:
        return self.presence == "required"


# Definitions: what has a Python name.
@dataclass(frozen=True, slots=True)
class Definition:
    """A named type.

    name: in Python. wire: the `$defs` key that it stands for exactly; None where the name is ours (a variant).
    pointer: into the contract schema. docs: the path of the spec page it comes from, or "". doc: upstream's description.
    """

    name: ClassName
    wire: str | None
    pointer: str
    docs: str = ""
    doc: str = ""


@dataclass(frozen=True, slots=True)
class CatchAll:
    """This record is the catch-all of an open union.

    tag: wire name of the discriminator. reserved: the known tags, which never decode to it.
    received_only: the schema's union is closed; the catch-all exists for readers and cannot be built by a sender.
    """

    tag: str
    reserved: tuple[str, ...]
    received_only: bool = False


@dataclass(frozen=True, slots=True)
class Record(Definition):
    """An object with properties.

    base: a record that this one adds fields to; `fields` are only those that it adds.
    closed: additionalProperties is false. unions: the unions of which this is a variant.
    """

    fields: tuple[Field, ...] = ()
    base: ClassName | None = None
    closed: bool = False
    catch_all: CatchAll | None = None
    unions: tuple[ClassName, ...] = ()


@dataclass(frozen=True, slots=True)
class Variant:
    """One choice of a union.

    label: the tag's value, or the schema's title of an untagged variant. tag: the discriminator's value, or None for a
    default variant and for untagged unions. type: a RefType to a Record or Union for objects, any Type otherwise.
    required: wire names of the keys by which an untagged object variant is told apart.
    """

    label: str
    tag: str | None
    type: Type
    required: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Union(Definition):
    """A choice between variants.

    tag: wire name of the discriminator; None: untagged. tag_name: the same in Python.
    variants: in the schema's order, without the catch-all; a tagged union may hold default variants (tag None), which are
      tried after the tagged ones, whatever the tag says.
    catch_all: the record that takes every other tag, or an untagged union of such records where a further choice stands
      beside the tag; None for a closed union.
    exclusive: untagged, and exactly one variant may match (oneOf).
    """

    tag: str | None = None
    tag_name: FieldName | None = None
    variants: tuple[Variant, ...] = ()
    catch_all: ClassName | None = None
    exclusive: bool = False

    @property
    def open(self) -> bool:
        return self.catch_all is not None


@dataclass(frozen=True, slots=True)
class EnumValue:
    value: str | int
    label: str = ""
    doc: str = ""


@dataclass(frozen=True, slots=True)
class Enum(Definition):
    """Named constants; an open one takes any other value of the same kind and keeps it."""

    values: tuple[EnumValue, ...] = ()
    kind: Literal["string", "integer"] = "string"
    open: bool = False
    scalar: Scalar = Scalar("string")


@dataclass(frozen=True, slots=True)
class Alias(Definition):
    """Another name for a type."""

    type: Type = AnyType()


AnyDefinition: TypeAlias = Record | Union | Enum | Alias


@dataclass(frozen=True, slots=True)
class Method:
    """One row of the method table: what the schema alone says.

    wire: the JSON-RPC method. side: who receives it (agent, client, proxy, protocol: both).
    params, result: names of definitions; None where the schema has none.
    """

    wire: str
    side: Literal["agent", "client", "proxy", "protocol"]
    kind: Literal["request", "notification"]
    params: ClassName | None
    result: ClassName | None = None


CapabilityKind = Literal["boolean", "object", "value"]


@dataclass(frozen=True, slots=True)
class MethodTable:
    """The method table with what methods.toml says: what the generated `methods.py` and `capabilities.py` hold.

    rows: one per method of the Spec, in its order. updates: one per kind of session/update, in the schema's order.
    states: those that a gate of this surface asks for. update_states: those of them that only a kind of update brings
      about, with that kind.
    roots: side -> property of its `initialize` message that holds its capabilities.
    capabilities: side -> dotted path -> how it counts. leaves: those (side, path) that have no capability below them.
    update_method, update_at, update_tag: where an update stands; "" and () where the surface has none.
    elsewhere: requests that this surface lacks and others have (see `spec.elsewhere`).
    """

    rows: tuple[Row, ...] = ()
    updates: tuple[Update, ...] = ()
    states: tuple[State, ...] = ()
    roots: Mapping[str, str] = field(default_factory=dict)
    capabilities: Mapping[str, Mapping[str, CapabilityKind]] = field(default_factory=dict)
    leaves: tuple[tuple[str, str], ...] = ()
    update_method: str = ""
    update_at: tuple[str, ...] = ()
    update_tag: str = ""
    elsewhere: tuple[Elsewhere, ...] = ()
    update_states: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Spec:
    """One surface.

    version: 1, 2, ... channel: stable or unstable. definitions: by Python name, in the schema's order.
    wire_types: every `$defs` key that stands for a value on the wire, to the Python name that stands for it exactly.
    merged: `$defs` keys that occur only inside variants, to the names that hold their fields.
    envelopes: `$defs` keys that the runtime owns. overlays: names of the proposals that were applied.
    contract: the contract schema, overlays included, as the text that is packaged with the bindings.
    table: the methods with their gates.
    """

    version: int
    channel: Literal["stable", "unstable"]
    definitions: Mapping[ClassName, AnyDefinition]
    methods: tuple[Method, ...] = ()
    wire_types: Mapping[str, ClassName] = field(default_factory=dict)
    merged: Mapping[str, tuple[ClassName, ...]] = field(default_factory=dict)
    envelopes: tuple[str, ...] = ()
    overlays: tuple[str, ...] = ()
    contract: str = ""
    table: MethodTable = MethodTable()

    @property
    def surface(self) -> str:
        """The surface's name, which is also its package's: v1, v1_unstable, ..."""
        return f"v{self.version}" + ("_unstable" if self.channel == "unstable" else "")

    def fields(self, record: Record) -> Iterator[Field]:
        """All fields of a record, those of its bases first."""
        return all_fields(self.definitions, record)


def all_fields(definitions: Mapping[ClassName, AnyDefinition], record: Record) -> Iterator[Field]:
    """All fields of a record, those of its bases first; a field that a record states again replaces its base's."""
    if record.base is not None:
        base = definitions[record.base]
        assert isinstance(base, Record)
        own = {item.wire for item in record.fields}
        yield from (item for item in all_fields(definitions, base) if item.wire not in own)
    yield from record.fields


def types_in(kind: Type) -> Iterator[Type]:
    """A type and every type inside it."""
    yield kind
    if isinstance(kind, ArrayType):
        yield from types_in(kind.items)
    elif isinstance(kind, MapType):
        yield from types_in(kind.values)
    elif isinstance(kind, OptionsType):
        for option in kind.options:
            yield from types_in(option)


def type_names(kind: Type) -> Iterator[ClassName]:
    """The definitions that a type names."""
    return (item.name for item in types_in(kind) if isinstance(item, RefType))


def names_in(definition: AnyDefinition) -> Iterator[ClassName]:
    """The definitions that a definition names: its base first, its catch-all last."""
    kinds: list[Type] = []
    if isinstance(definition, Record):
        base = [RefType(definition.base)] if definition.base else []
        kinds = [*base, *(item.type for item in definition.fields)]
    elif isinstance(definition, Union):
        kinds = [variant.type for variant in definition.variants]
        kinds += [RefType(definition.catch_all)] if definition.catch_all else []
    elif isinstance(definition, Alias):
        kinds = [definition.type]
    for kind in kinds:
        yield from type_names(kind)


def reachable(
    definitions: Mapping[ClassName, AnyDefinition], roots: Iterable[ClassName]
) -> list[ClassName]:
    """Every definition that a value of the roots may hold, in the order of definitions."""
    seen: set[ClassName] = set()
    waiting = list(roots)
    while waiting:
        name = waiting.pop()
        if name not in seen and name in definitions:
            seen.add(name)
            waiting.extend(names_in(definitions[name]))
    return [name for name in definitions if name in seen]
