# Part of acpgen's runtime, copied as it is. Do not edit.
"""What a JSON value is, in words that type checkers follow."""

from __future__ import annotations

from typing import Any, TypeGuard


def is_object(value: Any) -> TypeGuard[dict[str, Any]]:
    """The value is a JSON object."""
    return isinstance(value, dict)


def is_array(value: Any) -> TypeGuard[list[Any]]:
    """The value is a JSON array."""
    return isinstance(value, list)


def is_pair(value: Any) -> TypeGuard[tuple[Any, Any]]:
    """The value is a tuple of two: a schema and its label."""
    return isinstance(value, tuple)
