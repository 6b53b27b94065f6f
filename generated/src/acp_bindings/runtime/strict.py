# Part of acpgen's runtime, copied as it is. Do not edit.
"""Strict checking of JSON values against the contract schema: for senders, tests and tools.

Decoding is tolerant and needs pydantic alone; this needs jsonschema (the extra `strict`). The
annotations by which readers repair values are ignored here, closed unions are closed, and integer
formats bound their values. Paths that the protocol wants absolute must be absolute on some system:
decided by their text, whatever the host.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator, Mapping
from importlib import import_module, resources
from typing import Any, TypeAlias

from .base import WireModel, encode
from .checks import is_absolute
from .locate import escape
from .shapes import is_array, is_object

Problem: TypeAlias = tuple[str, str, str]

_PATHS = ("cwd", "additionalDirectories")
_COMMANDS = {"McpServerStdio": "command"}
_BOUNDS = {
    **{f"int{bits}": (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) for bits in (8, 16, 32, 64)},
    **{f"uint{bits}": (0, 2**bits - 1) for bits in (8, 16, 32, 64)},
}


def check(schema: Mapping[str, Any], name: str, value: object) -> list[Problem]:
    """What is wrong with a JSON value, as a `$defs` entry of the schema: (pointer, message, kind),
    empty if nothing is.

    Raises LookupError where the schema has no such entry, ImportError without jsonschema.
    """
    return _Checks(schema).check(name, value)


class Checker:
    """`check` for one surface: a type of its models, an alias or a name, and a value or an
    instance.
    """

    def __init__(self, package: str) -> None:
        self.package = package

    def __call__(self, type_: object, value: object) -> list[Problem]:
        return self._checks.check(self.name(type_), encode(value))

    @functools.cached_property
    def _checks(self) -> _Checks:
        text = resources.files(self.package).joinpath("schema.json").read_text(encoding="utf-8")
        return _Checks(json.loads(text))

    def name(self, type_: object) -> str:
        """The `$defs` key of a type. Raises LookupError where the schema has no definition that is
        exactly this type.
        """
        models = import_module(f"{self.package}.models")
        names: dict[str, str] = models.WIRE_TYPES
        shown = type_ if isinstance(type_, str) else getattr(type_, "__name__", repr(type_))
        if isinstance(type_, str):
            found = (
                [type_]
                if type_ in names
                else [wire for wire, name in names.items() if name == type_]
            )
        elif isinstance(type_, type) and not issubclass(type_, WireModel):
            raise LookupError(f"many definitions are {shown}; check it by name")
        else:
            found = [wire for wire, name in names.items() if getattr(models, name) is type_]
        if not found:
            raise LookupError(
                f"the schema of {self.package} has no definition for {shown} alone; "
                "check it as the union that it belongs to"
            )
        return found[0]


class _Checks:
    """The validators of one schema, made when they are first used."""

    def __init__(self, schema: Mapping[str, Any]) -> None:
        self.definitions: Mapping[str, Any] = schema["$defs"]
        self.validators: dict[str, Any] = {}

    def check(self, name: str, value: object) -> list[Problem]:
        if name not in self.definitions:
            raise LookupError(f"the schema has no {name!r}")
        if name not in self.validators:
            self.validators[name] = _validator(self.definitions, name)
        validator = self.validators[name]
        problems = [_deepest(error) for error in validator.iter_errors(value)]
        problems += _path_problems(self.definitions, validator.schema, value, "", validator)
        by_place = {
            pointer: (pointer, message, kind) for pointer, message, kind in reversed(problems)
        }
        return [by_place[pointer] for pointer in sorted(by_place)]


def _validator(definitions: Mapping[str, Any], name: str) -> Any:
    try:
        jsonschema: Any = import_module("jsonschema")
    except ImportError as error:
        raise ImportError(
            "strict checking needs jsonschema; install this package with the extra `strict`"
        ) from error
    base = jsonschema.Draft202012Validator
    types = base.TYPE_CHECKER.redefine("integer", _is_integer)
    class_ = jsonschema.validators.extend(base, type_checker=types)
    formats = jsonschema.FormatChecker(formats=())
    for format_, (low, high) in _BOUNDS.items():
        formats.checks(format_)(functools.partial(_in_bounds, low, high))
    return class_({"$ref": f"#/$defs/{escape(name)}", "$defs": definitions}, format_checker=formats)


def _is_integer(_checker: Any, value: object) -> bool:
    """JSON Schema takes 1.0 for an integer; readers of the protocol refuse it."""
    return isinstance(value, int) and not isinstance(value, bool)


def _in_bounds(low: int, high: int, value: object) -> bool:
    return not isinstance(value, int) or isinstance(value, bool) or low <= value <= high


def _deepest(error: Any) -> Problem:
    """The error that says most: for a choice, one of the branch whose constants the value has."""
    while error.context:
        branches: dict[Any, list[Any]] = {}
        for item in error.context:
            branches.setdefault(item.relative_schema_path[0], []).append(item)
        meant = [items for items in branches.values() if not any(map(_is_mismatch, items))]
        if not meant:
            break
        error = min(meant, key=len)[0]
    pointer = "".join(f"/{escape(str(step))}" for step in error.absolute_path)
    if error.validator == "required":
        missing = [key for key in error.validator_value if key not in error.instance]
        return f"{pointer}/{escape(str(missing[0]))}", "is required", "required"
    return pointer, _message(error), str(error.validator)


def _is_mismatch(error: Any) -> bool:
    """The error says that a branch of a choice was not meant at all: another tag, another JSON
    type.
    """
    depth = len(error.relative_path)
    return (depth == 0 and error.validator in ("type", "not", "const", "enum")) or (
        depth == 1 and error.validator == "const"
    )


def _message(error: Any) -> str:
    if error.validator == "type":
        types = error.validator_value
        return f"must be {' or '.join([types] if isinstance(types, str) else types)}"
    if error.validator in ("const", "enum"):
        return f"must be {json.dumps(error.validator_value)}"
    if error.validator in ("anyOf", "oneOf"):
        return "fits none of the forms, or more than one where one is allowed"
    return str(error.message)


def _path_problems(
    definitions: Mapping[str, Any], schema: Any, value: Any, pointer: str, validator: Any
) -> Iterator[Problem]:
    """Walk value and schema side by side, so that free-form data (`_meta`, `rawInput`) is left
    alone.
    """
    if not is_object(schema):
        return
    command = ""
    while "$ref" in schema and isinstance(schema["$ref"], str):
        name: str = schema["$ref"].removeprefix("#/$defs/").replace("~1", "/").replace("~0", "~")
        command = _COMMANDS.get(name, command)
        rest = {key: item for key, item in schema.items() if key != "$ref"}
        if "properties" in rest or "allOf" in rest:
            yield from _path_problems(definitions, rest, value, pointer, validator)
        schema = definitions.get(name, {})
        if not is_object(schema):  # a definition may be true: anything goes
            return
    for word in ("allOf", "anyOf", "oneOf"):
        for branch in schema.get(word, ()):
            if not is_object(branch):
                continue
            if word == "allOf" or validator.evolve(
                schema={**branch, "$defs": definitions}
            ).is_valid(value):
                yield from _path_problems(definitions, branch, value, pointer, validator)
    if is_array(value):
        for index, item in enumerate(value):
            yield from _path_problems(
                definitions, schema.get("items"), item, f"{pointer}/{index}", validator
            )
    if is_object(value):
        for key, item in schema.get("properties", {}).items():
            if key not in value:
                continue
            here = f"{pointer}/{escape(key)}"
            if key in _PATHS or key == command:
                yield from _relative(value[key], here)
            else:
                yield from _path_problems(definitions, item, value[key], here, validator)


def _relative(value: Any, pointer: str) -> Iterator[Problem]:
    if isinstance(value, str) and not is_absolute(value):
        yield pointer, "must be an absolute path", "absolute_path"
    elif is_array(value):
        for index, item in enumerate(value):
            yield from _relative(item, f"{pointer}/{index}")
