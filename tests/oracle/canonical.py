"""One text for values that mean the same.

Of an optional field that is no patch field, these mean the same as leaving it out: null, the
schema's default, and an empty list where the schema has no null, or an empty map that null reads
as. Nothing else is touched: unknown fields and the payload of unknown variants stay.
"""

from __future__ import annotations

from tests.oracle.contract import Contract, Json, Schema, Shape, kind_of
from tests.oracle.reader import ON_NULL


class Canonical:
    """Makes valid values of one contract canonical. `patch`: see `reader.patch_fields`."""

    def __init__(self, contract: Contract, patch: frozenset[int]) -> None:
        self.contract = contract
        self.patch = patch

    def __call__(self, schema: Schema, value: Json) -> Json:
        if not isinstance(value, (dict, list)):
            return value
        for shape in self.contract.shapes(schema):
            if shape.could_be(value) and self.contract.valid(shape.schema, value):
                return self._as(shape, value)
        return value

    def _as(self, shape: Shape, value: Json) -> Json:
        items = shape.keywords.get("items")
        if isinstance(value, list):
            return [self(items, item) for item in value] if isinstance(items, dict) else value
        others = shape.keywords.get("additionalProperties")
        result = {}
        for name, inner in value.items():
            schemas = shape.properties.get(name)
            if schemas is None:
                result[name] = self(others, inner) if isinstance(others, dict) else inner
                continue
            inner = self(schemas[-1], inner)
            if name in shape.required or not self._means_nothing(schemas, inner):
                result[name] = inner
        return result

    def _means_nothing(self, schemas: tuple[Schema, ...], value: Json) -> bool:
        if any(id(schema) in self.patch for schema in schemas):
            return False
        if value is None:
            return True
        for schema in schemas:
            if "default" in schema:
                default = self(schema, schema["default"])
                if default == value and kind_of(default) == kind_of(value):
                    return True
        kinds = {shape.keywords.get("type") for shape in self.contract.shapes(schemas[-1])}
        if value == {}:
            return kinds == {"object"} and any(schema.get(ON_NULL) for schema in schemas)
        return value == [] and kinds == {"array"}
