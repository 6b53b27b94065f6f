"""A schema several times as large: its definitions copied under new names that refer to one
another.
"""

from __future__ import annotations

from typing import Any, TypeAlias

Json: TypeAlias = Any
_POINTER = "#/$defs/"


def multiply(contract: dict[str, Json], times: int) -> dict[str, Json]:
    """`contract` with `times` times its definitions; once is the contract itself.

    The copies have names of their own (`Copy2ContentBlock`) and refer to their own copies only.
    Methods and envelopes are not copied: they name what exists once on a wire.
    """
    result = {**contract, "$defs": dict(contract["$defs"])}
    for number in range(2, times + 1):
        for name, schema in contract["$defs"].items():
            if schema.get("x-docs-ignore"):
                continue
            plain = {
                key: value for key, value in schema.items() if key not in ("x-method", "x-side")
            }
            result["$defs"][f"Copy{number}{name}"] = _renamed(plain, f"Copy{number}")
    return result


def _renamed(node: Json, prefix: str) -> Json:
    if isinstance(node, list):
        return [_renamed(item, prefix) for item in node]
    if not isinstance(node, dict):
        return node
    return {
        key: (
            _POINTER + prefix + value.removeprefix(_POINTER)
            if key == "$ref" and isinstance(value, str)
            else _renamed(value, prefix)
        )
        for key, value in node.items()
    }
