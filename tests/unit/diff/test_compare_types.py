"""One edit of a schema, one change: properties, variants, values, types."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.diff.small import STRING, Defs, changes, record, ref, said, tagged

NULLABLE = {"type": ["string", "null"]}
ENUM = {"enum": ["a", "b"], "type": "string"}
OPEN = {"anyOf": [{"const": "a", "type": "string"}, {"const": "b", "type": "string"}, STRING]}


def holder(schema: Any, required: bool = False, **more: Any) -> Defs:
    """A record `T` with one property `x`, beside other definitions."""
    found = record(x=schema) if required else {**record(), "properties": {"x": schema}}
    return {"T": found, **more}


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ({"T": record("a")}, {"T": record("a", "b")}, ["field.added T.b"]),
        ({"T": record("a")}, {"T": record()}, ["field.removed T.a"]),
        (holder(STRING), holder(STRING, required=True), ["field.required T.x"]),
        (holder(STRING), holder(NULLABLE), ["field.nullable T.x"]),
        (holder(NULLABLE), holder(STRING, required=True), ["field.required T.x"]),
        (
            holder(STRING),
            holder(NULLABLE, required=True),
            ["field.nullable T.x", "field.required T.x"],
        ),
        (holder(STRING), holder({"type": "integer"}), ["field.type T.x"]),
        (holder(STRING), holder({"type": ["integer", "null"]}), None),
        (holder(STRING), holder({**STRING, "minLength": 1}), ["field.bounds T.x"]),
        (holder(STRING), holder({**STRING, "format": "uri"}), ["field.bounds T.x"]),
        (holder(STRING), holder({**STRING, "contentEncoding": "base64"}), ["field.bounds T.x"]),
        (
            holder({"type": "array", "items": STRING}),
            holder({"type": "array", "items": STRING, "minItems": 1}),
            ["field.bounds T.x"],
        ),
        (
            holder({"type": "integer", "format": "uint32"}),
            holder({"type": "integer", "format": "uint32", "minimum": 0}),
            ["field.bounds T.x"],
        ),
        (
            holder({**STRING, "default": "a"}),
            holder({**STRING, "default": "b"}),
            ["field.default T.x"],
        ),
        (
            holder(STRING),
            holder({**STRING, "x-deserialize-default-on-error": True}),
            ["field.tolerance T.x"],
        ),
        (holder(ENUM), holder({**ENUM, "enum": ["a", "b", "c"]}), ["value.added T.x:c"]),
        (holder(ENUM), holder(STRING), ["field.type T.x"]),
        ({"E": ENUM}, {"E": {**ENUM, "enum": ["a"]}}, ["value.removed E:b"]),
        ({"E": ENUM}, {"E": OPEN}, ["type.open E"]),
        ({"E": OPEN}, {"E": STRING}, ["type.kind E"]),
        ({"A": STRING}, {"A": {"type": "integer"}}, ["type.changed A"]),
        ({"A": STRING}, {"A": {**STRING, "maxLength": 5}}, ["type.changed A"]),
        (
            {"T": record("a")},
            {"T": {**record("a"), "additionalProperties": False}},
            ["type.closed T"],
        ),
        ({"T": record("a")}, {"T": record("a"), "U": record()}, ["type.added U"]),
        (
            {"U": tagged("k", "a", "b")},
            {"U": tagged("k", "a", "b", "c")},
            ["variant.added U:c"],
        ),
        ({"U": tagged("k", "a", "b")}, {"U": tagged("k", "a")}, ["variant.removed U:b"]),
        (
            {"U": tagged("k", "a", "b")},
            {"U": tagged("k", "a", "b", free=True)},
            ["type.open U"],
        ),
        (
            {"U": tagged("k", "a", "b")},
            {"U": tagged("kind", "a", "b")},
            ["type.tag U"],
        ),
    ],
)
def test_one_edit_is_one_change(old: Defs, new: Defs, expected: list[str] | None) -> None:
    found = said(old, new)
    if expected is None:  # a null more and another type are two things
        assert found == ["field.nullable T.x", "field.type T.x"]
    else:
        assert found == expected


def test_a_field_that_becomes_required_and_non_nullable_says_both_in_one() -> None:
    (found,) = changes(holder(NULLABLE), holder(STRING, required=True))
    assert found.detail["nullable"] == {"was": True, "now": False}


def test_a_default_that_goes_with_a_new_null_is_part_of_it() -> None:
    (found,) = changes(holder({**STRING, "default": "a"}), holder(NULLABLE))
    assert (found.kind, found.detail["default"]) == ("field.nullable", {"was": "a"})


def test_bounds_are_told_by_keyword_and_inner_ones_by_place() -> None:
    old = {"type": "array", "items": {"type": "integer", "minimum": 0}}
    new = {"type": "array", "items": {"type": "integer", "minimum": 1}, "maxItems": 3}
    (found,) = changes(holder(old), holder(new))
    assert found.detail["bounds"] == {
        "maxItems": {"was": None, "now": 3},
        "items.minimum": {"was": 0, "now": 1},
    }


def test_bounds_of_integers_that_admit_the_same_are_the_same() -> None:
    old, new = {"type": "integer", "minimum": 0.5}, {"type": "integer", "minimum": 1}
    assert said(holder(old), holder(new)) == []


def test_a_new_name_for_a_string_changes_no_field() -> None:
    found = changes(holder(STRING), holder(ref("Path"), Path=STRING))
    assert [(item.kind, item.subject) for item in found] == [("type.added", "Path")]
    assert found[0].detail == {"kind": "alias", "stands_for": "string"}


def test_what_an_alias_narrows_is_said_of_the_field() -> None:
    found = said(holder(STRING), holder(ref("Path"), Path={**STRING, "minLength": 1}))
    assert found == ["field.bounds T.x", "type.added Path"]


def test_a_shared_property_is_reported_once_with_all_its_uses() -> None:
    def defs(schema: Defs) -> Defs:
        union = tagged("k", "a", "b")
        return {"U": {**union, "properties": {"x": schema}, "type": "object"}}

    assert said(defs(STRING), defs({"type": "integer"})) == ["field.type U.x"]


def test_other_ways_of_writing_the_same_are_no_change() -> None:
    old = {
        "E": {"enum": ["a", "b"], "type": "string"},
        "T": {"type": "object", "properties": {"e": {"allOf": [ref("E")]}, "n": NULLABLE}},
        "C": {"const": "x"},
    }
    new = {
        "E": {"oneOf": [{"const": "b", "type": "string"}, {"const": "a", "type": "string"}]},
        "T": {
            "properties": {"n": {"anyOf": [{"type": "null"}, STRING]}, "e": ref("E")},
            "type": "object",
            "title": "T",
        },
        "C": {"enum": ["x"]},
    }
    assert said(old, new) == []


# Tags


def test_a_tag_that_became_required_is_one_change_of_the_variant() -> None:
    http = {**record(type={"const": "http", "type": "string"}), "title": "http"}
    pipe = {**record(command=STRING), "title": "stdio"}
    named = {**record(command=STRING, type={"const": "stdio", "type": "string"}), "title": "stdio"}
    old, new = {"Server": {"anyOf": [http, pipe]}}, {"Server": {"anyOf": [http, named]}}
    (found,) = changes(old, new)
    assert (found.kind, found.subject) == ("variant.tag_required", "Server:stdio")
    assert found.detail["value"] == "stdio"
    (back,) = changes(new, old)
    assert back.kind == "variant.tag_optional"


def test_the_only_variant_is_its_own_successor_whatever_it_is_called() -> None:
    old = {"Input": {"anyOf": [{"title": "plain", **ref("Plain")}]}, "Plain": record(hint=STRING)}
    text = {**record(type={"const": "text", "type": "string"}), **ref("Text"), "title": "text"}
    new = {"Input": {"anyOf": [text]}, "Text": record(hint=STRING)}
    found = changes(old, new)
    assert [(item.kind, item.subject, item.new.name) for item in found] == [
        ("type.renamed", "Plain", "Text"),
        ("variant.tag_required", "Input:plain", "Input:text"),
    ]
    assert all(item.evidence == "the only variant of Input" for item in found)


def test_a_record_that_became_the_only_variant_of_a_union_is_compared_with_it() -> None:
    old = {"Command": record("hint", name=STRING)}
    branch = {**record(type={"const": "command", "type": "string"}, name={"type": "integer"})}
    new = {"Command": {"anyOf": [{"title": "command", **branch}]}}
    assert said(old, new) == [
        "field.removed Command.hint",
        "field.type Command.name -> Command:command.name",
        "variant.tag_required Command:command",
    ]


def test_an_unknown_choice_between_records_is_another_kind_of_type() -> None:
    assert said({"T": record("a")}, {"T": tagged("k", "a", "b")}) == ["type.kind T"]


def test_a_record_lives_on_as_the_variant_that_needs_no_tag() -> None:
    free = {**record(value=STRING), "title": "id"}
    named = {**record(type={"const": "flag", "type": "string"}), "title": "flag"}
    assert said({"Set": record(value=STRING)}, {"Set": {"anyOf": [named, free]}}) == [
        "variant.added Set:flag"
    ]


def test_null_is_nothing_new_where_anything_was_allowed() -> None:
    found = said(holder({}), holder({"type": ["object", "null"]}))
    assert found == ["field.type T.x"]


def test_a_null_that_the_type_takes_already_is_nothing_new() -> None:
    more: dict[str, Any] = {"Id": {"type": ["string", "null"]}}
    found = said(holder(ref("Id"), **more), holder(NULLABLE, **more))
    assert "field.nullable T.x" not in found


def test_a_property_of_another_payload_belongs_to_the_variant() -> None:
    payloads = {"P": record("a"), "Q": record("b"), "T": record(x=ref("P"), y=ref("Q"))}
    old = {"U": tagged("k", "a", "b", payload="P"), **payloads}
    new = {"U": tagged("k", "a", "b", payload="Q"), **payloads}
    assert said(old, new) == [
        "field.removed U:a.a",
        "field.added U:a.b",
        "field.removed U:b.a",
        "field.added U:b.b",
    ]


# What only a validator tells apart


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        ({"T": record("a")}, {"T": {"properties": {"a": STRING}}}, "type.changed"),
        (
            {"A": {"anyOf": [STRING, {**STRING, "minLength": 2}]}},
            {"A": {"oneOf": [STRING, {**STRING, "minLength": 2}]}},
            "type.changed",
        ),
    ],
)
def test_what_the_representation_drops_is_found_in_the_schema(
    old: Defs, new: Defs, kind: str
) -> None:
    (found,) = changes(old, new)
    assert found.kind == kind
    assert "keyword" in found.detail
