"""Rules of tests/contract/rules.md about session setup, paths and MCP servers."""

from __future__ import annotations

import pytest

from tests.behaviour.bindings import V1, V2, decode, encode, models, pointers, schema, surface
from tests.contract.messages import refusals

SETUP_V2 = ("NewSessionResponse", "ResumeSessionResponse")
NEW_V1 = {"cwd": "/", "mcpServers": []}


@pytest.mark.rule(2, 10)
@pytest.mark.parametrize("name", V2)
def test_v2_setup_requests(name: str) -> None:
    assert pointers(name, "NewSessionRequest", {}) == ["/cwd"]
    assert decode(name, "NewSessionRequest", {"cwd": "/"}).mcp_servers == []
    assert set(pointers(name, "ResumeSessionRequest", {})) == {"/cwd", "/sessionId"}
    resume = decode(name, "ResumeSessionRequest", {"sessionId": "s", "cwd": "/"})
    assert resume.replay_from is None
    for missing in (None, ...):
        cursor = {} if missing is ... else {"replayFrom": missing}
        again = decode(name, "ResumeSessionRequest", {"sessionId": "s", "cwd": "/", **cursor})
        assert encode(again) == encode(resume)


@pytest.mark.rule(43, 46, 61)
@pytest.mark.parametrize("name", V1)
def test_v1_setup_requests(name: str) -> None:
    assert set(pointers(name, "NewSessionRequest", {})) == {"/cwd", "/mcpServers"}
    assert set(pointers(name, "LoadSessionRequest", {})) == {"/cwd", "/mcpServers", "/sessionId"}
    stdio = {"name": "n", "command": "/c"}
    request = {"cwd": "/", "mcpServers": [stdio]}
    assert set(pointers(name, "NewSessionRequest", request)) == {
        "/mcpServers/0/args",
        "/mcpServers/0/env",
    }
    http = {"type": "http", "name": "n", "url": "u"}
    request = {"cwd": "/", "mcpServers": [http]}
    assert pointers(name, "NewSessionRequest", request) == ["/mcpServers/0/headers"]


@pytest.mark.rule(3, 44)
@pytest.mark.parametrize("name", [*V1, *V2])
def test_the_answer_names_the_session(name: str) -> None:
    assert pointers(name, "NewSessionResponse", {}) == ["/sessionId"]


@pytest.mark.rule(4, 5, 6)
@pytest.mark.parametrize("name", V2)
@pytest.mark.parametrize("type_", SETUP_V2)
def test_v2_setup_answers(name: str, type_: str) -> None:
    class_ = getattr(models(name), type_)
    base = {"session_id": "s"} if type_ == "NewSessionResponse" else {}
    assert {"configOptions", "availableCommands"} <= set(schema(name)["$defs"][type_]["properties"])
    assert "availableCommands" not in encode(class_(**base, available_commands=[]))
    with pytest.raises(ValueError, match="valid list"):
        class_(**base, available_commands=None)


@pytest.mark.rule(7)
@pytest.mark.parametrize("name", V2)
@pytest.mark.parametrize("type_", SETUP_V2)
def test_a_broken_list_of_commands(name: str, type_: str) -> None:
    good = {"type": "command", "name": "n", "description": "d"}
    for value in (None, "x", 3, {}):
        message = {"sessionId": "s", "availableCommands": value}
        assert decode(name, type_, message).available_commands == []
    message = {"sessionId": "s", "availableCommands": [good, 3, {"name": 3}]}
    assert [item.name for item in decode(name, type_, message).available_commands] == ["n"]


@pytest.mark.rule(25)
@pytest.mark.parametrize("name", [*V1, *V2])
def test_closing_is_answered_with_an_empty_object(name: str) -> None:
    assert encode(surface(name).CloseSessionResponse()) == {}


@pytest.mark.rule(14, 16)
@pytest.mark.parametrize("name", V2)
def test_messages_come_whole_or_in_chunks_with_an_id(name: str) -> None:
    table = surface(name).TABLE
    for who in ("user_message", "agent_message", "agent_thought"):
        for kind in (who, f"{who}_chunk"):
            properties = schema(name)["$defs"]
            assert table.updates[kind].identity == "messageId"
            update = {"sessionUpdate": kind, "content": {"type": "text", "text": "t"}}
            found = pointers(
                name, "UpdateSessionNotification", {"sessionId": "s", "update": update}
            )
            assert "/update/messageId" in found, properties


@pytest.mark.rule(51)
@pytest.mark.parametrize("name", V1)
def test_the_session_id_serves_the_other_methods(name: str) -> None:
    for type_ in ("PromptRequest", "CancelNotification", "LoadSessionRequest"):
        assert "/sessionId" in pointers(name, type_, {})


