"""What a rule may ask about a change: its `detail`, and what follows from it and the two Specs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from acpgen.diff.change import Change
from acpgen.diff.judging import relation
from acpgen.spec.ir import Alias, Field, Json, Record, Spec


class Facts:
    """Facts about the changes between two Specs.

    Of a change of every kind: the entries of its `detail`. Beside these, where they apply:
    message: `request` or `notification`, of a method. gated: something opens it.
    is_rule: a rule on a value came or went, not a gate. asks_receiver: the new gate is a capability of
      who receives the message.
    required, closed: as booleans, of a property that came or went.
    gate, gated: of a kind of session/update that came, too.
    gate, gated: of a variant that came, too.
    open: the union or enum took unknown values before, and takes them now.
    effect: what the change of a type or of bounds does (`relation.Effect`), or of a tolerance (`gained`,
      `lost`, `other`).
    nullable: `gained` or `lost` with another change. tolerated: readers take null for a default.
    """

    def __init__(self, changes: Iterable[Change], old: Spec, new: Spec) -> None:
        self.old = old
        self.new = new
        rows = [row for spec in (old, new) for row in spec.table.rows]
        self._proxied = {row.method for row in rows} - {
            row.method for row in rows if row.side != "proxy"
        }
        self._fields = (_fields(old), _fields(new))
        self._opened = {
            name
            for change in changes
            if change.kind in ("type.open", "type.close")
            for name in (change.old.name, change.new.name, change.subject)
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
            asked = set(re.findall(r"\b(agent|client):", str(facts.get("now") or "")))
            facts["asks_receiver"] = bool(asked - change.writers)
        elif change.area in ("variant", "value"):
            facts["gate"] = self._gate_of(change)
            facts["gated"] = bool(facts["gate"])
            owner = (change.new if change.new.exists else change.old).name.rpartition(":")[0]
            facts["open"] = bool(facts.get("open")) and owner not in self._opened
            if action == "type":
                facts["effect"] = _bounds_effect(facts)
        elif change.kind == "type.changed":
            facts["effect"] = self._alias_effect(change)
        elif change.area == "field":
            if action in ("added", "removed"):
                facts["required"] = bool(facts.get("required"))
                facts["closed"] = bool(facts.get("closed"))
            elif action == "type":
                facts["effect"] = self._type_effect(change)
            elif action == "bounds":
                facts["effect"] = _bounds_effect(facts)
            elif action == "tolerance":
                facts["effect"] = _tolerance_effect(facts)
            facts["nullable"] = _turned(facts.get("nullable"))
            facts["tolerated"] = self._null_is_taken(change)
        return facts

    def fields(self, change: Change) -> tuple[Field | None, Field | None]:
        """The property on both sides."""
        old, new = self._fields
        return old.get(_bare(change.old.pointer)), new.get(_bare(change.new.pointer))

    def for_proxies(self, change: Change) -> bool:
        """It is about messages that only proxies get."""
        if change.area in ("method", "gate"):
            return change.detail.get("side") == "proxy"
        return bool(change.uses) and self._proxied.issuperset(change.uses)

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
        bounds = change.detail.get("bounds")
        if isinstance(bounds, Mapping) and bounds:
            return relation.of_bounds(bounds)
        keyword = change.detail.get("keyword")
        if isinstance(keyword, Mapping):
            if "now" in keyword:  # one of several variants, or exactly one
                return {"oneOf": "narrower", "anyOf": "wider"}.get(str(keyword["now"]), "other")
            return relation.of_bounds(keyword)
        old = _alias(self.old, change.old.pointer)
        new = _alias(self.new, change.new.pointer)
        if old is None or new is None:
            return "other"
        return relation.of_types(old.type, self.old, new.type, self.new)

    def _null_is_taken(self, change: Change) -> bool:
        """The side that does not allow null has readers repair it."""
        old, new = self.fields(change)
        strict = old if change.action == "nullable" else new
        return strict is not None and (strict.tolerance.on_null or strict.tolerance.on_error)


def _bounds_effect(facts: Mapping[str, Json]) -> str:
    bounds = facts.get("bounds")
    return relation.of_bounds(bounds) if isinstance(bounds, Mapping) and bounds else "other"


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


def _alias(spec: Spec, pointer: str) -> Alias | None:
    for definition in spec.definitions.values():
        if isinstance(definition, Alias) and _bare(definition.pointer) == _bare(pointer):
            return definition
    return None


def _bare(pointer: str) -> str:
    """A pointer without the # of a reference."""
    return pointer.removeprefix("#")
