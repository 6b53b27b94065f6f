"""The command `diff`; beside cli.py, which registers it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast, get_args

import typer

from acpgen import config as configuration
from acpgen import console
from acpgen.commands.ending import DRIFT, handled
from acpgen.commands.options import ConfigFile
from acpgen.problem import Problem, ProblemError

if TYPE_CHECKING:
    from acpgen.commands.diff_formats import Format
    from acpgen.diff.change import Area, Peer
    from acpgen.diff.finding import Severity
    from acpgen.diff.run import Compared, Selection


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command(
        epilog="Example: acpgen diff v1 v2 --side agent   |   acpgen diff v1 v2 --guide client   |   "
        "acpgen diff npm:@agentclientprotocol/sdk@2.1.0 npm:@agentclientprotocol/sdk@2.4.0 --fail-on breaking"
    )(diff)


def diff(
    a: Annotated[
        str,
        typer.Argument(
            metavar="A",
            help="A surface (v1, v2-unstable), a release (npm:PACKAGE@VERSION, a folder, a tarball, a URL), "
            "or one surface of it (RELEASE#v2).",
        ),
    ] = "",
    b: Annotated[str, typer.Argument(metavar="B", help="The same, for the new side.")] = "",
    side: Annotated[
        str | None,
        typer.Option(
            "--side", metavar="PEER", help="What concerns the author of this peer: agent, client."
        ),
    ] = None,
    severity: Annotated[
        list[str] | None,
        typer.Option(
            "--severity",
            metavar="SEVERITY",
            help="Only these: breaking, risky, compatible; may be repeated.",
        ),
    ] = None,
    area: Annotated[
        list[str] | None,
        typer.Option(
            "--area",
            metavar="AREA",
            help="Only these: method, gate, capability, update, type, field, variant, value, error; "
            "may be repeated.",
        ),
    ] = None,
    text: Annotated[
        str,
        typer.Option(
            "--text",
            metavar="WORDS",
            help="Only what has all these words in its names or sentences.",
        ),
    ] = "",
    guide: Annotated[
        str | None,
        typer.Option(
            "--guide",
            metavar="PEER",
            help="Print a checklist for the author of an agent or a client.",
        ),
    ] = None,
    fail_on: Annotated[
        str | None,
        typer.Option(
            "--fail-on", metavar="SEVERITY", help="Exit 1 if a finding is at least that severe."
        ),
    ] = None,
    waivers: Annotated[
        list[str] | None,
        typer.Option(
            "--waivers", metavar="FILE", help="Findings that are accepted; may be repeated."
        ),
    ] = None,
    form: Annotated[
        str | None,
        typer.Option("--format", metavar="FORMAT", help="text (default), md, json or html."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", metavar="FILE", help="Write to this file instead.")
    ] = None,
    rules: Annotated[
        bool, typer.Option("--rules", help="List the rules, and compare nothing.")
    ] = False,
    overlay: Annotated[
        list[str] | None,
        typer.Option(
            "--overlay",
            metavar="OVERLAY",
            help="A proposal for unstable surfaces; may be repeated.",
        ),
    ] = None,
    no_overlays: Annotated[
        bool, typer.Option("--no-overlays", help="Apply no proposal at all.")
    ] = False,
    schemas: Annotated[
        list[str] | None,
        typer.Option(
            "--schemas", metavar="FOLDER", help="A folder of your own schemas; may be repeated."
        ),
    ] = None,
    config: ConfigFile = None,
    as_json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
) -> None:
    """Show what changed between two surfaces or releases, and whom it breaks."""
    with handled():
        from acpgen.comparison import run

        if as_json and form not in (None, "json"):
            what = f"--json and --format {form} exclude each other"
            raise ProblemError.of("command line", what)
        wanted = "json" if as_json else form or "text"
        chosen = _Options(side, severity, area, text, guide, fail_on, wanted)
        if rules:
            _rules(chosen.form)
            return
        if not a or not b:
            raise ProblemError.of("command line", "two sides are needed", "acpgen diff v1 v2")
        if overlay and no_overlays:
            raise ProblemError.of("command line", "--overlay and --no-overlays exclude each other")
        if output is not None and chosen.form == "text":
            raise ProblemError.of("--output", "goes with --format md, json or html")
        settings = configuration.load(
            overrides={
                "overlays": [] if no_overlays else overlay or None,
                "schemas": schemas or None,
                "waivers": waivers or None,
            },
            file=config,
        )
        with console.progress() as progress:
            progress("comparing schemas")
            outcome = run(settings, a, b, settings.waivers)
        console.notices(outcome.notices)
        shown = [chosen.selection.applied(item) for item in outcome.pairs]
        totals = [len(item.diff.findings) for item in outcome.pairs]
        _show(shown, totals, chosen, settings.templates, output)
        if chosen.fail_on and any(
            item.diff.matches(chosen.fail_on, chosen.selection.side) for item in shown
        ):
            raise typer.Exit(DRIFT)


class _Options:
    """The options that name one of a few words, checked together."""

    def __init__(
        self,
        side: str | None,
        severities: Sequence[str] | None,
        areas: Sequence[str] | None,
        text: str,
        guide: str | None,
        fail_on: str | None,
        form: str,
    ) -> None:
        from acpgen.commands.diff_formats import Format
        from acpgen.diff.change import Area, Peer
        from acpgen.diff.finding import Severity
        from acpgen.diff.run import Selection

        self._problems: list[Problem] = []
        peer = self._one("--side", side, get_args(Peer))
        self.selection: Selection = Selection(
            cast("Peer | None", peer),
            cast("list[Severity]", self._some("--severity", severities, get_args(Severity))),
            cast("list[Area]", self._some("--area", areas, get_args(Area))),
            text,
        )
        self.guide: Peer | None = cast("Peer | None", self._one("--guide", guide, get_args(Peer)))
        self.fail_on: Severity | None = cast(
            "Severity | None", self._one("--fail-on", fail_on, get_args(Severity))
        )
        self.form: Format = cast("Format", self._one("--format", form, get_args(Format)) or "text")
        if self.guide and self.selection:
            what = "is of all findings: --side, --severity, --area and --text do not go with it"
            self._problems.append(Problem("--guide", what))
        if self._problems:
            raise ProblemError(self._problems)

    def _one(self, option: str, value: str | None, known: Sequence[str]) -> str | None:
        if value is not None and value not in known:
            self._problems.append(Problem(option, f"{value!r} is none of {', '.join(known)}"))
            return None
        return value

    def _some(self, option: str, values: Sequence[str] | None, known: Sequence[str]) -> list[str]:
        return [item for item in values or () if self._one(option, item, known)]


def _show(
    pairs: Sequence[Compared],
    totals: Sequence[int],
    chosen: _Options,
    templates: Sequence[Path],
    output: Path | None,
) -> None:
    """totals: how many findings each pair has, shown or not."""
    from acpgen import console_diff
    from acpgen.commands import diff_formats
    from acpgen.diff.report import view
    from acpgen.diff.reporting.guide import guide

    guides = [guide(item.diff, chosen.guide) for item in pairs] if chosen.guide else None
    if chosen.form == "text":
        for found in guides or ():
            console_diff.guide(found)
        for item, total in zip(pairs, totals, strict=True) if guides is None else ():
            arranged = view(item.diff, item.old, item.new)
            of = total if chosen.selection else None
            console_diff.report(item.diff, arranged, chosen.selection.side, of)
        return
    text = (
        diff_formats.report(pairs, chosen.form, templates)
        if guides is None
        else diff_formats.guides(guides, chosen.form)
    )
    if output is None:
        print(text, end="")
    else:
        diff_formats.write(output, text)


def _rules(form: Format) -> None:
    from acpgen import console_diff
    from acpgen.diff.rules import RULES

    if form == "json":
        print(json.dumps([row.as_json() for row in RULES], indent=1))
    elif form == "text":
        console_diff.rules(RULES)
    else:
        raise ProblemError.of(
            "--rules", f"there are no rules as {form}", "use --format text or json"
        )
