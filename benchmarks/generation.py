"""Generating all surfaces beside the datamodel-codegen command with black on the same schemas."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.measure import Table, interleave, table
from benchmarks.process import seconds

ACPGEN = [sys.executable, "-c", "from acpgen.cli import app; app()"]
PEER = "datamodel-codegen with black"
COLD, CHECK = "acpgen generate", "acpgen generate --check"


def schemas(root: Path) -> list[Path]:
    """The committed contract schemas."""
    return sorted(root.glob("schemas/v*/schema*.json"))


def _peer(paths: list[Path]) -> float:
    """The plain command, one schema after another, as a user without acpgen would call it."""
    total = 0.0
    with TemporaryDirectory() as folder:
        for number, path in enumerate(paths):
            total += seconds(
                [
                    *(sys.executable, "-m", "datamodel_code_generator"),
                    *("--input", str(path), "--input-file-type", "jsonschema"),
                    *("--output", f"{folder}/models_{number}.py"),
                    *("--output-model-type", "pydantic_v2.BaseModel", "--formatters", "black"),
                ]
            )
    return total


def _cold() -> float:
    with TemporaryDirectory() as folder:
        return seconds([*ACPGEN, "generate", "--out", f"{folder}/generated"])


def generation(root: Path, rounds: int) -> list[Table]:
    """Seconds of wall time; `--check` runs on an output of its own, where nothing has moved."""
    paths = schemas(root)
    with TemporaryDirectory() as folder:
        still = f"{folder}/generated"
        seconds([*ACPGEN, "generate", "--out", still])
        figures = interleave(
            {
                PEER: lambda: _peer(paths),
                COLD: _cold,
                CHECK: lambda: seconds([*ACPGEN, "generate", "--check", "--out", still]),
            },
            rounds,
        )
    return [
        table("generate all surfaces, cold", "s", figures, PEER, (COLD, 0.6)),
        table("generate --check, nothing moved", "s", figures, COLD, (CHECK, 0.1)),
    ]
