"""Changed copies of a contract schema, one keyword at a time, and values that tell a copy from the original.

Every place of every definition is offered each change that fits it: a mutation is a few JSON-Patch-like steps. What a
diff has to notice is not decided here, but by `witness`: a value that jsonschema takes for the one schema and not for
the other. Annotations (`default`, x-deserialize-*) have none, and have to be noticed all the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from tests.oracle.contract import Contract, Schema, copy_json, kind_of
from tests.oracle.diff_raw import CHOICES, TOLERANCE, is_null, steps
from tests.oracle.mutator import mutations as changed_values
from tests.oracle.sampler import ANYTHING, Sampler

Op = tuple[Literal["set", "drop"], str, Any]

WRONG = {"string": "boolean", "integer": "string", "number": "string", "boolean": "string"}
WRONG |= {"array": "string", "object": "string"}
NOVEL = "zz_new"
ENVELOPE = "x-docs-ignore"


@dataclass(frozen=True)
class Mutation:
    """kind: what it does. definition: the `$defs` key. where: JSON pointer. ops: the steps.

    silent: no value can tell it.
    """

    kind: str
    definition: str
    where: str
    ops: tuple[Op, ...]
    silent: bool = False

    def __str__(self) -> str:
        return f"{self.kind} at {self.where}"


def applied(contract: Schema, *chosen: Mutation) -> Schema:
    """A copy of a contract with mutations of different definitions."""
    found: Schema = copy_json(contract)
    for mutation in chosen:
        for op, pointer, value in mutation.ops:
            *path, last = steps(pointer)
            target: Any = found
            for step in path:
                target = target[int(step)] if isinstance(target, list) else target[step]
            key: Any = int(last) if isinstance(target, list) else last
            if op == "drop":
                del target[key]
            elif isinstance(target, list) and key == len(target):
                target.append(copy_json(value))
            else:
                target[key] = copy_json(value)
    return found


def escape(step: str) -> str:
    return step.replace("~", "~0").replace("/", "~1")


def mutations(contract: Schema) -> Iterator[Mutation]:
    """Every mutation of every definition that a message may hold, in the schema's order."""
    for key, schema in contract["$defs"].items():
        if isinstance(schema, dict) and not schema.get(ENVELOPE):
            at = f"/$defs/{escape(key)}"
            for kind, where, ops in _of(contract, schema, at):
                silent = kind in ("tolerance", "default", "format")
                yield Mutation(kind, key, where, tuple(ops), silent)


_Made = tuple[str, str, list[Op]]


def _of(contract: Schema, schema: Any, at: str) -> Iterator[_Made]:
    """The mutations at a place and below it."""
    if not isinstance(schema, dict):
        return
    yield from _objects(contract, schema, at)
    yield from _scalars(schema, at)
    yield from _choices(schema, at)
    yield from _references(contract, schema, at)
    for name, inner in schema.get("properties", {}).items():
        yield from _of(contract, inner, f"{at}/properties/{escape(name)}")
    for word in (*CHOICES, "allOf"):
        for index, inner in enumerate(schema.get(word, ())):
            if not is_null(inner):
                yield from _of(contract, inner, f"{at}/{word}/{index}")
    for word in ("items", "additionalProperties"):
        yield from _of(contract, schema.get(word), f"{at}/{word}")


def _objects(contract: Schema, schema: Schema, at: str) -> Iterator[_Made]:
    properties = schema.get("properties", {})
    required = schema.get("required", [])
    for name, inner in properties.items():
        where = f"{at}/properties/{escape(name)}"
        is_tag = isinstance(inner, dict) and "const" in inner
        if name in required:
            left = [item for item in required if item != name]
            yield "drop-required", where, [("set", f"{at}/required", left)]
        else:
            yield "add-required", where, [("set", f"{at}/required", [*required, name])]
        ops: list[Op] = [("drop", where, None)]
        if name in required:
            ops.append(("set", f"{at}/required", [item for item in required if item != name]))
        yield "drop-property", where, ops
        if not is_tag and isinstance(inner, dict):
            if "default" not in inner and set(inner) <= {"type", *TOLERANCE}:
                yield "default", where, [("set", f"{where}/default", _default(inner))]
            for flag in TOLERANCE:
                op: Op = (
                    ("drop", f"{where}/{flag}", None)
                    if inner.get(flag)
                    else ("set", f"{where}/{flag}", True)
                )
                if flag != TOLERANCE[1] or "items" in inner:
                    yield "tolerance", where, [op]
        if not is_tag:
            yield "to-anything", where, [("set", where, {})]
    if "not" in schema:
        yield "drop-not", at, [("drop", f"{at}/not", None)]
    if properties and any("$ref" in item for item in schema.get("allOf", ())):
        yield "drop-payload", at, [("drop", f"{at}/allOf", None)]
    if properties:
        where = f"{at}/properties/{NOVEL}"
        yield "add-property", where, [("set", where, {"type": "string"})]
        if schema.get("type") == "object" and "additionalProperties" not in schema:
            yield "close", at, [("set", f"{at}/additionalProperties", False)]


def _default(schema: Schema) -> Any:
    kind = schema.get("type")
    kind = kind[0] if isinstance(kind, list) else kind
    return {"string": "zz", "integer": 7, "number": 7, "boolean": True, "array": []}.get(
        str(kind), {}
    )


