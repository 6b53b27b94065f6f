"""What differs between named types: which there are, what they are, their variants and values."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from acpgen.diff.change import Spot
from acpgen.diff.changes.book import Book, turn
from acpgen.diff.changes.fields import Users, bounds_detail, compare_records
from acpgen.diff.pairing.pairs import default_variant
from acpgen.diff.pairing.sameness import words
from acpgen.diff.pairing.surface import Surface, pointer_to
from acpgen.spec.ir import (
    Alias,
    AnyDefinition,
    Enum,
    EnumValue,
    Json,
    LiteralType,
    Record,
    RefType,
    Union,
    Variant,
)
from acpgen.spec.names import ClassName

_ERROR_CODES = "ErrorCode"


def compare_types(book: Book) -> None:
    """Every definition of both surfaces."""
    _keys(book)
    for before, after in book.pairs.types.items():
        compare_definitions(book, book.old[before], book.new[after])


def _keys(book: Book) -> None:
    """The `$defs` keys that came, went, or were renamed."""
    olds = {**book.old.spec.merged, **{k: (v,) for k, v in book.old.spec.wire_types.items()}}
    news = {**book.new.spec.merged, **{k: (v,) for k, v in book.new.spec.wire_types.items()}}
    renamed = {
        key: other
        for before, after in book.pairs.types.items()
        if (key := book.old.keys.get(before)) is not None
        and (other := book.new.keys.get(after)) is not None
        and key not in news
        and other not in olds
    }
    for key, other in renamed.items():
        before, after = book.old.holders[key], book.new.holders[other]
        book.add(
            "type.renamed",
            book.old.here(pointer_to("$defs", key), key),
            book.new.here(pointer_to("$defs", other), other),
            book.users(before, after),
            evidence=book.pairs.evidence.get(before, ""),
        )
    for key, names in olds.items():
        if key not in news and key not in renamed:
            old = book.old.here(pointer_to("$defs", key), key)
            detail = _about(book.old, names[0])
            users = _users(book, names, ())
            book.add("type.removed", old, Spot("/$defs", False), users, detail=detail)
    for key, names in news.items():
        if key not in olds and key not in renamed.values():
            new = book.new.here(pointer_to("$defs", key), key)
            detail = _about(book.new, names[0])
            users = _users(book, (), names)
            book.add("type.added", Spot("/$defs", False), new, users, detail=detail)


def _users(book: Book, olds: tuple[ClassName, ...], news: tuple[ClassName, ...]) -> Users:
    found = [book.users(name, None) for name in olds] + [book.users(None, name) for name in news]
    return (
        frozenset(peer for item in found for peer in item[0]),
        frozenset(use for item in found for use in item[1]),
    )


def _about(side: Surface, name: ClassName) -> dict[str, Json]:
    found: dict[str, Json] = {"kind": kind_of(side, name)}
    item = side[name]
    if isinstance(item, Alias):
        found["stands_for"] = words(side, item.type)
    return found


def kind_of(side: Surface, name: ClassName) -> str:
    """record, union, enum or alias."""
    return type(side[name]).__name__.lower()


def compare_definitions(book: Book, left: AnyDefinition, right: AnyDefinition) -> None:
    """A definition and its successor."""
    left, right = _as_enum(left), _as_enum(right)
    users = book.users(left.name, right.name)
    only = book.pairs.only_variant(left, right)
    if isinstance(left, Record) and isinstance(right, Record):
        compare_closed(book, left, right, users)
        compare_records(book, left, right)
    elif isinstance(left, Union) and isinstance(right, Union):
        _unions(book, left, right, users)
    elif isinstance(left, Enum) and isinstance(right, Enum):
        _enums(book, left, right, users)
    elif isinstance(left, Alias) and isinstance(right, Alias):
        _aliases(book, left, right, users)
    elif only is not None:
        _only_variant(book, left, right, users)
        compare_closed(book, *only, users)
        compare_records(book, *only)
    else:
        detail = turn(kind_of(book.old, left.name), kind_of(book.new, right.name))
        book.add("type.kind", *_spots(book, left, right), users, detail=detail)


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


def _spots(book: Book, left: AnyDefinition, right: AnyDefinition) -> tuple[Spot, Spot]:
    return (
        book.old.here(left.pointer, book.old.label(left.name)),
        book.new.here(right.pointer, book.new.label(right.name)),
    )


def compare_closed(book: Book, left: Record, right: Record, users: Users) -> None:
    """Whether other properties are allowed."""
    if left.closed != right.closed:
        action = "type.closed" if right.closed else "type.opened"
        book.add(action, *_spots(book, left, right), users)


# Unions


def _unions(book: Book, left: Union, right: Union, users: Users) -> None:
    tagged = False
    for before, after, evidence in book.pairs.variants(left, right):
        if before is not None and after is not None:
            tagged |= _variants(book, left, before, right, after, evidence, users)
        elif before is not None:
            _variant_removed(book, left, before, right, users)
        elif after is not None:
            _variant_added(book, left, right, after, users)
    spots = _spots(book, left, right)
    if left.tag != right.tag and not tagged:
        book.add("type.tag", *spots, users, detail=turn(left.tag, right.tag))
    was_open, now_open = book.old.is_open(left), book.new.is_open(right)
    if was_open != now_open:
        book.add("type.open" if now_open else "type.close", *spots, users, detail={"kind": "union"})
    if left.exclusive != right.exclusive and left.tag == right.tag:
        choices = (
            book.old.here(book.old.choice_pointer(left), spots[0].name),
            book.new.here(book.new.choice_pointer(right), spots[1].name),
        )
        detail = turn(*(_exactness(item) for item in (left, right)))
        detail["keyword"] = turn(
            *("oneOf" if item.exclusive else "anyOf" for item in (left, right))
        )
        book.add("type.changed", *choices, users, detail=detail)
    if was_open and now_open:
        _catch_alls(book, left.catch_all, right.catch_all)


def _exactness(union: Union) -> str:
    return f"{'exactly' if union.exclusive else 'at least'} one of its variants"


def _catch_alls(book: Book, before: ClassName | None, after: ClassName | None) -> None:
    """The records for unknown tags, where no pair of types does it."""
    left, right = book.old.get(before), book.new.get(after)
    if left is None or right is None or book.pairs.types.get(left.name) == right.name:
        return
    if type(left) is type(right):
        compare_definitions(book, left, right)


def _variants(
    book: Book,
    left: Union,
    before: Variant,
    right: Union,
    after: Variant,
    evidence: str,
    users: Users,
) -> bool:
    """A variant and its successor. True where the tag came or went."""
    old, new = _variant_spot(book.old, left, before), _variant_spot(book.new, right, after)
    detail: dict[str, Json] = {"open": book.new.is_open(right), "tag": right.tag or left.tag}
    users = _variant_users(book, left, before, right, after) or users
    if before.tag is not None and after.tag is not None and before.tag != after.tag:
        detail |= turn(before.tag, after.tag)
        book.add("variant.renamed", old, new, users, evidence=evidence, detail=detail)
    tagged = (before.tag is None) != (after.tag is None)
    said = _says_tag(book.old, before, right.tag, after.tag) or _says_tag(
        book.new, after, left.tag, before.tag
    )
    if tagged and not said:
        action = "variant.tag_required" if after.tag is not None else "variant.tag_optional"
        detail |= {"value": after.tag or before.tag}
        book.add(action, old, new, users, evidence=evidence, detail=detail)
    if not _same_variant(book, before, after):
        detail |= turn(words(book.old, before.type), words(book.new, after.type))
        book.add("variant.type", old, new, users, evidence=evidence, detail=detail)
    elif not isinstance(before.type, RefType) or not isinstance(after.type, RefType):
        schemas = book.old.at(old.pointer), book.new.at(new.pointer)
        bounds = book.same.bounds(*schemas)
        if bounds:
            detail |= bounds_detail(bounds)
            book.add("variant.type", old, new, users, evidence=evidence, detail=detail)
    return tagged


def _says_tag(side: Surface, variant: Variant, tag: str | None, value: str | None) -> bool:
    """A variant without a tag whose record requires that property with that one value: it has the tag all the same."""
    record = side.get(variant.type.name) if isinstance(variant.type, RefType) else None
    if variant.tag is not None or value is None or not isinstance(record, Record):
        return False
    item = next((one for one in side.spec.fields(record) if one.wire == tag), None)
    if item is None or not item.required:
        return False
    kind = side.get(item.type.name) if isinstance(item.type, RefType) else item.type
    if isinstance(kind, Enum):
        return not kind.open and [one.value for one in kind.values] == [value]
    return isinstance(kind, LiteralType) and kind.values == (value,)


def _same_variant(book: Book, before: Variant, after: Variant) -> bool:
    """The payloads are one type, or are compared as records whatever they are called."""
    if book.same.same(before.type, after.type):
        return True
    one = book.old.get(before.type.name) if isinstance(before.type, RefType) else None
    other = book.new.get(after.type.name) if isinstance(after.type, RefType) else None
    if isinstance(one, Record) and isinstance(other, Record):
        compare_closed(book, one, other, book.users(one.name, other.name))
        compare_records(book, one, other)
        return True
    if isinstance(one, Union) and isinstance(other, Union):
        _unions(book, one, other, book.users(one.name, other.name))
        return True
    return False


def _variant_users(
    book: Book,
    left: AnyDefinition,
    before: Variant | None,
    right: AnyDefinition,
    after: Variant | None,
) -> Users | None:
    """Writers and uses of the variant's own record, which may be fewer than those of the union."""
    ends = []
    for variant in (before, after):
        kind = variant.type if variant is not None else None
        ends.append(kind.name if isinstance(kind, RefType) else None)
    found = book.users(ends[0], ends[1])
    if not found[0] and not found[1]:
        return None
    union = book.users(left.name, right.name)
    return found[0] & union[0] or found[0], found[1]


