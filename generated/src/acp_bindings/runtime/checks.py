# Part of acpgen's runtime, copied as it is. Do not edit.
"""Conditions and rules about one value in a message: what no capability decides."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from .places import ABSENT, step
from .table import When

_ABSOLUTE = r"/|[A-Za-z]:[\\/]|\\\\[^\\/]+[\\/]+[^\\/]"


def is_absolute(path: str) -> bool:
    """POSIX-absolute, or a Windows drive or UNC path, whatever the host."""
    return re.match(_ABSOLUTE, path) is not None


def applies(when: When, value: Any) -> bool:
    """All conditions hold of the value at a place, which may be ABSENT."""
    # No generator: this runs for every message.
    for name, argument in when:  # noqa: SIM110
        if not _CONDITIONS[name](value, argument):
            return False
    return True


def asks_for_absence(when: When) -> bool:
    return ("present", False) in when


_CONDITIONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "is": lambda value, wanted: value is not ABSENT and bool(value == wanted),
    "is_not": lambda value, wanted: value is not ABSENT and bool(value != wanted),
    "one_of": lambda value, wanted: _is_in(value, wanted),
    "not_one_of": lambda value, wanted: value is not ABSENT and not _is_in(value, wanted),
    "starts_with": lambda value, start: isinstance(value, str) and value.startswith(start),
    "not_starts_with": lambda value, start: not (
        isinstance(value, str) and value.startswith(start)
    ),
    "present": lambda value, wanted: (value is not ABSENT) is wanted,
    "non_empty": lambda value, wanted: _has_items(value) is wanted,
}


def _is_in(value: Any, wanted: Any) -> bool:
    return any(value == item and type(value) is type(item) for item in wanted)


def _has_items(value: Any) -> bool:
    return isinstance(value, (list, tuple, str, Mapping)) and len(value) > 0


def _absolute_path(value: Any) -> str:
    if isinstance(value, str) and not is_absolute(value):
        return "must be an absolute path"
    return ""


def _non_empty(value: Any) -> str:
    return "" if _has_items(value) else "must not be empty"


def _config_value(value: Any) -> str:
    """In v1 the schema lets a boolean entry with a string pass for one without a known type."""
    if step(value, "type") == "boolean" and not isinstance(step(value, "value"), bool):
        return "has the type boolean, so its value must be true or false"
    return ""


RULES: Mapping[str, Callable[[Any], str]] = {
    "absolute_path": _absolute_path,
    "config_value": _config_value,
    "non_empty": _non_empty,
}
"""Rules about one value alone: name -> what is wrong with it, or "".

Those that need more than the value are handled by `gates.Gates`: `unique` (no two of the places
hold the same), `offered POINTER` (the value stands at that place of the request's params), and
`agent_auth_method` (the id of an auth method that the agent advertised and that goes by
auth/login or authenticate).
"""

CONTEXT_RULES = ("unique", "offered", "agent_auth_method")
