"""What differs between the properties of two records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from acpgen.diff.change import Spot
from acpgen.diff.changes.book import Book, Users, spots, turn
from acpgen.diff.changes.defaults import default_turn, text_of
from acpgen.diff.pairing.sameness import words
from acpgen.diff.pairing.surface import Surface, raw_of
from acpgen.spec.ir import (
    Alias,
    AnyType,
    ArrayType,
    Field,
    Json,
    LiteralType,
    OptionsType,
    Record,
    RefType,
    Scalar,
    Type,
    Union,
)

_DEEP = 8  # aliases and unions that a null may hide behind


def compare_records(book: Book, left: Record, right: Record) -> None:
    """The fields of a record and its successor."""
    users = book.users(left.name, right.name)
    for before, after, evidence in book.pairs.fields(left, right):
        if before is not None and after is not None:
            compare_fields(book, left, before, right, after, evidence, users)
        elif before is not None:
            if before.pointer not in book.capabilities.pointers[0]:
                book.add(
                    "field.removed",
                    _own_spot(book.old, left, before, book.new),
                    _absent(book.new, right, book.old, left, before),
                    users,
                    detail=_about(book.old, left, before),
                )
        elif after is not None and after.pointer not in book.capabilities.pointers[1]:
            book.add(
                "field.added",
                _absent(book.old, left, book.new, right, after),
                _own_spot(book.new, right, after, book.old),
                users,
                detail=_about(book.new, right, after),
            )


def compare_closed(book: Book, left: Record, right: Record, users: Users) -> None:
    """Whether other properties are allowed."""
    if left.closed != right.closed:
        action = "type.closed" if right.closed else "type.opened"
        book.add(action, *spots(book, left, right), users)


def compare_moves(book: Book) -> None:
    """The fields that went to another record."""
    for move in book.pairs.moves:
        users = book.users(move.old_record.name, move.new_record.name)
        paired = book.pairs.types.get(move.old_record.name) == move.new_record.name
        book.add(
            "field.renamed" if paired else "field.moved",
            field_spot(book.old, move.old_record, move.old),
            field_spot(book.new, move.new_record, move.new),
            users,
            evidence=move.evidence,
        )
        _facets(book, move.old_record, move.old, move.new_record, move.new, users)


def compare_fields(
    book: Book,
    left: Record,
    before: Field,
    right: Record,
    after: Field,
    evidence: str,
    users: Users,
) -> None:
    """A field and its successor."""
    if before.wire != after.wire:
        book.add(
            "field.renamed",
            field_spot(book.old, left, before),
            field_spot(book.new, right, after),
            users,
            evidence=evidence,
        )
    _facets(book, left, before, right, after, users)


def field_spot(side: Surface, record: Record, item: Field) -> Spot:
    """Where a field stands. One that is only named in `required` stands there."""
    name = side.field_name(record, item)
    if not item.pointer:
        return side.here(f"{record.pointer}/required", name)
    return side.here(item.pointer, name)


def _own_spot(side: Surface, record: Record, item: Field, other: Surface) -> Spot:
    """Where a field stands that the other side's record lacks. Where the definition that states it is the same on that
    side, it is the variant that has it now, not the definition.
    """
    spot = field_spot(side, record, item)
    if other.at(spot.pointer) is not None and (above := side.variant_label(record.name)):
        return replace(spot, name=f"{above}.{item.wire}")
    return spot


def _absent(side: Surface, record: Record, other: Surface, owner: Record, item: Field) -> Spot:
    """The object schema of this side that would state a field of the other side's record."""
    key = other.owner_pointer(owner, item)
    steps = key.split("/")
    if len(steps) == 3 and item.pointer:
        found = side.contract["$defs"].get(steps[2].replace("~1", "/").replace("~0", "~"))
        if isinstance(found, Mapping) and item.wire not in found.get("properties", {}):
            return side.missing(key)
    return side.missing(record.pointer)


def _about(side: Surface, record: Record, item: Field) -> dict[str, Json]:
    return {
        "required": item.required,
        "nullable": takes_null(side, item),
        "presence": item.presence,
        "closed": record.closed,
        "type": words(side, item.type, item.nullable),
    }


def _same_text(book: Book, before: Field, after: Field) -> bool:
    """The schemas of two properties are equal, word for word."""
    if not before.pointer or not after.pointer:
        return False
    was, now = raw_of(book.old, before), raw_of(book.new, after)
    return was == now and text_of(was.get("default")) == text_of(now.get("default"))


