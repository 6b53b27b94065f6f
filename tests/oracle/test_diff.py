"""Every finding of the pinned diffs is true by the raw JSON, and every difference by name is in some finding."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from acpgen.diff.change import ACTIONS, Change, Peer, Spot
from acpgen.diff.finding import Finding
from acpgen.spec.ir import Json
from tests.contract.diffs import PAIRS, context, diff, specs
from tests.contract.v1_v2_exceptions import EMPTY_LIST, TAGGED
from tests.oracle import diff_check_fields, diff_check_methods
from tests.oracle.diff_check import CHECKERS, Claim, Context, check
from tests.oracle.diff_evidence import NEEDED, check_evidence
from tests.oracle.diff_missing import missing
from tests.oracle.diff_raw import Raw
from tests.oracle.diff_walk import differences, mentioned
from tests.oracle.diff_words import IN_WORDS

assert diff_check_fields and diff_check_methods  # they register their checkers

BOTH_WAYS = (*PAIRS, *((new, old) for old, new in PAIRS))
PAIR = pytest.mark.parametrize(("old", "new"), BOTH_WAYS, ids=lambda name: str(name))


@cache
def raws(old: str, new: str) -> Context:
    return context(specs()[old], specs()[new], diff(old, new).findings)


def test_every_kind_of_change_has_a_checker() -> None:
    assert set(CHECKERS) == {*ACTIONS, *ACTIONS.values()}


@PAIR
def test_every_finding_is_true_by_the_raw_json(old: str, new: str) -> None:
    """Both pointers lead somewhere, and what the finding states of the two places is so."""
    false = {}
    for item in diff(old, new).findings:
        if problems := check(item.change, raws(old, new)):
            false[f"{item.change.kind} {item.change.subject}"] = problems
    assert false == {}


def findings() -> list[tuple[tuple[str, str], Finding]]:
    return [(pair, item) for pair in PAIRS for item in diff(*pair).findings]


def test_a_change_between_a_schema_and_itself_is_false() -> None:
    """The checkers can fail: none of the findings is true of two equal sides."""
    believed = []
    for pair, item in findings():
        sides = raws(*pair)
        for raw, stable in zip((sides.old, sides.new), sides.stable, strict=True):
            same = Context(raw, raw, sides.types, (stable, stable))
            if not check(item.change, same):
                believed.append(f"{pair}: {item.change.kind} {item.change.subject}")
    assert believed == []


def test_the_mirrored_change_is_false() -> None:
    believed = []
    mirrors = {**{new: old for old, new in ACTIONS.items()}, **ACTIONS}
    for pair, item in findings():
        mirror = mirrors[item.change.kind]
        if mirror != item.change.kind:
            turned = replace(item.change, action=mirror.partition(".")[2])
            if not check(turned, raws(*pair)):
                believed.append(f"{pair}: {mirror} {item.change.subject}")
    assert believed == []


def with_swapped(detail: Any) -> Any:
    """A detail with what was and what is now swapped, inner ones too."""
    if not isinstance(detail, Mapping):
        return detail
    turned = {"was": "now", "now": "was", "was_kind": "now_kind", "now_kind": "was_kind"}
    return {turned.get(key, key): with_swapped(item) for key, item in detail.items()}


def test_a_change_of_a_value_told_the_wrong_way_round_is_false() -> None:
    believed, judged = [], 0
    for pair, item in findings():
        turned = with_swapped(item.change.detail)
        if turned == item.change.detail:
            continue
        judged += 1
        if not check(replace(item.change, detail=turned), raws(*pair)):
            believed.append(f"{pair}: {item.change.kind} {item.change.subject}")
    assert believed == []
    assert judged > 50


def test_a_pointer_that_leads_nowhere_is_false() -> None:
    for pair, item in findings():
        gone = replace(item.change.new, pointer=f"{item.change.new.pointer}/zz")
        assert check(replace(item.change, new=gone), raws(*pair))


def test_other_writers_are_false() -> None:
    """Nobody, the other peer, or both where it is one."""
    agent: frozenset[Peer] = frozenset(("agent",))
    client: frozenset[Peer] = frozenset(("client",))
    wrong: list[frozenset[Peer]] = [frozenset(), agent, client, agent | client]
    believed = []
    for pair, item in findings():
        for writers in wrong:
            forged = replace(item.change, writers=writers)
            if writers != item.change.writers and not check(forged, raws(*pair)):
                believed.append(f"{pair}: {item.change.kind} {item.change.subject} {writers}")
    assert believed == []


@pytest.mark.parametrize("words", [{"was": "banana"}, {"now": "cherry"}, {"was": "a", "now": "b"}])
def test_other_words_are_false(words: dict[str, str]) -> None:
    judged, believed = 0, []
    for pair, item in findings():
        if item.change.kind in IN_WORDS:
            judged += 1
            forged = replace(item.change, detail={**item.change.detail, **words})
            if not check(forged, raws(*pair)):
                believed.append(f"{pair}: {item.change.kind} {item.change.subject}")
    assert believed == []
    assert judged > 30


REASONS = [
    *("because", "gate of session/new", "renames.toml: A.b = A.c", "both hold nothing"),
    *("params of initialize", "type of Error.data", "the only variant of SessionUpdate"),
    *(
        "below agent: loadSession",
        "tag `text` of ContentBlock",
        "both hold the capabilities of the agent",
    ),
]


@pytest.mark.parametrize("reason", ["", *REASONS])
def test_another_reason_for_two_names_is_false(reason: str) -> None:
    judged, believed = 0, []
    for pair, item in findings():
        if item.change.kind in NEEDED and item.change.evidence != reason:
            judged += 1
            if not check(replace(item.change, evidence=reason), raws(*pair)):
                believed.append(f"{pair}: {item.change.kind} {item.change.subject}")
    roots = {"clientCapabilities", "agentCapabilities"} if "both hold the cap" in reason else set()
    assert [item for item in believed if item.rpartition(".")[2] not in roots] == []
    assert judged > 50


@pytest.mark.parametrize("side", ["old", "new"])
def test_a_reason_is_about_both_names(side: str) -> None:
    """With the old or the new side of another change of its kind, no reason holds."""
    judged, believed = 0, []
    for pair, item in findings():
        for _, other in (one for one in findings() if one[0] == pair):
            change, forged = item.change, getattr(other.change, side)
            if change.kind not in NEEDED or other.change.kind != change.kind:
                continue
            if forged != getattr(change, side):
                judged += 1
                if not list(check_evidence(Claim(replace(change, **{side: forged}), raws(*pair)))):
                    believed.append(f"{pair}: {change.evidence}: {change.subject}, {forged.name}")
    assert believed == []
    assert judged > 300


def forged_gates(gate: str) -> list[str]:
    """Gates that ask for something else by the same leaves, or by one of them alone."""
    found = [f"not({gate})", f"any({gate}, never)", f"all({gate}, never)"]
    for word, other in (("any(", "all("), ("all(", "any(")):
        if gate.startswith(word):
            parts = gate[len(word) : -1].split(", ")
            found += [other + gate[len(word) :], *parts]
    return found


def test_another_gate_of_the_same_leaves_is_false() -> None:
    believed, groups = [], 0
    for pair, item in findings():
        detail = item.change.detail
        for key in ("was", "now"):
            stated = detail.get(key)
            if item.change.area != "gate" or not isinstance(stated, str) or detail.get("rule"):
                continue
            groups += stated.startswith(("any(", "all("))
            for gate in forged_gates(stated) if stated else ():
                if not check(replace(item.change, detail={**detail, key: gate}), raws(*pair)):
                    believed.append(f"{pair}: {item.change.subject}: {gate}")
    assert believed == []
    assert groups


def test_a_default_that_merely_says_more_has_not_changed() -> None:
    """`{"http": false}` beside `{}`, where an absent `http` is false."""
    parts = {"http": {"type": "boolean", "default": False}}
    sides = []
    for default in ({"http": False}, {}, {"http": True}):
        inner = {"type": "object", "properties": parts}
        holder = {"type": "object", "properties": {"a": {**inner, "default": default}}}
        sides.append(Raw({"$defs": {"A": holder}}))
    spot = Spot("/$defs/A/properties/a", True, "A.a")
    said: list[dict[str, Json]] = [
        {"was": {"http": False}, "now": {}},
        {"was": {"http": False}, "now": {"http": True}},
    ]
    changes = [Change("field", "default", "A.a", spot, spot, detail=detail) for detail in said]
    assert check(changes[0], Context(sides[0], sides[1]))
    assert check(changes[1], Context(sides[0], sides[2])) == []


EXCEPTIONS: dict[str, str] = {
    **{
        f"property /$defs/AvailableCommand/properties/{name}": TAGGED
        for name in ("name", "description", "input", "_meta")
    },
    "default /$defs/InitializeResponse/properties/authMethods": EMPTY_LIST,
}
"""Differences that no finding is about, with the reason."""


@PAIR
def test_every_difference_by_name_is_in_some_finding(old: str, new: str) -> None:
    found = diff(old, new).findings
    lacking = [str(item) for item in differences(raws(old, new)) if not mentioned(item, found)]
    assert [item for item in lacking if item not in EXCEPTIONS] == []


def test_the_walk_can_fail() -> None:
    """Without any one kind of finding, differences are left over."""
    found = diff("v1", "v2").findings
    for kind in ("type.added", "type.removed", "field.added", "field.removed", "field.renamed"):
        rest = [item for item in found if item.change.kind != kind]
        left = [item for item in differences(raws("v1", "v2")) if not mentioned(item, rest)]
        assert left, kind


def test_a_finding_of_another_kind_hides_no_difference() -> None:
    """Whatever is said of a property, its lost type, bounds, default or requiredness has to be said as well."""
    found = diff("v1", "v2").findings
    everything = list(differences(raws("v1", "v2")))
    kinds = {"field.type", "field.bounds", "field.tolerance", "field.required", "field.optional"}
    for kind in sorted(kinds):
        for item in (one for one in found if one.change.kind == kind):
            if item.change.old.name != item.change.new.name:
                continue  # it was renamed or moved, which says all
            for other in kinds - {kind} - (kinds if "nullable" in item.change.detail else set()):
                turned = replace(item, change=replace(item.change, action=other.partition(".")[2]))
                rest = [*(one for one in found if one != item), turned]
                near = [one for one in everything if one.new == item.change.new.pointer]
                here = [one for one in near if not mentioned(one, rest)]
                alike = {"field.type", "field.bounds"}, {"field.required", "field.optional"}
                assert here or {kind, other} in alike, (kind, item.change.subject, other)


@PAIR
def test_every_gate_capability_meaning_and_code_that_differs_is_in_some_finding(
    old: str, new: str
) -> None:
    assert missing(raws(old, new), [item.change for item in diff(old, new).findings]) == []


AREAS = ("gate", "capability", "update", "error")


@PAIR
def test_without_any_one_finding_of_these_something_is_missing(old: str, new: str) -> None:
    changes = [item.change for item in diff(old, new).findings]
    unnoticed, judged = [], 0
    for change in changes:
        if change.area in AREAS or change.kind in ("method.errors", "method.added"):
            judged += 1
            if not missing(raws(old, new), [item for item in changes if item != change]):
                unnoticed.append(f"{change.kind} {change.subject} {dict(change.detail)}")
    assert unnoticed == []
    assert judged > 5


def test_no_exception_is_stale() -> None:
    lacking = {
        str(item)
        for pair in BOTH_WAYS
        for item in differences(raws(*pair))
        if not mentioned(item, diff(*pair).findings)
    }
    assert set(EXCEPTIONS) <= lacking
