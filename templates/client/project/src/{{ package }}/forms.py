"""Forms of an agent (elicitation), asked field by field. A form is a JSON Schema of one object."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from .questions import Questions
from .text import one_line

_SIMPLE = ("string", "number", "integer", "boolean", "array")
_TRIES = 5


class GivenUpError(Exception):
    """The user gave up the form."""


class UnanswerableError(Exception):
    """The form requires a field that cannot be asked on a terminal; the message names it."""


async def fill(questions: Questions, message: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    """Ask for every field of the form.

    Gives the answers by field, without those that were left empty. Raises GivenUpError and
    UnanswerableError.
    """
    fields: Mapping[str, Any] = schema.get("properties") or {}
    required = set(schema.get("required") or [])
    for name in sorted(required):
        if fields.get(name, {}).get("type") not in _SIMPLE:
            raise UnanswerableError(f"the form requires {one_line(name)!r}: no simple field")
    questions.screen.line(f"[form] {one_line(message)}", "yellow")
    found: dict[str, Any] = {}
    for name, field in fields.items():
        if field.get("type") in _SIMPLE:
            value = await _ask(questions, name, field, name in required)
            if value is not None:
                found[name] = value
    return found


async def _ask(questions: Questions, name: str, field: Mapping[str, Any], required: bool) -> Any:
    default = field.get("default")
    lines = []
    if field.get("description"):
        lines.append(f"    {one_line(field['description'])}")
    allowed = _allowed(field)
    lines += [
        f"    {number}. {one_line(title)}" for number, (_value, title) in enumerate(allowed, 1)
    ]
    hint = one_line(field.get("title") or name, 60)
    if default is not None:
        hint += f" [{one_line(str(default), 60)}]"
    elif not required:
        hint += " (optional)"
    for _ in range(_TRIES):
        answer = await questions.text(lines, f"{hint}: ")
        if answer is None:
            raise GivenUpError
        if answer == "" and default is not None:
            return default
        if answer == "" and not required:
            return None
        try:
            return _value(field, allowed, answer)
        except ValueError as error:
            lines = [f"    {error}"]
    raise GivenUpError


def _allowed(field: Mapping[str, Any]) -> list[tuple[str, str]]:
    """(value, title) of what may be chosen; empty: anything."""
    source = field.get("items") or field
    titled = source.get("oneOf") or source.get("anyOf")
    if titled:
        return [(option["const"], option["title"]) for option in titled]
    return [(value, value) for value in source.get("enum") or []]


def _value(field: Mapping[str, Any], allowed: Sequence[tuple[str, str]], answer: str) -> Any:
    """What was typed, as the field wants it. Raises ValueError, saying what is wrong."""
    kind = field["type"]
    if kind == "boolean":
        if answer.lower() in ("y", "yes", "true"):
            return True
        if answer.lower() in ("n", "no", "false"):
            return False
        raise ValueError("yes or no")
    if kind in ("integer", "number"):
        return _number(field, answer)
    if kind == "array":
        picked = [_chosen(allowed, part.strip()) for part in answer.split(",") if part.strip()]
        _within(len(picked), field.get("minItems"), field.get("maxItems"), "choices")
        return picked
    if allowed:
        return _chosen(allowed, answer)
    _within(len(answer), field.get("minLength"), field.get("maxLength"), "characters")
    return answer


def _number(field: Mapping[str, Any], answer: str) -> int | float:
    try:
        number: int | float = int(answer) if field["type"] == "integer" else float(answer)
    except ValueError:
        raise ValueError("a whole number" if field["type"] == "integer" else "a number") from None
    if number != number or number in (float("inf"), float("-inf")):
        raise ValueError("a number")
    _within(number, field.get("minimum"), field.get("maximum"), "")
    return number


def _chosen(allowed: Sequence[tuple[str, str]], answer: str) -> str:
    if re.fullmatch("[0-9]{1,4}", answer) and 1 <= int(answer) <= len(allowed):
        return allowed[int(answer) - 1][0]
    for value, title in allowed:
        if answer in (value, title):
            return value
    raise ValueError("one of the choices, by its number or its name")


def _within(value: float, least: float | None, most: float | None, what: str) -> None:
    if (least is not None and value < least) or (most is not None and value > most):
        bounds = [f"at least {least}"] if least is not None else []
        bounds += [f"at most {most}"] if most is not None else []
        raise ValueError(f"{' and '.join(bounds)} {what}".rstrip())
