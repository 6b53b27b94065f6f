"""Clients: what `initialize` says, and which version is spoken."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from acp_bindings import v1, v2
from acp_bindings.runtime.connect import VersionNotSpoken, connect
from acp_bindings.runtime.errors import (
    AuthRequired,
    ConnectionClosed,
    InvalidResponse,
)
from acp_bindings.runtime.transport import memory_pair

from tests.behaviour.ends import Raw, answer_of, client_end, run


def handlers(*names: str) -> dict[str, Any]:
    async def handler(self: Any, params: Any, agent: Any) -> Any:
        return None

    return dict.fromkeys(names, handler)


TERMINAL = [f"terminal_{name}" for name in ("create", "output", "wait_for_exit", "kill", "release")]


def test_terminal_needs_all_five_methods(caplog: pytest.LogCaptureFixture) -> None:
    """Case C24."""
    whole = type("Whole", (v1.Client,), handlers(*TERMINAL, "fs_read_text_file"))()
    assert whole.advertised() == {"fs": {"readTextFile": True}, "terminal": True}
    part = type("Part", (v1.Client,), handlers(*TERMINAL[:4], "fs_write_text_file"))()
    assert part.advertised() == {"fs": {"writeTextFile": True}}
    assert "terminal_release" in caplog.text
    declared = v1.ClientCapabilities(terminal=True)
    with pytest.raises(ValueError, match=r"client: terminal.*terminal/release"):
        type("Part", (v1.Client,), handlers(*TERMINAL[:4]))(capabilities=declared)


def test_a_method_that_a_choice_of_capabilities_opens_is_declared(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class_ = type("Asks", (v2.Client,), handlers("elicitation_create"))
    assert class_().advertised() == {}
    assert "elicitation.form" in caplog.text
    form = v2.ElicitationCapabilities(form=v2.ElicitationFormCapabilities())
    declared = v2.ClientCapabilities(elicitation=form)
    assert class_(capabilities=declared).advertised() == {"elicitation": {"form": {}}}
    with pytest.raises(ValueError, match="elicitation/create"):
        v2.Client(capabilities=declared)


@pytest.mark.rule(64, 88)
def test_initialize_has_both_shapes() -> None:
    class One(v1.Client):
        info = v1.Implementation(name="one", version="1")
        fs_read_text_file = handlers("x")["x"]

    class Two(v2.Client):
        info = v2.Implementation(name="two", version="2")

    async def scenario() -> None:
        async with client_end(One(), Two(), answer=answer_of(2)) as (agent, _raw, params):
            assert params == {
                "protocolVersion": 2,
                "clientCapabilities": {"fs": {"readTextFile": True}},
                "clientInfo": {"name": "one", "version": "1"},
                "capabilities": {},
                "info": {"name": "two", "version": "2"},
            }
            assert type(agent) is v2.AgentPeer
            assert agent.initialize_request.info.name == "two"
        async with client_end(One(), Two(), answer=answer_of(1)) as (agent, _raw, _params):
            assert type(agent) is v1.AgentPeer

    run(scenario())


def test_after_an_error_the_next_lower_version_is_asked_for_once() -> None:
    """Decision 1."""

    async def scenario() -> None:
        for second in ("answer", "error"):
            ours, theirs = memory_pair()
            connecting = asyncio.create_task(connect(ours, v1.Client(), v2.Client()))
            raw = Raw(theirs)
            await raw.refuse(await raw.read(), -32022, {"requested": 2, "supported": [1]})
            request = await raw.read()
            assert request["params"]["protocolVersion"] == 1
            assert "info" not in request["params"]
            if second == "answer":
                await raw.answer(request, answer_of(1))
                agent = await connecting
                assert type(agent) is v1.AgentPeer
                await agent.close()
            else:
                await raw.refuse(request, -32000)
                with pytest.raises(AuthRequired):
                    await connecting
            assert await theirs.receive() is None

    run(scenario())


@pytest.mark.parametrize("answered", [1, 3, "2", True, 2.0, None])
@pytest.mark.rule(73)
def test_a_version_that_is_not_spoken(answered: object) -> None:
    async def scenario() -> None:
        ours, theirs = memory_pair()
        connecting = asyncio.create_task(connect(ours, v2.Client()))
        request = await theirs.receive()
        assert request is not None
        answer = {**answer_of(2), "protocolVersion": answered}
        await theirs.send({"jsonrpc": "2.0", "id": request["id"], "result": answer})
        with pytest.raises(VersionNotSpoken, match="spoken here: 2") as caught:
            await connecting
        assert caught.value.answered == answered and caught.value.spoken == (2,)
        assert await theirs.receive() is None, "something was sent after that"

    run(scenario())


@pytest.mark.rule(65)
def test_an_answer_without_its_required_parts() -> None:
    async def scenario() -> None:
        ours, theirs = memory_pair()
        connecting = asyncio.create_task(connect(ours, v2.Client()))
        request = await theirs.receive()
        assert request is not None
        answer = {"jsonrpc": "2.0", "id": request["id"], "result": {"protocolVersion": 2}}
        await theirs.send(answer)
        with pytest.raises(InvalidResponse, match="/info"):
            await connecting
        assert await theirs.receive() is None

    run(scenario())


def test_an_agent_that_goes_away_before_its_answer() -> None:
    async def scenario() -> None:
        ours, theirs = memory_pair()
        connecting = asyncio.create_task(connect(ours, v2.Client()))
        await theirs.receive()
        await theirs.close()
        with pytest.raises(ConnectionClosed):
            await connecting

    run(scenario())


def test_one_client_for_each_version() -> None:
    async def scenario() -> None:
        ours, theirs = memory_pair()
        with pytest.raises(ValueError, match="one client for each version"):
            await connect(ours, v1.Client(), v1.Client())
        await ours.close()
        assert await theirs.receive() is None

    run(scenario())
