"""The pairs of tiny schemas below tests/fragments/diff: one per rule, `previous` and `current`.

PREVIOUS.json is a schema and PREVIOUS.toml its methods.toml. renames.toml, where there is one, says what is one thing under
two names; stability.json says how settled the method `do` is on either side.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from acpgen.diff.pairing import renames
from acpgen.diff.pairing.renames import RenameRow
from acpgen.spec import build, contract, metadata
from acpgen.spec.ir import Spec

FOLDER = Path(__file__).parents[2] / "fragments" / "diff"


@functools.cache
def pair(rule: str) -> tuple[Spec, Spec, Sequence[RenameRow]]:
    """Both sides of the pair of a rule, and its renames."""
    folder = FOLDER / rule
    rows = renames.load([folder / "renames.toml"])
    return _spec(folder, "previous"), _spec(folder, "current"), rows


def _spec(folder: Path, name: str) -> Spec:
    text = (folder / f"{name}.json").read_text(encoding="utf-8")
    rows = metadata.parse((folder / f"{name}.toml").read_text(encoding="utf-8"), f"{name}.toml")
    parsed = contract.parse(text, f"{folder.name}/{name}.json")
    spec = build.build(
        parsed, version=1, channel="stable", metadata=rows, text=contract.dumps(parsed)
    )
    path = folder / "stability.json"
    if not path.is_file():
        return spec
    level = json.loads(path.read_text(encoding="utf-8"))[name]
    marked = tuple(row._replace(stability=level) for row in spec.table.rows)
    return replace(spec, table=replace(spec.table, rows=marked))