@pytest.mark.rule(28, 32, 52, 92)
@pytest.mark.parametrize("name", ["v1_unstable", "v2_unstable"])
def test_paths_are_absolute(name: str) -> None:
    session = "session." if name.startswith("v2") else "sessionCapabilities."
    agent = {f"{session}additionalDirectories": {}}
    names = {row.method for row in surface(name).TABLE}
    setup = {"session/new", "session/load", "session/resume", "session/fork", "session/options"}
    for method in sorted(setup & names):
        for sending in (False, True):
            bad = {"cwd": "a", "additionalDirectories": ["/ok", "b"]}
            found = refusals(name, method, bad, sending=sending, agent=agent)
            assert found == ["/cwd", "/additionalDirectories/1"], method
            good = {"cwd": "C:\\a", "additionalDirectories": ["/b"]}
            assert refusals(name, method, good, sending=sending, agent=agent) == []


@pytest.mark.rule(39, 60)
@pytest.mark.parametrize("name", [*V1, *V2])
def test_a_command_is_absolute_when_it_is_sent(name: str) -> None:
    agent = {"session.mcp.stdio": {}} if name.startswith("v2") else {}
    request = {"cwd": "/", "mcpServers": [{"type": "stdio", "name": "n", "command": "npx"}]}
    assert refusals(name, "session/new", request, agent=agent) == ["/mcpServers/0/command"]
    assert refusals(name, "session/new", request, sending=False, agent=agent) == []


@pytest.mark.rule(30, 93, 104)
@pytest.mark.parametrize("name", ["v1_unstable", "v2_unstable"])
@pytest.mark.parametrize("key", ["additionalDirectories", "configOptions"])
def test_an_empty_list_is_as_if_left_out(name: str, key: str) -> None:
    base = NEW_V1 if name.startswith("v1") else {"cwd": "/"}
    plain = encode(decode(name, "NewSessionRequest", base))
    for value in ([], None):
        request = {**base, key: value}
        assert encode(decode(name, "NewSessionRequest", request)) == plain
        assert refusals(name, "session/new", request) == []
    assert key not in plain


@pytest.mark.rule(40)
@pytest.mark.parametrize("name", V2)
def test_the_lists_of_a_server(name: str) -> None:
    for server, keys in (
        ({"type": "stdio", "name": "n", "command": "/c"}, ("args", "env")),
        ({"type": "http", "name": "n", "url": "u"}, ("headers",)),
    ):
        plain = encode(decode(name, "McpServer", server))
        empty = {**server, **{key: [] for key in keys}}
        written = encode(decode(name, "McpServer", empty))
        assert {key: written.get(key, []) for key in keys} == {key: [] for key in keys}
        assert {key: plain.get(key, []) for key in keys} == {key: [] for key in keys}


@pytest.mark.rule(35, 36)
@pytest.mark.parametrize("name", V2)
def test_v2_servers_have_a_type(name: str) -> None:
    request = {"cwd": "/", "mcpServers": [{"name": "n", "command": "/c"}]}
    assert pointers(name, "NewSessionRequest", request) == ["/mcpServers/0/type"]
    class_ = type(decode(name, "McpServer", {"type": "_mine", "name": "n"}))
    assert encode(class_(type="_mine", name="n"))["type"] == "_mine"
    with pytest.raises(ValueError, match="must begin with an underscore"):
        class_(type="mine", name="n")
    reserved = {"cwd": "/", "mcpServers": [{"type": "sse", "name": "n"}, {"type": "_x"}]}
    for sending in (False, True):
        assert refusals(name, "session/new", reserved, sending=sending) == [
            "/mcpServers/1/type",
            "/mcpServers/0/type",
        ]


@pytest.mark.rule(55, 59)
@pytest.mark.parametrize("name", V1)
def test_v1_servers_without_a_type_are_stdio(name: str) -> None:
    stdio = {"name": "n", "command": "/c", "args": [], "env": []}
    request = decode(name, "NewSessionRequest", {"cwd": "/", "mcpServers": [stdio]})
    assert type(request.mcp_servers[0]).__name__ == "StdioMcpServer"
    assert refusals(name, "session/new", request) == []
    for type_ in ("http", "sse"):
        server = {"type": type_, "name": "n", "url": "u", "headers": []}
        assert decode(name, "McpServer", server).type == type_
        for wrong in (type_.upper(), f"{type_} "):
            assert pointers(name, "McpServer", {**server, "type": wrong})


@pytest.mark.rule(62)
@pytest.mark.parametrize("name", V1)
def test_sse_is_said_to_be_deprecated(name: str) -> None:
    (check,) = (
        check
        for check in surface(name).TABLE["session/new", "agent", "request"].checks
        if check.when == (("is", "sse"),)
    )
    assert "deprecates" in check.note


@pytest.mark.rule("N13")
@pytest.mark.parametrize("name", V2)
def test_environment_names_are_sent_once(name: str) -> None:
    env = [{"name": "A", "value": "1"}, {"name": "A", "value": "2"}]
    servers = [{"type": "stdio", "name": "n", "command": "/c", "env": env}] * 2
    request = {"cwd": "/", "mcpServers": servers}
    agent = {"session.mcp.stdio": {}}
    found = refusals(name, "session/new", request, agent=agent)
    assert found == ["/mcpServers/0/env/1/name", "/mcpServers/1/env/1/name"]
    assert refusals(name, "session/new", request, sending=False, agent=agent) == []
