"""Methods, gates and capabilities as people read them: `acpgen methods`, `acpgen show METHOD` and
the tables of the output. Surfaces of one version where a thing looks the same are joined.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, TypeVar

from acpgen.runtime.expressions import parse
from acpgen.runtime.table import Check, Row, Update, When
from acpgen.spec.ir import Spec


@dataclass(frozen=True)
class MethodLine:
    """One method. direction: `client -> agent`, ... gate: "" is baseline. states: what a call needs
    beside its gate. replaced_by: None is the same name.
    """

    surfaces: tuple[str, ...]
    method: str
    kind: str
    direction: str
    params: str | None
    result: str | None
    gate: str
    error: int | None
    stability: str
    needs: tuple[str, ...]
    errors: tuple[int, ...]
    replaced_by: tuple[str, ...] | None
    docs: str = field(compare=False)
    summary: str

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class UpdateLine:
    """One kind of session/update. gate: "" is baseline."""

    surfaces: tuple[str, ...]
    kind: str
    type: str | None
    semantics: str
    identity: str
    gate: str
    stability: str
    replaced_by: tuple[str, ...] | None
    summary: str

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class GateLine:
    """One gate or rule. what: the method or kind of update. part: method, params, result, update.

    place: JSON pointer with `*`, "" is the whole. when: the condition, in words. requires: the
    expression, or the rule where it is none. error: of the answer, None where nothing is answered.
    """

    surfaces: tuple[str, ...]
    what: str
    part: str
    place: str
    when: str
    requires: str
    error: int | None
    by: str
    note: str

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class CapabilityLine:
    """One capability. kind: boolean, object or value. opens: the gates that ask for it."""

    surfaces: tuple[str, ...]
    side: str
    path: str
    kind: str
    opens: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


T = TypeVar("T", MethodLine, UpdateLine, GateLine, CapabilityLine)
_SENDERS = {"agent": "client", "client": "agent", "proxy": "any", "protocol": "either"}


def methods(specs: Sequence[Spec]) -> list[MethodLine]:
    """Every method, by version, in the order of the name."""
    found = _joined(specs, lambda spec: map(_method_line, spec.table.rows))
    return sorted(
        found, key=lambda line: (_version(line.surfaces), line.method, line.direction, line.kind)
    )


def updates(specs: Sequence[Spec]) -> list[UpdateLine]:
    """Every kind of session/update, by version, in the schema's order."""
    found = _joined(specs, lambda spec: map(_update_line, spec.table.updates))
    return sorted(found, key=lambda line: _version(line.surfaces))


def gates(specs: Sequence[Spec]) -> list[GateLine]:
    """Every gate and rule, by version."""
    found = _joined(specs, _gates)
    return sorted(
        found, key=lambda line: (_version(line.surfaces), line.part == "update", line.what)
    )


def capabilities(specs: Sequence[Spec]) -> list[CapabilityLine]:
    """Every capability, by version and side, in the schema's order."""
    found = _joined(specs, _capabilities)
    return sorted(found, key=lambda line: (_version(line.surfaces), line.side))


def everything(specs: Sequence[Spec]) -> dict[str, list[dict[str, Any]]]:
    """All of it, as JSON."""
    return {
        "methods": [line.as_json() for line in methods(specs)],
        "updates": [line.as_json() for line in updates(specs)],
        "gates": [line.as_json() for line in gates(specs)],
        "capabilities": [line.as_json() for line in capabilities(specs)],
    }


def _version(surfaces: Sequence[str]) -> str:
    return surfaces[0].partition("_")[0]


def _joined(specs: Sequence[Spec], lines: Callable[[Spec], Iterable[T]]) -> list[T]:
    """The lines of every surface, those that are equal but for their page joined by version."""
    found: dict[tuple[int, T], tuple[T, list[str]]] = {}
    for spec in specs:
        for line in lines(spec):
            found.setdefault((spec.version, line), (line, []))[1].append(spec.surface)
    return [replace(line, surfaces=tuple(surfaces)) for line, surfaces in found.values()]


