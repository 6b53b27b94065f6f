"""Rules of tests/contract/rules.md about session/options."""

from __future__ import annotations

from typing import Any

import pytest

from tests.behaviour.bindings import decode, encode, pointers, schema, surface
from tests.contract.messages import checkers, initialize, refusals

NEW_V1 = {"cwd": "/", "mcpServers": []}


@pytest.mark.rule(89)
@pytest.mark.parametrize(
    ("name", "path", "setup"),
    [
        ("v1_unstable", "sessionCapabilities", ("New", "Load", "Resume")),
        ("v2_unstable", "session", ("New", "Resume")),
    ],
)
def test_options_oblige_to_the_method_and_the_field(name: str, path: str, setup: Any) -> None:
    _, response = initialize(name[:2], [("agent", f"{path}.options", {})])
    found = checkers(name).disagreements("agent", response, ())
    assert "session/options" in {item.row.method for item in found if item.kind == "advertised"}
    for word in setup:
        assert "configOptions" in schema(name)["$defs"][f"{word}SessionRequest"]["properties"]
    assert "configOptions" not in schema(name)["$defs"]["ForkSessionRequest"]["properties"]


@pytest.mark.rule(92, 94, 95)
@pytest.mark.parametrize("name", ["v1_unstable", "v2_unstable"])
def test_the_params_of_session_options(name: str) -> None:
    assert pointers(name, "SessionOptionsRequest", {}) == ["/cwd"]
    plain = encode(decode(name, "SessionOptionsRequest", {"cwd": "/"}))
    assert encode(decode(name, "SessionOptionsRequest", {"cwd": "/", "sessionId": None})) == plain
    assert "sessionId" not in plain
    assert refusals(name, "session/options", {"cwd": "/", "sessionId": None}) == []
    assert "mcpServers" not in schema(name)["$defs"]["SessionOptionsRequest"]["properties"]
    with pytest.raises(ValueError, match="mcp_servers"):
        surface(name).SessionOptionsRequest(cwd="/", mcp_servers=[])


@pytest.mark.rule(98, 114, 118, 119)
@pytest.mark.parametrize("name", ["v1_unstable", "v2_unstable"])
def test_the_answer_of_session_options(name: str) -> None:
    definitions = schema(name)["$defs"]
    answer = definitions["SessionOptionsResponse"]["properties"]
    setup = definitions["NewSessionResponse"]["properties"]
    assert answer["configOptions"] == setup["configOptions"]
    v1 = name.startswith("v1")
    assert ("modes" in answer) is ("modes" in setup) is v1
    assert ("availableCommands" in answer) is not v1
    if v1:
        assert answer["modes"] == setup["modes"]
        assert set(definitions["NewSessionRequest"]["properties"]).isdisjoint({"modeId", "mode"})


@pytest.mark.rule(105, 110, 115, 120)
@pytest.mark.parametrize("name", ["v1_unstable", "v2_unstable"])
def test_initial_config_options(name: str) -> None:
    base = NEW_V1 if name.startswith("v1") else {"cwd": "/"}

    def places(entry: Any) -> list[str]:
        return pointers(name, "NewSessionRequest", {**base, "configOptions": [good, entry]})

    good = {"configId": "a", "type": "id", "value": "x"}
    assert decode(name, "NewSessionRequest", {**base, "configOptions": [good]})
    assert places({"type": "id", "value": "x"})[0].startswith("/configOptions/1/")
    unfit = {"configId": "b", "type": "boolean", "value": "x"}
    if name.startswith("v2"):
        assert places(unfit) == ["/configOptions/1/value"]
    else:  # the schema of v1 takes it for an entry without a known type; the checkers do not
        agent = {"sessionCapabilities.options": {}}
        client = {"session.configOptions.boolean": {}}
        request = {**base, "configOptions": [good, unfit]}
        for message in (request, decode(name, "NewSessionRequest", request)):
            found = refusals(name, "session/new", message, agent=agent, client=client)
            assert found == ["/configOptions/1"]
    assert places(3) == ["/configOptions/1"]
    untyped = {"configId": "b", "value": "x"}
    if name.startswith("v1"):
        request = {**base, "configOptions": [untyped]}
        assert encode(decode(name, "NewSessionRequest", request))["configOptions"] == [untyped]
    else:
        assert places(untyped) == ["/configOptions/1/type"]
    setting = {**good, "sessionId": "s"}
    assert decode(name, "SetSessionConfigOptionRequest", setting).config_id == "a"


@pytest.mark.rule(111)
@pytest.mark.parametrize("name", ["v1_unstable", "v2_unstable"])
def test_an_option_is_set_once(name: str) -> None:
    path = "session.options" if name.startswith("v2") else "sessionCapabilities.options"
    entries = [{"configId": key, "type": "id", "value": "x"} for key in "aba"]
    for sending in (False, True):
        found = refusals(
            name,
            "session/new",
            {"cwd": "/", "configOptions": entries},
            sending=sending,
            agent={path: {}},
        )
        assert found == ["/configOptions/2/configId"]


@pytest.mark.rule(116)
def test_boolean_options_in_v1() -> None:
    table = surface("v1_unstable").TABLE
    entry = {"configId": "a", "type": "boolean", "value": True}
    agent = {"sessionCapabilities.options": {}}
    client = {"session.configOptions.boolean": {}}
    for method in ("session/new", "session/load", "session/resume"):
        request = {"cwd": "/", "configOptions": [entry]}
        assert refusals("v1_unstable", method, request, agent=agent) == ["/configOptions/0/type"]
        assert refusals("v1_unstable", method, request, agent=agent, client=client) == []
        row = table[method, "agent", "request"]
        for supported in (False, True):
            said = [("client", path, value) for path, value in client.items() if supported]
            gates = checkers("v1_unstable").gates(*initialize("v1", said))
            found = gates.check_result(row, {"configOptions": [{"type": "boolean"}]})
            assert [item.pointer for item in found] == ["/configOptions/0/type"] * (not supported)