def _variant_spot(side: Surface, union: Union, variant: Variant) -> Spot:
    return side.here(side.branch_pointer(union, variant), side.variant_name(union, variant))


def _variant_removed(
    book: Book, left: Union, before: Variant, right: AnyDefinition, users: Users
) -> None:
    old = _variant_spot(book.old, left, before)
    new = book.new.missing(_container(book.new, right))
    detail = _about_variant(book.old, left, before)
    updates = book.old.spec.table.updates
    update = next((one for one in updates if _is_update(book.old, left, before, one.kind)), None)
    if update is not None and book.old.spec.version != book.new.spec.version:
        detail["replaced_by"] = list(update.replaced_by or ())
    detail["open"] = book.old.is_open(left)
    users = _variant_users(book, left, before, right, None) or users
    book.add("variant.removed", old, new, users, detail=detail)


def _variant_added(
    book: Book, left: AnyDefinition, right: Union, after: Variant, users: Users
) -> None:
    old = book.old.missing(_container(book.old, left))
    new = _variant_spot(book.new, right, after)
    detail = _about_variant(book.new, right, after)
    detail["open"] = book.new.is_open(right)
    users = _variant_users(book, left, None, right, after) or users
    book.add("variant.added", old, new, users, detail=detail)


def _container(side: Surface, item: AnyDefinition) -> str:
    """The schema that would state another variant."""
    return side.choice_pointer(item) if isinstance(item, Union) else item.pointer


