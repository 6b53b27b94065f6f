"""The words that the sentences of rules are filled with: what changed, by its wire name, and what comes of it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cache, cached_property

from acpgen.diff.change import Change
from acpgen.diff.judging import values
from acpgen.diff.judging.facts import Facts
from acpgen.diff.judging.values import code, shown
from acpgen.diff.updates import update_unions
from acpgen.spec.ir import Json
from acpgen.spec.names import ClassName


class _Words(Mapping[str, str]):
    """Words that are made when they are asked for: a template asks for few of them."""

    def __init__(self, makers: Mapping[str, Callable[[], str]]) -> None:
        self._makers = makers

    def __getitem__(self, name: str) -> str:
        return self._makers[name]()

    def __iter__(self) -> Iterator[str]:
        return iter(self._makers)

    def __len__(self) -> int:
        return len(self._makers)


class Wording:
    """Words about the changes between two Specs."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.specs = (facts.old, facts.new)
        self._rows = Counter(
            name
            for spec in self.specs
            for name, count in Counter(row.method for row in spec.table.rows).items()
            if count > 1
        )

    @cached_property
    def messages(self) -> Mapping[str, str]:
        """Names of the types that are one message, and no other's: `NewSessionRequest` -> `session/new params`."""
        found: dict[str, set[str]] = {}
        for spec in self.specs:
            for row in spec.table.rows:
                for name, of in ((row.params, "params"), (row.result, "result")):
                    if name is not None:
                        label = spec.definitions[ClassName(name)].wire or name
                        found.setdefault(label, set()).add(f"{row.method} {of}")
        return {name: items.pop() for name, items in found.items() if len(items) == 1}

    @cached_property
    def updates(self) -> frozenset[str]:
        """The kinds of session/update on either side."""
        return frozenset(item.kind for spec in self.specs for item in spec.table.updates)

    @cached_property
    def _unions(self) -> frozenset[str]:
        """The unions that hold the kinds of session/update on either side."""
        return frozenset(name for spec in self.specs for name in update_unions(spec))

    def of(self, change: Change, facts: Mapping[str, Json]) -> Mapping[str, str]:
        """Every word that a template may ask for, each made when it does."""
        both = cache(lambda: values.was_and_now(change, facts))
        return _Words(
            {
                "it": lambda: self._it(change, facts),
                "new": lambda: self._new(change, facts),
                "was": lambda: both()[0],
                "now": lambda: both()[1],
                "gate": lambda: code(facts.get("gate")),
                "states": lambda: self._states(facts.get("now") or facts.get("gate")),
                "otherwise": lambda: self._otherwise(change, facts),
                "instead": lambda: _instead(facts),
                "successor": lambda: self._successor(change, facts),
                "by": lambda: self._freed(change, "nobody looks for it"),
                "by_whom": lambda: self._freed(change, "nobody advertises it"),
                "take": lambda: _taken(facts),
                "shape": lambda: values.reshaped(facts, ", and is {now} now, where it was {was}"),
                "value": lambda: values.reshaped(facts, ", as {now}"),
                "also": lambda: _also(change, facts),
                "also_write": lambda: " with a value" if facts.get("nullable") == "lost" else "",
                "also_read": lambda: " and for null" if facts.get("nullable") == "gained" else "",
                "tag": lambda: _tag(facts),
                "change": lambda: values.error_facts(facts),
                "lost": lambda: values.either(facts.get("lost")),
            }
        )

    # What changed

    def _it(self, change: Change, facts: Mapping[str, Json]) -> str:
        name = change.subject
        if change.area == "method":
            known = change.kind == "method.stability" and name in self.updates
            return f"update `{name}`" if known else self._method(name, facts)
        if change.area == "gate":
            return self._gated(name, facts)
        if change.area == "field":
            if self._moved(change):
                return f"{self._field(change.new.name)} (before: {self._field(name)})"
            return self._field(name, self._renamed(change))
        if change.area in ("variant", "value"):
            return self._choice(change.area, name, facts)
        if change.area == "capability":
            side, path = facts.get("side"), facts.get("was") or facts.get("now")
            return f"{side} capability `{path}`" if side and path else f"capability `{name}`"
        if change.area == "update":
            return f"update `{name}`"
        return f"`{name}`"

    def _method(self, name: str, facts: Mapping[str, Json]) -> str:
        if name in self._rows and facts.get("side"):
            return f"`{name}` ({facts.get('kind')} to the {facts['side']})"
        return f"`{name}`"

    def _gated(self, name: str, facts: Mapping[str, Json]) -> str:
        head = name.split(" ", 1)[0]
        owner = f"update `{head}`" if head in self.updates else self._method(head, facts)
        at = facts.get("at")
        if not at:
            return owner + values.condition(facts.get("when"))
        if head not in self.updates:
            owner = f"{head} {facts.get('of') or 'params'}"
        return f"`{at}` of {owner}{values.condition(facts.get('when'))}"

    def _moved(self, change: Change) -> bool:
        """Another finding says that the property is somewhere else now; this one is about what it is there."""
        ends = change.old.name, change.new.name
        return change.action not in ("renamed", "moved") and ends in self.facts.moved

    def _renamed(self, change: Change) -> str:
        """What a property is called now, where that is no change of its own here."""
        if change.action in ("renamed", "moved") or not (change.old.exists and change.new.exists):
            return ""
        before, after = (self._split(spot.name)[1] for spot in (change.old, change.new))
        return f" (now `{after}`)" if before != after else ""

    def _field(self, name: str, renamed: str = "") -> str:
        owner, field = self._split(name)
        if not owner:
            return f"`{name}`{renamed}"
        head, colon, tag = owner.partition(":")
        if colon and tag in self.updates:
            return f"`{field}`{renamed} of update `{tag}`"
        if tag == "*":
            return f"`{field}`{renamed} of any other variant of `{head}`"
        return (
            f"`{field}`{renamed} of {self.messages.get(head if not colon else owner, f'`{owner}`')}"
        )

    def _split(self, name: str) -> tuple[str, str]:
        """Type and property; the property's own name may have dots."""
        for wire in self.facts.dotted:
            if name.endswith(f".{wire}"):
                return name[: -len(wire) - 1], wire
        owner, _, field = name.rpartition(".")
        return owner, field

    def _choice(self, area: str, name: str, facts: Mapping[str, Json]) -> str:
        owner, _, tag = name.rpartition(":")
        if area == "variant" and tag in self.updates and owner in self._unions:
            return f"update `{tag}`"
        if area == "value" and "value" in facts:
            tag = shown(facts["value"])
        if tag == "*" and owner:
            return f"any other variant of {self._owner(owner)}"
        what = " (any JSON value)" if area == "variant" and facts.get("type") == "any" else ""
        return f"{area} `{tag}`{what}" + (f" of {self._owner(owner)}" if owner else "")

    def _owner(self, name: str) -> str:
        return self._field(name) if "." in name else f"`{name}`"

    def _new(self, change: Change, facts: Mapping[str, Json]) -> str:
        name = change.new.name
        if change.area == "field":
            return self._split(name)[1] if change.action == "renamed" else self._field(name)
        if change.area == "variant":
            return name.rpartition(":")[2]
        if change.area == "capability":
            return str(facts.get("now") or name)
        return name

    def _states(self, gate: Json) -> str:
        """What the states that a gate asks for are, in words."""
        if not isinstance(gate, str) or "state:" not in gate:
            return ""
        states = {item.name: item.summary for spec in self.specs for item in spec.table.states}
        names = [name for name in re.findall(r"state: ([\w-]+)", gate) if states.get(name)]
        parts = [f"{name}: {states[name].rstrip('.')}" for name in names]
        return f" ({'; '.join(parts)})" if parts else ""

    # What comes of it

    def _otherwise(self, change: Change, facts: Mapping[str, Json]) -> str:
        """What becomes of a message whose gate does not hold: only a request is answered."""
        if facts.get("of") == "result":
            return "the answer is invalid otherwise"
        update = change.subject.split(" ", 1)[0] in self.updates
        if update or facts.get("kind") == "notification":
            return "nobody has to take it otherwise"
        return "it is refused otherwise"

    def _successor(self, change: Change, facts: Mapping[str, Json]) -> str:
        """What who reads it gets in its place."""
        names = facts.get("replaced_by")
        if not isinstance(names, list) or not names:
            return _instead(facts)
        listed = _and([f"`{name}`" for name in names])
        own = {row.method for row in self.facts.new.table.rows if row.side == facts.get("side")}
        if change.area == "method" and own.issuperset(map(str, names)):
            return f"implement {listed} instead"
        return f"{listed} {'comes' if len(names) == 1 else 'come'} instead"

    def _freed(self, change: Change, else_: str) -> str:
        """What a capability that is gone held back, and holds back no more."""
        found = [
            self._gated(item.subject, item.detail)
            for item in self.facts.freed_by(change.detail.get("side"), change.detail.get("was"))
        ]
        if not found:
            return else_
        few = found if len(found) < 4 else [*found[:2], f"{len(found) - 2} more"]
        return f"{_and(few)} {'does' if len(found) == 1 else 'do'} not need it any more"


