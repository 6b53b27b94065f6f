"""How each definition is used: as a type of its own, or only as what a variant carries beside its tag."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from acpgen.spec.parts import references
from acpgen.spec.shapes import Schema, Shape, ShapeReader, bare_ref, is_object, ref_name


class Usage:
    """Counts over all definitions that are no envelope. plain: uses as a type. payload: uses inside a variant."""

    def __init__(self, reader: ShapeReader, envelopes: frozenset[str]) -> None:
        self.reader = reader
        self.plain: Counter[str] = Counter()
        self.payload: Counter[str] = Counter()
        for key, schema in reader.defs.items():
            if key in envelopes:
                continue
            if "x-method" in schema:
                self.plain[key] += 1
            self._definition(key, schema)

    def own(self, keys: Mapping[str, Any], envelopes: frozenset[str]) -> frozenset[str]:
        """The definitions that need a name of their own: used as a type, shared by variants, or used by nobody."""
        return frozenset(
            key
            for key in keys
            if key not in envelopes and (self.plain[key] or self.payload[key] != 1)
        )

    def _definition(self, key: str, schema: Schema) -> None:
        ref = bare_ref(schema)
        if ref is not None:
            self.plain[ref] += 1
        elif is_object(schema) or "anyOf" in schema or "oneOf" in schema or "allOf" in schema:
            shape = self.reader.definition(key)
            self.plain.update(shape.refs)
            self._shape(shape, False)
        else:
            self.plain.update(_refs(schema))

    def _shape(self, shape: Shape, payload: bool) -> None:
        for ref, inside in references(self.reader, shape):
            (self.payload if inside else self.plain)[ref] += 1
        self._properties(shape)

    def _properties(self, shape: Shape) -> None:
        for prop in shape.properties.values():
            self.plain.update(_refs(prop.schema))
        if shape.choice is None:
            return
        for branch in shape.choice.branches:
            if branch.shape is not None:
                self._properties(branch.shape)
            elif branch.ref is None:
                self.plain.update(_refs(branch.schema))


def _refs(schema: Any) -> Iterator[str]:
    """Every definition that a schema refers to, at any depth."""
    if isinstance(schema, Mapping):
        for key, value in schema.items():
            if key == "$ref" and isinstance(value, str):
                yield ref_name(value)
            elif key not in ("const", "enum", "default"):
                yield from _refs(value)
    elif isinstance(schema, list):
        for item in schema:
            yield from _refs(item)
