"""What the templates for datamodel-code-generator get beside its own data: per definition, per
field, as Python text.

`acp` in a template is what `facts` returns for the definition; docs/templates.md lists it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from acpgen.emit.docstrings import definition_doc, field_doc
from acpgen.emit.hints import hint, own_hint
from acpgen.emit.references import Uses, uses
from acpgen.runtime.wire import wire_name
from acpgen.spec.ir import (
    NO_DEFAULT,
    Alias,
    AnyDefinition,
    ArrayType,
    Enum,
    Field,
    Json,
    LiteralType,
    MapType,
    Method,
    OptionsType,
    Record,
    RefType,
    Scalar,
    Spec,
    Type,
    Union,
    reachable,
    type_names,
)

Facts = dict[str, Any]


def facts(spec: Spec) -> dict[str, Facts]:
    """The template data of every definition, by its Python name."""
    methods: dict[str, list[Method]] = {}
    for method in spec.methods:
        for name in {method.params, method.result} - {None}:
            methods.setdefault(str(name), []).append(method)
    used = uses(spec)
    return {
        str(name): _definition(spec, item, methods.get(str(name), []), used)
        for name, item in spec.definitions.items()
    }


def _definition(spec: Spec, item: AnyDefinition, methods: Sequence[Method], used: Uses) -> Facts:
    doc = definition_doc(item, methods, used)
    if isinstance(item, Record):
        return {"doc": doc, **_record(spec, item)}
    before, after = _around(item)
    return {"doc": doc, "hint": _own_hint(item), "before": before, "after": after}


def _record(spec: Spec, item: Record) -> Facts:
    fields = list(spec.fields(item))
    wire = _wire(fields)
    return {
        "base": None if item.base is None else str(item.base),
        "catch_all": None if item.catch_all is None else _catch_all(item, fields),
        "closed": item.closed,
        "wire": (
            f"Wire({', '.join(f'{key}={value}' for key, value in wire.items())})" if wire else None
        ),
        "fields": {str(field.name): _field(spec, item, field) for field in item.fields},
    }


def _catch_all(item: Record, fields: Sequence[Field]) -> Facts:
    assert item.catch_all is not None
    tag = next(field for field in fields if field.wire == item.catch_all.tag)
    return {
        "tag": str(tag.name),
        "reserved": f"frozenset({sorted(item.catch_all.reserved)!r})",
        "received_only": item.catch_all.received_only,
    }


def _wire(fields: Sequence[Field]) -> dict[str, str]:
    """The arguments of `Wire`, as Python text; fields are named as in Python."""
    found: dict[str, Any] = {
        "names": {
            str(field.name): field.wire for field in fields if wire_name(field.name) != field.wire
        },
        "tags": {str(field.name): _constant(field) for field in fields if _is_constant_tag(field)},
        "not_null": [field.name for field in fields if _refuses_null(field)],
        "on_error": [
            field.name for field in fields if field.tolerance.on_error and _has_default(field)
        ],
        "fallback": {
            str(field.name): field.default
            for field in fields
            if field.required and field.tolerance and field.default is not NO_DEFAULT
        },
        "skip_items": [field.name for field in fields if field.tolerance.skip_items],
        "on_null": [field.name for field in fields if field.tolerance.on_null],
        "omit_empty": [field.name for field in fields if field.omit_empty],
    }
    return {
        key: repr(value) if isinstance(value, dict) else repr(tuple(str(name) for name in value))
        for key, value in found.items()
        if value
    }


def _has_default(field: Field) -> bool:
    return not field.required or field.default is not NO_DEFAULT


def _refuses_null(field: Field) -> bool:
    """Python says None for absent, and no rule lets null stand for it."""
    return (
        field.presence == "optional"
        and field.default is None
        and not field.nullable
        and not _has_null(field.type)
        and not field.tolerance.on_null
    )


def _has_null(type_: Type) -> bool:
    if isinstance(type_, OptionsType):
        return any(map(_has_null, type_.options))
    return isinstance(type_, Scalar) and type_.kind == "null"


def _is_constant_tag(field: Field) -> bool:
    return field.tag and isinstance(field.type, LiteralType) and len(field.type.values) == 1


def _constant(field: Field) -> str | int | bool:
    assert isinstance(field.type, LiteralType)
    return field.type.values[0]


def _field(spec: Spec, owner: Record, field: Field) -> Facts:
    # `None | None` is not a type.
    or_none = "" if isinstance(field.type, Scalar) and field.type.kind == "null" else " | None"
    none = or_none if field.nullable else ""
    default = ""
    if _is_constant_tag(field):
        default = f" = {_constant(field)!r}"
    elif field.presence == "patch":
        none, default = f"{or_none} | MISSING", " = MISSING"
    elif field.presence == "optional":
        if field.default is None or field.default is NO_DEFAULT:
            none, default = or_none, " = None"
        else:
            default = f" = {_default(spec, owner, field.type, field.default)}"
    return {
        "hint": own_hint(field.type),
        "none": none,
        "default": default,
        "doc": field_doc(field),
        "wire": field.wire,
    }


def _default(spec: Spec, owner: Record, type_: Type, value: Json) -> str:
    """A default as the right-hand side of a field; a mutable one is made anew for each instance."""
    if not isinstance(value, (list, dict)):
        return repr(value)
    target = _resolved(spec, type_)
    if isinstance(target, Record):
        make = str(target.name) if not value else f"lambda: {target.name}.model_validate({value!r})"
    elif value:
        make = f"lambda: {value!r}"
    elif isinstance(target, (ArrayType, MapType)):
        make = hint(ArrayType(target.items) if isinstance(target, ArrayType) else target)
        # It is evaluated with the class, when a type that needs this class does not exist yet.
        if owner.name in reachable(spec.definitions, type_names(type_)):
            make = f"lambda: {make}()"
    else:
        make = "list" if isinstance(value, list) else "dict"
    return f"Field(default_factory={make})"


def _resolved(spec: Spec, type_: Type) -> Type | AnyDefinition:
    """What a type is, through aliases."""
    found: Type | AnyDefinition = type_
    while isinstance(found, RefType):
        item = spec.definitions[found.name]
        found = item.type if isinstance(item, Alias) else item
    return found


def _own_hint(item: Union | Enum | Alias) -> str | None:
    if isinstance(item, Alias):
        return own_hint(item.type)
    if isinstance(item, Union) and any(own_hint(variant.type) for variant in item.variants):
        return hint(OptionsType(tuple(variant.type for variant in item.variants)))
    return None


def _around(item: Union | Enum | Alias) -> tuple[str, str]:
    """What stands around the hint of an alias: the marker that decides its choice."""
    if isinstance(item, Alias):
        if isinstance(item.type, OptionsType) and len(item.type.options) > 1:
            return "Annotated[", ", Untagged()]"
        return "", ""
    if isinstance(item, Enum):
        if not item.open:
            return "", ""
        return "Annotated[", f" | {'str' if item.kind == 'string' else 'int'}, {_open(item)}]"
    if item.tag is None:
        if len(item.variants) < 2:
            return "", ""
        return "Annotated[", f", Untagged({'exclusive=True' if item.exclusive else ''})]"
    return "Annotated[", f", {_tagged(item)}]"


def _open(item: Enum) -> str:
    scalar = item.scalar
    if item.kind == "string":
        return "Text()"
    return f"Integer({scalar.minimum!r}, {scalar.maximum!r})"


def _tagged(item: Union) -> str:
    arguments = [json.dumps(item.tag)]
    pairs = [
        f"{variant.tag!r}: {hint(variant.type)}"
        for variant in item.variants
        if variant.tag is not None
    ]
    arguments.append("{" + ", ".join(pairs) + "}")
    defaults = [hint(variant.type) for variant in item.variants if variant.tag is None]
    if defaults:
        arguments.append(f"defaults=({', '.join(defaults)},)")
    if item.catch_all is not None:
        arguments.append(f"other={item.catch_all}")
    return f"Tagged({', '.join(arguments)})"
