"""Who is whose successor: definitions, methods, variants and fields of two surfaces, each with why that is believed.

First what has the same name on the wire ($defs key, method, tag, property), then what stands at the same place: in the
params or result of a paired method, behind the same tag, as the type of a paired field, as the only variant; and what
renames.toml says. Properties in common are no evidence. Where a place has two candidates, nothing is believed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from acpgen.diff.pairing.advertised import root_field
from acpgen.diff.pairing.methods import MethodPair, method_pairs
from acpgen.diff.pairing.renames import RenameRow, between
from acpgen.diff.pairing.surface import Surface
from acpgen.spec.ir import (
    Alias,
    AnyDefinition,
    ArrayType,
    Enum,
    Field,
    MapType,
    OptionsType,
    Record,
    RefType,
    Type,
    Union,
    Variant,
)
from acpgen.spec.names import ClassName

FieldPair: TypeAlias = "tuple[Field | None, Field | None, str]"
VariantPair: TypeAlias = "tuple[Variant | None, Variant | None, str]"
_Candidate: TypeAlias = "tuple[ClassName, ClassName]"


@dataclass(frozen=True, slots=True)
class Move:
    """A field that went to a record which is not the successor of its own."""

    old_record: Record
    old: Field
    new_record: Record
    new: Field
    evidence: str


@dataclass
class Pairs:
    """types: old definition -> new one; back: the same the other way. evidence: why, "" for equal names."""

    old: Surface
    new: Surface
    rows: tuple[RenameRow, ...] = ()
    types: dict[ClassName, ClassName] = field(default_factory=dict)
    back: dict[ClassName, ClassName] = field(default_factory=dict)
    evidence: dict[ClassName, str] = field(default_factory=dict)
    methods: list[MethodPair] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)
    moved: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())

    def __post_init__(self) -> None:
        self._candidates: dict[_Candidate, str] = {}
        self._by_table: dict[tuple[str, str], RenameRow] = {
            (row.table, row.old): row for row in self.rows
        }
        self._root_fields = dict(self._roots())
        self._moves()
        self._named()
        self.methods = list(method_pairs(self.old.spec, self.new.spec, self.row))
        for before, after, _ in self.methods:
            if before is not None and after is not None:
                self._suggest(before.params, after.params, f"params of {after.method}")
                self._suggest(before.result, after.result, f"result of {after.method}")
        for move in self.moves:
            place = f"type of {self.new.field_name(move.new_record, move.new)}"
            self._place(move.old.type, move.new.type, place)
        for pair in list(self.types.items()):
            self._expand(*pair)
        self._settle()

    def row(self, table: str, old: str) -> RenameRow | None:
        """The row of renames.toml about an old name."""
        return self._by_table.get((table, old))

    # Definitions

    def _named(self) -> None:
        for row in self.rows:
            if row.table == "types":
                before, after = self.old.holders.get(row.old), self.new.holders.get(row.new)
                if before is not None and after is not None:
                    self._accept(before, after, row.evidence)
        for key, before in self.old.holders.items():
            after = self.new.holders.get(key)
            if after is not None:
                self._accept(before, after, "")

    def _accept(self, before: ClassName, after: ClassName, why: str) -> bool:
        if before in self.types or after in self.back:
            return False
        self.types[before], self.back[after] = after, before
        self.evidence[before] = why
        return True

    def _suggest(self, before: str | None, after: str | None, why: str) -> None:
        left, right = self.old.get(before), self.new.get(after)
        if left is None or right is None or left.name in self.types or right.name in self.back:
            return
        if self.old.received_only(left.name) or self.new.received_only(right.name):
            return
        if _alike(left, right):
            self._candidates.setdefault((left.name, right.name), why)

    def _settle(self) -> None:
        """Accept the candidates that are alone on both sides, and look at what follows from them."""
        while True:
            self._candidates = {
                pair: why
                for pair, why in self._candidates.items()
                if pair[0] not in self.types and pair[1] not in self.back
            }
            lefts = Counter(pair[0] for pair in self._candidates)
            rights = Counter(pair[1] for pair in self._candidates)
            sure = [
                pair for pair in self._candidates if lefts[pair[0]] == 1 and rights[pair[1]] == 1
            ]
            if not sure:
                return
            for pair in sure:
                self._accept(*pair, self._candidates[pair])
            for pair in sure:
                self._expand(*pair)

    def _expand(self, before: ClassName, after: ClassName) -> None:
        """What follows from a pair."""
        left, right = self.old[before], self.new[after]
        if isinstance(left, Union) and isinstance(right, Union):
            for one, other, why in self.variants(left, right):
                if one is not None and other is not None:
                    place = f"tag `{other.label}`" if other.tag else f"variant `{other.label}`"
                    self._place(one.type, other.type, why or f"{place} of {self.new.label(after)}")
            self._suggest(left.catch_all, right.catch_all, f"catch-all of {self.new.label(after)}")
        elif isinstance(left, Record) and isinstance(right, Record):
            self._expand_records(left, right)
        elif isinstance(left, Alias) and isinstance(right, Alias):
            self._place(left.type, right.type, f"what {self.new.label(after)} stands for")
        elif (found := self.only_variant(left, right)) is not None:
            self._expand_records(*found)

    def _expand_records(self, left: Record, right: Record) -> None:
        self._suggest(left.base, right.base, f"what {self.new.label(right.name)} extends")
        for one, other, _ in self.fields(left, right):
            if one is not None and other is not None:
                place = f"type of {self.new.field_name(right, other)}"
                self._place(one.type, other.type, place)

    def _place(self, left: Type, right: Type, why: str) -> None:
        """Suggest the definitions that stand at the same place of two types."""
        if isinstance(left, RefType) and isinstance(right, RefType):
            self._suggest(left.name, right.name, why)
        elif isinstance(left, ArrayType) and isinstance(right, ArrayType):
            self._place(left.items, right.items, why)
        elif isinstance(left, MapType) and isinstance(right, MapType):
            self._place(left.values, right.values, why)
        elif isinstance(left, OptionsType) and isinstance(right, OptionsType):
            ones = [item for item in left.options if isinstance(item, RefType)]
            others = [item for item in right.options if isinstance(item, RefType)]
            if len(ones) == len(others) == 1:
                self._place(ones[0], others[0], why)

    def only_variant(
        self, left: AnyDefinition, right: AnyDefinition
    ) -> tuple[Record, Record] | None:
        """A record and the variant of the union that took its place, in either direction (`default_variant`)."""
        if isinstance(left, Record) and isinstance(right, Union):
            variant = default_variant(right)
            inner = self._variant_record(self.new, variant) if variant is not None else None
            return (left, inner) if inner is not None else None
        if isinstance(left, Union) and isinstance(right, Record):
            variant = default_variant(left)
            inner = self._variant_record(self.old, variant) if variant is not None else None
            return (inner, right) if inner is not None else None
        return None

    @staticmethod
    def _variant_record(side: Surface, variant: Variant) -> Record | None:
        found = side.get(variant.type.name) if isinstance(variant.type, RefType) else None
        return found if isinstance(found, Record) else None

    # Variants

    def variants(self, left: Union, right: Union) -> list[VariantPair]:
        """The variants of two unions, paired: by tag, by row, by label where a side has no tag, by type, or as the only
        ones that are left.
        """
        ones, others = list(left.variants), list(right.variants)
        found: list[VariantPair] = []

        def take(one: Variant, other: Variant, why: str) -> None:
            ones.remove(one)
            others.remove(other)
            found.append((one, other, why))

        def each(test: Callable[[Variant, Variant], str | None]) -> None:
            for one in list(ones):
                for other in list(others):
                    why = test(one, other)
                    if why is not None and one in ones and other in others:
                        take(one, other, why)

        each(lambda a, b: "" if a.tag is not None and a.tag == b.tag else None)
        each(lambda a, b: self._variant_row(left, a, right, b))
        each(lambda a, b: "" if None in (a.tag, b.tag) and a.label == b.label else None)
        each(lambda a, b: self._same_type(a, b) if a.tag is None and b.tag is None else None)
        if len(ones) == len(others) == 1:
            one, other = ones[0], others[0]
            alone = len(left.variants) == len(right.variants) == 1
            if (one.tag is None) != (other.tag is None) or (one.tag is None and alone):
                place = f"of {self.new.label(right.name)}"
                why = (
                    f"the only variant {place}" if alone else f"the only one without a tag {place}"
                )
                take(one, other, why)
        return [*found, *((one, None, "") for one in ones), *((None, one, "") for one in others)]

    def _variant_row(self, left: Union, one: Variant, right: Union, other: Variant) -> str | None:
        row = self.row("variants", self.old.variant_name(left, one))
        matches = row is not None and row.new == self.new.variant_name(right, other)
        return row.evidence if row is not None and matches else None

    def _same_type(self, one: Variant, other: Variant) -> str | None:
        if isinstance(one.type, RefType) and isinstance(other.type, RefType):
            keys = self.old.keys.get(one.type.name), self.new.keys.get(other.type.name)
            return f"both are {keys[0]}" if keys[0] is not None and keys[0] == keys[1] else None
        return "both have the same type" if one.type == other.type else None

    # Fields

    def fields(self, left: Record, right: Record) -> list[FieldPair]:
        """The fields of two records, tags apart: by wire name, by row, or as what holds the capabilities of a side.

        Fields that moved from or to another record are left out.
        """
        moved_old, moved_new = self.moved
        ones = {item.wire: item for item in self.old.fields(left) if item.pointer not in moved_old}
        others = {
            item.wire: item for item in self.new.fields(right) if item.pointer not in moved_new
        }
        tags = self.old.tags(left.name) | self.new.tags(right.name)
        ones = {wire: item for wire, item in ones.items() if wire not in tags}
        others = {wire: item for wire, item in others.items() if wire not in tags}
        found: list[FieldPair] = []
        for wire in list(ones):
            if wire in others:
                found.append((ones.pop(wire), others.pop(wire), ""))
        for wire, one in list(ones.items()):
            row = self.row("fields", self.old.field_name(left, one))
            for name, other in list(others.items()):
                why = self._root_fields.get((one.pointer, other.pointer))
                if row is not None and row.new == self.new.field_name(right, other):
                    why = row.evidence
                if why is not None:
                    found.append((ones.pop(wire), others.pop(name), why))
                    break
        found += [(one, None, "") for one in ones.values()]
        found += [(None, one, "") for one in others.values()]
        return found

    def _roots(self) -> Iterator[tuple[tuple[str, str], str]]:
        for peer, wire in self.old.spec.table.roots.items():
            after = self.new.spec.table.roots.get(peer)
            if after is None or after == wire:
                continue
            left, right = root_field(self.old.spec, peer), root_field(self.new.spec, peer)
            if left is not None and right is not None:
                why = f"both hold the capabilities of the {peer}"
                yield (left.pointer, right.pointer), why

    def _moves(self) -> None:
        """The rows of renames.toml by which a field went to another record."""
        rows = [row for row in self.rows if row.table == "fields" and _moves(row)]
        if not rows:
            return
        lefts, rights = _all_fields(self.old), _all_fields(self.new)
        for row in rows:
            one, other = lefts.get(row.old), rights.get(row.new)
            if one is None or other is None or row.old in rights or row.new in lefts:
                continue
            self.moves.append(Move(*one, *other, row.evidence))
        self.moved = (
            frozenset(move.old.pointer for move in self.moves),
            frozenset(move.new.pointer for move in self.moves),
        )


def default_variant(union: Union) -> Variant | None:
    """The variant that a record becomes which turns into this union: the only one, or the only one that needs no tag."""
    if len(union.variants) == 1:
        return union.variants[0]
    free = [variant for variant in union.variants if variant.tag is None]
    return free[0] if union.tag is not None and len(free) == 1 else None


def _moves(row: RenameRow) -> bool:
    return row.old.partition(".")[0] != row.new.partition(".")[0]


def _all_fields(side: Surface) -> dict[str, tuple[Record, Field]]:
    found: dict[str, tuple[Record, Field]] = {}
    for record in side.spec.definitions.values():
        if isinstance(record, Record):
            for item in record.fields:
                found.setdefault(side.field_name(record, item), (record, item))
    return found


def _alike(left: AnyDefinition, right: AnyDefinition) -> bool:
    """The place may hold both: a record and a union of objects are, an enum and an alias are not."""
    if type(left) is type(right):
        return True
    objects = (Record, Union)
    return isinstance(left, objects) and isinstance(right, objects) and not isinstance(left, Enum)


def pair(old: Surface, new: Surface, rows: Sequence[RenameRow] = ()) -> Pairs:
    """The pairs of two surfaces. rows: of any versions; those about these two count."""
    return Pairs(old, new, between(rows, old.spec.version, new.spec.version))
