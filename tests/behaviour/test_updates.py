"""Update hooks: one per kind, in order, and none that costs anything unless it is there."""

from __future__ import annotations

import asyncio
import inspect
from typing import Any

import pytest
from acp_bindings import v1, v2

from tests.behaviour import bindings
from tests.behaviour.bindings import SURFACES
from tests.behaviour.ends import answer_of, client_end, run

EVERY = pytest.mark.parametrize("name", SURFACES)


def update_kinds(name: str) -> list[str]:
    """The tags of SessionUpdate in the contract schema."""
    definition = bindings.schema(name)["$defs"]["SessionUpdate"]
    variants = definition.get("oneOf") or definition["anyOf"]
    tags = [item.get("properties", {}).get("sessionUpdate", {}).get("const") for item in variants]
    return [tag for tag in tags if tag is not None]


@EVERY
def test_there_is_a_hook_for_every_kind_of_the_schema(name: str) -> None:
    """Case C41."""
    surface = bindings.surface(name)
    kinds = update_kinds(name)
    assert list(surface.UpdateHooks.HOOKS) == kinds and set(surface.UPDATES) == set(kinds)
    assert len(kinds) > 10
    for kind, hook in surface.UpdateHooks.HOOKS.items():
        assert hook == f"on_{kind}"
        method = getattr(surface.Client, hook)
        assert inspect.iscoroutinefunction(method)
        assert list(inspect.signature(method).parameters) == ["self", "session_id", "update"]
        annotation = inspect.get_annotations(method)["update"]
        assert annotation == surface.UPDATES[kind].type and hasattr(surface, annotation)
        assert surface.UPDATES[kind].semantics, kind


def recorder(surface: Any) -> Any:
    """A client that keeps (hook, session, update) of everything."""

    def hook(name: str) -> Any:
        async def record(self: Any, session_id: str, update: Any) -> None:
            self.seen.append((name, session_id, update))

        return record

    names = [*surface.UpdateHooks.HOOKS.values(), "on_unknown"]
    client = type("Recorder", (surface.Client,), {name: hook(name) for name in names})()
    client.seen = []
    return client


def sample(kind: str) -> dict[str, Any]:
    """The smallest update of a kind that some version knows."""
    text = {"type": "text", "text": "t"}
    entity = {"messageId": "m", "toolCallId": "t", "terminalId": "x", "compactionId": "c"}
    return {
        "sessionUpdate": kind,
        **entity,
        "sessionId": "child",
        "title": "T",
        "entries": [],
        "plan": {"type": "items", "planId": "p", "entries": []},
        "planId": "p",
        "availableCommands": [],
        "configOptions": [],
        "currentModeId": "a",
        "used": 1,
        "size": 2,
        "severity": "info",
        "state": "idle",
        "status": "completed" if kind != "compaction_update" else "in_progress",
        "data": "aGk=",
        **({"content": text} if kind.endswith("chunk") else {}),
        **({"content": {"type": "content", "content": text}} if "content_chunk" in kind else {}),
    }


@EVERY
def test_every_kind_reaches_its_hook_in_order(name: str) -> None:
    surface = bindings.surface(name)
    client = recorder(surface)
    version = surface.PROTOCOL_VERSION
    kinds = update_kinds(name)

    answer = answer_of(version, {"session": {}} if version == 2 else {})

    async def scenario() -> None:
        async with client_end(client, answer=answer) as (_, raw, _params):
            for kind in kinds:
                await raw.note("session/update", {"sessionId": "s", "update": sample(kind)})
            unknown = {"sessionUpdate": "x_future_thing", "payload": {"a": 1}}
            await raw.note("session/update", {"sessionId": "s2", "update": unknown})
            await raw.silent()

    run(scenario())
    hooks = [f"on_{kind}" for kind in kinds] + ["on_unknown"]
    assert [item[0] for item in client.seen] == hooks
    assert [item[1] for item in client.seen] == ["s"] * len(kinds) + ["s2"]
    assert [item[2].session_update for item in client.seen[:-1]] == kinds
    assert client.seen[-1][2].model_extra == {"payload": {"a": 1}}


@pytest.mark.rule(21)
def test_hooks_run_one_after_the_other() -> None:
    """Case C31: a slow hook holds back the later ones and the answer behind them."""
    seen: list[str] = []

    class Client(v1.Client):
        async def on_agent_message_chunk(
            self, session_id: str, update: v1.AgentMessageChunk
        ) -> None:
            assert isinstance(update.content, v1.TextContentBlock)
            await asyncio.sleep(0.02 if update.content.text == "0" else 0)
            seen.append(update.content.text)

    async def scenario() -> None:
        async with client_end(Client(), answer=answer_of(1)) as (agent, raw, _):
            prompt = v1.PromptRequest(session_id="s", prompt=[v1.TextContentBlock(text="x")])
            call = asyncio.create_task(agent.session_prompt(prompt))
            request = await raw.read()
            for index in range(5):
                content = {"type": "text", "text": str(index)}
                chunk = {"sessionUpdate": "agent_message_chunk", "content": content}
                await raw.note("session/update", {"sessionId": "s", "update": chunk})
            await raw.answer(request, {"stopReason": "end_turn"})
            await call
            assert seen == ["0", "1", "2", "3", "4"]

    run(scenario())


def test_a_hook_may_call_the_agent() -> None:
    peers: list[v2.AgentPeer] = []

    class Client(v2.Client):
        async def on_session_info_update(
            self, session_id: str, update: v2.SessionInfoUpdate
        ) -> None:
            answer = await peers[0].session_list(v2.ListSessionsRequest())
            peers.append(peers[0])
            assert answer.sessions == []

    async def scenario() -> None:
        async with client_end(Client(), answer=answer_of(2, {"session": {}})) as (agent, raw, _):
            peers.append(agent)
            update = {"sessionUpdate": "session_info_update", "title": "t"}
            await raw.note("session/update", {"sessionId": "s", "update": update})
            await raw.answer(await raw.read(), {"sessions": []})
            await raw.silent()

    run(scenario())
    assert len(peers) == 2


def test_session_update_can_be_overridden_as_a_whole() -> None:
    seen: list[Any] = []

    class Client(v1.Client):
        async def session_update(self, params: v1.SessionNotification, agent: v1.AgentPeer) -> None:
            seen.append(params.meta)
            await super().session_update(params, agent)

        async def on_notice(self, session_id: str, update: v1.Notice) -> None:
            seen.append(update.title)

    async def scenario() -> None:
        async with client_end(Client(), answer=answer_of(1)) as (_, raw, _params):
            update = {"sessionUpdate": "notice", "severity": "info", "title": "t"}
            params = {"sessionId": "s", "update": update, "_meta": {"k": 1}}
            await raw.note("session/update", params)
            await raw.note("session/update", {**params, "update": sample("tool_call")})
            await raw.silent()

    run(scenario())
    assert seen == [{"k": 1}, "t", {"k": 1}]
