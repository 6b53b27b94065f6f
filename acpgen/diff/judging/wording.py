"""The words that the sentences of rules are filled with: what changed, by its wire name, and what it was and is."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from acpgen.diff.change import Change
from acpgen.diff.judging.facts import Facts
from acpgen.spec.ir import Json
from acpgen.spec.names import ClassName

SEMANTICS: Mapping[str, str] = {
    "append": "adds to what is there",
    "append_bytes": "adds bytes to what is there",
    "create": "makes a new entity",
    "event": "tells of something once and changes no state",
    "patch": "changes the fields that it holds and keeps the others",
    "remove": "takes an entity away",
    "replace": "replaces the whole",
    "replace_by_id": "replaces the entity of that id",
    "set": "sets one value",
    "snapshot": "says the whole current state",
    "upsert": "makes an entity or changes the fields that it holds",
}
"""What the semantics of a kind of session/update are, as what an update does."""

_RULES = {
    "absolute_path": "an absolute path",
    "config_value": "a value of the option's type",
    "non_empty": "non-empty",
    "unique": "unique",
    "offered": "one of those offered",
    "agent_auth_method": "the id of a method that goes by the agent",
}
_CONDITIONS = {
    "is": "{key} is {value}",
    "is_not": "{key} is not {value}",
    "one_of": "{key} is one of {value}",
    "not_one_of": "{key} is none of {value}",
    "starts_with": "{key} begins with {value}",
    "not_starts_with": "{key} does not begin with {value}",
}
_KINDS = {
    "record": "an object",
    "union": "a choice of variants",
    "enum": "one of some values",
    "alias": "a plain value",
    "boolean": "a boolean (true)",
    "object": "an object ({})",
    "value": "a value",
}
_BOUNDS = {
    "minimum": "at least {value}",
    "maximum": "at most {value}",
    "exclusiveMinimum": "more than {value}",
    "exclusiveMaximum": "less than {value}",
    "multipleOf": "a multiple of {value}",
    "minLength": "{value} or more characters",
    "maxLength": "{value} or fewer characters",
    "minItems": "{value} or more items",
    "maxItems": "{value} or fewer items",
    "pattern": "the pattern `{value}`",
    "format": "the format {value}",
    "contentEncoding": "the encoding {value}",
    "contentMediaType": "the media type {value}",
}
_LONG = 60


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

    def of(self, change: Change, facts: Mapping[str, Json]) -> dict[str, str]:
        """Every word that a template may ask for."""
        was, now = self._was_now(change, facts)
        return {
            "it": self._it(change, facts),
            "new": self._new(change, facts),
            "was": was,
            "now": now,
            "gate": code(facts.get("gate")),
            "states": self._states(facts.get("now") or facts.get("gate")),
            "instead": _instead(facts),
            "by": _by(facts),
            "shape": _reshaped(facts, ", and is {now} now, where it was {was}"),
            "value": _reshaped(facts, ", as {now}"),
            "also": _also(change, facts),
            "also_write": " with a value" if _lost_null(facts) else "",
            "also_read": " and for null" if facts.get("nullable") == "gained" else "",
            "tag": _tag(facts),
            "change": _error_facts(facts),
        }

    # What changed

    def _it(self, change: Change, facts: Mapping[str, Json]) -> str:
        name = change.subject
        if change.area == "method":
            known = change.kind == "method.stability" and name in self.updates
            return f"update `{name}`" if known else self._method(name, facts)
        if change.area == "gate":
            return self._gated(name, facts)
        if change.area == "field":
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
            return owner + _condition(facts.get("when"))
        if head not in self.updates:
            owner = f"{head} {facts.get('of') or 'params'}"
        return f"`{at}` of {owner}{_condition(facts.get('when'))}"

    @staticmethod
    def _renamed(change: Change) -> str:
        """What a property is called now, where that is no change of its own here."""
        if change.action in ("renamed", "moved") or not (change.old.exists and change.new.exists):
            return ""
        before, after = (spot.name.rpartition(".")[2] for spot in (change.old, change.new))
        return f" (now `{after}`)" if before != after else ""

    def _field(self, name: str, renamed: str = "") -> str:
        owner, _, field = name.rpartition(".")
        if not owner:
            return f"`{name}`{renamed}"
        head, colon, tag = owner.partition(":")
        if colon and tag in self.updates:
            return f"`{field}`{renamed} of update `{tag}`"
        return (
            f"`{field}`{renamed} of {self.messages.get(head if not colon else owner, f'`{owner}`')}"
        )

    def _choice(self, area: str, name: str, facts: Mapping[str, Json]) -> str:
        owner, _, tag = name.rpartition(":")
        if area == "variant" and tag in self.updates and "Update" in owner:
            return f"update `{tag}`"
        if area == "value" and "value" in facts:
            tag = shown(facts["value"])
        return f"{area} `{tag}` of {self._owner(owner)}" if owner else f"{area} `{tag}`"

    def _owner(self, name: str) -> str:
        return self._field(name) if "." in name else f"`{name}`"

    def _new(self, change: Change, facts: Mapping[str, Json]) -> str:
        name = change.new.name
        if change.area == "field":
            return name.rpartition(".")[2] if change.action == "renamed" else self._field(name)
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

    # What it was and is

    def _was_now(self, change: Change, facts: Mapping[str, Json]) -> tuple[str, str]:
        if change.kind == "field.default":
            return _default(facts, "was"), _default(facts, "now")
        bounds = facts.get("bounds")
        if isinstance(bounds, Mapping) and bounds and change.kind != "field.type":
            none = "none" if facts.get("effect") == "format" else "without a bound"
            return bounded(bounds, "was") or none, bounded(bounds, "now") or none
        pair = (facts.get("was"), facts.get("now"))
        if change.kind == "capability.kind":
            pair = (facts.get("was_kind"), facts.get("now_kind"))
        words = (_said(change, facts, pair[0]), _said(change, facts, pair[1]))
        return words[0], words[1]


def shown(value: Json) -> str:
    """A JSON value as text, strings without quotes."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def code(value: Json) -> str:
    """A value in backticks; "nothing" for none."""
    return f"`{shown(value)}`" if value not in (None, "") else "nothing"


