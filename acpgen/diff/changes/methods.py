"""What differs between methods, their gates, the kinds of session/update and their semantics."""

from __future__ import annotations

from acpgen.diff.change import Spot
from acpgen.diff.changes.book import Book, Users, turn
from acpgen.diff.pairing.direction import answerers, senders
from acpgen.diff.pairing.gates import GatePair
from acpgen.diff.pairing.surface import Surface
from acpgen.runtime.table import Row, Update
from acpgen.spec.ir import ArrayType, Json, RefType, Scalar, Union
from acpgen.spec.names import ClassName
from acpgen.spec.pointers import forms, places


def compare_methods(book: Book) -> None:
    """Methods, gates, updates."""
    for before, after, evidence in book.pairs.methods:
        if before is not None and after is not None:
            _methods(book, before, after, evidence)
        elif before is not None:
            detail = {**_about(before), **_instead(book, before)}
            users = senders(before), frozenset((before.method,))
            book.add(
                "method.removed", _spot(book.old, before), Spot("", False), users, detail=detail
            )
        elif after is not None:
            users = senders(after), frozenset((after.method,))
            detail = _about(after)
            book.add("method.added", Spot("", False), _spot(book.new, after), users, detail=detail)
    for gate in book.gates:
        _gate(book, gate)
    _updates(book)


def _about(row: Row) -> dict[str, Json]:
    return {"side": row.side, "kind": row.kind, "gate": row.requires}


def _instead(book: Book, before: Row) -> dict[str, Json]:
    """What takes the place of a method that the new side lacks. Within one version only a retired one has a successor."""
    new = book.new.spec
    found = next(
        (
            one
            for one in new.table.elsewhere
            if (one.method, one.side) == (before.method, before.side)
        ),
        None,
    )
    if before.kind == "request" and found is not None:
        note = {"note": before.note} if before.note and new.version not in found.defined_by else {}
        return {"replaced_by": list(found.replaced_by), **note}
    if book.old.spec.version == new.version:
        return {}
    names = {row.method for row in new.table.rows}
    return {"replaced_by": [name for name in before.replaced_by or () if name in names]}


def _spot(side: Surface, row: Row) -> Spot:
    pointer = side.def_pointer(ClassName(row.params or row.result or "none"))
    shape: dict[str, Json] = {
        "method": row.method,
        "side": row.side,
        "kind": row.kind,
        "params": side.label(ClassName(row.params)) if row.params else None,
        "result": side.label(ClassName(row.result)) if row.result else None,
        "requires": row.requires,
    }
    return side.here(pointer, row.method, shape)


def _methods(book: Book, before: Row, after: Row, evidence: str) -> None:
    old, new = _spot(book.old, before), _spot(book.new, after)
    detail: dict[str, Json] = {"side": after.side, "kind": after.kind}
    users: Users = senders(before) | senders(after), frozenset((before.method, after.method))
    if before.method != after.method:
        book.add("method.renamed", old, new, users, evidence=evidence, detail=detail)
    if before.side != after.side:
        sides = {**detail, **turn(before.side, after.side)}
        book.add("method.moved", old, new, users, detail=sides)
    if before.kind != after.kind:
        kinds = {**detail, **turn(before.kind, after.kind)}
        book.add("method.kind", old, new, users, detail=kinds)
    if before.stability != after.stability:
        levels = {**detail, **turn(before.stability, after.stability)}
        book.add("method.stability", old, new, users, detail=levels)
    _message(book, "method.params", before, after, before.params, after.params, users)
    answers: Users = answerers(before) | answerers(after), users[1]
    _message(book, "method.result", before, after, before.result, after.result, answers)
    _errors(book, before, after, answers)


def _message(
    book: Book,
    kind: str,
    before: Row,
    after: Row,
    left: str | None,
    right: str | None,
    users: Users,
) -> None:
    """The type of the params or of the result, where it is not the successor of the old one."""
    one, other = book.old.get(left), book.new.get(right)
    if one is None or other is None:
        if one is other:
            return
    elif book.same.same(RefType(one.name), RefType(other.name)):
        return
    ends = [
        side.here(item.pointer, side.label(item.name)) if item is not None else _spot(side, row)
        for side, item, row in ((book.old, one, before), (book.new, other, after))
    ]
    detail: dict[str, Json] = {
        **turn(ends[0].name if one else None, ends[1].name if other else None),
        "side": after.side,
        "kind": after.kind,
    }
    book.add(kind, ends[0], ends[1], users, subject=before.method, detail=detail)


def _errors(book: Book, before: Row, after: Row, users: Users) -> None:
    detail: dict[str, Json] = {}
    if set(before.errors) != set(after.errors):
        detail["errors"] = turn([*sorted(before.errors)], [*sorted(after.errors)])
    if set(before.needs) != set(after.needs):
        detail["needs"] = turn(list(before.needs), list(after.needs))
    if before.error != after.error and before.requires and after.requires:
        detail["error"] = turn(before.error, after.error)
    if detail:
        detail |= {"side": after.side, "kind": after.kind}
        book.add(
            "method.errors", _spot(book.old, before), _spot(book.new, after), users, detail=detail
        )


# Gates


