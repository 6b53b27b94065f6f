"""Defaults are compared by what an absent value means."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.diff.small import Defs, changes, record, ref, request, said

FLAGS: Defs = {
    "type": "object",
    "properties": {
        "on": {"type": "boolean", "default": False},
        "note": {"type": ["string", "null"]},
        "inner": {**ref("Inner"), "default": {}},
    },
}
INNER: Defs = {"type": "object", "properties": {"deep": {"type": "boolean", "default": False}}}


def defs(schema: Defs, default: Any, flags: Defs = FLAGS) -> Defs:
    """A property with a default, and what it may refer to."""
    own = {} if default is None else {"default": default}
    body = {**record(), "properties": {"x": {**schema, **own}}}
    return {"Do": request("do", body), "Flags": flags, "Inner": INNER, "Same": ref("Flags")}


SAME = [
    ({"on": False}, {}),
    ({"note": None}, {}),
    ({"inner": {"deep": False}, "on": False}, {"inner": {}}),
    ({"on": True, "note": None}, {"on": True}),
    ({"other": 1, "on": False}, {"other": 1}),
]
OTHER = [
    ({"on": True}, {}),
    ({"note": "x"}, {}),
    ({"inner": {"deep": True}}, {"inner": {}}),
    ({"other": 1}, {}),
    ({"on": 0}, {"on": False}),
]


@pytest.mark.parametrize("kind", ["Flags", "Same"])
@pytest.mark.parametrize(("was", "now"), SAME)
def test_what_says_what_its_absence_says_may_be_left_out(kind: str, was: Any, now: Any) -> None:
    assert said(defs(ref(kind), was), defs(ref(kind), now)) == []
    assert said(defs(ref(kind), now), defs(ref(kind), was)) == []


@pytest.mark.parametrize(("was", "now"), OTHER)
def test_another_meaning_is_another_default(was: Any, now: Any) -> None:
    (found,) = changes(defs(ref("Flags"), was), defs(ref("Flags"), now))
    assert (found.kind, found.subject) == ("field.default", "Do.x")
    assert dict(found.detail) == {"was": was, "now": now}


def test_values_inside_lists_and_maps_are_read_by_their_types() -> None:
    several = {"type": "array", "items": ref("Flags")}
    assert said(defs(several, [{"on": False}]), defs(several, [{}])) == []
    named = {"type": "object", "additionalProperties": ref("Flags")}
    assert said(defs(named, {"a": {"on": False}}), defs(named, {"a": {}})) == []
    assert said(defs(named, {"a": {}}), defs(named, {})) == ["field.default Do.x"]


def test_a_new_property_inside_with_its_own_default_is_said_there() -> None:
    more = {
        **FLAGS,
        "properties": {**FLAGS["properties"], "b": {"type": "boolean", "default": False}},
    }
    old, new = defs(ref("Flags"), {"on": False}), defs(
        ref("Flags"), {"on": False, "b": False}, more
    )
    assert said(old, new) == ["field.added Flags.b"]


def test_none_stated_and_one_stated_differ_where_they_mean_something_else() -> None:
    word = {"type": "string"}
    assert said(defs(word, "a"), defs(word, None)) == ["field.default Do.x"]
    assert said(defs(word, "a"), defs(word, "b")) == ["field.default Do.x"]
    number = {"type": "integer"}
    assert said(defs(number, 1), defs({"type": "boolean"}, True)) == ["field.type Do.x"]
