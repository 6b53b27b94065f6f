"""What a side advertises against what it implements: generated functions, and cases C21 to C27."""

from __future__ import annotations

from typing import Any

import pytest

from tests.behaviour.bindings import ROOT, V1, V2, surface
from tests.behaviour.test_cases import case
from tests.contract.messages import checkers

BASELINE = {
    *((f"session/{name}", "request") for name in ("new", "list", "resume", "close", "prompt")),
    ("session/cancel", "notification"),
}
TERMINAL = {
    (f"terminal/{name}", "request")
    for name in ("create", "output", "wait_for_exit", "kill", "release")
}


def supported(name: str, response: Any, method: str) -> bool:
    row = surface(name).TABLE[method, "agent", "request"]
    return bool(checkers(name).gates({}, response).supports(row))


@pytest.mark.parametrize("name", V1)
@pytest.mark.parametrize("value", [None, "all", ["loadSession"], 1])
def test_c21_capabilities_that_are_none(name: str, value: Any) -> None:
    response = {**case("C21")["result"], "agentCapabilities": value}
    model = surface(name).decode(surface(name).InitializeResponse, response)
    for message in (response, model):
        assert surface(name).CAPABILITIES.advertised("agent", message) == [] or message is model
        for method in ("session/load", "session/list", "session/close", "logout"):
            assert not supported(name, message, method)


@pytest.mark.parametrize("name", V1)
def test_c22_presence_and_value(name: str) -> None:
    response = case("C22")
    found = {
        method: supported(name, response, f"session/{method}")
        for method in ("list", "close", "delete", "resume", "load")
    }
    assert found == {"list": True, "close": True, "delete": False, "resume": False, "load": False}


@pytest.mark.parametrize("name", V1)
def test_c23_capabilities_follow_from_methods(name: str) -> None:
    has = {("session/load", "request"), ("session/list", "request")}
    found = checkers(name).implied("agent", has)
    assert found == {"loadSession": True, "sessionCapabilities": {"list": {}}}
    agreed = {"agentCapabilities": found}
    assert checkers(name).disagreements("agent", agreed, has) == []
    silent = checkers(name).disagreements("agent", {}, has)
    assert [(item.kind, item.row.method) for item in silent] == [
        ("implemented", "session/list"),
        ("implemented", "session/load"),
    ]
    boast = checkers(name).disagreements("agent", agreed, ())
    assert sorted((item.kind, item.row.method) for item in boast) == [
        ("advertised", "session/list"),
        ("advertised", "session/load"),
    ]


@pytest.mark.parametrize("name", V1)
def test_c24_all_five_methods_of_terminals_or_none(name: str) -> None:
    found = checkers(name)
    assert found.implied("client", TERMINAL) == {"terminal": True}
    for left_out in TERMINAL:
        some = TERMINAL - {left_out}
        assert found.implied("client", some) == {}
        partial = found.disagreements("client", {"clientCapabilities": {"terminal": True}}, some)
        assert [item.row.method for item in partial] == [left_out[0]]
    silent = found.disagreements(
        "client", {"protocolVersion": 1, "clientCapabilities": {"terminal": False}}, TERMINAL
    )
    assert {item.row.method for item in silent} == {method for method, _ in TERMINAL}


def test_c25_a_capability_of_another_surface() -> None:
    response = case("C25")["result"]
    assert supported("v1", response, "session/list")
    assert "sessionCapabilities.fork" not in surface("v1").CAPABILITIES.kinds["agent"]
    assert ("session/fork", "agent", "request") not in surface("v1").TABLE.rows
    assert supported("v1_unstable", response, "session/fork")


@pytest.mark.parametrize("name", V1)
def test_c26_a_capability_belongs_to_a_side(name: str) -> None:
    message = case("C26")
    gates = checkers(name).gates(message, message)
    assert gates.has("client", "auth.terminal")
    assert not gates.has("agent", "auth.terminal")
    assert gates.has("agent", "auth.logout")
    assert not gates.has("client", "auth.logout")


