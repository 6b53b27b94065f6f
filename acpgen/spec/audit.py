"""Cross-checks of what was read. Each returns every Problem that it finds and never stops at the first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from acpgen.problem import Problem
from acpgen.spec.ir import (
    NO_DEFAULT,
    Alias,
    AnyDefinition,
    AnyType,
    ArrayType,
    Enum,
    Field,
    Json,
    LiteralType,
    MapType,
    OptionsType,
    Record,
    Scalar,
    Spec,
    Type,
    Union,
    all_fields,
    names_in,
    types_in,
)
from acpgen.spec.metadata import FieldRow, Metadata
from acpgen.spec.names import ClassName
from acpgen.spec.shapes import escape

_JSON_KINDS: Mapping[str, type | tuple[type, ...]] = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "null": type(None),
}


def audit(spec: Spec) -> list[Problem]:
    """Everything about one surface that the schema alone can tell, `patterns` apart."""
    return [
        *_references(spec),
        *_circles(spec),
        *_fields(spec),
        *_unions(spec),
        *_methods(spec),
    ]


def _where(spec: Spec, pointer: str) -> str:
    return f"{spec.surface}{pointer}"


def _references(spec: Spec) -> Iterator[Problem]:
    for definition in spec.definitions.values():
        for name in names_in(definition):
            if name not in spec.definitions:
                yield Problem(
                    _where(spec, definition.pointer),
                    f"{definition.name} needs {name}, which nothing defines",
                )


def _circles(spec: Spec) -> Iterator[Problem]:
    """Aliases and unions that contain themselves with no record between: Python could not spell them."""
    for name, definition in spec.definitions.items():
        if isinstance(definition, Record):
            continue
        seen: set[ClassName] = set()
        waiting = list(names_in(definition))
        while waiting:
            item = waiting.pop()
            if item in seen or isinstance(spec.definitions.get(item), (Record, type(None))):
                continue
            seen.add(item)
            waiting.extend(names_in(spec.definitions[item]))
        if name in seen:
            where = _where(spec, definition.pointer)
            yield Problem(
                where, f"no rule knows a type that contains itself with no object between: {name}"
            )


def patterns(spec: Spec) -> Iterator[Problem]:
    """Patterns that the regular expressions of pydantic do not take: bindings need them, a comparison does not."""
    for definition in spec.definitions.values():
        kinds = [item.type for item in definition.fields] if isinstance(definition, Record) else []
        kinds += [definition.type] if isinstance(definition, Alias) else []
        for kind in (inner for outer in kinds for inner in types_in(outer)):
            if (
                isinstance(kind, Scalar)
                and kind.pattern is not None
                and not _compiles(kind.pattern)
            ):
                where = _where(spec, definition.pointer)
                yield Problem(
                    where,
                    f"the pattern {kind.pattern!r} is no regular expression that pydantic takes",
                    "bindings cannot be made of it; acpgen diff and acpgen show can be used",
                )


def _compiles(pattern: str) -> bool:
    from pydantic_core import SchemaError, SchemaValidator, core_schema

    try:
        SchemaValidator(core_schema.str_schema(pattern=pattern))
    except SchemaError:
        return False
    return True


def _fields(spec: Spec) -> Iterator[Problem]:
    for definition in spec.definitions.values():
        if not isinstance(definition, Record):
            continue
        for item in definition.fields:
            where = _where(spec, item.pointer or definition.pointer)
            if item.tolerance.skip_items and not isinstance(item.type, ArrayType):
                yield Problem(where, f"`{item.wire}` is to skip invalid items, but is no array")
            if item.presence == "patch" and item.required:
                yield Problem(where, f"`{item.wire}` is required and cannot be a patch field")
            if not _default_fits(spec.definitions, item):
                yield Problem(where, f"the default of `{item.wire}` is no value of its type")


def _default_fits(definitions: Mapping[ClassName, AnyDefinition], item: Field) -> bool:
    if item.default is NO_DEFAULT or item.default is None:
        return True
    return fits(definitions, item.type, item.default)


def fits(definitions: Mapping[ClassName, AnyDefinition], kind: Type, value: Json | Any) -> bool:
    """The value has the shape of the type: JSON kinds and required properties, not bounds."""
    if isinstance(kind, AnyType):
        return True
    if isinstance(kind, Scalar):
        expected = _JSON_KINDS[kind.kind]
        return isinstance(value, expected) and (kind.kind == "boolean") == isinstance(value, bool)
    if isinstance(kind, LiteralType):
        return value in kind.values
    if isinstance(kind, OptionsType):
        return any(fits(definitions, option, value) for option in kind.options)
    if isinstance(kind, ArrayType):
        return isinstance(value, list) and all(
            fits(definitions, kind.items, item) for item in value
        )
    if isinstance(kind, MapType):
        return isinstance(value, dict) and all(
            fits(definitions, kind.values, item) for item in value.values()
        )
    target = definitions[kind.name]
    if isinstance(target, Enum):
        return target.open or value in [item.value for item in target.values]
    if isinstance(target, Record):
        return isinstance(value, dict) and all(
            (
                fits(definitions, item.type, value[item.wire])
                if item.wire in value
                else not item.required
            )
            for item in all_fields(definitions, target)
        )
    if isinstance(target, Union):
        return (
            any(fits(definitions, variant.type, value) for variant in target.variants)
            or target.open
        )
    return fits(definitions, target.type, value)


def _unions(spec: Spec) -> Iterator[Problem]:
    for definition in spec.definitions.values():
        if not isinstance(definition, Union):
            continue
        where = _where(spec, definition.pointer)
        if not definition.variants:
            yield Problem(where, f"{definition.name} is a choice without a variant")
        tags = [variant.tag for variant in definition.variants if variant.tag is not None]
        for tag in sorted({tag for tag in tags if tags.count(tag) > 1}):
            yield Problem(where, f"two variants of {definition.name} have the tag `{tag}`")


def _methods(spec: Spec) -> Iterator[Problem]:
    for row in spec.methods:
        if row.kind == "request" and row.result is None:
            yield Problem(
                _where(spec, f"#/$defs/{escape(str(row.params))}"),
                f"the request {row.wire} (received by the {row.side}) has no response type",
                "a definition with the same x-method and x-side whose name ends with Response is looked for",
            )


def audit_metadata(specs: Sequence[Spec], metadata: Metadata) -> list[Problem]:
    """Every row of methods.toml must say something about a schema that it came with, or be marked as retired.

    specs: the surfaces of one version, overlays included. A row that an older or newer release lacks is no fault, so this is
    asked of the pinned schemas only.
    """
    found: list[Problem] = []
    for table, rows in (("patch", metadata.patch), ("omit_empty", metadata.omit_empty)):
        for row in rows:
            if not row.retired:
                found.extend(_row(specs, row, table))
    return found


def unmatched(specs: Sequence[Spec], metadata: Metadata) -> list[tuple[str, FieldRow]]:
    """The rows about a type that none of these surfaces has, with the name of their table.

    A row that names a kind of update is left out: it goes with the kind, whatever its type is called.
    """
    rows = [("patch", row) for row in metadata.patch]
    rows += [("omit_empty", row) for row in metadata.omit_empty]
    return [
        (table, row)
        for table, row in rows
        if not row.retired
        and not row.update
        and not any(True for spec in specs for _ in _records_of(spec, row))
    ]


def _row(specs: Sequence[Spec], row: FieldRow, table: str) -> Iterator[Problem]:
    records = [record for spec in specs for record in _records_of(spec, row)]
    if not records:
        yield Problem(
            row.where,
            f"[[{table}]] names {row.about}, which no schema has",
            "correct it, or mark it as retired",
        )
        return
    owner = row.type or row.update
    wires = {item.wire: item for fields in records for item in fields}
    for name in row.fields:
        if name not in wires:
            yield Problem(
                row.where,
                f"[[{table}]] names {owner}.{name}, which no schema has",
                "correct it, or mark it as retired",
            )
        elif wires[name].required:
            yield Problem(row.where, f"[[{table}]] names {owner}.{name}, which is required")


def _records_of(spec: Spec, row: FieldRow) -> Iterator[list[Field]]:
    """The fields of the records that a row is about."""
    names: list[str] = list(spec.merged.get(row.type, ()))
    if row.type in spec.wire_types:
        names.append(spec.wire_types[row.type])
    names += [item.type for item in spec.table.updates if item.type and item.kind == row.update]
    for item in names:
        target = spec.definitions[ClassName(item)]
        if isinstance(target, Record):
            yield list(spec.fields(target))


def lint_meta(contract: Mapping[str, Any]) -> list[Problem]:
    """Objects that have no `_meta`, and property names that look like a misspelt one.

    Nothing is repaired: upstream may mean it.
    """
    found = []
    for key, schema in contract["$defs"].items():
        properties = schema.get("properties")
        if not isinstance(properties, Mapping):
            continue
        for name in properties:
            if name != "_meta" and name.strip("_").lower() == "meta":
                found.append(
                    Problem(
                        f"#/$defs/{escape(key)}/properties/{escape(name)}",
                        f"`{name}` looks like `_meta`",
                    )
                )
        if "_meta" not in properties:
            found.append(Problem(f"#/$defs/{escape(key)}", "has no `_meta`"))
    return found
