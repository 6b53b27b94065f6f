"""Gates over a small table, and over the generated ones as models and as JSON."""

from __future__ import annotations

from typing import Any

import pytest

from acpgen.runtime.agreement import disagreements, implied
from acpgen.runtime.gates import Capabilities, Gates
from acpgen.runtime.table import Check, Row, State, Table, Update
from tests.behaviour.bindings import surface
from tests.contract.messages import checkers as capabilities_of

CAPABILITIES = Capabilities(
    roots={"agent": "caps", "client": "caps"},
    kinds={
        "agent": {"load": "boolean", "s": "object", "s.del": "object", "s.sync": "value"},
        "client": {"term": "boolean"},
    },
)
ROWS = (
    Row("load", "agent", "request", requires="agent: load"),
    Row("del", "agent", "request", requires="agent: s.del"),
    Row("del2", "agent", "request", requires="agent: s.del"),
    Row("tell", "agent", "notification", requires="agent: s", optional=True),
    Row("either", "agent", "request", requires="any(agent: load, agent: s.del)"),
    Row("term", "client", "request", requires="client: term"),
    Row("authored", "agent", "request", requires="state: authored"),
    Row(
        "open",
        "agent",
        "request",
        checks=(
            Check("/paths/*", rule="absolute_path"),
            Check("/command", rule="absolute_path", by="sender"),
            Check("/mode", (("is", "x"),), requires="agent: s.del", by="receiver", note="use y"),
            Check("/items/*/env/*/name", rule="unique"),
        ),
    ),
    Row("$/cancel", "protocol", "notification"),
    Row("update", "client", "notification"),
)
TABLE = Table(
    version=1,
    channel="stable",
    models="nowhere",
    rows=ROWS,
    updates=(
        Update("plain"),
        Update("gated", requires="client: term"),
        Update("checked", checks=(Check("/list/*/type", (("is", "t"),), requires="never"),)),
    ),
    states=(State("authored", "Only the author knows.", "author", False),),
    update_method="update",
    update_at=("update",),
    update_tag="kind",
)
OPEN = TABLE["open", "agent", "request"]
UPDATE = TABLE["update", "client", "notification"]


def gates(agent: Any = None, client: Any = None, **more: Any) -> Gates:
    return Gates(TABLE, CAPABILITIES, {"caps": client}, {"caps": agent}, **more)


def test_before_initialize_nothing_is_advertised() -> None:
    checkers = Gates(TABLE, CAPABILITIES)
    assert not checkers.has("agent", "load")
    assert str(checkers.why_not(TABLE["load", "agent", "request"])) == (
        "the agent has not advertised load"
    )


@pytest.mark.parametrize("value", [None, True, [], "s", 3])
def test_a_capabilities_object_that_is_none(value: Any) -> None:
    assert not gates(value).has("agent", "s")
    assert not gates({"s": value}).has("agent", "s.del")


def test_a_capability_that_is_a_value() -> None:
    checkers = gates({"s": {"sync": "full"}})
    assert checkers.has("agent", "s.sync")
    assert not gates({"s": {"sync": None}}).has("agent", "s.sync")
    assert checkers.refusal('agent: s.sync = "full"') is None
    refused = checkers.refusal('agent: s.sync = "part"')
    assert str(refused) == 'the agent has not advertised s.sync as "part"'


def test_a_capability_that_the_table_does_not_know() -> None:
    """An extension's own may be true or an object."""
    checkers = gates({"_meta": {"mine": True, "other": {}, "no": False}})
    assert checkers.has("agent", "_meta.mine")
    assert checkers.has("agent", "_meta.other")
    assert not checkers.has("agent", "_meta.no")


def test_the_refusal_of_a_choice_names_all_of_it() -> None:
    refused = gates().why_not(TABLE["either", "agent", "request"])
    assert refused is not None
    assert (refused.side, refused.path) == ("agent", "load")
    assert str(refused) == "the agent has advertised none of load, s.del"
    assert gates({"s": {"del": {}}}).supports(TABLE["either", "agent", "request"])


def test_a_state_without_an_answer_has_its_default() -> None:
    row = TABLE["authored", "agent", "request"]
    refused = gates().why_not(row)
    assert refused is not None
    assert refused.side is None
    assert "Only the author knows." in str(refused)
    seen = []

    def hook(params: Any, value: Any) -> bool:
        seen.append((params, value))
        return True

    assert gates(states={"authored": hook}).supports(row, {"a": 1})
    assert seen == [({"a": 1}, None)]


def test_who_checks_what() -> None:
    message = {"paths": ["a"], "command": "b", "mode": "x"}
    sent = [item.pointer for item in gates().check_params(OPEN, message, sending=True)]
    received = gates().check_params(OPEN, message)
    assert sent == ["/paths/0", "/command"]
    assert [item.pointer for item in received] == ["/paths/0", "/mode"]
    assert str(received[1]) == (
        "/mode 'x' is not allowed: the agent has not advertised s.del (use y)"
    )
    assert received[1].refusal is not None
    assert received[1].refusal.path == "s.del"
    assert received[0].refusal is None


def test_uniqueness_is_asked_within_one_list() -> None:
    names = [["a", "b"], ["a", "c", "c"]]
    message = {"items": [{"env": [{"name": name} for name in list_]} for list_ in names]}
    found = gates().check_params(OPEN, message)
    assert [item.pointer for item in found] == ["/items/1/env/2/name"]


