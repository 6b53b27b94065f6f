"""`python -m benchmarks [--rounds N] [--only NAME ...] [--json FILE]`, in a checkout."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from pathlib import Path

from rich.console import Console

from benchmarks.codec import codec
from benchmarks.comparing import comparing
from benchmarks.generation import generation
from benchmarks.growth import growth
from benchmarks.importing import importing
from benchmarks.measure import Table
from benchmarks.peers.programs import why_not
from benchmarks.peers.suite import peers
from benchmarks.report import as_json, machine, show

ROOT = Path(__file__).resolve().parent.parent
LEAST_ROUNDS = 7


def main() -> None:
    """Run the chosen benchmarks one after another; nothing here fails because of a figure."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description="acpgen beside its peers."
    )
    parser.add_argument(
        "--rounds", type=int, default=LEAST_ROUNDS, help="rounds that count (default: %(default)s)"
    )
    parser.add_argument(
        "--only", nargs="+", choices=("generation", "diff", "import", "codec", "growth", "peers")
    )
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    parser.add_argument(
        "--source",
        type=Path,
        default=ROOT / "generated" / "src",
        help="folder of the generated package",
    )
    parser.add_argument("--package", default="acp_bindings", help="its name (default: %(default)s)")
    parser.add_argument(
        "--peers",
        type=Path,
        default=os.environ.get("ACP_PEERS"),
        help="folder where npm installed the TypeScript SDK (default: $ACP_PEERS)",
    )
    options = parser.parse_args()

    benchmarks: dict[str, Callable[[], list[Table]]] = {
        "codec": lambda: codec(options.source, options.package, options.rounds),
        "import": lambda: importing(options.source, options.package, options.rounds),
        "growth": lambda: growth(ROOT, options.rounds),
        "generation": lambda: generation(ROOT, options.rounds),
        "diff": lambda: comparing(ROOT, options.rounds),
        "peers": lambda: peers(options.source, options.peers, options.rounds),
    }
    chosen = options.only or list(benchmarks)
    if "peers" in chosen and (missing := why_not(options.source, options.peers)):
        parser.error(f"peers: {missing}")
    console = Console()
    console.print(", ".join(f"{name} {value}" for name, value in machine().items()))
    tables = []
    for name in chosen:
        found = benchmarks[name]()
        show(found, console)
        tables += found
    if options.json:
        options.json.write_text(as_json(tables), encoding="utf-8")


if __name__ == "__main__":
    main()
