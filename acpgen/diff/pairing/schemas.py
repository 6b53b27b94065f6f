"""Schemas as they stand: steps of pointers, constants inside, and a schema cut down for showing."""

from __future__ import annotations

from typing import Any, cast

from acpgen.spec.ir import Json
from acpgen.spec.shapes import const_of, escape

_SMALL = 600  # characters of a shape that is shown as it stands
CHOICES = ("oneOf", "anyOf")


def unescape(step: str) -> str:
    """One step of a JSON pointer as the key that it means (RFC 6901)."""
    return step.replace("~1", "/").replace("~0", "~") if "~" in step else step


def pointer_to(*steps: str) -> str:
    return "#" + "".join(f"/{escape(step)}" for step in steps)


def value_step(schema: Any, value: Any) -> str | None:
    if not isinstance(schema, dict):
        return None
    values = schema.get("enum")
    if isinstance(values, list):
        for index, item in enumerate(values):
            if item == value and type(item) is type(value):
                return f"/enum/{index}"
    if "const" in schema and schema["const"] == value:
        return ""
    for word in CHOICES:
        for index, branch in enumerate(schema.get(word, ())):
            inner = value_step(branch, value)
            if inner is not None:
                return f"/{word}/{index}"
    inner = value_step(schema.get("items"), value)
    return f"/items{inner}" if inner is not None else None


def child(schema: Any, step: str) -> Any:
    if isinstance(schema, dict):
        return schema.get(unescape(step) if "~" in step else step)
    if isinstance(schema, list) and step.isdigit() and int(step) < len(schema):
        return schema[int(step)]
    return None


def shown(found: Any) -> Json:
    """A schema as a shape: itself where it is small, else its outline."""
    if not isinstance(found, dict) or len(str(found)) <= _SMALL:
        return cast(Json, found)
    outline: dict[str, Json] = {
        key: item
        for key, item in found.items()
        if isinstance(item, (str, bool, int)) or key == "required"
    }
    for key in ("properties", *CHOICES):
        if key in found:
            outline[key] = [_word(item) for item in _entries(found[key])]
    return outline


def _entries(found: Any) -> list[Any]:
    return list(found) if isinstance(found, dict) else found


def _word(item: Any) -> str:
    if not isinstance(item, dict):
        return str(item)
    tags = [str(const_of(one)) for one in item.get("properties", {}).values() if const_of(one)]
    return str(
        tags[0] if tags else item.get("title") or item.get("$ref") or item.get("type", "any")
    )
