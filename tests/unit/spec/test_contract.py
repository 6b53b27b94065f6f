"""The contract form and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acpgen.problem import ProblemError
from acpgen.spec import contract, jsontext, keywords
from tests.unit.spec.releases import document, refused, text

SCHEMAS = Path(__file__).parents[3] / "schemas"
DIALECT = "https://json-schema.org/draft/2020-12/schema"


def parse(value: Any) -> contract.Contract:
    return contract.parse(value if isinstance(value, bytes) else json.dumps(value), "s.json")


def definition(schema: Any) -> Any:
    """A schema in contract form, with definitions A and B to refer to."""
    return parse(document(It=schema, A={"type": "string"}, B={"type": "integer"}))["$defs"]["It"]


def problems(value: Any) -> str:
    return refused(lambda: parse(value))


# The form.
def test_prose_goes_and_everything_else_stays() -> None:
    schema = {
        "x-side": "agent",
        "description": "Prose.",
        "$comment": "note",
        "examples": [1],
        "type": "integer",
        "x-method": "a/b",
        "x-deserialize-default-on-error": True,
        "x-anything": {"b": 1, "a": {"description": "data, no prose"}},
        "default": {"description": "data", "a": None},
        "minimum": 0,
    }
    assert definition(schema) == {
        "type": "integer",
        "default": {"a": None, "description": "data"},
        "minimum": 0,
        "x-anything": {"a": {"description": "data, no prose"}, "b": 1},
        "x-deserialize-default-on-error": True,
        "x-method": "a/b",
        "x-side": "agent",
    }


def test_a_property_with_a_keywords_name_is_a_property() -> None:
    names = ["description", "examples", "$comment", "title", "format", "$ref", "$defs", "required"]
    schema = {
        "type": "object",
        "properties": {name: {"type": "string", "description": "x"} for name in names},
        "required": names,
    }
    assert definition(schema) == {
        "type": "object",
        "properties": {name: {"type": "string"} for name in names},
        "required": names,
    }


def test_the_order_is_fixed() -> None:
    first = document(
        B={"required": ["b", "_meta", "a"], "properties": {"_meta": {}, "b": {}, "a": {}}},
        A={"x-side": "agent", "oneOf": [{"const": "x", "title": "X"}], "title": "A"},
    )
    made = parse(first)
    assert list(made) == ["$schema", "$defs"]
    assert list(made["$defs"]) == ["A", "B"]
    assert list(made["$defs"]["A"]) == ["title", "oneOf", "x-side"]
    assert list(made["$defs"]["B"]["properties"]) == ["b", "a", "_meta"]
    assert made["$defs"]["B"]["required"] == ["b", "a", "_meta"]
    shuffled = {key: first[key] for key in reversed(first)}
    shuffled["$defs"] = {
        name: {key: schema[key] for key in reversed(schema)}
        for name, schema in reversed(first["$defs"].items())
    }
    assert contract.dumps(parse(shuffled)) == contract.dumps(made)


@pytest.mark.parametrize(
    ("title", "kept"),
    [
        ("other", True),
        ("URL elicitation required", True),
        ("A title that tells a story", False),
        ("It ends.", False),
        ("x" * 41, False),
        ("two\nlines", False),
    ],
)
def test_titles_are_kept_while_they_are_labels(title: str, kept: bool) -> None:
    assert ("title" in definition({"title": title})) is kept


@pytest.mark.parametrize(
    ("description", "link"),
    [
        ("See [x](https://host.test/protocol/v1/a-b#c-d)", "/protocol/v1/a-b#c-d"),
        ("See https://host.test/protocol/v2/draft/tool-calls.", "/protocol/v2/draft/tool-calls"),
        ("See [x](https://host.test/rfds/one-thing).", "/rfds/one-thing"),
        ("See https://host.test/blog/protocol/x", None),
        ("See /protocol/v1/x", None),
    ],
)
def test_a_docs_link_stays_as_its_path(description: str, link: str | None) -> None:
    made = definition({"description": description})
    assert made.get("x-docs") == link
    assert parse(document(It=made))["$defs"]["It"] == made


def test_definitions_become_defs() -> None:
    old: dict[str, Any] = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "definitions": {
            "A": {"type": "object", "properties": {"b": {"$ref": "#/definitions/B%7E1x"}}},
            "C": {
                "oneOf": [{"$ref": "#/definitions/A"}],
                "discriminator": {"propertyName": "t", "mapping": {"a": "#/definitions/A"}},
            },
        },
        "$defs": {"B": {"description": "text", "type": "string"}},
    }
    old["definitions"]["A"]["properties"]["b"]["$ref"] = "#/definitions/B"
    made = parse(old)
    assert made["$schema"] == DIALECT
    assert list(made["$defs"]) == ["A", "B", "C"]
    assert made["$defs"]["A"]["properties"]["b"] == {"$ref": "#/$defs/B"}
    assert made["$defs"]["C"]["oneOf"] == [{"$ref": "#/$defs/A"}]
    assert made["$defs"]["C"]["discriminator"]["mapping"] == {"a": "#/$defs/A"}
    assert contract.docs_of(json.dumps(old)) == {"/$defs/B": "text"}


def test_a_byte_order_mark_is_accepted() -> None:
    assert parse(b"\xef\xbb\xbf" + text()) == parse(text())
    assert contract.parse("\ufeff" + text().decode(), "s") == parse(text())


def test_dumps_ends_with_a_newline_and_keeps_unicode() -> None:
    made = contract.dumps(parse(document(It={"const": "é\u2028"})))
    assert made.endswith("}\n")
    assert '"é\u2028"' in made


@pytest.mark.parametrize(
    "path", sorted(SCHEMAS.glob("v*/schema*.json")), ids=lambda path: path.name
)
def test_the_committed_files_are_their_own_form(path: Path) -> None:
    stored = path.read_text(encoding="utf-8")
    made = contract.parse(stored, path.name)
    assert contract.dumps(made) == stored
    assert contract.docs_of(stored) == {}
    assert not {"description", "examples", "$comment"} & set().union(
        *(schema for _, schema in keywords.walk(made))
    )


def test_docs_are_found_by_pointers_of_the_form() -> None:
    raw = document(
        A={
            "description": "of A",
            "properties": {"a/b": {"description": "of a/b"}, "description": {"type": "string"}},
            "anyOf": [{"type": "string"}, {"description": "second"}],
            "default": {"description": "data"},
        }
    )
    assert contract.docs_of(json.dumps(raw)) == {
        "/$defs/A": "of A",
        "/$defs/A/properties/a~1b": "of a/b",
        "/$defs/A/anyOf/1": "second",
    }


# Text that is no JSON.
@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "s.json: is not JSON: Expecting value at line 1, column 1"),
        (b"{", "it ends too early; fetch it again"),
        (b"{'a': 1}", "is not JSON: Expecting property name"),
        (b'{"a": "\xff"}', "is not UTF-8 text: byte 0xff at offset 7 (save it as UTF-8)"),
        ('{"a": 1}'.encode("utf-16"), "UTF-16 byte-order mark"),
        (b'{"a": {"b/": [NaN]}}', "s.json#/a/b~1/0: is NaN, which is no JSON number"),
        (b'{"a": 1e999, "b": -Infinity}', "s.json#/a: is 1e999"),
        (b'{"a": [{"k": 1, "k": 2}]}', "s.json#/a/0: has the key 'k' twice (keep one of them)"),
        (b'{"a": "\\ud83d"}', "s.json#/a: is a string with half of a surrogate pair"),
        (b'{"\\ud83d": 1}', "s.json#: has a key with half of a surrogate pair"),
        (b'{"a": ' + b"[" * 300 + b"]" * 300 + b"}", "is nested too deeply: more than 120 levels"),
        (b"[" * 200_000, "s.json: is n"),
        (b'{"a": ' + b"9" * 5000 + b"}", "holds a number that cannot be read"),
    ],
)
def test_text_that_is_no_json_is_refused(data: bytes, message: str) -> None:
    assert message in problems(data)


def test_all_faults_of_a_text_are_told_together() -> None:
    found = problems(b'{"a": {"x": 1, "x": 2}, "b": {"x": 1, "x": 2}, "c": NaN}')
    assert [line.split(":")[0] for line in found.splitlines()] == [
        "s.json#/a",
        "s.json#/b",
        "s.json#/c",
    ]


# JSON that is no protocol schema.
@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([], "is no JSON Schema: it is an array, not an object"),
        (None, "is no JSON Schema: it is null, not an object"),
        ({}, "is no protocol schema: it has no $defs"),
        ({"$defs": {}}, "is no protocol schema: it has no $defs"),
        ({"name": "x", "version": "1"}, "expected a JSON Schema with the protocol's types"),
        ({"$defs": {"A": {"type": "strin"}}}, "s.json#/$defs/A/type: is no JSON Schema: 'strin'"),
        ({"$defs": {"A": {"properties": []}}}, "s.json#/$defs/A/properties: is no JSON Schema"),
        ({"$defs": {"A": 3}}, "s.json#/$defs/A: is no JSON Schema: 3 is not of type"),
        ({"$defs": {"A": {"description": 3}}}, "s.json#/$defs/A/description: is no JSON Schema"),
        ({"$defs": {"A": {"anyOf": []}}}, "s.json#/$defs/A/anyOf: is no JSON Schema"),
        ({"$defs": {"A": {"minLength": -1}}}, "s.json#/$defs/A/minLength: is no JSON Schema"),
        ({"$defs": {"A": {"minimum": True}}}, "s.json#/$defs/A/minimum: is no JSON Schema"),
        (
            {"$defs": {"A": {}}, "definitions": {"A": {}}},
            "defines A in both `definitions` and `$defs`",
        ),
    ],
)
def test_json_that_is_no_schema_is_refused(value: Any, message: str) -> None:
    assert message in problems(value)


# Definitions and references.
@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ({"$ref": "#/$defs/Gone"}, "s.json#/$defs/It: refers to 'Gone', which is not among"),
        ({"$ref": "other.json#/$defs/A"}, "refers to another document: 'other.json#/$defs/A'"),
        ({"$ref": "https://host.test/s.json"}, "copy the definition into this file's $defs"),
        ({"$ref": "#"}, "refers to '#', which is no definition (use #/$defs/NAME)"),
        ({"$ref": "#/$defs/A/items"}, "which is no definition"),
        (
            {"items": {"$ref": "#A"}},
            "s.json#/$defs/It/items: refers to '#A', which is no definition",
        ),
        ({"$dynamicRef": "#A"}, "s.json#/$defs/It/$dynamicRef: $dynamicRef is not supported"),
        ({"$anchor": "A"}, "$anchor is not supported (refer with $ref to $defs)"),
        ({"$id": "https://host.test/x"}, "changes what the references inside it mean"),
        ({"$defs": {"X": {}}}, "s.json#/$defs/It/$defs: holds definitions inside a schema"),
        ({"definitions": {"X": {}}}, "s.json#/$defs/It/definitions: holds definitions"),
    ],
)
def test_references_that_cannot_be_used_are_refused(schema: Any, message: str) -> None:
    assert message in refused(lambda: definition(schema))


def test_all_bad_references_are_told_together() -> None:
    found = problems(document(A={"$ref": "#/$defs/X"}, B={"$ref": "x.json"}, C={"$ref": "#"}))
    assert len(found.splitlines()) == 3


@pytest.mark.parametrize(
    ("defs", "chain"),
    [
        ({"A": {"$ref": "#/$defs/A"}}, "A -> A"),
        ({"B": {"$ref": "#/$defs/A"}, "A": {"allOf": [{"$ref": "#/$defs/B"}]}}, "A -> B -> A"),
        (
            {
                "A": {"anyOf": [{"type": "null"}, {"oneOf": [{"$ref": "#/$defs/B"}]}]},
                "B": {"allOf": [{"$ref": "#/$defs/C"}]},
                "C": {"properties": {"ok": {"$ref": "#/$defs/A"}}, "not": {"$ref": "#/$defs/A"}},
            },
            "A -> B -> C -> A",
        ),
    ],
)
def test_a_cycle_without_an_object_between_is_refused(defs: Any, chain: str) -> None:
    assert problems(document(**defs)) == (
        f"s.json#/$defs/A: refers to itself without an object or array between: {chain}"
    )


def test_every_cycle_is_told() -> None:
    found = problems(document(A={"$ref": "#/$defs/A"}, B={"$ref": "#/$defs/B"}, C={}))
    assert found.count("refers to itself") == 2


def test_a_cycle_through_an_object_or_array_is_fine() -> None:
    made = parse(
        document(
            Tree={"type": "object", "properties": {"children": {"$ref": "#/$defs/Trees"}}},
            Trees={"type": "array", "items": {"anyOf": [{"$ref": "#/$defs/Tree"}]}},
        )
    )
    assert list(made["$defs"]) == ["Tree", "Trees"]


@pytest.mark.parametrize("name", ["", "1st", "a b", "a/b", "a~b", "x%20", "_", "a\nb"])
def test_names_of_definitions(name: str) -> None:
    if name == "_":
        assert list(parse(document(_={}))["$defs"]) == ["_"]
    else:
        assert "is no usable name for a definition" in problems(document(**{name: {}}))


def test_names_may_be_escaped_in_a_reference() -> None:
    made = parse(document(**{"Ünï.x-1": {}, "B": {"$ref": "#/$defs/%C3%9Cn%C3%AF.x-1"}}))
    assert made["$defs"]["B"] == {"$ref": "#/$defs/Ünï.x-1"}


# The quick check accepts nothing that the metaschema refuses, and the form is a fixed point.
KEYWORDS = (
    *("type", "properties", "items", "anyOf", "allOf", "required", "enum", "const", "default"),
    *("minimum", "minLength", "$ref", "title", "description", "$defs", "additionalProperties"),
    *("not", "x-a", "format", "uniqueItems"),
)
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.floats(allow_nan=False, width=16)
    | st.sampled_from(["string", "object", "A", "#/$defs/A", ""]),
    lambda inner: st.lists(inner, max_size=2)
    | st.dictionaries(
        st.sampled_from(KEYWORDS),
        inner,
        max_size=3,
    ),
    max_leaves=8,
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(_VALUES)
def test_the_quick_check_is_as_strict_as_the_metaschema(value: Any) -> None:
    meta = jsonschema.Draft202012Validator(jsonschema.Draft202012Validator.META_SCHEMA)
    assert bool(keywords.schema_problems(value, "s")) == (not meta.is_valid(value))


@settings(max_examples=200, deadline=None)
@given(_VALUES)
def test_the_form_is_a_fixed_point(value: Any) -> None:
    raw = document(A={"type": "string"}, It=value)
    try:
        made = contract.parse(json.dumps(raw), "s")
    except ProblemError:
        return
    stored = contract.dumps(made)
    assert contract.dumps(contract.parse(stored, "s")) == stored


def test_the_form_accepts_and_refuses_what_the_source_does() -> None:
    raw = document(
        It={
            "title": "A story, long and useless to a machine",
            "required": ["b", "a"],
            "properties": {"a": {"type": "integer", "minimum": 1}, "b": {"$ref": "#/$defs/A"}},
            "additionalProperties": False,
        },
        A={"enum": ["x", None]},
    ) | {"$ref": "#/$defs/It"}
    before, after = (jsonschema.Draft202012Validator(s) for s in (raw, parse(raw)))
    values = ({"a": 1, "b": "x"}, {"a": 0, "b": "x"}, {"a": 1, "b": 1}, {"a": 1, "b": None, "c": 1})
    assert [before.is_valid(value) for value in values] == [True, False, False, False]
    assert [after.is_valid(value) for value in values] == [True, False, False, False]


def test_jsontext_gives_plain_values() -> None:
    assert jsontext.load('{"a": [1, 1.5, true, null, "x"]}', "s") == {
        "a": [1, 1.5, True, None, "x"]
    }
