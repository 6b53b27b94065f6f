"""Walks every method of every surface: the stubs send the schema's names, gates refuse locally and
write nothing, and the dispatcher answers as it should.

The oracle for names, kinds and sides is the contract schema's own marks (x-method, x-side).
"""

from __future__ import annotations

import asyncio
import inspect
from dataclasses import dataclass
from typing import Any

import pytest
from acp_bindings.runtime.agent_base import AgentCalls
from acp_bindings.runtime.client_base import ClientCalls
from acp_bindings.runtime.connection import Connection
from acp_bindings.runtime.errors import MethodNotFound, NotAdvertised
from acp_bindings.runtime.gates import Gates
from acp_bindings.runtime.sessions import Sessions
from acp_bindings.runtime.transport import memory_pair

from tests.behaviour import bindings
from tests.behaviour.bindings import SURFACES
from tests.behaviour.ends import Raw, run
from tests.behaviour.smallest import everything, nothing, smallest

EVERY = pytest.mark.parametrize("name", SURFACES)


@dataclass(frozen=True)
class Method:
    """One method as the schema has it. params, result: `$defs` keys."""

    wire: str
    side: str
    kind: str
    params: str
    result: str | None

    @property
    def python(self) -> str:
        return self.wire.replace("/", "_")


def methods(name: str, *sides: str) -> list[Method]:
    """What the schema marks for these sides, `initialize` apart."""
    found: dict[tuple[str, str, str], dict[str, str]] = {}
    for key, definition in bindings.schema(name)["$defs"].items():
        wire, side = definition.get("x-method"), definition.get("x-side")
        if side not in sides or wire == "initialize":
            continue
        kind = "notification" if key.endswith("Notification") else "request"
        part = "result" if key.endswith("Response") else "params"
        found.setdefault((wire, side, kind), {})[part] = key
    return [Method(*key, item["params"], item.get("result")) for key, item in found.items()]


def type_of(name: str, definition: str | None) -> Any:
    if definition is None:
        return None
    return getattr(bindings.models(name), bindings.models(name).WIRE_TYPES[definition])


class Deaf:
    """A handler that takes nothing."""

    async def request(self, method: str, params: Any) -> Any:
        raise MethodNotFound(data={"method": method})

    def notify(self, method: str, params: Any) -> None:
        return None


def caller(surface: Any, side: str, connection: Connection, messages: Any, states: bool) -> Any:
    """The typed peer that calls a side, with these `initialize` messages."""
    peer = (surface.AgentPeer if side == "agent" else surface.ClientPeer)(connection)
    hooks = {state: lambda *_: states for state in surface.TABLE.states if state != "auth_methods"}
    gates = Gates(surface.TABLE, surface.CAPABILITIES, *messages, hooks)
    peer.initialized(gates, Sessions(surface.TABLE), *messages)
    return peer


@EVERY
@pytest.mark.parametrize("side", ["agent", "client"])
def test_the_stub_sends_the_schemas_method(name: str, side: str) -> None:
    surface = bindings.surface(name)
    rows = methods(name, side)
    assert len(rows) >= (11 if side == "agent" else 4)

    async def scenario() -> None:
        ours, theirs = memory_pair()
        raw = Raw(theirs)
        async with Connection(ours, Deaf()) as connection:
            peer = caller(surface, side, connection, everything(surface), True)
            for row in rows:
                params = smallest(name, row.params)
                stub = getattr(peer, row.python)
                value = surface.decode(type_of(name, row.params), params)
                call = asyncio.create_task(stub(value))
                message = await raw.read()
                assert message["method"] == row.wire and message["params"] == params
                assert ("id" in message) == (row.kind == "request")
                if row.result is not None:
                    await raw.answer(message, smallest(name, row.result))
                    wanted = surface.decode(type_of(name, row.result), smallest(name, row.result))
                    assert await call == wanted and type(call.result()) is type(wanted)
                else:
                    assert await call is None

    run(scenario())


