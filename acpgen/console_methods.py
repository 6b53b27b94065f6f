"""Methods, gates and capabilities on a terminal, as rich tables."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from acpgen.console import printer, table

if TYPE_CHECKING:
    from rich.console import Console

    from acpgen.spec.show_methods import (
        CapabilityLine,
        Found,
        GateLine,
        MethodLine,
        UpdateLine,
    )

_WIDTH = 200


def methods(lines: Sequence[MethodLine], kinds: Sequence[UpdateLine]) -> None:
    """The method table, and the kinds of session/update."""
    console = _console()
    table(
        console,
        ("method", "kind", "direction", "params", "result", "gate", "stability", "surfaces"),
        (
            (
                line.method,
                line.kind,
                line.direction,
                line.params or "",
                line.result or "",
                line.gate or "-",
                line.stability,
                ", ".join(line.surfaces),
            )
            for line in lines
        ),
    )
    _updates(console, kinds)


def found(item: Found) -> None:
    """All that a name stands for: methods, kinds of update, capabilities, and their gates."""
    from acpgen.emit.visible import visible

    console = _console()
    for line in item.methods:
        _heading(console, line.method, f"{line.kind}  {line.direction}", line.surfaces)
        facts = [
            line.summary,
            f"params: {line.params or 'none'}"
            + (f"   result: {line.result}" if line.result else ""),
            f"gate: {line.gate or 'none, it is baseline'}"
            + (f"   (else {line.error})" if line.error else ""),
            *([f"needs: {', '.join(line.needs)}"] if line.needs else []),
            *([f"answers: {', '.join(map(str, line.errors))}"] if line.errors else []),
            f"stability: {line.stability}",
            f"in the other version: {_other(line.replaced_by)}",
            *([f"docs: {line.docs}"] if line.docs else []),
        ]
        for fact in facts:
            if fact:
                console.print(f"  {visible(fact)}", markup=False)
    _updates(console, item.updates)
    _capabilities(console, item.capabilities)
    _gates(console, item.gates)


def _updates(console: Console, lines: Sequence[UpdateLine]) -> None:
    table(
        console,
        ("update", "type", "semantics", "entity", "gate", "stability", "surfaces"),
        (
            (
                line.kind,
                line.type or "",
                line.semantics,
                line.identity or "session",
                line.gate or "-",
                line.stability,
                ", ".join(line.surfaces),
            )
            for line in lines
        ),
    )


def _capabilities(console: Console, lines: Sequence[CapabilityLine]) -> None:
    table(
        console,
        ("side", "capability", "shape", "opens", "surfaces"),
        (
            (line.side, line.path, line.kind, "\n".join(line.opens), ", ".join(line.surfaces))
            for line in lines
        ),
    )


def _gates(console: Console, lines: Sequence[GateLine]) -> None:
    table(
        console,
        ("method or update", "part", "place", "when", "needs", "error", "by", "surfaces"),
        (
            (
                line.what,
                line.part,
                line.place,
                line.when,
                line.requires,
                str(line.error or ""),
                line.by,
                ", ".join(line.surfaces),
            )
            for line in lines
        ),
    )


def _other(names: tuple[str, ...] | None) -> str:
    return "the same name" if names is None else ", ".join(names) or "nothing"


def _console() -> Console:
    return printer(None if sys.stdout.isatty() else _WIDTH)


def _heading(console: Console, name: str, rest: str, surfaces: Sequence[str]) -> None:
    from rich.text import Text

    from acpgen.emit.visible import visible

    title = Text(visible(name), style="bold")
    title.append(f"  {rest}  {', '.join(surfaces)}", style="not bold")
    console.print(title)