def _is_update(side: Surface, union: Union, variant: Variant, kind: str) -> bool:
    update = next(item for item in side.spec.table.updates if item.kind == kind)
    same = isinstance(variant.type, RefType) and variant.type.name == update.type
    return variant.tag == kind and union.tag == side.spec.table.update_tag and same


def _about_variant(side: Surface, union: Union, variant: Variant) -> dict[str, Json]:
    return {"tag": union.tag, "value": variant.tag, "type": words(side, variant.type)}


def _only_variant(book: Book, left: AnyDefinition, right: AnyDefinition, users: Users) -> None:
    """A record that became a variant of the union that took its place, or the other way round."""
    spots = _spots(book, left, right)
    if isinstance(right, Union):
        side, union, actions = book.new, right, ("variant.tag_required", "type.open")
    else:
        assert isinstance(left, Union)
        side, union, actions = book.old, left, ("variant.tag_optional", "type.close")
    variant = default_variant(union)
    assert variant is not None
    if variant.tag is not None:
        there = _variant_spot(side, union, variant)
        record = spots[0] if isinstance(right, Union) else spots[1]
        named = replace(record, name=f"{record.name}:{variant.label}")
        ends = (named, there) if isinstance(right, Union) else (there, named)
        where = f"the only variant of {side.label(union.name)}"
        detail: dict[str, Json] = {
            "tag": union.tag,
            "value": variant.tag,
            "open": side.is_open(union),
            "from": "record",
        }
        book.add(actions[0], *ends, users, evidence=where, detail=detail)
    for other in union.variants:
        if other is not variant and isinstance(right, Union):
            _variant_added(book, left, right, other, users)
        elif other is not variant and isinstance(left, Union):
            _variant_removed(book, left, other, right, users)
    if side.is_open(union):
        book.add(actions[1], *spots, users, detail={"kind": "union"})


# Enums and aliases


def _enums(book: Book, left: Enum, right: Enum, users: Users) -> None:
    olds = {item.value for item in left.values}
    news = {item.value for item in right.values}
    spots = _spots(book, left, right)
    area = "error" if left.wire == right.wire == _ERROR_CODES else "value"
    for value in [item.value for item in left.values if item.value not in news]:
        name = str(value) if area == "error" else f"{spots[0].name}:{value}"
        old = book.old.here(book.old.value_pointer(left.pointer, value), name)
        detail: dict[str, Json] = {"value": value, "open": left.open}
        gone = book.new.missing(right.pointer)
        book.add(f"{area}.removed", old, gone, users, detail=detail)
    for value in [item.value for item in right.values if item.value not in olds]:
        name = str(value) if area == "error" else f"{spots[1].name}:{value}"
        new = book.new.here(book.new.value_pointer(right.pointer, value), name)
        detail = {"value": value, "open": right.open}
        gone = book.old.missing(left.pointer)
        book.add(f"{area}.added", gone, new, users, detail=detail)
    if left.open != right.open:
        action = "type.open" if right.open else "type.close"
        book.add(action, *spots, users, detail={"kind": "enum"})
    if left.kind != right.kind:
        book.add("type.changed", *spots, users, detail=turn(left.kind, right.kind))


def _aliases(book: Book, left: Alias, right: Alias, users: Users) -> None:
    spots = _spots(book, left, right)
    if not book.same.same(left.type, right.type):
        detail = turn(words(book.old, left.type), words(book.new, right.type))
        book.add("type.changed", *spots, users, detail=detail)
        return
    schemas = (book.old.at(spots[0].pointer), book.new.at(spots[1].pointer))
    bounds = book.same.bounds(*schemas)
    if bounds:
        book.add("type.changed", *spots, users, detail=bounds_detail(bounds))
