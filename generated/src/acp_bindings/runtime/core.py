# Part of acpgen's runtime, copied as it is. Do not edit.
"""From what a class says about its wire format to pydantic-core schema.

Nothing here runs while messages are decoded: `rewrite` changes the schema of a class once, when its
validator is built.
"""

from __future__ import annotations

import copy
import functools
import operator
from collections.abc import Callable, Collection, Mapping
from typing import Any, TypeAlias

from pydantic_core import MISSING, PydanticCustomError
from pydantic_core import core_schema as cs

from .shapes import is_object, is_pair
from .wire import Wire

# pydantic-core's schemas are dicts; its own types for them do not survive taking them apart.
Core: TypeAlias = dict[str, Any]
Make: TypeAlias = Callable[[], Any]

# Keys in the metadata of a schema: which branch of a choice a value was meant for; the wire name of
# a tag.
BRANCHES = "acp_branches"
TAG = "acp_tag"
# The error of a branch that would take the value; the error where more than one would.
MATCHED = "branch_matched"
AMBIGUOUS = "one_of"

_IS_NONE = functools.partial(operator.is_, None)


def rewrite(wire: Wire, schema: Core) -> None:
    """Rewrite the schema that pydantic made for a class, in place, so that it reads and writes the
    wire format.
    """
    written_if_set: dict[str, tuple[str, Make]] = {}
    for name, field in _fields(schema).items():
        alias = wire.of(name)
        field["validation_alias"] = field["serialization_alias"] = alias
        inner: Core = field["schema"]
        _label(inner)
        if inner["type"] != "default":
            field["schema"] = _required(wire, name, inner)
            continue
        if name in wire.tags:
            field["schema"] = inner["schema"]
            continue
        make = _default_of(inner)
        default = make()
        field["schema"] = _optional(wire, name, inner, make, default)
        if name in wire.omit_empty:
            field["serialization_exclude_if"] = operator.not_
        elif default is None:
            field["serialization_exclude_if"] = _IS_NONE
        elif default is not MISSING:
            written_if_set[name] = (alias, make)
    if written_if_set:
        _mark_unknown_keys(schema, written_if_set)
    # A class with an __init__ of its own is built through it, but decoded without it.
    schema["custom_init"] = False
    if written_if_set:
        schema["serialization"] = cs.wrap_serializer_function_ser_schema(
            functools.partial(_without_defaults, written_if_set), info_arg=True
        )


def _model_fields(schema: Core) -> Core:
    """The part of a class's schema that has its fields, below whatever wraps it."""
    while schema["type"] != "model-fields":
        schema = schema["schema"]
    return schema


def _fields(schema: Core) -> dict[str, Core]:
    fields: dict[str, Core] = _model_fields(schema)["fields"]
    return fields


def _default_of(schema: Core) -> Make:
    if "default_factory" in schema:
        factory: Make = schema["default_factory"]
        return factory
    return functools.partial(copy.copy, schema["default"])


def _optional(wire: Wire, name: str, schema: Core, make: Make, default: Any) -> Core:
    inner: Core = schema["schema"]
    if inner["type"] == "missing-sentinel":
        inner = {**inner, "schema": _value(wire, name, inner["schema"], make, default)}
    else:
        inner = _value(wire, name, inner, make, default)
    result = {**schema, "schema": inner}
    if name in wire.on_error:
        result["on_error"] = "default"
    return result


def _required(wire: Wire, name: str, schema: Core) -> Core:
    """A required field; where it has a fallback, a choice: with_default would make the key
    optional.
    """
    if name not in wire.fallback:
        return _value(wire, name, schema, None, None)
    make = functools.partial(copy.deepcopy, wire.fallback[name])
    inner = _value(wire, name, schema, make, wire.fallback[name])
    if name not in wire.on_error:
        return inner
    # The fallback is JSON: it goes through the field's own schema, so that objects become
    # instances.
    fallback = cs.no_info_before_validator_function(lambda _value: make(), _as_schema(schema))
    return choice({"value": inner, "fallback": dict(fallback)}, lambda _value: "value")


