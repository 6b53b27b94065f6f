"""What differs between named types."""

from __future__ import annotations

from typing import Literal

from acpgen.diff.change import Peer
from acpgen.diff.changes.book import Book, Users, spots, turn
from acpgen.diff.changes.fields import bounds_detail, compare_closed, compare_records
from acpgen.diff.changes.names import compare_names, kind_of
from acpgen.diff.changes.unions import compare_only_variant, compare_unions
from acpgen.diff.pairing.direction import answerers
from acpgen.diff.pairing.envelopes import error_codes
from acpgen.diff.pairing.sameness import words
from acpgen.diff.pairing.surface import Surface
from acpgen.spec.ir import (
    Alias,
    AnyDefinition,
    Enum,
    EnumValue,
    Json,
    LiteralType,
    Record,
    Union,
)


def compare_types(book: Book) -> None:
    """Every definition of both surfaces."""
    compare_names(book)
    for before, after in book.pairs.types.items():
        compare_definitions(book, book.old[before], book.new[after])


def compare_definitions(book: Book, left: AnyDefinition, right: AnyDefinition) -> None:
    """A definition and its successor."""
    left, right = _as_enum(left), _as_enum(right)
    users = book.users(left.name, right.name)
    only = book.pairs.only_variant(left, right)
    if isinstance(left, Record) and isinstance(right, Record):
        compare_closed(book, left, right, users)
        compare_records(book, left, right)
    elif isinstance(left, Union) and isinstance(right, Union):
        compare_unions(book, left, right, users)
    elif isinstance(left, Enum) and isinstance(right, Enum):
        _enums(book, left, right, users)
    elif isinstance(left, Alias) and isinstance(right, Alias):
        _aliases(book, left, right, users)
    elif only is not None:
        compare_only_variant(book, left, right, users)
        compare_closed(book, *only, users)
        compare_records(book, *only)
    else:
        detail = turn(kind_of(book.old, left.name), kind_of(book.new, right.name))
        book.add("type.kind", *spots(book, left, right), users, detail=detail)


def _as_enum(item: AnyDefinition) -> AnyDefinition:
    """An alias of constants is an enum, however it is written."""
    if not isinstance(item, Alias) or not isinstance(item.type, LiteralType):
        return item
    values = [value for value in item.type.values if not isinstance(value, bool)]
    kinds = {type(value) for value in values}
    if len(values) < len(item.type.values) or len(kinds) != 1:
        return item
    kind: Literal["string", "integer"] = "string" if kinds == {str} else "integer"
    named = tuple(EnumValue(value) for value in values)
    return Enum(item.name, item.wire, item.pointer, values=named, kind=kind)


def _enums(book: Book, left: Enum, right: Enum, users: Users) -> None:
    olds = {item.value for item in left.values}
    news = {item.value for item in right.values}
    ends = spots(book, left, right)
    area = "error" if olds != news and _are_codes(book, left, right) else "value"
    for value in [item.value for item in left.values if item.value not in news]:
        name = str(value) if area == "error" else f"{ends[0].name}:{value}"
        old = book.old.here(book.old.value_pointer(left.pointer, value), name)
        detail: dict[str, Json] = {"value": value, "open": left.open}
        gone = book.new.missing(right.pointer)
        who = _answer(book.old, value, users) if area == "error" else users
        book.add(f"{area}.removed", old, gone, who, detail=detail)
    for value in [item.value for item in right.values if item.value not in olds]:
        name = str(value) if area == "error" else f"{ends[1].name}:{value}"
        new = book.new.here(book.new.value_pointer(right.pointer, value), name)
        detail = {"value": value, "open": right.open}
        gone = book.old.missing(left.pointer)
        who = _answer(book.new, value, users) if area == "error" else users
        book.add(f"{area}.added", gone, new, who, detail=detail)
    if left.open != right.open:
        action = "type.open" if right.open else "type.close"
        book.add(action, *ends, users, detail={"kind": "enum"})
    if left.kind != right.kind:
        book.add("type.changed", *ends, users, detail=turn(left.kind, right.kind))


def _answer(side: Surface, code: str | int, users: Users) -> Users:
    """Who answers a code, and to which methods, where the method table says that; else whoever writes errors."""
    rows = [row for row in side.spec.table.rows if code in row.errors]
    if not rows:
        return users
    return frozenset[Peer]().union(*map(answerers, rows)), frozenset(row.method for row in rows)


def _are_codes(book: Book, left: Enum, right: Enum) -> bool:
    """The values are codes of errors, on both sides."""
    return left.name in error_codes(book.old) and right.name in error_codes(book.new)


def _aliases(book: Book, left: Alias, right: Alias, users: Users) -> None:
    ends = spots(book, left, right)
    if not book.same.same(left.type, right.type):
        detail = turn(words(book.old, left.type), words(book.new, right.type))
        book.add("type.changed", *ends, users, detail=detail)
        return
    schemas = (book.old.at(ends[0].pointer), book.new.at(ends[1].pointer))
    bounds = book.same.bounds(*schemas)
    if bounds:
        book.add("type.changed", *ends, users, detail=bounds_detail(bounds))
