"""Whether what a change says in words, before and after, is what the schemas say.

The words of a type are made once more, from raw JSON; those of bounds from the bounds that the change states, which are
judged on their own.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from tests.oracle.diff_raw import CHOICES, Raw, is_null, without_null

if TYPE_CHECKING:
    from tests.oracle.diff_check import Claim

IN_WORDS = frozenset(("type.changed", "field.type", "field.bounds", "variant.type"))
EXACT = {"oneOf": "exactly one of its variants", "anyOf": "at least one of its variants"}


def check_words(claim: Claim) -> Iterator[str]:
    """What is wrong with the words of a change, of the kinds that have some."""
    if f"{claim.change.area}.{claim.change.action}" not in IN_WORDS:
        return
    detail = claim.detail
    if detail["was"] == detail["now"]:
        yield "the words are the same"
    for key, (raw, spot) in zip(("was", "now"), claim.pairs(), strict=True):
        wanted = _wanted(detail, key, raw, spot)
        if isinstance(detail[key], str) and _parts(detail[key]) != _parts(wanted):
            yield f"{key}: {wanted}, not {detail[key]}"


def _wanted(detail: Mapping[str, Any], key: str, raw: Raw, spot: Any) -> str:
    if isinstance(detail.get("bounds"), Mapping):
        return of_bounds(detail["bounds"], key)
    keyword = detail.get("keyword")
    if isinstance(keyword, Mapping) and "was" in keyword:
        return EXACT[keyword[key]]
    if isinstance(keyword, Mapping):
        said = [f"{name} {json.dumps(item[key])}" for name, item in keyword.items() if item[key]]
        text = ", ".join(said) or "not stated"
        return text if len(text) <= 120 else f"{text[:116]} ..."
    return of_type(raw, raw.at(spot.pointer), whole=spot.pointer.count("/") == 2)


def _parts(text: str) -> list[str]:
    """The order of alternatives says nothing."""
    return sorted(text.split(" or "))


def of_bounds(bounds: Mapping[str, Any], key: str) -> str:
    """`minimum 0, maximum 1`, or that there is none."""
    said = [f"{name} {item[key]}" for name, item in bounds.items() if item.get(key) is not None]
    return ", ".join(said) or "unbounded"


def of_type(raw: Raw, schema: Any, whole: bool = False) -> str:
    """A schema in words: definitions by their key, scalars by their type, `array of`, `map of`, `A or B`, `any`.

    whole: it is a definition itself, whose name is no answer.
    """
    left = without_null(schema)
    null = not whole and left != schema
    text = _of_type(raw, left)
    return f"{text} or null" if null else text


def _of_type(raw: Raw, schema: Any) -> str:
    if not isinstance(schema, dict):
        return "any"
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    if len(schema.get("allOf", ())) == 1:
        return of_type(raw, schema["allOf"][0])
    for word in CHOICES:
        if word in schema:
            return " or ".join(_of_type(raw, item) for item in schema[word] if not is_null(item))
    if "const" in schema or "enum" in schema:
        values = schema.get("enum", [schema.get("const")])
        return " or ".join(json.dumps(value) for value in values)
    kind = schema.get("type")
    if isinstance(kind, list):
        return " or ".join(kind)
    if kind == "array":
        return f"array of {_inner(raw, schema.get('items'))}"
    if kind == "object":
        if isinstance(schema.get("additionalProperties"), dict):
            return f"map of {_inner(raw, schema['additionalProperties'])}"
        return "map of any" if not schema.get("properties") else "object"
    return str(kind or "any")


def _inner(raw: Raw, schema: Any) -> str:
    text = of_type(raw, schema)
    return f"({text})" if " or " in text else text
