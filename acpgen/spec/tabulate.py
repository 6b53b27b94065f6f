"""A Spec's methods + methods.toml -> the method table, and what of the metadata this schema lacks.

Stability is a property of the schema, not of the metadata: a row, a pointer or a capability that
this schema does not have is left out of its table and reported as `Lacking`; the audit asks whether
any known release has it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from acpgen.runtime.expressions import Expression
from acpgen.runtime.expressions import parse as parse_expression
from acpgen.runtime.table import Check, Row, State, Update, When
from acpgen.spec.ir import CapabilityKind, Method, MethodTable, RefType, Spec, Type, Union
from acpgen.spec.metadata import CheckRow, Metadata, MethodRow
from acpgen.spec.names import ClassName
from acpgen.spec.pointers import capabilities, known_values, places, union_at

INITIALIZE = "initialize"
UPDATE = "session/update"
_UPDATE_AT = "/update"


@dataclass(frozen=True, slots=True)
class Lacking:
    """Something that methods.toml names and this schema does not have.

    where: the row. what: in words, the same for every surface that lacks it.
    """

    where: str
    what: str


def table_of(spec: Spec, metadata: Metadata) -> MethodTable:
    """The method table of a surface."""
    return tabulate(spec, metadata).table


@dataclass(frozen=True, slots=True)
class Tabulated:
    """The method table of a surface, what it left out because the schema lacks it, and what of the
    metadata the schema has: the same things, so that surfaces can be asked one after the other.
    """

    table: MethodTable
    lacking: tuple[Lacking, ...]
    met: frozenset[Lacking]


def tabulate(spec: Spec, metadata: Metadata) -> Tabulated:
    """The method table of a surface, and how the metadata fits its schema."""
    maker = _Maker(spec, metadata)
    table = maker.table()
    return Tabulated(table, tuple(dict.fromkeys(maker.lacking)), frozenset(maker.met))


class _Maker:
    def __init__(self, spec: Spec, metadata: Metadata) -> None:
        self.spec = spec
        self.metadata = metadata
        self.lacking: list[Lacking] = []
        self.met: set[Lacking] = set()
        self.kinds: dict[str, dict[str, CapabilityKind]] = {"agent": {}, "client": {}}
        self.leaves: list[tuple[str, str]] = []
        self.states = {row.name: row for row in metadata.states}
        self.used_states: dict[str, State] = {}
        self.variants = self._variants()

    def table(self) -> MethodTable:
        roots = self._roots()
        rows = tuple(map(self._row, self.spec.methods))
        self._missing_methods()
        updates, tag = self._updates()
        for item in self.metadata.informational:
            self._gate(item.capability, item.where, item.retired)
        return MethodTable(
            rows,
            updates,
            tuple(self.used_states.values()),
            roots,
            self.kinds,
            tuple(self.leaves),
            UPDATE if tag else "",
            tuple(_UPDATE_AT.split("/")[1:]) if tag else (),
            tag,
            update_states={
                name: self.states[name].of_update
                for name in self.used_states
                if self.states[name].of_update
            },
        )

    def has(self, there: bool, where: str, what: str, retired: bool = False) -> bool:
        """Note whether the schema has something; `what` says it as if it had not."""
        if there:
            self.met.add(Lacking(where, what))
        elif not retired:
            self.lacking.append(Lacking(where, what))
        return there

    # Capabilities

    def _roots(self) -> dict[str, str]:
        method = next((item for item in self.spec.methods if item.wire == INITIALIZE), None)
        roots = {}
        for side, wire in self.metadata.roots.items():
            message = method and (method.result if side == "agent" else method.params)
            found = places(self.spec.definitions, message, f"/{wire}") if message else []
            what = f"the {side}'s `{INITIALIZE}` message has no property `{wire}`"
            if not self.has(bool(found), f"v{self.spec.version}/methods.toml#/roots", what):
                continue
            roots[side] = wire
            for path, kind, leaf in capabilities(self.spec.definitions, found):
                self.kinds[side][path] = kind
                if leaf:
                    self.leaves.append((side, path))
        return roots

    def _gate(self, item: Expression | None, where: str, retired: bool) -> str:
        """The text of a gate without what this schema lacks; "" where nothing is left of it."""
        found = self._reduced(item, where, retired) if item is not None else None
        return str(found) if found is not None else ""

    def _reduced(self, item: Expression, where: str, retired: bool) -> Expression | None:
        if item.op == "capability":
            path = ".".join(item.path)
            what = f"the {item.side} has no capability `{path}`"
            return item if self.has(path in self.kinds[item.side], where, what, retired) else None
        if item.op == "state":
            return self._state(item, where)
        if item.op == "never":
            return item
        parts = [self._reduced(part, where, retired) for part in item.parts]
        left = tuple(part for part in parts if part is not None)
        if not left or item.op == "not":
            return item._replace(parts=left) if left else None
        return left[0] if len(left) == 1 else item._replace(parts=left)

    def _state(self, item: Expression, where: str) -> Expression | None:
        row = self.states.get(item.name)
        self.has(row is not None, where, f"there is no [[state]] `{item.name}`")
        if row is None:
            return item
        if row.of_update:
            what = f"there is no update {row.of_update}"
            if not self.has(row.of_update in self.variants, row.where, what):
                return None
        self.used_states[row.name] = State(row.name, row.summary, row.known_by, row.default)
        return item

    # Methods

    def _row(self, method: Method) -> Row:
        found = next(
            (
                row
                for row in self.metadata.methods
                if row.key == (method.wire, method.side, method.kind)
            ),
            None,
        )
        row = Row(
            method.wire,
            method.side,
            method.kind,
            method.params,
            method.result,
            checks=self._checks(method, method.params, "params"),
            result_checks=self._checks(method, method.result, "result"),
            docs=self._docs(method),
        )
        return row if found is None else self._with_facts(row, found)

    def _with_facts(self, row: Row, found: MethodRow) -> Row:
        return row._replace(
            summary=found.summary,
            requires=self._gate(found.requires, found.where, found.retired),
            error=row.error if found.error is None else found.error,
            needs=found.needs,
            errors=found.errors,
            replaced_by=found.replaced_by,
            note=found.note,
            optional=found.optional,
            docs=found.docs or row.docs,
        )

    def _docs(self, method: Method) -> str:
        if method.params is None:
            return ""
        return self.spec.definitions[method.params].docs

    def _missing_methods(self) -> None:
        keys = {(item.wire, item.side, item.kind) for item in self.spec.methods}
        names = {item.wire for item in self.spec.methods}
        for row in self.metadata.methods:
            what = f"there is no method {row.name} ({row.kind} to the {row.side})"
            self.has(row.key in keys, row.where, what, row.retired)
        for check in self.metadata.checks:
            for name in (name.partition(":")[0] for name in check.methods):
                self.has(name in names, check.where, f"there is no method {name}", check.retired)

    def _checks(self, method: Method, message: ClassName | None, of: str) -> tuple[Check, ...]:
        names = (method.wire, f"{method.wire}:{method.kind}")
        chosen = [
            row
            for row in self.metadata.checks
            if row.of == of and not set(names).isdisjoint(row.methods)
        ]
        if message is None:
            return ()
        found = self._made(
            chosen, lambda at: places(self.spec.definitions, message, at), method.wire
        )
        return tuple(dict.fromkeys(found))  # an overlay and its successor may say the same

    def _made(
        self, rows: list[CheckRow], find: Callable[[str], list[Type]], owner: str
    ) -> Iterator[Check]:
        for row in rows:
            found = find(row.at)
            what = f"there is no place {row.at} in the {row.of} of {owner}"
            if not self.has(bool(found), row.where, what, row.retired):
                continue
            values = known_values(self.spec.definitions, found)
            if not self._occurs(row, values, owner):
                continue
            requires = self._gate(row.requires, row.where, row.retired)
            if row.requires is not None and not requires:
                continue
            check = Check(
                row.at,
                _when(row, values),
                requires,
                row.rule,
                by=row.by,
                note=row.note,
            )
            yield check if row.error is None else check._replace(error=row.error)

    def _occurs(self, row: CheckRow, values: list[str | int | bool], owner: str) -> bool:
        """The schema knows a value that the check is about."""
        one = row.when.get("is")
        wanted = row.when.get("one_of", () if one is None else (one,))
        if not wanted or not values:
            return True
        what = f"{owner}: {row.at} is never {' or '.join(map(repr, wanted))}"
        return self.has(not set(values).isdisjoint(wanted), row.where, what, row.retired)

    # Updates

    def _union(self) -> Union | None:
        method = next((item for item in self.spec.methods if item.wire == UPDATE), None)
        if method is None or method.params is None:
            return None
        return union_at(
            self.spec.definitions, places(self.spec.definitions, method.params, _UPDATE_AT)
        )

    def _variants(self) -> Mapping[str, ClassName | None]:
        union = self._union()
        return {
            item.tag: item.type.name if isinstance(item.type, RefType) else None
            for item in (union.variants if union is not None else ())
            if item.tag is not None
        }

    def _updates(self) -> tuple[tuple[Update, ...], str]:
        union = self._union()
        if union is None or union.tag is None:
            return (), ""
        for row in self.metadata.updates:
            what = f"there is no update {row.kind}"
            self.has(row.kind in self.variants, row.where, what, row.retired)
        for check in self.metadata.checks:
            for name in check.updates:
                what = f"there is no update {name}"
                self.has(name in self.variants, check.where, what, check.retired)
        return tuple(self._update(kind, name) for kind, name in self.variants.items()), union.tag

    def _update(self, kind: str, name: ClassName | None) -> Update:
        row = next((item for item in self.metadata.updates if item.kind == kind), None)
        chosen = [item for item in self.metadata.checks if kind in item.updates]
        checks = (
            tuple(self._made(chosen, lambda at: places(self.spec.definitions, name, at), kind))
            if name is not None
            else ()
        )
        if row is None:
            return Update(kind, name, checks=checks)
        return Update(
            kind,
            name,
            row.semantics,
            row.identity,
            row.summary,
            self._gate(row.requires, row.where, row.retired),
            checks,
            row.replaced_by,
        )


def _when(row: CheckRow, values: list[str | int | bool]) -> When:
    """The conditions, with `known` replaced by the values that the schema names there."""
    conditions: list[tuple[str, object]] = []
    for name, argument in row.when.items():
        if name == "known":
            conditions.append(("one_of" if argument else "not_one_of", tuple(values)))
        elif isinstance(argument, (list, tuple)):
            conditions.append((name, tuple(argument)))
        else:
            conditions.append((name, argument))
    return tuple(conditions)


def capabilities_in(table: MethodTable) -> set[tuple[str, str]]:
    """(side, path) of every capability that some gate of the table asks for."""
    texts = [
        *(row.requires for row in table.rows),
        *(check.requires for row in table.rows for check in (*row.checks, *row.result_checks)),
        *(item.requires for item in table.updates),
        *(check.requires for item in table.updates for check in item.checks),
    ]
    return {
        (leaf.side, ".".join(leaf.path))
        for text in texts
        if text
        for leaf in parse_expression(text).leaves()
        if leaf.op == "capability"
    }
