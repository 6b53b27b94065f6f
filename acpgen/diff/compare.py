"""Two Specs -> the changes between them, sorted, each written down once."""

from __future__ import annotations

from collections.abc import Sequence

from acpgen.diff.change import Change
from acpgen.diff.changes.book import Book
from acpgen.diff.changes.capabilities import compare_capabilities
from acpgen.diff.changes.envelopes import compare_envelopes
from acpgen.diff.changes.fields import compare_moves
from acpgen.diff.changes.methods import compare_methods
from acpgen.diff.changes.residue import compare_residue
from acpgen.diff.changes.types import compare_types
from acpgen.diff.pairing.capabilities import CapabilityPairs
from acpgen.diff.pairing.direction import Usage
from acpgen.diff.pairing.gates import gates
from acpgen.diff.pairing.pairs import pair
from acpgen.diff.pairing.renames import RenameRow
from acpgen.diff.pairing.sameness import Sameness
from acpgen.diff.pairing.surface import Surface
from acpgen.spec.ir import Spec


def compare(old: Spec, new: Spec, renames: Sequence[RenameRow] = ()) -> tuple[Change, ...]:
    """Every change from `old` to `new`, by area, subject and action.

    renames: rows of renames.toml, of any versions; those about these two count. The same change from new to old has the
    mirrored action (`change.ACTIONS`) and its spots swapped.
    """
    pairs = pair(Surface(old), Surface(new), renames)
    gated = gates(pairs)
    book = Book(
        pairs,
        Sameness(pairs),
        gated,
        CapabilityPairs(pairs, gated),
        (Usage(pairs.old), Usage(pairs.new)),
    )
    compare_methods(book)
    compare_capabilities(book)
    compare_types(book)
    compare_moves(book)
    compare_residue(book)
    compare_envelopes(book)
    return tuple(change for _, change in sorted(book.changes.items(), key=_order))


def _order(entry: tuple[tuple[object, ...], Change]) -> tuple[str, ...]:
    key, change = entry
    return (
        change.area,
        change.subject,
        change.action,
        change.old.pointer,
        change.new.pointer,
        str(key[-1]),  # the detail, as the book has it
    )
