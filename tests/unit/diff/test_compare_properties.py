"""What holds for every pair of schemas: nothing differs from itself, both directions mirror each other, and what a
validator tells apart is found.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from acpgen import generate, inputs, resources
from acpgen.config import load as load_config
from acpgen.diff.change import ACTIONS, Change, Spot
from acpgen.diff.compare import compare
from acpgen.diff.pairing.renames import load
from acpgen.problem import ProblemError
from acpgen.spec.ir import Spec
from tests.oracle.contract import Contract
from tests.oracle.mutator import mutations
from tests.oracle.sampler import Sampler
from tests.unit.diff.mutate import EDITS, mutants
from tests.unit.diff.small import spec
from tests.unit.spec.outline import FRAGMENTS, fragment

FRAGMENT_NAMES = sorted(path.stem for path in FRAGMENTS.glob("*.json"))
MIRRORS = {**ACTIONS, **{mirror: action for action, mirror in ACTIONS.items()}}


@pytest.fixture(scope="module")
def surfaces(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Spec]:
    config = load_config(tmp_path_factory.mktemp("project"), {})
    specs, _ = generate.build_specs(config, inputs.read(config))
    return {item.surface: item for item in specs}


def mirrored(found: Sequence[Change], turn: bool) -> set[tuple[Any, ...]]:
    """The changes as they look from the other side, or as they are."""

    def spot(item: Spot) -> tuple[Any, ...]:
        return item.pointer, item.exists, item.name, json.dumps(item.shape)

    return {
        (
            MIRRORS[item.kind] if turn else item.kind,
            spot(item.new if turn else item.old),
            spot(item.old if turn else item.new),
            item.writers,
            item.uses,
        )
        for item in found
    }


def assert_mirrors(old: Spec, new: Spec, rows: Any = ()) -> tuple[Change, ...]:
    there, back = compare(old, new, rows), compare(new, old, rows)
    assert mirrored(there, True) == mirrored(back, False)
    return there


def resolved(document: Any, pointer: str) -> Any:
    for step in pointer.split("/")[1:]:
        key = step.replace("~1", "/").replace("~0", "~")
        document = document[int(key)] if isinstance(document, list) else document[key]
    return document


@pytest.mark.parametrize("name", FRAGMENT_NAMES)
def test_a_fragment_does_not_differ_from_itself(name: str) -> None:
    assert compare(spec(fragment(name)), spec(fragment(name))) == ()


def test_a_surface_does_not_differ_from_itself(surfaces: dict[str, Spec]) -> None:
    for item in surfaces.values():
        assert compare(item, item) == ()


def test_surfaces_mirror_each_other_and_every_pointer_stands(surfaces: dict[str, Spec]) -> None:
    rows = load([resources.schemas_dir() / "renames.toml"])
    pairs = [("v1", "v2"), ("v1_unstable", "v2_unstable"), ("v1", "v1_unstable")]
    for before, after in pairs:
        old, new = surfaces[before], surfaces[after]
        found = assert_mirrors(old, new, rows)
        assert found
        schemas = json.loads(old.contract), json.loads(new.contract)
        for item in found:
            for spot, schema in zip((item.old, item.new), schemas, strict=True):
                resolved(schema, spot.pointer)
            assert item.old.exists or item.new.exists


@pytest.mark.parametrize("pair", [("v1", "v2"), ("v1", "v1_unstable"), ("v2", "v2_unstable")])
def test_changes_are_sorted_and_stand_once(
    surfaces: dict[str, Spec], pair: tuple[str, str]
) -> None:
    found = compare(surfaces[pair[0]], surfaces[pair[1]])
    keys = [(item.kind, _place(item.old), _place(item.new), *_gate(item)) for item in found]
    assert len(set(keys)) == len(keys)
    assert [item.area for item in found] == sorted(item.area for item in found)


def _place(spot: Spot) -> tuple[str, bool, str]:
    """A spot without its shape; what came has a place but, on the other side, no name."""
    return spot.pointer, spot.exists, spot.name.rpartition(":")[2].rpartition(".")[2]


def _gate(change: Change) -> list[str]:
    """Which of the conditions on one message."""
    return [json.dumps(change.detail.get(name)) for name in ("at", "of", "when", "rule")]


def test_no_condition_on_a_place_hides_another(surfaces: dict[str, Spec]) -> None:
    """v2 has two conditions more on the type of an MCP server, beside those that came with its values."""
    old, new = surfaces["v1"], surfaces["v2"]
    for method in ("session/new", "session/resume"):
        found = [
            item.detail["now"]
            for item in compare(old, new)
            if (item.kind, item.new.name, item.detail.get("at"))
            == ("gate.added", method, "/mcpServers/*/type")
        ]
        assert {"never", "state: mcp_transport"} <= set(found)
        assert len(found) == len(set(found))


def test_opting_in_adds_no_gate_to_what_there_was(surfaces: dict[str, Spec]) -> None:
    """What an unstable schema asks for comes with what it asks it of."""
    for stable in ("v1", "v2"):
        old, new = surfaces[stable], surfaces[f"{stable}_unstable"]
        assert [item.subject for item in compare(old, new) if item.area == "gate"] == []
        assert [item.subject for item in compare(new, old) if item.area == "gate"] == []
        held = [name for row in new.table.rows for name in (row.requires, *row.checks)]
        assert any("own_session" in str(item) for item in held)


def test_a_proxy_passes_on_what_others_write(surfaces: dict[str, Spec]) -> None:
    found = compare(surfaces["v1"], surfaces["v1_unstable"])
    (one,) = [item for item in found if item.subject == "AuthStatusCapabilities"]
    assert one.writers == {"agent"}
    assert "proxy/initialize" in one.uses
    (one,) = [item for item in found if item.subject == "proxy/initialize"]
    assert one.writers == {"agent", "client"}


def built(defs: dict[str, Any]) -> Spec | None:
    try:
        return spec(defs)
    except ProblemError:
        return None


@pytest.mark.parametrize("name", FRAGMENT_NAMES)
def test_an_edit_is_mirrored_and_found_where_a_validator_tells_it(name: str) -> None:
    defs = fragment(name)
    old = spec(defs)
    for what, edited in mutants(defs, seed=len(name), count=7):
        new = built(edited)
        if new is not None and not assert_mirrors(old, new):
            assert told_apart(defs, edited) is None, what


@pytest.mark.slow
@pytest.mark.parametrize("name", FRAGMENT_NAMES)
def test_many_edits_are_mirrored_and_found_where_a_validator_tells_them(name: str) -> None:
    defs = fragment(name)
    old = spec(defs)
    for seed in range(4):
        for what, edited in mutants(defs, seed, count=25):
            new = built(edited)
            if new is not None and not assert_mirrors(old, new):
                assert told_apart(defs, edited) is None, what


def test_every_edit_is_tried_somewhere() -> None:
    made = [
        what
        for name in FRAGMENT_NAMES
        for what, _ in mutants(fragment(name), seed=len(name), count=7)
    ]
    made += [what for what, _ in mutants(fragment("methods"), seed=1, count=40)]
    tried = {edit for edit in EDITS for what in made if what.startswith(f"{edit} ")}
    assert tried == set(EDITS)


@pytest.mark.parametrize("seed", range(2))
def test_an_edit_of_methods_is_mirrored_and_found(seed: int) -> None:
    defs = fragment("methods")
    for what, edited in mutants(defs, seed, count=40):
        new = built(edited)
        if new is not None and not assert_mirrors(spec(defs), new):
            assert not what.startswith("method "), what
            assert told_apart(defs, edited) is None, what


def told_apart(old: dict[str, Any], new: dict[str, Any]) -> Any:
    """A definition and a value on which the two schemas differ, if one of the sampled values is such."""
    left, right = Contract({"$defs": old}, strict=False), Contract({"$defs": new}, strict=False)
    for name in sorted(old.keys() & new.keys()):
        for value in (*values(left, name), *values(right, name)):
            if left.valid(left.ref(name), value) != right.valid(right.ref(name), value):
                return name, value
    return None


def values(contract: Contract, name: str) -> Iterator[Any]:
    yield from (None, True, 0, -1, 1.5, "x", [], {})
    try:
        samples = Sampler(contract, 1).samples(contract.ref(name), 8)
    except Exception:  # the edited schema has a shape that no value fits
        return
    for item in samples:
        yield item.value
    for item in samples[:4]:
        yield from (one.value for one in mutations(contract, item.shape, item.value))


def test_the_judge_tells_schemas_apart() -> None:
    def holder(kind: str) -> dict[str, Any]:
        return {"T": {"type": "object", "properties": {"x": {"type": kind}}}}

    assert told_apart(holder("string"), holder("string")) is None
    assert told_apart(holder("string"), holder("integer")) is not None


@pytest.mark.slow
def test_two_hash_seeds_give_the_same_changes(tmp_path: Path) -> None:
    script = (
        f"import sys; sys.path[:0] = [{str(resources.PACKAGE_DIR.parent)!r}]\n"
        "from pathlib import Path\n"
        "from acpgen import generate, inputs, resources\n"
        "from acpgen.config import load\n"
        "from acpgen.diff.compare import compare\n"
        "from acpgen.diff.pairing.renames import load as rows\n"
        f"config = load(Path({str(tmp_path)!r}), {{}})\n"
        "specs = {s.surface: s for s in generate.build_specs(config, inputs.read(config))[0]}\n"
        "found = rows([resources.schemas_dir() / 'renames.toml'])\n"
        "for item in compare(specs['v1_unstable'], specs['v2_unstable'], found):\n"
        "    print(item.kind, item.subject, item.old, item.new, sorted(item.writers),\n"
        "          item.uses, item.evidence, dict(item.detail))\n"
    )
    texts = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(texts) == 1
    assert texts.pop().count("\n") > 100
