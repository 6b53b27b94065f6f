"""Benchmark tables for a person (rich) and for a machine (JSON)."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterable
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version

from rich.console import Console
from rich.table import Table as RichTable

from benchmarks.measure import Table

PACKAGES = ("pydantic", "datamodel-code-generator", "black", "agent-client-protocol")


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def machine() -> dict[str, str | int | None]:
    """What the figures depend on."""
    return {
        "python": platform.python_version(),
        "system": platform.system(),
        "cores": os.cpu_count(),
        **{package: _version(package) for package in PACKAGES},
    }


def show(tables: Iterable[Table], console: Console) -> None:
    """Print every table; the ratio is to the row marked with a star."""
    for table in tables:
        shown = RichTable(title=f"{table.title} ({table.unit})", title_justify="left")
        shown.add_column("what")
        for column in ("median", "min", "max", "n", "ratio"):
            shown.add_column(column, justify="right")
        for row in table.rows:
            star = " *" if row.name == table.baseline else ""
            figures = (
                f"{figure:.3g}" if figure < 100 else f"{figure:.0f}"
                for figure in (row.median, row.least, row.most)
            )
            shown.add_row(row.name + star, *figures, str(row.rounds), f"{row.ratio:.2f}")
        console.print(shown)
        if table.met is not None:
            console.print(f"{table.target}: {'met' if table.met else 'NOT met'}\n")


def as_json(tables: Iterable[Table]) -> str:
    """Every table with the machine that it was measured on."""
    return (
        json.dumps({"machine": machine(), "tables": [asdict(table) for table in tables]}, indent=1)
        + "\n"
    )
