"""Every row of methods.toml that is changed by itself is in a finding, if and only if it changes what a surface asks for.

A sample with a fixed seed: one key of one row at a time is changed, dropped or added. Both the findings and what should be
in them are judged from the raw TOML.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest

from acpgen.diff.compare import compare
from acpgen.problem import ProblemError
from acpgen.spec import metadata
from acpgen.spec.build import build
from acpgen.spec.ir import Spec
from tests.contract.diffs import metadata as raw_metadata
from tests.contract.diffs import specs
from tests.oracle import diff_check_fields, diff_check_methods
from tests.oracle.diff_check import Context, judge
from tests.oracle.diff_missing import missing
from tests.oracle.diff_raw import Raw

assert diff_check_fields and diff_check_methods  # they register their checkers

SEED = 4
Mutation = tuple[str, int, str, Any]
GONE = "(dropped)"


def toml(data: dict[str, Any]) -> str:
    """Tables and arrays of flat tables, as TOML."""
    lines = []
    for name, item in data.items():
        for row in item if isinstance(item, list) else [item]:
            lines.append(f"[[{name}]]" if isinstance(item, list) else f"[{name}]")
            lines += [f"{key} = {_value(value)}" for key, value in row.items()]
    return "\n".join(lines) + "\n"


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{key} = {_value(item)}' for key, item in value.items())} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    return json.dumps(value, ensure_ascii=False)


class Bench:
    """One pinned surface without overlays, and the same schema with other rows."""

    def __init__(self, surface: str) -> None:
        self.pinned = specs()[surface]
        (self.rows,) = raw_metadata(self.pinned.version, ())
        self.schema = json.loads(self.pinned.contract)
        self.before = self.made(self.rows)

    def made(self, rows: dict[str, Any]) -> tuple[Spec, Raw]:
        parsed = metadata.parse(toml(rows), "changed")
        version, channel = self.pinned.version, self.pinned.channel
        spec = build(self.schema, version=version, channel=channel, metadata=parsed)
        return spec, Raw(self.schema, (rows,), version)

    def changed(self, mutation: Mutation) -> tuple[Spec, Raw]:
        table, index, key, value = mutation
        rows = copy.deepcopy(self.rows)
        if key == GONE:
            del rows[table][index]
        elif value is None:
            del rows[table][index][key]
        else:
            rows[table][index][key] = value
        return self.made(rows)


@cache
def bench(surface: str) -> Bench:
    return Bench(surface)


def mutations(rows: dict[str, Any]) -> Iterator[Mutation]:
    """Each key of each row that means something to a peer: changed, dropped, or added."""
    for index, row in enumerate(rows["method"]):
        for gate in ("never", "not(agent: loadSession)", "any(agent: loadSession, client: auth)"):
            yield "method", index, "requires", gate
        if "requires" in row:
            yield "method", index, "requires", None
            yield "method", index, "error", -32000
        yield "method", index, "errors", [*row.get("errors", ()), -32042]
        yield "method", index, "needs", ["active_session"]
        yield from (("method", index, key, None) for key in ("errors", "needs") if key in row)
    for index, row in enumerate(rows["check"]):
        yield "check", index, GONE, None
        yield "check", index, "error", -32601
        if "requires" in row:
            yield "check", index, "requires", "all(never, client: auth)"
        if row.get("when", {}).get("present"):
            yield "check", index, "when", {"non_empty": True}
    for index, row in enumerate(rows["update"]):
        yield "update", index, "semantics", "append" if row["semantics"] != "append" else "replace"
        yield "update", index, "identity", "/zz"
        yield "update", index, "requires", "never"
        if "requires" in row:
            yield "update", index, "requires", None


def judged(surface: str, count: int) -> None:
    here = bench(surface)
    old, left = here.before
    noticed, wrong = 0, []
    for mutation in Random(SEED).sample(list(mutations(here.rows)), count):
        try:
            new, right = here.changed(mutation)
        except ProblemError:
            continue  # such rows are refused
        for sides, raws in (((old, new), (left, right)), ((new, old), (right, left))):
            changes, context = compare(*sides), Context(*raws)
            expected, lacking = missing(context, ()), missing(context, changes)
            false = judge(changes, context)
            noticed += bool(expected)
            if lacking or false or bool(changes) != bool(expected):
                wrong.append(
                    (mutation, here.rows[mutation[0]][mutation[1]], lacking, false, changes)
                )
    assert wrong == []
    assert noticed > count // 2


def test_a_few_changed_rows_are_noticed() -> None:
    judged("v2", 20)


@pytest.mark.slow
@pytest.mark.parametrize("surface", ["v1", "v1_unstable", "v2", "v2_unstable"])
def test_changed_rows_are_noticed(surface: str) -> None:
    judged(surface, 40)


def test_the_rows_are_written_as_they_were_read() -> None:
    for surface in ("v1", "v2"):
        found = bench(surface)
        again = metadata.parse(toml(found.rows), "again")
        assert len(again.checks) == len(found.rows["check"])
        assert missing(Context(found.before[1], found.before[1]), ()) == []
        assert compare(found.before[0], found.before[0]) == ()
