# Part of acpgen's runtime, copied as it is. Do not edit.
"""What a side advertises against what it implements, in both directions."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Literal, NamedTuple

from .expressions import Expression, parse
from .gates import Capabilities, Gates, Side
from .table import Kind, Row, Table

Implemented = Collection[tuple[str, Kind]]
"""(method, kind) of what a side implements."""


class Disagreement(NamedTuple):
    """A method and a gate that do not go together.

    kind: `advertised` (the gate holds, the method is not implemented) or `implemented` (the method
    is there, its gate does not hold).
    """

    kind: Literal["advertised", "implemented"]
    row: Row
    requires: str

    def __str__(self) -> str:
        if self.kind == "advertised":
            return f"`{self.requires}` is advertised, but {self.row.method} is not implemented"
        return f"{self.row.method} is implemented, but `{self.requires}` is not advertised"


def disagreements(
    table: Table, capabilities: Capabilities, side: Side, message: Any, implemented: Implemented
) -> list[Disagreement]:
    """Where one side's `initialize` message and its methods disagree.

    message: what that side says: the result for an agent, the params for a client. Rows whose gate
    asks for what the other side says, or for a state that the message does not tell, are left out.
    """
    pair = {"request": message} if side == "client" else {"response": message}
    gates = Gates(table, capabilities, **pair)
    found = []
    for row in table.received_by(side):
        if not row.requires or not _is_own(parse(row.requires), side, table):
            continue
        has, may = (row.method, row.kind) in implemented, gates.supports(row)
        if may != has and not (may and row.optional):
            found.append(Disagreement("advertised" if may else "implemented", row, row.requires))
    return found


def implied(
    table: Table, capabilities: Capabilities, side: Side, implemented: Implemented
) -> dict[str, Any]:
    """The capabilities object (JSON) that follows from what a side implements.

    A capability follows when every method that it alone opens is implemented; what only params or
    results need, and a choice between capabilities, is for the author to declare.
    """
    wanted: dict[tuple[str, ...], bool] = {}
    for row in table.received_by(side):
        expression = parse(row.requires) if row.requires else None
        if expression is not None and expression.op == "capability" and expression.side == side:
            has = (row.method, row.kind) in implemented
            wanted[expression.path] = wanted.get(expression.path, True) and has
    found: dict[str, Any] = {}
    for path, complete in wanted.items():
        if complete:
            _set(found, path, capabilities.kinds[side].get(".".join(path)) == "boolean")
    return found


def _set(target: dict[str, Any], path: tuple[str, ...], boolean: bool) -> None:
    for key in path[:-1]:
        inner = target.setdefault(key, {})
        assert isinstance(inner, dict), path
        target = inner
    if boolean:
        target[path[-1]] = True
    else:
        target.setdefault(path[-1], {})


def _is_own(expression: Expression, side: Side, table: Table) -> bool:
    for leaf in expression.leaves():
        if leaf.op == "capability" and leaf.side != side:
            return False
        if leaf.op == "state":
            state = table.states.get(leaf.name)
            if side != "agent" or state is None or state.known_by != "initialize":
                return False
    return True
