"""The copied facts and cases are the ones that were copied."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

HERE = Path(__file__).resolve().parent


def test_hashes() -> None:
    recorded = dict(
        reversed(line.split())
        for line in (HERE / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    )
    copied = [*HERE.glob("*.json"), *HERE.glob("*.md")]
    found = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in copied}
    assert found == recorded


def test_case_ids_are_unique() -> None:
    ids = [case["id"] for case in json.loads((HERE / "cases.json").read_text(encoding="utf-8"))]
    assert len(ids) == len(set(ids)) > 20