@pytest.mark.parametrize("name", [*V1, *V2])
def test_c27_a_method_that_is_gone(name: str) -> None:
    """Only the metadata still knows it, for releases that have it."""
    assert {row.method for row in surface(name).TABLE}.isdisjoint(
        {"session/set_model", "nes/start"}
    )
    text = (ROOT / "schemas" / "v1" / "methods.toml").read_text(encoding="utf-8")
    assert 'name = "session/set_model"' in text


@pytest.mark.rule(9, 23, 78)
@pytest.mark.parametrize("name", V2)
def test_the_baseline_of_v2_is_whole(name: str) -> None:
    found = checkers(name)
    assert found.implied("agent", BASELINE) == {"session": {}}
    for left_out in BASELINE:
        rest = found.disagreements(
            "agent", {"capabilities": {"session": {}}}, BASELINE - {left_out}
        )
        assert [(item.kind, item.row.method) for item in rest] == [("advertised", left_out[0])]
        assert found.implied("agent", BASELINE - {left_out}) == {}


@pytest.mark.rule(66, 67, 68, 80)
@pytest.mark.parametrize("name", V2)
@pytest.mark.parametrize("capabilities", [{}, {"auth": {}}, {"auth": None}])
def test_auth_methods_oblige_login_and_logout(name: str, capabilities: Any) -> None:
    found = checkers(name)
    login, logout = ("auth/login", "request"), ("auth/logout", "request")
    method = {"type": "agent", "methodId": "a", "name": "A"}
    broken = [{"methodId": 3}, "x"]
    answer = {
        "protocolVersion": 2,
        "info": {"name": "n", "version": "1"},
        "capabilities": capabilities,
    }
    with_methods = {**answer, "authMethods": [*broken, method]}
    missing = found.disagreements("agent", with_methods, {login})
    assert [item.row.method for item in missing] == ["auth/logout"]
    assert found.disagreements("agent", with_methods, {login, logout}) == []
    for none in ({}, {"authMethods": []}, {"authMethods": None}, {"authMethods": broken}):
        extra = found.disagreements("agent", {**answer, **none}, {login})
        assert [(item.kind, item.row.method) for item in extra] == [("implemented", "auth/login")]
        row = surface(name).TABLE["auth/login", "agent", "request"]
        assert not found.gates({}, {**answer, **none}).supports(row)


@pytest.mark.rule("N9")
@pytest.mark.parametrize(("name", "key"), [("v1", "id"), ("v2", "methodId")])
def test_a_terminal_method_is_not_logged_into(name: str, key: str) -> None:
    method = "authenticate" if name == "v1" else "auth/login"
    row = surface(name).TABLE[method, "agent", "request"]
    terminal = {"type": "terminal", key: "t", "name": "T"}
    agent = {"type": "agent", key: "a", "name": "A"}
    gates = checkers(name).gates({}, {"protocolVersion": 2, "authMethods": [terminal, agent]})
    assert gates.supports(row)

    def refused(identifier: str) -> list[str]:
        found = gates.check_params(row, {"methodId": identifier})
        return [f"{item.pointer} {item.error}" for item in found]

    assert refused("a") == []
    assert refused("t") == ["/methodId -32602"]
    assert refused("other") == ["/methodId -32602"]
    only = checkers(name).gates({}, {"authMethods": [terminal]})
    assert only.supports(row), "it opens the methods, but cannot be passed to them"


def test_the_capabilities_of_a_list_of_methods_are_json() -> None:
    everything = {row.key[::2] for row in surface("v2_unstable").TABLE.received_by("agent")}
    found = checkers("v2_unstable").implied("agent", everything)
    session = {name: {} for name in ("delete", "fork", "archive", "status", "title", "options")}
    assert found == {"session": session, "auth": {"status": {}}, "providers": {}}
    response = {"capabilities": found}
    assert (
        checkers("v2_unstable").disagreements(
            "agent", response, everything - {("auth/login", "request"), ("auth/logout", "request")}
        )
        == []
    )
