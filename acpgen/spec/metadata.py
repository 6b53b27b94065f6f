"""methods.toml: what no schema says, per protocol version.

Two tables so far. `[[patch]]` names the fields that know three states (absent, null, a value); `[[omit_empty]]` names the
lists for which empty means absent and which a sender leaves out. Each row has a `type` (a `$defs` key, or the name of a
variant where an old schema describes it in place) and `fields` (property names). `retired = true` marks a row that only
older releases know.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from acpgen.problem import Problem, ProblemError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FORMAT: Mapping[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        table: {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["type", "fields"],
                "properties": {
                    "type": {"type": "string", "minLength": 1},
                    "fields": {
                        "type": "array",
                        "minItems": 1,
                        "uniqueItems": True,
                        "items": {"type": "string"},
                    },
                    "retired": {"type": "boolean"},
                },
            },
        }
        for table in ("patch", "omit_empty")
    },
}
"""The JSON Schema of the file."""


@dataclass(frozen=True, slots=True)
class FieldRow:
    """One row: the fields of one type that have a property no schema states. where: the file and the row."""

    type: str
    fields: tuple[str, ...]
    where: str
    retired: bool = False


@dataclass(frozen=True, slots=True)
class Metadata:
    """What methods.toml says of one protocol version."""

    patch: tuple[FieldRow, ...] = ()
    omit_empty: tuple[FieldRow, ...] = ()

    def is_patch(self, types: Collection[str], wire: str) -> bool:
        """The field knows three states. types: the names that the record goes by."""
        return _listed(self.patch, types, wire)

    def omits_empty(self, types: Collection[str], wire: str) -> bool:
        """An empty list means an absent one, and is not written."""
        return _listed(self.omit_empty, types, wire)


NOTHING = Metadata()
"""The metadata of a schema that nothing is known about."""


def _listed(rows: Iterable[FieldRow], types: Collection[str], wire: str) -> bool:
    return any(row.type in types and wire in row.fields for row in rows)


def parse(text: str, where: str) -> Metadata:
    """Read one methods.toml; a malformed one is a ProblemError that names each row."""
    from jsonschema import Draft202012Validator

    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ProblemError.of(where, f"is no TOML: {error}") from None
    faults = [
        Problem(f"{where}#/{'/'.join(map(str, error.absolute_path))}", error.message)
        for error in Draft202012Validator(FORMAT).iter_errors(data)
    ]
    if faults:
        raise ProblemError(faults)
    return Metadata(
        *(_rows(data.get(table, ()), f"{where}#/{table}") for table in ("patch", "omit_empty"))
    )


def _rows(rows: Sequence[Mapping[str, Any]], where: str) -> tuple[FieldRow, ...]:
    return tuple(
        FieldRow(row["type"], tuple(row["fields"]), f"{where}/{index}", row.get("retired", False))
        for index, row in enumerate(rows)
    )


def load(paths: Iterable[Path]) -> Metadata:
    """The rows of several files together, a user's own before the packaged ones; a missing file has none."""
    found = [
        parse(path.read_text(encoding="utf-8"), f"{path.parent.name}/{path.name}")
        for path in paths
        if path.is_file()
    ]
    return Metadata(
        tuple(row for item in found for row in item.patch),
        tuple(row for item in found for row in item.omit_empty),
    )
