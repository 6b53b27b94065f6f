"""Options that several commands have."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]
ConfigFile = Annotated[
    Path | None,
    typer.Option(
        "--config", metavar="FILE", help="Read this acpgen.toml or pyproject.toml; search for none."
    ),
]
Source = Annotated[
    str | None,
    typer.Option(
        "--source",
        metavar="SOURCE",
        help="Read this release (npm:PACKAGE@VERSION, a folder, a tarball, a URL).",
    ),
]
Surfaces = Annotated[
    list[str] | None,
    typer.Option("--surface", metavar="SURFACE", help="This surface alone; may be repeated."),
]
DocsOption = Annotated[
    bool | None,
    typer.Option("--docs/--no-docs", help="Put upstream's descriptions into docstrings."),
]
Jobs = Annotated[int | None, typer.Option("--jobs", metavar="N", min=1, help="Worker processes.")]
