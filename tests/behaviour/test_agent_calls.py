"""Agents: cancelled prompts, and calls to the client."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from acp_bindings import v1, v1_unstable, v2, v2_unstable
from acp_bindings.runtime.errors import InvalidResponse, NotAdvertised

from tests.behaviour.agents import AGENTS, BOTH, PROMPT, Agent1
from tests.behaviour.ends import INITIALIZE, agent_end, pointers, run


def test_a_cancelled_prompt_of_version_1() -> None:
    """Cases C28 and C34, decision 16: the default ends the task, and the answer is a result."""

    class Agent(Agent1):
        async def session_prompt(self, params: Any, client: Any) -> Any:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                if params.session_id == "own":
                    return v1.PromptResponse(stop_reason="refusal")
                raise
            return None

    async def scenario() -> None:
        async with agent_end(Agent(), initialize=INITIALIZE[1]) as raw:
            ids = [
                await raw.ask("session/prompt", {**PROMPT, "sessionId": session})
                for session in ("s1", "own", "other")
            ]
            for session in ("s1", "own", "unknown"):
                await raw.note("session/cancel", {"sessionId": session})
            answers = [await raw.read() for _ in range(2)]
            found = {answer["id"]: answer["result"]["stopReason"] for answer in answers}
            assert found == {ids[0]: "cancelled", ids[1]: "refusal"}
            await raw.note("$/cancel_request", {"requestId": ids[2]})
            assert (await raw.read())["error"]["code"] == -32800

    run(scenario())


@BOTH
def test_calls_during_initialize_are_refused(version: int) -> None:
    class Agent(AGENTS[version]):
        async def initialize(self, params: Any, client: Any) -> Any:
            with pytest.raises(RuntimeError, match="before `initialize`"):
                await client.session_request_permission(None)
            return await super().initialize(params, client)

    async def scenario() -> None:
        async with agent_end(Agent()) as raw:
            await raw.result("initialize", INITIALIZE[version])

    run(scenario())


def test_an_unadvertised_call_writes_nothing() -> None:
    refused: list[NotAdvertised] = []

    class Agent(Agent1):
        async def session_prompt(
            self, params: v1.PromptRequest, client: v1.ClientPeer
        ) -> v1.PromptResponse:
            request = v1.ReadTextFileRequest(session_id="s1", path="/a")
            with pytest.raises(NotAdvertised) as caught:
                await client.fs_read_text_file(request)
            refused.append(caught.value)
            with pytest.raises(NotAdvertised):
                await client.send_update("s1", v1.Notice(severity="info", title="t"))
            return v1.PromptResponse(stop_reason="end_turn")

    async def scenario() -> None:
        async with agent_end(Agent(), initialize=INITIALIZE[1]) as raw:
            assert await raw.result("session/prompt", PROMPT) == {"stopReason": "end_turn"}

    run(scenario())
    assert refused[0].missing == "fs.readTextFile" and refused[0].side == "client"
    assert "fs.readTextFile" in str(refused[0]) and "client" in str(refused[0])


def test_extension_names_that_are_none() -> None:
    class Agent(Agent1):
        async def session_prompt(self, params: Any, client: Any) -> Any:
            for name in ("_", "", "peer/echo"):
                with pytest.raises(ValueError):
                    await client.ext_request(name, {})
                with pytest.raises(ValueError):
                    await client.ext_notify(name, {})
            return await super().session_prompt(params, client)

    async def scenario() -> None:
        async with agent_end(Agent(), initialize=INITIALIZE[1]) as raw:
            await raw.result("session/prompt", PROMPT)

    run(scenario())


class Options1(v1_unstable.Agent):
    async def session_options(self, params: Any, client: Any) -> Any:
        update = v1_unstable.SessionInfoUpdate(title="t")
        with pytest.raises(RuntimeError, match="session/options"):
            await client.send_update("s1", update)
        return v1_unstable.SessionOptionsResponse(config_options=[])


class Options2(v2_unstable.Agent):
    async def session_options(self, params: Any, client: Any) -> Any:
        update = v2_unstable.SessionInfoUpdate(title="t")
        with pytest.raises(RuntimeError, match="session/options"):
            await client.send_update("s1", update)
        return v2_unstable.SessionOptionsResponse(config_options=[])


def baseline(agent: Any) -> Any:
    """The agent with every method of the version 2 baseline."""

    async def answer(self: Any, params: Any, client: Any) -> Any:
        raise AssertionError("not called here")

    names = ("new", "list", "resume", "close", "prompt", "cancel")
    return type(agent.__name__, (agent,), {f"session_{name}": answer for name in names})


@pytest.mark.parametrize(("agent", "version"), [(Options1, 1), (baseline(Options2), 2)])
@pytest.mark.rule(100)
def test_no_update_from_session_options(agent: Any, version: int) -> None:
    """Decision 10."""

    async def scenario() -> None:
        async with agent_end(agent(), initialize=INITIALIZE[version]) as raw:
            result = await raw.result("session/options", {"cwd": "/w"})
            assert "error" not in result
            error = await raw.error("session/options", {"cwd": "w"})
            assert error["code"] == -32602 and pointers(error) == ["/cwd"]

    run(scenario())


@BOTH
def test_an_option_that_was_not_offered_is_no_approval(version: int) -> None:
    surface: Any = {1: v1, 2: v2}[version]
    option = surface.PermissionOption(option_id="yes", name="Yes", kind="allow_once")
    more: dict[str, Any] = {"title": "t"}
    if version == 1:
        more = {"tool_call": v1.ToolCallUpdatePayload(tool_call_id="t")}
    outcomes: list[Any] = []

    class Agent(AGENTS[version]):
        async def session_prompt(self, params: Any, client: Any) -> Any:
            request = surface.RequestPermissionRequest(session_id="s1", options=[option], **more)
            for _ in range(2):
                try:
                    outcomes.append((await client.session_request_permission(request)).outcome)
                except InvalidResponse as error:
                    outcomes.append([pointer for pointer, _, _ in error.problems])
            return await super().session_prompt(params, client)

    async def scenario() -> None:
        async with agent_end(Agent(), initialize=INITIALIZE[version]) as raw:
            id_ = await raw.ask("session/prompt", PROMPT)
            for chosen in ("no", "yes"):
                outcome = {"outcome": "selected", "optionId": chosen}
                await raw.answer(await raw.read(), {"outcome": outcome})
            assert (await raw.read())["id"] == id_

    run(scenario())
    assert outcomes[0] == ["/outcome/optionId"] and outcomes[1].option_id == "yes"
