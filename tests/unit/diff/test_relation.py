from __future__ import annotations

import pytest

from acpgen.diff.judging import relation
from acpgen.spec.ir import (
    AnyType,
    ArrayType,
    Json,
    LiteralType,
    MapType,
    OptionsType,
    RefType,
    Scalar,
    Spec,
    Type,
)
from acpgen.spec.names import ClassName
from tests.unit.diff.fixtures import pair

TEXT, WHOLE, NUMBER = Scalar("string"), Scalar("integer"), Scalar("number")
NOTHING = Spec(1, "stable", {})


@pytest.mark.parametrize(
    ("narrow", "wide"),
    [
        (WHOLE, NUMBER),
        (TEXT, AnyType()),
        (TEXT, OptionsType((TEXT, WHOLE))),
        (OptionsType((TEXT, WHOLE)), OptionsType((TEXT, NUMBER, Scalar("boolean")))),
        (LiteralType(("a",)), LiteralType(("a", "b"))),
        (LiteralType(("a",)), TEXT),
        (LiteralType((1,)), WHOLE),
        (LiteralType((True,)), Scalar("boolean")),
        (ArrayType(WHOLE), ArrayType(NUMBER)),
        (ArrayType(TEXT, min_items=1), ArrayType(TEXT)),
        (MapType(WHOLE), MapType(NUMBER)),
        (Scalar("integer", minimum=1), Scalar("integer", minimum=0)),
        (Scalar("string", max_length=2), TEXT),
    ],
)
def test_a_type_that_takes_more_is_wider_and_the_other_way_round_narrower(
    narrow: Type, wide: Type
) -> None:
    assert relation.of_types(narrow, NOTHING, wide, NOTHING) == "wider"
    assert relation.of_types(wide, NOTHING, narrow, NOTHING) == "narrower"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (TEXT, WHOLE),
        (ArrayType(TEXT), TEXT),
        (LiteralType((1,)), LiteralType((True,))),
        (LiteralType(("a",)), Scalar("string", max_length=0)),
        (Scalar("integer", minimum=0, maximum=9), Scalar("integer", minimum=1, maximum=10)),
        (RefType(ClassName("A")), RefType(ClassName("B"))),
    ],
)
def test_types_of_which_neither_holds_the_other_are_other(old: Type, new: Type) -> None:
    assert relation.of_types(old, NOTHING, new, NOTHING) == "other"


def test_two_ways_to_state_one_set_of_values_are_the_same() -> None:
    old, new, _ = pair("field-same")  # any value; a choice of which one variant is any value
    loose = RefType(ClassName("Loose"))
    assert relation.of_types(AnyType(), old, loose, new) == "same"
    assert (
        relation.of_types(OptionsType((TEXT, WHOLE)), NOTHING, OptionsType((WHOLE, TEXT)), NOTHING)
        == "same"
    )


def test_a_reference_stands_for_the_values_of_its_enum() -> None:
    closed, _, _ = pair("value-added")
    kind = RefType(ClassName("Thing"))
    assert relation.of_types(kind, closed, TEXT, closed) == "wider"
    more, _, _ = pair("value-removed")
    assert relation.of_types(LiteralType(("b",)), NOTHING, kind, more) == "wider"


@pytest.mark.parametrize(
    ("keyword", "was", "now", "effect"),
    [
        ("minimum", 0, None, "wider"),
        ("minimum", None, 0, "narrower"),
        ("minimum", 0, 1, "narrower"),
        ("maximum", 0, 1, "wider"),
        ("minItems", 2, 1, "wider"),
        ("maxLength", 2, 1, "narrower"),
        ("uniqueItems", None, True, "narrower"),
        ("pattern", "a", "b", "other"),
        ("pattern", "a", None, "wider"),
        ("format", None, "uri", "format"),
        ("contentEncoding", "base64", None, "format"),
        ("properties", None, {}, "other"),
    ],
)
def test_one_bound(keyword: str, was: Json, now: Json, effect: str) -> None:
    assert relation.of_bounds({keyword: {"was": was, "now": now}}) == effect


def test_bounds_together() -> None:
    looser: Json = {"was": 1, "now": 0}
    tighter: Json = {"was": 9, "now": 8}
    assert relation.of_bounds({"minimum": looser, "maximum": tighter}) == "other"
    assert relation.of_bounds({"minimum": looser, "format": {"was": None, "now": "x"}}) == "wider"
    assert relation.of_bounds({"items": {"minimum": looser}}) == "wider"


def test_an_integer_format_bounds_what_no_validator_looks_at() -> None:
    grown: Json = {"was": "uint32", "now": "int64"}
    assert relation.of_bounds({"format": grown, "minimum": {"was": 0, "now": None}}) == "wider"
    moved: Json = {"was": "int64", "now": "uint64"}
    assert relation.of_bounds({"format": moved, "minimum": {"was": None, "now": 0}}) == "other"
    assert relation.of_bounds({"format": {"was": "int64", "now": "int32"}}) == "narrower"
