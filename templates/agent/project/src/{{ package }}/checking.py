"""Whether an event is what its class says. A type checker finds most of it before it happens; this
finds the rest, such as a None that a model's library gives, before it is stored or sent.
"""

from __future__ import annotations

import dataclasses
import functools
import types
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

DEPTH = 100
"""How many lists and objects of JSON may be in each other. Messages have an end at some 250."""


def check(event: Any) -> None:
    """Look at every field of an event. Raises TypeError, which says what is wrong and where: for
    another type than the field has, and for what is none of the values that it may have.
    """
    _check(event, type(event), type(event).__name__)


def _check(value: Any, wanted: Any, where: str) -> None:
    origin, arguments = get_origin(wanted), get_args(wanted)
    if origin in (types.UnionType, Union):
        rest = [one for one in arguments if one is not types.NoneType]
        if value is None and len(rest) < len(arguments):
            return
        # No field has a choice between what is not a plain class.
        if len(rest) > 1:
            _is_one(value, tuple(rest), where)
        else:
            _check(value, rest[0], where)
    elif origin is Literal:
        if value not in arguments:
            raise _wrong(where, " or ".join(map(repr, arguments)), value)
    elif origin is tuple:
        _is_one(value, (tuple, list), where)
        for place, item in enumerate(value):
            _check(item, arguments[0], f"{where}[{place}]")
    elif wanted is Any:
        _check_json(value, where, 0)
    else:
        _is_one(value, (wanted,), where)
        for name, type_ in _fields(wanted):
            _check(getattr(value, name), type_, f"{where}.{name}")


def _check_json(value: Any, where: str, depth: int) -> None:
    if depth > DEPTH:
        raise TypeError(f"{where.partition('[')[0]} is nested deeper than {DEPTH} levels")
    if isinstance(value, dict):
        for name, item in value.items():
            _is_one(name, (str,), f"a name in {where}")
            _check_json(item, f"{where}[{name!r}]", depth + 1)
    elif isinstance(value, list | tuple):
        for place, item in enumerate(value):
            _check_json(item, f"{where}[{place}]", depth + 1)
    elif value is not None:
        _is_one(value, (str, bool, int, float), where)
        if isinstance(value, float) and value - value != 0:
            raise _wrong(where, "a number that is finite", value)


def _is_one(value: Any, classes: tuple[type[Any], ...], where: str) -> None:
    if not isinstance(value, classes):
        raise _wrong(where, " or ".join(class_.__name__ for class_ in classes), value)


def _wrong(where: str, wanted: str, value: Any) -> TypeError:
    return TypeError(f"{where} has to be {wanted}, not {value!r:.200}")


@functools.cache
def _fields(class_: type[Any]) -> tuple[tuple[str, Any], ...]:
    if not dataclasses.is_dataclass(class_):
        return ()
    hints = get_type_hints(class_)
    return tuple((field.name, hints[field.name]) for field in dataclasses.fields(class_))
