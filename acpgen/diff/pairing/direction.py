"""Who writes the values of a definition on the wire, and which messages hold them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from acpgen.diff.change import Peer
from acpgen.diff.pairing.envelopes import in_envelopes
from acpgen.diff.pairing.surface import Surface
from acpgen.runtime.table import Row
from acpgen.spec.ir import names_in
from acpgen.spec.names import ClassName

BOTH: frozenset[Peer] = frozenset(("agent", "client"))


def senders(row: Row) -> frozenset[Peer]:
    """Who sends a message of this method."""
    if row.side == "agent":
        return frozenset(("client",))
    if row.side == "client":
        return frozenset(("agent",))
    return BOTH


def answerers(row: Row) -> frozenset[Peer]:
    """Who answers it."""
    if row.side == "agent":
        return frozenset(("agent",))
    if row.side == "client":
        return frozenset(("client",))
    return BOTH


@dataclass
class Usage:
    """Of each definition that a message holds: who writes it, and the methods and kinds of update that hold it.

    A proxy passes on what agents and clients write: it writes only what no message of theirs holds.
    What only one kind of update holds goes by that kind's name, not by the method that carries all of them.
    """

    surface: Surface
    writers: dict[ClassName, frozenset[Peer]] = field(default_factory=dict)
    uses: dict[ClassName, frozenset[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._inside: dict[ClassName, tuple[ClassName, ...]] = {}
        self._held: dict[ClassName, set[str]] = {}
        rows = self.surface.spec.table.rows
        for row in rows:
            if row.side != "proxy":
                self._mark_row(row, frozenset())
        held = frozenset(self.writers)
        for row in rows:
            if row.side == "proxy":  # it passes on what others write
                self._mark_row(row, held)
        self.uses = {name: frozenset(found) for name, found in self._held.items()}
        for name in self._reached(list(in_envelopes(self.surface)), frozenset()):
            self.writers[name] = BOTH  # an id or an error, which either side writes
            self.uses.setdefault(name, frozenset())

    def _mark_row(self, row: Row, held: frozenset[ClassName]) -> None:
        table = self.surface.spec.table
        updates = table.updates if row.method == table.update_method else ()
        stop = {item.type for item in updates if item.type is not None}
        self._mark(row.params, senders(row), row.method, stop, held)
        self._mark(row.result, answerers(row), row.method, stop, held)
        for item in updates:
            self._mark(item.type, senders(row), item.kind, set(), held)

    def _mark(
        self,
        root: str | None,
        who: frozenset[Peer],
        use: str,
        stop: set[str],
        held: frozenset[ClassName],
    ) -> None:
        """Note who writes what a message holds. held: what has its writers already."""
        for name in self._reached([root] if root is not None else [], stop):
            if name not in held and not who <= (known := self.writers.get(name, frozenset())):
                self.writers[name] = known | who
            self._held.setdefault(name, set()).add(use)

    def _reached(self, roots: list[str], stop: frozenset[str] | set[str]) -> Iterator[ClassName]:
        seen: set[str] = set()
        waiting = [ClassName(name) for name in roots]
        while waiting:
            name = waiting.pop()
            if name in seen or name in stop:
                continue
            seen.add(name)
            if name not in self._inside:
                item = self.surface.get(name)
                if item is None:
                    continue
                self._inside[name] = tuple(dict.fromkeys(names_in(item)))
            yield name
            waiting.extend(self._inside[name])

    def of(self, name: ClassName | None) -> tuple[frozenset[Peer], frozenset[str]]:
        """(writers, uses) of a definition; both empty where no message holds it."""
        if name is None:
            return frozenset(), frozenset()
        return self.writers.get(name, frozenset()), self.uses.get(name, frozenset())
