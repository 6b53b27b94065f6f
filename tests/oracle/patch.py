"""The patch fields, from the copied facts (tests/contract/patch_fields.json)."""

from __future__ import annotations

import json
from pathlib import Path

FILE = Path(__file__).resolve().parent.parent / "contract" / "patch_fields.json"


def patch_of(surface: str) -> list[tuple[str, str]]:
    """(definition, wire name) of the fields whose absence, null and value are three different
    things.
    """
    table: dict[str, dict[str, list[str]]] = json.loads(FILE.read_text(encoding="utf-8"))
    version = surface.split("_")[0]
    return [(name, wire) for name, fields in table.get(version, {}).items() for wire in fields]
