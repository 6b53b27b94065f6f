"""JSON text, read strictly.

The standard reader takes what JSON forbids or leaves open (NaN, a key that stands twice); here each
is a `Problem` with the pointer of the place. A byte-order mark is accepted, as editors write it.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator
from typing import Any

from acpgen.problem import Problem, ProblemError

MAX_DEPTH = 120
"""Levels of nesting; the real schemas have fewer than 20."""

_BOM = b"\xef\xbb\xbf"


class _Twice(dict[str, Any]):
    """An object some keys of which stand twice in the text."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        counts = Counter(key for key, _ in pairs)
        self.keys_twice = sorted(key for key, count in counts.items() if count > 1)


class _NoNumber:
    """Stands where the text has NaN, Infinity or a number that no float can hold."""

    def __init__(self, text: str) -> None:
        self.text = text


def load(text: bytes | str, where: str) -> Any:
    """The value that the text holds.

    text: UTF-8 bytes, with or without a byte-order mark, or a string. where: the file, for
    messages.
    Raises ProblemError with everything that is wrong: not UTF-8, not JSON, keys that stand twice,
    NaN and infinities, nesting beyond MAX_DEPTH, halves of surrogate pairs.
    """
    suspects: list[object] = []
    value = _decoded(_text(text, where), where, suspects)
    try:
        problems = list(_problems(value, where, bool(suspects)))
    except RecursionError:  # the caller's stack was nearly full
        raise ProblemError.of(where, "is nested too deeply") from None
    if problems:
        raise ProblemError(problems)
    return value


def token(text: str) -> str:
    """One reference token of a JSON pointer (RFC 6901)."""
    return text.replace("~", "~0").replace("/", "~1")


def _text(text: bytes | str, where: str) -> str:
    if isinstance(text, str):
        return text.removeprefix("\ufeff")
    try:
        return text.removeprefix(_BOM).decode("utf-8")
    except UnicodeDecodeError as error:
        hint = "save it as UTF-8"
        if text.startswith((b"\xff\xfe", b"\xfe\xff")):
            hint = "it begins with a UTF-16 byte-order mark; " + hint
        what = f"is not UTF-8 text: byte 0x{text[error.start]:02x} at offset {error.start}"
        raise ProblemError.of(where, what, hint) from None


def _decoded(text: str, where: str, suspects: list[object]) -> Any:
    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        plain = dict(items)
        if len(plain) == len(items):
            return plain
        suspects.append(twice := _Twice(items))
        return twice

    def number(text: str) -> float | _NoNumber:
        value = float(text)
        return no_number(text) if math.isinf(value) else value

    def no_number(text: str) -> _NoNumber:
        suspects.append(bad := _NoNumber(text))
        return bad

    try:
        return json.loads(
            text, object_pairs_hook=pairs, parse_float=number, parse_constant=no_number
        )
    except json.JSONDecodeError as error:
        what = f"is not JSON: {error.msg} at line {error.lineno}, column {error.colno}"
        hint = "it ends too early; fetch it again" if error.pos >= len(text.rstrip()) else ""
        raise ProblemError.of(where, what, hint) from None
    except RecursionError:
        raise ProblemError.of(where, "is nested too deeply") from None
    except ValueError as error:  # an integer with thousands of digits
        raise ProblemError.of(where, f"holds a number that cannot be read: {error}") from None


def _problems(value: Any, where: str, suspicious: bool) -> Iterator[Problem]:
    """Depth and surrogates always; the rest only where the decoder saw something."""
    stack: list[tuple[str, Any, int]] = [("", value, 0)]
    while stack:
        pointer, item, depth = stack.pop()
        place = f"{where}#{pointer}"
        if depth > MAX_DEPTH:
            yield Problem(where, f"is nested too deeply: more than {MAX_DEPTH} levels")
            return
        if isinstance(item, dict):
            if suspicious and isinstance(item, _Twice):
                for key in item.keys_twice:
                    yield Problem(place, f"has the key {key!r} twice", "keep one of them")
            for key, member in item.items():
                if not _encodable(key):
                    yield Problem(place, "has a key with half of a surrogate pair")
                elif not isinstance(member, (bool, int, float)):
                    stack.append((f"{pointer}/{token(key)}", member, depth + 1))
        elif isinstance(item, list):
            stack.extend((f"{pointer}/{i}", member, depth + 1) for i, member in enumerate(item))
        elif isinstance(item, str):
            if not _encodable(item):
                yield Problem(place, "is a string with half of a surrogate pair")
        elif isinstance(item, _NoNumber):
            what = f"is {item.text}, which is no JSON number that can be kept"
            yield Problem(place, what, "write a finite number")


def _encodable(text: str) -> bool:
    if text.isascii():
        return True
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
