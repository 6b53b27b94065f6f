"""Changed copies of a schema: one edit each, of every kind that an edit of a protocol may be."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from tests.oracle.contract import walk

Schema = dict[str, Any]
Defs = dict[str, Schema]

CHOICES = ("anyOf", "oneOf")


def mutants(defs: Defs, seed: int, count: int) -> Iterator[tuple[str, Defs]]:
    """(what was done, the changed definitions), `count` of them; equal seeds give equal mutants."""
    random = Random(seed)
    made = 0
    for _ in range(count * 12):
        if made == count:
            return
        name = random.choice(sorted(EDITS))
        changed = copy.deepcopy(defs)
        where = EDITS[name](changed, random)
        if where is not None and changed != defs:
            made += 1
            yield f"{name} {where}", changed


def _schemas(defs: Defs) -> Iterator[tuple[str, Schema]]:
    for key, definition in defs.items():
        for item in walk(definition):
            yield key, item


def _pick(
    defs: Defs, random: Random, fits: Callable[[Schema], object]
) -> tuple[str, Schema] | tuple[None, None]:
    found = [(key, item) for key, item in _schemas(defs) if fits(item)]
    return random.choice(found) if found else (None, None)


def _has(*words: str) -> Callable[[Schema], bool]:
    return lambda item: any(item.get(word) for word in words)


def _drop_property(defs: Defs, random: Random) -> str | None:
    key, item = _pick(defs, random, _has("properties"))
    if item is None:
        return None
    name = random.choice(sorted(item["properties"]))
    del item["properties"][name]
    item["required"] = [one for one in item.get("required", ()) if one != name]
    return f"{key}.{name}"


def _add_property(defs: Defs, random: Random) -> str | None:
    key, item = _pick(defs, random, _has("properties"))
    if item is None:
        return None
    kinds: list[Schema] = [
        {"type": "string"},
        {"type": ["integer", "null"], "minimum": 0},
        {"type": "array", "items": {"type": "boolean"}},
        {"$ref": f"#/$defs/{random.choice(sorted(defs))}"},
    ]
    item["properties"]["extra"] = random.choice(kinds)
    if random.random() < 0.5:
        item["required"] = [*item.get("required", ()), "extra"]
    return f"{key}.extra"


def _rename_property(defs: Defs, random: Random) -> str | None:
    key, item = _pick(defs, random, _has("properties"))
    if item is None:
        return None
    name = random.choice(sorted(item["properties"]))
    item["properties"][f"{name}Too"] = item["properties"].pop(name)
    item["required"] = [f"{one}Too" if one == name else one for one in item.get("required", ())]
    return f"{key}.{name}"


def _toggle_required(defs: Defs, random: Random) -> str | None:
    key, item = _pick(defs, random, _has("properties"))
    if item is None:
        return None
    name = random.choice(sorted(item["properties"]))
    required = list(item.get("required", ()))
    if name in required:
        required.remove(name)
    else:
        required.append(name)
    item["required"] = required
    return f"{key}.{name}"


def _toggle_null(defs: Defs, random: Random) -> str | None:
    key, item = _pick(defs, random, lambda one: isinstance(one.get("type"), (str, list)))
    if item is None or "const" in item or "enum" in item:
        return None
    kind = item["type"]
    if isinstance(kind, list):
        item["type"] = [one for one in kind if one != "null"] or "string"
    else:
        item["type"] = [kind, "null"]
    return key


def _change_type(defs: Defs, random: Random) -> str | None:
    kinds = ["string", "integer", "number", "boolean"]
    key, item = _pick(
        defs, random, lambda one: str(one.get("type")) in kinds and "const" not in one
    )
    if item is None or "enum" in item:
        return None
    item["type"] = random.choice([one for one in kinds if one != item["type"]])
    return key


def _bound(defs: Defs, random: Random) -> str | None:
    bounds: dict[str, list[tuple[str, Any]]] = {
        "string": [("minLength", 2), ("maxLength", 3), ("pattern", "^a+$"), ("format", "uri")],
        "integer": [("minimum", 3), ("maximum", 3), ("exclusiveMinimum", 0), ("multipleOf", 2)],
        "number": [("minimum", 0.5), ("exclusiveMaximum", 3)],
        "array": [("minItems", 1), ("maxItems", 1)],
    }
    key, item = _pick(
        defs, random, lambda one: str(one.get("type")) in bounds and "const" not in one
    )
    if item is None:
        return None
    word, value = random.choice(bounds[item["type"]])
    if word in item:
        del item[word]
    else:
        item[word] = value
    return f"{key} {word}"


def _constant(defs: Defs, random: Random) -> str | None:
    key, item = _pick(defs, random, _has("const"))
    if item is None or not isinstance(item["const"], str):
        return None
    item["const"] += "_too"
    return f"{key} {item['const']}"


def _enum_value(defs: Defs, random: Random) -> str | None:
    key, item = _pick(defs, random, _has("enum"))
    if item is None:
        return None
    values = item["enum"]
    if len(values) > 1 and random.random() < 0.5:
        values.remove(random.choice(values))
    else:
        values.append("fresh" if isinstance(values[0], str) else 99)
    return f"{key} {values}"


def _drop_branch(defs: Defs, random: Random) -> str | None:
    key, item = _pick(defs, random, _has(*CHOICES))
    if item is None:
        return None
    word = next(one for one in CHOICES if item.get(one))
    if len(item[word]) > 1:
        item[word].remove(random.choice(item[word]))
    return f"{key} {word}"


def _add_branch(defs: Defs, random: Random) -> str | None:
    key, item = _pick(defs, random, _has(*CHOICES))
    if item is None:
        return None
    word = next(one for one in CHOICES if item.get(one))
    branch = copy.deepcopy(random.choice(item[word]))
    branch.pop("title", None)
    for one in walk(branch):
        if isinstance(one.get("const"), str):
            one["const"] += "_more"
        elif isinstance(one.get("const"), int):
            one["const"] += 100
    item[word].insert(0, branch)
    return f"{key} {word}"


def _other_choice(defs: Defs, random: Random) -> str | None:
    key, item = _pick(defs, random, _has(*CHOICES))
    if item is None or all(item.get(one) for one in CHOICES):
        return None
    word, other = CHOICES if item.get("anyOf") else CHOICES[::-1]
    item[other] = item.pop(word)
    return f"{key} {other}"


def _close(defs: Defs, random: Random) -> str | None:
    key, item = _pick(defs, random, _has("properties"))
    if item is None:
        return None
    if item.get("additionalProperties") is False:
        del item["additionalProperties"]
    else:
        item["additionalProperties"] = False
    return key


def _drop_keyword(defs: Defs, random: Random) -> str | None:
    words = ("type", "not", "required", "items", "allOf", "additionalProperties", "default")
    key, item = _pick(defs, random, lambda one: any(word in one for word in words))
    if item is None:
        return None
    word = random.choice([one for one in words if one in item])
    del item[word]
    return f"{key} {word}"


def _other_target(defs: Defs, random: Random) -> str | None:
    key, item = _pick(defs, random, _has("$ref"))
    if item is None:
        return None
    item["$ref"] = f"#/$defs/{random.choice(sorted(defs))}"
    return f"{key} {item['$ref']}"


def _rename_type(defs: Defs, random: Random) -> str | None:
    key = random.choice(sorted(defs))
    for _, item in _schemas(defs):
        if item.get("$ref") == f"#/$defs/{key}":
            item["$ref"] += "Too"
    defs[f"{key}Too"] = defs.pop(key)
    return key


def _drop_type(defs: Defs, random: Random) -> str | None:
    used = {item.get("$ref") for _, item in _schemas(defs)}
    free = [key for key in sorted(defs) if f"#/$defs/{key}" not in used]
    if len(free) < 2:
        return None
    key = random.choice(free)
    del defs[key]
    return key


def _tolerance(defs: Defs, random: Random) -> str | None:
    key, item = _pick(defs, random, _has("properties"))
    if item is None:
        return None
    name = random.choice(sorted(item["properties"]))
    schema = item["properties"][name]
    if not isinstance(schema, dict):
        return None
    word = "x-deserialize-default-on-error"
    schema.update({"x-deserialize-default-on-null": True} if word in schema else {word: True})
    return f"{key}.{name}"


def _method(defs: Defs, random: Random) -> str | None:
    key, item = _pick(defs, random, _has("x-method"))
    if item is None:
        return None
    old = item["x-method"]
    change = random.choice(["method", "side"])
    for _, one in _schemas(defs):
        if one.get("x-method") == old:
            if change == "method":
                one["x-method"] = f"{old}_too"
            else:
                one["x-side"] = "client" if one.get("x-side") == "agent" else "agent"
    return f"{key} {change}"


EDITS: dict[str, Callable[[Defs, Random], str | None]] = {
    "drop property": _drop_property,
    "add property": _add_property,
    "rename property": _rename_property,
    "toggle required": _toggle_required,
    "toggle null": _toggle_null,
    "change type": _change_type,
    "bound": _bound,
    "constant": _constant,
    "enum value": _enum_value,
    "drop branch": _drop_branch,
    "add branch": _add_branch,
    "other choice": _other_choice,
    "close": _close,
    "drop keyword": _drop_keyword,
    "other target": _other_target,
    "rename type": _rename_type,
    "drop type": _drop_type,
    "tolerance": _tolerance,
    "method": _method,
}
