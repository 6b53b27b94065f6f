"""What a side advertises: what follows from its methods, and what its author declares."""

from __future__ import annotations

from typing import Any

import pytest

from acpgen.runtime.errors import MethodNotFound
from acpgen.runtime.implementation import declared, merged, method_not_found
from acpgen.runtime.table import Elsewhere, Table
from tests.robustness.raw import run
from tests.unit.runtime.surface import Agent, Client, with_methods


def test_capabilities_follow_from_overridden_methods() -> None:
    assert Agent().advertised() == {}
    assert with_methods(Agent, "open")().advertised() == {}
    assert with_methods(Agent, "list")().advertised() == {"session": {"list": {}}}
    whole = with_methods(Agent, "drop", "drop_all")()
    assert whole.advertised() == {"session": {"drop": {}}}
    assert whole.implemented() == {("drop", "request"), ("drop_all", "request")}
    assert whole.implements("drop") and not whole.implements("list")


def test_a_method_that_is_set_on_the_instance_counts() -> None:
    class Late(Agent):
        def __init__(self) -> None:
            self.list = self.open
            super().__init__()

    assert Late().advertised() == {"session": {"list": {}}}


def test_a_method_of_a_base_in_between_counts() -> None:
    base = with_methods(Agent, "list")
    assert type("Mine", (base,), {})().advertised() == {"session": {"list": {}}}


def test_declared_capabilities_are_laid_over_what_follows() -> None:
    agent = with_methods(Agent, "list")
    over = {"session": {"list": {"_meta": {"k": 1}}}, "extra": True, "_mine": 1}
    found = agent(capabilities=over).advertised()
    assert found == {"session": {"list": {"_meta": {"k": 1}}}, "extra": True, "_mine": 1}
    assert agent(capabilities={"session": {"list": None}}).advertised() == {"session": {}}
    assert agent(capabilities={"session": None}).advertised() == {}


def test_an_advertised_capability_without_its_methods_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"Agent: `agent: session\.list`.*list is not implemented"):
        Agent(capabilities={"session": {"list": {}}})
    with pytest.raises(ValueError, match=r"`client: read`.*read is not implemented"):
        Client(capabilities={"read": True})
    Client(capabilities={"read": False})
    Client(capabilities={"read": "yes"})  # malformed: unsupported


def test_a_part_of_an_agents_capability_is_an_error_unless_it_is_taken_back() -> None:
    part = with_methods(Agent, "drop")
    with pytest.raises(ValueError, match="needs drop_all"):
        part()
    assert part(capabilities={"session": {"drop": None}}).advertised() == {"session": {}}


def test_what_nobody_can_call_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    client = with_methods(Client, "ask")
    client()
    assert "`any(client: form, client: url)` is not advertised" in caplog.text
    caplog.clear()
    client(capabilities={"url": {}})
    assert caplog.text == ""


def test_the_message_has_a_name_and_meta() -> None:
    message = with_methods(Agent)(meta={"k": None}).own_message()
    assert message["agentInfo"] == {"name": "Mine", "version": "0"}
    assert message["_meta"] == {"k": None}
    assert "agentInfo" not in Client().own_message() and Client.INFO == ""
    named = Agent(info={"name": "a", "version": "9"})
    assert named.own_message()["agentInfo"] == {"name": "a", "version": "9"}
    assert Agent.info is None, "an argument is the instance's alone"


def test_extension_methods_are_not_found_by_default() -> None:
    async def scenario() -> None:
        with pytest.raises(MethodNotFound) as caught:
            await Agent().ext_method("_x", {}, None)
        assert caught.value.data == {"method": "_x"}
        assert await Agent().ext_notification("_x", {}, None) is None  # type: ignore[func-returns-value]

    run(scenario())


@pytest.mark.parametrize(
    ("base", "over", "wanted"),
    [
        ({"a": 1}, {"b": 2}, {"a": 1, "b": 2}),
        ({"a": {"b": 1}}, {"a": {"c": 2}}, {"a": {"b": 1, "c": 2}}),
        ({"a": {"b": 1}}, {"a": {"b": None}}, {"a": {}}),
        ({"a": {"b": 1}}, {"a": None}, {}),
        ({"a": {"b": 1}}, {"a": True}, {"a": True}),
        ({}, {"a": {"b": {"c": None}}}, {"a": {"b": {}}}),
        ({"a": [1]}, {"a": [2]}, {"a": [2]}),
        ({"a": 1}, None, {"a": 1}),
    ],
)
def test_merged(base: Any, over: Any, wanted: Any) -> None:
    before = repr((base, over))
    assert merged(base, over) == wanted
    assert repr((base, over)) == before, "the arguments stay as they are"


def test_declared_is_what_was_given() -> None:
    assert declared({"a": {"b": None, "c": [1]}}) == {"a": {"b": None, "c": [1]}}
    assert declared(None) is None


def test_a_method_that_only_others_have_says_what_does_the_same() -> None:
    missing = Elsewhere("old", "agent", (1,), ("new", "newer"), "mind the gap")
    error = method_not_found("old", missing, 2)
    assert str(error.message) == "Method not found: old (see new or newer; mind the gap)"
    assert error.data == {
        "method": "old",
        "protocolVersion": 2,
        "definedBy": [1],
        "replacedBy": ["new", "newer"],
        "hint": "mind the gap",
    }
    assert error.replaced_by == ["new", "newer"]
    plain = method_not_found("old", Elsewhere("old", "agent", (1,), ("new",)), 2)
    assert plain.data is not None and "hint" not in plain.data
    assert method_not_found("odd").data == {"method": "odd"}


def test_a_table_knows_what_it_lacks_by_method_and_side() -> None:
    item = Elsewhere("old", "agent", (1,))
    table = Table(version=2, channel="stable", models="none", rows=(), elsewhere=(item,))
    assert table.missing("old", "agent") is item
    assert table.missing("old", "client") is None
    assert table.missing("new", "agent") is None
