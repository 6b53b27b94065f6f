"""Who writes the values of a definition on the wire, and which messages hold them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from acpgen.diff.change import Peer
from acpgen.diff.pairing.surface import Surface
from acpgen.runtime.table import Row
from acpgen.spec.ir import names_in
from acpgen.spec.names import ClassName
from acpgen.spec.shapes import ref_name

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

    What only one kind of update holds goes by that kind's name, not by the method that carries all of them.
    """

    surface: Surface
    writers: dict[ClassName, frozenset[Peer]] = field(default_factory=dict)
    uses: dict[ClassName, frozenset[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._inside: dict[ClassName, tuple[ClassName, ...]] = {}
        table = self.surface.spec.table
        kinds = {item.type for item in table.updates if item.type is not None}
        for row in table.rows:
            stop = kinds if row.method == table.update_method else frozenset[str]()
            self._mark([row.params], senders(row), row.method, stop)
            self._mark([row.result], answerers(row), row.method, stop)
            if row.method == table.update_method:
                for item in table.updates:
                    self._mark([item.type], senders(row), item.kind, frozenset())
        for name in self._reached(list(self._in_envelopes()), frozenset()):
            self.writers[name] = BOTH  # an id or an error, which either side writes
            self.uses.setdefault(name, frozenset())

    def _in_envelopes(self) -> Iterator[str]:
        """What the envelopes hold beside the messages: request ids and errors."""
        spec = self.surface.spec
        rows = {name for row in spec.table.rows for name in (row.params, row.result)}
        for key in spec.envelopes:
            for inner in _refs(self.surface.defs.get(key)):
                name = spec.wire_types.get(inner)
                if (
                    name is not None
                    and name not in rows
                    and "x-docs-ignore" not in self.surface.defs[inner]
                ):
                    yield name

    def _mark(
        self,
        roots: Iterable[str | None],
        who: frozenset[Peer],
        use: str,
        stop: frozenset[str] | set[str],
    ) -> None:
        for name in self._reached([item for item in roots if item is not None], stop):
            self.writers[name] = self.writers.get(name, frozenset()) | who
            self.uses[name] = self.uses.get(name, frozenset()) | {use}

    def _reached(self, roots: list[str], stop: frozenset[str] | set[str]) -> Iterator[ClassName]:
        seen: set[str] = set()
        waiting = [ClassName(name) for name in roots]
        while waiting:
            name = waiting.pop()
            item = self.surface.get(name)
            if name in seen or name in stop or item is None:
                continue
            seen.add(name)
            yield name
            if name not in self._inside:
                self._inside[name] = tuple(dict.fromkeys(names_in(item)))
            waiting.extend(self._inside[name])

    def of(self, name: ClassName | None) -> tuple[frozenset[Peer], frozenset[str]]:
        """(writers, uses) of a definition; both empty where no message holds it."""
        if name is None:
            return frozenset(), frozenset()
        return self.writers.get(name, frozenset()), self.uses.get(name, frozenset())


def _refs(schema: Any) -> Iterator[str]:
    """The definitions that the properties of a schema refer to, at any depth."""
    if isinstance(schema, Mapping):
        for key, value in schema.items():
            if key == "$ref" and isinstance(value, str):
                yield ref_name(value)
            else:
                yield from _refs(value)
    elif isinstance(schema, list):
        for item in schema:
            yield from _refs(item)
