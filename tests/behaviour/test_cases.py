"""The cases of tests/contract/cases.json: bugs that ACP implementations had in the field, one test
for each.

What is said there about the dispatcher (error codes, logging, going on after an error) is not
tested here: models decide what decodes, and with which pointers it does not.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.behaviour.bindings import (
    SURFACES,
    V1,
    V2,
    decode,
    decode_update,
    encode,
    models,
    pointers,
)
from tests.behaviour.cases import case, update_of, valid


@pytest.mark.parametrize("name", SURFACES)
def test_c01_meta_is_written_by_wire_name_exactly_when_set(name: str) -> None:
    m = models(name)
    expected = case("C01")["expected_wire"]["params"]["update"]
    fields: dict[str, Any] = {"content": m.TextContentBlock(text="demo")}
    if name in V2:
        fields["message_id"] = "m"
        expected = {**expected, "messageId": "m"}
    with_meta = m.AgentMessageChunk(**fields, meta={"example.com/trace": "t1"})
    assert encode(with_meta) == expected
    without = {key: value for key, value in expected.items() if key != "_meta"}
    assert encode(m.AgentMessageChunk(**fields)) == without
    assert decode_update(name, encode(with_meta)) == with_meta
    nested = {
        **without,
        "content": {"type": "text", "text": "", "_meta": {"deep": [1]}},
        "_meta": {"top": None},
    }
    assert encode(decode_update(name, nested)) == nested


@pytest.mark.parametrize("name", V1)
def test_c02_null_for_a_required_counter_is_refused(name: str) -> None:
    params = case("C02")["params"]
    assert pointers(name, "SessionNotification", params) == ["/update/used"]
    params = json.loads(json.dumps(params))
    params["update"]["used"] = 0
    assert encode(decode(name, "SessionNotification", params)) == params


def test_c03_a_union_of_one_without_a_tag() -> None:
    for name in V1:
        command = decode_update(name, update_of(case("C03"))).available_commands[0]
        assert type(command.input) is models(name).UnstructuredCommandInput
        assert command.input.hint == "optional extra instructions"
    for name in V2:
        untagged = update_of(case("C03"))["availableCommands"][0]
        assert decode_update(name, update_of(case("C03"))).available_commands == []
        assert pointers(name, "AvailableCommand", untagged) == ["/type"]
        tagged = {**untagged, "type": "command", "input": {"type": "text", "hint": "h"}}
        assert decode(name, "AvailableCommand", tagged).input.hint == "h"


@pytest.mark.parametrize("name", V1)
def test_c04_an_empty_result_is_an_object(name: str) -> None:
    assert encode(models(name).WriteTextFileResponse()) == case("C04")["empty"]["result"] == {}
    assert decode(name, "WriteTextFileResponse", {}) == models(name).WriteTextFileResponse()
    for type_ in ("NewSessionResponse", "PromptResponse"):
        assert pointers(name, type_, case("C04")["null"]["result"]) == [""]


def test_c05_optionality_follows_the_schema_of_each_version() -> None:
    omitted, null = case("C05")["omitted"]["params"], case("C05")["null"]["params"]
    for name in V1:
        assert pointers(name, "NewSessionRequest", omitted) == ["/mcpServers"]
        assert decode(name, "NewSessionRequest", null).mcp_servers == []
    for name in V2:
        assert decode(name, "NewSessionRequest", omitted).mcp_servers == []
        assert decode(name, "NewSessionRequest", null).mcp_servers == []
        assert encode(decode(name, "NewSessionRequest", omitted)) == omitted


@pytest.mark.parametrize("name", V1)
def test_c06_required_members_are_written_even_when_empty(name: str) -> None:
    m = models(name)
    assert (
        encode(m.NewSessionRequest(cwd="/home/user/app", mcp_servers=[]))
        == case("C06")["expected_params"]
    )
    assert encode(m.TextContentBlock(text="")) == {"type": "text", "text": ""}
    usage = {"sessionUpdate": "usage_update", "used": 0, "size": 0}
    assert encode(m.UsageUpdate(used=0, size=0)) == usage
    assert encode(m.AvailableCommandsUpdate(available_commands=[]))["availableCommands"] == []


def test_c07_a_stdio_server_has_no_tag_in_v1() -> None:
    params = case("C07")["params"]
    for name in V1:
        server = decode(name, "NewSessionRequest", params).mcp_servers[0]
        assert type(server) is models(name).StdioMcpServer
        assert encode(server) == params["mcpServers"][0]
    for name in V2:
        assert pointers(name, "NewSessionRequest", params) == ["/mcpServers/0/type"]
        tagged = {**params["mcpServers"][0], "type": "stdio"}
        assert type(decode(name, "McpServer", tagged)) is models(name).StdioMcpServer


def test_c09_an_unknown_enum_value_does_not_lose_the_message() -> None:
    update = update_of(case("C09"))
    for name in V1:
        call = decode_update(name, update)
        assert call.kind is None
        assert encode(call) == {key: value for key, value in update.items() if key != "kind"}
    for name in V2:
        changed = {**update, "sessionUpdate": "tool_call_update"}
        call = decode_update(name, changed)
        assert call.kind == "deploy"
        assert encode(call) == changed


@pytest.mark.parametrize("name", SURFACES)
def test_c10_null_data_of_an_error(name: str) -> None:
    error = decode(name, "Error", case("C10")["error"])
    assert error.data is None
    assert encode(models(name).Error(code=-32603, message="m")) == {"code": -32603, "message": "m"}


@pytest.mark.parametrize("name", SURFACES)
def test_c11_unknown_fields_survive(name: str) -> None:
    update = update_of(case("C11"))
    if name in V2:
        update = {**update, "sessionUpdate": "tool_call_update"}
    call = decode_update(name, update)
    assert call.model_extra == {"x-acme": {"a": 1}}
    assert encode(call) == update
    with pytest.raises(ValueError):
        models(name).TextContentBlock(text="t", x_acme=1)


def test_c12_an_unknown_permission_kind() -> None:
    params = case("C12")["params"]
    for name in V1:
        assert pointers(name, "RequestPermissionRequest", params) == ["/options/0/kind"]
    for name in V2:
        option = decode(name, "PermissionOption", params["options"][0])
        assert option.kind == "allow_persistent"
        assert encode(option) == params["options"][0]


def test_c13_a_stop_reason_that_v1_does_not_know() -> None:
    for name in V1:
        assert pointers(name, "PromptResponse", case("C13")["error"]["result"]) == ["/stopReason"]
        assert (
            decode(name, "PromptResponse", case("C13")["normal"]["result"]).stop_reason
            == "end_turn"
        )
    for name in V2:
        idle = {"sessionUpdate": "state_update", "state": "idle", "stopReason": "error"}
        assert encode(decode_update(name, idle)) == idle
        bare = {"sessionUpdate": "state_update", "state": "idle"}
        assert encode(decode_update(name, bare)) == bare


@pytest.mark.parametrize("name", V1)
def test_c16_initialize_needs_a_protocol_version(name: str) -> None:
    assert pointers(name, "InitializeRequest", case("C16")["params"]) == ["/protocolVersion"]
    with pytest.raises(ValueError):
        models(name).InitializeRequest()


@pytest.mark.parametrize("name", SURFACES)
def test_c17_a_merged_initialize_reads_in_both_versions(name: str) -> None:
    params = case("C17")["params"]
    assert valid(name, "InitializeRequest", params)
    request = decode(name, "InitializeRequest", params)
    assert request.protocol_version == 2
    assert encode(request) == params


@pytest.mark.parametrize("name", V2)
def test_c18_initialize_with_unknown_members(name: str) -> None:
    params = case("C18")["params"]
    request = decode(name, "InitializeRequest", params)
    assert request.model_extra == {"futureThing": {"x": 1}}
    assert encode(request) == params


@pytest.mark.parametrize("name", V1)
@pytest.mark.parametrize("malformed", [None, "yes", [], 7])
def test_c21_malformed_capabilities_are_unsupported(name: str, malformed: object) -> None:
    assert case("C21")["result"]["agentCapabilities"] is None
    answer = decode(
        name, "InitializeResponse", {"protocolVersion": 1, "agentCapabilities": malformed}
    )
    assert answer.agent_capabilities.load_session is False
    assert answer.agent_capabilities.prompt_capabilities.image is False
    assert answer.agent_capabilities.session_capabilities.list_ is None


@pytest.mark.parametrize("name", V1)
def test_c22_present_null_and_absent_capabilities(name: str) -> None:
    capabilities = decode(name, "AgentCapabilities", case("C22")["agentCapabilities"])
    session = capabilities.session_capabilities
    assert session.list_ is not None
    assert session.close is not None and session.close.meta == {}
    assert (session.delete, session.resume, capabilities.load_session) == (None, None, False)


def test_c25_a_capability_of_a_newer_version() -> None:
    result = case("C25")["result"]
    stable = decode("v1", "InitializeResponse", result)
    assert stable.agent_capabilities.session_capabilities.list_ is not None
    assert stable.agent_capabilities.session_capabilities.model_extra == {"fork": {}}
    assert encode(stable) == result
    unstable = decode("v1_unstable", "InitializeResponse", result)
    assert unstable.agent_capabilities.session_capabilities.fork is not None
    assert encode(unstable) == result


@pytest.mark.parametrize("name", V1)
def test_c26_auth_capabilities_stand_on_their_own_side(name: str) -> None:
    client = decode(name, "ClientCapabilities", case("C26")["clientCapabilities"])
    assert client.auth.terminal is True
    agent = decode(name, "AgentCapabilities", case("C26")["agentCapabilities"])
    assert agent.auth.logout is not None
    assert not hasattr(agent.auth, "terminal")
