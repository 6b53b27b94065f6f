"""JSON over several lines, of which each holds as much as fits."""

from __future__ import annotations

import json

from acpgen.spec.ir import Json

_encode = json.JSONEncoder(ensure_ascii=False).encode


def lines(value: Json, width: int, step: str = "  ") -> list[str]:
    """The lines of a value; what is not longer than `width` characters stands on one. step: how far parts are
    indented.
    """
    found: list[str] = []
    _put(value, "", "", "", width, step, found)
    return found


def _put(
    value: Json, margin: str, lead: str, end: str, width: int, step: str, found: list[str]
) -> None:
    """Add a value, with the key that leads it and the comma that ends it."""
    if not value or not isinstance(value, (dict, list)):
        found.append(f"{margin}{lead}{_encode(value)}{end}")
        return
    if (short := _short(value, width - len(margin) - len(lead))) is not None:
        found.append(f"{margin}{lead}{short}{end}")
        return
    inner = margin + step
    last = len(value) - 1
    if isinstance(value, dict):
        found.append(f"{margin}{lead}{{")
        for number, (key, item) in enumerate(value.items()):
            name = _encode(key) + ": "
            _put(item, inner, name, "," if number < last else "", width, step, found)
        found.append(f"{margin}}}{end}")
    else:
        found.append(f"{margin}{lead}[")
        for number, item in enumerate(value):
            _put(item, inner, "", "," if number < last else "", width, step, found)
        found.append(f"{margin}]{end}")


def _short(value: dict[str, Json] | list[Json], room: int) -> str | None:
    """The value on one line, or None if it does not fit; large ones are not even written."""
    if len(value) > room // 2:
        return None
    text = _encode(value)
    return text if len(text) <= room else None
