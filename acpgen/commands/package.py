"""The command `package`; beside cli.py, which registers it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from acpgen import config as configuration
from acpgen import console
from acpgen.commands.ending import DRIFT, handled
from acpgen.commands.options import AsJson, ConfigFile, DocsOption, Jobs, Surfaces


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    epilog = "acpgen package --out dist   |   acpgen package --against dist/OLD.whl --check"
    app.command(epilog=f"Example: {epilog}")(package)


def package(
    out: Annotated[
        Path, typer.Option("--out", metavar="FOLDER", help="Where the sdist and the wheel go.")
    ] = Path("dist"),
    check: Annotated[
        bool,
        typer.Option("--check", help="Build and check, write nothing; exit 1 if --out differs."),
    ] = False,
    against: Annotated[
        Path | None,
        typer.Option(
            "--against",
            metavar="FILE",
            help="The release before (wheel, sdist, manifest): judge the version by its names.",
        ),
    ] = None,
    revision: Annotated[
        int | None,
        typer.Option(
            "--revision", metavar="N", min=0, help="Version X.Y.Z.postN: the same release again."
        ),
    ] = None,
    surface: Surfaces = None,
    source: Annotated[
        str | None,
        typer.Option(
            "--source",
            metavar="SOURCE",
            help="Package this release (npm:PACKAGE@VERSION, a folder, a tarball, a URL).",
        ),
    ] = None,
    docs: DocsOption = None,
    no_isolation: Annotated[
        bool,
        typer.Option(
            "--no-isolation", help="Build with the installed hatchling, without an index."
        ),
    ] = False,
    jobs: Jobs = None,
    config: ConfigFile = None,
    as_json: AsJson = False,
) -> None:
    """Build the bindings as an sdist and a wheel that can be published."""
    with handled():
        from acpgen import dist

        settings = configuration.load(
            overrides={
                "surfaces": surface or None,
                "source": source,
                "docs": docs,
                "project": None if revision is None else {"revision": revision},
            },
            file=config,
        )
        with console.progress() as progress:
            outcome = dist.package(
                settings,
                Path.cwd() / out,
                against=against,
                check=check,
                isolated=not no_isolation,
                jobs=jobs,
                progress=progress,
            )
        console.notices(outcome.notices)
        if as_json:
            print(json.dumps(outcome.as_json(), indent=1))
        else:
            for line in outcome.lines(out):
                console.say(line)
            for text in outcome.findings:
                print(f"moved: {text}")
        if outcome.drifted:
            raise typer.Exit(DRIFT)
