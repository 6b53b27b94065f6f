"""Agents: how what a client sends reaches the methods, or does not."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from acp_bindings import v1, v2
from acp_bindings.runtime.errors import InvalidParams

from tests.behaviour.agents import AGENTS, BOTH, PROMPT, S1, Agent1, Agent2
from tests.behaviour.ends import INITIALIZE, NEW, agent_end, client_params, pointers, run


@BOTH
def test_unknown_methods(version: int) -> None:
    """Cases C27, C29, C30; decision 14."""

    async def scenario() -> None:
        async with agent_end(AGENTS[version](), initialize=INITIALIZE[version]) as raw:
            for method in (
                "totally/bogus",
                "session/set_models",
                "_example.com/ask",
                "_",
                "__init__",
            ):
                error = await raw.error(method, {})
                assert error["code"] == -32601
                assert error["data"] == {"method": method}
            # A method of the other side, and a notification sent as a request.
            for method in ("session/update", "session/request_permission", "session/cancel"):
                assert (await raw.error(method, S1))["code"] == -32601

    run(scenario())


@pytest.mark.rule(45, 90)
def test_what_is_not_overridden_or_not_advertised() -> None:
    """Decision 3."""

    async def scenario() -> None:
        async with agent_end(Agent1(), initialize=INITIALIZE[1]) as raw:
            for method in ("session/load", "session/list", "session/set_mode", "logout"):
                assert (await raw.error(method, {**S1, **NEW[1]}))["code"] == -32601

    run(scenario())


@BOTH
def test_bad_params_name_every_place(version: int) -> None:
    """Case C30."""

    async def scenario() -> None:
        async with agent_end(AGENTS[version](), initialize=INITIALIZE[version]) as raw:
            error = await raw.error("session/prompt", {"prompt": [{"type": "text"}, {"type": 5}]})
            assert error["code"] == -32602
            assert set(pointers(error)) == {"/sessionId", "/prompt/0/text", "/prompt/1/type"}
            assert (await raw.error("session/prompt"))["code"] == -32602
            error = await raw.error("session/new", [])
            assert error["code"] == -32602 and pointers(error) == [""]

    run(scenario())


@pytest.mark.rule(61)
def test_missing_lists_follow_the_schema_of_each_version() -> None:
    """Case C05."""
    agents = Agent1(), Agent2()

    async def scenario() -> None:
        async with agent_end(agents[0], initialize=INITIALIZE[1]) as raw:
            error = await raw.error("session/new", {"cwd": "/w"})
            assert error["code"] == -32602 and pointers(error) == ["/mcpServers"]
            await raw.result("session/new", {"cwd": "/w", "mcpServers": None})
        async with agent_end(agents[1], initialize=INITIALIZE[2]) as raw:
            await raw.result("session/new", {"cwd": "/w"})
            await raw.result("session/new", {"cwd": "/w", "mcpServers": None})

    run(scenario())
    assert [item.mcp_servers for item in (*agents[0].seen, *agents[1].seen)] == [[], [], []]


@BOTH
@pytest.mark.rule(28, 32, 52, 92)
def test_paths_are_absolute(version: int) -> None:
    """Decision 9."""
    server = {"name": "x", "command": "npx", "args": [], "env": []}
    if version == 2:
        server["type"] = "stdio"
    capabilities = v2.AgentCapabilities(
        session=v2.SessionCapabilities(
            mcp=v2.McpCapabilities(stdio=v2.McpStdioCapabilities()),
        )
    )
    agent = AGENTS[version](**({"capabilities": capabilities} if version == 2 else {}))

    async def scenario() -> None:
        async with agent_end(agent, initialize=INITIALIZE[version]) as raw:
            error = await raw.error("session/new", {**NEW[version], "cwd": "w"})
            assert error["code"] == -32602 and pointers(error) == ["/cwd"]
            for path in ("/w", r"C:\w", r"\\host\share"):
                await raw.result("session/new", {**NEW[version], "cwd": path})
            # Clients in the field send bare names of programs.
            await raw.result("session/new", {"cwd": "/w", "mcpServers": [server]})

    run(scenario())
    assert len(agent.seen) == 4


@BOTH
@pytest.mark.rule(27, 57, 84)
def test_unsupported_parameters(version: int) -> None:
    """Decisions 3 and 7."""
    agent = AGENTS[version]()
    http = {"type": "http", "name": "x", "url": "http://x", "headers": []}

    async def scenario() -> None:
        async with agent_end(agent, initialize=INITIALIZE[version]) as raw:
            new = {"cwd": "/w", "mcpServers": [http]}
            error = await raw.error("session/new", new)
            assert error["code"] == -32602 and pointers(error) == ["/mcpServers/0/type"]
            new = {**NEW[version], "additionalDirectories": ["/a"]}
            error = await raw.error("session/new", new)
            assert error["code"] == -32602 and pointers(error) == ["/additionalDirectories"]
            for nothing in ([], None):
                await raw.result("session/new", {**NEW[version], "additionalDirectories": nothing})
            image = {"type": "image", "data": "AAAA", "mimeType": "image/png"}
            error = await raw.error("session/prompt", {**S1, "prompt": [image]})
            assert error["code"] == -32602 and pointers(error) == ["/prompt/0/type"]

    run(scenario())
    assert len(agent.seen) == 2


def test_decision_13_sse_is_never_allowed_in_version_2() -> None:
    async def scenario() -> None:
        async with agent_end(Agent2(), initialize=INITIALIZE[2]) as raw:
            server = {"type": "sse", "name": "x", "url": "http://x"}
            error = await raw.error("session/new", {"cwd": "/w", "mcpServers": [server]})
            assert error["code"] == -32602 and pointers(error) == ["/mcpServers/0/type"]

    run(scenario())


@BOTH
def test_a_handler_that_fails(version: int, caplog: pytest.LogCaptureFixture) -> None:
    class Agent(AGENTS[version]):
        async def session_prompt(self, params: Any, client: Any) -> Any:
            said = params.prompt[0].text
            if said == "raise":
                raise LookupError("a secret")
            if said == "none":
                return None
            raise InvalidParams("not this", {"why": "because"})

    async def scenario() -> None:
        async with agent_end(Agent(), initialize=INITIALIZE[version]) as raw:
            for said in ("raise", "none"):
                prompt = [{"type": "text", "text": said}]
                error = await raw.error("session/prompt", {**S1, "prompt": prompt})
                assert error == {"code": -32603, "message": "Internal error"}
            error = await raw.error("session/prompt", PROMPT)
            assert error == {"code": -32602, "message": "not this", "data": {"why": "because"}}

    run(scenario())
    assert "a secret" in caplog.text and "gave no result" in caplog.text


@pytest.mark.rule(25, 49)
def test_nothing_is_written_as_an_empty_object() -> None:
    """Case C04, decision 6."""

    class Agent(Agent1):
        async def session_close(self, params: Any, client: Any) -> Any:
            return None

    async def scenario() -> None:
        async with agent_end(Agent(), initialize=INITIALIZE[1]) as raw:
            assert await raw.result("session/close", S1) == {}

    run(scenario())


@pytest.mark.rule(26, 97, "N4")
def test_an_unknown_session() -> None:
    """Decision 5."""

    async def scenario() -> None:
        async with agent_end(Agent2(), initialize=INITIALIZE[2]) as raw:
            error = await raw.error("session/close", S1)
            assert error["code"] == -32002 and error["data"] == {"sessionId": "s1"}

    run(scenario())


def test_a_result_that_the_client_did_not_ask_for_is_not_sent(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Rule 116: boolean options only for clients that know them."""

    class Agent(Agent1):
        async def session_new(self, params: Any, client: Any) -> Any:
            option = v1.BooleanSessionConfigOption(id="think", name="Think", current_value=True)
            return v1.NewSessionResponse(session_id="s1", config_options=[option])

    async def scenario() -> None:
        able = client_params(1, {"session": {"configOptions": {"boolean": {}}}})
        async with agent_end(Agent(), initialize=able) as raw:
            assert (await raw.result("session/new", NEW[1]))["configOptions"]
        async with agent_end(Agent(), initialize=INITIALIZE[1]) as raw:
            assert (await raw.error("session/new", NEW[1]))["code"] == -32603

    run(scenario())
    assert "/configOptions/0/type" in caplog.text