@EVERY
@pytest.mark.parametrize("side", ["agent", "client"])
def test_the_peer_and_the_implementation_have_every_method_and_no_other(
    name: str, side: str
) -> None:
    surface = bindings.surface(name)
    implementation, peer = {
        "agent": (surface.Agent, surface.AgentPeer),
        "client": (surface.Client, surface.ClientPeer),
    }[side]
    rows = methods(name, side)
    wanted = {(row.wire, row.kind) for row in rows}
    handlers = set(implementation.HANDLERS)
    assert handlers - {("initialize", "request")} == wanted
    own = {item for item, value in vars(peer).items() if inspect.iscoroutinefunction(value)}
    assert own - {"send_update"} == {row.python for row in rows}
    for row in rows:
        handler = getattr(implementation, row.python)
        assert inspect.iscoroutinefunction(handler)
        hints = inspect.get_annotations(handler)
        assert hints["params"] == type_name(name, row.params)
        assert hints["return"] == (type_name(name, row.result) if row.result else "None")
        assert f"`{row.wire}`" in (handler.__doc__ or "")
    if side == "agent":
        assert not hasattr(surface.Client, "initialize")
    # The proxy's methods have types and rows, and no stubs (decision 21).
    for row in methods(name, "proxy"):
        assert not hasattr(implementation, row.python)
        assert (row.wire, "proxy", row.kind) in surface.TABLE.rows


def type_name(name: str, definition: str) -> str:
    found: str = bindings.models(name).WIRE_TYPES[definition]
    return found


@EVERY
@pytest.mark.parametrize("side", ["agent", "client"])
def test_an_unadvertised_gate_refuses_here_and_writes_nothing(name: str, side: str) -> None:
    surface = bindings.surface(name)
    refused, sent = set(), set()

    async def scenario() -> None:
        ours, theirs = memory_pair()
        raw = Raw(theirs)
        async with Connection(ours, Deaf()) as connection:
            peer = caller(surface, side, connection, nothing(surface), False)
            for row in methods(name, side):
                gate = surface.TABLE[row.wire, side, row.kind].requires
                value = surface.decode(type_of(name, row.params), smallest(name, row.params))
                call = asyncio.create_task(getattr(peer, row.python)(value))
                if gate:
                    with pytest.raises(NotAdvertised) as caught:
                        await call
                    assert str(caught.value).startswith(row.wire)
                    assert "has advertised" in gate or caught.value.missing in gate
                    refused.add(row.wire)
                    continue
                await asyncio.wait({call}, timeout=0.05)
                if call.done() and isinstance(call.exception(), NotAdvertised):
                    refused.add(row.wire)  # a value in the smallest params has a gate of its own
                    continue
                message = await raw.read()
                assert message["method"] == row.wire
                sent.add(row.wire)
                if "id" in message:
                    await raw.refuse(message, -32603)
                    await asyncio.wait({call})
                    assert call.exception() is not None
            await raw.silent()

    run(scenario())
    baseline = {
        ("agent", "v1"): {"session/new", "session/prompt", "session/cancel"},
        # A subagent's session takes these only while it says so.
        ("agent", "v1_unstable"): {"session/new"},
        ("client", "v1"): {"session/request_permission", "session/update"},
        ("client", "v1_unstable"): {"session/request_permission", "session/update"},
        ("client", "v2"): {"session/request_permission"},
        ("client", "v2_unstable"): {"session/request_permission"},
    }.get((side, name), set())
    assert sent == baseline
    assert len(refused) >= (8 if side == "agent" else 2)


class Everything:
    """Makes a class that implements every method of a side and keeps what it was given."""

    def __init__(self, name: str, side: str) -> None:
        surface = bindings.surface(name)
        self.seen: list[tuple[str, Any]] = []
        self.base = surface.Agent if side == "agent" else surface.Client
        body = {row.python: self._handler(name, row) for row in methods(name, side)}
        self.made = type("Everything", (self.base,), body)()

    def _handler(self, name: str, row: Method) -> Any:
        surface = bindings.surface(name)

        async def handle(_self: Any, params: Any, _peer: Any) -> Any:
            self.seen.append((row.wire, params))
            if row.result is not None:
                return surface.decode(type_of(name, row.result), smallest(name, row.result))
            return None

        return handle


