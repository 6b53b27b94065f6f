"""Which unions hold the kinds of session/update."""

from __future__ import annotations

from collections.abc import Iterator

from acpgen.spec import pointers
from acpgen.spec.ir import RefType, Spec
from acpgen.spec.names import ClassName


def update_unions(spec: Spec) -> Iterator[str]:
    """The schema's names of the unions that stand where a surface has its updates; none where it has no updates."""
    table = spec.table
    pointer = "".join(f"/{part}" for part in table.update_at)
    for row in table.rows:
        if row.method == table.update_method and row.params is not None:
            for kind in pointers.places(spec.definitions, ClassName(row.params), pointer):
                if isinstance(kind, RefType):
                    yield spec.definitions[kind.name].wire or kind.name