def test_kinds_of_update() -> None:
    def found(update: Any) -> list[str]:
        return [item.pointer for item in gates().check_notification(UPDATE, {"update": update})]

    assert found({"kind": "plain"}) == []
    assert found({"kind": "gated"}) == ["/update/kind"]
    assert found({"kind": "checked", "list": [{"type": "s"}, {"type": "t"}]}) == [
        "/update/list/1/type"
    ]
    for odd in ({"kind": "unknown"}, {}, None, [], {"kind": 3}, {"kind": ["plain"]}):
        assert found(odd) == []
    assert (
        gates(client={"term": True}).check_notification(UPDATE, {"update": {"kind": "gated"}}) == []
    )


def test_the_table() -> None:
    assert len(TABLE) == len(ROWS)
    assert list(TABLE) == list(ROWS)
    assert TABLE.get("$/cancel", "agent", "notification") is ROWS[-2]
    assert TABLE.get("load", "client", "request") is None
    assert TABLE.get("load", "agent", "notification") is None
    assert [row.method for row in TABLE.received_by("client")] == ["term", "update"]
    assert ROWS[0].sender == "client"
    assert str(ROWS[0]) == "load (request to the agent)"


IMPLEMENTED = {("load", "request"), ("del", "request"), ("tell", "notification")}


def test_what_follows_from_the_methods() -> None:
    assert implied(TABLE, CAPABILITIES, "agent", IMPLEMENTED) == {"load": True, "s": {}}
    both = {*IMPLEMENTED, ("del2", "request")}
    assert implied(TABLE, CAPABILITIES, "agent", both) == {"load": True, "s": {"del": {}}}
    assert implied(TABLE, CAPABILITIES, "client", ()) == {}


def test_disagreements_in_both_directions() -> None:
    def found(caps: Any, implemented: Any) -> list[str]:
        message = {"caps": caps}
        return [
            str(item) for item in disagreements(TABLE, CAPABILITIES, "agent", message, implemented)
        ]

    assert found({}, ()) == []
    assert found({"load": True}, ()) == [
        "`agent: load` is advertised, but load is not implemented",
        "`any(agent: load, agent: s.del)` is advertised, but either is not implemented",
    ]
    assert found({}, {("del", "request")}) == [
        "del is implemented, but `agent: s.del` is not advertised"
    ]
    assert found({"s": {}}, ()) == [], "a method that may be left out"


class TestModels:
    """The same answers for models as for JSON."""

    def test_v1(self) -> None:
        v1 = surface("v1")
        request = v1.InitializeRequest(protocol_version=1)
        capabilities = {"loadSession": True, "sessionCapabilities": {"list": {}, "close": None}}
        response = v1.decode(
            v1.InitializeResponse, {"protocolVersion": 1, "agentCapabilities": capabilities}
        )
        for pair in ((request, response), (v1.encode(request), v1.encode(response))):
            checkers = capabilities_of("v1").gates(*pair)
            advertised = v1.CAPABILITIES.advertised("agent", pair[1])
            leaves = {
                path for path in advertised if v1.CAPABILITIES.kinds["agent"][path] == "boolean"
            }
            assert leaves == {"loadSession"}
            assert "sessionCapabilities.list" in advertised
            assert checkers.supports(v1.TABLE["session/list", "agent", "request"])
            assert not checkers.supports(v1.TABLE["session/close", "agent", "request"])

    @pytest.mark.parametrize("name", ["v1_unstable", "v2_unstable"])
    def test_a_call(self, name: str) -> None:
        module = surface(name)
        params = {
            "cwd": "here",
            "additionalDirectories": ["/a", "b"],
            "mcpServers": [
                {"type": "http", "name": "n", "url": "u", "headers": []},
                {"type": "stdio", "name": "n", "command": "run", "args": [], "env": []},
            ],
            "configOptions": [
                {"configId": "a", "type": "id", "value": "x"},
                {"configId": "a", "type": "boolean", "value": True},
            ],
        }
        row = module.TABLE["session/new", "agent", "request"]
        model = module.decode(module.TABLE.params_type(row), params)
        checkers = capabilities_of(name).gates({}, {})
        for sending in (False, True):
            from_json = checkers.check_params(row, params, sending=sending)
            assert checkers.check_params(row, model, sending=sending) == from_json
            pointers = [item.pointer for item in from_json]
            assert {"/cwd", "/additionalDirectories", "/additionalDirectories/1"} <= set(pointers)
            assert {"/mcpServers/0/type", "/configOptions", "/configOptions/1/configId"} <= set(
                pointers
            )
            assert ("/mcpServers/1/command" in pointers) is sending

    @pytest.mark.parametrize("empty", [None, []])
    def test_an_empty_list_needs_no_capability(self, empty: Any) -> None:
        v2 = surface("v2_unstable")
        row = v2.TABLE["session/new", "agent", "request"]
        checkers = capabilities_of("v2_unstable").gates({}, {})
        params = {"cwd": "/a", "additionalDirectories": empty, "configOptions": empty}
        assert checkers.check_params(row, params, sending=True) == []
        assert checkers.check_params(row, v2.decode(v2.NewSessionRequest, params)) == []
