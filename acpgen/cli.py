"""The command line: one thin function per command, here and in `commands`. What a command does is elsewhere."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from acpgen import __version__, console
from acpgen import config as configuration
from acpgen.commands import diff, projects
from acpgen.commands import package as package_command
from acpgen.commands.ending import DRIFT, handled
from acpgen.commands.options import AsJson, ConfigFile, DocsOption, Jobs, Source, Surfaces
from acpgen.problem import ProblemError

if TYPE_CHECKING:
    from acpgen.spec.ir import Spec

app = typer.Typer(
    name="acpgen",
    help="Generate Python bindings from the schemas of the Agent Client Protocol.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def top(
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if version:
        print(f"acpgen {__version__}")
        raise typer.Exit


@app.command(
    epilog="Example: acpgen generate --surface v2 --out bindings   |   acpgen generate --check"
)
def generate(
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit 1 and show a diff on drift.")
    ] = False,
    full: Annotated[
        bool, typer.Option("--full", help="With --check: render all, trust no recorded hash.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FOLDER", help="The output folder.")
    ] = None,
    package: Annotated[
        str | None,
        typer.Option("--package", metavar="NAME", help="Import name of the generated package."),
    ] = None,
    layout: Annotated[
        str | None,
        typer.Option(
            "--layout",
            metavar="LAYOUT",
            help="project: a publishable project; package: the package folder alone.",
        ),
    ] = None,
    surface: Annotated[
        list[str] | None,
        typer.Option(
            "--surface",
            metavar="SURFACE",
            help="v1, v1_unstable, v2, v2_unstable; may be repeated.",
        ),
    ] = None,
    overlay: Annotated[
        list[str] | None,
        typer.Option(
            "--overlay",
            metavar="OVERLAY",
            help="A proposal for unstable surfaces, by name or folder (./NAME); may be repeated.",
        ),
    ] = None,
    no_overlays: Annotated[
        bool, typer.Option("--no-overlays", help="Apply no proposal at all.")
    ] = False,
    templates: Annotated[
        list[str] | None,
        typer.Option(
            "--templates", metavar="FOLDER", help="A folder of your own templates; may be repeated."
        ),
    ] = None,
    schemas: Annotated[
        list[str] | None,
        typer.Option(
            "--schemas", metavar="FOLDER", help="A folder of your own schemas; may be repeated."
        ),
    ] = None,
    source: Source = None,
    docs: DocsOption = None,
    allow_ungated: Annotated[
        bool | None,
        typer.Option(
            "--allow-ungated/--no-allow-ungated",
            help="Warn of methods and capabilities that methods.toml does not name.",
        ),
    ] = None,
    accept_names: Annotated[
        bool, typer.Option("--accept-names", help="Let public names be renamed or dropped.")
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Overwrite edited files and files of others.")
    ] = False,
    jobs: Jobs = None,
    config: ConfigFile = None,
    as_json: AsJson = False,
) -> None:
    """Write the bindings, or check that they are up to date."""
    with handled():
        from acpgen import generate as generation

        if full and not check:
            raise ProblemError.of("command line", "--full means something only with --check")
        if overlay and no_overlays:
            raise ProblemError.of("command line", "--overlay and --no-overlays exclude each other")
        settings = configuration.load(
            overrides={
                "out": str(out) if out is not None else None,
                "package": package,
                "layout": layout,
                "surfaces": surface or None,
                "overlays": [] if no_overlays else overlay or None,
                "templates": templates or None,
                "schemas": schemas or None,
                "source": source,
                "docs": docs,
                "allow-ungated": allow_ungated,
            },
            file=config,
        )
        with console.progress() as progress:
            if check:
                outcome = generation.check(settings, full=full, jobs=jobs, progress=progress)
            else:
                outcome = generation.generate(
                    settings, force=force, accept_names=accept_names, jobs=jobs, progress=progress
                )
        console.notices(outcome.notices)
        console.errors(outcome.problems)
        if as_json:
            print(json.dumps(outcome.as_json(), indent=1))
        elif outcome.drifted:
            console.diff(outcome.diff)
            for item in outcome.moved:
                print(f"moved: {item}")
        else:
            console.say(outcome.summary(settings.root.name, check))
        if outcome.drifted:
            raise typer.Exit(DRIFT)


@app.command(
    epilog="Example: acpgen sync npm:@agentclientprotocol/sdk@2.4.0   |   acpgen sync --check"
)
def sync(
    source: Annotated[
        str | None,
        typer.Argument(
            metavar="[SOURCE]",
            help="npm:PACKAGE@VERSION, a folder, a tarball or a URL; default: the pinned release.",
        ),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit 1 where schemas/ is not the pin.")
    ] = False,
    offline: Annotated[
        bool, typer.Option("--offline", help="With --check: compare with the lock file alone.")
    ] = False,
    schemas: Annotated[
        Path | None,
        typer.Option(
            "--schemas",
            metavar="FOLDER",
            help="The schemas folder; default: the configured one, else the checkout's.",
        ),
    ] = None,
    config: ConfigFile = None,
    as_json: AsJson = False,
) -> None:
    """Write the schemas of a release in contract form, or check those that are there."""
    with handled():
        from acpgen.inputs import sync_target
        from acpgen.spec.sync import sync as run

        target = schemas or sync_target(configuration.load(file=config), check)
        with console.progress() as progress:
            progress("comparing schemas" if check else "fetching schemas")
            report = run(source, target, check=check, offline=offline)
        console.notices(report.notices)
        if as_json:
            print(json.dumps(asdict(report), indent=1))
        else:
            console.errors(report.drift)
            changed = f"{len(report.written)} written, {len(report.removed)} removed"
            console.say(f"{target.name}: {report.source}: {'checked' if check else changed}")
        if report.drift:
            raise typer.Exit(DRIFT)


diff.register(app)
projects.register(app)


@app.command(
    epilog="Example: acpgen show ContentBlock   |   acpgen show session/new --surface v2 --json"
)
def show(
    name: Annotated[
        str,
        typer.Argument(
            help="A type (Python name or schema key), a method, a kind of update, a capability."
        ),
    ],
    surface: Surfaces = None,
    source: Source = None,
    config: ConfigFile = None,
    as_json: AsJson = False,
) -> None:
    """Show a type on the wire and in Python, or what gates a method, per surface."""
    with handled():
        from acpgen import console_methods
        from acpgen.spec import show_methods
        from acpgen.spec.show import show as views

        specs = _specs(surface, source, config)
        named = show_methods.lookup(name, specs)
        if named:
            if as_json:
                print(json.dumps(named.as_json(), indent=1))
            else:
                console_methods.found(named)
            return
        found = views(name, specs, show_methods.known_names(specs))
        if as_json:
            print(json.dumps([view.as_json() for view in found], indent=1))
        else:
            console.views(found)


@app.command(epilog="Example: acpgen methods --surface v2   |   acpgen methods --json")
def methods(
    surface: Surfaces = None,
    source: Source = None,
    config: ConfigFile = None,
    as_json: AsJson = False,
) -> None:
    """List the methods and the kinds of session/update: direction, types, gates, surfaces."""
    with handled():
        from acpgen import console_methods
        from acpgen.spec import show_methods

        specs = _specs(surface, source, config)
        if as_json:
            print(json.dumps(show_methods.everything(specs), indent=1))
        else:
            console_methods.methods(show_methods.methods(specs), show_methods.updates(specs))


package_command.register(app)


def _specs(surface: list[str] | None, source: str | None, config: Path | None) -> list[Spec]:
    """The surfaces that a command is to show; what nothing gates is no fault there."""
    from acpgen import generate as generation
    from acpgen import inputs
    from acpgen.spec.audit import patterns

    settings = configuration.load(
        overrides={"surfaces": surface or None, "source": source, "allow-ungated": True},
        file=config,
    )
    with console.progress() as progress:
        progress("reading schemas")
        specs, _ = generation.build_specs(settings, inputs.read(settings), bindings=False)
    console.notices(str(item) for spec in specs for item in patterns(spec))
    return specs


if __name__ == "__main__":
    app()
