"""Whether a gate lets more through than before, or less: read as logic over capabilities and states."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from acpgen.diff.change import Peer
from acpgen.runtime.expressions import Expression, ExpressionError, parse

GateEffect: TypeAlias = Literal["weaker", "stronger", "same", "other"]
Path: TypeAlias = tuple[str, str]
"""(side, dotted path) of a capability."""

_MOST = 12  # leaves of which every combination is tried


@dataclass(frozen=True, slots=True)
class GateTurn:
    """effect: `weaker` holds wherever the old gate did, and elsewhere too; `stronger` is the other way round.
    asks_receiver: where the gates differ, who receives the message decides it by what it advertises: what is let
    through newly, or what is held back until it says so.
    """

    effect: GateEffect
    asks_receiver: bool


def turn(
    was: str, now: str, receivers: Collection[Peer], successors: Mapping[Path, Path]
) -> GateTurn:
    """How a gate changed. was, now: expressions, "" is none. receivers: who gets the message.

    successors: where capabilities of the old side are on the new one, if not at the same path.
    """
    try:
        old = _moved(parse(was), successors) if was else None
        new = parse(now) if now else None
    except ExpressionError:
        return GateTurn("other", False)
    leaves = list(dict.fromkeys(leaf for gate in (old, new) if gate for leaf in gate.leaves()))
    if len(leaves) > _MOST:
        return GateTurn("other", any(leaf.side in receivers for leaf in leaves))
    own = {leaf for leaf in leaves if leaf.op == "capability" and leaf.side in receivers}
    told = set(old.leaves()) if old is not None else set()
    opened, shut = [], []
    for true in _worlds(leaves):
        before, after = _holds(old, true), _holds(new, true)
        if after and not before:
            opened.append(bool((own - told) & true))
        elif before and not after:
            shut.append(_holds(new, true | own))
    if not opened and not shut:
        return GateTurn("same", False)
    if not shut:
        return GateTurn("weaker", all(opened))
    return GateTurn("other" if opened else "stronger", any(shut))


def _moved(gate: Expression, successors: Mapping[Path, Path]) -> Expression:
    """The gate in terms of the new side; a capability whose place another one has now stays apart from that one."""
    if gate.op == "capability":
        path = (gate.side, ".".join(gate.path))
        return gate._replace(path=tuple(successors.get(path, path)[1].split(".")))
    return gate._replace(parts=tuple(_moved(part, successors) for part in gate.parts))


def _worlds(leaves: Iterable[Expression]) -> Iterable[frozenset[Expression]]:
    """What may hold together: below a capability nothing holds without it, and it has one value at most."""
    known = list(leaves)
    for flags in itertools.product((False, True), repeat=len(known)):
        true = frozenset(itertools.compress(known, flags))
        if all(above in true for leaf in true for above in known if _implied(leaf, above)):
            values = [(leaf.side, leaf.path) for leaf in true if leaf.value is not None]
            if len(values) == len(set(values)):
                yield true


def _implied(leaf: Expression, other: Expression) -> bool:
    if leaf.op != "capability" or other.op != "capability" or leaf.side != other.side:
        return False
    above = leaf.path[: len(other.path)] == other.path
    return other.value is None and above and leaf != other


def _holds(gate: Expression | None, true: Collection[Expression]) -> bool:
    if gate is None:
        return True
    if gate.op == "any":
        return any(_holds(part, true) for part in gate.parts)
    if gate.op == "all":
        return all(_holds(part, true) for part in gate.parts)
    if gate.op == "not":
        return not _holds(gate.parts[0], true)
    return gate in true  # `never` is no leaf
