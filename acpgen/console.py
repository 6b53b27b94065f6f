"""What people see: one status line while work is going on, notices, errors, coloured diffs.

Colour and progress are for a terminal only; in a pipe a successful run says nothing on stdout
unless a result was asked for. rich is imported when it is needed, so that a quiet run does not pay
for it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from acpgen.problem import Problem

if TYPE_CHECKING:
    from rich.console import Console

    from acpgen.spec.show import View


def is_terminal() -> bool:
    """stdout and stderr both go to a person."""
    return sys.stdout.isatty() and sys.stderr.isatty()


@contextmanager
def progress(late: bool = False) -> Iterator[Callable[[str], None]]:
    """A function to say what is being done now: a status line on a terminal, nothing elsewhere.

    late: the line appears when something is said first, because questions may come before.
    """
    if not is_terminal():
        yield lambda _: None
        return
    from rich.console import Console

    status = Console(stderr=True).status("starting")

    def show(text: str) -> None:
        status.update(text)
        status.start()

    if not late:
        status.start()
    try:
        yield show
    finally:
        status.stop()


def say(text: str) -> None:
    """A result for people; in a pipe it is left out."""
    if is_terminal():
        print(text)


def printer(width: int | None = None) -> Console:
    """What prints tables and styled text. Unlike rich's own, it lets a reader that went away
    (`| head`) be a BrokenPipeError, so that it has the same end as with print.
    """
    from rich.console import Console

    class Printer(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    return Printer(width=width, highlight=False)


def lines(texts: Iterable[str]) -> None:
    """A result that is meant for a pipe too."""
    for text in texts:
        print(text)


def notices(lines: Iterable[str]) -> None:
    for line in lines:
        _stderr(f"note: {line}")


def errors(problems: Iterable[Problem]) -> None:
    """Every problem: where and what, and what to do on a line of its own."""
    for problem in problems:
        _stderr(f"error: {problem.where}: {problem.what}")
        if problem.hint:
            _stderr(f"  {problem.hint}")


def _stderr(text: str) -> None:
    print(_lines(text), file=sys.stderr)


def _lines(text: str) -> str:
    """What may come from a schema, with its line ends alone left to act."""
    from acpgen.emit.visible import visible

    return "\n".join(map(visible, text.split("\n")))


def diff(text: str) -> None:
    """A unified diff, coloured on a terminal."""
    if not sys.stdout.isatty():
        sys.stdout.write(text)
        return
    from rich.text import Text

    from acpgen.emit.visible import visible

    colours = {"+": "green", "-": "red", "@": "cyan"}
    console = printer()
    for line in text.splitlines():
        console.print(Text(visible(line), style=colours.get(line[:1], "")), soft_wrap=True)


def views(found: Iterable[View]) -> None:
    """Types as tables, one per way that surfaces see them."""
    from rich.text import Text

    from acpgen.emit.visible import visible

    console = printer(None if sys.stdout.isatty() else 160)
    heads = ("wire name", "Python name", "type", "presence", "tolerance", "bounds")
    for index, view in enumerate(found):
        if index:
            console.print()
        title = Text(visible(view.name), style="bold")
        title.append(f"  {view.kind}  {', '.join(view.surfaces)}", style="not bold")
        console.print(title)
        if view.about:
            console.print(Text(visible(view.about)))
        table(console, heads, (tuple(vars(row).values()) for row in view.rows))


def table(console: Console, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """A table of the columns that hold anything; nothing for no rows."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    cells = list(rows)
    if not cells:
        return
    used = [column for column in range(len(heads)) if any(row[column] for row in cells)]
    table = Table(box=box.SIMPLE_HEAD)
    for column in used:
        table.add_column(heads[column], overflow="fold")
    for row in cells:
        table.add_row(*(Text(_lines(row[column])) for column in used))
    console.print(table)
