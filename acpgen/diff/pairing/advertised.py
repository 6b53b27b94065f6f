"""What a surface can advertise: its capabilities, with the properties that stand for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from acpgen.spec.ir import CapabilityKind, Field, Record, Spec, Type
from acpgen.spec.names import ClassName
from acpgen.spec.pointers import forms
from acpgen.spec.tabulate import INITIALIZE

Path = tuple[str, str]
"""(side, dotted path)"""
_DEEP = 8  # an object that holds itself: no capability is nested deeper


@dataclass(frozen=True, slots=True)
class Capability:
    """One path: the record and the property that stand for it, and how it counts."""

    side: str
    path: str
    kind: CapabilityKind
    record: Record
    item: Field

    @property
    def key(self) -> Path:
        return self.side, self.path

    @property
    def name(self) -> str:
        return f"{self.side}: {self.path}"


def capabilities(spec: Spec) -> dict[Path, Capability]:
    """Every capability of a surface, in the schema's order."""
    found: dict[Path, Capability] = {}
    for side in spec.table.roots:
        root = root_field(spec, side)
        if root is not None:
            for one in _below(spec, side, root.type, ""):
                found.setdefault(one.key, one)
    return found


def root_field(spec: Spec, peer: str) -> Field | None:
    """The property of an `initialize` message that holds what a peer advertises."""
    row = next((row for row in spec.table.rows if row.method == INITIALIZE), None)
    name = row and (row.result if peer == "agent" else row.params)
    message = spec.definitions.get(ClassName(name)) if name else None
    if not isinstance(message, Record):
        return None
    wire = spec.table.roots[peer]
    return next((item for item in spec.fields(message) if item.wire == wire), None)


def _below(spec: Spec, side: str, kind: Type, prefix: str) -> Iterator[Capability]:
    if prefix.count(".") > _DEEP:
        return
    kinds: Mapping[str, CapabilityKind] = spec.table.capabilities.get(side, {})
    for record in forms(spec.definitions, kind):
        if not isinstance(record, Record):
            continue
        for item in spec.fields(record):
            path = f"{prefix}{item.wire}"
            if item.wire.startswith("_") or path not in kinds:
                continue
            yield Capability(side, path, kinds[path], record, item)
            yield from _below(spec, side, item.type, f"{path}.")
