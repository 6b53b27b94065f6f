"""Agents: what `initialize` says, and what comes before it."""

from __future__ import annotations

from typing import Any

import pytest
from acp_bindings import v1, v1_unstable, v2

from tests.behaviour.agents import AGENTS, BOTH, S1, Agent1, Agent2
from tests.behaviour.ends import INITIALIZE, NEW, agent_end, client_params, pointers, run


def test_capabilities_follow_from_the_methods_and_from_nothing_else() -> None:
    """Case C23."""

    class Agent(v1.Agent):
        info = v1.Implementation(name="mine", version="7")

        async def session_load(
            self, params: v1.LoadSessionRequest, client: v1.ClientPeer
        ) -> v1.LoadSessionResponse:
            return v1.LoadSessionResponse()

        async def session_list(
            self, params: v1.ListSessionsRequest, client: v1.ClientPeer
        ) -> v1.ListSessionsResponse:
            return v1.ListSessionsResponse(sessions=[])

    async def scenario() -> None:
        async with agent_end(Agent()) as raw:
            answer = await raw.result("initialize", INITIALIZE[1])
            capabilities = answer["agentCapabilities"]
            assert capabilities == {"loadSession": True, "sessionCapabilities": {"list": {}}}
            assert answer["agentInfo"] == {"name": "mine", "version": "7"}
            assert answer["protocolVersion"] == 1

    run(scenario())


def test_declared_capabilities_join_those_that_follow() -> None:
    declared = v2.AgentCapabilities(
        session=v2.SessionCapabilities(
            prompt=v2.PromptCapabilities(image=v2.PromptImageCapabilities())
        )
    )

    async def scenario() -> None:
        async with agent_end(Agent2(capabilities=declared, meta={"k": 1})) as raw:
            answer = await raw.result("initialize", INITIALIZE[2])
            assert answer["capabilities"] == {"session": {"prompt": {"image": {}}}}
            assert answer["info"] == {"name": "Agent2", "version": "0"}
            assert answer["_meta"] == {"k": 1}

    run(scenario())


def test_an_advertised_capability_without_its_method_names_both() -> None:
    declared = v1.AgentCapabilities(load_session=True)
    with pytest.raises(ValueError, match=r"agent: loadSession.*session/load"):
        Agent1(capabilities=declared)


@pytest.mark.rule(9, 23, 78)
def test_a_part_of_the_baseline_names_the_rest() -> None:
    """Decision 12."""

    class Agent(v2.Agent):
        async def session_new(
            self, params: v2.NewSessionRequest, client: v2.ClientPeer
        ) -> v2.NewSessionResponse:
            return v2.NewSessionResponse(session_id="s")

    with pytest.raises(ValueError) as caught:
        Agent()
    for name in ("list", "resume", "close", "prompt", "cancel"):
        assert f"session_{name}" in str(caught.value)


@pytest.mark.rule(66)
def test_auth_methods_need_login_and_logout() -> None:
    methods = [v2.AgentAuthMethod(method_id="key", name="Key")]
    with pytest.raises(ValueError) as caught:
        Agent2(auth_methods=methods)
    assert "auth/login" in str(caught.value) and "auth/logout" in str(caught.value)


@pytest.mark.rule(89)
def test_options_need_their_method() -> None:
    declared = v1_unstable.AgentCapabilities(
        session_capabilities=v1_unstable.SessionCapabilities(
            options=v1_unstable.SessionOptionsCapabilities()
        )
    )
    with pytest.raises(ValueError, match="session/options"):
        v1_unstable.Agent(capabilities=declared)


def test_a_declared_false_takes_back_what_follows() -> None:
    class Agent(Agent1):
        capabilities = v1.AgentCapabilities(load_session=False)

        async def session_load(
            self, params: v1.LoadSessionRequest, client: v1.ClientPeer
        ) -> v1.LoadSessionResponse:
            raise AssertionError("called though it is not advertised")

    async def scenario() -> None:
        async with agent_end(Agent(), initialize=INITIALIZE[1]) as raw:
            error = await raw.error("session/load", {**S1, **NEW[1]})
            assert error["code"] == -32601

    run(scenario())


def test_a_declared_none_takes_back_a_whole_object() -> None:
    declared = v2.AgentCapabilities(session=None)

    async def scenario() -> None:
        async with agent_end(Agent2(capabilities=declared)) as raw:
            assert (await raw.result("initialize", INITIALIZE[2]))["capabilities"] == {}
            assert (await raw.error("session/new", NEW[2]))["code"] == -32601

    run(scenario())


def test_a_check_that_init_skipped_is_made_before_serving() -> None:
    class Agent(Agent1):
        capabilities = v1.AgentCapabilities(load_session=True)

        def __init__(self) -> None:
            self.seen = []

    async def scenario() -> None:
        with pytest.raises(ValueError, match="session/load"):
            async with agent_end(Agent()):
                raise AssertionError("served")

    run(scenario())


