"""The oracle's own parts, on small schemas whose right answers are written here by hand."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.oracle.canonical import Canonical
from tests.oracle.contract import Contract
from tests.oracle.judge import added, same
from tests.oracle.mutator import mutations
from tests.oracle.reader import ON_ERROR, ON_NULL, SKIP_ITEMS, Reader, patch_fields
from tests.oracle.received import applicable, open_when_received, received
from tests.oracle.sampler import Sampler


def tagged(tag: str, ref: str) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {"kind": {"type": "string", "const": tag}},
        "required": ["kind"],
        "allOf": [{"$ref": f"#/$defs/{ref}"}],
    }


def guarded(*tags: str) -> dict[str, Any]:
    known = [
        {"properties": {"kind": {"const": tag}}, "required": ["kind"], "type": "object"}
        for tag in tags
    ]
    return {
        "title": "other",
        "type": "object",
        "properties": {"kind": {"type": "string"}},
        "required": ["kind"],
        "not": {"anyOf": known},
        "additionalProperties": True,
    }


ROOT: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$defs": {
        "Item": {
            "type": "object",
            "properties": {"n": {"type": "integer", "format": "uint16", "minimum": 1}},
            "required": ["n"],
        },
        "Circle": {
            "type": "object",
            "properties": {
                "r": {"type": "number"},
                "note": {"type": ["string", "null"], ON_ERROR: True},
            },
            "required": ["r"],
        },
        "Square": {
            "type": "object",
            "properties": {"side": {"type": "number"}},
            "required": ["side"],
        },
        "Open": {
            "anyOf": [
                tagged("circle", "Circle"),
                tagged("square", "Square"),
                guarded("circle", "square"),
            ]
        },
        "Closed": {"oneOf": [tagged("circle", "Circle"), tagged("square", "Square")]},
        "Record": {
            "type": "object",
            "properties": {
                "name": {"type": "string"},
                "flag": {"type": "boolean", "default": False, ON_ERROR: True},
                "tags": {"type": "array", "items": {"type": "string"}, ON_NULL: True},
                "items": {
                    "type": "array",
                    "items": {"$ref": "#/$defs/Item"},
                    ON_ERROR: True,
                    SKIP_ITEMS: True,
                },
                "some": {"type": "array", "items": {"$ref": "#/$defs/Item"}, SKIP_ITEMS: True},
                "title": {"type": ["string", "null"], ON_ERROR: True},
                "shape": {"anyOf": [{"$ref": "#/$defs/Open"}, {"type": "null"}], ON_ERROR: True},
            },
            "required": ["name", "items"],
        },
        "Update": {
            "type": "object",
            "x-method": "session/update",
            "properties": {"shape": {"$ref": "#/$defs/Closed"}},
            "required": ["shape"],
        },
    },
}
CONTRACT = received(ROOT)
PATCH = patch_fields(CONTRACT, [("Record", "title"), ("Gone", "field")])
READER = Reader(CONTRACT, PATCH)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"name": "n", "items": []}, {"name": "n", "items": []}),
        ({"name": "n", "items": [], "x": {"y": 1}}, {"name": "n", "items": [], "x": {"y": 1}}),
        ({"name": "n", "items": "bad"}, {"name": "n", "items": []}),
        ({"name": "n", "items": None}, {"name": "n", "items": []}),
        (
            {"name": "n", "items": [{"n": 1}, {"n": "1"}, {"n": True}, 5]},
            {"name": "n", "items": [{"n": 1}]},
        ),
        ({"name": "n", "items": [], "flag": "yes"}, {"name": "n", "items": [], "flag": False}),
        ({"name": "n", "items": [], "tags": None}, {"name": "n", "items": []}),
        (
            {"name": "n", "items": [], "some": [{"n": 0}, {"n": 2}]},
            {"name": "n", "items": [], "some": [{"n": 2}]},
        ),
        ({"name": "n", "items": [], "title": 5}, {"name": "n", "items": []}),
        ({"name": "n", "items": [], "title": None}, {"name": "n", "items": [], "title": None}),
        ({"name": "n", "items": [], "shape": {"kind": "circle"}}, {"name": "n", "items": []}),
        (
            {"name": "n", "items": [], "shape": {"kind": "circle", "r": 1, "note": 5}},
            {"name": "n", "items": [], "shape": {"kind": "circle", "r": 1}},
        ),
        (
            {"name": "n", "items": [], "shape": {"kind": "hexagon"}},
            {"name": "n", "items": [], "shape": {"kind": "hexagon"}},
        ),
    ],
)
def test_reader_repairs(value: Any, expected: Any) -> None:
    reading = READER.read(CONTRACT.ref("Record"), value)
    assert reading.accepted
    assert same(reading.value, expected)


@pytest.mark.parametrize(
    "value",
    [
        {"items": []},
        {"name": None, "items": []},
        {"name": "n"},
        {"name": "n", "items": [], "tags": "bad"},
        {"name": "n", "items": [], "tags": [1]},
        {"name": "n", "items": [], "some": None},
        {"name": "n", "items": [], "some": "bad"},
        [],
        None,
    ],
)
def test_reader_refuses(value: Any) -> None:
    assert not READER.read(CONTRACT.ref("Record"), value).accepted


def test_a_known_tag_with_a_bad_payload_is_not_the_catch_all() -> None:
    assert not READER.read(CONTRACT.ref("Open"), {"kind": "square", "side": "1"}).accepted
    assert READER.read(CONTRACT.ref("Open"), {"kind": "zzz", "side": "1"}).accepted


def test_only_what_an_update_reaches_is_open_when_received() -> None:
    assert open_when_received(ROOT) == {"Closed": ("kind", ["circle", "square"])}
    unknown = {"kind": "hexagon"}
    assert READER.read(CONTRACT.ref("Closed"), unknown).accepted
    strict = Contract(ROOT, strict=False)
    assert not Reader(strict, frozenset()).read(strict.ref("Closed"), unknown).accepted


def test_exceptions_that_apply() -> None:
    assert applicable(ROOT) == {"received-open:Closed", "integral-float", "format-bounds"}


@pytest.mark.parametrize("number", [1.0, 0, 65536, True, "1"])
def test_integers_are_strict_and_bounded(number: Any) -> None:
    assert not READER.read(CONTRACT.ref("Item"), {"n": number}).accepted


def test_canonical_leaves_out_what_means_nothing() -> None:
    canonical = Canonical(CONTRACT, PATCH)
    full = {
        "name": "",
        "items": [],
        "flag": False,
        "tags": [],
        "title": None,
        "shape": None,
        "extra": None,
    }
    assert canonical(CONTRACT.ref("Record"), full) == {
        "name": "",
        "items": [],
        "title": None,
        "extra": None,
    }
    assert canonical(CONTRACT.ref("Record"), {"name": "", "items": [], "flag": True}) == {
        "name": "",
        "items": [],
        "flag": True,
    }


def test_samples_are_valid_and_cover_every_shape() -> None:
    sampler = Sampler(CONTRACT)
    for name in ROOT["$defs"]:
        schema = CONTRACT.ref(name)
        samples = sampler.samples(schema)
        assert len(samples) >= 20, name
        assert all(CONTRACT.valid(schema, sample.value) for sample in samples)
        assert {id(sample.shape) for sample in samples} == {
            id(shape) for shape in CONTRACT.shapes(schema)
        }


def test_samples_vary_presence() -> None:
    values = [sample.value for sample in Sampler(CONTRACT).samples(CONTRACT.ref("Record"), 40)]
    assert any("title" not in value for value in values)
    assert any("title" in value and value["title"] is None for value in values)
    assert any(isinstance(value.get("title"), str) for value in values)
    assert any(value["items"] for value in values)
    assert any(value["items"] == [] for value in values)
    assert any("model_config" in value for value in values)


def test_equal_seeds_give_equal_samples() -> None:
    first = [sample.value for sample in Sampler(CONTRACT, 7).samples(CONTRACT.ref("Record"))]
    second = [sample.value for sample in Sampler(CONTRACT, 7).samples(CONTRACT.ref("Record"))]
    other = [sample.value for sample in Sampler(CONTRACT, 8).samples(CONTRACT.ref("Record"))]
    assert first == second
    assert first != other


def test_a_shape_without_values_is_an_error() -> None:
    impossible = {
        "type": "object",
        "properties": {"a": {"type": "string", "minLength": 5, "maxLength": 1}},
        "required": ["a"],
    }
    with pytest.raises(LookupError, match="no valid value"):
        Sampler(CONTRACT).samples(impossible)


def test_mutations_change_every_field_in_every_way() -> None:
    (shape,) = CONTRACT.shapes(CONTRACT.ref("Record"))
    value = {"name": "n", "items": [{"n": 1}], "shape": {"kind": "circle", "r": 1}}
    before = json.dumps(value)
    found = list(mutations(CONTRACT, shape, value))
    assert json.dumps(value) == before
    kinds = {(mutation.kind, mutation.where) for mutation in found}
    assert {
        ("dropped", "/name"),
        ("null", "/tags"),
        ("wrong-type", "/flag"),
        ("tag", "/shape/kind"),
    } <= kinds
    assert ("broken-item", "/items/0") in kinds
    tags = [mutation.value["shape"].get("kind") for mutation in found if mutation.kind == "tag"]
    assert {"_custom", "zzz", None} <= set(tags)


def test_bounds_are_tried_on_both_sides() -> None:
    (shape,) = CONTRACT.shapes(CONTRACT.ref("Item"))
    tried = {
        mutation.value["n"]
        for mutation in mutations(CONTRACT, shape, {"n": 5})
        if mutation.kind == "bounds"
    }
    assert {0, 1, 65535, 65536} <= tried


def test_comparison_tells_booleans_from_numbers() -> None:
    assert same({"a": [1, 2.0]}, {"a": [1.0, 2]})
    assert not same(True, 1)
    assert not same({"a": None}, {})
    assert not same("1", 1)


def test_added_keys_are_found_at_any_depth() -> None:
    assert added({"a": [{"b": 1}]}, {"a": [{"b": 1, "c": None}]}) == "/a/0/c"
    assert added({"a": 1, "b": 2}, {"a": 1}) is None
    assert added({}, {"a": []}) == "/a"
    assert added({}, {"a": []}, empty=True) is None
    assert added({}, {"a": None}, empty=True) == "/a"
