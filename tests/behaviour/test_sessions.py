"""What was said about a session opens and closes the calls that depend on it, in both versions."""

from __future__ import annotations

from typing import Any

import pytest

from tests.behaviour.bindings import V1, V2, surface
from tests.contract.messages import checkers

V2_AGENT = {"capabilities": {"session": {}}}


class Talk:
    """One connection's checkers, told by JSON or by models what is said."""

    def __init__(self, name: str, models: bool, agent: Any = None) -> None:
        module = checkers(name)
        self.surface = surface(name)
        self.table = self.surface.TABLE
        self.models = models
        self.sessions = module.Sessions(self.table)
        self.gates = module.gates({}, agent or {}, sessions=self.sessions)

    def row(self, method: str, side: Any = "agent", kind: Any = "request") -> Any:
        return self.table[method, side, kind]

    def _as(self, type_: Any, value: Any) -> Any:
        return self.surface.decode(type_, value) if self.models else value

    def answered(self, method: str, params: Any, result: Any) -> None:
        row = self.row(method)
        self.sessions.answered(
            row,
            self._as(self.table.params_type(row), params),
            self._as(self.table.result_type(row), result),
        )

    def update(self, session: str, **update: Any) -> None:
        row = self.row("session/update", "client", "notification")
        value = {"sessionId": session, "update": update}
        self.sessions.updated(self._as(self.table.params_type(row), value))

    def may(self, method: str, params: Any, side: Any = "agent", kind: Any = "request") -> bool:
        row = self.row(method, side, kind)
        return self.gates.supports(row, params) and not any(
            item.pointer == "/sessionId"
            for item in self.gates.check_params(row, params, sending=True)
        )


@pytest.fixture(params=[False, True], ids=["json", "models"])
def models(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.mark.parametrize("name", V1)
def test_modes(name: str, models: bool) -> None:
    talk = Talk(name, models)
    ask = {"sessionId": "s", "modeId": "m"}
    assert talk.may("session/set_mode", ask), "set up elsewhere: the agent decides"
    new = {"cwd": "/", "mcpServers": []}
    talk.answered("session/new", new, {"sessionId": "s"})
    assert not talk.may("session/set_mode", ask)
    modes = {"currentModeId": "m", "availableModes": [{"id": "m", "name": "M"}]}
    talk.answered("session/load", {**new, "sessionId": "s"}, {"modes": modes})
    assert talk.may("session/set_mode", ask)


@pytest.mark.parametrize("name", [*V1, *V2])
def test_config_options(name: str, models: bool) -> None:
    key = "id" if name.startswith("v1") else "configId"
    option = {key: "o", "name": "O", "type": "boolean", "currentValue": True}
    talk = Talk(name, models)
    ask = {"sessionId": "s", "configId": "o", "type": "boolean", "value": True}
    talk.answered("session/new", {"cwd": "/", "mcpServers": []}, {"sessionId": "s"})
    assert not talk.may("session/set_config_option", ask)
    talk.update("s", sessionUpdate="config_option_update", configOptions=[option])
    assert talk.may("session/set_config_option", ask)
    talk.answered("session/set_config_option", ask, {"configOptions": []})
    assert not talk.may("session/set_config_option", ask)
    talk.answered("session/close", {"sessionId": "s"}, {})
    assert talk.may("session/set_config_option", ask), "nothing is known of it any more"


@pytest.mark.rule("N8")
@pytest.mark.parametrize("name", V2)
@pytest.mark.parametrize(
    ("method", "kind", "entity"),
    [
        ("tool_call/cancel", "tool_call_update", "toolCallId"),
        ("terminal/cancel", "terminal_update", "terminalId"),
    ],
)
def test_an_entity_that_can_be_cancelled(
    name: str, models: bool, method: str, kind: str, entity: str
) -> None:
    talk = Talk(name, models, V2_AGENT)
    ask = {"sessionId": "s", entity: "e"}
    assert not talk.may(method, ask)
    assert talk.row(method).error == -32602
    talk.update("s", sessionUpdate=kind, **{entity: "e"}, capabilities={"cancel": {}})
    assert talk.may(method, ask)
    assert not talk.may(method, {**ask, entity: "other"})
    assert not talk.may(method, {**ask, "sessionId": "other"})
    talk.update("s", sessionUpdate=kind, **{entity: "e"})
    assert talk.may(method, ask), "left out keeps what was said"
    talk.update("s", sessionUpdate=kind, **{entity: "e"}, capabilities={})
    assert not talk.may(method, ask), "an object replaces the whole set"
    talk.update("s", sessionUpdate=kind, **{entity: "e"}, capabilities={"cancel": {}})
    talk.update("s", sessionUpdate=kind, **{entity: "e"}, capabilities=None)
    assert not talk.may(method, ask), "null clears it"


@pytest.mark.parametrize("name", ["v1_unstable", "v2_unstable"])
def test_the_session_of_a_subagent(name: str, models: bool) -> None:
    talk = Talk(name, models, V2_AGENT)
    child = {"sessionId": "child"}
    prompt = {**child, "prompt": []}
    assert talk.may("session/cancel", child, kind="notification")
    talk.update("s", sessionUpdate="subagent_update", sessionId="child")
    assert not talk.may("session/cancel", child, kind="notification")
    assert not talk.may("session/prompt", prompt)
    talk.update(
        "s", sessionUpdate="subagent_update", sessionId="child", capabilities={"cancel": {}}
    )
    talk.update("s", sessionUpdate="subagent_update", sessionId="child", title="t")
    assert talk.may("session/cancel", child, kind="notification")
    assert not talk.may("session/prompt", prompt), "no capability for it exists"
    assert talk.may("session/prompt", {**prompt, "sessionId": "s"})
    talk.update("s", sessionUpdate="subagent_update", sessionId="child", capabilities=None)
    assert not talk.may("session/cancel", child, kind="notification")


@pytest.mark.parametrize("name", ["v1_unstable", "v2_unstable"])
def test_an_mcp_server_of_the_client(name: str, models: bool) -> None:
    talk = Talk(name, models, V2_AGENT)
    ask = {"serverId": "m", "requestId": 1, "method": "x"}
    request = ("mcp/message", ask, "client", "request")
    note = ("mcp/message", ask, "agent", "notification")
    assert not talk.may(*request)
    server = {"type": "acp", "name": "n", "serverId": "m"}
    talk.answered("session/new", {"cwd": "/", "mcpServers": [server]}, {"sessionId": "s"})
    assert talk.may(*request)
    assert not talk.may(*note)
    row = talk.row("mcp/message", "client")
    talk.sessions.started(row, ask)
    assert talk.may(*note)
    talk.sessions.ended(row, ask)
    assert not talk.may(*note)


def test_what_is_odd_is_ignored() -> None:
    talk = Talk("v2", False, V2_AGENT)
    for params in (None, [], {}, {"sessionId": 3, "update": {"sessionUpdate": "tool_call_update"}}):
        talk.sessions.updated(params)
        talk.sessions.answered(talk.row("session/new"), params, params)
    talk.update("s", sessionUpdate="tool_call_update", toolCallId=3, capabilities=3)
    talk.update("s", sessionUpdate=["tool_call_update"])
    assert not talk.may("tool_call/cancel", {"sessionId": "s", "toolCallId": 3})
