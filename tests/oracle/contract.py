"""A contract schema: its unions multiplied out, and the jsonschema library as its judge."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any, TypeAlias, cast

import jsonschema

Schema: TypeAlias = dict[str, Any]
Json: TypeAlias = Any

NAME_MAPS = frozenset({"properties", "$defs", "definitions", "patternProperties"})
LITERALS = frozenset({"const", "enum", "default", "examples"})
UNIONS = ("anyOf", "oneOf")


def is_strict_integer(_checker: object, value: object) -> bool:
    """An integer is a Python int: `1.0`, which JSON Schema takes for one, and `true` are not."""
    return isinstance(value, int) and not isinstance(value, bool)


StrictValidator: Any = jsonschema.validators.extend(  # type: ignore[no-untyped-call]
    jsonschema.Draft202012Validator,
    type_checker=jsonschema.Draft202012Validator.TYPE_CHECKER.redefine(
        "integer", is_strict_integer
    ),
)


def walk(node: object) -> Iterator[Schema]:
    """Every subschema of `node`, itself first. Property names are told from keywords."""
    if isinstance(node, list):
        for item in node:
            yield from walk(item)
    if not isinstance(node, dict):
        return
    yield node
    for key, value in node.items():
        if key in NAME_MAPS:
            for inner in value.values():
                yield from walk(inner)
        elif key not in LITERALS:
            yield from walk(value)


def without_booleans(node: Json, names: bool = False) -> Json:
    """A copy of a schema in which `true` and `false`, where a schema stands, are spelled as
    objects.
    """
    if isinstance(node, list):
        return [without_booleans(item) for item in node]
    if not isinstance(node, dict):
        return node
    result: dict[str, Json] = {}
    for key, inner in node.items():
        if isinstance(inner, bool) and (names or key in ("items", "not")):
            result[key] = {} if inner else {"not": {}}
        elif key in LITERALS and not names:
            result[key] = copy_json(inner)
        else:
            result[key] = without_booleans(inner, key in NAME_MAPS and not names)
    return result


def references(node: object) -> set[str]:
    """Names of the definitions that `node` refers to."""
    found = (item.get("$ref") for item in walk(node))
    return {ref.rsplit("/", 1)[1] for ref in found if isinstance(ref, str)}


@dataclass(frozen=True, eq=False)
class Shape:
    """One way to satisfy a schema: one branch taken at every union on the way, everything merged.

    properties: per wire name every schema that stands for it, the outermost first. keywords: the
    other keywords, merged. guards: the `not` of catch-all branches. parts: the merged schemas,
    without unions and references; together they say what the shape allows.
    """

    properties: Mapping[str, tuple[Schema, ...]]
    required: frozenset[str]
    keywords: Schema
    guards: tuple[Schema, ...]
    parts: tuple[Schema, ...]
    label: str

    @cached_property
    def schema(self) -> Schema:
        """What this shape alone allows."""
        return {"allOf": list(self.parts)}

    @property
    def catch_all(self) -> bool:
        return bool(self.guards)

    @cached_property
    def constants(self) -> dict[str, Json]:
        """The properties that have one value only: the tags. Tolerant ones are none."""
        return {
            name: schemas[-1]["const"]
            for name, schemas in self.properties.items()
            if "const" in schemas[-1] and name in self.required and len(schemas) == 1
        }

    def could_be(self, value: Json) -> bool:
        """A cheap look that spares most validations in vain: the kind, the keys and the tags.

        No repair makes up for these: it changes fields, and adds none.
        """
        kind = self.keywords.get("type")
        found = kind_of(value)
        if kind is not None and kind != found and (kind, found) != ("number", "integer"):
            return False
        if not isinstance(value, dict):
            return True
        constants = self.constants.items()
        return self.required <= value.keys() and all(
            value[name] == constant for name, constant in constants
        )


def _merge(first: Shape, second: Shape) -> Shape:
    properties = dict(first.properties)
    for name, schemas in second.properties.items():
        properties[name] = properties.get(name, ()) + schemas
    return Shape(
        properties=properties,
        required=first.required | second.required,
        keywords={**first.keywords, **second.keywords},
        guards=first.guards + second.guards,
        parts=first.parts + second.parts,
        label="/".join(part for part in (first.label, second.label) if part),
    )


class Contract:
    """One contract schema. `strict`: `1.0` is no integer."""

    def __init__(self, root: Schema, *, strict: bool) -> None:
        self.root = root
        self.defs: dict[str, Schema] = root["$defs"]
        validator = StrictValidator if strict else jsonschema.Draft202012Validator
        self._validator = validator(root)
        self._shapes: dict[int, tuple[Schema, tuple[Shape, ...]]] = {}
        self._verdicts: dict[tuple[int, str], bool] = {}
        self._alive: dict[int, Schema] = {}
        self._refs: dict[str, Schema] = {}

    def ref(self, name: str) -> Schema:
        """The schema `{"$ref": ...}` of a definition; the same object each time."""
        return self._refs.setdefault(name, {"$ref": f"#/$defs/{name}"})

    def valid(self, schema: Schema, value: Json) -> bool:
        """jsonschema's verdict."""
        key = (id(schema), json.dumps(value, sort_keys=True))
        verdict = self._verdicts.get(key)
        if verdict is None:
            self._alive[id(schema)] = schema
            verdict = self._validator.evolve(schema=schema).is_valid(value)
            self._verdicts[key] = verdict
        return verdict

    def shapes(self, schema: Schema) -> tuple[Shape, ...]:
        """Every shape of a schema, catch-alls last, otherwise in the schema's order."""
        known = self._shapes.get(id(schema))
        if known is None:
            found = sorted(self._expand(schema), key=lambda shape: shape.catch_all)
            known = self._shapes[id(schema)] = (schema, tuple(found))
        return known[1]

    def _expand(self, schema: Schema) -> list[Shape]:
        taken = {"$ref", "allOf", "properties", "required", "not", *UNIONS}
        keywords = {key: value for key, value in schema.items() if key not in taken}
        part = {
            key: value for key, value in schema.items() if key not in {"$ref", "allOf", *UNIONS}
        }
        label = schema.get("title", "")
        for name, inner in schema.get("properties", {}).items():
            if isinstance(inner, dict) and "const" in inner:
                label = f"{name}={inner['const']}"
        own = Shape(
            properties={name: (inner,) for name, inner in schema.get("properties", {}).items()},
            required=frozenset(schema.get("required", ())),
            keywords=keywords,
            guards=(schema["not"],) if "not" in schema else (),
            parts=(part,) if part else (),
            label=str(schema["const"]) if "const" in schema else label,
        )
        factors: list[list[Shape]] = [self._by_type(own)]
        if "$ref" in schema:
            factors.append(list(self.shapes(self.defs[schema["$ref"].rsplit("/", 1)[1]])))
        factors.extend(list(self.shapes(inner)) for inner in schema.get("allOf", ()))
        for union in UNIONS:
            if union in schema:
                factors.append([shape for branch in schema[union] for shape in self.shapes(branch)])
        merged = []
        for combination in product(*factors):
            shape = combination[0]
            for other in combination[1:]:
                shape = _merge(shape, other)
            merged.append(shape)
        return merged

    @staticmethod
    def _by_type(shape: Shape) -> list[Shape]:
        """`type: [string, null]` is a choice as well."""
        kinds = shape.keywords.get("type")
        if not isinstance(kinds, list):
            return [shape]
        return [
            Shape(
                properties=shape.properties,
                required=shape.required,
                keywords={**shape.keywords, "type": kind},
                guards=shape.guards,
                parts=tuple({**part, "type": kind} for part in shape.parts),
                label=shape.label if kind != "null" else "null",
            )
            for kind in kinds
        ]


def kind_of(value: Json) -> str:
    """The JSON type of a value, as `type` names it."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    for python, name in ((int, "integer"), (float, "number"), (str, "string"), (list, "array")):
        if isinstance(value, python):
            return name
    return "object"


def copy_json(value: Json) -> Json:
    """A deep copy of a JSON value."""
    if isinstance(value, dict):
        return {key: copy_json(item) for key, item in value.items()}
    if isinstance(value, list):
        return [copy_json(item) for item in value]
    return value


def load(text: str) -> Schema:
    return cast(Schema, json.loads(text))
