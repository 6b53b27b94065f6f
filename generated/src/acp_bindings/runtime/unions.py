# Part of acpgen's runtime, copied as it is. Do not edit.
"""Choices between types, decided by pydantic-core: markers for `Annotated`."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from types import NoneType
from typing import Any, get_args

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, PydanticCustomError
from pydantic_core import core_schema as cs

from .core import AMBIGUOUS, MATCHED, TAG, Core, choice, undecided
from .shapes import is_object

# Written as what it is, without a search for the branch that it came through.
_AS_IT_IS = cs.simple_ser_schema("any")


class Tagged:
    """Variants that are told apart by one property.

    tag: its wire name. variants: the type for each value of the tag.
    defaults: types that are tried, in this order, where no variant takes the value, whatever its
      tag says.
    other: the class for every tag that `variants` does not have; without it the choice is closed. A
      known tag with a malformed payload is an error of that variant, never the catch-all.
    """

    __slots__ = ("defaults", "other", "tag", "variants")

    def __init__(
        self,
        tag: str,
        variants: Mapping[Any, Any],
        *,
        defaults: Sequence[Any] = (),
        other: Any = None,
    ) -> None:
        self.tag = tag
        self.variants = variants
        self.defaults = defaults
        self.other = other

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        known = cs.tagged_union_schema(
            {tag: handler.generate_schema(variant) for tag, variant in self.variants.items()},
            self.tag,
            from_attributes=False,
            metadata={TAG: self.tag},
        )
        branches: dict[str, Core] = {"known": dict(known), "instance": dict(_instance_of(source))}
        for index, variant in enumerate(self.defaults):
            branches[f"default {index}"] = dict(handler.generate_schema(variant))
        if self.other is not None:
            branches["other"] = dict(handler.generate_schema(self.other))
        return _finished(choice(branches, self._choose))

    def _choose(self, value: Any) -> str | None:
        """The branch that a value was meant for; None leaves it to the keys of the value."""
        if not is_object(value):
            return "known"
        tag: Any = value.get(self.tag)
        if isinstance(tag, (str, int)) and tag in self.variants:
            return "known"
        if self.defaults:
            return "default 0" if len(self.defaults) == 1 and self.tag not in value else None
        return "other" if self.other is not None and isinstance(tag, str) else "known"


class Untagged:
    """Types that are tried from left to right, in the order of the annotation; `exclusive`: exactly
    one may match.
    """

    __slots__ = ("exclusive",)

    def __init__(self, *, exclusive: bool = False) -> None:
        self.exclusive = exclusive

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        variants = get_args(source)
        schemas = [
            dict(handler.generate_schema(variant))
            for variant in variants
            if variant is not NoneType
        ]
        branches = {str(index): schema for index, schema in enumerate(schemas)}
        if self.exclusive:
            branches = _Exclusive().branches(branches)
        schema = _finished(choice(branches, undecided))
        return schema if NoneType not in variants else cs.nullable_schema(schema)


class _Exclusive:
    """Tries every branch, and takes the value only where exactly one does (`oneOf`).

    Each branch reports what it made and makes way for the next; the last step decides.
    """

    def __init__(self) -> None:
        self._local = threading.local()

    def branches(self, branches: Mapping[str, Core]) -> dict[str, Core]:
        steps: dict[str, Core] = {}
        for index, (label, schema) in enumerate(branches.items()):
            probe = self._first if index == 0 else self._next
            inner: Any = schema
            steps[label] = dict(cs.no_info_wrap_validator_function(probe, inner))
        steps["decision"] = dict(cs.no_info_plain_validator_function(self._decide))
        return steps

    @property
    def _open(self) -> list[list[Any]]:
        found: list[list[Any]] = self._local.__dict__.setdefault("open", [])
        return found

    def _first(self, value: Any, handler: cs.ValidatorFunctionWrapHandler) -> Any:
        self._open.append([])
        return self._next(value, handler)

    def _next(self, value: Any, handler: cs.ValidatorFunctionWrapHandler) -> Any:
        # The handler may come back here for a value inside this one: its own list is on top then,
        # and gone again after.
        matches = self._open[-1]
        matches.append(handler(value))
        raise PydanticCustomError(MATCHED, "this form takes the value")

    def _decide(self, value: Any) -> Any:
        matches = self._open.pop()
        if len(matches) == 1:
            return matches[0]
        raise PydanticCustomError(
            AMBIGUOUS if matches else MATCHED,
            "fits more than one form, where exactly one is allowed",
        )


class Items:
    """Bounds for the length of an array."""

    __slots__ = ("maximum", "minimum")

    def __init__(self, minimum: int | None, maximum: int | None) -> None:
        self.minimum = minimum
        self.maximum = maximum

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        schema: Any = handler(source)
        if schema["type"] != "list":
            raise TypeError(f"only an array has a length, not {schema['type']}")
        if self.minimum is not None:
            schema["min_length"] = self.minimum
        if self.maximum is not None:
            schema["max_length"] = self.maximum
        result: CoreSchema = schema
        return result


def _instance_of(source: Any) -> CoreSchema:
    """What was built already goes through as it is; JSON text holds no instances, so there nothing
    does.
    """
    return cs.json_or_python_schema(
        cs.callable_schema(), cs.is_instance_schema(tuple(_classes(source)))
    )


def _classes(source: Any) -> Iterator[type]:
    if isinstance(source, type):
        yield source
    else:
        for item in get_args(source):
            if isinstance(item, type) or get_args(item):
                yield from _classes(item)


def _finished(schema: Core) -> CoreSchema:
    finished: Any = {**schema, "serialization": _AS_IT_IS}
    result: CoreSchema = finished
    return result


__all__ = ["Items", "Tagged", "Untagged"]
