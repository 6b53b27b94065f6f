# Part of acpgen's runtime, copied as it is. Do not edit.
"""Places in a message, by JSON pointer, whether it is JSON or a model: nothing is encoded."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any, Final

from pydantic import BaseModel
from pydantic_core import MISSING

from .locate import escape


class Absent(Enum):
    """Nothing is there. null and absent are one here: no gate tells them apart."""

    ABSENT = "absent"


ABSENT: Final = Absent.ABSENT


def step(value: Any, key: str) -> Any:
    """The property of that wire name, or ABSENT."""
    class_: Any = type(value)
    if class_ is dict or isinstance(value, Mapping):
        found = value.get(key)
    elif hasattr(class_, "__wire__") or isinstance(value, BaseModel):
        name = _python_names(class_).get(key)
        extra = value.__pydantic_extra__
        found = value.__dict__.get(name) if name is not None else extra.get(key) if extra else None
    else:
        return ABSENT
    return ABSENT if found is None or found is MISSING else found


def walk(value: Any, steps: tuple[str, ...], pointer: str = "") -> Iterator[tuple[str, Any]]:
    """(pointer, value) of every place that the steps lead to; `*` is every item of an array.

    A last step whose owner exists but lacks it gives ABSENT.
    """
    if not steps:
        yield pointer, value
        return
    first, rest = steps[0], steps[1:]
    if first == "*":
        if isinstance(value, (list, tuple)):
            for index, item in enumerate(value):
                yield from walk(item, rest, f"{pointer}/{index}")
        return
    found = step(value, first)
    here = f"{pointer}/{escape(first)}"
    if found is not ABSENT:
        yield from walk(found, rest, here)
    elif not rest and isinstance(value, (Mapping, BaseModel)):
        yield here, ABSENT


def leaves(value: Any, steps: tuple[str, ...]) -> list[Any]:
    """The values that `walk` gives, without their pointers: most messages hold nothing that has to
    be looked at any closer.
    """
    found = [value]
    for depth, key in enumerate(steps, 1):
        below: list[Any] = []
        for item in found:
            if key == "*":
                if isinstance(item, (list, tuple)):
                    below += item
                continue
            inner = step(item, key)
            if inner is not ABSENT or (
                depth == len(steps) and isinstance(item, (Mapping, BaseModel))
            ):
                below.append(inner)
        found = below
    return found


@functools.lru_cache(maxsize=1024)
def steps_of(pointer: str) -> tuple[str, ...]:
    """The steps of a pointer of the method table."""
    return tuple(part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:])


def python_name(class_: type[BaseModel], key: str) -> str | None:
    """The Python name of the field with that wire name, if the class has one."""
    return _python_names(class_).get(key)


@functools.lru_cache(maxsize=2048)
def _python_names(class_: type[BaseModel]) -> Mapping[str, str]:
    """Wire name -> Python name of a model's fields."""
    wire = getattr(class_, "__wire__", None)
    if wire is not None:
        return {wire.of(name): name for name in class_.model_fields}
    return {field.alias or name: name for name, field in class_.model_fields.items()}
