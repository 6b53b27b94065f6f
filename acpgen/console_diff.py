"""What changed, on a terminal: counts first, the method map, then the findings by section; a guide; the rules.

A wide terminal gets tables, a narrow one and a pipe get one block per finding, which a pipe does not fold.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from acpgen.console import printer, table

if TYPE_CHECKING:
    from rich.console import Console

    from acpgen.diff.change import Peer
    from acpgen.diff.finding import Diff, Finding, Note
    from acpgen.diff.judging.rule import Rule
    from acpgen.diff.reporting.guide import Guide, Item
    from acpgen.diff.reporting.view import MethodPair, View

_WIDE = 120
_PIPE = 160
_PEERS: tuple[Peer, ...] = ("agent", "client")
_COLOURS = {
    "breaking": "bold red",
    "risky": "yellow",
    "compatible": "green",
    "must": "bold red",
    "should": "yellow",
    "may": "green",
}


def report(diff: Diff, view: View, side: Peer | None, total: int | None = None) -> None:
    """A whole diff. view: the same diff as `acpgen.diff.report` arranges it. side: whose findings they are, for whom
    severities count. total: how many findings there are, where these are a selection: it comes without the method map.
    """
    console = _console()
    _overview(console, diff, side, total)
    if not diff.findings:
        return
    if total is None:
        _methods(console, view["methods"])
        _notes(console, diff.notes)
    by_mark = {item.fingerprint: item for item in diff.findings}
    for section in view["sections"]:
        rows = (row for group in section["groups"] for row in group["rows"])
        _heading(console, section["title"])
        _findings(console, [by_mark[row["fingerprint"]] for row in rows], side)


def guide(found: Guide) -> None:
    """A checklist."""
    console = _console()
    _heading(
        console,
        f"From {found.old} to {found.new}: a guide for the {found.peer}'s author",
        lead=False,
    )
    if not found.steps:
        _line(console, "Nothing to do.")
    for step in found.steps:
        counts = ", ".join(f"{count} {word}" for word, count in step.counts().items())
        _heading(console, f"{step.number}. {step.title}", f"({counts})")
        _line(console, step.intro)
        for item in step.items:
            _item(console, item)
    if found.left_out:
        _heading(console, f"Waived, and left out: {found.left_out}")


def rules(rows: Sequence[Rule]) -> None:
    """Every rule: what it judges, how bad that is for whom."""
    from acpgen.diff.judging.rule import roles

    console = _console()
    for row in rows:
        _print(console, (row.id, "bold"), (f"  {row.kind}{_when(row)}", ""))
        _line(console, row.text, 2)
        for role, effect in zip(roles(row.kind), (row.writer, row.reader), strict=True):
            words = effect.sentence or "no consequence"
            _line(console, f"{role}: {effect.severity}: {words}", 2)


def _overview(console: Console, diff: Diff, side: Peer | None, total: int | None) -> None:
    from acpgen.diff.finding import SEVERITIES

    open_ones = [item for item in diff.findings if not item.waived]
    waived = len(diff.findings) - len(open_ones)
    title = f"{diff.old} -> {diff.new}"
    if not diff.findings and not total:
        _heading(console, f"{title}: no differences", lead=False)
        return
    count = f"{len(diff.findings)} finding{'' if len(diff.findings) == 1 else 's'}"
    if total is not None:
        count += f" of {total}"
    _heading(console, title, f"{count}{f', {waived} waived' if waived else ''}", lead=False)
    if not diff.findings:
        return
    heads = ("", *SEVERITIES)
    lines: list[tuple[str, ...]] = []
    for label, peer in (("all", None), ("for the agent", "agent"), ("for the client", "client")):
        if side is None or peer == side:
            levels = [item.severity_for(peer) for item in open_ones]  # type: ignore[arg-type]
            lines.append((label, *(str(levels.count(level)) for level in SEVERITIES)))
    table(console, heads, lines)


def _methods(console: Console, pairs: Sequence[MethodPair]) -> None:
    """The methods of both sides beside each other."""
    if not pairs:
        return
    _heading(console, "Methods, old and new")
    rows = [_method(pair) for pair in pairs]
    if not _narrow(console):
        table(console, ("old", "new", "direction", "status", "changes"), rows)
        return
    for old, new, direction, status, changes in rows:
        _line(console, f"{old} -> {new} ({direction}): {status}")
        _line(console, changes, 2)


def _method(pair: MethodPair) -> tuple[str, str, str, str, str]:
    old, new = pair["old"], pair["new"]
    end = new or old
    changes = list(pair["changes"])
    if pair["replaced_by"]:
        changes.append(f"use {', '.join(pair['replaced_by'])}")
    return (
        old["method"] if old else "-",
        new["method"] if new else "-",
        end["direction"] if end else "",
        pair["status"],
        ", ".join(changes),
    )


def _notes(console: Console, notes: Sequence[Note]) -> None:
    if not notes:
        return
    _heading(console, "What changes its meaning")
    for note in notes:
        _print(console, (note.topic, "bold"), indent=2)
        _line(console, f"before: {note.old}", 4)
        _line(console, f"now: {note.new}", 4)
        for peer in _PEERS:
            if words := note.consequence(peer):
                _line(console, f"{peer}: {words}", 4)


def _findings(console: Console, found: Sequence[Finding], side: Peer | None) -> None:
    peers = (side,) if side else _PEERS
    if _pipe() or _narrow(console):
        for item in found:
            _block(console, item, peers, side)
        return
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from acpgen.emit.visible import visible

    shown = Table(box=box.SIMPLE_HEAD, expand=True)
    shown.add_column("severity", no_wrap=True)
    shown.add_column("change", ratio=3, overflow="fold")
    for peer in peers:
        shown.add_column(f"for the {peer}", ratio=3, overflow="fold")
    shown.add_column("fingerprint", no_wrap=True)
    for item in found:
        level = item.severity_for(side) or item.severity
        shown.add_row(
            Text("waived" if item.waived else level, style=_colour(item, level)),
            Text(visible(item.text + (f" (waived: {item.waived})" if item.waived else ""))),
            *(Text(visible(item.consequence(peer))) for peer in peers),
            Text(item.fingerprint, style="dim"),
        )
    console.print(shown)


def _block(console: Console, item: Finding, peers: Sequence[Peer], side: Peer | None) -> None:
    level = item.severity_for(side) or item.severity
    head = "waived" if item.waived else level
    _print(
        console,
        (f"{head:<10}", _colour(item, level)),
        (f" {item.text} ", ""),
        (f"[{item.fingerprint}]", "dim"),
    )
    if item.waived:
        _line(console, f"waived: {item.waived}", 2)
    for peer in peers:
        if words := item.consequence(peer):
            _line(console, f"{peer}: {words}", 2)


def _item(console: Console, item: Item) -> None:
    what = f"{item.about}. {item.what}" if not item.fingerprint else item.what
    mark = f" [{item.fingerprint}]" if item.fingerprint else ""
    _print(
        console,
        ("[ ] ", ""),
        (f"{item.urgency:<6} ", _COLOURS[item.urgency]),
        (what, ""),
        (mark, "dim"),
    )
    _line(console, item.todo, 6)


def _when(row: Rule) -> str:
    words = [f"{name} is {str(value).lower()}" for name, value in row.when.items()]
    return f", where {' and '.join(words)}" if words else ""


def _colour(item: Finding, level: str) -> str:
    return "dim" if item.waived else _COLOURS[level]


def _heading(console: Console, title: str, rest: str = "", *, lead: bool = True) -> None:
    if lead:
        console.print()
    _print(console, (title, "bold"), (f"  {rest}" if rest else "", ""))


def _line(console: Console, text: str, indent: int = 0) -> None:
    if text:
        _print(console, (text, ""), indent=indent)


def _print(console: Console, *parts: tuple[str, str], indent: int = 0) -> None:
    """One line; a terminal folds it below its own beginning, a pipe not at all."""
    from rich.padding import Padding
    from rich.text import Text

    from acpgen.emit.visible import visible

    shown = [(visible(text), style) for text, style in parts]
    if _pipe():
        console.print(Text.assemble((" " * indent, ""), *shown), soft_wrap=True)
    else:
        console.print(Padding(Text.assemble(*shown), (0, 0, 0, indent), expand=False))


def _pipe() -> bool:
    return not sys.stdout.isatty()


def _narrow(console: Console) -> bool:
    return console.width < _WIDE


def _console() -> Console:
    return printer(_PIPE if _pipe() else None)
