"""Cross-checks of methods.toml with the schemas that it is about.

`uncovered` asks of one surface whether the metadata says something of everything in it. `unknown`
asks of all surfaces of a version together whether every row, pointer and capability of the metadata
is in some schema: what only a newer or an older one lacks is no fault.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from acpgen.problem import Problem
from acpgen.runtime.expressions import Expression
from acpgen.spec.ir import Spec
from acpgen.spec.metadata import Metadata
from acpgen.spec.tabulate import Lacking, capabilities_in, tabulate

_ADD = "add it to methods.toml, or generate with --allow-ungated"


def uncovered(spec: Spec, metadata: Metadata) -> list[Problem]:
    """Methods, kinds of update and leaf capabilities of a surface that no row names."""
    return [*_methods(spec), *_updates(spec), *_capabilities(spec, metadata)]


def _methods(spec: Spec) -> Iterator[Problem]:
    for row in spec.table.rows:
        if not row.summary:
            yield Problem(
                f"{spec.surface}: {row.method}",
                f"the {row.kind} to the {row.side} has no [[method]] row: nothing says its gate",
                _ADD,
            )


def _updates(spec: Spec) -> Iterator[Problem]:
    for item in spec.table.updates:
        if not item.summary:
            yield Problem(
                f"{spec.surface}: {spec.table.update_method}",
                f"the kind {item.kind} has no [[update]] row: nothing says its gate",
                _ADD,
            )


def _capabilities(spec: Spec, metadata: Metadata) -> Iterator[Problem]:
    known = capabilities_in(spec.table) | {
        (row.capability.side, ".".join(row.capability.path)) for row in metadata.informational
    }
    for side, path in spec.table.leaves:
        if (side, path) not in known:
            yield Problem(
                f"{spec.surface}: {side} capability {path}",
                "gates nothing, and is not listed as [[informational]]",
                _ADD,
            )


def lacking(
    specs: Sequence[Spec], metadata: Metadata, suspects: Iterable[Lacking] | None = None
) -> list[Lacking]:
    """What the metadata of a version names and none of these surfaces of it has.

    suspects: only these; else what any of the surfaces lacks.
    """
    made = [tabulate(spec, metadata) for spec in specs]
    if suspects is None:
        suspects = dict.fromkeys(item for one in made for item in one.lacking)
    met = frozenset[Lacking]().union(*(one.met for one in made))
    return [item for item in suspects if item not in met]


def unknown(items: Iterable[Lacking]) -> list[Problem]:
    """The problems that stand for what no known release has."""
    return [
        Problem(
            item.where, f"{item.what}, in no known release", "correct it, or mark it as retired"
        )
        for item in items
    ]


def unused_states(metadata: Metadata) -> list[Problem]:
    """[[state]] rows that no gate asks for."""
    used = set(_states(metadata))
    return [
        Problem(row.where, f"no gate asks for the state `{row.name}`", "remove it")
        for row in metadata.states
        if row.name not in used
    ]


def _states(metadata: Metadata) -> Iterator[str]:
    gates: list[Expression | None] = [
        *(row.requires for row in metadata.methods),
        *(row.requires for row in metadata.checks),
        *(row.requires for row in metadata.updates),
    ]
    for gate in gates:
        if gate is not None:
            yield from (leaf.name for leaf in gate.leaves() if leaf.op == "state")
