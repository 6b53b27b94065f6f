"""What differs between the capabilities that the two sides advertise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from acpgen.diff.change import Peer, Spot
from acpgen.diff.changes.book import Book, Users
from acpgen.diff.pairing.advertised import Capability, Path
from acpgen.diff.pairing.surface import Surface
from acpgen.runtime.expressions import parse as parse_expression
from acpgen.spec.ir import Json, Record, RefType


def compare_capabilities(book: Book) -> None:
    """Paths that came, went, moved, count differently, or went into another one."""
    found = book.capabilities
    uses = _uses(book.old), _uses(book.new)

    def users(before: Capability | None, after: Capability | None) -> Users:
        one = before or after
        assert one is not None
        peers: frozenset[Peer] = frozenset(("agent",) if one.side == "agent" else ("client",))
        left = uses[0].get(before.key, frozenset()) if before is not None else frozenset()
        right = uses[1].get(after.key, frozenset()) if after is not None else frozenset()
        return peers, left | right

    split_from = {path for path, _ in found.split.items()}
    for path, one in found.old.items():
        if path in found.moved:
            after, evidence = found.moved[path]
            other = found.new[after]
            detail = _detail(one, other)
            spots = _spot(book.old, one), _spot(book.new, other)
            if one.path != other.path:
                book.add(
                    "capability.moved", *spots, users(one, other), evidence=evidence, detail=detail
                )
            elif one.kind != other.kind:
                book.add("capability.kind", *spots, users(one, other), detail=detail)
        elif path in found.absorbed:
            after, evidence = found.absorbed[path]
            other = found.new[after]
            spots = _spot(book.old, one), _spot(book.new, other)
            who = users(one, None)
            detail = _detail(one, other)
            book.add("capability.absorbed", *spots, who, evidence=evidence, detail=detail)
        else:
            gone = _container(book.new, found.new, {k: v for k, (v, _) in found.moved.items()}, one)
            detail = _detail(one, None)
            book.add(
                "capability.removed", _spot(book.old, one), gone, users(one, None), detail=detail
            )
    for path, other in found.new.items():
        if path in found.back:
            continue
        if path in split_from:
            before, evidence = found.split[path]
            one = found.old[before]
            spots = _spot(book.old, one), _spot(book.new, other)
            detail = _detail(one, other)
            book.add(
                "capability.split", *spots, users(None, other), evidence=evidence, detail=detail
            )
        else:
            gone = _container(book.old, found.old, found.back, other)
            detail = _detail(None, other)
            book.add(
                "capability.added", gone, _spot(book.new, other), users(None, other), detail=detail
            )


def _detail(one: Capability | None, other: Capability | None) -> dict[str, Json]:
    side = one or other
    assert side is not None
    return {
        "side": side.side,
        "was": one.path if one is not None else None,
        "now": other.path if other is not None else None,
        "was_kind": one.kind if one is not None else None,
        "now_kind": other.kind if other is not None else None,
    }


def _spot(side: Surface, one: Capability) -> Spot:
    return side.here(one.item.pointer, one.name)


def _container(
    side: Surface, there: Mapping[Path, Capability], known: Mapping[Path, Path], one: Capability
) -> Spot:
    """The object of this side that would hold the capability: the successor of what holds it, else the whole."""
    above = one.path.rpartition(".")[0]
    while above:
        found = known.get((one.side, above))
        if found is not None and found in there:
            kind = there[found].item.type
            item = side.get(kind.name) if isinstance(kind, RefType) else None
            if isinstance(item, Record):
                return side.missing(item.pointer)
        above = above.rpartition(".")[0]
    root = next(
        (item for item in there.values() if item.side == one.side and "." not in item.path), None
    )
    return side.missing(root.record.pointer) if root is not None else side.missing("")


def _uses(side: Surface) -> dict[Path, frozenset[str]]:
    """The methods and updates whose gates ask for a capability."""
    found: dict[Path, set[str]] = {}
    for name, text in _gates(side):
        for leaf in parse_expression(text).leaves():
            if leaf.op == "capability":
                found.setdefault((leaf.side, ".".join(leaf.path)), set()).add(name)
    return {path: frozenset(names) for path, names in found.items()}


def _gates(side: Surface) -> Iterator[tuple[str, str]]:
    table = side.spec.table
    for row in table.rows:
        texts = [row.requires, *(item.requires for item in (*row.checks, *row.result_checks))]
        yield from ((row.method, text) for text in texts if text)
    for update in table.updates:
        texts = [update.requires, *(item.requires for item in update.checks)]
        yield from ((update.kind, text) for text in texts if text)
