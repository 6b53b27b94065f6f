"""Spec -> the schema that datamodel-code-generator reads.

Every name in it is the Python name, every field is required and never null: what absence and null
mean travels beside the schema (facts.py), so that the generator only orders definitions and spells
type hints. Types that it has no word for go through as placeholders, which `Placeholders.fill`
replaces in its output.
"""

from __future__ import annotations

from typing import Any

from acpgen.emit.hints import literal, scalar
from acpgen.spec.ir import (
    Alias,
    AnyDefinition,
    AnyType,
    ArrayType,
    Enum,
    LiteralType,
    MapType,
    OptionsType,
    Record,
    RefType,
    Scalar,
    Spec,
    Type,
    Union,
)

RUNTIME = "acp_runtime"


class Placeholders:
    """Expressions that stand in the generator's output under a name of their own."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def name(self, expression: str) -> str:
        return self._names.setdefault(expression, f"AcpPlaceholder{len(self._names)}Z")

    def fill(self, text: str) -> str:
        for expression, name in self._names.items():
            text = text.replace(name, expression)
        return text


def normalise(spec: Spec, placeholders: Placeholders) -> dict[str, Any]:
    """The schema, with the definitions under `$defs` by their Python names."""
    writer = _Writer(placeholders)
    return {
        "$defs": {str(name): writer.definition(item) for name, item in spec.definitions.items()}
    }


class _Writer:
    def __init__(self, placeholders: Placeholders) -> None:
        self.placeholders = placeholders

    def definition(self, item: AnyDefinition) -> dict[str, Any]:
        if isinstance(item, Record):
            return self._record(item)
        if isinstance(item, Union):
            types = [variant.type for variant in item.variants]
            if item.catch_all is not None:
                types.append(RefType(item.catch_all))
            return self.type(OptionsType(tuple(types)))
        if isinstance(item, Enum):
            return self.type(LiteralType(tuple(value.value for value in item.values)))
        assert isinstance(item, Alias)
        return self.type(item.type)

    def _record(self, item: Record) -> dict[str, Any]:
        names = [str(field.name) for field in item.fields]
        own: dict[str, Any] = {
            "type": "object",
            "properties": {str(field.name): self.type(field.type) for field in item.fields},
            "required": names,
        }
        if item.base is None:
            return own
        base = {"$ref": f"#/$defs/{item.base}"}
        return {"allOf": [base, own]} if names else {"allOf": [base]}

    def type(self, item: Type) -> dict[str, Any]:
        if isinstance(item, AnyType):
            return {}
        if isinstance(item, RefType):
            return {"$ref": f"#/$defs/{item.name}"}
        if isinstance(item, Scalar):
            return self._scalar(item)
        if isinstance(item, LiteralType):
            return self._custom(literal(item))
        if isinstance(item, ArrayType):
            return {"type": "array", "items": self.type(item.items)}
        if isinstance(item, MapType):
            return {"type": "object", "additionalProperties": self.type(item.values)}
        options = [self.type(option) for option in item.options]
        return options[0] if len(options) == 1 else {"anyOf": options}

    def _scalar(self, item: Scalar) -> dict[str, Any]:
        if item.kind == "null":
            return {"type": "null"}
        expression = scalar(item)
        return {"type": "string"} if expression == "str" else self._custom(expression)

    def _custom(self, expression: str) -> dict[str, Any]:
        return {"customTypePath": f"{RUNTIME}.{self.placeholders.name(expression)}"}
