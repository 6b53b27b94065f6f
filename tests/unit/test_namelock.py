from __future__ import annotations

from typing import Any

import pytest

from acpgen import namelock
from acpgen.problem import ProblemError
from acpgen.spec.build import build


def names(defs: dict[str, Any]) -> dict[str, str]:
    contract = {"$defs": defs}
    return namelock.public_names(build(contract, version=1, channel="stable"))


def tagged(*tags: str) -> dict[str, Any]:
    return {
        "oneOf": [
            {"type": "object", "properties": {"kind": {"const": tag}}, "required": ["kind"]}
            for tag in tags
        ]
    }


def test_a_variant_is_known_by_its_tag_not_by_its_position() -> None:
    before = names({"Shape": tagged("circle", "square")})
    after = names({"Shape": tagged("first", "circle", "square")})
    assert before.items() < after.items()
    assert len(set(before.values())) == len(before) == 3


def test_nothing_changed() -> None:
    same = {"v1": {"A": "a", "B": "b"}}
    assert namelock.checked(same, same, {}, accept=False) == ([], {})


def test_new_names_and_surfaces_are_welcome() -> None:
    now = {"v1": {"A": "a", "B": "b"}, "v2": {"A": "a"}}
    assert namelock.checked({"v1": {"A": "a"}}, now, {}, accept=False) == ([], {})


def test_dropped_and_renamed_names_are_refused_by_name() -> None:
    before = {"v1": {"A": "a", "B": "b", "C": "c"}}
    now = {"v1": {"A": "a", "Bee": "b"}}
    with pytest.raises(ProblemError) as caught:
        namelock.checked(before, now, {}, accept=False)
    assert [(item.where, item.what) for item in caught.value.problems] == [
        ("v1.B", "this public name is now Bee"),
        ("v1.C", "this public name is gone"),
    ]
    assert all("--accept-names" in item.hint for item in caught.value.problems)


def test_an_accepted_rename_leaves_an_alias_and_a_drop_none() -> None:
    before = {"v1": {"A": "a", "B": "b", "C": "c"}}
    now = {"v1": {"A": "a", "Bee": "b"}}
    _, aliases = namelock.checked(before, now, {}, accept=True)
    assert aliases == {"v1": {"B": "Bee"}}
    assert namelock.checked(now, now, aliases, accept=False) == ([], aliases)


def test_aliases_follow_a_second_rename() -> None:
    _, aliases = namelock.checked(
        {"v1": {"Bee": "b"}}, {"v1": {"Wasp": "b"}}, {"v1": {"B": "Bee"}}, accept=True
    )
    assert aliases == {"v1": {"B": "Wasp", "Bee": "Wasp"}}


def test_an_alias_goes_when_its_name_is_used_again() -> None:
    now = {"v1": {"Bee": "b", "B": "other"}}
    assert namelock.checked({"v1": {"Bee": "b"}}, now, {"v1": {"B": "Bee"}}, False) == ([], {})


def test_an_alias_whose_target_goes_is_dropped_by_name() -> None:
    with pytest.raises(ProblemError) as caught:
        namelock.checked({"v1": {"Bee": "b"}}, {"v1": {}}, {"v1": {"B": "Bee"}}, accept=False)
    assert [item.where for item in caught.value.problems] == ["v1.B", "v1.Bee"]


def test_a_name_that_stood_before_is_not_taken_for_a_rename() -> None:
    before = {"v1": {"A": "a", "B": "b"}}
    changes, aliases = namelock.changes(before, {"v1": {"A": "b"}}, {})
    assert [(item.old, item.new) for item in changes] == [("B", None)]
    assert aliases == {}


def test_a_surface_that_goes_is_one_problem() -> None:
    with pytest.raises(ProblemError) as caught:
        namelock.checked({"v1": {"A": "a", "B": "b"}}, {}, {}, accept=False)
    (found,) = caught.value.problems
    assert found.where == "v1"
