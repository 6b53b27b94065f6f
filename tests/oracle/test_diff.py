"""Every finding of the pinned diffs is true by the raw JSON, and every difference by name is in some finding."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from acpgen.diff.change import ACTIONS
from acpgen.diff.finding import Finding
from tests.contract.diffs import PAIRS, context, diff, specs
from tests.contract.v1_v2_exceptions import EMPTY_LIST, TAGGED
from tests.oracle import diff_check_fields, diff_check_methods
from tests.oracle.diff_check import CHECKERS, Context, check
from tests.oracle.diff_walk import differences, mentioned

assert diff_check_fields and diff_check_methods  # they register their checkers

BOTH_WAYS = (*PAIRS, *((new, old) for old, new in PAIRS))
PAIR = pytest.mark.parametrize(("old", "new"), BOTH_WAYS, ids=lambda name: str(name))


IN_WORDS = {"type.changed", "field.type", "variant.type"}
"""Kinds whose `was` and `now` are words for people."""


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
        inner = set(turned) & {"bounds", "keyword", "default", "nullable"}
        if turned == item.change.detail or (item.change.kind in IN_WORDS and not inner):
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


def test_no_exception_is_stale() -> None:
    lacking = {
        str(item)
        for pair in BOTH_WAYS
        for item in differences(raws(*pair))
        if not mentioned(item, diff(*pair).findings)
    }
    assert set(EXCEPTIONS) <= lacking
