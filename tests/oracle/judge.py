"""The judge: does a generated surface agree with the reference reader and jsonschema on every
value?

- A valid value decodes, is written back with the same meaning and no key that it lacked, and is
  still valid.
- A changed value is refused where the reader's repair leaves it invalid; else it decodes and is
  written as repaired.
- A refusal names a place that exists in the value; for a record, the place that was changed.
- The classes of variants agree on their own, too. No class goes unreached, no agreed exception
  unused.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from tests.oracle.accounting import unaccounted
from tests.oracle.canonical import Canonical
from tests.oracle.contract import Contract, Json, Schema, Shape
from tests.oracle.mutator import Mutation, mutations
from tests.oracle.package import Surface
from tests.oracle.reader import Reader, Reading, patch_fields
from tests.oracle.received import (
    FORMAT_BOUNDS,
    INTEGRAL_FLOAT,
    RECEIVED_OPEN,
    applicable,
    received,
)
from tests.oracle.sampler import Sample, Sampler


@dataclass(frozen=True)
class Fault:
    """Where models and reader disagree. name: the type. about: what happened. value: JSON."""

    name: str
    about: str
    value: str

    def __str__(self) -> str:
        return f"{self.name}: {self.about}: {self.value[:400]}"


@dataclass
class Report:
    """What was tried on one surface, and what was found."""

    surface: str
    types: int = 0
    classes: int = 0
    values: int = 0
    mutated: Counter[str] = field(default_factory=Counter)
    exceptions: set[str] = field(default_factory=set)
    faults: list[Fault] = field(default_factory=list)

    def grouped(self) -> list[tuple[int, Fault]]:
        """One fault of each sort, the one with the shortest value, and how many there are of it."""
        groups: dict[tuple[str, str], list[Fault]] = {}
        for fault in self.faults:
            groups.setdefault(
                (fault.name, re.sub(r"[\[({].*|/[0-9]+/.*", "", fault.about)), []
            ).append(fault)
        return [
            (len(group), min(group, key=lambda fault: len(fault.value)))
            for group in groups.values()
        ]

    def __str__(self) -> str:
        mutated = ", ".join(
            f"{self.mutated[kind]} {kind}" for kind in ("refused", "repaired", "accepted")
        )
        return (
            f"{self.surface}: {self.types} types and {self.classes} variant classes, "
            f"{self.values} valid values, {self.mutated.total()} mutated ({mutated}), "
            f"{len(self.exceptions)} exceptions used, {len(self.faults)} faults"
        )


def same(left: Json, right: Json) -> bool:
    """Equal as JSON: `true` is not 1, but 1 and 1.0 are one number."""
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    return (type(left) in (int, float) and type(right) in (int, float) and left == right) or (
        type(left) is type(right) and left == right
    )


def added(before: Json, after: Json, at: str = "", empty: bool = False) -> str | None:
    """Pointer of the first key in `after` that `before` lacks; with `empty`, an empty list or
    object is no addition.
    """
    if isinstance(before, dict) and isinstance(after, dict):
        for key, inner in after.items():
            where = f"{at}/{key}"
            if key in before:
                found = added(before[key], inner, where, empty)
            else:
                found = None if empty and inner in ([], {}) else where
            if found is not None:
                return found
    if isinstance(before, list) and isinstance(after, list):
        for index, (left, right) in enumerate(zip(before, after, strict=False)):
            found = added(left, right, f"{at}/{index}", empty)
            if found is not None:
                return found
    return None


class Judge:
    """Judges one surface. `patch`: (definition, wire name) of the fields with three states."""

    def __init__(self, surface: Surface, patch: Iterable[tuple[str, str]], seed: int = 0) -> None:
        self.surface = surface
        self.patch = tuple(patch)
        self.seed = seed
        self.contract = received(surface.root)
        ids = patch_fields(self.contract, self.patch)
        self.reader = Reader(self.contract, ids)
        self.canonical = Canonical(self.contract, ids)
        self.sampler = Sampler(self.contract, seed)
        self.report = Report(surface.name)
        self._unused = applicable(surface.root)
        self._without: dict[str, tuple[Contract, Reader]] = {}
        self._reached: set[type] = set()

    def run(self, only: Iterable[str] = ()) -> Report:
        """Judge every definition, or only the named ones; then what is left over is judged only in
        a full run.
        """
        names = sorted(only) or sorted(self.surface.wire_types)
        variants: dict[type, dict[int, Shape]] = {}
        samples: dict[type, list[Sample]] = {}
        for name in names:
            if name not in self.contract.defs or not hasattr(
                self.surface.models, self.surface.wire_types[name]
            ):
                continue
            self.report.types += 1
            type_ = self.surface.type_of(name)
            for sample, result in self._definition(name, type_, self.contract.ref(name)):
                self._reached.add(type(result))
                if self.surface.is_model(result) and type(result) is not type_:
                    variants.setdefault(type(result), {})[id(sample.shape)] = sample.shape
                    samples.setdefault(type(result), []).append(sample)
        for class_, shapes in variants.items():
            self.report.classes += 1
            listed = list(shapes.values())
            schema = (
                listed[0].schema
                if len(listed) == 1
                else {"anyOf": [shape.schema for shape in listed]}
            )
            self._judge(class_.__name__, class_, schema, samples[class_][:20])
        if not only:
            self.leftovers()
        return self.report

    def _definition(self, name: str, type_: Any, schema: Schema) -> list[tuple[Sample, Any]]:
        return self._judge(name, type_, schema, self.sampler.samples(schema))

    def _judge(
        self, name: str, type_: Any, schema: Schema, samples: list[Sample]
    ) -> list[tuple[Sample, Any]]:
        decoded = []
        richest: dict[int, Sample] = {}
        for sample in samples:
            self.report.values += 1
            result = self._valid(name, type_, schema, sample.value)
            if result is not None:
                decoded.append((sample, result))
            best = richest.get(id(sample.shape))
            if best is None or len(json.dumps(sample.value)) > len(json.dumps(best.value)):
                richest[id(sample.shape)] = sample
        for sample in richest.values():
            for mutation in mutations(self.contract, sample.shape, sample.value, self.seed):
                self._mutated(name, type_, schema, sample.shape, mutation)
        return decoded

    def _fault(self, name: str, about: str, value: Json) -> None:
        self.report.faults.append(Fault(name, about, json.dumps(value, ensure_ascii=False)))

    def _valid(self, name: str, type_: Any, schema: Schema, value: Json) -> Any:
        try:
            result = self.surface.decode(type_, value)
            from_text = self.surface.decode_json(type_, json.dumps(value))
        except Exception as error:
            self._fault(name, f"a valid value is refused ({error!r:.300})", value)
            return None
        if not same(self.surface.encode(from_text), self.surface.encode(result)):
            self._fault(name, "decode_json and decode differ", value)
        self._written(name, schema, result, value, repaired=False)
        return result

    def _written(
        self, name: str, schema: Schema, result: Any, expected: Json, *, repaired: bool
    ) -> None:
        """Whether `result` is written with the meaning of `expected`.

        Where something was repaired, an empty list that stands for a malformed one may be written
        or left out.
        """
        try:
            written = self.surface.encode(result)
            text = json.loads(self.surface.encode_json(result))
        except Exception as error:
            self._fault(name, f"what was decoded cannot be written ({error!r:.300})", expected)
            return
        if not same(text, written):
            self._fault(name, "encode_json and encode differ", expected)
        if not self.contract.valid(schema, written):
            self._fault(
                name, f"what is written is not valid ({json.dumps(written):.300})", expected
            )
        elif not same(self.canonical(schema, written), self.canonical(schema, expected)):
            self._fault(
                name, f"written with another meaning ({json.dumps(written):.300})", expected
            )
        extra = added(expected, written, empty=repaired)
        if extra is not None:
            self._fault(name, f"{extra} is written but was not there", expected)

    def _mutated(
        self, name: str, type_: Any, schema: Schema, shape: Shape, mutation: Mutation
    ) -> None:
        value = mutation.value
        reading = self.reader.read(schema, value)
        problems: list[Any] = []
        result = None
        try:
            result = self.surface.decode(type_, value)
            refused = False
        except self.surface.error as error:
            refused = True
            problems = list(getattr(error, "problems", ()))
        except Exception as error:
            self._fault(
                name,
                f"{mutation.kind} at {mutation.where}: decoding crashes ({error!r:.300})",
                value,
            )
            return
        if refused == reading.accepted:
            verdict = (
                "refused, but the reader makes it valid"
                if refused
                else "accepted, but it is invalid"
            )
            self._fault(name, f"{mutation.kind} at {mutation.where}: {verdict}", value)
            return
        before = len(self.report.faults)
        if reading.accepted:
            repaired = not same(reading.value, value)
            self._written(name, schema, result, reading.value, repaired=repaired)
            self.report.mutated["repaired" if repaired else "accepted"] += 1
        else:
            self.report.mutated["refused"] += 1
            self._pointers(name, schema, mutation, problems)
        if len(self.report.faults) == before:
            self._excepted(name, schema, mutation, reading)

    def _pointers(self, name: str, schema: Schema, mutation: Mutation, problems: list[Any]) -> None:
        pointers = [str(problem[0]) for problem in problems]
        if not pointers:
            self._fault(
                name,
                f"{mutation.kind} at {mutation.where}: refused without a problem",
                mutation.value,
            )
        for pointer in pointers:
            if not _exists(mutation.value, pointer):
                self._fault(
                    name,
                    f"{mutation.kind} at {mutation.where}: no such place {pointer!r}",
                    mutation.value,
                )
        if len(self.contract.shapes(schema)) == 1:
            # A changed tag makes another object of it: the error may name any of its fields.
            where = (
                mutation.where.rpartition("/")[0]
                if mutation.where.count("/") > 1
                else mutation.where
            )
            if not any(at.startswith(where) or where.startswith(at) for at in pointers):
                self._fault(
                    name,
                    f"{mutation.kind} at {mutation.where}: the error names {pointers}",
                    mutation.value,
                )

    def _excepted(self, name: str, schema: Schema, mutation: Mutation, reading: Reading) -> None:
        """Whether the verdict would have been another without one of the agreed exceptions."""
        likely = {INTEGRAL_FLOAT: ("wrong-type", "whole"), FORMAT_BOUNDS: ("bounds",)}
        if "$ref" not in schema:
            return
        for exception in sorted(self._unused):
            if mutation.kind not in likely.get(exception, ("tag",)):
                continue
            if exception.startswith(RECEIVED_OPEN) and exception != RECEIVED_OPEN + name:
                continue
            contract, reader = self._readers(exception)
            other = reader.read(contract.ref(name), mutation.value)
            if other.accepted != reading.accepted or not same(other.value, reading.value):
                self._unused.discard(exception)
                self.report.exceptions.add(exception)

    def _readers(self, exception: str) -> tuple[Contract, Reader]:
        if exception not in self._without:
            contract = received(self.surface.root, exception)
            self._without[exception] = (
                contract,
                Reader(contract, patch_fields(contract, self.patch)),
            )
        return self._without[exception]

    def leftovers(self) -> None:
        """Name what no value has reached and no verdict has needed."""
        for sentence in unaccounted(self.surface):
            self._fault("(accounting)", sentence, None)
        for exception in sorted(self._unused):
            self._fault("(exceptions)", f"{exception} is agreed but was never needed", None)
        for name, class_ in sorted(self.surface.classes().items()):
            if not any(issubclass(reached, class_) for reached in self._reached):
                self._fault(name, "no value reaches this class", None)


def _exists(value: Json, pointer: str) -> bool:
    """Whether a JSON pointer leads to a place in `value`, or to a key that an existing object
    lacks.
    """
    if pointer == "":
        return True
    if not pointer.startswith("/"):
        return False
    parts = [part.replace("~1", "/").replace("~0", "~") for part in pointer[1:].split("/")]
    for index, part in enumerate(parts):
        last = index == len(parts) - 1
        if isinstance(value, list):
            if not part.isdigit() or int(part) >= len(value):
                return False
            value = value[int(part)]
        elif isinstance(value, dict):
            if part not in value:
                return last
            value = value[part]
        else:
            return False
    return True
