"""schemas/renames.toml: what is one thing under two names, where nothing but a person can tell.

    [v1-v2.types]
    Plan = "PlanItems"

    [v1-v2.fields]
    "AuthMethodAgent.id" = "AuthMethodAgent.methodId"
    "Suggestion.id" = { to = "Suggestion.suggestionId", retired = true }

    [v1-v2.methods]
    "session/load" = "session/open"

    [v1-v2.capabilities]
    "agent: promptCapabilities" = "agent: session.prompt"

    [v1-v2.variants]
    "SessionUpdate:plan" = "SessionUpdate:plan_update"

A table is for two protocol versions, left the old names and right the new ones; it serves both directions, and any
release and channel of these versions. `[v1-v1.*]` is for releases of one version. Types go by their `$defs` key, fields
by `Type.property` (to another type: the field moved), variants by `Union:tag`. `retired = true` marks what only older
releases know. A row that matches nothing is a Problem (`stale`).
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, cast, get_args

from acpgen import resources
from acpgen.config import read_toml
from acpgen.problem import Problem, ProblemError
from acpgen.spec.ir import Spec

Table = Literal["types", "fields", "methods", "capabilities", "variants"]
TABLES: tuple[Table, ...] = get_args(Table)

_PAIR = re.compile(r"v([1-9][0-9]*)-v([1-9][0-9]*)")
_NAME = r"[^\s.:]+"
_SHAPES: Mapping[Table, tuple[re.Pattern[str], str]] = {
    "types": (re.compile(_NAME), "a `$defs` key"),
    "fields": (re.compile(rf"{_NAME}\.\S+"), "`Type.property`"),
    "methods": (re.compile(r"\S+"), "the name of a method"),
    "capabilities": (re.compile(r"(agent|client): \S+"), "`agent: PATH` or `client: PATH`"),
    "variants": (re.compile(rf"{_NAME}:\S+"), "`Union:tag`"),
}


@dataclass(frozen=True, slots=True)
class RenameRow:
    """One row. versions: the protocol versions of `old` and `new`. where: the file and the key."""

    table: Table
    old: str
    new: str
    versions: tuple[int, int]
    where: str
    retired: bool = False

    @property
    def evidence(self) -> str:
        return f"{self.where.partition('#')[0]}: {self.old} = {self.new}"

    def turned(self) -> RenameRow:
        """The same row for a comparison from new to old."""
        old, new = self.versions
        return replace(self, old=self.new, new=self.old, versions=(new, old))


def load(paths: Iterable[Path]) -> tuple[RenameRow, ...]:
    """The rows of some files, in order; of two for one name the first counts.

    A missing file has none. Raises ProblemError with every row that is none.
    """
    problems: list[Problem] = []
    found: dict[tuple[str, tuple[int, int], str], RenameRow] = {}
    for path in paths:
        if path.is_file():
            for row in _read(read_toml(path), path.name, problems):
                found.setdefault((row.table, row.versions, row.old), row)
    if problems:
        raise ProblemError(problems)
    return tuple(found.values())


def _read(data: Mapping[str, Any], name: str, problems: list[Problem]) -> Iterator[RenameRow]:
    for pair, tables in data.items():
        where = f"{name}#{pair}"
        match = _PAIR.fullmatch(pair)
        if match is None or not isinstance(tables, Mapping):
            problems.append(Problem(where, "names no two protocol versions", "write [v1-v2.types]"))
            continue
        versions = int(match[1]), int(match[2])
        for table, rows in tables.items():
            if table not in TABLES or not isinstance(rows, Mapping):
                what = f"known are {', '.join(TABLES)}"
                problems.append(Problem(f"{where}.{table}", "is no table of renames", what))
                continue
            for old, value in rows.items():
                row = _row(
                    cast(Table, table), old, value, versions, f"{where}.{table}.{old}", problems
                )
                if row is not None:
                    yield row


def _row(
    table: Table,
    old: str,
    value: Any,
    versions: tuple[int, int],
    where: str,
    problems: list[Problem],
) -> RenameRow | None:
    retired: Any = False
    new = value
    if isinstance(value, Mapping):
        if odd := sorted(set(value) - {"to", "retired"}):
            problems.append(Problem(where, f"has an unknown key {odd[0]}", "known are to, retired"))
            return None
        new, retired = value.get("to"), value.get("retired", False)
    shape, words = _SHAPES[table]
    for text in (old, new):
        if not isinstance(text, str) or not shape.fullmatch(text):
            problems.append(Problem(where, f"{text!r} is not {words}"))
            return None
    if not isinstance(retired, bool):
        problems.append(Problem(where, "`retired` has to be true or false"))
        return None
    if old == new:
        problems.append(Problem(where, "renames nothing: both names are equal", "remove the row"))
        return None
    return RenameRow(table, old, cast(str, new), versions, where, retired)


def between(rows: Iterable[RenameRow], old: int, new: int) -> tuple[RenameRow, ...]:
    """The rows that speak about two protocol versions, turned where they are written the other way round."""
    found: dict[tuple[str, str], RenameRow] = {}
    for row in rows:
        if row.versions == (old, new):
            found.setdefault((row.table, row.old), row)
        if row.versions == (new, old):
            turned = row.turned()
            found.setdefault((row.table, turned.old), turned)
    return tuple(found.values())


def stale(rows: Sequence[RenameRow], specs: Sequence[Spec]) -> list[Problem]:
    """A Problem for each row that matches nothing, in whatever pair of these surfaces it speaks about.

    Rows about versions that are not among the surfaces, and retired rows, are not judged.
    """
    known = {
        (table, spec.surface): names(spec, table)
        for table in TABLES
        if any(row.table == table for row in rows)
        for spec in specs
    }
    problems = []
    for row in rows:
        olds = [spec for spec in specs if spec.version == row.versions[0]]
        news = [spec for spec in specs if spec.version == row.versions[1]]
        if row.retired or not olds or not news:
            continue
        for name, sides in ((row.old, olds), (row.new, news)):
            there = {item for spec in sides for item in known[row.table, spec.surface]}
            if name not in there:
                problems.append(_stale(row, name, sides[0].version, there))
                break
    return problems


def _stale(row: RenameRow, name: str, version: int, there: set[str]) -> Problem:
    kind = "capability" if row.table == "capabilities" else row.table.removesuffix("s")
    near = difflib.get_close_matches(name, sorted(there), n=1)
    hint = f"did you mean {near[0]}?" if near else "remove the row, or mark it retired"
    return Problem(row.where, f"v{version} has no {kind} `{name}`", hint)


def packaged() -> tuple[RenameRow, ...]:
    """The rows of schemas/renames.toml."""
    return load([resources.schemas_dir() / "renames.toml"])


def names(spec: Spec, table: Table) -> set[str]:
    """Everything that rows of a table can name in a surface."""
    from acpgen.diff.pairing.surface import Surface
    from acpgen.spec.ir import Record, Union

    if table == "methods":
        return {item.wire for item in spec.methods}
    if table == "capabilities":
        paths = spec.table.capabilities
        return {f"{side}: {path}" for side, found in paths.items() for path in found}
    if table == "types":
        return {*spec.wire_types, *spec.merged}
    surface = Surface(spec)
    if table == "variants":
        unions = [item for item in spec.definitions.values() if isinstance(item, Union)]
        return {surface.variant_name(item, one) for item in unions for one in item.variants}
    records = [item for item in spec.definitions.values() if isinstance(item, Record)]
    return {surface.field_name(item, one) for item in records for one in spec.fields(item)}
