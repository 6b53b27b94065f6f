"""Named tuples as Python source: calls with keywords, defaults left out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

WIDTH = 100


def source(value: Any, indent: int = 0) -> str:
    """The expression that makes an equal value: named tuples, tuples, mappings, scalars.

    Lines after the first are indented; a call or a display that fits its line stays on it.
    """
    flat = _flat(value)
    if indent + len(flat) <= WIDTH - 1 or not _parts(value):
        return flat
    inner = " " * (indent + 4)
    opened, closed = _brackets(value)
    lines = [
        f"{inner}{key}{source(item, indent + 4 + len(key) if not _parts(item) else indent + 4)},"
        for key, item in _parts(value)
    ]
    return "\n".join([opened, *lines, " " * indent + closed])


def _flat(value: Any) -> str:
    if isinstance(value, str):
        return _text(value)
    parts = _parts(value)
    if not isinstance(value, (tuple, Mapping)):
        return repr(value)
    opened, closed = _brackets(value)
    inside = ", ".join(f"{key}{_flat(item)}" for key, item in parts)
    if isinstance(value, tuple) and len(value) == 1 and not hasattr(value, "_fields"):
        inside += ","
    return f"{opened}{inside}{closed}"


def _parts(value: Any) -> list[tuple[str, Any]]:
    """(what stands before it, part) of everything that a value consists of."""
    if hasattr(value, "_fields"):
        defaults = value._field_defaults
        return [
            (f"{name}=", item)
            for name, item in zip(value._fields, value, strict=True)
            if name not in defaults or item != defaults[name]
        ]
    if isinstance(value, tuple):
        return [("", item) for item in value]
    if isinstance(value, Mapping):
        return [(f"{_text(key)}: ", item) for key, item in value.items()]
    return []


def _brackets(value: Any) -> tuple[str, str]:
    if hasattr(value, "_fields"):
        return f"{type(value).__name__}(", ")"
    return ("(", ")") if isinstance(value, tuple) else ("{", "}")


def _text(value: str) -> str:
    """A string in double quotes, unless it holds some and no single ones."""
    shown = repr(str(value))
    if shown.startswith("'") and '"' not in shown:
        return f'"{shown[1:-1]}"'
    return shown
