"""How settled each method and kind of update of a surface is.

Stability is a property of the schemas: what the stable schema of the version has is stable, what an
overlay brings goes by the proposal's name, and the rest is unstable.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from acpgen.spec.ir import Spec
from acpgen.spec.names import ClassName


def mark(spec: Spec, stable: Spec | None, proposals: Mapping[str, str]) -> Spec:
    """The surface with the stability of its rows.

    stable: the stable surface of the same version, None where there is none. proposals: `$defs` key
    -> name of the overlay that brings it.
    """
    if spec.channel == "stable":
        return spec
    keys = {row.key for row in stable.table.rows} if stable is not None else set()
    kinds = {item.kind for item in stable.table.updates} if stable is not None else set()
    table = spec.table

    def found(name: str | None) -> str:
        definition = spec.definitions.get(ClassName(name)) if name is not None else None
        wire = definition.wire if definition is not None else None
        return proposals.get(wire or "", "unstable")

    rows = tuple(
        row._replace(stability="stable" if row.key in keys else found(row.params))
        for row in table.rows
    )
    updates = tuple(
        item._replace(stability="stable" if item.kind in kinds else found(item.type))
        for item in table.updates
    )
    return replace(spec, table=replace(table, rows=rows, updates=updates))
