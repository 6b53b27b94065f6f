"""The reference reader: what a tolerant reader makes of a JSON value.

It applies the x-deserialize-* annotations to the JSON, from the inside out; what is left is judged
by jsonschema.

- default-on-null: a null becomes the field's default.
- skip-invalid-items: an item that is still malformed after its own repair is dropped from the list.
- default-on-error: a value that is still malformed after its own repair becomes the field's
  default.

The default of a field: none at all for a patch field (it is left out, so that nothing is reset);
the schema's `default`; nothing for an optional field; null, `[]` or `{}` for a required one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from tests.oracle.contract import Contract, Json, Schema, Shape, copy_json, kind_of

ON_ERROR = "x-deserialize-default-on-error"
ON_NULL = "x-deserialize-default-on-null"
SKIP_ITEMS = "x-deserialize-skip-invalid-items"


class Absent(Enum):
    """The field is not there."""

    ABSENT = "absent"


ABSENT = Absent.ABSENT


@dataclass(frozen=True)
class Reading:
    """accepted: jsonschema's verdict on what is left. value: what is left. shape: the one that it
    has, if accepted.
    """

    accepted: bool
    value: Json
    shape: Shape | None


def patch_fields(contract: Contract, names: Iterable[tuple[str, str]]) -> frozenset[int]:
    """Identities of the property schemas of patch fields, given as (definition, wire name).

    A definition or field that this contract lacks is skipped: an older release may lack it.
    """
    found = set()
    for definition, name in names:
        schema = contract.defs.get(definition, {}).get("properties", {}).get(name)
        if schema is not None:
            found.add(id(schema))
    return frozenset(found)


class Reader:
    """Reads values of one contract. `patch`: see `patch_fields`."""

    def __init__(self, contract: Contract, patch: frozenset[int]) -> None:
        self.contract = contract
        self.patch = patch

    def read(self, schema: Schema, value: Json) -> Reading:
        """Repair `value` where the annotations allow it, then judge it."""
        repaired, shape = self._repair(schema, value)
        accepted = self.contract.valid(schema, repaired)
        return Reading(accepted, repaired, shape if accepted else None)

    def _repair(self, schema: Schema, value: Json) -> tuple[Json, Shape | None]:
        shapes = self.contract.shapes(schema)
        for shape in shapes:
            if not shape.could_be(value):
                continue
            repaired = self._repair_as(shape, value)
            if self.contract.valid(shape.schema, repaired):
                return repaired, shape
        return value, None

    def _repair_as(self, shape: Shape, value: Json) -> Json:
        items = shape.keywords.get("items")
        if isinstance(value, list) and isinstance(items, dict):
            return [self._repair(items, item)[0] for item in value]
        if not isinstance(value, dict):
            return value
        others = shape.keywords.get("additionalProperties")
        result: dict[str, Json] = {}
        for name, inner in value.items():
            if name in shape.properties:
                field = self._field(shape, name, inner)
                if field is not ABSENT:
                    result[name] = field
            elif isinstance(others, dict):
                result[name] = self._repair(others, inner)[0]
            else:
                result[name] = inner
        return result

    def _field(self, shape: Shape, name: str, value: Json) -> Json | Absent:
        """Every schema that stands for the field has its say, each with its own annotations."""
        for schema in shape.properties[name]:
            required = name in shape.required
            if schema.get(ON_NULL) and value is None:
                value = self._default(schema, required)
            elif schema.get(SKIP_ITEMS) and isinstance(value, list):
                items = schema["items"]
                repaired = [self._repair(items, item)[0] for item in value]
                value = [item for item in repaired if self.contract.valid(items, item)]
            else:
                value = self._repair(schema, value)[0]
            if value is ABSENT:
                return ABSENT
            if schema.get(ON_ERROR) and not self.contract.valid(schema, value):
                value = self._default(schema, required)
                if value is ABSENT:
                    return ABSENT
        return value

    def _default(self, schema: Schema, required: bool) -> Json | Absent:
        if id(schema) in self.patch:
            return ABSENT
        if "default" in schema:
            return copy_json(schema["default"])
        if not required:
            return ABSENT
        candidates: tuple[Json, ...] = (None, [], {})
        for candidate in candidates:
            if self._has_type(schema, candidate):
                return candidate
        return ABSENT

    def _has_type(self, schema: Schema, value: Json) -> bool:
        return any(
            shape.keywords.get("type") == kind_of(value) for shape in self.contract.shapes(schema)
        )
