# Part of acpgen's runtime, copied as it is. Do not edit.
"""JSON text, as bytes, to Python objects and back: one message, one line."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

from pydantic import BaseModel
from pydantic_core import PydanticSerializationError, from_json, to_json, to_jsonable_python

# An escape of any kind is consumed whole, so that an escaped backslash hides what follows it.
_ESCAPES = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    r"|(?P<lone>u[dD][89a-fA-F][0-9a-fA-F]{2})|.)",
    re.DOTALL,
)


def parse(line: bytes) -> Any:
    """The JSON value of a line. Raises ValueError for what is no JSON.

    What the fast parser refuses and other implementations write is read all the same: half of a
    surrogate pair (a string that was cut inside an emoji) becomes U+FFFD, nesting may be as deep as
    Python's own parser goes, a byte order mark is skipped. NaN and Infinity are no JSON; of
    duplicate keys the last one counts.
    """
    try:
        return from_json(line, allow_inf_nan=False, cache_strings="keys")
    except ValueError:
        return _parse_slowly(line)


def _parse_slowly(line: bytes) -> Any:
    try:
        # Half a pair may also be encoded on its own, which is no UTF-8.
        text = _whole(line.decode("utf-8", "surrogatepass"))
        text = text.lstrip("\ufeff")
        if "\\ud" in text or "\\uD" in text:
            text = _ESCAPES.sub(_repair, text)
        return json.loads(text, parse_constant=_refuse)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _repair(escape: re.Match[str]) -> str:
    return "\\ufffd" if escape["lone"] else escape[0]


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _whole(text: str) -> str:
    """Text whose surrogates are joined to characters, or replaced where one stands alone."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def write(value: object) -> bytes:
    """The JSON text of a JSON value or a model, in one line. Raises ValueError or TypeError for
    what JSON cannot say.

    Numbers that are not finite become null; lone surrogates become U+FFFD. Nesting beyond some 250
    levels is refused.
    """
    try:
        if isinstance(value, BaseModel):
            return value.__pydantic_serializer__.to_json(value, by_alias=True)
        return to_json(value, by_alias=True, inf_nan_mode="null")
    except PydanticSerializationError:
        return _write_slowly(value)


def _write_slowly(value: object) -> bytes:
    """Lone surrogates, which the fast writer refuses."""
    plain = to_jsonable_python(value, by_alias=True, inf_nan_mode="null")
    return _whole(json.dumps(plain, ensure_ascii=False, separators=(",", ":"))).encode()
