"""The copied facts and cases are the ones that were copied."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

CONTRACT = Path(__file__).resolve().parents[1] / "contract"


def test_hashes() -> None:
    lines = (CONTRACT / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    recorded = {name: digest for digest, name in (line.split() for line in lines)}
    found = {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in CONTRACT.glob("*.json")
    }
    assert found == recorded


def test_case_ids_are_unique() -> None:
    ids = [case["id"] for case in json.loads((CONTRACT / "cases.json").read_text(encoding="utf-8"))]
    assert len(ids) == len(set(ids)) > 20
