"""What differs between choices: their variants, the tag that tells them apart, and whether they take others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from acpgen.diff.change import Spot
from acpgen.diff.changes.book import Book, Users, spots, turn
from acpgen.diff.changes.fields import bounds_detail, compare_closed, compare_records
from acpgen.diff.pairing.pairs import default_variant
from acpgen.diff.pairing.sameness import words
from acpgen.diff.pairing.surface import Surface
from acpgen.spec.ir import AnyDefinition, Enum, Json, LiteralType, Record, RefType, Union, Variant
from acpgen.spec.names import ClassName
from acpgen.spec.shapes import ref_name


def compare_unions(book: Book, left: Union, right: Union, users: Users) -> None:
    tagged = False
    for before, after, evidence in book.pairs.variants(left, right):
        if before is not None and after is not None:
            tagged |= _variants(book, left, before, right, after, evidence, users)
        elif before is not None:
            _variant_removed(book, left, before, right, users)
        elif after is not None:
            _variant_added(book, left, right, after, users)
    ends = spots(book, left, right)
    if left.tag != right.tag and not tagged:
        book.add("type.tag", *ends, users, detail=turn(left.tag, right.tag))
    was_open, now_open = book.old.is_open(left), book.new.is_open(right)
    if was_open != now_open:
        book.add("type.open" if now_open else "type.close", *ends, users, detail={"kind": "union"})
    if left.exclusive != right.exclusive and left.tag == right.tag:
        choices = (
            book.old.here(book.old.choice_pointer(left), ends[0].name),
            book.new.here(book.new.choice_pointer(right), ends[1].name),
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
    _payloads(book, left, right)


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
    return one is not None and other is not None and _payloads(book, one, other)


def _payloads(book: Book, left: AnyDefinition, right: AnyDefinition) -> bool:
    """Compare two records or two unions. False where they are neither."""
    users = book.users(left.name, right.name)
    if isinstance(left, Record) and isinstance(right, Record):
        compare_closed(book, left, right, users)
        compare_records(book, left, right)
    elif isinstance(left, Union) and isinstance(right, Union):
        compare_unions(book, left, right, users)
    else:
        return False
    return True


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
    branch = side.at(side.pointer(side.branch_pointer(union, variant)))
    key = _payload(branch) if isinstance(variant.type, RefType) else None
    return {"tag": union.tag, "value": variant.tag, "type": key or words(side, variant.type)}


def _payload(branch: Any) -> str | None:
    """The definition that a branch of a choice refers to, beside its tag."""
    parts = [branch, *branch.get("allOf", ())] if isinstance(branch, Mapping) else []
    found = [
        ref_name(item["$ref"]) for item in parts if isinstance(item, Mapping) and "$ref" in item
    ]
    return found[0] if len(found) == 1 else None


def compare_only_variant(
    book: Book, left: AnyDefinition, right: AnyDefinition, users: Users
) -> None:
    """A record that became a variant of the union that took its place, or the other way round."""
    whole = spots(book, left, right)
    if isinstance(right, Union):
        side, union, actions = book.new, right, ("variant.tag_required", "type.open")
    else:
        assert isinstance(left, Union)
        side, union, actions = book.old, left, ("variant.tag_optional", "type.close")
    variant = default_variant(union)
    assert variant is not None
    if variant.tag is not None:
        there = _variant_spot(side, union, variant)
        record = whole[0] if isinstance(right, Union) else whole[1]
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
        book.add(actions[1], *whole, users, detail={"kind": "union"})
