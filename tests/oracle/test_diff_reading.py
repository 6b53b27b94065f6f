"""How the judge of diffs reads gates and roles, on schemas small enough to see the answer."""

from __future__ import annotations

from typing import Any

import pytest

from tests.oracle.diff_gates import condition, leaves, moved, reduced, tree
from tests.oracle.diff_raw import Raw
from tests.oracle.diff_words import of_type
from tests.oracle.diff_writers import BOTH, writers_of


def test_the_order_in_a_gate_says_nothing_and_the_word_all() -> None:
    assert tree("any(agent: a, client: b.c)") == tree("any(client: b.c, agent: a)")
    assert tree("any(agent: a, agent: b)") != tree("all(agent: a, agent: b)")
    assert tree("not(agent: a)") != tree("agent: a")
    assert tree('agent: a = "x"') != tree("agent: a")
    assert tree("") is None


def test_every_leaf_of_a_nested_gate_is_found() -> None:
    gate = 'all(agent: a, any(state: s, not(client: b.c = "x")), never)'
    assert sorted(leaves(tree(gate))) == ["agent: a", 'client: b.c = "x"', "never", "state: s"]


@pytest.mark.parametrize(
    "text", ["banana", "any(agent: a", "any(agent: a) b", "server: a", "any()"]
)
def test_what_is_no_gate_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        tree(text)


def message(key: str, side: str, method: str, **properties: Any) -> dict[str, Any]:
    return {
        key: {"type": "object", "x-method": method, "x-side": side, "properties": properties},
    }


def ref(key: str) -> dict[str, str]:
    return {"$ref": f"#/$defs/{key}"}


SMALL = Raw(
    {
        "$defs": {
            **message("InitializeRequest", "agent", "initialize", c=ref("Client")),
            **message("InitializeResponse", "agent", "initialize", a=ref("Agent")),
            **message("AskRequest", "client", "ask", x=ref("Shared")),
            **message("CarryRequest", "proxy", "carry", a=ref("Agent"), only=ref("Carried")),
            "Client": {"type": "object", "properties": {"s": ref("Shared")}},
            "Agent": {"type": "object", "properties": {"b": {"type": "boolean"}}},
            "Shared": {"type": "string"},
            "Carried": {"type": "string"},
            "Loose": {"type": "string"},
            "Error": {"type": "object", "properties": {"code": ref("Code")}},
            "Code": {"type": "integer"},
            "AgentResponse": {"x-docs-ignore": True, "anyOf": [ref("AskRequest"), ref("Error")]},
        }
    },
    ({"roots": {"agent": "a", "client": "c"}, "state": [{"name": "s", "of_update": "gone"}]},),
)


def test_who_writes_a_definition_follows_from_the_messages_that_hold_it() -> None:
    found = writers_of(SMALL)
    agent, client = frozenset(("agent",)), frozenset(("client",))
    assert found["InitializeRequest"] == found["Client"] == client
    assert found["InitializeResponse"] == found["Agent"] == agent  # though a proxy carries it too
    assert found["AskRequest"] == agent
    assert found["Shared"] == found["Error"] == found["Code"] == found["Carried"] == BOTH
    assert "Loose" not in found


def test_a_gate_is_without_what_the_schema_lacks() -> None:
    assert reduced(SMALL, tree("any(agent: b, agent: gone)")) == "agent: b"
    assert reduced(SMALL, tree("agent: gone")) is None
    assert reduced(SMALL, tree("not(agent: gone)")) is None
    assert reduced(SMALL, tree("not(agent: b)")) == tree("not(agent: b)")
    assert reduced(SMALL, tree("state: s")) is None  # its kind of update is not there
    assert reduced(SMALL, tree("all(client: s, never)")) == tree("all(client: s, never)")


def test_a_gate_follows_its_capabilities() -> None:
    names = {"agent: a": "agent: b.c"}
    assert moved(tree('any(agent: a = "x", never)'), names) == tree('any(agent: b.c = "x", never)')


def test_the_values_that_a_schema_knows_are_left_to_each_schema() -> None:
    assert condition({"known": False}) == condition({"not_one_of": ["a", "b"]})
    assert condition({"known": True}) != condition({"known": False})
    assert condition({"is": "a"}) != condition({"is": "b"})


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({}, "any"),
        ({"type": ["string", "null"]}, "string or null"),
        ({"type": "array", "items": ref("Client")}, "array of Client"),
        ({"type": "array", "items": {"type": ["string", "null"]}}, "array of (string or null)"),
        ({"type": "object", "additionalProperties": {"type": "string"}}, "map of string"),
        ({"anyOf": [ref("Client"), {"type": "null"}]}, "Client or null"),
        ({"allOf": [ref("Client")], "default": {}}, "Client"),
        ({"enum": ["a", 1]}, '"a" or 1'),
    ],
)
def test_a_type_in_words(schema: dict[str, Any], words: str) -> None:
    assert of_type(SMALL, schema) == words
