"""What a request of another version gets: -32601, with what does the same here in its data.

The expectations come from the copied facts and from the contract schemas, not from the table that the
answer is made of.
"""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest
from acp_bindings import v1, v2
from acp_bindings.runtime.errors import MethodNotFound

from tests.behaviour.bindings import SURFACES, schema, surface
from tests.behaviour.cases import case
from tests.behaviour.ends import INITIALIZE, agent_end, answer_of, client_end, run
from tests.behaviour.test_router import MERGED, One, Two

FACTS = json.loads(
    (Path(__file__).parents[1] / "contract" / "v1_v2.json").read_text(encoding="utf-8")
)


def requests(name: str, side: str) -> set[str]:
    """The requests that a side receives, by the contract schema."""
    definitions = schema(name)["$defs"]
    return {
        item["x-method"]
        for key, item in definitions.items()
        if item.get("x-side") == side and key.endswith("Request")
    }


def replaced(old: str, new: str) -> dict[str, list[str]]:
    """Method -> what the facts say that does the same in the other version; old, new: v1, v2."""
    found = {}
    for row in FACTS["methods"]:
        name, other = (row[key] and row[key].partition(" ")[0] for key in (old, new))
        if name is None or name == other:
            continue
        note = row.get("note", "")
        named = re.findall(r"use (session/\w+)", note)
        found[name] = [other] if other is not None else named
    return found


def check(error: dict[str, Any], method: str, version: int, defined: list[int]) -> dict[str, Any]:
    """The parts that every such answer has; its data."""
    assert error["code"] == -32601
    assert method in error["message"]
    data: dict[str, Any] = error["data"]
    assert data["method"] == method
    assert (data["protocolVersion"], data["definedBy"]) == (version, defined)
    assert data["replacedBy"] or data["hint"]
    return data


@pytest.mark.parametrize(("asked", "old", "new"), [(2, "v1", "v2"), (1, "v2", "v1")])
def test_a_client_of_another_version_is_told_what_to_call(asked: int, old: str, new: str) -> None:
    """Through the router, which served both versions. Case C44."""
    gone = requests(old, "agent") - requests(new, "agent")
    facts = replaced(old, new)
    assert {"v1": {"session/set_mode", "logout"}, "v2": {"auth/login"}}[old] <= gone

    async def scenario() -> None:
        async with agent_end(One(), Two(), initialize={**MERGED, "protocolVersion": asked}) as raw:
            for method in sorted(gone):
                data = check(await raw.error(method, {}), method, asked, [3 - asked])
                assert data["replacedBy"] == facts[method]
                assert set(data["replacedBy"]) <= requests(new, "agent")

    run(scenario())


def test_an_agent_of_another_version_is_told_what_to_call() -> None:
    gone = requests("v1", "client") - requests("v2", "client")
    assert {"fs/read_text_file", "terminal/create"} <= gone

    async def scenario() -> None:
        async with client_end(v2.Client(), answer=answer_of(2)) as (_peer, raw, _params):
            for method in sorted(gone):
                data = check(await raw.error(method, {}), method, 2, [1])
                assert data["replacedBy"] == replaced("v1", "v2")[method] == []
                assert data["hint"]

    run(scenario())


def test_a_typed_call_raises_with_what_replaces_it() -> None:
    """A typed v1 caller reaches a v2 agent when what stands between them hides the version."""

    async def scenario() -> None:
        async with (
            client_end(v1.Client(), answer=answer_of(1)) as (peer, raw, _params),
            agent_end(Two(), initialize=INITIALIZE[2]) as agent,
        ):
            params = v1.SetSessionModeRequest(session_id="s", mode_id="m")
            calling = asyncio.create_task(peer.session_set_mode(params))
            message = await raw.read()
            error = await agent.error(message["method"], message["params"])
            await raw.send({"id": message["id"], "error": error})
            with pytest.raises(MethodNotFound) as caught:
                await calling
            assert caught.value.replaced_by == ["session/set_config_option"]
            assert "session/set_config_option" in str(caught.value)

    run(scenario())


@pytest.mark.parametrize(("agent", "version"), [(One, 1), (Two, 2)])
def test_c27_a_dropped_method_names_its_replacement(agent: Any, version: int) -> None:
    message = case("C27")
    assert not any(message["method"] in requests(name, "agent") for name in SURFACES)

    async def scenario() -> None:
        async with agent_end(agent(), initialize=INITIALIZE[version]) as raw:
            error = await raw.error(message["method"], message["params"])
            data = check(error, "session/set_model", version, [])
            assert data["replacedBy"] == ["session/set_config_option"]
            assert '"model"' in data["hint"]

    run(scenario())


def test_c27_there_is_no_stub() -> None:
    for name in SURFACES:
        assert hasattr(surface(name).Agent, "session_set_config_option")
        for class_ in (surface(name).Agent, surface(name).AgentPeer):
            assert not hasattr(class_, "session_set_model")


def test_c44_the_pairs_of_the_case() -> None:
    pairs = case("C44")["pairs"]

    async def scenario() -> None:
        async with agent_end(Two(), initialize=INITIALIZE[2]) as raw:
            for old in ("authenticate", "logout", "session/load", "session/set_mode"):
                data = (await raw.error(old, {}))["data"]
                named = re.findall(r"\w+/\w+", pairs[old])
                assert pairs[old] == "removed" or data["replacedBy"] == named

    run(scenario())


@pytest.mark.parametrize(("agent", "version"), [(One, 1), (Two, 2)])
def test_a_method_of_the_other_channel_says_so(agent: Any, version: int) -> None:
    gone = requests(f"v{version}_unstable", "agent") - requests(f"v{version}", "agent")
    assert "session/fork" in gone

    async def scenario() -> None:
        async with agent_end(agent(), initialize=INITIALIZE[version]) as raw:
            for method in sorted(gone):
                data = check(await raw.error(method, {}), method, version, [1, 2])
                assert "stable schema" in data["hint"]

    run(scenario())


@pytest.mark.parametrize(
    "method", ["no/such", "session/set_mod", "initialise", "", "session/cancel"]
)
def test_what_nobody_knows_names_itself_alone(method: str) -> None:
    async def scenario() -> None:
        async with agent_end(Two(), initialize=INITIALIZE[2]) as raw:
            error = await raw.error(method, {})
            assert error["code"] == -32601 and error["data"] == {"method": method}

    run(scenario())


@pytest.mark.parametrize("name", SURFACES)
def test_the_table_lists_every_request_that_the_other_schemas_have(name: str) -> None:
    """Independent of methods.toml: what the other contract schemas have and this one lacks."""
    table = surface(name).TABLE
    listed = {(item.method, item.side) for item in table.elsewhere}
    for side in ("agent", "client"):
        own = requests(name, side)
        others = set().union(*(requests(other, side) for other in SURFACES)) - own
        assert {(method, side) for method in others} <= listed
        assert not {(method, side) for method in own} & listed
        for item in table.elsewhere:
            if item.side == side:
                received = {row.method for row in table if row.side in (side, "protocol")}
                assert set(item.replaced_by) <= received
                live = {int(other[1]) for other in SURFACES if item.method in requests(other, side)}
                assert set(item.defined_by) == live