def _value(wire: Wire, name: str, schema: Core, make: Make | None, default: Any) -> Core:
    """The value of a field: what it says about null, then about malformed items."""
    nullable = schema["type"] == "nullable"
    inner: Core = schema["schema"] if nullable else schema
    if name in wire.skip_items:
        inner = _skip_items(inner)
    if name in wire.on_null and default is not None and make is not None:
        null = cs.no_info_after_validator_function(lambda _null: make(), cs.none_schema())
        return choice(
            {"value": inner, "null": dict(null)}, lambda value: "null" if value is None else "value"
        )
    if nullable and name not in wire.not_null:
        return dict(cs.nullable_schema(_as_schema(inner)))
    return inner


def _skip_items(schema: Core) -> Core:
    if schema["type"] == "nullable":
        return {**schema, "schema": _skip_items(schema["schema"])}
    if schema["type"] != "list" or "items_schema" not in schema:
        raise TypeError(f"skip_items needs an array, not {schema['type']}")
    return {
        **schema,
        "items_schema": cs.with_default_schema(schema["items_schema"], on_error="omit"),
    }


def _label(schema: Any) -> None:
    """Give the branches of an inline choice their numbers, and try them in that order."""
    if schema["type"] == "union" and BRANCHES not in (schema.get("metadata") or {}):
        plain: list[Any] = [item[0] if is_pair(item) else item for item in schema["choices"]]
        schema.update(choice({str(index): item for index, item in enumerate(plain)}, undecided))
    for key in ("schema", "items_schema", "values_schema"):
        if is_object(schema.get(key)):
            _label(schema[key])


def choice(branches: Mapping[str, Core], choose: Callable[[Any], str | None]) -> Core:
    """A choice that is tried left to right. `choose` names the branch whose errors matter for a
    value that none took.
    """
    choices: list[Any] = [(schema, label) for label, schema in branches.items()]
    return dict(cs.union_schema(choices, mode="left_to_right", metadata={BRANCHES: choose}))


def undecided(_value: Any) -> str | None:
    """Leaves the question to the reader of errors, who looks at what the branches require."""
    return None


def refuse_reserved(schema: Core, tag: str, reserved: Collection[str]) -> None:
    """Let the catch-all of a union refuse the tags that the union knows: such a value is an error
    of its own variant.
    """

    def check(value: str) -> str:
        if value in reserved:
            raise PydanticCustomError("known_tag", "this is the tag of a known variant")
        return value

    field = _fields(schema)[tag]
    field["schema"] = cs.no_info_after_validator_function(check, field["schema"])


class UnknownKey(str):
    """The key of an unknown field that is called like a field in Python.

    pydantic's set of given fields holds the keys of unknown fields too. It takes those of fields
    first, so this one is in it only where the field itself was absent.
    """

    __slots__ = ()


def _mark_unknown_keys(schema: Core, names: Collection[str]) -> None:
    """Let unknown keys that equal one of these names come out as `UnknownKey`."""
    marked = cs.no_info_after_validator_function(UnknownKey, cs.literal_schema([*names]))
    _model_fields(schema)["extras_keys_schema"] = choice(
        {"marked": dict(marked), "plain": dict(cs.str_schema())}, lambda _key: "plain"
    )


def _is_given(model: Any, name: str) -> bool:
    given: set[str] = model.__pydantic_fields_set__
    if name not in given:
        return False
    extra: dict[str, Any] = model.__pydantic_extra__ or {}
    return name not in extra or not any(
        key == name and isinstance(key, UnknownKey) for key in given
    )


def _without_defaults(
    fields: Mapping[str, tuple[str, Make]],
    model: Any,
    handler: cs.SerializerFunctionWrapHandler,
    info: cs.SerializationInfo,
) -> Any:
    """Write a default only where it was received or set: what was absent stays absent."""
    data = handler(model)
    for name, (alias, make) in fields.items():
        if not _is_given(model, name) and getattr(model, name) == make():
            data.pop(name if info.by_alias is False else alias, None)
    return data


def _as_schema(schema: Core) -> cs.CoreSchema:
    found: Any = schema
    result: cs.CoreSchema = found
    return result
