"""JSON Schema's keywords: which hold schemas, in which order they are written, and whether they are
well formed.

A walker must tell keywords from property names: inside `properties`, `description` is a property
like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from acpgen.problem import Problem
from acpgen.spec.jsontext import token


def _words(text: str) -> list[str]:
    return text.split()


DIALECT = "https://json-schema.org/draft/2020-12/schema"

PROSE = frozenset({"description", "examples", "$comment"})

SCHEMA_MAPS = frozenset({"properties", "patternProperties", "$defs", "dependentSchemas"})
SCHEMA_LISTS = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
SCHEMAS = frozenset(
    _words(
        "items additionalProperties unevaluatedProperties unevaluatedItems propertyNames contains "
        "contentSchema not if then else"
    )
)
IN_PLACE = frozenset({"allOf", "anyOf", "oneOf", "not", "if", "then", "else"})
"""The keywords whose schemas judge the same value as the schema that they stand in."""

_ORDER = {
    name: rank
    for rank, name in enumerate(
        _words(
            "$schema $id title $ref type format contentEncoding contentMediaType const "
            "enum default minimum exclusiveMinimum maximum exclusiveMaximum multipleOf "
            "minLength maxLength pattern prefixItems items contains minItems maxItems uniqueItems "
            "properties patternProperties required additionalProperties unevaluatedProperties "
            "propertyNames minProperties maxProperties "
            "discriminator allOf anyOf oneOf not if then else"
        )
    )
}


def rank(keyword: str) -> tuple[int, str]:
    """Sort key of a keyword: those of one order, then others, x- keywords, and `$defs` last."""
    if keyword in _ORDER:
        return (_ORDER[keyword], "")
    if keyword == "$defs":
        return (len(_ORDER) + 2, "")
    return (len(_ORDER) + (1 if keyword.startswith("x-") else 0), keyword)


def subschemas(schema: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The schemas directly inside a schema, each with its pointer from there."""
    for key, value in schema.items():
        if key in SCHEMA_MAPS and isinstance(value, dict):
            for name, item in value.items():
                yield f"/{key}/{token(name)}", item
        elif key in SCHEMA_LISTS and isinstance(value, list):
            for index, item in enumerate(value):
                yield f"/{key}/{index}", item
        elif key in SCHEMAS:
            yield f"/{key}", value


def walk(schema: Any, pointer: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every object schema in a schema, itself first, with its pointer. Boolean schemas are left
    out.
    """
    stack = [(pointer, schema)]
    while stack:
        place, item = stack.pop()
        if isinstance(item, dict):
            yield place, item
            stack.extend((place + step, inner) for step, inner in subschemas(item))


def schema_problems(document: Any, where: str) -> list[Problem]:
    """What makes a document no JSON Schema (2020-12), judged by the metaschema.

    The jsonschema library takes a third of a second for one of the real files, so a check of our
    own goes first that only ever accepts what the metaschema accepts; the library judges what it
    does not accept.
    """
    if _surely_valid(document):
        return []
    from jsonschema import Draft202012Validator  # costs 70 ms, rarely needed

    meta = Draft202012Validator(Draft202012Validator.META_SCHEMA)
    found = []
    for error in meta.iter_errors(document):
        pointer = "".join(f"/{token(str(part))}" for part in error.absolute_path)
        message = error.message if len(error.message) < 200 else error.message[:180] + " ..."
        found.append(Problem(f"{where}#{pointer}", f"is no JSON Schema: {message}"))
    return found


# The check of our own.
_TYPES = frozenset(_words("null boolean object array number integer string"))
_STRINGS = frozenset(
    _words(
        "$schema $ref title description $comment format contentEncoding contentMediaType pattern"
    )
)
_NUMBERS = frozenset(_words("minimum maximum exclusiveMinimum exclusiveMaximum"))
_COUNTS = frozenset(_words("minLength maxLength minItems maxItems minProperties maxProperties"))
_FREE = frozenset({"const", "default", "discriminator"})


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_type(value: Any) -> bool:
    if isinstance(value, str):
        return value in _TYPES
    return _is_names(value) and bool(value) and all(item in _TYPES for item in value)


def _is_names(value: Any) -> bool:
    return (
        isinstance(value, list)
        and all(isinstance(item, str) for item in value)
        and len(set(value)) == len(value)
    )


_CHECKS: dict[str, Callable[[Any], bool]] = {
    "type": _is_type,
    "required": _is_names,
    "enum": lambda value: isinstance(value, list),
    "examples": lambda value: isinstance(value, list),
    "uniqueItems": lambda value: isinstance(value, bool),
    **dict.fromkeys(_STRINGS, lambda value: isinstance(value, str)),
    **dict.fromkeys(_NUMBERS, _is_number),
    **dict.fromkeys(_COUNTS, lambda value: type(value) is int and value >= 0),
    **dict.fromkeys(_FREE, lambda value: True),
    **dict.fromkeys(SCHEMA_MAPS, lambda value: isinstance(value, dict)),
    **dict.fromkeys(SCHEMA_LISTS, lambda value: isinstance(value, list) and bool(value)),
    **dict.fromkeys(SCHEMAS, lambda value: True),
}


def _surely_valid(document: Any) -> bool:
    stack = [document]
    while stack:
        item = stack.pop()
        if isinstance(item, bool):
            continue
        if not isinstance(item, dict):
            return False
        for key, value in item.items():
            check = _CHECKS.get(key)
            if check is None:
                if not key.startswith("x-"):
                    return False
            elif not check(value):
                return False
        stack.extend(inner for _, inner in subschemas(item))
    return True
