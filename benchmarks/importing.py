"""Import time and peak memory of one surface beside the official Python SDK's models."""

from __future__ import annotations

from pathlib import Path

from benchmarks.measure import Table, interleave, table
from benchmarks.process import Probe, probe

OFFICIAL = "official acp.schema"
_REQUEST = "{'protocolVersion': 1, 'clientCapabilities': {}}"


def statements(package: str) -> dict[str, str]:
    """What each contender runs in a new interpreter."""
    every = f"import {package}.v1.models as m; [getattr(m, name) for name in m.__all__]"
    built = every + "; [c.model_rebuild() for c in vars(m).values() if hasattr(c, 'model_rebuild')]"
    first = (
        f"from {package}.runtime.base import decode; "
        f"from {package}.v1.models import InitializeRequest; "
        f"decode(InitializeRequest, {_REQUEST})"
    )
    return {
        "python alone": "pass",
        "pydantic alone": "from pydantic import BaseModel",
        OFFICIAL: "import acp.schema",
        f"{OFFICIAL}, first decode": (
            f"import acp.schema; acp.schema.InitializeRequest.model_validate({_REQUEST})"
        ),
        "acpgen v1, lazy": f"import {package}.v1",
        "acpgen v1, all classes": every,
        "acpgen v1, first decode": first,
        "acpgen v1, every validator built": built,
    }


def importing(source: Path, package: str, rounds: int) -> list[Table]:
    """Two tables: seconds of the statements, and the peak memory of their processes."""
    probes: dict[str, list[Probe]] = {name: [] for name in statements(package)}

    def contender(name: str, statement: str) -> float:
        result = probe(statement, source)
        probes[name].append(result)
        return result.seconds * 1000

    contenders = {
        name: (lambda name=name, statement=statement: contender(name, statement))
        for name, statement in statements(package).items()
    }
    times = interleave(contenders, rounds)
    memory = {
        name: [result.megabytes for result in results[1:]] for name, results in probes.items()
    }
    return [
        table("import of one surface", "ms", times, OFFICIAL, ("acpgen v1, all classes", 0.35)),
        table(
            "import and first decode",
            "ms",
            times,
            f"{OFFICIAL}, first decode",
            ("acpgen v1, first decode", 0.35),
        ),
        table("peak memory", "MB", memory, OFFICIAL, ("acpgen v1, all classes", 1.0)),
    ]