@pytest.mark.rule("N9")
def test_terminal_auth_methods_only_for_clients_that_can() -> None:
    class Agent(Agent1):
        auth_methods = (
            v1.TerminalAuthMethod(id="tty", name="In a terminal"),
            v1.AgentAuthMethod(id="key", name="Key"),
        )

        async def authenticate(
            self, params: v1.AuthenticateRequest, client: v1.ClientPeer
        ) -> v1.AuthenticateResponse:
            return v1.AuthenticateResponse()

    async def scenario() -> None:
        able = client_params(1, {"auth": {"terminal": True}})
        for params, wanted in ((INITIALIZE[1], ["key"]), (able, ["tty", "key"])):
            async with agent_end(Agent()) as raw:
                answer = await raw.result("initialize", params)
                assert [item["id"] for item in answer["authMethods"]] == wanted
                for method, code in (("tty", -32602), ("nobody", -32602)):
                    error = await raw.error("authenticate", {"methodId": method})
                    assert error["code"] == code and pointers(error) == ["/methodId"]
                assert await raw.result("authenticate", {"methodId": "key"}) == {}

    run(scenario())


@BOTH
def test_an_initialize_of_the_authors_own_is_held_to_what_it_says(
    version: int, caplog: pytest.LogCaptureFixture
) -> None:
    surface: Any = {1: v1, 2: v2}[version]
    missing = {1: {"loadSession": True}, 2: {"session": {"delete": {}}}}[version]

    class Agent(AGENTS[version]):
        async def initialize(self, params: Any, client: Any) -> Any:
            answer = self.initialize_answer(params)
            if params.meta == {"lie": "capability"}:
                answer["agentCapabilities" if version == 1 else "capabilities"] = missing
            elif params.meta == {"lie": "version"}:
                answer["protocolVersion"] = 9
            return surface.decode(surface.InitializeResponse, answer)

    async def scenario() -> None:
        for lie in ("capability", "version"):
            async with agent_end(Agent()) as raw:
                params = {**INITIALIZE[version], "_meta": {"lie": lie}}
                assert (await raw.error("initialize", params))["code"] == -32603
                answer = await raw.result("initialize", INITIALIZE[version])
                assert answer["protocolVersion"] == version

    run(scenario())
    assert "not implemented" in caplog.text and "version is 9" in caplog.text


@BOTH
@pytest.mark.rule(1, 42, "N3")
def test_before_initialize(version: int) -> None:
    """Decision 4, case C19."""
    agent = AGENTS[version]()

    async def scenario() -> None:
        async with agent_end(agent) as raw:
            assert (await raw.error("session/new", NEW[version]))["code"] == -32600
            assert (await raw.error("_peer/echo", {}))["code"] == -32600
            assert (await raw.error("no/such", {}))["code"] == -32600
            await raw.note("session/cancel", S1)
            await raw.result("initialize", INITIALIZE[version])
            assert await raw.result("session/new", NEW[version])

    run(scenario())
    assert len(agent.seen) == 1


def test_a_second_initialize_in_version_1() -> None:
    async def scenario() -> None:
        async with agent_end(Agent1(), initialize=INITIALIZE[1]) as raw:
            assert (await raw.error("initialize", INITIALIZE[1]))["code"] == -32600
            assert await raw.result("session/new", NEW[1])

    run(scenario())


@pytest.mark.rule("N1")
def test_a_second_initialize_in_version_2() -> None:
    async def scenario() -> None:
        async with agent_end(Agent2(), initialize=INITIALIZE[2]) as raw:
            assert (await raw.result("initialize", INITIALIZE[2]))["protocolVersion"] == 2
            assert await raw.result("session/new", NEW[2])
            assert (await raw.error("initialize", INITIALIZE[2]))["code"] == -32600

    run(scenario())


@pytest.mark.parametrize("value", ["1", True, 1.0, "2025-01-01", None, -1, 65536])
@BOTH
@pytest.mark.rule(69)
def test_the_version_is_an_integer(version: int, value: object) -> None:
    """Decision 2."""

    async def scenario() -> None:
        async with agent_end(AGENTS[version]()) as raw:
            error = await raw.error("initialize", {**INITIALIZE[version], "protocolVersion": value})
            assert error["code"] == -32602 and pointers(error) == ["/protocolVersion"]
            without = {k: v for k, v in INITIALIZE[version].items() if k != "protocolVersion"}
            error = await raw.error("initialize", without)
            assert error["code"] == -32602 and pointers(error) == ["/protocolVersion"]
            await raw.result("initialize", INITIALIZE[version])

    run(scenario())


@pytest.mark.rule(64, 88)
def test_info_is_required_in_version_2() -> None:
    async def scenario() -> None:
        async with agent_end(Agent2()) as raw:
            error = await raw.error("initialize", {"protocolVersion": 2})
            assert error["code"] == -32602 and pointers(error) == ["/info"]

    run(scenario())
