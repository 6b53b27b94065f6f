"""Patch fields know three states: left out, null, a value."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

from tests.behaviour.bindings import (
    SURFACES,
    V1,
    V2,
    decode_update,
    encode,
    models,
    schema,
    surface,
)
from tests.oracle.patch import patch_of


def info(**fields: Any) -> dict[str, Any]:
    return {"sessionUpdate": "session_info_update", **fields}


@pytest.mark.parametrize("name", SURFACES)
def test_the_three_states_survive(name: str) -> None:
    missing = surface(name).MISSING
    for value, state in ((info(), missing), (info(title=None), None), (info(title="t"), "t")):
        update = decode_update(name, value)
        assert update.title is state
        assert encode(update) == value
        for other in (copy.deepcopy(update), pickle.loads(pickle.dumps(update))):
            assert other.title is update.title or other.title == "t"
            assert encode(other) == value


@pytest.mark.parametrize("name", SURFACES)
def test_the_three_states_can_be_built(name: str) -> None:
    class_ = models(name).SessionInfoUpdate
    assert encode(class_()) == info()
    assert encode(class_(title=None)) == info(title=None)
    assert encode(class_(title="t")) == info(title="t")
    assert encode(class_(title=surface(name).MISSING)) == info()


@pytest.mark.parametrize("name", SURFACES)
@pytest.mark.parametrize("wrong", [5, True, [], {}])
def test_a_malformed_patch_field_changes_nothing(name: str, wrong: object) -> None:
    update = decode_update(name, info(title=wrong))
    assert update.title is surface(name).MISSING
    assert encode(update) == info()


@pytest.mark.parametrize("name", V2)
def test_upserts_of_v2(name: str) -> None:
    bare = {"sessionUpdate": "tool_call_update", "toolCallId": "t"}
    assert encode(decode_update(name, bare)) == bare
    cleared = {**bare, "status": None, "content": None, "rawInput": None, "_meta": None}
    assert encode(decode_update(name, cleared)) == cleared
    kept = {**bare, "content": [], "_meta": {}}
    assert encode(decode_update(name, kept)) == kept
    broken = {**bare, "status": 5, "content": "x"}
    assert encode(decode_update(name, broken)) == bare
    items = {
        **bare,
        "content": [
            {"type": "content"},
            {"type": "content", "content": {"type": "text", "text": "t"}},
        ],
    }
    assert len(encode(decode_update(name, items))["content"]) == 1


@pytest.mark.parametrize("name", V2)
def test_the_cost_of_a_usage_update(name: str) -> None:
    usage = {"sessionUpdate": "usage_update", "used": 1, "size": 2}
    for value in (
        usage,
        {**usage, "cost": None},
        {**usage, "cost": {"amount": 0, "currency": "EUR"}},
    ):
        assert encode(decode_update(name, value)) == value


@pytest.mark.parametrize("name", V1)
def test_tool_call_update_of_v1_keeps_null_on_the_wire(name: str) -> None:
    for extra in ({}, {"title": None}, {"title": "t"}, {"rawInput": None}):
        value = {"sessionUpdate": "tool_call_update", "toolCallId": "t", **extra}
        assert encode(decode_update(name, value)) == value


@pytest.mark.parametrize("name", SURFACES)
def test_exactly_the_recorded_fields_have_three_states(name: str) -> None:
    """The package's default says so: MISSING on patch fields, on no other."""
    missing = surface(name).MISSING
    found = set()
    for exported in models(name).__all__:
        class_ = getattr(models(name), exported)
        for field, info_ in getattr(class_, "model_fields", {}).items():
            if info_.default is missing:
                found.add((exported.removesuffix("Payload"), field))
    recorded = {
        (definition, wire)
        for definition, wire in patch_of(name)
        if wire in schema(name)["$defs"].get(definition, {}).get("properties", {})
    }
    python = {(definition, _python(wire)) for definition, wire in recorded}
    assert found == python


def _python(wire: str) -> str:
    return {"_meta": "meta"}.get(wire, "".join("_" + c.lower() if c.isupper() else c for c in wire))
