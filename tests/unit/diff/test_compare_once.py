"""One transition is one change, and it is found by what the schema says, not by names of ACP."""

from __future__ import annotations

import pytest

from tests.unit.diff.small import STRING, Defs, changes, record, ref, request, said, tagged


def states(*values: str, free: bool = False) -> Defs:
    """A choice that a message holds as it is, and an update holds beside its own tag."""
    branch = {**record(kind={"const": "state", **STRING}), **ref("State"), "title": "state"}
    other = {**record(kind={"const": "text", **STRING}), "title": "text"}
    return {
        "Do": request("do", record(x=ref("State"), y=ref("Update"))),
        "Update": {"anyOf": [branch, other], "discriminator": {"propertyName": "kind"}},
        "State": tagged("state", *values, free=free),
    }


def test_a_variant_of_a_choice_that_two_unions_hold_is_one_change() -> None:
    old, new = states("a", "b"), states("a", "b", "c")
    assert said(old, new) == ["variant.added State:c"]
    assert said(new, old) == ["variant.removed State:c"]
    assert said(states("a", "b"), states("a", "d")) == [
        "variant.removed State:b",
        "variant.added State:d",
    ]


def test_a_choice_that_two_unions_hold_opens_once() -> None:
    assert said(states("a", "b"), states("a", "b", free=True)) == ["type.open State"]


WORDS = {"enum": ["a", "b"], "type": "string"}
OPEN = {"anyOf": [{"const": "a", **STRING}, {"const": "b", **STRING}, STRING]}


def test_a_definition_that_went_into_its_place_of_use_goes_by_that_place() -> None:
    old = {"Do": request("do", record(x=ref("Word"))), "Word": WORDS}
    new = {"Do": request("do", record(x=OPEN))}
    assert said(old, new) == ["type.open Word -> Do.x", "type.renamed Word -> Do.x"]
    assert said(new, old) == ["type.close Do.x -> Word", "type.renamed Do.x -> Word"]
    _, found = changes(old, new)
    assert (found.old.pointer, found.new.pointer) == ("/$defs/Word", "/$defs/Do/properties/x")
    assert found.evidence == "type of Do.x"


def test_a_definition_without_a_successor_is_removed() -> None:
    old = {"Do": request("do", record(x=ref("Word"))), "Word": WORDS}
    assert said(old, {"Do": request("do", record(x=STRING))}) == [
        "field.type Do.x",
        "type.removed Word",
    ]


def codes(*values: int, name: str = "Code", envelope: bool = True) -> Defs:
    """Error codes as an envelope holds them."""
    error = {**record(), "properties": {"code": {"allOf": [ref(name)]}, "message": STRING}}
    whole = {**record(), "properties": {"error": ref("Fault")}}
    defs: Defs = {
        "Do": request("do", record("x")),
        name: {
            "anyOf": [
                *({"const": value, "type": "integer", "title": f"C{-value}"} for value in values),
                {"type": "integer", "title": "Other"},
            ]
        },
    }
    if envelope:
        answer = {"anyOf": [{"title": "Result", **record("result")}, {"title": "Error", **whole}]}
        defs |= {"Fault": error, "Answer": {**answer, "x-docs-ignore": True}}
    return defs


@pytest.mark.parametrize("name", ["Code", "ErrorCode"])
def test_error_codes_are_what_the_error_of_an_envelope_holds(name: str) -> None:
    held = codes(-1, name=name), codes(-1, -2, name=name)
    assert said(held[0], held[1]) == ["error.added -2"]
    assert said(held[1], held[0]) == ["error.removed -2"]
    loose = [codes(*values, name=name, envelope=False) for values in ((-1,), (-1, -2))]
    assert said(loose[0], loose[1]) == [f"value.added {name}:-2"]


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ({"minimum": 1}, {"exclusiveMinimum": 0}),
        ({"maximum": 9}, {"exclusiveMaximum": 10}),
        ({"minimum": 3}, {"minimum": 3, "exclusiveMinimum": 1}),
        ({"exclusiveMinimum": 0.5}, {"minimum": 1}),
    ],
)
def test_two_ways_to_bound_whole_numbers_are_one(was: Defs, now: Defs) -> None:
    def held(kind: str, bounds: Defs) -> Defs:
        return {"Do": request("do", record(x={"type": kind, **bounds}))}

    assert said(held("integer", was), held("integer", now)) == []
    assert said(held("integer", now), held("integer", was)) == []
    assert said(held("number", was), held("number", now)) == ["field.bounds Do.x"]


def test_a_number_of_which_one_bound_says_nothing_beside_the_other_is_only_told_in_bounds() -> None:
    old = {"Do": request("do", record(x={"type": "integer", "minimum": 1}))}
    new = {"Do": request("do", record(x={"type": "integer", "exclusiveMinimum": 1}))}
    (found,) = changes(old, new)
    assert found.detail["bounds"] == {
        "minimum": {"was": 1, "now": None},
        "exclusiveMinimum": {"was": None, "now": 1},
    }