def _and(parts: list[str]) -> str:
    """Parts as a list in a sentence."""
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))


def _instead(facts: Mapping[str, Json]) -> str:
    names = facts.get("replaced_by")
    note = f" ({facts['note']})" if facts.get("note") else ""
    if isinstance(names, list) and names:
        return "use " + ", ".join(f"`{name}`" for name in names) + f" instead{note}"
    return f"nothing replaces it{note}"


def _also(change: Change, facts: Mapping[str, Json]) -> str:
    """What else changed with a property, as the end of a sentence."""
    parts = []
    if facts.get("nullable") == "lost":
        parts.append("may not be null any more")
    elif facts.get("nullable") == "gained":
        parts.append("may be null now")
    presence, default = facts.get("presence"), facts.get("default")
    if isinstance(presence, Mapping) and presence.get("was") == "patch":
        parts.append("leaving it out does not keep the value any more")
    elif isinstance(presence, Mapping) and presence.get("now") == "patch":
        parts.append("leaving it out keeps the value")
    if isinstance(default, Mapping) and change.action != "required":
        parts.append(f"an absent one means {values.default(default, 'now')}")
    return f", and {' and '.join(parts)}" if parts else ""


def _tag(facts: Mapping[str, Json]) -> str:
    tag, value = facts.get("tag"), facts.get("value")
    return f": `{tag}` is `{shown(value)}`" if tag and value is not None else ""


def _taken(facts: Mapping[str, Json]) -> str:
    """What an absent value is read as, as the end of a sentence."""
    if "now" in facts:
        return f"take {values.default(facts, 'now')}"
    return f"do not take {values.default(facts, 'was')} any more: nothing stands for it"
