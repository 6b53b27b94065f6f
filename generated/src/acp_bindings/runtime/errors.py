# Part of acpgen's runtime, copied as it is. Do not edit.
"""Why a value could not be decoded, with JSON pointers into the value."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pydantic_core import CoreSchema, ValidationError

from .locate import Found, escape, locate

_MESSAGES = {
    "missing": "is required",
    "none_required": "must be null",
    "extra_forbidden": "is not allowed here",
    "model_type": "must be an object",
    "model_attributes_type": "must be an object",
    "dict_type": "must be an object",
    "list_type": "must be an array",
    "string_type": "must be a string",
    "int_type": "must be an integer",
    "int_from_float": "must be an integer",
    "float_type": "must be a number",
    "bool_type": "must be true or false",
    "finite_number": "must be finite",
    "union_tag_not_found": "is required",
}

Item = tuple[str, str, str]


class DecodeError(ValueError):
    """A value is not what its type says.

    problems: one (pointer, message, kind) for each place that is wrong. The pointer (RFC 6901)
      leads into the wire value, "" is the whole of it; a missing property is named by the pointer
      that it would have. kind is a short constant.
    """

    def __init__(self, problems: Iterable[Item], title: str = "") -> None:
        self.problems: list[Item] = list(problems)
        self.title = title
        super().__init__(self.problems, title)

    def __str__(self) -> str:
        lines = "; ".join(
            f"{pointer or 'the value'} {message}" for pointer, message, _kind in self.problems
        )
        return f"{self.title}: {lines}" if self.title else lines

    @classmethod
    def of(cls, error: ValidationError, schema: CoreSchema, value: object) -> DecodeError:
        """From what pydantic says about a value that was read by this schema."""
        found: list[Found] = []
        for item in error.errors(include_url=False, include_context=True, include_input=False):
            found.append(
                locate(schema, item["loc"], item["type"], value, item.get("ctx", {}), item["msg"])
            )
        meant = [item for item in found if item.meant] or found
        problems: dict[str, Item] = {}
        for one in meant:
            pointer = "".join(f"/{escape(str(step))}" for step in one.path)
            problems.setdefault(pointer, (pointer, _message(one), one.kind))
        return cls(problems.values(), error.title)


def _message(item: Found) -> str:
    if item.kind == "union_tag_invalid":
        return f"must be one of {item.context.get('expected_tags', '')}"
    if item.kind in ("literal_error", "enum"):
        return f"must be {item.context.get('expected', '')}"
    fixed = _MESSAGES.get(item.kind)
    if fixed is not None:
        return fixed
    text: Any = item.message
    return str(text[:1].lower() + text[1:])
