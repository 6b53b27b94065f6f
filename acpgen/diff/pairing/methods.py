"""Which method is whose successor."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from acpgen.diff.pairing.renames import RenameRow
from acpgen.runtime.table import Row
from acpgen.spec.ir import Spec

MethodPair: TypeAlias = "tuple[Row | None, Row | None, str]"
"""(old, new, evidence); None where there is none on that side."""
_Rename: TypeAlias = Callable[[str, str], "RenameRow | None"]


def method_pairs(old: Spec, new: Spec, rename: _Rename) -> Iterator[MethodPair]:
    """The methods of two surfaces: of equal name, side and kind; by renames.toml, or each the other's replacement in the
    other version; else of equal name, where that is one on each side. rename: (table, old name) -> row.
    """
    lefts = {row.key: row for row in old.table.rows}
    rights = {row.key: row for row in new.table.rows}
    for key in [key for key in lefts if key in rights]:
        yield lefts.pop(key), rights.pop(key), ""
    for before in list(lefts.values()):
        found = _renamed(old, new, before, list(rights.values()), rename)
        if found is not None:
            del lefts[before.key], rights[found[0].key]
            yield before, *found
    for before in list(lefts.values()):
        ones = [row for row in lefts.values() if row.method == before.method]
        others = [row for row in rights.values() if row.method == before.method]
        if len(ones) == len(others) == 1:
            del lefts[before.key], rights[others[0].key]
            yield before, others[0], ""
    yield from ((row, None, "") for row in lefts.values())
    yield from ((None, row, "") for row in rights.values())


def _renamed(
    old: Spec, new: Spec, before: Row, rights: Sequence[Row], rename: _Rename
) -> tuple[Row, str] | None:
    names = [{row.method for row in spec.table.rows} for spec in (old, new)]
    row = rename("methods", before.method)
    for after in rights:
        if (after.side, after.kind) != (before.side, before.kind):
            continue
        if row is not None and row.new == after.method:
            return after, row.evidence
        if (
            old.version != new.version
            and before.replaced_by == (after.method,)
            and after.replaced_by == (before.method,)
            and after.method not in names[0]
            and before.method not in names[1]
        ):
            return after, f"methods.toml: each replaces the other, {before} and {after}"
    return None
