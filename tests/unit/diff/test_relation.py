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
        (LiteralType(("a",)), OptionsType((LiteralType(("a",)), WHOLE))),
        (LiteralType((True,)), Scalar("boolean")),
        (ArrayType(WHOLE), ArrayType(NUMBER)),
        (ArrayType(TEXT, min_items=1), ArrayType(TEXT)),
        (MapType(WHOLE), MapType(NUMBER)),
        (Scalar("integer", minimum=1), Scalar("integer", minimum=0)),
        (Scalar("string", max_length=2), TEXT),
        (Scalar("integer", multiple_of=4), Scalar("integer", multiple_of=2)),
        (Scalar("number", multiple_of=0.3), Scalar("number", multiple_of=0.1)),
        (Scalar("number", minimum=1), Scalar("number", exclusive_minimum=0)),
        (Scalar("number", exclusive_maximum=1), Scalar("number", maximum=1)),
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
        (Scalar("integer", multiple_of=4), Scalar("integer", multiple_of=3)),
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
    assert relation.of_types(kind, closed, TEXT, closed) == "opened"
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


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (LiteralType(("a", "b")), TEXT),
        (LiteralType((1,)), WHOLE),
        (LiteralType((1,)), NUMBER),
        (LiteralType(("a",)), OptionsType((LiteralType(("a", "b")), TEXT))),
        (ArrayType(LiteralType(("a",))), ArrayType(TEXT)),
        (MapType(LiteralType(("a",))), MapType(TEXT)),
        (OptionsType((LiteralType(("a",)), WHOLE)), OptionsType((TEXT, WHOLE))),
    ],
)
def test_constants_that_became_any_value_of_their_kind_are_opened(old: Type, new: Type) -> None:
    assert relation.of_types(old, NOTHING, new, NOTHING) == "opened"
    assert relation.of_types(new, NOTHING, old, NOTHING) == "narrower"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (LiteralType(("a",)), AnyType()),
        (LiteralType(("a",)), OptionsType((TEXT, WHOLE))),
        (ArrayType(LiteralType(("a",)), min_items=1), ArrayType(TEXT)),
        (LiteralType((True,)), Scalar("boolean")),
    ],
)
def test_constants_that_became_more_than_that_are_wider(old: Type, new: Type) -> None:
    assert relation.of_types(old, NOTHING, new, NOTHING) == "wider"


WHOLE_SCHEMA: Json = {"type": ["integer", "null"]}


@pytest.mark.parametrize(
    ("bounds", "schema", "effect"),
    [
        ({"minimum": (1, None), "exclusiveMinimum": (None, 0)}, WHOLE_SCHEMA, "same"),
        ({"minimum": (1, None), "exclusiveMinimum": (None, 0)}, {"type": "number"}, "wider"),
        ({"minimum": (0, None), "exclusiveMinimum": (None, 0)}, {"type": "number"}, "narrower"),
        ({"maximum": (9, None), "exclusiveMaximum": (None, 10)}, WHOLE_SCHEMA, "same"),
        ({"maximum": (9, None), "exclusiveMaximum": (None, 9)}, WHOLE_SCHEMA, "narrower"),
        ({"multipleOf": (4, 2)}, WHOLE_SCHEMA, "wider"),
        ({"multipleOf": (2, 4)}, WHOLE_SCHEMA, "narrower"),
        ({"multipleOf": (4, 6)}, WHOLE_SCHEMA, "other"),
        (
            {"items.minimum": (1, None), "items.exclusiveMinimum": (None, 0)},
            {"items": WHOLE_SCHEMA},
            "same",
        ),
        (
            {"values.maximum": (1, None), "values.exclusiveMaximum": (None, 2)},
            {"additionalProperties": WHOLE_SCHEMA},
            "same",
        ),
    ],
)
def test_two_keywords_state_one_limit(
    bounds: dict[str, tuple[Json, Json]], schema: Json, effect: str
) -> None:
    turns: dict[str, Json] = {name: {"was": was, "now": now} for name, (was, now) in bounds.items()}
    assert relation.of_bounds(turns, schema) == effect