def _said(change: Change, facts: Mapping[str, Json], value: Json) -> str:
    if change.area == "gate":
        return _rule(value) if facts.get("is_rule") else code(value)
    if change.kind in ("type.kind", "capability.kind"):
        return _KINDS.get(str(value), shown(value))
    if change.kind == "update.semantics":
        return SEMANTICS.get(str(value), shown(value))
    if change.kind == "update.identity":
        return f"the entity that `{value}` names" if value else "the session"
    if change.kind == "field.tolerance":
        return tolerance(value)
    if change.kind in ("method.params", "method.result", "type.tag"):
        return code(value)
    if change.kind in ("field.type", "type.changed", "variant.type"):
        return code(_short(value))
    return _short(value)


def tolerance(value: Json) -> str:
    """What a reader does with a malformed value, in words."""
    if not isinstance(value, Mapping):
        return "it is an error"
    parts = [
        words
        for key, words in (
            ("on_error", "a malformed value is read as the default"),
            ("skip_items", "a malformed item is dropped"),
            ("on_null", "null is read as the default"),
        )
        if value.get(key)
    ]
    return ", ".join(parts) or "it is an error"


def _short(value: Json) -> str:
    text = shown(value)
    return text if len(text) <= 4 * _LONG else f"{text[: 4 * _LONG]}…"


def _rule(value: Json) -> str:
    name = str(value or "").partition(" ")[0]
    return _RULES.get(name, name or "anything")


def _default(facts: Mapping[str, Json], side: str) -> str:
    return code(_short(facts[side])) if side in facts else "nothing in particular"


def _error_facts(facts: Mapping[str, Json]) -> str:
    """What a method needs and answers, now and before."""
    parts = []
    for key, words in (
        ("errors", "codes"),
        ("needs", "needs"),
        ("error", "code where its gate does not hold"),
    ):
        item = facts.get(key)
        if isinstance(item, Mapping):
            now, was = (_listed(item.get(side)) or "none" for side in ("now", "was"))
            parts.append(f"{words} {now} (before: {was})")
    return f": {', '.join(parts)}" if parts else ""


def bounded(bounds: Mapping[str, Json], side: str) -> str:
    """Bounds in words, of one side: `1 or more items, the format uri`; "" for none."""
    parts = list(_bounds(bounds, side))
    return ", ".join(parts)


def _bounds(bounds: Mapping[str, Json], side: str) -> Iterator[str]:
    for keyword, change in bounds.items():
        if not isinstance(change, Mapping):
            continue
        if not {"was", "now"} & change.keys():
            yield from (f"{keyword}: {words}" for words in _bounds(change, side))
        elif (value := change.get(side)) is not None:
            template = _BOUNDS.get(keyword.rpartition(".")[2], "{keyword} {value}")
            yield template.format(keyword=keyword, value=shown(value))


def _listed(value: Json) -> str:
    return ", ".join(map(shown, value)) if isinstance(value, list) else shown(value)


def _condition(when: Json) -> str:
    """Conditions on a value, in words: ` (where it is `http`)`."""
    pairs: Sequence[tuple[str, Json]] = ()
    if isinstance(when, Mapping):
        pairs = list(when.items())
    elif isinstance(when, list):
        pairs = [
            (str(item[0]), item[1]) for item in when if isinstance(item, list) and len(item) == 2
        ]
    words = [_one_condition(name, value) for name, value in pairs]
    return f" (where {' and '.join(words)})" if words else ""


def _one_condition(name: str, value: Json) -> str:
    if name in _CONDITIONS:
        return _CONDITIONS[name].format(key="it", value=f"`{_listed(value)}`")
    if name == "present":
        return "it is there" if value else "it is absent"
    if name == "non_empty":
        return "it has entries" if value else "it is empty"
    return f"`{name}` is `{_listed(value)}`"


def _instead(facts: Mapping[str, Json]) -> str:
    names = facts.get("replaced_by")
    note = f" ({facts['note']})" if facts.get("note") else ""
    if isinstance(names, list) and names:
        return "use " + ", ".join(f"`{name}`" for name in names) + f" instead{note}"
    return f"nothing replaces it{note}"


def _by(facts: Mapping[str, Json]) -> str:
    gates = facts.get("gates")
    if isinstance(gates, list) and gates:
        few = [shown(item) for item in gates[:3]]
        more = f" and {len(gates) - 3} more" if len(gates) > 3 else ""
        return f" (it opened {', '.join(f'`{name}`' for name in few)}{more})"
    return ""


def _reshaped(facts: Mapping[str, Json], template: str) -> str:
    was, now = facts.get("was_kind"), facts.get("now_kind")
    if was == now or not was or not now:
        return ""
    return template.format(was=_KINDS.get(str(was), was), now=_KINDS.get(str(now), now))


def _lost_null(facts: Mapping[str, Json]) -> bool:
    return facts.get("nullable") == "lost"


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
        parts.append(f"an absent one means {_default(default, 'now')}")
    return f", and {' and '.join(parts)}" if parts else ""


def _tag(facts: Mapping[str, Json]) -> str:
    tag, value = facts.get("tag"), facts.get("value")
    return f": `{tag}` is `{shown(value)}`" if tag and value is not None else ""
