"""What methods.toml asks for, by a reader of its own: gates as trees, with the places that a schema has.

A gate is `any(...)`, `all(...)`, `not(...)` or one leaf. A tree is a leaf's text, or (word, the trees in it); the
order in any and all says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from tests.oracle.diff_raw import Raw

Tree = Any
_TOKEN = re.compile(r'\s*(any|all|not)\s*\(|\s*([(),])|\s*([^(),"]+(?:"[^"]*")?)')
_LEAF = re.compile(r'(agent|client): ([\w.$/-]+)( = "[^"]*")?|state: (\w+)|never')


def tree(text: str) -> Tree:
    """A gate as a tree; None for no gate. Raises ValueError for what is no gate."""
    if not text:
        return None
    found, rest = _parse(text)
    if rest.strip():
        raise ValueError(f"{text!r} has more than a gate")
    return found


def _parse(text: str) -> tuple[Tree, str]:
    match = _TOKEN.match(text)
    if match is None:
        raise ValueError(f"{text!r} is no gate")
    rest = text[match.end() :]
    if match[1] is None:
        leaf = (match[3] or "").strip()
        if not _LEAF.fullmatch(leaf):
            raise ValueError(f"{leaf!r} is no leaf of a gate")
        return leaf, rest
    parts = []
    while True:
        part, rest = _parse(rest)
        parts.append(part)
        rest = rest.lstrip()
        if rest[:1] == ")":
            return (match[1], frozenset(parts)), rest[1:]
        if rest[:1] != ",":
            raise ValueError(f"{text!r} is not closed")
        rest = rest[1:]


def leaves(found: Tree) -> Iterator[str]:
    """The leaves of a tree."""
    if isinstance(found, str):
        yield found
    elif found is not None:
        for part in found[1]:
            yield from leaves(part)


def has(raw: Raw, leaf: str) -> bool:
    """The schema has what a leaf asks for: the capability, and the kind of update that a state is about."""
    match = _LEAF.fullmatch(leaf)
    assert match is not None
    if match[1]:
        return raw.capability(match[1], match[2]) is not None
    if match[4]:
        row = next((row for row in raw.rows("state") if row["name"] == match[4]), {})
        return row.get("of_update") is None or row["of_update"] in raw.update_kinds
    return True


def reduced(raw: Raw, found: Tree) -> Tree:
    """A tree without what the schema lacks; None where nothing is left."""
    return _without(found, lambda leaf: not has(raw, leaf))


def bare(other: Raw, found: Tree) -> Tree:
    """A tree without the states of updates that the other side lacks: they came, or went, with these."""
    return _without(found, lambda leaf: not _stands(other, leaf))


def _without(found: Tree, gone: Callable[[str], bool]) -> Tree:
    if found is None or isinstance(found, str):
        return None if found is None or gone(found) else found
    parts = {part for item in found[1] if (part := _without(item, gone)) is not None}
    if not parts or (len(parts) == 1 and found[0] != "not"):
        return next(iter(parts), None)
    return found[0], frozenset(parts)


def moved(found: Tree, names: Mapping[str, str]) -> Tree:
    """A tree with other names for its leaves."""
    if found is None or isinstance(found, str):
        head, mark, value = (found or "").partition(" = ")
        return found and f"{names.get(head, head)}{mark}{value}"
    return found[0], frozenset(moved(part, names) for part in found[1])


@dataclass(frozen=True)
class Ask:
    """One thing that a place of a message is asked. when: conditions, values of `known` left out. values: those
    that the row is about. gate: a tree. error: the code of the refusal."""

    at: str
    of: str
    when: tuple[tuple[str, str], ...] = ()
    values: frozenset[Any] = frozenset()
    gate: Tree = None
    rule: str = ""
    error: int = -32602

    @property
    def place(self) -> tuple[str, str, tuple[tuple[str, str], ...]]:
        return self.at, self.of, self.when


def condition(when: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """A condition in comparable form. `known` is a list of values that each schema fills in: only the word counts."""
    found = {}
    for key, value in when.items():
        name = key
        if key == "known":
            name = "one_of" if value else "not_one_of"
        found[name] = "" if name in ("one_of", "not_one_of") else repr(value)
    return tuple(sorted(found.items()))


@cache
def asks(raw: Raw, owner: tuple[str, ...]) -> list[Ask]:
    """What is asked of a method (name, side, kind) or of a kind of update (name,), where the schema has the place."""
    found = []
    row = raw.method_row(*owner) if len(owner) == 3 else raw.update_row(owner[0])
    gate = reduced(raw, tree(row.get("requires", "")))
    if gate is not None:
        found.append(Ask("", "params", gate=gate, error=row.get("error", -32601)))
    for row in raw.rows("check"):
        names = row.get("methods", ()) if len(owner) == 3 else row.get("updates", ())
        if owner[0] not in names and ":".join((owner[0], owner[-1])) not in names:
            continue
        item = _ask(raw, row)
        if owner[-1] != "request" or item.of == "result":
            item = replace(item, error=0)  # nobody answers it
        if known(raw, owner, item) and (item.gate is not None or item.rule):
            found.append(item)
    return list(dict.fromkeys(found))


def _ask(raw: Raw, row: Mapping[str, Any]) -> Ask:
    when = row.get("when", {})
    return Ask(
        row["at"],
        row.get("of", "params"),
        condition(when),
        frozenset(when.get("one_of", [when["is"]] if "is" in when else [])),
        reduced(raw, tree(row.get("requires", ""))),
        row.get("rule", ""),
        row.get("error", -32602),
    )


def known(raw: Raw, owner: tuple[str, ...], ask: Ask) -> bool:
    """The message has the place, and knows a value that is asked about."""
    message = message_of(raw, owner, ask.of)
    if message is None or not ask.at:
        return message is not None
    reached = raw.reaches(message, ask.at)
    named = [value for schema in reached for value in raw.constants(schema)]
    return bool(reached) and (not ask.values or not named or not ask.values.isdisjoint(named))


def message_of(raw: Raw, owner: tuple[str, ...], of: str) -> Any:
    """The schema of params or result of a method, or of a kind of update; None where there is none."""
    if len(owner) == 3:
        row = raw.methods.get((owner[0], owner[1], owner[2]))
        return raw.defs.get(str(row[of])) if row else None
    for branch in raw.branches(raw.update_union):
        if owner[0] in raw.constants(raw.properties(branch).get("sessionUpdate", {})):
            return branch
    return None


def possible(raw: Raw, owner: tuple[str, ...], ask: Ask) -> bool:
    """This side could ask the same: it has the place and the value, and something that the gate stands on."""
    there = known(raw, owner, ask) or bool(ask.values & _titles(raw, owner, ask))
    return there and (ask.gate is None or bare(raw, ask.gate) is not None)


def _titles(raw: Raw, owner: tuple[str, ...], ask: Ask) -> set[Any]:
    """What the branches go by that need not say a tag there."""
    above = raw.reaches(message_of(raw, owner, ask.of), ask.at.rpartition("/")[0])
    return {branch.get("title") for schema in above for branch in raw.branches(schema)}


def _stands(raw: Raw, leaf: str) -> bool:
    """A capability that is not there was not asked for; a state of an update that is not there has no meaning."""
    return not leaf.startswith("state: ") or has(raw, leaf)
