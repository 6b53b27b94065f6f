"""Clients: how an agent's calls reach the methods, or do not."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest
from acp_bindings import v1, v2
from acp_bindings.runtime.connect import connect
from acp_bindings.runtime.transport import memory_pair

from tests.behaviour.clients import BOTH, OPTIONS, PERMISSION, S1, SURFACES, Waits1, Waits2
from tests.behaviour.ends import Raw, answer_of, client_end, pointers, run


@BOTH
def test_before_the_answer_nothing_is_handled(version: int) -> None:
    """Decision 4."""
    acp = SURFACES[version]

    class Client({1: Waits1, 2: Waits2}[version]):  # type: ignore[misc]
        async def session_update(self, params: Any, agent: Any) -> None:
            raise AssertionError("handled")

    async def scenario() -> None:
        ours, theirs = memory_pair()
        raw = Raw(theirs)
        client = Client()
        connecting = asyncio.create_task(connect(ours, client))
        request = await raw.read()
        update = {"sessionUpdate": "session_info_update", "title": "t"}
        await raw.note("session/update", {**S1, "update": update})
        error = await raw.error("session/request_permission", PERMISSION[version])
        assert error["code"] == -32600 and not client.asked.is_set()
        await raw.answer(request, answer_of(version))
        agent = await connecting
        assert isinstance(agent, acp.AgentPeer)
        await agent.close()

    run(scenario())


@BOTH
def test_errors_of_a_client(version: int) -> None:
    """Cases C12 and C29."""
    client = {1: Waits1, 2: Waits2}[version]()

    async def scenario() -> None:
        async with client_end(client, answer=answer_of(version)) as (_, raw, _params):
            for method in ("fs/read_text_file", "_example.com/ask", "session/new", "no/such"):
                assert (await raw.error(method, S1))["code"] == -32601
            error = await raw.error("session/request_permission", S1)
            assert error["code"] == -32602 and "/options" in pointers(error)
            option = {**OPTIONS[0], "kind": "allow_persistent"}
            params = {**PERMISSION[version], "options": [option]}
            if version == 1:
                error = await raw.error("session/request_permission", params)
                assert pointers(error) == ["/options/0/kind"]
            else:
                client.decided.set()
                await raw.result("session/request_permission", params)

    run(scenario())


@pytest.mark.parametrize("stubborn", [False, True])
def test_decision_17_cancelling_answers_permission_requests(stubborn: bool) -> None:
    client = Waits1()
    client.stubborn = stubborn

    async def scenario() -> None:
        async with client_end(client, answer=answer_of(1)) as (agent, raw, _):
            first = await raw.ask("session/request_permission", PERMISSION[1])
            await client.asked.wait()
            other = {**PERMISSION[1], "sessionId": "s2"}
            second = await raw.ask("session/request_permission", other)
            await agent.session_cancel(v1.CancelNotification(session_id="s1"))
            got = [await raw.read() for _ in range(2)]
            by_id = {item.get("id"): item for item in got}
            assert {item.get("method") for item in got} == {"session/cancel", None}
            assert by_id[first]["result"] == {"outcome": {"outcome": "cancelled"}}
            client.decided.set()
            answer = await raw.read()
            assert answer["id"] == second
            assert answer["result"]["outcome"] == {"outcome": "selected", "optionId": "yes"}

    run(scenario())


def test_in_version_2_cancelling_answers_nothing_by_itself() -> None:
    client = Waits2()

    async def scenario() -> None:
        async with client_end(client, answer=answer_of(2, {"session": {}})) as (agent, raw, _):
            first = await raw.ask("session/request_permission", PERMISSION[2])
            await client.asked.wait()
            await agent.session_cancel(v2.CancelSessionNotification(session_id="s1"))
            assert (await raw.read())["method"] == "session/cancel"
            client.decided.set()
            answer = await raw.read()
            assert answer["id"] == first
            assert answer["result"]["outcome"]["outcome"] == "selected"

    run(scenario())


def test_a_permission_request_that_the_agent_cancels() -> None:
    client = Waits1()

    async def scenario() -> None:
        async with client_end(client, answer=answer_of(1)) as (_, raw, _params):
            id_ = await raw.ask("session/request_permission", PERMISSION[1])
            await client.asked.wait()
            await raw.note("$/cancel_request", {"requestId": id_})
            assert (await raw.read())["error"]["code"] == -32800
            await raw.silent()

    run(scenario())


def test_extension_calls_both_ways() -> None:
    seen: list[Any] = []

    class Client(v2.Client):
        async def ext_method(self, method: str, params: Any, agent: Any, /) -> Any:
            return {method: params}

        async def ext_notification(self, method: str, params: Any, agent: Any, /) -> None:
            seen.append((method, params))

    async def scenario() -> None:
        async with client_end(Client(), answer=answer_of(2)) as (agent, raw, _):
            assert await raw.result("_a/b", [1]) == {"_a/b": [1]}
            await raw.note("_a/c", {"x": 1})
            call = asyncio.create_task(agent.ext_request("_d", {"y": None}))
            request = await raw.read()
            assert request["method"] == "_d" and request["params"] == {"y": None}
            await raw.answer(request, [True])
            assert await call == [True]
            await agent.ext_notify("_e")
            assert await raw.read() == {"jsonrpc": "2.0", "method": "_e"}

    run(scenario())
    assert seen == [("_a/c", {"x": 1})]


def test_malformed_updates_are_dropped_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    """Case C02."""
    seen: list[Any] = []

    class Client(v1.Client):
        async def on_usage_update(self, session_id: str, update: v1.UsageUpdate) -> None:
            seen.append(update.used)

    async def scenario() -> None:
        with caplog.at_level(logging.WARNING):
            async with client_end(Client(), answer=answer_of(1)) as (_, raw, _params):
                for used in (None, 3):
                    update = {"sessionUpdate": "usage_update", "used": used, "size": 9}
                    await raw.note("session/update", {**S1, "update": update})
                await raw.silent()

    run(scenario())
    assert seen == [3] and "/update/used" in caplog.text
