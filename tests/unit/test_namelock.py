from __future__ import annotations

from typing import Any

import pytest

from acpgen import namelock
from acpgen.problem import ProblemError
from acpgen.spec.build import build
from acpgen.spec.ir import Spec


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


def test_a_pair_tells_what_became_of_a_name_where_no_identity_does() -> None:
    before = {"v1": {"A": "#/$defs/A", "B": "#/$defs/B"}}
    now = {"v1": {"Ay": "#/$defs/Ay", "B": "#/$defs/B"}}
    assert namelock.lost(before, now) == {"v1": ["A"]}
    found, aliases = namelock.checked(before, now, {}, True, {"v1": {"A": "Ay"}})
    assert [change.new for change in found] == ["Ay"]
    assert aliases == {"v1": {"A": "Ay"}}


def test_a_pair_with_a_name_that_was_there_already_is_no_rename() -> None:
    before = {"v1": {"A": "a", "B": "b"}}
    found, aliases = namelock.checked(before, {"v1": {"B": "b"}}, {}, True, {"v1": {"A": "B"}})
    assert [change.new for change in found] == [None]
    assert aliases == {}


def test_nothing_is_lost_where_every_name_or_a_successor_is_there() -> None:
    before = {"v1": {"A": "a", "B": "b"}, "v2": {"A": "a"}}
    assert namelock.lost(before, {"v1": {"A": "a", "Bee": "b"}}) == {}


def held(name: str, schema: dict[str, Any]) -> Spec:
    """A record whose field `it` is of a type of that name."""
    it = {"$ref": f"#/$defs/{name}"}
    holder = {"type": "object", "properties": {"it": it}}
    contract = {"$defs": {"Holder": holder, name: schema}}
    return build(contract, version=1, channel="stable")


RECORD = {"type": "object", "properties": {"a": {"type": "string"}}}


def test_a_type_that_upstream_renamed_is_known_by_its_place() -> None:
    old, new = held("Old", RECORD), held("New", RECORD)
    mine = {"Mine": "#/$defs/Old", "Holder": "#/$defs/Holder"}  # by a name of the user's own
    found = namelock.paired(mine, old, new)
    assert (found["Mine"], found["Holder"]) == ("New", "Holder")


def test_a_type_of_another_kind_is_no_successor() -> None:
    new = held("New", tagged("one", "two"))
    assert "Old" not in namelock.paired({"Old": "#/$defs/Old"}, held("Old", RECORD), new)
