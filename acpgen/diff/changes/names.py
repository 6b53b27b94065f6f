"""Which named types came and went, and which go by another name."""

from __future__ import annotations

from collections.abc import Mapping

from acpgen.diff.change import Spot
from acpgen.diff.changes.book import Book, Users
from acpgen.diff.pairing.sameness import words
from acpgen.diff.pairing.schemas import pointer_to
from acpgen.diff.pairing.surface import Surface
from acpgen.spec.ir import Alias, Json
from acpgen.spec.names import ClassName


def compare_names(book: Book) -> None:
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
    moved = _inlined(book, olds, news)
    for key, names in olds.items():
        if key not in news and key not in renamed and key not in moved[0]:
            old = book.old.here(pointer_to("$defs", key), key)
            detail = _about(book.old, names[0])
            users = _users(book, names, ())
            book.add("type.removed", old, Spot("/$defs", False), users, detail=detail)
    for key, names in news.items():
        if key not in olds and key not in renamed.values() and key not in moved[1]:
            new = book.new.here(pointer_to("$defs", key), key)
            detail = _about(book.new, names[0])
            users = _users(book, (), names)
            book.add("type.added", Spot("/$defs", False), new, users, detail=detail)


def _inlined(
    book: Book, olds: Mapping[str, object], news: Mapping[str, object]
) -> tuple[set[str], set[str]]:
    """Definitions whose successor stands at its place of use, and those that came of such: they go by the place."""
    found: tuple[set[str], set[str]] = set(), set()
    for before, after in book.pairs.types.items():
        key, other = book.old.keys.get(before), book.new.keys.get(after)
        gone = key is not None and other is None and key not in news
        come = other is not None and key is None and other not in olds
        evidence = book.pairs.evidence.get(before, "")
        if (gone or come) and evidence:
            users = book.users(before, after)
            ends = [
                side.here(pointer_to("$defs", name), name) if name else side.spot(side[item])
                for side, item, name in ((book.old, before, key), (book.new, after, other))
            ]
            book.add("type.renamed", ends[0], ends[1], users, evidence=evidence)
            if key is not None:
                found[0].add(key)
            elif other is not None:
                found[1].add(other)
    return found


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
