"""Decoding and encoding a mixed message set: generated models, the official Python SDK's models,
bare json.
"""

from __future__ import annotations

import importlib
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.measure import Table, interleave, table
from benchmarks.messages import MESSAGES

REPEAT = 300
MICRO = 1e6
OURS, OFFICIAL, BARE = "acpgen", "official SDK models", "bare json"


def _per_message(work: Callable[[], object]) -> Callable[[], float]:
    """Microseconds per message of `work`, which handles the whole set once."""

    def run() -> float:
        started = time.perf_counter()
        for _ in range(REPEAT):
            work()
        return (time.perf_counter() - started) / (REPEAT * len(MESSAGES)) * MICRO

    return run


def codec(source: Path, package: str, rounds: int) -> list[Table]:
    """Two tables. Both sides start from, and end with, JSON text; the official side goes the way
    the SDK itself goes.
    """
    sys.path.insert(0, str(source))
    models: Any = importlib.import_module(f"{package}.v1.models")
    base: Any = importlib.import_module(f"{package}.runtime.base")
    official: Any = importlib.import_module("acp.schema")

    texts = [json.dumps(params).encode() for _, params in MESSAGES]
    ours = [
        (getattr(models, models.WIRE_TYPES[name]), text)
        for (name, _), text in zip(MESSAGES, texts, strict=True)
    ]
    theirs = [
        (getattr(official, name), text) for (name, _), text in zip(MESSAGES, texts, strict=True)
    ]
    decoded = [base.decode_json(type_, text) for type_, text in ours]
    validated = [type_.model_validate(json.loads(text)) for type_, text in theirs]
    values = [params for _, params in MESSAGES]
    for value, params in zip(decoded, values, strict=True):
        if base.encode(value) != params:
            raise AssertionError(f"a message does not survive: {params}")

    def dump(value: Any) -> str:
        fields = value.model_dump(
            mode="json", by_alias=True, exclude_none=True, exclude_defaults=True
        )
        return json.dumps(fields, separators=(",", ":"))

    decoding = interleave(
        {
            OURS: _per_message(lambda: [base.decode_json(type_, text) for type_, text in ours]),
            OFFICIAL: _per_message(
                lambda: [type_.model_validate(json.loads(text)) for type_, text in theirs]
            ),
            BARE: _per_message(lambda: [json.loads(text) for text in texts]),
        },
        rounds,
    )
    encoding = interleave(
        {
            OURS: _per_message(lambda: [base.encode_json(value) for value in decoded]),
            OFFICIAL: _per_message(lambda: [dump(value) for value in validated]),
            BARE: _per_message(
                lambda: [json.dumps(value, separators=(",", ":")) for value in values]
            ),
        },
        rounds,
    )
    return [
        table("decode a mixed message set", "us/message", decoding, OFFICIAL, (OURS, 0.6)),
        table("encode a mixed message set", "us/message", encoding, OFFICIAL),
    ]
