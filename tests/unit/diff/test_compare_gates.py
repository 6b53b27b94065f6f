"""Gates and rules of places: each on its own, and not where something else says what changed."""

from __future__ import annotations

from typing import Any

import pytest

from acpgen.spec.ir import Spec
from tests.unit.diff.small import Defs, changes, record, ref, request, said, spec, tagged
from tests.unit.diff.test_compare_methods import FLAG, method, objects, protocol

CAPS = {"caps": objects(a=FLAG, b=FLAG)}


def ask(toml: str = "", head: str = "", **x: Any) -> Spec:
    """`ask` with a property `x`; what methods.toml says of them."""
    schema = x or {"type": "string"}
    defs = {"Ask": request("ask", {**record(), "properties": {"x": schema}})}
    return protocol(CAPS, (head or method("ask")) + toml, **defs)


def check(**more: str) -> str:
    """A check of that property. Values are TOML."""
    rows = "".join(f"{key} = {value}\n" for key, value in more.items())
    return f'[[check]]\nmethods = ["ask"]\nat = "/x"\n{rows}'


@pytest.mark.parametrize(
    "checks",
    [
        check(rule='"non_empty"') + check(rule='"absolute_path"'),
        check(when="{ present = true }", requires='"agent: a"')
        + check(when='{ starts_with = "_" }', requires='"agent: b"'),
        check(when="{ present = true }", requires='"agent: a"')
        + check(when='{ starts_with = "_" }', requires='"agent: a"'),
        check(requires='"agent: a"') + check(rule='"non_empty"'),
    ],
)
def test_two_checks_of_one_place_are_two_changes(checks: str) -> None:
    assert [item.action for item in changes(ask(), ask(checks))] == ["added", "added"]
    assert [item.action for item in changes(ask(checks), ask())] == ["removed", "removed"]


def test_the_params_and_the_result_of_a_method_have_their_own_gates() -> None:
    defs = {
        "Ask": request("ask", record("x")),
        "AskResponse": request("ask", record("x")),
    }
    gate = check(when="{ present = true }", requires='"agent: a"')
    both = gate + gate + 'of = "result"\n'
    old, new = protocol(CAPS, method("ask"), **defs), protocol(CAPS, method("ask") + both, **defs)
    assert [item.detail["of"] for item in changes(old, new)] == ["params", "result"]


@pytest.mark.parametrize("when", ['{ is = "new" }', '{ one_of = ["new", "newer"] }'])
def test_a_gate_of_values_that_came_with_it_is_no_change_of_its_own(when: str) -> None:
    gate = check(when=when, requires='"agent: a"')
    old = ask(enum=["old"], type="string")
    new = ask(gate, enum=["old", "new", "newer"], type="string")
    assert {item.area for item in changes(old, new)} == {"value"}
    assert {item.area for item in changes(new, old)} == {"value"}
    before = ask(enum=["old", "new"], type="string")
    assert "gate" in {item.area for item in changes(before, new)}


STATE = '[[state]]\nname = "own"\nsummary = "S."\nknown_by = "session"\ndefault = true\nof_update = "b"\n'


def updating(requires: str, *kinds: str) -> Spec:
    """`ask` with a gate, where the state `own` is of the update `b`."""
    update = {**tagged("kind", *kinds), "discriminator": {"propertyName": "kind"}}
    defs: Defs = {
        "Ask": request("ask", record("x")),
        "Update": request("session/update", record(update=ref("SessionUpdate")), "client"),
        "SessionUpdate": update,
    }
    return protocol(CAPS, method("ask", requires) + STATE, **defs)


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ("", "state: own"),
        ("agent: a", "all(agent: a, state: own)"),
        ("any(agent: a, agent: b)", "any(agent: a, agent: b, state: own)"),
        ("agent: a", "all(agent: a, not(state: own))"),
    ],
)
def test_a_state_that_came_with_its_update_changes_no_gate(was: str, now: str) -> None:
    old, new = updating(was, "a"), updating(now, "a", "b")
    assert new.table.update_states == {"own": "b"}
    assert said(old, new) == ["variant.added SessionUpdate:b"]
    assert said(new, old) == ["variant.removed SessionUpdate:b"]
    assert "gate" in {item.area for item in changes(updating(was, "a", "b"), new)}


def test_what_else_changed_with_such_a_state_is_said() -> None:
    old, new = updating("agent: a", "a"), updating("all(agent: b, state: own)", "a", "b")
    (found,) = [item for item in changes(old, new) if item.area == "gate"]
    assert (found.action, found.detail["now"]) == ("changed", "all(agent: b, state: own)")
    (found,) = [
        item
        for item in changes(updating("agent: a", "a"), updating("state: own", "b"))
        if item.area == "gate"
    ]
    assert (found.action, found.detail["was"], found.detail["now"]) == ("removed", "agent: a", "")


@pytest.mark.parametrize(
    ("free", "filled"),
    [
        ({"type": "array", "items": {"type": "string"}}, {"minItems": 1}),
        ({"type": "string"}, {"minLength": 1}),
    ],
)
def test_a_rule_that_the_schema_states_as_well_is_a_change_of_bounds(
    free: Defs, filled: Defs
) -> None:
    rule = check(rule='"non_empty"')
    stated = {**free, **filled}
    assert said(ask(**free), ask(rule, **stated)) == ["field.bounds Ask.x"]
    assert said(ask(rule, **stated), ask(**free)) == ["field.bounds Ask.x"]
    assert said(ask(rule, **free), ask(**stated)) == ["field.bounds Ask.x"]
    assert said(ask(**stated), ask(rule, **stated)) == []
    assert said(ask(**free), ask(rule, **free)) == ["gate.added ask /x -> ask"]


def test_the_code_of_a_refusal_is_compared() -> None:
    old, new = (
        ask(check(when="{ present = true }", requires='"agent: a"', error=code))
        for code in ("-32602", "-32601")
    )
    (found,) = changes(old, new)
    assert (found.kind, found.subject) == ("method.errors", "ask /x")
    assert found.writers == {"agent"}
    assert found.detail["error"] == {"was": -32602, "now": -32601}
    assert (found.detail["at"], found.detail["of"]) == ("/x", "params")
    assert found.detail["when"] == {"present": True}


def test_a_gate_and_its_code_are_two_changes_and_a_new_gate_has_no_code_before() -> None:
    gates = [
        ask(check(when="{ present = true }", requires=f'"agent: {name}"', error=code))
        for name, code in (("a", "-32602"), ("b", "-32601"))
    ]
    assert [item.kind for item in changes(gates[0], gates[1])] == ["gate.changed", "method.errors"]
    assert [item.kind for item in changes(ask(), gates[1])] == ["gate.added"]


def test_a_notification_is_not_answered_whatever_code_its_check_has() -> None:
    head = method("ask").replace("request", "notification")
    defs = {"AskNotification": request("ask", record("x"))}
    old, new = (
        protocol(CAPS, head + check(requires='"agent: a"', error=code), **defs)
        for code in ("-32602", "-32601")
    )
    assert said(old, new) == []


def test_a_spec_without_updates_has_no_states_of_them() -> None:
    assert spec({"Ask": request("ask", record())}).table.update_states == {}
