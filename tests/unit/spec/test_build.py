from __future__ import annotations

import copy
import json
import re
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from acpgen.problem import ProblemError
from acpgen.spec.audit import audit
from acpgen.spec.build import build
from acpgen.spec.contract import parse
from acpgen.spec.ir import Record, RefType, Spec, Union
from acpgen.spec.metadata import FieldRow, Metadata
from acpgen.spec.names import ClassName
from tests.unit.spec.outline import FRAGMENTS, fragment, outline, spec_of

SCHEMAS = Path(__file__).parents[3] / "schemas"
SURFACES = [(1, "stable"), (1, "unstable"), (2, "stable"), (2, "unstable")]
STRING = {"type": "string"}


def pinned(version: int, channel: Any) -> dict[str, Any]:
    path = (
        SCHEMAS / f"v{version}" / ("schema.json" if channel == "stable" else "schema.unstable.json")
    )
    return parse(path.read_bytes(), path.name)


@pytest.mark.parametrize("name", sorted(path.stem for path in FRAGMENTS.glob("*.json")))
def test_fragment(name: str, snapshot: SnapshotAssertion) -> None:
    spec = spec_of(fragment(name))
    assert audit(spec) == []
    assert outline(spec) == snapshot


@pytest.mark.parametrize(("version", "channel"), SURFACES)
def test_every_definition_of_the_pinned_schemas_is_accounted_for(
    version: int, channel: Any
) -> None:
    contract = pinned(version, channel)
    spec = build(contract, version=version, channel=channel)
    assert audit(spec) == []
    assert set(contract["$defs"]) == {*spec.wire_types, *spec.merged, *spec.envelopes}
    assert not set(spec.wire_types) & set(spec.merged)


@pytest.mark.parametrize(("version", "channel"), SURFACES)
def test_every_method_of_the_pinned_schemas_has_a_row(version: int, channel: Any) -> None:
    contract = pinned(version, channel)
    spec = build(contract, version=version, channel=channel)
    assert {row.wire for row in spec.methods} == {
        item["x-method"] for item in contract["$defs"].values() if "x-method" in item
    }
    assert all(row.result for row in spec.methods if row.kind == "request")


@pytest.mark.parametrize(("version", "channel"), SURFACES)
def test_the_tags_of_every_union_are_those_of_the_schema(version: int, channel: Any) -> None:
    contract = pinned(version, channel)
    spec = build(contract, version=version, channel=channel)
    for item in spec.definitions.values():
        if isinstance(item, Union) and item.tag is not None and item.wire is not None:
            text = json.dumps(
                contract["$defs"][item.wire].get("anyOf") or contract["$defs"][item.wire]["oneOf"]
            )
            constants = set(
                re.findall(rf'"{item.tag}": {{"type": "string", "const": "([^"]+)"}}', text)
            )
            assert {variant.tag for variant in item.variants if variant.tag} == constants


def test_no_name_has_a_number_that_the_schema_has_not() -> None:
    for version, channel in SURFACES:
        contract = pinned(version, channel)
        words = json.dumps(contract)
        for name in build(contract, version=version, channel=channel).definitions:
            number = re.search(r"\d+$", name)
            assert number is None or number.group() in words


def test_a_new_first_variant_renames_nothing() -> None:
    contract = pinned(1, "stable")
    changed = copy.deepcopy(contract)
    changed["$defs"]["SessionUpdate"]["oneOf"].insert(
        0,
        {
            "type": "object",
            "properties": {"sessionUpdate": {"type": "string", "const": "brand_new"}},
            "required": ["sessionUpdate"],
            "allOf": [{"$ref": "#/$defs/ContentChunk"}],
        },
    )
    before = build(contract, version=1, channel="stable")
    after = build(changed, version=1, channel="stable")
    assert set(after.definitions) - set(before.definitions) == {"BrandNew"}
    assert set(before.definitions) <= set(after.definitions)


