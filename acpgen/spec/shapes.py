"""The shapes that ACP's schemas use, recognised one rule at a time.

A `Shape` is an object schema taken apart: its properties, the definitions that its allOf brings in, and the choice between
branches (anyOf, oneOf) that stands beside them. A shape that no rule knows is reported, never guessed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from acpgen.problem import Problem

Schema = Mapping[str, Any]

# Keywords that some rule reads, and keywords that say nothing about which values are valid.
_READ = frozenset(
    "$ref allOf anyOf oneOf not type const enum properties required additionalProperties unevaluatedProperties items "
    "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern minItems maxItems default "
    "discriminator format".split()
)
_SILENT = frozenset(
    "title description examples $comment contentEncoding contentMediaType deprecated readOnly writeOnly "
    "$schema $id $defs".split()
)

# What a reader does with a malformed value. A new one would change what is read: it must not pass unseen.
TOLERANCE = (
    "x-deserialize-default-on-error",
    "x-deserialize-skip-invalid-items",
    "x-deserialize-default-on-null",
)


def ref_name(ref: str) -> str:
    """The `$defs` key that a local reference names."""
    return ref.removeprefix("#/$defs/").replace("~1", "/").replace("~0", "~")


def escape(key: str) -> str:
    """A key as one step of a JSON pointer (RFC 6901)."""
    return key.replace("~", "~0").replace("/", "~1")


def plain(schema: Any) -> Any:
    """A schema in which no boolean stands for a schema: `true` is `{}`, and `false` a `not` that some rule reports.

    What holds no such boolean is given back as it is, not as a copy.
    """
    if isinstance(schema, bool):
        return {} if schema else {"not": {}}
    if not isinstance(schema, dict):
        return schema
    found = schema
    for key, value in schema.items():
        inner = value
        if key in ("properties", "$defs") and isinstance(value, dict):
            inner = {name: plain(item) for name, item in value.items()}
            if all(inner[name] is item for name, item in value.items()):
                inner = value
        elif key in ("allOf", "anyOf", "oneOf") and isinstance(value, list):
            inner = [plain(item) for item in value]
            if all(one is item for one, item in zip(inner, value, strict=True)):
                inner = value
        elif key in ("items", "not") or (
            key == "additionalProperties" and not isinstance(value, bool)
        ):
            inner = plain(value)
        if inner is not value:
            found = dict(schema) if found is schema else found
            found[key] = inner
    return found


def const_of(schema: Any) -> Any:
    """The only value that the schema allows, by `const` or by an `enum` of one; None where there is no such value."""
    if not isinstance(schema, Mapping):
        return None
    if "const" in schema:
        return schema["const"]
    values = schema.get("enum")
    return values[0] if isinstance(values, list) and len(values) == 1 else None


def constant_label(schema: Schema) -> str:
    """What a branch without a title is called where a number or a boolean tells it apart."""
    for name, item in schema.get("properties", {}).items():
        value = const_of(item)
        if isinstance(value, (bool, int)):
            return f"{name} {value}"
    return ""


def bare_ref(schema: Any) -> str | None:
    """The definition that a schema only refers to, by `$ref` or by an allOf of one `$ref`, beside annotations."""
    if not isinstance(schema, Mapping):
        return None
    if {key for key in schema if key in _READ} - {"$ref", "allOf", "default", "type"}:
        return None
    if "$ref" in schema and "allOf" not in schema:
        return ref_name(schema["$ref"])
    parts = schema.get("allOf")
    if (
        isinstance(parts, list)
        and len(parts) == 1
        and set(parts[0]) == {"$ref"}
        and "$ref" not in schema
    ):
        return ref_name(parts[0]["$ref"])
    return None


def is_null(schema: Any) -> bool:
    return isinstance(schema, Mapping) and (
        schema.get("type") == "null" or schema.get("const", 0) is None
    )


def split_null(schema: Schema) -> tuple[Schema, bool]:
    """The schema without null, and whether null was allowed: by `type: [x, null]`, by a null branch, or in an enum."""
    kind = schema.get("type")
    values = schema.get("enum")
    if (
        isinstance(values, list)
        and None in values
        and not (isinstance(kind, list) and "null" in kind)
    ):
        rest = [value for value in values if value is not None]
        return ({**schema, "enum": rest} if rest else {"type": "null"}), True
    if isinstance(kind, list) and "null" in kind:
        rest = [item for item in kind if item != "null"]
        others = {k: v for k, v in schema.items() if k not in ("type", "enum")}
        if "enum" in schema:
            others["enum"] = [value for value in schema["enum"] if value is not None]
        return {**others, "type": rest[0] if len(rest) == 1 else rest}, True
    for word in ("anyOf", "oneOf"):
        branches = schema.get(word)
        if isinstance(branches, list) and any(is_null(branch) for branch in branches):
            left = [branch for branch in branches if not is_null(branch)]
            siblings = {k: v for k, v in schema.items() if k != word}
            if len(left) == 1:
                return {**left[0], **siblings}, True
            return {**siblings, word: left}, True
    return schema, False


def unknown_keywords(schema: Any, where: str) -> Iterator[Problem]:
    """A Problem for each keyword below this schema that no rule reads."""
    if isinstance(schema, list):
        for index, item in enumerate(schema):
            yield from unknown_keywords(item, f"{where}/{index}")
    if not isinstance(schema, Mapping):
        return
    for key, value in schema.items():
        here = f"{where}/{escape(key)}"
        if key in ("properties", "$defs") and isinstance(value, Mapping):
            for name, item in value.items():
                yield from unknown_keywords(item, f"{here}/{escape(name)}")
        elif key in ("allOf", "anyOf", "oneOf", "not", "items", "additionalProperties"):
            yield from unknown_keywords(value, here)
        elif key.startswith("x-deserialize-") and key not in TOLERANCE:
            yield Problem(
                here, f"no rule knows the annotation `{key}`", f"known are {', '.join(TOLERANCE)}"
            )
        elif key not in _READ and key not in _SILENT and not key.startswith("x-"):
            yield Problem(
                here,
                f"no rule knows the keyword `{key}`",
                "look for a newer acpgen, or report it: acpgen has to learn what it means",
            )


@dataclass(frozen=True)
class Property:
    """A property as a definition states it. owner: the `$defs` key that states it, "" inside a branch."""

    schema: Schema
    pointer: str
    owner: str = ""


@dataclass(frozen=True)
class Branch:
    """One branch of a choice. ref: the definition that it is, with nothing added. catch_all: it takes every other tag."""

    shape: Shape | None
    schema: Schema
    pointer: str
    title: str
    ref: str | None = None
    tag: str | None = None
    catch_all: bool = False


@dataclass(frozen=True)
class Choice:
    tag: str | None
    branches: tuple[Branch, ...]
    exclusive: bool
    pointer: str


@dataclass(frozen=True)
class Shape:
    """An object schema taken apart; `refs` are the definitions in its allOf."""

    pointer: str
    properties: Mapping[str, Property] = field(default_factory=dict)
    required: frozenset[str] = frozenset()
    refs: tuple[str, ...] = ()
    choice: Choice | None = None
    closed: bool = False


def is_object(schema: Schema) -> bool:
    """The schema describes an object with properties of its own, or a choice between such."""
    if "properties" in schema:
        return True
    if schema.get("type") == "object":
        return (
            not isinstance(schema.get("additionalProperties"), Mapping)
            and schema.get("additionalProperties") is not True
        )
    return False


class ShapeReader:
    """Takes object schemas of one contract apart."""

    def __init__(self, defs: Mapping[str, Schema]) -> None:
        self.defs = defs
        self.problems: list[Problem] = []

    def problem(self, where: str, what: str, hint: str = "") -> None:
        self.problems.append(Problem(where, what, hint))

    def definition(self, key: str) -> Shape:
        """The shape of a definition."""
        return self.shape(self.defs[key], f"#/$defs/{escape(key)}", key)

    def shape(self, schema: Schema, pointer: str, owner: str = "") -> Shape:
        """Take an object schema apart."""
        properties = {
            name: Property(
                item if isinstance(item, Mapping) else {},
                f"{pointer}/properties/{escape(name)}",
                owner,
            )
            for name, item in schema.get("properties", {}).items()
        }
        if (
            properties
            and isinstance(schema.get("additionalProperties"), Mapping)
            and schema["additionalProperties"]
        ):
            self.problem(
                pointer,
                "no rule knows an object with both named properties and a type for all others",
            )
        refs: list[str] = [ref_name(schema["$ref"])] if "$ref" in schema else []
        required = set(schema.get("required", ()))
        for index, part in enumerate(schema.get("allOf", ())):
            if set(part) & _READ == {"$ref"}:
                refs.append(ref_name(part["$ref"]))
            elif "anyOf" in part or "oneOf" in part or not isinstance(part, Mapping):
                self.problem(f"{pointer}/allOf/{index}", "no rule knows a choice inside allOf")
            else:
                inner = self.shape(part, f"{pointer}/allOf/{index}", owner)
                properties.update(inner.properties)
                required |= inner.required
                refs.extend(inner.refs)
        return Shape(
            pointer,
            properties,
            frozenset(required),
            tuple(refs),
            self.choice(schema, pointer),
            schema.get("additionalProperties") is False
            or schema.get("unevaluatedProperties") is False,
        )

    def choice(self, schema: Schema, pointer: str) -> Choice | None:
        """The choice that stands in a schema, its discriminator found."""
        words = [word for word in ("oneOf", "anyOf") if word in schema]
        if len(words) != 1:
            if words:
                self.problem(pointer, "no rule knows anyOf and oneOf side by side")
            return None
        raw: Sequence[Schema] = schema[words[0]]
        base = f"{pointer}/{words[0]}"
        tag = self._tag(schema, raw)
        branches = []
        for index, item in enumerate(raw):
            where = f"{base}/{index}"
            ref = bare_ref(item)
            value = const_of(self.property_of(item, tag)) if tag else None
            branches.append(
                Branch(
                    shape=self.shape(item, where) if ref is None and is_object(item) else None,
                    schema=item,
                    pointer=where,
                    title=item.get("title") or constant_label(item),
                    ref=ref,
                    tag=value if isinstance(value, str) else None,
                    catch_all=tag is not None and self._is_catch_all(item, tag, where),
                )
            )
        return Choice(tag, tuple(branches), words[0] == "oneOf" and tag is None, base)

    def property_of(self, schema: Schema, name: str, seen: frozenset[str] = frozenset()) -> Any:
        """The schema of a property, looked for in allOf and behind references too."""
        found = schema.get("properties", {}).get(name)
        if found is not None:
            return found
        parts = list(schema.get("allOf", ()))
        if "$ref" in schema:
            parts.append({"$ref": schema["$ref"]})
        for part in parts:
            target = ref_name(part["$ref"]) if "$ref" in part else None
            if target is not None and target not in seen and target in self.defs:
                found = self.property_of(self.defs[target], name, seen | {target})
            elif target is None:
                found = self.property_of(part, name, seen)
            if found is not None:
                return found
        return None

    def _tag(self, schema: Schema, branches: Sequence[Schema]) -> str | None:
        """The discriminator: the one that is named, else the property that is constant in the most branches."""
        named = schema.get("discriminator")
        if isinstance(named, Mapping) and isinstance(named.get("propertyName"), str):
            return str(named["propertyName"])
        votes: Counter[str] = Counter()
        for item in branches:
            names = set(self._property_names(item))
            votes.update(
                name for name in names if isinstance(const_of(self.property_of(item, name)), str)
            )
        if not votes:
            return None
        most = max(votes.values())
        best = [name for name, count in votes.items() if count == most]
        distinct = [name for name in best if self._distinct(branches, name)]
        return sorted(distinct)[0] if distinct else None

    def _distinct(self, branches: Sequence[Schema], name: str) -> bool:
        values = [const_of(self.property_of(item, name)) for item in branches]
        known = [value for value in values if isinstance(value, str)]
        return len(set(known)) == len(known)

    def _property_names(self, schema: Schema, seen: frozenset[str] = frozenset()) -> Iterator[str]:
        yield from schema.get("properties", {})
        parts = list(schema.get("allOf", ())) + (
            [{"$ref": schema["$ref"]}] if "$ref" in schema else []
        )
        for part in parts:
            if "$ref" not in part:
                yield from self._property_names(part, seen)
            elif (target := ref_name(part["$ref"])) not in seen and target in self.defs:
                yield from self._property_names(self.defs[target], seen | {target})

    def _is_catch_all(self, schema: Schema, tag: str, where: str) -> bool:
        """A branch with the tag as a free string, that required: it takes the tags that no other branch names."""
        item = schema.get("properties", {}).get(tag)
        free = isinstance(item, Mapping) and item.get("type") == "string" and const_of(item) is None
        if "not" in schema and not free:
            self.problem(
                f"{where}/not", "no rule knows `not` outside the catch-all of an open union"
            )
        return free and tag in schema.get("required", ())
