from __future__ import annotations

from dataclasses import replace

import pytest

from acpgen import comparison
from acpgen import config as configuration
from acpgen.diff.change import Change, Spot
from acpgen.diff.finding import Diff, fingerprint
from acpgen.spec.ir import Json

PAIRS = [("v1", "v2"), ("v1", "v1-unstable"), ("v2", "v2-unstable"), ("v1-unstable", "v2-unstable")]


def diff(a: str, b: str) -> Diff:
    return comparison.run(configuration.load(overrides={"overlays": []}), a, b).pairs[0].diff


@pytest.fixture(scope="module", params=PAIRS, ids="-".join)
def ways(request: pytest.FixtureRequest) -> tuple[Diff, Diff]:
    a, b = request.param
    return diff(a, b), diff(b, a)


def test_no_two_findings_of_the_pinned_schemas_are_told_apart_by_a_number_only(
    ways: tuple[Diff, Diff],
) -> None:
    for found in ways:
        assert len(found.findings) > 50
        doubles = [item for item in found.findings if item.fingerprint != fingerprint(item.change)]
        assert doubles == []


def test_no_fingerprint_serves_both_ways(ways: tuple[Diff, Diff]) -> None:
    there, back = ({item.fingerprint: item.text for item in way.findings} for way in ways)
    assert {mark: there[mark] for mark in there.keys() & back.keys()} == {}


def change(**detail: Json) -> Change:
    spot = Spot("", True, "ask")
    return Change("method", "errors", "ask", spot, spot, detail=detail)


TURN: Json = {"was": [], "now": [-32001]}
BACK: Json = {"was": [-32001], "now": []}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"errors": TURN}, {"errors": {"was": [], "now": [-32009, -32010]}}),
        ({"errors": TURN}, {"errors": BACK}),
        ({"needs": TURN}, {"needs": BACK}),
        ({"error": {"was": -32602, "now": -32601}}, {"error": {"was": -32601, "now": -32602}}),
        (
            {"was_kind": "boolean", "now_kind": "object"},
            {"was_kind": "object", "now_kind": "boolean"},
        ),
        ({"side": "proxy", "kind": "request"}, {"side": "proxy", "kind": "notification"}),
        ({"at": "/a", "of": "params"}, {"at": "/a", "of": "result"}),
        ({"at": "/a", "when": {"is": "b"}}, {"at": "/a", "when": {"is_not": "b"}}),
        ({"rule": "non_empty"}, {"rule": "unique"}),
        ({"required": True}, {"required": False}),
        (
            {"bounds": {"maximum": {"was": 1, "now": 2}}},
            {"bounds": {"maximum": {"was": 1, "now": 3}}},
        ),
        ({"nullable": {"was": True, "now": False}}, {}),
        ({"default": {"was": 1, "now": 2}}, {"default": {"was": 2, "now": 1}}),
    ],
)
def test_a_waiver_does_not_take_another_change_for_the_one_that_it_is_about(
    one: dict[str, Json], other: dict[str, Json]
) -> None:
    assert fingerprint(change(**one)) != fingerprint(change(**other))


@pytest.mark.parametrize("name", ["note", "replaced_by", "type", "stands_for"])
def test_what_is_said_about_a_change_is_no_part_of_it(name: str) -> None:
    found = change(errors=TURN)
    assert fingerprint(replace(found, detail={**found.detail, name: "x"})) == fingerprint(found)
