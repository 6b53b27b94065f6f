"""What becomes of a value that a reader's schema does not take: it fails, or the reader repairs it and loses the value.

A property may say that a malformed value of it is read as its default, an array that malformed items are dropped. A value
that is held only below such places makes no reader fail. The default counts only where it is itself valid.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cached_property

from acpgen.spec.ir import (
    NO_DEFAULT,
    Alias,
    AnyType,
    ArrayType,
    Enum,
    Field,
    Json,
    LiteralType,
    MapType,
    OptionsType,
    Record,
    RefType,
    Scalar,
    Spec,
    Type,
    Union,
    type_names,
)
from acpgen.spec.names import ClassName

AS_DEFAULT = "read as the default, and lost"
WITH_ITEM = "dropped with the item of the list that holds it"
WITH_HOLDER = "lost with the property that holds it, which is read as the default"

_DEEP = 16


class Repairs:
    """What the readers of one surface repair."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self._messages = {name for row in spec.table.rows for name in (row.params, row.result)}

    def of(self, pointer: str, *, inside: bool = False) -> tuple[str, ...]:
        """How a value at a place is lost, in words; () where a reader fails on it, or no message holds it.

        pointer: of a property or a definition, or below a definition. inside: it is an item of the array there.
        """
        pointer = pointer.removeprefix("#")
        lost: set[str] = set()
        waiting: list[tuple[ClassName, bool]] = []
        if pointer in self._fields:
            for owner, item in self._fields[pointer]:
                words = self._repaired(item, item=inside, whole=not inside)
                lost |= {words} if words else set()
                waiting += [] if words else [(owner, False)]
        else:
            waiting = [(name, True) for name in self._at(pointer)]
        seen: set[tuple[ClassName, bool]] = set()
        while waiting:
            name, whole = step = waiting.pop()
            if name in self._messages or name not in self._users:
                return ()  # a message, or what an envelope holds
            if step in seen:
                continue
            seen.add(step)
            for owner, field in self._users[name]:
                if field is None:
                    whole_too = whole and not isinstance(self.spec.definitions[owner], Record)
                    waiting.append((owner, whole_too))
                    continue
                listed = _listed(field.type, name)
                words = self._repaired(field, item=listed, whole=whole and not listed)
                if words:
                    lost.add(words)
                else:
                    waiting.append((owner, False))
        return tuple(words for words in (AS_DEFAULT, WITH_ITEM, WITH_HOLDER) if words in lost)

    def null(self, field: Field) -> bool:
        """Null is read as the default, though the property does not allow it."""
        tolerance = field.tolerance
        return (tolerance.on_null or tolerance.on_error) and self.has_default(field)

    def has_default(self, field: Field) -> bool:
        """There is a value, or absence, to stand for a malformed value, and the schema takes it."""
        if field.default is NO_DEFAULT or (field.default is None and not field.required):
            return not field.required  # it is absent then
        if field.default is None and field.nullable:
            return True
        return self._takes(field.type, field.default, 0)

    def _repaired(self, field: Field, *, item: bool, whole: bool) -> str:
        tolerance = field.tolerance
        if item and tolerance.skip_items and not _least(field.type):
            return WITH_ITEM
        if tolerance.on_error and self.has_default(field):
            return AS_DEFAULT if whole else WITH_HOLDER
        return ""

    @cached_property
    def _fields(self) -> Mapping[str, list[tuple[ClassName, Field]]]:
        """The records that hold the property at a pointer."""
        found: dict[str, list[tuple[ClassName, Field]]] = defaultdict(list)
        for name, item in self.spec.definitions.items():
            if isinstance(item, Record):
                for field in item.fields:
                    if field.pointer:
                        found[field.pointer.removeprefix("#")].append((name, field))
        return found

    @cached_property
    def _users(self) -> Mapping[ClassName, list[tuple[ClassName, Field | None]]]:
        """Of each definition: those that hold it, and the property that does."""
        found: dict[ClassName, list[tuple[ClassName, Field | None]]] = defaultdict(list)
        for name, item in self.spec.definitions.items():
            if isinstance(item, Record):
                for field in item.fields:
                    for inner in type_names(field.type):
                        found[inner].append((name, field))
                if item.base is not None:
                    found[item.base].append((name, None))
            for inner in _plainly_named(item):
                found[inner].append((name, None))
        return dict(found)

    def _at(self, pointer: str) -> list[ClassName]:
        """The definitions at a pointer, or the nearest above it."""
        while pointer:
            found = self._pointers.get(pointer, [])
            if found:
                return found
            head, _, key = pointer.rpartition("/")
            if head == "/$defs" and key in self.spec.merged:
                return list(self.spec.merged[key])
            pointer = head
        return []

    @cached_property
    def _pointers(self) -> Mapping[str, list[ClassName]]:
        found: dict[str, list[ClassName]] = defaultdict(list)
        for name, item in self.spec.definitions.items():
            found[item.pointer.removeprefix("#")].append(name)
        return found

    def _takes(self, kind: Type, value: Json, depth: int) -> bool:
        """A default is a value of a type, as far as defaults go."""
        if depth > _DEEP or isinstance(kind, AnyType):
            return isinstance(kind, AnyType)
        if isinstance(kind, RefType):
            return self._is(kind.name, value, depth + 1)
        if isinstance(kind, OptionsType):
            return any(self._takes(one, value, depth + 1) for one in kind.options)
        if isinstance(kind, LiteralType):
            return any(type(one) is type(value) and one == value for one in kind.values)
        if isinstance(kind, ArrayType):
            return (
                isinstance(value, list)
                and len(value) >= (kind.min_items or 0)
                and (kind.max_items is None or len(value) <= kind.max_items)
                and all(self._takes(kind.items, one, depth + 1) for one in value)
            )
        if isinstance(kind, MapType):
            return isinstance(value, dict) and all(
                self._takes(kind.values, one, depth + 1) for one in value.values()
            )
        return _is_scalar(kind, value)

    def _is(self, name: ClassName, value: Json, depth: int) -> bool:
        target = self.spec.definitions.get(name)
        if isinstance(target, Alias):
            return self._takes(target.type, value, depth)
        if isinstance(target, Enum):
            return any(one.value == value for one in target.values) or (
                target.open and _is_scalar(target.scalar, value)
            )
        if isinstance(target, Union):
            return any(self._takes(one.type, value, depth) for one in target.variants)
        if isinstance(target, Record) and isinstance(value, dict):
            return all(
                (
                    self._takes(item.type, value[item.wire], depth)
                    if item.wire in value
                    else not item.required
                )
                for item in self.spec.fields(target)
            )
        return False


def _plainly_named(item: object) -> Iterator[ClassName]:
    """What a union or an alias stands for."""
    if isinstance(item, Union):
        for variant in item.variants:
            yield from type_names(variant.type)
        if item.catch_all is not None:
            yield item.catch_all
    elif isinstance(item, Alias):
        yield from type_names(item.type)


def _listed(kind: Type, name: ClassName) -> bool:
    """The definition is what the items of the array are."""
    return isinstance(kind, ArrayType) and name in type_names(kind.items)


def _least(kind: Type) -> bool:
    """The array has to have items: without those that are dropped it may be refused."""
    return isinstance(kind, ArrayType) and bool(kind.min_items)


def _is_scalar(kind: Scalar, value: Json) -> bool:
    if kind.kind == "null":
        return value is None
    if isinstance(value, bool):
        return kind.kind == "boolean"
    if isinstance(value, str):
        return kind.kind == "string" and len(value) >= (kind.min_length or 0)
    if not isinstance(value, (int, float)) or kind.kind not in ("integer", "number"):
        return False
    low, high = kind.minimum, kind.maximum
    return (low is None or value >= low) and (high is None or value <= high)
