"""renames.toml: a user's own Python names.

    [types]
    PromptResponse = "PromptAnswer"

    [fields]
    "PromptResponse.stopReason" = "reason"

`[types]` maps a `$defs` key, or the Python name that acpgen made, to another Python name;
`[fields]`
maps TYPE.PROPERTY. A row that matches nothing on any surface is a Problem: it would otherwise be
ignored in silence after the schema has moved.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from acpgen.config import read_toml
from acpgen.problem import Problem, ProblemError
from acpgen.spec.ir import AnyDefinition, Record, Spec
from acpgen.spec.names import MODEL_ATTRIBUTES, ClassName, FieldName, class_name

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Row:
    """One rename. field: the property's wire name, or None for a type. where: the file and the
    key.
    """

    type: str
    field: str | None
    new: str
    where: str


def load(paths: Iterable[Path]) -> list[Row]:
    """The rows of some files; of two for one place the first counts. Raises ProblemError."""
    rows: dict[tuple[str, str | None], Row] = {}
    problems: list[Problem] = []
    for path in paths:
        for table, content in read_toml(path).items():
            where = f"{path.name}#{table}"
            if table not in ("types", "fields") or not isinstance(content, Mapping):
                problems.append(Problem(where, "is unknown", "write [types] and [fields]"))
                continue
            for key, new in content.items():
                row = _row(table, key, new, f"{where}.{key}", problems)
                if row is not None:
                    rows.setdefault((row.type, row.field), row)
    if problems:
        raise ProblemError(problems)
    return list(rows.values())


def _row(table: str, key: str, new: Any, where: str, problems: list[Problem]) -> Row | None:
    owner, _, field = key.partition(".")
    if not isinstance(new, str):
        problems.append(Problem(where, "has to be a string, the new name"))
    elif table == "types" and (not new.isidentifier() or class_name(new) != new):
        problems.append(Problem(where, f"{new!r} cannot be the name of a class"))
    elif table == "fields" and not field:
        problems.append(Problem(where, "names no field", 'write "TYPE.PROPERTY" = "name"'))
    elif table == "fields" and not _is_field_name(new):
        problems.append(Problem(where, f"{new!r} cannot be the name of a field"))
    else:
        return Row(owner if table == "fields" else key, field or None, new, where)
    return None


def _is_field_name(name: str) -> bool:
    try:
        FieldName(name)
    except ValueError:
        return False
    return name not in MODEL_ATTRIBUTES and not name.startswith("model_")


def apply(specs: Sequence[Spec], rows: Sequence[Row]) -> list[Spec]:
    """The surfaces with the renames. Raises ProblemError for rows that match nothing or collide."""
    problems: list[Problem] = []
    matched: set[Row] = set()
    result = [_renamed(spec, rows, matched, problems) for spec in specs]
    problems += [_stale(row, specs) for row in rows if row not in matched]
    if problems:
        raise ProblemError(problems)
    return result


def _renamed(spec: Spec, rows: Sequence[Row], matched: set[Row], problems: list[Problem]) -> Spec:
    definitions = dict(spec.definitions)
    types: dict[str, ClassName] = {}
    for row in rows:
        target = _target(spec, row.type)
        if target is None:
            continue
        if row.field is None:
            matched.add(row)
            if row.new in {*definitions, *types.values()} and row.new != target:
                problems.append(Problem(row.where, f"{spec.surface} has a type {row.new} already"))
            types[target] = ClassName(row.new)
        else:
            _rename_field(definitions, target, row, spec.surface, matched, problems)
    changed = replace(spec, definitions=definitions)
    return _walk(changed, types) if types else changed


def _target(spec: Spec, name: str) -> ClassName | None:
    if name in spec.wire_types:
        return spec.wire_types[name]
    return next((key for key in spec.definitions if key == name), None)


def _rename_field(
    definitions: dict[ClassName, AnyDefinition],
    target: ClassName,
    row: Row,
    surface: str,
    matched: set[Row],
    problems: list[Problem],
) -> None:
    record = definitions[target]
    own = record.fields if isinstance(record, Record) else ()
    field = next((item for item in own if item.wire == row.field), None)
    if field is None or not isinstance(record, Record):
        return
    matched.add(row)
    if field.tag:
        problems.append(Problem(row.where, "is a discriminator, which keeps its name"))
    elif any(item.name == row.new for item in own if item is not field):
        problems.append(Problem(row.where, f"{surface}: {target} has a field {row.new} already"))
    else:
        new = replace(field, name=FieldName(row.new))
        definitions[target] = replace(
            record, fields=tuple(new if item is field else item for item in own)
        )


def _walk(value: T, types: Mapping[str, ClassName]) -> T:
    """A value of the intermediate representation with every class name looked up in `types`."""
    new: Any = value
    if isinstance(value, ClassName):
        new = types.get(value, value)
    elif isinstance(value, tuple) and hasattr(value, "_fields"):
        new = type(value)(*(_walk(item, types) for item in value))
    elif isinstance(value, tuple):
        new = tuple(_walk(item, types) for item in value)
    elif isinstance(value, Mapping):
        new = {_walk(key, types): _walk(item, types) for key, item in value.items()}
    elif is_dataclass(value) and not isinstance(value, type):
        parts = {item.name: getattr(value, item.name) for item in fields(value) if item.init}
        new = replace(value, **{name: _walk(part, types) for name, part in parts.items()})
    return new  # type: ignore[no-any-return]  # of the same type, part by part


def _stale(row: Row, specs: Sequence[Spec]) -> Problem:
    if row.field is None:
        known = {str(name) for spec in specs for name in (*spec.definitions, *spec.wire_types)}
        what, name = f"no surface has a type {row.type}", row.type
    else:
        found = [(spec, _target(spec, row.type)) for spec in specs]
        targets = [spec.definitions[name] for spec, name in found if name is not None]
        known = {
            item.wire for target in targets if isinstance(target, Record) for item in target.fields
        }
        name = row.field
        what = f"no surface has a type {row.type} with a property {name} of its own"
    near = difflib.get_close_matches(name, sorted(known), n=1)
    return Problem(row.where, what, f"did you mean {near[0]}?" if near else "remove the row")