async def dispatcher(surface: Any, implementation: Any, messages: Any, states: bool) -> Any:
    """(raw peer, connection) around the calls of an implementation."""
    ours, theirs = memory_pair()
    side = implementation.SIDE
    hooks = {state: lambda *_: states for state in surface.TABLE.states if state != "auth_methods"}
    gates = Gates(surface.TABLE, surface.CAPABILITIES, *messages, hooks)
    sessions = Sessions(surface.TABLE)

    class Handler:
        async def request(self, method: str, params: Any) -> Any:
            return await calls.request(method, params)

        def notify(self, method: str, params: Any) -> Any:
            return calls.notify(method, params)

    connection = Connection(ours, Handler(), role=side)
    peer = implementation.PEER(connection)
    peer.initialized(gates, sessions, *messages)
    kind = AgentCalls if side == "agent" else ClientCalls
    calls: Any = kind(implementation, peer, gates, sessions)
    peer.calls = calls
    connection.start()
    return Raw(theirs), connection


@EVERY
@pytest.mark.parametrize("side", ["agent", "client"])
def test_what_is_not_overridden_is_not_found(name: str, side: str) -> None:
    surface = bindings.surface(name)

    async def scenario() -> None:
        implementation = (surface.Agent if side == "agent" else surface.Client)()
        raw, connection = await dispatcher(surface, implementation, everything(surface), True)
        for row in methods(name, side):
            params = smallest(name, row.params)
            if row.kind == "request":
                error = await raw.error(row.wire, params)
                assert error["code"] == -32601 and error["data"] == {"method": row.wire}
            else:
                await raw.note(row.wire, params)
        other = "client" if side == "agent" else "agent"
        taken = {row.wire for row in methods(name, side)}
        for row in methods(name, other, "proxy"):
            if row.kind == "request" and row.wire not in taken:
                assert (await raw.error(row.wire, {}))["code"] == -32601
        await raw.silent()
        await connection.close()

    run(scenario())


OTHER_CODES = {
    "session/set_mode": -32602,
    "session/set_config_option": -32602,
    "tool_call/cancel": -32602,
    "terminal/cancel": -32602,
    "elicitation/create": -32602,
    "mcp/message": -33001,
}


@EVERY
@pytest.mark.parametrize("side", ["agent", "client"])
def test_what_is_not_advertised_is_refused_with_its_code(name: str, side: str) -> None:
    """Decision 3: -32601 for a capability. What only a parameter or the state of a session decides
    has the code that the protocol names for it.
    """
    surface = bindings.surface(name)
    codes = set()

    async def scenario() -> None:
        implementation = Everything(name, side)
        messages = nothing(surface)
        raw, connection = await dispatcher(surface, implementation.made, messages, False)
        for row in methods(name, side):
            gate = surface.TABLE[row.wire, side, row.kind].requires
            params = smallest(name, row.params)
            if not gate:
                continue
            if row.kind == "request":
                error = await raw.error(row.wire, params)
                assert error["code"] == OTHER_CODES.get(row.wire, -32601), row
                codes.add(error["code"])
            else:
                await raw.note(row.wire, params)
        await raw.silent()
        await connection.close()
        assert implementation.seen == []

    run(scenario())
    assert -32601 in codes or (side == "client" and name.startswith("v2"))
    assert codes


@EVERY
@pytest.mark.parametrize("side", ["agent", "client"])
def test_bad_params_and_good_ones(name: str, side: str) -> None:
    surface = bindings.surface(name)

    async def scenario() -> None:
        implementation = Everything(name, side)
        messages = everything(surface)
        raw, connection = await dispatcher(surface, implementation.made, messages, True)
        for row in methods(name, side):
            params = smallest(name, row.params)
            for bad in ([], "text", 5, *({**params, key: {"bad": []}} for key in params)):
                if isinstance(bad, dict) and not refuses(surface, name, row, bad):
                    continue  # a field that takes anything
                if row.kind == "request":
                    error = await raw.error(row.wire, bad)
                    assert error["code"] == -32602, (row, bad)
                    assert error["data"]["errors"], row
                else:
                    await raw.note(row.wire, bad)
            assert implementation.seen == [], row
            if row.kind == "request":
                result = await raw.result(row.wire, params)
                assert row.result is not None
                assert result == smallest(name, row.result)
            else:
                await raw.note(row.wire, params)
                await raw.silent()
            ((wire, value),) = implementation.seen
            assert wire == row.wire
            assert value == surface.decode(type_of(name, row.params), params)
            implementation.seen.clear()
        await connection.close()

    run(scenario())


def refuses(surface: Any, name: str, row: Method, value: Any) -> bool:
    try:
        surface.decode(type_of(name, row.params), value)
    except surface.DecodeError:
        return True
    return False
