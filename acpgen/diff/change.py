"""Facts: what differs between two Specs, without judgement. `compare` makes them, `rules` judges them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from acpgen.spec.ir import Json

Peer = Literal["agent", "client"]
Area = Literal[
    "method", "type", "field", "variant", "value", "capability", "gate", "update", "error"
]


@dataclass(frozen=True, slots=True)
class Spot:
    """Where one side of a change stands.

    pointer: JSON pointer into the contract schema. For a thing that this side lacks: the nearest container that
      would hold it and does not ("" is the whole schema). exists: whether the thing itself stands there.
    name: its name on this side (wire names: method, `Type.property`, `Union:tag`, dotted capability path).
    shape: what stands there, as JSON; None where it does not exist.
    """

    pointer: str
    exists: bool
    name: str = ""
    shape: Json = None


@dataclass(frozen=True, slots=True)
class Change:
    """One transition between an old and a new Spec.

    area, action: what it is (`field`, `required`); every pair is a row of `change.ACTIONS`.
    subject: what changed, by the name it has in the old Spec, or in the new one if it is added.
    writers: who writes the value on the wire, in either Spec; the other peer reads it. Empty: nobody (metadata, a type
      that no message holds).
    evidence: why two things with different names are believed to be one; "" where the names are equal.
    uses: methods and updates whose messages hold the changed thing, sorted; at most a handful is shown to people.
    detail: what else a rule or a report needs, by name, as JSON; see `change.DETAIL`.
    """

    area: Area
    action: str
    subject: str
    old: Spot
    new: Spot
    writers: frozenset[Peer] = frozenset()
    evidence: str = ""
    uses: tuple[str, ...] = ()
    detail: Mapping[str, Json] = field(default_factory=dict)

    @property
    def kind(self) -> str:
        """`area.action`, as rules and waivers name it."""
        return f"{self.area}.{self.action}"


# Every action there is, with its mirror: what the same change is called from new to old. An action that is its own
# mirror states a change of a value.
ACTIONS: Mapping[str, str] = {
    # methods
    "method.added": "method.removed",
    "method.renamed": "method.renamed",
    "method.moved": "method.moved",  # to another side
    "method.kind": "method.kind",  # request <-> notification
    "method.params": "method.params",  # another params type (not a rename of the same)
    "method.result": "method.result",
    "method.stability": "method.stability",
    "gate.changed": "gate.changed",  # of a method, a place in its params or result, or an update
    "gate.added": "gate.removed",
    "method.errors": "method.errors",  # codes that it is known to answer, what it needs, code of the refusal
    # named types
    "type.added": "type.removed",
    "type.renamed": "type.renamed",
    "type.kind": "type.kind",  # record, union, enum, alias
    "type.closed": "type.opened",  # additionalProperties
    "type.changed": "type.changed",  # what an alias stands for, with all that scalars have
    # properties
    "field.added": "field.removed",
    "field.renamed": "field.renamed",
    "field.moved": "field.moved",  # to another record (a capability subtree, a nested object)
    "field.type": "field.type",
    "field.required": "field.optional",
    "field.nullable": "field.non_nullable",
    "field.default": "field.default",
    "field.presence": "field.presence",  # optional <-> patch
    "field.bounds": "field.bounds",  # of numbers, lengths, item counts, pattern, format
    "field.tolerance": "field.tolerance",
    # unions
    "variant.added": "variant.removed",
    "variant.renamed": "variant.renamed",  # its tag
    "variant.type": "variant.type",
    "variant.tag_required": "variant.tag_optional",
    "type.tag": "type.tag",  # the union's discriminator itself
    "type.open": "type.close",  # a union or an enum that takes, or no longer takes, unknown values
    # enums and literals
    "value.added": "value.removed",
    # capabilities
    "capability.added": "capability.removed",
    "capability.moved": "capability.moved",
    "capability.kind": "capability.kind",  # boolean <-> object
    "capability.absorbed": "capability.split",  # by a parent, whose presence now says it
    # session/update
    "update.semantics": "update.semantics",
    "update.identity": "update.identity",
    # error codes
    "error.added": "error.removed",
}


DETAIL: Mapping[str, str] = {
    "method.*": "side, kind (request, notification); `was` and `now` of what changed",
    "method.added, method.removed": "gate; replaced_by: methods of the new side that do the same; note: how, or "
    "what to do instead",
    "gate.*": "was, now: expressions ('' is none); side, kind: of the method; at: JSON pointer into its message "
    "('' is the message), of: params or result; when: conditions on the value there; rule: where not a gate but "
    "a rule on the value came, went or changed. The subject is `METHOD`, `METHOD PLACE` or a kind of update",
    "type.kind": "was, now: record, union, enum, alias",
    "type.changed": "was, now: type in words; bounds: keyword -> {was, now}, `items` and `values` for inner ones; "
    "keyword: the only keywords that changed, where the words are equal",
    "field.added, field.removed": "required, nullable, presence, type; closed: of the record; capability: its path",
    "field.type": "was, now: type in words; default: {was, now} where it changed too",
    "field.required, field.optional": "nullable: {was, now}, presence: {was, now}, default: {was, now}, where they "
    "changed with it",
    "field.nullable, field.non_nullable": "default: {was, now}, where it changed with it",
    "field.bounds": "bounds: keyword -> {was, now} (null: not stated); was, now: the keywords in words",
    "field.tolerance": "was, now: {on_error, skip_items, on_null}",
    "field.default": "was, now: JSON; absent if the schema states none",
    "field.presence": "was, now: required, optional, patch",
    "variant.*": "open: the union (of the new side; of the old one for removed) takes unknown tags; tag: the "
    "discriminator's property; type: in words",
    "variant.removed": "replaced_by: kinds of session/update that do the same",
    "variant.tag_required, variant.tag_optional": "tag: property, value: of the tag, from: record where there was "
    "no union before",
    "value.*": "open: the enum of the new side (of the old one for removed); value",
    "capability.*": "side; was, now: dotted paths; was_kind, now_kind: boolean, object, value; gates: what it opens",
    "update.*": "was, now",
    "error.*": "code",
}
"""What stands in `Change.detail`, by kind of change."""
