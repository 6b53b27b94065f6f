"""The agreed exceptions: where models differ from the contract schema on purpose.

Each is a change to the contract (or to how jsonschema reads it), so that the judge stays one and
the same. Each has a name; a run that never needed one of those that apply to its contract fails,
because the exception is stale then.

- `received-open:UNION`: a closed tagged union that `session/update` can carry decodes open when
  received, so that a newer peer does not break an older one. RequestPermissionOutcome is none of
  them: an unknown outcome is never an approval.
- `integral-float`: `1.0` is an integer to JSON Schema; models want an integer without a fraction
  (no exponent, no point).
- `format-bounds`: uint16, uint32, uint64, int32 and int64 say bounds in their name only; models
  keep them.
"""

from __future__ import annotations

from tests.oracle.contract import Contract, Schema, references, walk, without_booleans

INTEGRAL_FLOAT = "integral-float"
FORMAT_BOUNDS = "format-bounds"
RECEIVED_OPEN = "received-open:"

BOUNDS = {f"uint{bits}": (0, 2**bits - 1) for bits in (8, 16, 32, 64)} | {
    f"int{bits}": (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) for bits in (8, 16, 32, 64)
}


def is_integer(schema: Schema) -> bool:
    kinds = schema.get("type")
    return kinds == "integer" or (isinstance(kinds, list) and "integer" in kinds)


def tag_of(union: Schema) -> tuple[str, list[str]] | None:
    """Tag name and values of a closed union whose every branch is an object with a constant tag;
    else None.
    """
    branches = union.get("oneOf") or union.get("anyOf") or []
    names: set[str] = set()
    values: list[str] = []
    for branch in branches:
        constants = {
            name: inner["const"]
            for name, inner in branch.get("properties", {}).items()
            if "const" in inner and name in branch.get("required", ())
        }
        if len(constants) != 1 or "not" in branch:
            return None
        names.update(constants)
        values.extend(constants.values())
    return (names.pop(), values) if len(names) == 1 else None


def open_when_received(root: Schema) -> dict[str, tuple[str, list[str]]]:
    """The closed tagged unions that the params of `session/update` reach: name -> (tag, known
    values).
    """
    defs = root["$defs"]
    found = {name for name, item in defs.items() if item.get("x-method") == "session/update"}
    pending = list(found)
    while pending:
        for name in references(defs[pending.pop()]) - found:
            found.add(name)
            pending.append(name)
    tags = {name: tag_of(defs[name]) for name in sorted(found)}
    return {name: tag for name, tag in tags.items() if tag is not None}


def received(root: Schema, leave_out: str = "") -> Contract:
    """The contract as a receiver reads it: the exceptions applied, all or all but one."""
    changed = without_booleans(root)
    for name, (tag, values) in open_when_received(root).items():
        if RECEIVED_OPEN + name == leave_out:
            continue
        union = changed["$defs"][name]
        known = [
            {"properties": {tag: {"const": value}}, "required": [tag], "type": "object"}
            for value in values
        ]
        other = {
            "title": "other",
            "type": "object",
            "properties": {tag: {"type": "string"}},
            "required": [tag],
            "not": {"anyOf": known},
            "additionalProperties": True,
        }
        union["oneOf" if "oneOf" in union else "anyOf"].append(other)
    for schema in walk(changed) if leave_out != FORMAT_BOUNDS else ():
        bounds = BOUNDS.get(schema.get("format", "")) if is_integer(schema) else None
        if bounds is not None:
            schema["minimum"] = max(bounds[0], schema.get("minimum", bounds[0]))
            schema["maximum"] = min(bounds[1], schema.get("maximum", bounds[1]))
    return Contract(changed, strict=leave_out != INTEGRAL_FLOAT)


def applicable(root: Schema) -> set[str]:
    """Names of the exceptions that this contract gives an occasion for."""
    names = {RECEIVED_OPEN + name for name in open_when_received(root)}
    for schema in walk({"$defs": root["$defs"]}):
        if is_integer(schema) and "const" not in schema:
            names.add(INTEGRAL_FLOAT)
            if schema.get("format") in BOUNDS:
                names.add(FORMAT_BOUNDS)
    return names
