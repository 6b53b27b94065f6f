from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from acpgen.problem import ProblemError
from acpgen.spec.audit import audit, audit_metadata, lint_meta, patterns
from acpgen.spec.metadata import load, parse
from acpgen.spec.sync import sync
from tests.unit.spec.outline import spec_of
from tests.unit.spec.test_build import updates

SCHEMAS = Path(__file__).parents[3] / "schemas"
STRING = {"type": "string"}


def faults(defs: dict[str, Any]) -> str:
    spec = spec_of(defs)
    return "\n".join(map(str, [*audit(spec), *patterns(spec)]))


def test_skipping_items_needs_an_array() -> None:
    schema = {
        "type": "object",
        "properties": {"a": {"type": "string", "x-deserialize-skip-invalid-items": True}},
    }
    assert "`a` is to skip invalid items, but is no array" in faults({"R": schema})


@pytest.mark.parametrize(
    "prop",
    [
        {"type": "integer", "default": "x"},
        {"type": "boolean", "default": 0},
        {"type": "integer", "default": True},
        {"type": "array", "items": STRING, "default": [1]},
        {"allOf": [{"$ref": "#/$defs/E"}], "default": "c"},
        {"allOf": [{"$ref": "#/$defs/O"}], "default": {}},
    ],
)
def test_a_default_must_be_a_value_of_its_type(prop: dict[str, Any]) -> None:
    defs = {
        "R": {"type": "object", "properties": {"a": prop}},
        "E": {"enum": ["a", "b"]},
        "O": {"type": "object", "properties": {"x": STRING}, "required": ["x"]},
    }
    assert "the default of `a` is no value of its type" in faults(defs)


def test_a_request_needs_a_response_and_a_response_a_request() -> None:
    ask = {"type": "object", "properties": {}, "x-method": "ask", "x-side": "agent"}
    assert "the request ask (received by the agent) has no response type" in faults(
        {"AskRequest": ask}
    )
    with pytest.raises(ProblemError, match="answers ask"):
        spec_of({"AskResponse": ask})


def test_two_variants_cannot_have_one_tag() -> None:
    branch = {"type": "object", "properties": {"t": {"const": "a"}}, "required": ["t"]}
    more = {**branch, "required": ["t", "x"]}
    with pytest.raises(ProblemError, match="the name AU is taken by"):
        spec_of({"U": {"oneOf": [branch, more], "discriminator": {"propertyName": "t"}}})


def test_the_metadata_rows_of_the_project_all_mean_something() -> None:
    assert load([SCHEMAS / "v1" / "methods.toml"]).patch
    text = """
[[patch]]
type = "R"
fields = ["gone", "need"]
[[patch]]
type = "S"
fields = ["x"]
[[omit_empty]]
type = "Old"
fields = ["x"]
retired = true
"""
    spec = spec_of(
        {"R": {"type": "object", "properties": {"need": STRING, "a": STRING}, "required": ["need"]}}
    )
    found = [str(item) for item in audit_metadata([spec], parse(text, "methods.toml"))]
    assert len(found) == 3
    assert "R.gone, which no schema has" in found[0]
    assert "R.need, which is required" in found[1]
    assert "the type S, which no schema has" in found[2]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[[patch]\n", "is no TOML"),
        ('[[patch]]\ntype = "R"\n', "methods.toml:1#/patch/0: 'fields' is a required property"),
        ('[[patch]]\ntype = "R"\nfields = []\n', "#/patch/0/fields"),
        ('[[patsh]]\ntype = "R"\n', "'patsh' was unexpected"),
        ('[[patch]]\ntype = 3\nfields = ["a"]\nfoo = 1\n', "#/patch/0/type"),
    ],
)
def test_a_malformed_file_is_an_error_that_names_the_row(text: str, expected: str) -> None:
    with pytest.raises(ProblemError) as caught:
        parse(text, "methods.toml")
    assert expected in str(caught.value)


@pytest.mark.parametrize(("version", "count"), [("v1", 12), ("v2", 15)])
def test_objects_without_meta_are_listed(version: str, count: int) -> None:
    contract = json.loads((SCHEMAS / version / "schema.json").read_text())
    found = lint_meta(contract)
    assert len(found) == count
    assert not [item for item in found if "looks like" in item.what]


def test_a_misspelt_meta_is_listed() -> None:
    found = lint_meta({"$defs": {"R": {"properties": {"meta": True}}}})
    assert [item.what for item in found] == ["`meta` looks like `_meta`", "has no `_meta`"]


@pytest.mark.parametrize(("version", "count"), [("v1", 12), ("v2", 15)])
def test_sync_tells_what_lacks_meta_and_repairs_nothing(
    tmp_path: Path, version: str, count: int
) -> None:
    source = tmp_path / "source" / version
    source.mkdir(parents=True)
    (source / "schema.json").write_bytes((SCHEMAS / version / "schema.json").read_bytes())
    report = sync(str(source.parent), tmp_path / "schemas")
    assert [line.split(":")[1].strip() for line in report.notices] == [f"{count} x has no `_meta`"]
    assert (tmp_path / "schemas" / version / "schema.json").read_bytes() == (
        SCHEMAS / version / "schema.json"
    ).read_bytes()


@pytest.mark.parametrize(
    "defs",
    [
        {"J": {"anyOf": [STRING, {"type": "array", "items": {"$ref": "#/$defs/J"}}]}},
        {"M": {"type": "object", "additionalProperties": {"$ref": "#/$defs/M"}}},
        {
            "J": {"type": "array", "items": {"$ref": "#/$defs/K"}},
            "K": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/J"}]},
        },
    ],
)
def test_a_type_that_holds_itself_without_an_object_is_reported(defs: dict[str, Any]) -> None:
    assert "contains itself with no object between" in faults(defs)


def test_an_object_may_hold_itself() -> None:
    tree = {"type": "object", "properties": {"next": {"$ref": "#/$defs/T"}}}
    assert faults({"T": tree}) == ""


@pytest.mark.parametrize("pattern", ["[", "(?=a)b"])
def test_a_pattern_that_pydantic_does_not_take_is_reported(pattern: str) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string", "pattern": pattern}}}
    assert f"the pattern {pattern!r} is no regular expression" in faults({"R": schema})


def test_a_row_about_a_kind_of_update_is_matched_by_its_kind() -> None:
    text = '[[patch]]\nupdate = "{}"\nfields = ["{}"]\n'
    defs = updates("Whatever")

    def told(kind: str, field: str) -> list[str]:
        rows = parse(text.format(kind, field), "x")
        return [problem.what for problem in audit_metadata([spec_of(defs)], rows)]

    assert told("turn", "a") == []
    assert told("turn", "c") == ["[[patch]] names turn.c, which no schema has"]
    assert told("gone", "a") == ["[[patch]] names the kind of update gone, which no schema has"]


def test_a_row_needs_a_type_or_a_kind_of_update() -> None:
    with pytest.raises(ProblemError, match="needs one of type, update"):
        parse('[[patch]]\nfields = ["a"]\n', "x")