def _gate(book: Book, gate: GatePair) -> None:
    _check_error(book, gate)
    if _same_gate(book, gate):
        return
    whole = bool(gate.bare_was and gate.bare_now)
    was = (gate.was if whole else gate.bare_was) or gate.rule_was
    now = (gate.now if whole else gate.bare_now) or gate.rule_now
    detail: dict[str, Json] = {**turn(was, now), **_place(gate)}
    if gate.rule_was or gate.rule_now:
        detail["rule"] = gate.rule_now or gate.rule_was
    who, uses = _gate_users(gate)
    if isinstance(gate.new, Row):
        detail |= {"side": gate.new.side, "kind": gate.new.kind}
    action = "gate.added" if not was else "gate.removed" if not now else "gate.changed"
    old = _gate_spot(book.old, gate, gate.old, gate.old_type, was)
    new = _gate_spot(book.new, gate, gate.new, gate.new_type, now)
    book.add(action, old, new, (who, uses), subject=gate.subject, detail=detail)


def _place(gate: GatePair) -> dict[str, Json]:
    """Where in which message, and of which values."""
    when: dict[str, Json] = {"when": gate.when} if gate.when else {}
    return {"at": gate.at, "of": gate.of, **when}


def _same_gate(book: Book, gate: GatePair) -> bool:
    """Nothing changed but what is said elsewhere: of the capabilities, of the update, or of the schema."""
    if gate.rule_was != gate.rule_now:
        return _stated(book, gate)
    was, now = gate.bare_was, gate.bare_now
    if not was or not now:
        return was == now
    return book.capabilities.follows(was, now)


def _stated(book: Book, gate: GatePair) -> bool:
    """The rule that came or went is stated by a schema as well, so that the change is one of bounds, or none."""
    if (gate.rule_was or gate.rule_now) != "non_empty" or gate.when or gate.was or gate.now:
        return False
    ends = (book.old, gate.old_type), (book.new, gate.new_type)
    return any(_never_empty(side, message, gate.at) for side, message in ends)


def _never_empty(side: Surface, message: str | None, at: str) -> bool:
    """The schema of a place asks for one item or character at least."""
    if side.get(message) is None:
        return False
    found = places(side.spec.definitions, ClassName(message or ""), at)
    kinds = [one for kind in found for one in forms(side.spec.definitions, kind)]
    return bool(kinds) and all(
        (isinstance(one, ArrayType) and bool(one.min_items))
        or (isinstance(one, Scalar) and (one.kind == "null" or bool(one.min_length)))
        for one in kinds
    )


def _check_error(book: Book, gate: GatePair) -> None:
    """The code of the answer where a check does not hold."""
    if gate.error_was is None or gate.error_now is None or gate.error_was == gate.error_now:
        return
    assert isinstance(gate.old, Row) and isinstance(gate.new, Row)
    detail: dict[str, Json] = {
        "error": turn(gate.error_was, gate.error_now),
        **_place(gate),
        "side": gate.new.side,
        "kind": gate.new.kind,
    }
    rule = gate.rule_now or gate.rule_was
    if rule:
        detail["rule"] = rule
    old = _gate_spot(book.old, gate, gate.old, gate.old_type, gate.was)
    new = _gate_spot(book.new, gate, gate.new, gate.new_type, gate.now)
    who: Users = answerers(gate.old) | answerers(gate.new), _gate_users(gate)[1]
    book.add("method.errors", old, new, who, subject=gate.subject, detail=detail)


def _gate_users(gate: GatePair) -> Users:
    if isinstance(gate.old, Row) and isinstance(gate.new, Row):
        who = senders if gate.of == "params" else answerers
        return who(gate.old) | who(gate.new), frozenset((gate.old.method, gate.new.method))
    assert isinstance(gate.old, Update)
    return frozenset(("agent",)), frozenset((gate.old.kind,))


def _gate_spot(
    side: Surface, gate: GatePair, item: Row | Update, message: str | None, requires: str
) -> Spot:
    """The message that the gate holds back. It is there on both sides, whether a gate is or not."""
    pointer = side.def_pointer(ClassName(message)) if message else ""
    name = item.kind if isinstance(item, Update) else item.method
    return side.here(pointer, name, {"requires": requires, "at": gate.at})


# Updates


def _updates(book: Book) -> None:
    news = {item.kind: item for item in book.new.spec.table.updates}
    for before in book.old.spec.table.updates:
        after = news.get(before.kind)
        if after is None:
            continue
        old, new = _update_spot(book.old, before), _update_spot(book.new, after)
        users: Users = frozenset(("agent",)), frozenset((before.kind,))
        for action, was, now in (
            ("update.semantics", before.semantics, after.semantics),
            ("update.identity", before.identity, after.identity),
            ("method.stability", before.stability, after.stability),
        ):
            if was != now:
                book.add(action, old, new, users, detail=turn(was, now))


def _update_spot(side: Surface, update: Update) -> Spot:
    shape: dict[str, Json] = {"semantics": update.semantics, "identity": update.identity}
    item = side.get(update.type)
    if item is None:
        return side.here("", update.kind, shape)
    for name in side.above.get(item.name, ()):
        union = side[name]
        if isinstance(union, Union):
            for variant in union.variants:
                if variant.tag == update.kind:
                    return side.here(side.branch_pointer(union, variant), update.kind, shape)
    return side.here(item.pointer, update.kind, shape)