def _method_line(row: Row) -> MethodLine:
    return MethodLine(
        (),
        row.method,
        row.kind,
        f"{_SENDERS[row.side]} -> {'either' if row.side == 'protocol' else row.side}",
        row.params,
        row.result,
        row.requires,
        row.error if row.requires and row.kind == "request" else None,
        row.stability,
        row.needs,
        row.errors,
        row.replaced_by,
        row.docs,
        row.summary,
    )


def _update_line(item: Update) -> UpdateLine:
    return UpdateLine(
        (),
        item.kind,
        item.type,
        item.semantics,
        item.identity,
        item.requires,
        item.stability,
        item.replaced_by,
        item.summary,
    )


def _gates(spec: Spec) -> Iterator[GateLine]:
    for row in spec.table.rows:
        answered = row.kind == "request"
        if row.requires:
            error = row.error if answered else None
            yield GateLine((), row.method, "method", "", "", row.requires, error, "both", "")
        for check in row.checks:
            yield _check_line(row.method, "params", check, answered)
        for check in row.result_checks:
            yield _check_line(row.method, "result", check, False)
    for item in spec.table.updates:
        if item.requires:
            yield GateLine((), item.kind, "update", "", "", item.requires, None, "both", "")
        for check in item.checks:
            yield _check_line(item.kind, "update", check, False)


def _check_line(what: str, part: str, check: Check, answered: bool) -> GateLine:
    return GateLine(
        (),
        what,
        part,
        check.at,
        when_text(check.when),
        check.requires or f"rule: {check.rule}",
        check.error if answered else None,
        check.by,
        check.note,
    )


def when_text(when: When) -> str:
    """Conditions in words."""
    return " and ".join(map(_condition, when))


def _condition(item: tuple[str, Any]) -> str:
    name, argument = item
    if name == "present":
        return "present" if argument else "absent"
    if name == "non_empty":
        return "not empty"
    shown = ", ".join(map(str, argument)) if isinstance(argument, tuple) else str(argument)
    words = {
        "is": "is",
        "is_not": "is not",
        "one_of": "is one of",
        "not_one_of": "is none of",
        "starts_with": "begins with",
        "not_starts_with": "does not begin with",
    }
    return f"{words[name]} {shown}"


def _capabilities(spec: Spec) -> Iterator[CapabilityLine]:
    lines = list(_gates(spec))
    for side, paths in spec.table.capabilities.items():
        for path, kind in paths.items():
            opens = tuple(
                dict.fromkeys(
                    f"{line.what}{f' {line.place}' if line.place else ''}"
                    for line in lines
                    if not line.requires.startswith("rule: ") and _asks(line.requires, side, path)
                )
            )
            yield CapabilityLine((), side, path, kind, opens)


def _asks(requires: str, side: str, path: str) -> bool:
    return any(
        leaf.op == "capability" and leaf.side == side and ".".join(leaf.path) == path
        for leaf in parse(requires).leaves()
    )


@dataclass(frozen=True)
class Found:
    """What a name of a method, a kind of update or a capability stands for."""

    methods: tuple[MethodLine, ...] = ()
    updates: tuple[UpdateLine, ...] = ()
    capabilities: tuple[CapabilityLine, ...] = ()
    gates: tuple[GateLine, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.methods or self.updates or self.capabilities)

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def lookup(name: str, specs: Sequence[Spec]) -> Found:
    """Methods and kinds of update of that name with their gates, and capabilities of that path; a
    side may stand before the path (`agent: session.mcp`).
    """
    side, _, path = name.rpartition(":")
    path = path.strip()
    found = Found(
        tuple(line for line in methods(specs) if line.method == name),
        tuple(line for line in updates(specs) if line.kind == name),
        tuple(
            line
            for line in capabilities(specs)
            if line.path == path and side.strip() in ("", line.side)
        ),
    )
    asked = tuple(
        line
        for line in gates(specs)
        if line.what == name
        or (
            not line.requires.startswith("rule: ")
            and any(_asks(line.requires, item.side, item.path) for item in found.capabilities)
        )
    )
    return Found(found.methods, found.updates, found.capabilities, asked)


def known_names(specs: Sequence[Spec]) -> set[str]:
    """Every name that `lookup` finds."""
    return {
        *(row.method for spec in specs for row in spec.table.rows),
        *(item.kind for spec in specs for item in spec.table.updates),
        *(path for spec in specs for paths in spec.table.capabilities.values() for path in paths),
    }
