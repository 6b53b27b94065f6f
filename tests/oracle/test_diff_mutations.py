"""Every change of a real schema that jsonschema can tell apart is in some finding, and annotations too.

A sample with a fixed seed: mutations of different definitions go into one copy of the schema, and each has to be
found where it was made. One that is not is tried alone, and counts as missed if a value tells the two schemas apart.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any

import pytest

from acpgen import resources
from acpgen.diff.change import Change
from acpgen.diff.compare import compare
from acpgen.problem import ProblemError
from acpgen.spec import contract, metadata
from acpgen.spec.build import build
from acpgen.spec.ir import Spec
from tests.contract.diffs import metadata as raw_metadata
from tests.oracle.diff_mutate import Mutation, applied, mutations, witness
from tests.oracle.diff_raw import CHOICES, Raw

TOGETHER = 12
SEED = 4
SURFACES = ("v1", "v1_unstable", "v2", "v2_unstable")


@dataclass
class Outcome:
    """noticed: found in a finding. missed: not, though it should be. refused: acpgen takes no such schema.

    alike: no value tells the two schemas apart. agreed: an annotation that says nothing where it stands.
    """

    noticed: int = 0
    alike: int = 0
    agreed: int = 0
    missed: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)


class Bench:
    """One pinned surface and mutated copies of it."""

    def __init__(self, surface: str) -> None:
        version, channel = int(surface[1]), "unstable" if "unstable" in surface else "stable"
        name = "schema" if channel == "stable" else "schema.unstable"
        folder = resources.schemas_dir() / f"v{version}"
        self.version, self.channel = version, channel
        self.root: Any = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
        self.rows = metadata.load([folder / "methods.toml"])
        self.raw = Raw(self.root, raw_metadata(version, ()), version)
        self.spec = self.made(self.root)
        self.outcome = Outcome()

    def made(self, root: Any) -> Spec:
        parsed = contract.parse(json.dumps(root), "mutated")
        channel: Any = self.channel
        return build(parsed, version=self.version, channel=channel, metadata=self.rows)

    def run(self, chosen: list[Mutation]) -> Outcome:
        for batch in batches(chosen):
            self.together(batch)
        return self.outcome

    def together(self, batch: list[Mutation]) -> None:
        if len(batch) == 1:
            self.alone(batch[0])
            return
        try:
            changes = compare(self.spec, self.made(applied(self.root, *batch)))
        except ProblemError:
            middle = len(batch) // 2
            self.together(batch[:middle])
            self.together(batch[middle:])
            return
        for mutation in batch:
            if is_about(mutation, changes):
                self.outcome.noticed += 1
            else:
                self.alone(mutation)

    def alone(self, mutation: Mutation) -> None:
        root = applied(self.root, mutation)
        try:
            changes = compare(self.spec, self.made(root))
        except ProblemError:
            self.outcome.refused.append(str(mutation))
            return
        if changes:
            self.outcome.noticed += 1
        elif mutation.silent:
            if self.says_nothing(mutation):
                self.outcome.agreed += 1
            else:
                self.outcome.missed.append(str(mutation))
        else:
            value, told = witness(self.root, root, mutation.definition)
            if told:
                self.outcome.missed.append(f"{mutation}: {json.dumps(value)[:200]}")
            else:
                self.outcome.alike += 1

    def says_nothing(self, mutation: Mutation) -> bool:
        """An annotation of the value that catches all other tags or values, null among them, or the
        default of a field of which an
        absent value means "unchanged".
        """
        steps = mutation.where.split("/")
        in_branch = any(word in steps for word in CHOICES)
        schema = self.raw.at(mutation.where)
        if (
            in_branch
            and not self.raw.constants(schema)
            and schema.get("type") in ("string", "null")
        ):
            return True
        name = steps[-1]
        patched = (row for row in self.raw.rows("patch") if row["type"] == mutation.definition)
        return mutation.kind == "default" and any(name in row["fields"] for row in patched)


def batches(chosen: list[Mutation]) -> Iterator[list[Mutation]]:
    """Batches in which each definition is mutated once."""
    waiting = defaultdict(list)
    for mutation in chosen:
        waiting[mutation.definition].append(mutation)
    while any(waiting.values()):
        row = [items.pop() for items in waiting.values() if items]
        for start in range(0, len(row), TOGETHER):
            yield row[start : start + TOGETHER]


def is_about(mutation: Mutation, changes: tuple[Change, ...]) -> bool:
    """Some change stands in the mutated definition."""
    at = f"/$defs/{mutation.definition}"
    spots = (spot for change in changes for spot in (change.old, change.new))
    return any(spot.pointer == at or spot.pointer.startswith(f"{at}/") for spot in spots)


@cache
def offered(surface: str) -> list[Mutation]:
    return list(mutations(Bench(surface).root))


def sample(surface: str, count: int) -> list[Mutation]:
    return Random(SEED).sample(offered(surface), count)


def judged(surface: str, count: int) -> Outcome:
    outcome = Bench(surface).run(sample(surface, count))
    assert outcome.missed == []
    assert outcome.noticed > 0.75 * count, outcome
    assert len(outcome.refused) < 0.2 * count, outcome.refused
    return outcome


def test_a_few_mutations_are_noticed() -> None:
    judged("v2", 40)


@pytest.mark.slow
@pytest.mark.parametrize("surface", SURFACES)
def test_mutations_are_noticed(surface: str) -> None:
    judged(surface, 80)


def test_every_kind_of_mutation_is_offered() -> None:
    kinds = {mutation.kind for surface in ("v1", "v2") for mutation in offered(surface)}
    assert {
        *("drop-required", "add-required", "drop-property", "add-property", "change-type"),
        *("add-null", "drop-null", "const", "add-value", "drop-branch", "open-enum", "close"),
        *("tolerance", "default", "swap-ref", "drop-minimum", "change-minimum", "add-maximum"),
        *("add-maxLength", "add-pattern", "add-minItems", "drop-format", "swap-choice"),
        *("add-branch", "to-anything", "drop-not", "drop-payload"),
    } <= kinds


def test_a_value_tells_two_schemas_apart() -> None:
    """The witness can find, and can fail to."""
    root = Bench("v2").root
    mutation = next(item for item in offered("v2") if item.kind == "drop-required")
    value, told = witness(root, applied(root, mutation), mutation.definition)
    assert told and value is not None
    silent = next(item for item in offered("v2") if item.kind == "default")
    assert witness(root, applied(root, silent), silent.definition) == (None, False)


def test_a_mutation_is_made_where_it_says() -> None:
    root = Bench("v1").root
    for mutation in sample("v1", 60):
        changed = applied(root, mutation)
        differing = {key for key in root["$defs"] if root["$defs"][key] != changed["$defs"][key]}
        assert differing == {mutation.definition}, mutation
