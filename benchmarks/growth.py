"""How generation grows with its input: one schema once, twice and four times as large."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.generation import ACPGEN
from benchmarks.measure import Table, interleave, table
from benchmarks.multiply import multiply
from benchmarks.process import seconds

TIMES = (1, 2, 4)


def _label(times: int) -> str:
    return f"v2, {times} x the definitions"


def growth(root: Path, rounds: int) -> list[Table]:
    """Seconds of `acpgen generate` for one surface made of the multiplied schema; start-up is part
    of all three.
    """
    contract = json.loads((root / "schemas/v2/schema.json").read_text(encoding="utf-8"))
    with TemporaryDirectory() as folder:
        sources = {}
        for times in TIMES:
            path = Path(folder, str(times), "schema", "v2", "schema.json")
            path.parent.mkdir(parents=True)
            path.write_text(json.dumps(multiply(contract, times)), encoding="utf-8")
            sources[times] = path.parents[2]

        def run(times: int) -> float:
            with TemporaryDirectory() as out:
                source = str(sources[times])
                return seconds(
                    [
                        *ACPGEN,
                        "generate",
                        "--source",
                        source,
                        "--surface",
                        "v2",
                        "--out",
                        f"{out}/generated",
                    ]
                )

        figures = interleave(
            {_label(times): (lambda times=times: run(times)) for times in TIMES},  # type: ignore[misc]
            rounds,
        )
    return [table("growth with the schema", "s", figures, _label(1), (_label(4), 5.0))]
