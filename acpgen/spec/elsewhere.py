"""The requests that a surface lacks and others have: what the answer -32601 to them says.

A caller may speak another version, follow another release, or use the other channel. What it asks
for then is in some methods.toml, and so is what does the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from acpgen.runtime.table import Elsewhere
from acpgen.spec.ir import Spec
from acpgen.spec.metadata import Metadata, MethodRow

_DISPATCHED = ("agent", "client")


def mark(spec: Spec, metadata: Mapping[int, Metadata]) -> Spec:
    """The surface with `table.elsewhere`. metadata: by protocol version, the surface's own among
    them.
    """
    order = [spec.version, *sorted(set(metadata) - {spec.version})]
    rows: dict[tuple[str, str], list[tuple[int, MethodRow]]] = {}
    for version in order:
        for row in metadata[version].methods if version in metadata else ():
            if row.kind == "request" and row.side in _DISPATCHED:
                rows.setdefault((row.name, row.side), []).append((version, row))
    lacking = (
        _of(spec, found)
        for key, found in rows.items()
        if not any((row.method, row.side, row.kind) == (*key, "request") for row in spec.table.rows)
    )
    ordered = sorted(lacking, key=lambda item: (item.side, item.method))
    return replace(spec, table=replace(spec.table, elsewhere=tuple(ordered)))


def _of(spec: Spec, found: list[tuple[int, MethodRow]]) -> Elsewhere:
    """One request, by the rows that name it: (version, row), the surface's own version first."""
    row = found[0][1]
    live = [version for version, item in found if not item.retired]
    replaced = _replacements(spec, found)
    note = next((item.note for _, item in found if item.note), "")
    return Elsewhere(
        row.name,
        row.side,
        tuple(sorted(live)),
        replaced,
        note or _reason(spec, row, live, replaced),
    )


def _replacements(spec: Spec, found: list[tuple[int, MethodRow]]) -> tuple[str, ...]:
    """Names of this surface's methods that the same side receives."""
    names: dict[str, None] = {}
    for version, row in found:
        if version == spec.version and not row.retired:
            continue  # its replacements are those of the other version
        names |= dict.fromkeys((row.name,) if row.replaced_by is None else row.replaced_by)
    side = found[0][1].side
    taken = {row.method for row in spec.table.rows if row.side in (side, "protocol")}
    return tuple(name for name in names if name in taken)


def _reason(spec: Spec, row: MethodRow, live: list[int], replaced: tuple[str, ...]) -> str:
    """Why it is lacking, in a line."""
    here = f"version {spec.version}"
    if spec.version in live:
        return f"{here} has it, but not in the {spec.channel} schema that this end follows"
    same = [item for item in spec.table.rows if item.method == row.name]
    if same:
        kinds = " and ".join(f"a {item.kind} to the {item.side}" for item in same)
        return f"in {here} it is {kinds}"
    if replaced:
        return ""
    return f"{here} has nothing in its place" if live else "it is no longer part of the protocol"