def _scalars(schema: Schema, at: str) -> Iterator[_Made]:
    kind = schema.get("type")
    if isinstance(kind, str) and "const" not in schema and "properties" not in schema:
        if kind in WRONG and "enum" not in schema:
            yield "change-type", at, [("set", f"{at}/type", WRONG[kind])]
        if kind != "null":
            yield "add-null", at, [("set", f"{at}/type", [kind, "null"])]
    if isinstance(kind, list) and "null" in kind:
        left = [item for item in kind if item != "null"]
        yield "drop-null", at, [("set", f"{at}/type", left[0] if len(left) == 1 else left)]
    kinds = set(kind if isinstance(kind, list) else [kind])
    if "const" in schema:
        new = f"{schema['const']}_{NOVEL}" if isinstance(schema["const"], str) else 987
        yield "const", at, [("set", f"{at}/const", new)]
    if "enum" in schema:
        values = schema["enum"]
        yield "add-value", at, [("set", f"{at}/enum", [*values, NOVEL])]
        if len(values) > 1:
            yield "drop-value", at, [("set", f"{at}/enum", values[1:])]
    if "const" in schema or "enum" in schema:
        return
    bounds: list[tuple[str, Any]] = []
    if kinds & {"integer", "number"}:
        bounds = [("minimum", 3), ("maximum", 1000), ("exclusiveMinimum", 5), ("multipleOf", 3)]
    if "string" in kinds:
        bounds = [("minLength", 2), ("maxLength", 3), ("pattern", "^a"), ("format", "uri")]
    if "array" in kinds:
        bounds = [("minItems", 1), ("maxItems", 1)]
    for keyword, value in bounds:
        if keyword in schema:
            yield f"drop-{keyword}", at, [("drop", f"{at}/{keyword}", None)]
            other = value if schema[keyword] != value else value + value
            yield "format" if keyword == "format" else f"change-{keyword}", at, [
                ("set", f"{at}/{keyword}", other)
            ]
        else:
            name = "format" if keyword == "format" else f"add-{keyword}"
            yield name, at, [("set", f"{at}/{keyword}", value)]


def _choices(schema: Schema, at: str) -> Iterator[_Made]:
    for word in CHOICES:
        branches = schema.get(word, [])
        filled = [item for item in branches if not is_null(item)]
        for index, branch in enumerate(branches):
            if is_null(branch):
                yield "drop-null", at, [("drop", f"{at}/{word}/{index}", None)]
            elif len(filled) > 1 and "not" not in branch:
                yield "drop-branch", f"{at}/{word}/{index}", [
                    ("drop", f"{at}/{word}/{index}", None)
                ]
        if len(filled) > 1:
            other = "anyOf" if word == "oneOf" else "oneOf"
            if other not in schema:
                swap: list[Op] = [
                    ("drop", f"{at}/{word}", None),
                    ("set", f"{at}/{other}", branches),
                ]
                yield "swap-choice", at, swap
            yield from _another_branch(filled, f"{at}/{word}/{len(branches)}")
        if len(filled) == len(branches) > 1:
            last = f"{at}/{word}/{len(branches)}"
            yield "add-null", at, [("set", last, {"type": "null"})]
            if all("const" in item for item in filled):
                kind = {"type": filled[0].get("type", "string")}
                yield "open-enum", at, [("set", last, kind)]
                yield "add-value", at, [("set", last, {**kind, "const": NOVEL})]


def _another_branch(branches: list[Schema], at: str) -> Iterator[_Made]:
    """A variant more, where all but the one for the rest have a tag; a known tag of the rest is left to it."""
    for name, inner in branches[0].get("properties", {}).items():
        if "const" in inner and isinstance(inner["const"], str) and "not" not in branches[0]:
            tag = {"type": "string", "const": NOVEL}
            branch = {"type": "object", "properties": {name: tag, "zz": {"type": "string"}}}
            yield "add-branch", at, [("set", at, {**branch, "required": [name, "zz"]})]


def _references(contract: Schema, schema: Schema, at: str) -> Iterator[_Made]:
    ref = schema.get("$ref")
    if ref is None:
        return
    target = contract["$defs"].get(ref.rpartition("/")[2])
    if not isinstance(target, dict):
        return
    for key, other in contract["$defs"].items():
        same = isinstance(other, dict) and other.get("type") == target.get("type")
        if same and other != target and not other.get(ENVELOPE) and "x-method" not in other:
            yield "swap-ref", at, [("set", f"{at}/$ref", f"#/$defs/{key}")]
            return


def witness(old: Schema, new: Schema, key: str, least: int = 12) -> Any:
    """(a value, True) that one of the two contracts takes as this definition and the other does not; else
    (None, False).
    """
    left, right = Contract(old, strict=False), Contract(new, strict=False)
    for value in _values(left, key, least):
        if _apart(left, right, key, value):
            return value, True
    for value in _values(right, key, least):
        if _apart(left, right, key, value):
            return value, True
    return None, False


def _apart(left: Contract, right: Contract, key: str, value: Any) -> bool:
    return left.valid(left.ref(key), value) != right.valid(right.ref(key), value)


def _values(contract: Contract, key: str, least: int) -> Iterator[Any]:
    yield from ANYTHING
    schema = contract.ref(key)
    try:
        samples = Sampler(contract).samples(schema, least)
    except LookupError:  # a mutation can leave a branch without any value
        return
    for sample in samples:
        yield sample.value
        for changed in changed_values(contract, sample.shape, sample.value):
            yield changed.value
            if kind_of(changed.value) == "object":
                yield {**changed.value, NOVEL: 7}
