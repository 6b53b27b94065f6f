"""What differs between the envelopes of JSON-RPC themselves: whether the id of a response may be null.

The definitions that an envelope refers to are compared as types; this is about a branch that states its own id.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from acpgen.diff.change import Peer
from acpgen.diff.changes.book import Book
from acpgen.diff.pairing.direction import answerers
from acpgen.diff.pairing.envelopes import refs_in
from acpgen.diff.pairing.schemas import CHOICES, pointer_to
from acpgen.diff.pairing.surface import Surface
from acpgen.spec.shapes import bare_ref, ref_name

_ID = "id"


def compare_envelopes(book: Book) -> None:
    """The ids that both sides' envelopes state."""
    olds, news = dict(_ids(book.old)), dict(_ids(book.new))
    for name in (name for name in olds if name in news):
        (left, one), (right, other) = olds[name], news[name]
        refs = bare_ref(one), bare_ref(other)
        if refs[0] is not None and refs[0] == refs[1]:
            continue  # said of the definition
        nulls = _takes_null(book.old, one), _takes_null(book.new, other)
        if nulls[0] != nulls[1]:
            key = name.partition(":")[0]
            writers = _writers(book.old, key) | _writers(book.new, key)
            action = "field.nullable" if nulls[1] else "field.non_nullable"
            spots = book.old.here(left, f"{name}.{_ID}"), book.new.here(right, f"{name}.{_ID}")
            book.add(action, *spots, (writers, frozenset()))


def _ids(side: Surface) -> Iterator[tuple[str, tuple[str, Any]]]:
    """Of each envelope, or each titled branch of it, that states an id: its name, where the id stands, its schema."""
    for key in side.spec.envelopes:
        schema = side.defs.get(key)
        if not isinstance(schema, Mapping):
            continue
        places: list[tuple[str, tuple[str, ...], Any]] = [(key, (), schema)]
        for word in CHOICES:
            places += [
                (f"{key}:{branch['title']}", (word, str(index)), branch)
                for index, branch in enumerate(schema.get(word, ()))
                if isinstance(branch, Mapping) and "title" in branch
            ]
        for name, steps, branch in places:
            if _ID in branch.get("properties", {}):
                pointer = pointer_to("$defs", key, *steps, "properties", _ID)
                yield name, (pointer, branch["properties"][_ID])


def _writers(side: Surface, key: str) -> frozenset[Peer]:
    """Who writes the responses that an envelope holds."""
    held = {side.spec.wire_types.get(inner) for inner in refs_in(side.defs.get(key))}
    rows = [row for row in side.spec.table.rows if row.result in held and row.side != "proxy"]
    return frozenset(peer for row in rows if row.result for peer in answerers(row))


def _takes_null(side: Surface, schema: Any, depth: int = 0) -> bool:
    """Null is a value of a schema, through what it refers to."""
    if not isinstance(schema, Mapping) or depth > 16:
        return schema is True
    if isinstance(ref := schema.get("$ref"), str) and not _takes_null(
        side, side.defs.get(ref_name(ref)), depth + 1
    ):
        return False
    kind = schema.get("type")
    if kind is not None and "null" not in (kind if isinstance(kind, list) else [kind]):
        return False
    if not all(_takes_null(side, item, depth + 1) for item in schema.get("allOf", ())):
        return False
    return all(
        any(_takes_null(side, item, depth + 1) for item in schema[word])
        for word in ("anyOf", "oneOf")
        if word in schema
    )
