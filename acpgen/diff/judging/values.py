"""How values are said: what something was and is, by the kind of change; bounds, defaults, tolerances, conditions."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from acpgen.diff.change import Change
from acpgen.spec.ir import Json

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


def was_and_now(change: Change, facts: Mapping[str, Json]) -> tuple[str, str]:
    """What it was and what it is, in words."""
    if change.kind == "field.default":
        return default(facts, "was"), default(facts, "now")
    bounds = facts.get("bounds")
    if isinstance(bounds, Mapping) and bounds and change.kind != "field.type":
        none = "none" if facts.get("effect") == "format" else "without a bound"
        return bounded(bounds, "was") or none, bounded(bounds, "now") or none
    pair = (facts.get("was"), facts.get("now"))
    if change.kind == "capability.kind":
        pair = (facts.get("was_kind"), facts.get("now_kind"))
    words = (said(change, facts, pair[0]), said(change, facts, pair[1]))
    return words[0], words[1]


def shown(value: Json) -> str:
    """A JSON value as text, strings without quotes."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def code(value: Json) -> str:
    """A value in backticks; "nothing" for none."""
    return f"`{shown(value)}`" if value not in (None, "") else "nothing"


def said(change: Change, facts: Mapping[str, Json], value: Json) -> str:
    """One value of a change, in the words of its kind."""
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


def default(facts: Mapping[str, Json], side: str) -> str:
    """What an absent value means on one side."""
    return code(_short(facts[side])) if side in facts else "nothing in particular"


def error_facts(facts: Mapping[str, Json]) -> str:
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


def either(value: Json) -> str:
    """Words of which one or the other holds."""
    return ", or ".join(map(shown, value)) if isinstance(value, list) else ""


def _listed(value: Json) -> str:
    return ", ".join(map(shown, value)) if isinstance(value, list) else shown(value)


def condition(when: Json) -> str:
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
    if name == "known":
        return f"the schema {'names' if value else 'does not name'} its value"
    if name == "present":
        return "it is there" if value else "it is absent"
    if name == "non_empty":
        return "it has entries" if value else "it is empty"
    return f"`{name}` is `{_listed(value)}`"


def reshaped(facts: Mapping[str, Json], template: str) -> str:
    was, now = facts.get("was_kind"), facts.get("now_kind")
    if was == now or not was or not now:
        return ""
    return template.format(was=_KINDS.get(str(was), was), now=_KINDS.get(str(now), now))
