"""Several versions on one connection: which one is spoken."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from acp_bindings import v1, v2
from acp_bindings.runtime.agent_base import AgentHandler
from acp_bindings.runtime.connect import connect
from acp_bindings.runtime.negotiation import always_newest
from acp_bindings.runtime.serve import serve
from acp_bindings.runtime.transport import memory_pair

from tests.behaviour.ends import INITIALIZE, NEW, Raw, agent_end, run


class One(v1.Agent):
    async def session_new(
        self, params: v1.NewSessionRequest, client: v1.ClientPeer
    ) -> v1.NewSessionResponse:
        return v1.NewSessionResponse(session_id="one")


class Two(v2.Agent):
    """The baseline, of which only one method is called."""

    async def session_new(
        self, params: v2.NewSessionRequest, client: v2.ClientPeer
    ) -> v2.NewSessionResponse:
        return v2.NewSessionResponse(session_id="two")

    async def unused(self, params: Any, client: Any) -> Any:
        raise AssertionError("not called here")

    session_list = session_resume = session_close = session_prompt = session_cancel = unused


MERGED = {**INITIALIZE[1], **INITIALIZE[2], "clientCapabilities": {}, "capabilities": {}}


@pytest.mark.parametrize(
    ("agents", "requested", "answered"),
    [
        ([One, Two], 1, 1),
        ([One, Two], 2, 2),
        ([One, Two], 9, 2),
        ([One, Two], 65535, 2),
        ([One, Two], 0, None),
        ([One], 0, 1),
        ([One], 1, 1),
        ([One], 2, 1),
        ([Two], 1, None),
        ([Two], 2, 2),
        ([Two], 7, 2),
    ],
)
@pytest.mark.rule(70, 71, 72)
def test_the_version_that_is_answered(
    agents: list[Any], requested: int, answered: int | None
) -> None:
    """Decision 1."""

    async def scenario() -> None:
        async with agent_end(*(agent() for agent in agents)) as raw:
            params = {**MERGED, "protocolVersion": requested}
            if answered is None:
                error = await raw.error("initialize", params)
                supported = sorted(agent.VERSION for agent in agents)
                assert error["code"] == -32022
                assert error["data"] == {"requested": requested, "supported": supported}
                assert (await raw.error("session/new", NEW[2]))["code"] == -32600
                params["protocolVersion"] = supported[-1]
                assert (await raw.result("initialize", params))["protocolVersion"] == supported[-1]
            else:
                result = await raw.result("initialize", params)
                assert result["protocolVersion"] == answered
                new = await raw.result("session/new", NEW[answered])
                assert new["sessionId"] == {1: "one", 2: "two"}[answered]

    run(scenario())


def test_the_policy_is_a_parameter() -> None:
    async def scenario() -> None:
        for policy, requested, wanted in (
            (always_newest, 9, 2),
            (always_newest, 0, 2),
            (always_newest, 1, 1),
            (lambda _requested, served: min(served), 2, 1),
        ):
            async with agent_end(One(), Two(), policy=policy) as raw:
                params = {**MERGED, "protocolVersion": requested}
                assert (await raw.result("initialize", params))["protocolVersion"] == wanted

    run(scenario())


def test_a_policy_that_chooses_what_is_not_served() -> None:
    async def scenario() -> None:
        async with agent_end(One(), policy=lambda _requested, _served: 5) as raw:
            assert (await raw.error("initialize", MERGED))["code"] == -32603

    run(scenario())


def test_before_a_surface_is_picked_only_the_version_is_looked_at() -> None:
    async def scenario() -> None:
        # A version 1 client's params, to an agent that speaks 2 as well.
        async with agent_end(One(), Two()) as raw:
            params = {"protocolVersion": 1, "clientCapabilities": "broken", "info": 5}
            assert (await raw.result("initialize", params))["protocolVersion"] == 1
        async with agent_end(One(), Two()) as raw:
            error = await raw.error("initialize", {"protocolVersion": 2, "clientInfo": {}})
            assert error["code"] == -32602

    run(scenario())


@pytest.mark.rule("N2")
def test_what_a_newer_version_means_is_dropped_where_it_cannot_be_read() -> None:
    seen: list[Any] = []

    class Agent(Two):
        async def initialize(
            self, params: v2.InitializeRequest, client: v2.ClientPeer
        ) -> v2.InitializeResponse:
            seen.append(params)
            return await super().initialize(params, client)

    async def scenario() -> None:
        for info in ({}, {"info": 5}, {"info": {"name": "n"}}, {"info": None}):
            async with agent_end(Agent()) as raw:
                params = {"protocolVersion": 3, "capabilities": [], **info}
                assert (await raw.result("initialize", params))["protocolVersion"] == 2
        # The same is an error in the version that is asked for.
        async with agent_end(Agent()) as raw:
            assert (await raw.error("initialize", {"protocolVersion": 2}))["code"] == -32602

    run(scenario())
    assert len(seen) == 4
    for params in seen:
        assert params.info.name == params.info.version == "unknown"


def test_decision_4_a_repeated_initialize_never_lowers_the_version() -> None:
    async def scenario() -> None:
        async with agent_end(One(), Two(), initialize=MERGED) as raw:
            lower = {**MERGED, "protocolVersion": 1}
            assert (await raw.error("initialize", lower))["code"] == -32600
            higher = {**MERGED, "protocolVersion": 3}
            assert (await raw.result("initialize", higher))["protocolVersion"] == 2
            assert (await raw.result("session/new", NEW[2]))["sessionId"] == "two"
        async with agent_end(One(), Two(), initialize={**MERGED, "protocolVersion": 1}) as raw:
            assert (await raw.error("initialize", MERGED))["code"] == -32600

    run(scenario())


def test_two_initializes_at_once() -> None:
    class Slow(One):
        async def initialize(
            self, params: v1.InitializeRequest, client: v1.ClientPeer
        ) -> v1.InitializeResponse:
            await asyncio.sleep(0.05)
            return await super().initialize(params, client)

    async def scenario() -> None:
        async with agent_end(Slow()) as raw:
            first = await raw.ask("initialize", INITIALIZE[1])
            second = await raw.ask("initialize", INITIALIZE[1])
            third = await raw.ask("session/new", NEW[1])
            answers = {}
            for _ in range(3):
                answer = await raw.read()
                answers[answer["id"]] = answer
            assert answers[second]["error"]["code"] == answers[third]["error"]["code"] == -32600
            assert answers[first]["result"]["protocolVersion"] == 1

    run(scenario())


def test_one_agent_for_each_version() -> None:
    with pytest.raises(ValueError, match="one agent for each version"):
        AgentHandler([One(), One()])
    with pytest.raises(ValueError, match="at least one"):
        AgentHandler([])


@pytest.mark.parametrize("served", [[One], [Two], [One, Two]])
@pytest.mark.parametrize("spoken", [[1], [2], [1, 2]])
def test_both_ends_agree_or_the_client_learns_why(served: list[Any], spoken: list[int]) -> None:
    clients = {1: v1.Client, 2: v2.Client}

    async def scenario() -> None:
        ours, theirs = memory_pair()
        serving = asyncio.create_task(serve(theirs, *(agent() for agent in served)))
        common = {agent.VERSION for agent in served} & set(spoken)
        try:
            agent: Any = await connect(ours, *(clients[version]() for version in spoken))
        except Exception as error:
            assert not common, error
            assert "version" in str(error).lower()
        else:
            assert agent.TABLE.version == max(common)
            await agent.close()
        await serving

    run(scenario())


def test_the_router_leaves_the_raw_peer_alone_after_a_refusal() -> None:
    async def scenario() -> None:
        ours, theirs = memory_pair()
        serving = asyncio.create_task(serve(theirs, Two()))
        raw = Raw(ours)
        assert (await raw.error("initialize", INITIALIZE[1]))["code"] == -32022
        await raw.result("initialize", INITIALIZE[2])
        await ours.close()
        await serving

    run(scenario())