def _facets(
    book: Book, left: Record, before: Field, right: Record, after: Field, users: Users
) -> None:
    """Everything about a field but its name."""
    if before.presence == after.presence and _same_text(book, before, after):
        return  # what the schema refers to is compared on its own
    old, new = field_spot(book.old, left, before), field_spot(book.new, right, after)
    caps = book.capabilities.pointers
    one, other = caps[0].get(before.pointer), caps[1].get(after.pointer)
    counted = one is not None and other is not None and one.kind != other.kind
    default = default_turn(book, before, after)
    extra: dict[str, Json] = {"default": default} if default else {}
    said = counted
    nulls = takes_null(book.old, before), takes_null(book.new, after)
    nullable = nulls[0] != nulls[1] and not counted and not _any_and_other(before, after)
    if before.required != after.required:
        detail: dict[str, Json] = dict(extra)
        if "patch" in (before.presence, after.presence):
            detail["presence"] = turn(before.presence, after.presence)
        if nullable and nulls[1] != after.required:
            detail["nullable"] = turn(*nulls)
            nullable = False
        action = "field.required" if after.required else "field.optional"
        book.add(action, old, new, users, detail=detail)
        said = True
    elif before.presence != after.presence:
        detail = {**turn(before.presence, after.presence), **extra}
        book.add("field.presence", old, new, users, detail=detail)
        said = True
    if nullable:
        action = "field.nullable" if nulls[1] else "field.non_nullable"
        book.add(action, old, new, users, detail=extra)
        said = True
    if not counted:
        said |= _type(book, before, after, old, new, users, extra)
    if default and not said:
        book.add("field.default", old, new, users, detail=default)
    if before.tolerance != after.tolerance:
        detail = turn(_tolerance(before), _tolerance(after))
        book.add("field.tolerance", old, new, users, detail=detail)


def takes_null(side: Surface, item: Field) -> bool:
    """Null is a valid value, whether the property says so or its type."""
    return item.nullable or _has_null(side, item.type, 0)


def _has_null(side: Surface, kind: Type, depth: int) -> bool:
    if isinstance(kind, OptionsType):
        return any(_has_null(side, one, depth) for one in kind.options)
    if isinstance(kind, Scalar):
        return kind.kind == "null"
    target = side.get(kind.name) if isinstance(kind, RefType) and depth < _DEEP else None
    if isinstance(target, Alias):
        return _has_null(side, target.type, depth + 1)
    if isinstance(target, Union):
        return any(_has_null(side, one.type, depth + 1) for one in target.variants)
    return isinstance(kind, AnyType)


def _any_and_other(before: Field, after: Field) -> bool:
    """One side takes anything: what the other takes, null or not, is a matter of its type."""
    return isinstance(before.type, AnyType) != isinstance(after.type, AnyType)


def _type(
    book: Book,
    before: Field,
    after: Field,
    old: Spot,
    new: Spot,
    users: Users,
    extra: Mapping[str, Json],
) -> bool:
    """The type, its constants and its bounds. True where the type itself is another one."""
    if not book.same.same(before.type, after.type):
        if _values(book, before, after, old, new, users):
            return False
        was = words(book.old, before.type, before.nullable)
        now = words(book.new, after.type, after.nullable)
        book.add("field.type", old, new, users, detail={**turn(was, now), **extra})
        return True
    bounds = book.same.bounds(raw_of(book.old, before), raw_of(book.new, after))
    if bounds:
        book.add("field.bounds", old, new, users, detail=bounds_detail(bounds))
    return False


def bounds_detail(bounds: Mapping[str, Mapping[str, Json]]) -> dict[str, Json]:
    """The changed keywords, by name and in words."""
    return {
        **turn(_in_words(bounds, "was"), _in_words(bounds, "now")),
        "bounds": {key: dict(item) for key, item in bounds.items()},
    }


def _in_words(bounds: Mapping[str, Mapping[str, Json]], side: str) -> str:
    found = [f"{key} {item[side]}" for key, item in bounds.items() if item[side] is not None]
    return ", ".join(found) or "unbounded"


def _values(book: Book, before: Field, after: Field, old: Spot, new: Spot, users: Users) -> bool:
    """The constants of an inline enumeration that came and went."""
    found = _constants(before.type), _constants(after.type)
    if found[0] is None or found[1] is None or _kinds(found[0]) != _kinds(found[1]):
        return False
    if set(map(_typed, found[0])).isdisjoint(map(_typed, found[1])):
        return False
    for value in found[0]:
        if _typed(value) not in set(map(_typed, found[1])):
            spot = book.old.here(
                book.old.value_pointer(before.pointer, value), f"{old.name}:{value}"
            )
            gone = Spot(new.pointer, False)
            book.add("value.removed", spot, gone, users, detail={"value": value, "open": False})
    for value in found[1]:
        if _typed(value) not in set(map(_typed, found[0])):
            spot = book.new.here(
                book.new.value_pointer(after.pointer, value), f"{new.name}:{value}"
            )
            gone = Spot(old.pointer, False)
            book.add("value.added", gone, spot, users, detail={"value": value, "open": False})
    return True


def _constants(kind: Type) -> tuple[str | int | bool, ...] | None:
    if isinstance(kind, ArrayType):
        return _constants(kind.items)
    return kind.values if isinstance(kind, LiteralType) else None


def _kinds(values: tuple[str | int | bool, ...]) -> set[str]:
    return {type(value).__name__ for value in values}


def _typed(value: str | int | bool) -> tuple[str, str | int | bool]:
    return type(value).__name__, value


def _tolerance(item: Field) -> dict[str, Json]:
    found = item.tolerance
    return {
        "on_error": found.on_error,
        "skip_items": found.skip_items,
        "on_null": found.on_null,
    }
