"""Clients: gated calls to the agent."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from acp_bindings import v2
from acp_bindings.runtime.errors import (
    InvalidResponse,
    NotAdvertised,
    RpcError,
)

from tests.behaviour.clients import BOTH, S1, SESSION, SURFACES
from tests.behaviour.ends import NEW, answer_of, client_end, run


@BOTH
@pytest.mark.rule(67, 75, 83)
def test_an_unadvertised_call_writes_nothing(version: int) -> None:
    """Case C22: null and false are no support, `{}` is."""
    acp = SURFACES[version]
    capabilities = {
        1: {"sessionCapabilities": {"list": {}, "delete": None}, "loadSession": False},
        2: {"session": {"delete": None}},
    }[version]

    async def scenario() -> None:
        answer = answer_of(version, capabilities)
        async with client_end(acp.Client(), answer=answer) as (agent, raw, _):
            assert agent.supports("session/list") and not agent.supports("session/delete")
            assert agent.why_not("session/list") is None
            assert "session" in agent.why_not("session/delete").message
            with pytest.raises(NotAdvertised) as caught:
                await agent.session_delete(acp.DeleteSessionRequest(session_id="s1"))
            wanted = {1: "sessionCapabilities.delete", 2: "session.delete"}[version]
            assert caught.value.missing == wanted and caught.value.side == "agent"
            with pytest.raises(NotAdvertised):
                new = {"cwd": "/w", "additional_directories": ["/a"]}
                if version == 1:
                    new["mcp_servers"] = []
                await agent.session_new(acp.NewSessionRequest(**new))
            with pytest.raises(NotAdvertised):
                await agent.session_new(acp.NewSessionRequest(**{**new, "cwd": "relative"}))
            await raw.silent()
            with pytest.raises(KeyError):
                agent.why_not("no/such")
            assert not agent.supports("no/such")

    run(scenario())


@BOTH
@pytest.mark.rule(30, 93)
def test_an_empty_list_needs_nothing_and_is_left_out(version: int) -> None:
    """Decision 7, case C06: required ones are written."""
    acp = SURFACES[version]

    async def scenario() -> None:
        async with client_end(acp.Client(), answer=answer_of(version, SESSION[version])) as ends:
            agent, raw, _ = ends
            new = {"cwd": "/w", "additional_directories": [], "mcp_servers": []}
            call = asyncio.create_task(agent.session_new(acp.NewSessionRequest(**new)))
            request = await raw.read()
            assert "additionalDirectories" not in request["params"]
            assert version == 2 or request["params"] == NEW[1]
            await raw.answer(request, {"sessionId": "s1"})
            assert (await call).session_id == "s1"

    run(scenario())


@BOTH
def test_null_and_malformed_results(version: int) -> None:
    """Case C04, decision 6."""
    acp = SURFACES[version]
    capabilities = {
        1: {"sessionCapabilities": {"close": {}}},
        2: {"session": {}},
    }[version]

    async def scenario() -> None:
        async with client_end(acp.Client(), answer=answer_of(version, capabilities)) as ends:
            agent, raw, _ = ends
            call = asyncio.create_task(
                agent.session_close(acp.CloseSessionRequest(session_id="s1"))
            )
            await raw.answer(await raw.read(), None)
            assert type(await call) is acp.CloseSessionResponse
            for wrong in (None, {}, {"sessionId": 5}):
                request = acp.NewSessionRequest(cwd="/w", mcp_servers=[])
                call = asyncio.create_task(agent.session_new(request))
                await raw.answer(await raw.read(), wrong)
                with pytest.raises(InvalidResponse, match="session/new"):
                    await call

    run(scenario())


@BOTH
def test_an_unknown_session_is_closed_and_deleted_already(version: int) -> None:
    """Decision 5."""
    acp = SURFACES[version]
    capabilities = {
        1: {"sessionCapabilities": {"close": {}, "delete": {}}},
        2: {"session": {"delete": {}}},
    }[version]

    async def scenario() -> None:
        async with client_end(acp.Client(), answer=answer_of(version, capabilities)) as ends:
            agent, raw, _ = ends
            for name, result in (
                ("close", acp.CloseSessionResponse),
                ("delete", acp.DeleteSessionResponse),
            ):
                params = getattr(acp, f"{name.title()}SessionRequest")(session_id="s1")
                for code in (-32002, -32603):
                    call = asyncio.create_task(getattr(agent, f"session_{name}")(params))
                    await raw.refuse(await raw.read(), code, {"sessionId": "s1"})
                    if code == -32002:
                        assert type(await call) is result
                    else:
                        with pytest.raises(RpcError):
                            await call

    run(scenario())


@pytest.mark.rule(68)
def test_decision_8_terminal_methods_open_login_but_are_refused() -> None:
    terminal = {"type": "terminal", "methodId": "tty", "name": "Terminal"}

    async def scenario() -> None:
        for methods, opens in (([], False), ([{"type": "agent"}], False), ([terminal], True)):
            answer = {**answer_of(2, {"auth": {}}), "authMethods": methods}
            async with client_end(v2.Client(), answer=answer) as (agent, raw, _):
                assert agent.supports("auth/logout") is opens
                with pytest.raises(NotAdvertised):
                    await agent.auth_login(v2.LoginAuthRequest(method_id="tty"))
                await raw.silent()

    run(scenario())


@pytest.mark.rule("N8")
def test_tool_calls_are_cancelled_while_they_say_so() -> None:
    def tool(capabilities: Any) -> dict[str, Any]:
        update: dict[str, Any] = {"sessionUpdate": "tool_call_update", "toolCallId": "t"}
        return {**S1, "update": {**update, "capabilities": capabilities}}

    request = v2.CancelToolCallRequest(session_id="s1", tool_call_id="t")

    async def scenario() -> None:
        async with client_end(v2.Client(), answer=answer_of(2, {"session": {}})) as ends:
            agent, raw, _ = ends
            for capabilities in (None, {"cancel": {}}, None):
                await raw.note("session/update", tool(capabilities))
                await raw.silent()
                if capabilities is None:
                    with pytest.raises(NotAdvertised):
                        await agent.tool_call_cancel(request)
                else:
                    call = asyncio.create_task(agent.tool_call_cancel(request))
                    await raw.answer(await raw.read(), {})
                    await call

    run(scenario())
