"""The gates and rules of two surfaces side by side: of methods, of places in their messages, of kinds of update."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from acpgen.diff.pairing.pairs import Pairs
from acpgen.diff.pairing.surface import Surface
from acpgen.runtime.expressions import Expression
from acpgen.runtime.expressions import parse as parse_expression
from acpgen.runtime.table import Check, Row, Update
from acpgen.spec.ir import Json, RefType, Union
from acpgen.spec.names import ClassName
from acpgen.spec.pointers import known_values, places

Of = Literal["params", "result"]


@dataclass(frozen=True, slots=True)
class GatePair:
    """What one place asks for on both sides.

    subject: `METHOD`, `METHOD PLACE` or a kind of update, with its place. was, now: gate expressions, "" is none.
    at: pointer into the message, "" is the message itself. of: which message. when: conditions on the value, as JSON.
    bare_was, bare_now: the gates without the states that the other side cannot have.
    rule_was, rule_now: rules about the value itself. error_was, error_now: code of the answer to a request that does not
    keep to a check; None where nothing is asked, or nothing answered. old, new: the method or update that it belongs to.
    old_type, new_type: the message.
    """

    subject: str
    was: str
    now: str
    old: Row | Update
    new: Row | Update
    at: str = ""
    of: Of = "params"
    when: Json = None
    rule_was: str = ""
    rule_now: str = ""
    error_was: int | None = None
    error_now: int | None = None
    old_type: str | None = None
    new_type: str | None = None
    bare_was: str = ""
    bare_now: str = ""


def gates(pairs: Pairs) -> list[GatePair]:
    """Every gate of what both surfaces have."""
    return [
        replace(
            one,
            bare_was=_bare(one.was, pairs.old, pairs.new),
            bare_now=_bare(one.now, pairs.new, pairs.old),
        )
        for one in _pairs(pairs)
    ]


def _bare(text: str, side: Surface, other: Surface) -> str:
    """A gate without the states that only a kind of update brings about which the other side lacks."""
    kinds = {item.kind for item in other.spec.table.updates}
    foreign = {name for name, kind in side.spec.table.update_states.items() if kind not in kinds}
    if not text or not foreign:
        return text
    found = _without(parse_expression(text), foreign)
    return str(found) if found is not None else ""


def _without(item: Expression, states: set[str]) -> Expression | None:
    if item.op == "state":
        return None if item.name in states else item
    if not item.parts:
        return item
    parts = [part for one in item.parts if (part := _without(one, states)) is not None]
    if not parts:
        return None
    whole = item.op == "not" or len(parts) > 1
    return item._replace(parts=tuple(parts)) if whole else parts[0]


def _pairs(pairs: Pairs) -> Iterator[GatePair]:
    for before, after, _ in pairs.methods:
        if before is None or after is None:
            continue
        yield GatePair(
            before.method,
            before.requires,
            after.requires,
            before,
            after,
            old_type=before.params,
            new_type=after.params,
        )
        yield from _checks(pairs, before, after, before.checks, after.checks, "params")
        yield from _checks(
            pairs, before, after, before.result_checks, after.result_checks, "result"
        )
    news = {item.kind: item for item in pairs.new.spec.table.updates}
    for update in pairs.old.spec.table.updates:
        other = news.get(update.kind)
        if other is None:
            continue
        yield GatePair(
            update.kind,
            update.requires,
            other.requires,
            update,
            other,
            old_type=update.type,
            new_type=other.type,
        )
        yield from _checks(pairs, update, other, update.checks, other.checks, "params")


def _message(item: Row | Update, of: Of) -> str | None:
    if isinstance(item, Update):
        return item.type
    return item.params if of == "params" else item.result


def _checks(
    pairs: Pairs,
    before: Row | Update,
    after: Row | Update,
    olds: Sequence[Check],
    news: Sequence[Check],
    of: Of,
) -> Iterator[GatePair]:
    """The checks of two messages, paired by place and conditions; where the other side lacks the place or the value, the
    check came or went with it.
    """
    name = before.kind if isinstance(before, Update) else before.method
    left, right = _message(before, of), _message(after, of)
    ones, others = list(olds), list(news)
    for exact in (True, False):
        for one in list(ones):
            other = _partner(one, ones, others, exact)
            if other is not None:
                ones.remove(one)
                others.remove(other)
                yield _pair(name, before, after, one, other, of, left, right)
    for one in ones:
        if _there(pairs.new, right, one):
            yield _pair(name, before, after, one, None, of, left, right)
    for other in others:
        if _there(pairs.old, left, other):
            yield _pair(name, before, after, None, other, of, left, right)


def _partner(
    one: Check, ones: Sequence[Check], others: Sequence[Check], exact: bool
) -> Check | None:
    def alike(a: Check, b: Check) -> bool:
        if a.at != b.at or bool(a.rule) != bool(b.rule):
            return False
        if a.rule and a.rule != b.rule:
            return False
        if exact:
            return a.when == b.when
        # The values that the schema knows may have changed, which is said of them.
        return _loose(a) == _loose(b)

    found = [item for item in others if alike(one, item)]
    back = [item for item in ones if found and alike(item, found[0])]
    if exact and found:
        return next((item for item in found if item.requires == one.requires), found[0])
    return found[0] if len(found) == len(back) == 1 else None


def _loose(check: Check) -> tuple[tuple[str, object], ...]:
    return tuple(
        (name, None if name in ("one_of", "not_one_of") else value) for name, value in check.when
    )


def _pair(
    name: str,
    before: Row | Update,
    after: Row | Update,
    one: Check | None,
    other: Check | None,
    of: Of,
    left: str | None,
    right: str | None,
) -> GatePair:
    check = one or other
    assert check is not None
    when: dict[str, Json] = {
        key: list(value) if isinstance(value, tuple) else value for key, value in check.when
    }
    values = [f'"{value}"' for key, value in check.when if key == "is"]
    subject = " ".join([name, check.at, *values])
    return GatePair(
        subject,
        one.requires if one is not None else "",
        other.requires if other is not None else "",
        before,
        after,
        check.at,
        of,
        when,
        one.rule if one is not None else "",
        other.rule if other is not None else "",
        _code(before, one, of),
        _code(after, other, of),
        left,
        right,
    )


def _code(item: Row | Update, check: Check | None, of: Of) -> int | None:
    """The code of the answer where a check does not hold: only a request has one."""
    if check is None or of == "result" or not isinstance(item, Row) or item.kind != "request":
        return None
    return check.error


def _there(side: Surface, message: str | None, check: Check) -> bool:
    """The message has the place, and knows the value that the check is about."""
    if message is None or side.get(message) is None:
        return False
    definitions = side.spec.definitions
    found = places(definitions, ClassName(message), check.at)
    if not found:
        return False
    wanted = _wanted(check)
    known = known_values(definitions, found)
    if not wanted or not known or not wanted.isdisjoint(known):
        return True
    above = places(definitions, ClassName(message), check.at.rpartition("/")[0])
    unions = [side.get(item.name) for item in above if isinstance(item, RefType)]
    labels = {one.label for item in unions if isinstance(item, Union) for one in item.variants}
    return not wanted.isdisjoint(labels)


def _wanted(check: Check) -> set[str | int | bool]:
    """The values that a check is about; empty where it is about any, or about those that no schema names."""
    found: set[str | int | bool] = set()
    for key, value in check.when:
        if key == "is":
            found.add(value)
        elif key == "one_of":
            found.update(value)
    return found
