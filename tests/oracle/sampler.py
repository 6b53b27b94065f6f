"""Valid JSON values for any schema of a contract; equal seeds give equal values.

Every union variant is covered; optional fields are there, absent and null; lists empty and filled;
numbers and lengths at the edges of their bounds; text of many scripts; unknown fields, some named
like attributes of Python classes. jsonschema confirms every value before it is used.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Literal, get_args

from tests.oracle.contract import Contract, Json, Schema, Shape

Mode = Literal["minimal", "full", "nulls", "empty", "random", "extras"]
MODES: tuple[Mode, ...] = get_args(Mode)

TEXTS = (
    *(
        "",
        "a",
        "text",
        "two words",
        " ",
        "x" * 300,
        "null",
        "1",
        "true",
        "[]",
        "/a/path",
        "C:\\path",
        '"quoted"',
    ),
    *(
        "naïve ☃",
        "日本語",
        "\U0001f600 emoji",
        "e\u0301 combining",
        "line\nbreak\ttab",
        "\u2028\u0000",
        "مرحبا",
        "\ufeffbom",
    ),
    *("_custom", "zzz", "\x7f\x1b[0m", "\ud7ff\ue000\uffff"),
)
BY_FORMAT = {
    "uri": ("https://EXAMPLE.com", "file:///a%20b", "urn:x:1", "HTTP://h:80/?q#f"),
    "date-time": ("2026-11-29T10:00:00Z", "2026-11-29T10:00:00.120+02:00"),
    "regex": ("^a+$", ".*"),
}
PATTERNED = (
    "EUR",
    "USD",
    "eur",
    "_a.b/c",
    "A1",
    "abc-1",
    "0",
    "image/png",
    "2026-11-29",
    "0.1.0",
    "ab" * 16,
)
TAGS = ("_custom", "zzz")
ANYTHING: tuple[Json, ...] = (
    *(
        None,
        True,
        False,
        0,
        1,
        -1,
        2**40,
        -(2**62),
        1.5,
        -0.25,
        1e20,
        "any",
        "",
        "1",
        "\U0001f600",
        [],
        {},
        [None],
        [[]],
    ),
    *([1, None, {"k": []}], {"a": {"b": None}, "": 0}, {"type": "text"}, {"_meta": None}),
)
EXTRAS: dict[str, Json] = {
    "x-extra": {"a": [1, None], "b": {}},
    "meta": "an unknown field",
    "session_id": None,
    "mcp_servers": 1,
    "model_config": {},
    "model_dump": [],
    "model_extra": "m",
    "model_fields_set": 0,
    "copy": False,
    "json": "j",
    "schema": "s",
    "self": "s",
    "class": "c",
    "__class__": "d",
    "__dict__": 1,
    "__pydantic_extra__": 2,
    "": "empty",
    "ünï cödé": "u",
}
DEEP = 4
ATTEMPTS = 12


@dataclass(frozen=True)
class Sample:
    """A valid value and the shape that it was made for."""

    value: Json
    shape: Shape


class Sampler:
    """Makes values of one contract."""

    def __init__(self, contract: Contract, seed: int = 0) -> None:
        self.contract = contract
        self._seed = seed
        self._random = Random(seed)

    def samples(self, schema: Schema, least: int = 20) -> list[Sample]:
        """At least `least` different values, fewer only where the schema has no more, and each
        shape at least once.

        A shape without a valid value is an error: it would go untested.
        """
        self._random = Random(self._seed)
        shapes = self.contract.shapes(schema)
        each = max(3, -(-least // len(shapes)))
        found: list[Sample] = []
        seen: set[str] = set()
        for shape in shapes:
            count = 0
            for mode in self._modes(each):
                sample = self._valid(schema, shape, mode, seen)
                if sample is not None:
                    seen.add(json.dumps(sample.value))
                    found.append(sample)
                    count += 1
                if count >= each and mode == "random":
                    break
            if not count and not self._shadowed(schema, shape):
                raise LookupError(f"no valid value found for {shape.label or shape.keywords}")
        for _ in range(3 * least):
            if len(found) >= least:
                break
            sample = self._valid(schema, self._random.choice(shapes), "random", seen)
            if sample is not None:
                seen.add(json.dumps(sample.value))
                found.append(sample)
        return found

    def value(self, schema: Schema) -> Json:
        """One value, which need not be valid where a schema's parts exclude each other."""
        return self._value(schema, "random", 0)

    @staticmethod
    def _modes(count: int) -> Iterator[Mode]:
        yield from MODES
        for _ in range(3 * count + 6):
            yield "random"

    def _valid(self, schema: Schema, shape: Shape, mode: Mode, seen: set[str]) -> Sample | None:
        for _ in range(ATTEMPTS):
            value = self._of(shape, mode, 0)
            fits = self.contract.valid(schema, value) and self.contract.valid(shape.schema, value)
            if fits and json.dumps(value) not in seen:
                return Sample(value, shape)
        return None

    def _shadowed(self, schema: Schema, shape: Shape) -> bool:
        """Whether all the values of a shape were already found under another (`true` of boolean |
        anything).
        """
        return any(self.contract.valid(schema, self._of(shape, mode, 0)) for mode in MODES)

    def _value(self, schema: Schema, mode: Mode, depth: int) -> Json:
        shapes = self.contract.shapes(schema)
        if depth > DEEP:
            return self._of(min(shapes, key=lambda shape: len(shape.required)), "minimal", depth)
        if mode == "nulls" and any(shape.keywords.get("type") == "null" for shape in shapes):
            return None
        filled = [shape for shape in shapes if shape.keywords.get("type") != "null"]
        return self._of(self._random.choice(filled or shapes), mode, depth)

    def _of(self, shape: Shape, mode: Mode, depth: int) -> Json:
        keywords = shape.keywords
        if "const" in keywords:
            return keywords["const"]
        if "enum" in keywords:
            return self._random.choice(keywords["enum"])
        kind = keywords.get("type", "object" if shape.properties else None)
        match kind:
            case "object":
                return self._object(shape, mode, depth)
            case "array":
                return self._array(keywords, mode, depth)
            case "string":
                return self._string(keywords)
            case "integer" | "number":
                return self._number(keywords, kind)
            case "boolean":
                return self._random.random() < 0.5
            case "null":
                return None
            case _:
                return self._random.choice(ANYTHING)

    def _object(self, shape: Shape, mode: Mode, depth: int) -> Json:
        result: dict[str, Json] = {}
        tags = {name for guard in shape.guards for name in _guarded(guard)}
        inner: Mode = "minimal" if mode == "minimal" else "random" if mode == "extras" else mode
        for name, schemas in shape.properties.items():
            required = name in shape.required
            if not required and not self._wanted(schemas[-1], mode, depth):
                continue
            if name in tags:
                result[name] = self._random.choice(TAGS)
            elif not required and mode == "random" and self._random.random() < 0.15:
                result[name] = (
                    None
                    if self.contract.valid(schemas[-1], None)
                    else self._value(schemas[-1], inner, depth + 1)
                )
            else:
                result[name] = self._value(schemas[-1], inner, depth + 1)
        others = shape.keywords.get("additionalProperties", True)
        if isinstance(others, dict):
            for name in self._random.sample(
                ("k", "", "ключ"), 0 if mode in ("minimal", "empty") else 2
            ):
                result[name] = self._value(others, inner, depth + 1)
        elif others is not False and (mode in ("full", "extras") or self._random.random() < 0.2):
            likely = {snake(name): "an unknown field" for name in shape.properties}
            picked = (
                {**EXTRAS, **likely}
                if mode == "extras"
                else dict(self._random.sample(sorted(EXTRAS.items(), key=repr), 2))
            )
            result.update(
                {name: extra for name, extra in picked.items() if name not in shape.properties}
            )
        return result

    def _wanted(self, schema: Schema, mode: Mode, depth: int) -> bool:
        if depth > DEEP:
            return False
        match mode:
            case "minimal":
                return False
            case "nulls":
                return self.contract.valid(schema, None)
            case "empty":
                return any(
                    shape.keywords.get("type") in ("array", "object")
                    for shape in self.contract.shapes(schema)
                )
            case "random" | "extras":
                return self._random.random() < 0.5
            case "full":
                return True

    def _array(self, keywords: Schema, mode: Mode, depth: int) -> Json:
        least = keywords.get("minItems", 0)
        most = keywords.get("maxItems", least + 3)
        if mode in ("minimal", "empty") or depth > DEEP:
            count = least
        else:
            count = self._random.choice(
                [least, max(least, min(1, most)), max(least, min(2, most)), min(most, least + 3)]
            )
        return [self._value(keywords.get("items", {}), mode, depth + 1) for _ in range(count)]

    def _string(self, keywords: Schema) -> str:
        least, most = keywords.get("minLength", 0), keywords.get("maxLength")
        pattern = keywords.get("pattern")
        if pattern is not None:
            fitting = [text for text in (*PATTERNED, *TEXTS) if re.search(pattern, text)]
            return self._random.choice(fitting or PATTERNED)
        text: str = self._random.choice(BY_FORMAT.get(keywords.get("format", ""), TEXTS))
        text += "x" * (least - len(text))
        return text if most is None else text[:most]

    def _number(self, keywords: Schema, kind: str) -> Json:
        low = keywords.get("minimum", -(2**31))
        high = keywords.get("maximum", 2**31)
        choices: list[Json] = [value for value in (low, high, 0, 1, 7, -1) if low <= value <= high]
        if kind == "number":
            choices += [value for value in (0.5, 0.25, -1.25, 1e-3, 1e20) if low <= value <= high]
        choices += [self._random.randint(int(low), int(high)) for _ in range(4)]
        return self._random.choice(choices)


def snake(name: str) -> str:
    """The name that a field of this wire name is likely to have in Python."""
    return re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name).lower().lstrip("_")


def _guarded(guard: Schema) -> Iterator[str]:
    """Names of the tags that a `not` keeps out."""
    inner: Schema
    for inner in guard.get("anyOf", [guard]):
        yield from inner.get("properties", {})
