"""What a rule may ask about a change: its `detail`, and what follows from it and the two Specs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from acpgen.diff.change import Change
from acpgen.diff.finding import PEERS
from acpgen.diff.judging import implication, relation
from acpgen.diff.judging.implication import Path
from acpgen.diff.judging.tolerated import Repairs
from acpgen.runtime.expressions import ExpressionError, parse
from acpgen.spec.ir import (
    Alias,
    AnyDefinition,
    ArrayType,
    Enum,
    Field,
    Json,
    LiteralType,
    Record,
    Spec,
    Type,
    Union,
)

# Changes of which values a place takes.
_VALUES = ("field.type", "field.bounds", "type.changed", "variant.type")


class Facts:
    """Facts about the changes between two Specs.

    Of a change of every kind: the entries of its `detail`. Beside these, where they apply:
    message: `request` or `notification`, of a method. gate, gated: what opens a method, a kind of update or a
      variant that came, and whether anything does.
    is_rule: a rule on a value came or went, not a gate. never: `was` or `now`, where that side of a gate lets nothing
      through. asks_receiver: who receives the message decides by its capabilities what a gate newly holds back, or
      newly lets through.
    required, closed: as booleans, of a property that came or went. free: what holds it takes any other property, and is
      what stands for unknown variants.
    open: the reader takes unknown values: of a variant or value that came the old side's, of one that went the new
      side's.
    effect: what the change of a type or of bounds does (`relation.Effect`), of the number of variants that may fit
      (`exclusive`, `inclusive`), of a gate (`implication.GateEffect`), or of a tolerance (`gained`, `lost`, `other`).
    annotated: the new side states one of the bounds that changed.
    nullable: `gained` or `lost` with another change. tolerated: readers repair what their schema does not take: null, or
      the values that come (by the old schema) or went (by the new one). lost: what becomes of these, in words.
    """

    def __init__(self, changes: Iterable[Change], old: Spec, new: Spec) -> None:
        self.old = old
        self.new = new
        changes = tuple(changes)
        rows = [row for spec in (old, new) for row in spec.table.rows]
        self._proxied = {row.method for row in rows} - {
            row.method for row in rows if row.side != "proxy"
        }
        self._fields = (_fields(old), _fields(new))
        self._repairs = Repairs(old), Repairs(new)
        wires = {item.wire for side in self._fields for item in side.values() if "." in item.wire}
        self.dotted = sorted(wires, key=lambda wire: (-len(wire), wire))
        self._opened = {
            name
            for change in changes
            if change.kind in ("type.open", "type.close")
            for name in (change.old.name, change.new.name, change.subject)
        }

        self.moved = {
            (change.old.name, change.new.name) for change in changes if change.kind == "field.moved"
        }
        self._freed = [
            (change, frozenset(_capabilities(change.detail.get("was"))))
            for change in changes
            if change.kind == "gate.removed"
        ]
        self._successors: dict[Path, Path] = {
            (str(change.detail["side"]), str(change.detail["was"])): (
                str(change.detail["side"]),
                str(change.detail["now"]),
            )
            for change in changes
            if change.kind in ("capability.moved", "capability.absorbed")
        }

    def of(self, change: Change) -> dict[str, Json]:
        """The facts about one change."""
        facts: dict[str, Json] = dict(change.detail)
        action = change.action
        if change.area == "method":
            facts["message"] = facts.get("kind")
            facts["gated"] = bool(facts.get("gate"))
        elif change.area == "gate":
            facts["is_rule"] = bool(facts.get("rule"))
            facts |= self._gate(change)
        elif change.area in ("variant", "value"):
            facts["gate"] = self._gate_of(change)
            facts["gated"] = bool(facts["gate"])
            owner = (change.new if change.new.exists else change.old).name.rpartition(":")[0]
            # The detail tells of the side that has it; who meets it unprepared is on the other.
            facts["open"] = bool(facts.get("open")) != (owner in self._opened)
            if action == "type":
                facts["effect"] = self._variant_effect(change, facts)
        elif change.kind == "type.kind":
            facts["effect"] = self._kind_effect(change)
        elif change.kind == "type.changed":
            facts["effect"] = self._alias_effect(change)
            facts["annotated"] = _annotated(facts)
        elif change.area == "field":
            if action in ("added", "removed"):
                owner = (change.new if change.new.exists else change.old).name
                facts["free"] = ":*." in owner and not facts.get("closed")
                facts["required"] = bool(facts.get("required"))
                facts["closed"] = bool(facts.get("closed"))
            elif action == "type":
                facts["effect"] = self._type_effect(change)
            elif action == "bounds":
                facts["effect"] = self._field_bounds(change, facts)
            elif action == "tolerance":
                facts["effect"] = _tolerance_effect(facts)
            if action == "bounds":
                facts["annotated"] = _annotated(facts)
            facts["nullable"] = _turned(facts.get("nullable"))
            facts["tolerated"] = self._null_is_taken(change)
        if lost := self._lost(change, facts.get("effect")):
            facts |= {"tolerated": True, "lost": list(lost)}
        return facts

    def fields(self, change: Change) -> tuple[Field | None, Field | None]:
        """The property on both sides."""
        old, new = self._fields
        return old.get(_bare(change.old.pointer)), new.get(_bare(change.new.pointer))

    def freed_by(self, side: Json, path: Json) -> list[Change]:
        """The gates that went and asked for a capability, or for one below it."""
        return [
            change
            for change, asked in self._freed
            if any(one == side and f"{at}.".startswith(f"{path}.") for one, at in asked)
        ]

    def for_proxies(self, change: Change) -> bool:
        """It is about messages that only proxies get."""
        if change.area in ("method", "gate"):
            return change.detail.get("side") == "proxy"
        return bool(change.uses) and self._proxied.issuperset(change.uses)

    def _gate(self, change: Change) -> dict[str, Json]:
        was, now = (str(change.detail.get(key) or "") for key in ("was", "now"))
        never = "now" if now == "never" else "was" if was == "never" else None
        if change.detail.get("rule"):
            return {"never": None}
        receivers = set(PEERS) - change.writers or set(PEERS)
        found = implication.turn(was, now, receivers, self._successors)
        return {"never": never, "effect": found.effect, "asks_receiver": found.asks_receiver}

    def _kind_effect(self, change: Change) -> str:
        old, new = _stands_for(self.old, change.old.pointer), _stands_for(
            self.new, change.new.pointer
        )
        if old is None or new is None:
            return "other"
        return relation.of_types(old, self.old, new, self.new)

    def _variant_effect(self, change: Change, facts: Mapping[str, Json]) -> str:
        if facts.get("bounds"):
            return _bounds_effect(facts, change.new.shape)
        old, new = _variant(self.old, change.old.name), _variant(self.new, change.new.name)
        if old is None or new is None:
            return "other"
        return relation.of_types(old, self.old, new, self.new)

    def _field_bounds(self, change: Change, facts: Mapping[str, Json]) -> str:
        _, new = self.fields(change)
        return _bounds_effect(facts, relation.schema_of(new.type, self.new) if new else None)

    def _gate_of(self, change: Change) -> str:
        """What opens a variant that came, in every message that holds it; "" where one needs nothing."""
        if change.kind != "variant.added" or not change.uses:
            return ""
        tag, value = change.detail.get("tag"), change.detail.get("value")
        gates = [self._gate_in(use, tag, value) for use in change.uses]
        return gates[0] if all(gates) else ""

    def _gate_in(self, use: str, tag: Json, value: Json) -> str:
        """What opens a value of a discriminator in the messages of a method, or a kind of update."""
        table = self.new.table
        updates = [item for item in table.updates if item.kind == use]
        if tag == table.update_tag and value == use:
            return next((item.requires for item in updates), "")
        checks = [check for item in updates for check in item.checks]
        for row in table.rows:
            if row.method == use:
                checks += [*row.checks, *row.result_checks]
        return next(
            (
                check.requires
                for check in checks
                if check.at.endswith(f"/{tag}") and ("is", value) in check.when
            ),
            "",
        )

    def _type_effect(self, change: Change) -> str:
        old, new = self.fields(change)
        if old is None or new is None:
            return "other"
        return relation.of_types(old.type, self.old, new.type, self.new)

    def _alias_effect(self, change: Change) -> str:
        old, new = _stands_for(self.old, change.old.pointer), _stands_for(
            self.new, change.new.pointer
        )
        schema = relation.schema_of(new, self.new) if new is not None else None
        bounds = change.detail.get("bounds")
        if isinstance(bounds, Mapping) and bounds:
            return relation.of_bounds(bounds, schema)
        keyword = change.detail.get("keyword")
        if isinstance(keyword, Mapping):
            if "now" in keyword:  # at least one of several variants, or exactly one
                return {"oneOf": "exclusive", "anyOf": "inclusive"}.get(
                    str(keyword["now"]), "other"
                )
            return relation.of_bounds(keyword, schema)
        if old is None or new is None:
            return "other"
        return relation.of_types(old, self.old, new, self.new)

    def _null_is_taken(self, change: Change) -> bool:
        """The side that does not allow null has readers repair it."""
        old, new = self.fields(change)
        reader = 0 if change.action == "nullable" else 1
        strict = (old, new)[reader]
        return strict is not None and self._repairs[reader].null(strict)

    def _lost(self, change: Change, effect: Json) -> tuple[str, ...]:
        """How a reader loses the values that come or went; () where it fails on them."""
        if change.kind in ("value.added", "variant.added"):
            readers: tuple[int, ...] = (0,)
        elif change.kind in ("value.removed", "variant.removed", "type.close"):
            readers = (1,)
        elif change.kind in _VALUES:
            readers = {"wider": (0,), "narrower": (1,), "other": (0, 1)}.get(str(effect), ())
        else:
            return ()
        inside = self._in_items(change)
        found = [
            self._repairs[reader].of((change.old, change.new)[reader].pointer, inside=inside)
            for reader in readers
        ]
        return tuple(dict.fromkeys(words for one in found for words in one)) if all(found) else ()

    def _in_items(self, change: Change) -> bool:
        """Only the items of an array property changed, or constants of them."""
        old, new = self.fields(change)
        if change.area == "value":
            held = old or new
            return held is not None and isinstance(held.type, ArrayType)
        bounds = change.detail.get("bounds")
        if isinstance(bounds, Mapping) and bounds:
            return all(str(key).split(".")[0] == "items" for key in bounds)
        kinds = [item.type for item in (old, new) if item is not None]
        lists = [kind for kind in kinds if isinstance(kind, ArrayType)]
        sizes = {(kind.min_items, kind.max_items) for kind in lists}
        return len(lists) == 2 and len(sizes) == 1


def _capabilities(gate: Json) -> set[Path]:
    """The capabilities that a gate asks for."""
    try:
        leaves = list(parse(str(gate)).leaves()) if gate else []
    except ExpressionError:
        return set()
    return {(leaf.side, ".".join(leaf.path)) for leaf in leaves if leaf.op == "capability"}


def _bounds_effect(facts: Mapping[str, Json], schema: Json) -> str:
    bounds = facts.get("bounds")
    return relation.of_bounds(bounds, schema) if isinstance(bounds, Mapping) and bounds else "other"


def _annotated(facts: Mapping[str, Json]) -> bool:
    """The new side states one of the keywords that changed."""
    bounds = facts.get("bounds")
    found = bounds.values() if isinstance(bounds, Mapping) else ()
    return any(isinstance(item, Mapping) and item.get("now") is not None for item in found)


def _tolerance_effect(facts: Mapping[str, Json]) -> str:
    was, now = facts.get("was"), facts.get("now")
    if not isinstance(was, Mapping) or not isinstance(now, Mapping):
        return "other"
    gained = any(now.get(key) and not was.get(key) for key in now)
    lost = any(was.get(key) and not now.get(key) for key in was)
    return "other" if gained == lost else "gained" if gained else "lost"


def _turned(item: Json) -> Json:
    """`gained` or `lost`, of a property that is or is not so on the two sides."""
    if isinstance(item, Mapping) and item.get("was") != item.get("now"):
        return "gained" if item.get("now") else "lost"
    return None


def _fields(spec: Spec) -> dict[str, Field]:
    return {
        _bare(item.pointer): item
        for definition in spec.definitions.values()
        if isinstance(definition, Record)
        for item in definition.fields
    }


def _stands_for(spec: Spec, pointer: str) -> Type | None:
    """The type that the alias or the enum at a pointer stands for."""
    for definition in spec.definitions.values():
        if _bare(definition.pointer) == _bare(pointer) and (found := _type_of(definition)):
            return found
    return None


def _variant(spec: Spec, name: str) -> Type | None:
    """The type of a variant, by `Union:label`."""
    owner, _, label = name.rpartition(":")
    for item in spec.definitions.values():
        if isinstance(item, Union) and owner in (item.wire, item.name):
            return next((one.type for one in item.variants if one.label == label), None)
    return None


def _type_of(definition: AnyDefinition) -> Type | None:
    if isinstance(definition, Enum):
        values = LiteralType(tuple(item.value for item in definition.values))
        return definition.scalar if definition.open else values
    return definition.type if isinstance(definition, Alias) else None


def _bare(pointer: str) -> str:
    """A pointer without the # of a reference."""
    return pointer.removeprefix("#")