def test_extension_methods_have_their_exact_names() -> None:
    """Decision 14."""
    seen: list[Any] = []

    class Agent(Agent1):
        async def ext_method(self, method: str, params: Any, client: v1.ClientPeer, /) -> Any:
            if method == "_mine/echo":
                return {"got": params}
            return await super().ext_method(method, params, client)

        async def ext_notification(self, method: str, params: Any, client: Any, /) -> None:
            seen.append((method, params))

    async def scenario() -> None:
        async with agent_end(Agent(), initialize=INITIALIZE[1]) as raw:
            assert await raw.result("_mine/echo", {"a": [1]}) == {"got": {"a": [1]}}
            assert (await raw.error("_mine/other", {}))["code"] == -32601
            await raw.note("_mine/note", {"b": 2})
            await raw.silent()

    run(scenario())
    assert seen == [("_mine/note", {"b": 2})]


@BOTH
def test_notifications_are_never_answered(version: int, caplog: pytest.LogCaptureFixture) -> None:
    """Case C28, decision 14."""
    agent = AGENTS[version]()

    async def scenario() -> None:
        with caplog.at_level(logging.INFO):
            async with agent_end(agent, initialize=INITIALIZE[version]) as raw:
                for method in ("no/such", "session/new", "_other/note", "session/update"):
                    await raw.note(method, {})
                await raw.note("session/cancel", {"sessionId": 5})
                await raw.note("session/cancel", [])
                await raw.note("session/cancel")
                await raw.silent()

    run(scenario())
    assert agent.seen == []
    assert caplog.text.count("dropped notification session/cancel") == 3
