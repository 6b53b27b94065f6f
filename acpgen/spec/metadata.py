"""methods.toml: what no schema says, per protocol version.

`[roots]` names the capabilities object of each side in the `initialize` messages.
`[[method]]` is one method, keyed by name, side and kind (a wire name is no key): summary, gate
  (`requires`, see runtime/expressions.py), the code that answers an unadvertised call (`error`),
  what a call needs (`needs`), codes that it answers (`errors`), the methods that do the same in the
  other version (`replaced_by`; left out: the same name, empty: nothing), and how they do it, or
  what to do instead (`note`).
`[[check]]` is one place in the params (or result, or kind of update) of some methods: `at`, `when`,
  and the gate or the rule that holds there. A name in `methods` may say more than one row has:
  `NAME:KIND` picks one.
`[[update]]` is one kind of session/update: its semantics and its gate.
`[[state]]` names a fact that gates ask for and no capability states.
`[[informational]]` names a capability that gates nothing.
`[[patch]]` names the fields that know three states (absent, null, a value); `[[omit_empty]]` names
  the lists for which empty means absent and which a sender leaves out. Each row has `fields`
  (property names) and says whose: a `type` (a `$defs` key, or the name of a variant where an old
  schema describes it in place), or the kind of `update` that carries it, which keeps the row true
  when upstream renames the type; with both it is about either.

`retired = true` marks what only older releases know. `replaced_by` of a retired method names what
took its place, in its own version or in the other.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from acpgen import resources
from acpgen.problem import Problem, ProblemError
from acpgen.runtime.checks import CONTEXT_RULES, RULES
from acpgen.runtime.expressions import Expression, ExpressionError
from acpgen.runtime.expressions import parse as parse_expression
from acpgen.runtime.table import By, Kind, Side
from acpgen.spec.metadata_format import FORMAT
from acpgen.spec.toml_lines import line_of

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = [
    "FORMAT",
    "CheckRow",
    "FieldRow",
    "InformationalRow",
    "Metadata",
    "MethodRow",
    "StateRow",
    "UpdateRow",
    "load",
    "parse",
]


@dataclass(frozen=True, slots=True)
class FieldRow:
    """One row: the fields of one type that have a property no schema states. type: "" where only the
    kind of update tells. where: the file, the line and the row.
    """

    type: str = ""
    fields: tuple[str, ...] = ()
    where: str = ""
    retired: bool = False
    update: str = ""

    @property
    def about(self) -> str:
        """Whose fields they are, in words."""
        return f"the type {self.type}" if self.type else f"the kind of update {self.update}"


@dataclass(frozen=True, slots=True)
class MethodRow:
    """One [[method]]. where: the file and the line. Defaults are those of `runtime.table.Row`."""

    name: str
    side: Side
    kind: Kind
    summary: str
    where: str
    requires: Expression | None = None
    error: int | None = None
    needs: tuple[str, ...] = ()
    errors: tuple[int, ...] = ()
    replaced_by: tuple[str, ...] | None = None
    note: str = ""
    docs: str = ""
    optional: bool = False
    retired: bool = False

    @property
    def key(self) -> tuple[str, str, str]:
        return self.name, self.side, self.kind


@dataclass(frozen=True, slots=True)
class CheckRow:
    """One [[check]]: of methods or of updates, never both. when: condition -> argument."""

    at: str
    where: str
    methods: tuple[str, ...] = ()
    updates: tuple[str, ...] = ()
    of: Literal["params", "result"] = "params"
    when: Mapping[str, Any] = field(default_factory=dict)
    requires: Expression | None = None
    rule: str = ""
    error: int | None = None
    by: By = "both"
    note: str = ""
    retired: bool = False


@dataclass(frozen=True, slots=True)
class UpdateRow:
    """One [[update]]."""

    kind: str
    semantics: str
    summary: str
    where: str
    identity: str = ""
    requires: Expression | None = None
    replaced_by: tuple[str, ...] | None = None
    retired: bool = False


@dataclass(frozen=True, slots=True)
class StateRow:
    """One [[state]]. of_update: it is only asked for where the schema has that kind of update."""

    name: str
    summary: str
    known_by: Literal["initialize", "session", "author"]
    default: bool
    where: str
    of_update: str = ""


@dataclass(frozen=True, slots=True)
class InformationalRow:
    """One [[informational]]."""

    capability: Expression
    summary: str
    where: str
    retired: bool = False


@dataclass(frozen=True, slots=True)
class Metadata:
    """What methods.toml says of one protocol version. roots: side -> property of its message."""

    patch: tuple[FieldRow, ...] = ()
    omit_empty: tuple[FieldRow, ...] = ()
    methods: tuple[MethodRow, ...] = ()
    checks: tuple[CheckRow, ...] = ()
    updates: tuple[UpdateRow, ...] = ()
    states: tuple[StateRow, ...] = ()
    informational: tuple[InformationalRow, ...] = ()
    roots: Mapping[str, str] = field(default_factory=dict)

    def is_patch(self, types: Collection[str], wire: str, updates: Collection[str] = ()) -> bool:
        """The field knows three states. types: the names that the record goes by; updates: the
        kinds of session/update that carry it.
        """
        return _listed(self.patch, types, wire, updates)

    def omits_empty(self, types: Collection[str], wire: str, updates: Collection[str] = ()) -> bool:
        """An empty list means an absent one, and is not written."""
        return _listed(self.omit_empty, types, wire, updates)

    def __add__(self, other: Metadata) -> Metadata:
        """Both; of two rows with one key the left one counts."""
        return Metadata(
            self.patch + other.patch,
            self.omit_empty + other.omit_empty,
            _first(self.methods + other.methods, lambda row: row.key),
            self.checks + other.checks,
            _first(self.updates + other.updates, lambda row: row.kind),
            _first(self.states + other.states, lambda row: row.name),
            self.informational + other.informational,
            {**other.roots, **self.roots},
        )


NOTHING = Metadata()
"""The metadata of a schema that nothing is known about."""


def _first(rows: tuple[Any, ...], key: Any) -> tuple[Any, ...]:
    return tuple({key(row): row for row in reversed(rows)}.values())[::-1]


NOTHING = Metadata()
"""The metadata of a schema that nothing is known about."""


def _listed(
    rows: Iterable[FieldRow], types: Collection[str], wire: str, updates: Collection[str]
) -> bool:
    return any(wire in row.fields and (row.type in types or row.update in updates) for row in rows)


@functools.lru_cache(maxsize=16)
def parse(text: str, where: str) -> Metadata:
    """Read one methods.toml. Raises ProblemError with the line and the key of every fault."""
    from jsonschema import Draft202012Validator

    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ProblemError.of(where, f"is no TOML: {error}") from None
    faults = [
        Problem(_at(text, where, list(error.absolute_path)), _message(error))
        for error in Draft202012Validator(FORMAT).iter_errors(data)
    ]
    if faults:
        raise ProblemError(faults)
    reader = _Reader(text, where)
    found = reader.read(data)
    if reader.problems:
        raise ProblemError(reader.problems)
    return found


def _at(text: str, where: str, path: Sequence[str | int]) -> str:
    line = line_of(text, path)
    return f"{where}:{line or 1}#/{'/'.join(map(str, path))}"


def _message(error: Any) -> str:
    if error.validator in ("oneOf", "anyOf"):
        keys = [item["required"][0] for item in error.validator_value]
        return (
            f"needs {'exactly one' if error.validator == 'oneOf' else 'one'} of {', '.join(keys)}"
        )
    return str(error.message)


class _Reader:
    """Rows from TOML that has the format; faults of their values are collected in `problems`."""

    def __init__(self, text: str, where: str) -> None:
        self.text = text
        self.where = where
        self.problems: list[Problem] = []

    def read(self, data: Mapping[str, Any]) -> Metadata:
        found = Metadata(
            patch=tuple(FieldRow(**row) for row in self.rows(data, "patch")),
            omit_empty=tuple(FieldRow(**row) for row in self.rows(data, "omit_empty")),
            methods=tuple(MethodRow(**row) for row in self.rows(data, "method")),
            checks=tuple(map(self.check, self.rows(data, "check"))),
            updates=tuple(UpdateRow(**row) for row in self.rows(data, "update")),
            states=tuple(StateRow(**row) for row in self.rows(data, "state")),
            informational=tuple(
                InformationalRow(**row) for row in self.rows(data, "informational")
            ),
            roots=data.get("roots", {}),
        )
        self.repeats("method", [row.key for row in found.methods])
        self.repeats("update", [row.kind for row in found.updates])
        self.repeats("state", [row.name for row in found.states])
        return found

    def at(self, table: str, index: int, key: str = "") -> str:
        return _at(self.text, self.where, [table, index, *([key] if key else [])])

    def rows(self, data: Mapping[str, Any], table: str) -> Iterable[dict[str, Any]]:
        for index, row in enumerate(data.get(table, ())):
            found = {
                key: tuple(item) if isinstance(item, list) else item for key, item in row.items()
            }
            for key in ("requires", "capability"):
                if key in row:
                    found[key] = self.expression(row[key], self.at(table, index, key), key)
            yield {**found, "where": self.at(table, index)}

    def expression(self, text: str, where: str, key: str) -> Expression:
        try:
            found = parse_expression(text)
        except ExpressionError as error:
            self.problems.append(Problem(where, str(error), "see acpgen/runtime/expressions.py"))
            return Expression("never")
        if key == "capability" and found.op != "capability":
            self.problems.append(Problem(where, f"`{text}` is no capability"))
        return found

    def check(self, row: dict[str, Any]) -> CheckRow:
        rule = row.get("rule", "").partition(" ")[0]
        if rule and rule not in (*RULES, *CONTEXT_RULES):
            known = ", ".join(sorted((*RULES, *CONTEXT_RULES)))
            self.problems.append(
                Problem(row["where"], f"there is no rule `{rule}`", f"known: {known}")
            )
        return CheckRow(**row)

    def repeats(self, table: str, keys: Sequence[Any]) -> None:
        for index, key in enumerate(keys):
            if key in keys[:index]:
                shown = " ".join(key) if isinstance(key, tuple) else key
                self.problems.append(
                    Problem(self.at(table, index), f"[[{table}]] {shown} is there already")
                )


def _label(path: Path) -> str:
    """How messages name a file: a packaged one by version or overlay, a user's by folder too."""
    parts = path.parts[-2:] if path.is_relative_to(resources.schemas_dir()) else path.parts[-3:]
    return "/".join(parts)


def load(paths: Iterable[Path]) -> Metadata:
    """The rows of several files together, a user's own before the packaged ones; a missing file
    has none.
    """
    found = Metadata()
    problems: list[Problem] = []
    for path in paths:
        if path.is_file():
            try:
                found = found + parse(path.read_text(encoding="utf-8"), _label(path))
            except ProblemError as error:
                problems += error.problems
    if problems:
        raise ProblemError(problems)
    return found
