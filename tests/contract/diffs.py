"""Diffs of the pinned surfaces, computed once, and how a test says which findings it expects."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

from acpgen import generate as generation
from acpgen import inputs, resources
from acpgen.config import load, read_toml
from acpgen.diff import run
from acpgen.diff.finding import Diff, Finding
from acpgen.spec.ir import Spec
from tests.oracle.diff_check import Context
from tests.oracle.diff_raw import Raw

ROOT = Path(__file__).resolve().parents[2]
SURFACES = ("v1", "v1_unstable", "v2", "v2_unstable")
PAIRS = (
    ("v1", "v2"),
    ("v1", "v1_unstable"),
    ("v2", "v2_unstable"),
    ("v1_unstable", "v2_unstable"),
)
"""The pairs of which tables are generated, and the one between the unstable surfaces."""


@cache
def specs(source: str = "") -> dict[str, Spec]:
    """The surfaces of the packaged schemas, or of a release."""
    over: dict[str, Any] = {"source": source, "allow-ungated": True} if source else {}
    config = load(ROOT, over)
    built, _ = generation.build_specs(config, inputs.read(config))
    return {spec.surface: spec for spec in built}


@cache
def diff(old: str, new: str) -> Diff:
    """The diff of two pinned surfaces."""
    return run.diff(specs()[old], specs()[new])


@cache
def metadata(version: int, overlays: tuple[str, ...]) -> tuple[dict[str, Any], ...]:
    """The packaged methods.toml files of a version, parsed."""
    folder = resources.schemas_dir()
    names = (
        *(f"overlays/{name}/v{version}.methods.toml" for name in overlays),
        f"v{version}/methods.toml",
    )
    paths = (folder / name for name in names)
    return tuple(read_toml(path) for path in paths if path.is_file())


def raw(spec: Spec) -> Raw:
    """What the diff of a surface is checked against: the schema and methods.toml as they are."""
    return Raw(json.loads(spec.contract), metadata(spec.version, spec.overlays), spec.version)


def context(old: Spec, new: Spec, findings: Sequence[Any], all_specs: Any = None) -> Context:
    """The raw sides of a diff. all_specs: per side the surfaces of the same release, for what is stable."""
    sides = all_specs if all_specs is not None else (specs(), specs())
    return Context(
        raw(old),
        raw(new),
        dict(_type_renames(findings)),
        (_stable(old, sides[0]), _stable(new, sides[1])),
        {
            item.change.old.name: item.change.new.name
            for item in findings
            if item.change.kind == "capability.moved"
        },
        renames(),
    )


@cache
def renames() -> dict[str, Any]:
    """The packaged renames.toml, parsed."""
    return read_toml(resources.schemas_dir() / "renames.toml")


def _type_renames(findings: Sequence[Any]) -> Iterator[tuple[str, str]]:
    for item in findings:
        old, new = item.change.old.pointer.split("/"), item.change.new.pointer.split("/")
        if item.change.kind == "type.renamed" and len(old) == len(new) == 3:
            yield old[2], new[2]


def _stable(spec: Spec, sides: dict[str, Spec]) -> Raw:
    if spec.channel == "stable":
        return raw(spec)
    found = sides.get(f"v{spec.version}")
    return raw(found) if found is not None else Raw({"$defs": {}})


def named(finding: Finding) -> str:
    """`KIND OLD -> NEW`, by the names on both sides, of a gate with its place; what patterns match."""
    change = finding.change
    old, new = (spot.name if spot.exists else "" for spot in (change.old, change.new))
    if change.detail.get("at"):  # a place in a message: the subject has it, the names do not
        old = change.subject
    return f"{change.kind} {old} -> {new}"


def lines(found: Diff) -> list[str]:
    """Everything that a diff says, a line each, notes among them."""
    return [*map(named, found.findings), *(f"note {note.topic}" for note in found.notes)]


def held(pattern: str, said: Sequence[str]) -> bool:
    """A line matches the pattern (`*` is anything). `no PATTERN`: none does."""
    if pattern.startswith("no "):
        return not held(pattern[3:], said)
    return any(fnmatchcase(line, pattern) for line in said)