def test_the_order_of_definitions_changes_no_name() -> None:
    contract = pinned(2, "unstable")
    shuffled = {**contract, "$defs": dict(reversed(list(contract["$defs"].items())))}
    assert set(build(shuffled, version=2, channel="unstable").definitions) == set(
        build(contract, version=2, channel="unstable").definitions
    )


def test_closed_unions_inside_updates_open_for_readers_and_no_other() -> None:
    spec = build(pinned(1, "stable"), version=1, channel="stable")
    opened = {
        item.unions[0]
        for item in spec.definitions.values()
        if isinstance(item, Record) and item.catch_all and item.catch_all.received_only
    }
    assert opened == {"SessionUpdate", "ContentBlock", "ToolCallContent", "SessionConfigOption"}
    outcome = spec.definitions[ClassName("RequestPermissionOutcome")]
    assert isinstance(outcome, Union) and not outcome.open


def test_variants_inherit_the_payload_that_they_share() -> None:
    spec = build(pinned(1, "stable"), version=1, channel="stable")
    chunk = spec.definitions[ClassName("AgentMessageChunk")]
    assert isinstance(chunk, Record) and chunk.base == "ContentChunk"
    update = spec.definitions[ClassName("ToolCallUpdate")]
    assert (
        isinstance(update, Record)
        and update.base == spec.wire_types["ToolCallUpdate"] == "ToolCallUpdatePayload"
    )


def test_patch_fields_come_from_the_metadata() -> None:
    defs = {
        "R": {
            "type": "object",
            "properties": {"a": {"type": ["string", "null"]}, "b": {"type": ["string", "null"]}},
        }
    }
    spec = spec_of(defs, Metadata(patch=(FieldRow("R", ("a",), "x"),)))
    record = spec.definitions[ClassName("R")]
    assert isinstance(record, Record)
    assert {item.wire: item.presence for item in record.fields} == {"a": "patch", "b": "optional"}


def problems(defs: dict[str, Any]) -> str:
    with pytest.raises(ProblemError) as caught:
        spec_of(defs)
    return str(caught.value)


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        (
            {"type": "object", "properties": {"a": {"if": STRING}}},
            "#/$defs/R/properties/a/if: no rule knows the keyword `if`",
        ),
        (
            {"type": "object", "patternProperties": {"^x": STRING}},
            "no rule knows the keyword `patternProperties`",
        ),
        (
            {
                "type": "object",
                "properties": {"a": {"type": "string", "x-deserialize-maybe": True}},
            },
            "`x-deserialize-maybe`",
        ),
        (
            {"type": "object", "properties": {"a": STRING}, "additionalProperties": STRING},
            "a type for all others",
        ),
        (
            {"type": "object", "properties": {"a": STRING}, "anyOf": [STRING], "oneOf": [STRING]},
            "anyOf and oneOf",
        ),
        (
            {
                "type": "object",
                "properties": {
                    "a": {
                        "allOf": [{"$ref": "#/$defs/Rec"}],
                        "x-deserialize-default-on-error": True,
                    }
                },
                "required": ["a"],
            },
            "names none",
        ),
        (
            {"type": "object", "allOf": [{"$ref": "#/$defs/Text"}], "properties": {"b": STRING}},
            "is no object",
        ),
        (
            {"type": "object", "properties": {"a": {"const": 1.5}}},
            "no rule knows the constant 1.5",
        ),
        (
            {"type": "object", "properties": {"a": {"enum": ["x", {}]}}},
            "no rule knows the constant {}",
        ),
        ({"type": "object", "properties": {"a": {"enum": []}}}, "allows nothing"),
    ],
)
def test_a_shape_that_no_rule_knows_is_reported(schema: dict[str, Any], expected: str) -> None:
    defs = {"R": schema, "Rec": {"type": "object", "properties": {"x": STRING}}, "Text": STRING}
    assert expected in problems(defs)


