"""The commands for projects, `new` and `update`; beside cli.py, which registers them."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from acpgen import console
from acpgen.commands.ending import DRIFT, handled
from acpgen.commands.options import AsJson, Jobs


def register(app: typer.Typer) -> None:
    """Add the commands to the command line."""
    app.command(
        epilog="Example: acpgen new demo   |   acpgen new my-client --kind client --protocol 2"
    )(new)
    app.command(epilog="Example: acpgen update   |   acpgen update ../my-agent --unstable")(update)


def new(
    name: Annotated[str, typer.Argument(help="What the project is called: my-agent, 'My Agent'.")],
    kind: Annotated[
        str, typer.Option("--kind", metavar="KIND", help="agent or client; default: agent.")
    ] = "agent",
    protocol: Annotated[
        list[str] | None,
        typer.Option("--protocol", metavar="VERSION", help="1, 2 or both; default: both."),
    ] = None,
    bindings: Annotated[
        str | None,
        typer.Option(
            "--bindings",
            metavar="WHERE",
            help="vendored: generated into the project (default); pypi: the package acp-bindings.",
        ),
    ] = None,
    unstable: Annotated[
        bool | None,
        typer.Option("--unstable/--no-unstable", help="Use the unstable parts of the protocol."),
    ] = None,
    login: Annotated[
        bool | None, typer.Option("--login/--no-login", help="Have an example of a login.")
    ] = None,
    path: Annotated[
        Path | None,
        typer.Option("--path", metavar="FOLDER", help="Where to; default: a folder of its name."),
    ] = None,
    template: Annotated[
        str | None,
        typer.Option(
            "--template", metavar="SOURCE", help="Your own copier template: a folder or a git URL."
        ),
    ] = None,
    no_input: Annotated[
        bool, typer.Option("--no-input", help="Ask nothing; take defaults.")
    ] = False,
    jobs: Jobs = None,
    as_json: AsJson = False,
) -> None:
    """Make a project that runs: an agent, or a client to try agents with."""
    with handled():
        from acpgen import scaffold

        ask = not (no_input or as_json) and sys.stdin.isatty() and console.is_terminal()
        wishes = scaffold.Wishes(scaffold.protocols(protocol), bindings, unstable, login)
        with console.progress(late=ask) as progress:
            made = scaffold.new(
                name,
                kind=kind,
                wishes=wishes,
                path=path,
                ask=ask,
                template=template,
                jobs=jobs,
                progress=progress,
            )
        console.notices(made.notices)
        if as_json:
            print(json.dumps(made.as_json(), indent=1))
        else:
            console.lines(made.report())


def update(
    folder: Annotated[
        Path, typer.Argument(metavar="[FOLDER]", help="The project's folder; default: this one.")
    ] = Path(),
    protocol: Annotated[
        list[str] | None,
        typer.Option("--protocol", metavar="VERSION", help="Speak others: 1, 2 or both."),
    ] = None,
    bindings: Annotated[
        str | None, typer.Option("--bindings", metavar="WHERE", help="Change to vendored or pypi.")
    ] = None,
    unstable: Annotated[
        bool | None,
        typer.Option("--unstable/--no-unstable", help="Use the unstable parts, or no more."),
    ] = None,
    login: Annotated[
        bool | None, typer.Option("--login/--no-login", help="Have a login, or no more.")
    ] = None,
    record: Annotated[
        bool,
        typer.Option(
            "--record", help="Only keep this acpgen's templates, for projects that it made."
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Bring this acpgen's template into a project; exit 1 where conflicts are left to solve."""
    with handled():
        from acpgen import scaffold

        if record:
            kept = scaffold.record()
            print(json.dumps({"recorded": kept}, indent=1)) if as_json else console.lines(kept)
            return
        wishes = scaffold.Wishes(scaffold.protocols(protocol), bindings, unstable, login)
        with console.progress() as progress:
            outcome = scaffold.update(folder, wishes=wishes, progress=progress)
        console.notices(outcome.notices)
        if as_json:
            print(json.dumps(outcome.as_json(), indent=1))
        else:
            console.lines(outcome.report())
        if outcome.conflicts:
            raise typer.Exit(DRIFT)
