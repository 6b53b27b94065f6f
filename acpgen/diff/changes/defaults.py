"""What an absent property means, by the types of its default: two ways to write one value are one."""

from __future__ import annotations

import json
from typing import Any

from acpgen.diff.changes.book import Book
from acpgen.diff.pairing.surface import Surface, raw_of
from acpgen.spec.ir import (
    NO_DEFAULT,
    Alias,
    ArrayType,
    Field,
    Json,
    MapType,
    NoDefault,
    Record,
    RefType,
    Type,
)

_DEEP = 16  # a default that holds itself


def default_turn(book: Book, before: Field, after: Field) -> dict[str, Json] | None:
    """The defaults that the schemas state, {was, now}, where they differ in what an absent value means. The default of a
    property inside is compared on its own.
    """
    was, now = raw_of(book.old, before), raw_of(book.new, after)
    stated = "default" in was, "default" in now
    if stated[0] == stated[1] and text_of(was.get("default")) == text_of(now.get("default")):
        return None
    if before.required == after.required and _same(book, before, after):
        return None
    return {
        **({"was": was["default"]} if "default" in was else {}),
        **({"now": now["default"]} if "default" in now else {}),
    }


def _same(book: Book, before: Field, after: Field) -> bool:
    one, other = before.default, after.default
    if isinstance(one, NoDefault) or isinstance(other, NoDefault):
        return one is other
    return text_of(least(book.old, before.type, one)) == text_of(least(book.new, after.type, other))


def least(side: Surface, kind: Type, value: Any, depth: int = 0) -> Any:
    """A value without the properties that say what their absence says."""
    target = side.get(kind.name) if isinstance(kind, RefType) else None
    if isinstance(target, Alias) and depth <= _DEEP:
        return least(side, target.type, value, depth + 1)
    if depth > _DEEP:
        return value
    if isinstance(kind, ArrayType) and isinstance(value, list):
        return [least(side, kind.items, item, depth + 1) for item in value]
    if isinstance(value, dict):
        if isinstance(kind, MapType):
            return {key: least(side, kind.values, item, depth + 1) for key, item in value.items()}
        if isinstance(target, Record):
            return _record(side, target, value, depth)
    return value


def _record(side: Surface, record: Record, value: dict[str, Any], depth: int) -> dict[str, Any]:
    found = dict(value)
    for item in side.spec.fields(record):
        if item.wire not in found or item.required:
            continue
        inner = found[item.wire] = least(side, item.type, found[item.wire], depth + 1)
        if item.default is not NO_DEFAULT:
            absent = least(side, item.type, item.default, depth + 1)
            if text_of(inner) == text_of(absent):
                del found[item.wire]
    return found


def text_of(value: Any) -> str:
    """A value as text: 0 and false are two."""
    return "null" if value is None else json.dumps(value, sort_keys=True)