def test_two_things_of_one_name_are_reported() -> None:
    assert "the name FooBar is taken by" in problems(
        {"FooBar": {"type": "object"}, "foo_bar": {"type": "string"}}
    )


def test_all_problems_are_reported_together() -> None:
    text = problems({"A": {"if": STRING}, "B": {"then": STRING}})
    assert "`if`" in text and "`then`" in text


def test_equal_input_gives_an_equal_spec() -> None:
    contract = pinned(2, "stable")
    assert build(contract, version=2, channel="stable") == build(
        copy.deepcopy(contract), version=2, channel="stable"
    )


def test_upstream_descriptions_come_only_when_asked_for() -> None:
    contract = parse(json.dumps({"$defs": fragment("closed_union")}), "x")
    docs = {"#/$defs/Block": "A block.", "#/$defs/Text/properties/text": "Its text."}
    plain: Spec = build(contract, version=1, channel="stable")
    told = build(contract, version=1, channel="stable", docs=docs)
    assert not any(item.doc for item in plain.definitions.values())
    assert told.definitions[ClassName("Block")].doc == "A block."
    record = told.definitions[ClassName("TextBlock")]
    assert isinstance(record, Record) and [
        item.doc for item in record.fields if item.wire == "text"
    ] == ["Its text."]


def test_an_outer_tag_stands_on_every_variant_of_a_nested_union() -> None:
    spec = spec_of(fragment("nested_and_bare"))
    union = spec.definitions[ClassName("Update")]
    assert isinstance(union, Union)
    inner = spec.definitions[
        (
            union.variants[0].type.name
            if isinstance(union.variants[0].type, RefType)
            else ClassName("X")
        )
    ]
    assert isinstance(inner, Union)
    for variant in inner.variants:
        assert isinstance(variant.type, RefType)
        record = spec.definitions[variant.type.name]
        assert isinstance(record, Record)
        assert {item.wire for item in spec.fields(record) if item.tag} == {"update", "state"}


def updates(payload: str, in_place: bool = False) -> dict[str, Any]:
    """session/update with one kind, `turn`, whose fields are a definition's or its own."""
    fields = {"a": {"type": ["string", "null"]}, "b": {"type": ["string", "null"]}}
    tag = {"sessionUpdate": {"const": "turn", "type": "string"}}
    branch: dict[str, Any] = {"type": "object", "properties": tag, "required": ["sessionUpdate"]}
    if in_place:
        branch["properties"] = {**tag, **fields}
    else:
        branch["allOf"] = [{"$ref": f"#/$defs/{payload}"}]
    note = {"properties": {"update": {"$ref": "#/$defs/Update"}}, "required": ["update"]}
    return {
        "SessionNotification": {
            "type": "object",
            **note,
            "x-method": "session/update",
            "x-side": "client",
        },
        "Update": {"oneOf": [branch]},
        **({} if in_place else {payload: {"type": "object", "properties": fields}}),
    }


@pytest.mark.parametrize("defs", [updates("Old"), updates("New"), updates("", in_place=True)])
@pytest.mark.parametrize("type_", ["", "Old"])
def test_a_row_about_a_kind_of_update_outlives_a_rename(defs: dict[str, Any], type_: str) -> None:
    row = FieldRow(type_, ("a",), "x", update="turn")
    spec = spec_of(defs, Metadata(patch=(row,)))
    found = {
        item.wire: item.presence
        for record in spec.definitions.values()
        if isinstance(record, Record)
        for item in record.fields
        if item.wire in ("a", "b")
    }
    assert found == {"a": "patch", "b": "optional"}


def test_a_row_about_another_kind_of_update_says_nothing() -> None:
    row = FieldRow("", ("a",), "x", update="other")
    spec = spec_of(updates("Old"), Metadata(patch=(row,)))
    assert '"patch"' not in repr(spec.definitions).replace("'", '"')
