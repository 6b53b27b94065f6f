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


_TURN = {"was": "before", "now": "after"}
_METHOD = {"side": "who receives it", "kind": "request or notification, of the new side"}
_PLACE = {
    "at": "JSON pointer into the message, '' is the message",
    "of": "params or result",
    "when": "conditions on the value there",
    "rule": "where not a gate but a rule on the value came or went",
}
_FIELD = {
    "required": "whether it is",
    "nullable": "null is a value of it",
    "presence": "required, optional or patch",
    "closed": "its record takes no other property",
    "type": "in words",
}
_TAG = {
    "open": "unknown tags are taken: by the new side, by the old one of what was removed",
    "tag": "the property that is the discriminator",
}
_VALUE = {"open": "other values are taken: of the side that has it", "value": "the constant"}
_KIND = {"kind": "record, union, enum or alias", "stands_for": "of an alias: its type in words"}
_WITH = {"default": "{was, now}, where it changed with it"}

DETAIL: Mapping[str, Mapping[str, str]] = {
    "method.added": {**_METHOD, "gate": "what it needs, '' is nothing"},
    "method.removed": {
        **_METHOD,
        "gate": "what it needed, '' is nothing",
        "replaced_by": "methods of the new side that do the same",
        "note": "how they do it, or what to do instead",
    },
    "method.renamed": _METHOD,
    "method.moved": {**_METHOD, **_TURN},
    "method.kind": {**_METHOD, **_TURN},
    "method.params": {**_METHOD, **_TURN},
    "method.result": {**_METHOD, **_TURN},
    "method.stability": {**_METHOD, **_TURN},
    "method.errors": {
        **_METHOD,
        **_PLACE,
        "errors": "codes that it is known to answer, {was, now}",
        "needs": "what it presupposes, {was, now}",
        "error": "code of the refusal, by the method's gate or by the check at a place, {was, now}",
    },
    # the subject is METHOD, METHOD PLACE or a kind of update; was and now are expressions, '' is none
    "gate.added": {**_METHOD, **_PLACE, **_TURN},
    "gate.removed": {**_METHOD, **_PLACE, **_TURN},
    "gate.changed": {**_METHOD, **_PLACE, **_TURN},
    "type.added": _KIND,
    "type.removed": _KIND,
    "type.kind": _TURN,
    "type.changed": {
        **_TURN,
        "bounds": "keyword -> {was, now}; `items.` and `values.` before inner ones",
        "keyword": "the only keywords that changed, where the words are equal",
    },
    "type.tag": _TURN,
    "type.open": {"kind": "union or enum"},
    "type.close": {"kind": "union or enum"},
    "field.added": _FIELD,
    "field.removed": _FIELD,
    "field.type": {**_TURN, **_WITH},
    "field.required": {**_WITH, "nullable": "{was, now}", "presence": "{was, now}"},
    "field.optional": {**_WITH, "nullable": "{was, now}", "presence": "{was, now}"},
    "field.nullable": _WITH,
    "field.non_nullable": _WITH,
    "field.default": {"was": "JSON, absent if none is stated", "now": "the same"},
    "field.presence": {**_TURN, **_WITH},
    "field.bounds": {
        **_TURN,
        "bounds": "keyword -> {was, now}, null where not stated",
        "keyword": "the only keywords that changed, where no bound did",
    },
    "field.tolerance": {"was": "{on_error, skip_items, on_null}", "now": "the same"},
    "variant.added": {**_TAG, "value": "of the tag", "type": "in words"},
    "variant.removed": {
        **_TAG,
        "value": "of the tag",
        "type": "in words",
        "replaced_by": "kinds of update that do the same",
    },
    "variant.renamed": {**_TAG, **_TURN},
    "variant.type": {**_TAG, **_TURN, "bounds": "where only these changed: keyword -> {was, now}"},
    "variant.tag_required": {**_TAG, "value": "of the tag", "from": "record: there was no union"},
    "variant.tag_optional": {**_TAG, "value": "of the tag", "from": "record: there is no union"},
    "value.added": _VALUE,
    "value.removed": _VALUE,
    "error.added": _VALUE,
    "error.removed": _VALUE,
    **{
        f"capability.{action}": {
            "side": "who advertises it",
            "was": "its dotted path",
            "now": "its dotted path",
            "was_kind": "boolean, object or value",
            "now_kind": "boolean, object or value",
        }
        for action in ("added", "removed", "moved", "kind", "absorbed", "split")
    },
    "update.semantics": _TURN,
    "update.identity": _TURN,
}
"""What stands in `Change.detail`: kind of change -> name -> meaning. A kind that is not listed has no details."""
