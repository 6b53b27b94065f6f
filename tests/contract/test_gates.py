"""Every gate of tests/contract/gates.json is enforced by the generated checkers, or docs/gates.md
lists it by name with the reason.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.behaviour.bindings import surface
from tests.contract.facts import STATES, Fact, capabilities, facts, gates
from tests.contract.messages import at, checkers, concrete, initialize, meeting

DOCS = Path(__file__).resolve().parents[2] / "docs" / "gates.md"

FACTS = list(facts())
NOT_ENFORCED = set(re.findall(r"^- `(v[12] .*)`:\s+\S", DOCS.read_text(encoding="utf-8"), re.M))

MALFORMED: dict[str, list[Any]] = {
    "true": [False, None, {}, "true", 1, []],
    "object_present": [None, True, [], "x", 1],
}
ADVERTISED: dict[str, Any] = {"true": True, "object_present": {}}


def surfaces(fact: Fact) -> list[str]:
    """Where a fact applies: the unstable surface has everything, the stable one what is stable."""
    return (
        [fact.version, f"{fact.version}_unstable"]
        if fact.stability == "stable"
        else [f"{fact.version}_unstable"]
    )


def enforced(fact: Fact) -> bool:
    return fact.key not in NOT_ENFORCED


GATED = [fact for fact in FACTS if fact.gate is not None and enforced(fact)]
BASELINE = [fact for fact in FACTS if fact.gate is None and enforced(fact)]


def params(items: list[Fact]) -> Any:
    return [pytest.param(item, id=item.key) for item in items]


class Driver:
    """One surface's checkers under capabilities and states of the test's choice."""

    def __init__(self, name: str, fact: Fact) -> None:
        self.name = name
        self.version = fact.version
        self.fact = fact
        self.table = surface(name).TABLE
        self.make = checkers(name).gates

    def gates(self, advertised: Any = (), states: dict[str, bool] | None = None) -> Any:
        request, response = initialize(self.version, advertised)
        hooks = {
            name: (lambda _params, _value, says=says: says) for name, says in (states or {}).items()
        }
        return self.make(request, response, hooks)

    def refusals(self, advertised: Any = (), states: dict[str, bool] | None = None) -> list[Any]:
        """What the checkers say of a message that the gate is about, at exactly that place."""
        fact, gates_ = self.fact, self.gates(advertised, states)
        if fact.part == "update":
            row = self.table["session/update", "client", "notification"]
            value = {} if not fact.pointer else at(fact.pointer, meeting(fact.when))
            message = {"sessionId": "s", "update": {"sessionUpdate": fact.name, **value}}
            place = "/update" + (concrete(fact.pointer) or "/sessionUpdate")
            found = gates_.check_notification(row, message, sending=True)
            return [item for item in found if item.pointer == place]
        row = self.table[fact.name, fact.side, fact.kind]
        if fact.part == "method":
            refused = gates_.why_not(row, {})
            return [] if refused is None else [refused]
        message = at(fact.pointer, meeting(fact.when))
        if fact.part == "result":
            found = gates_.check_result(row, message, {}, sending=True)
        else:
            sending = fact.checked_by.startswith(("sender", "client"))
            found = gates_.check_params(row, message, sending=sending)
        return [item for item in found if item.pointer == concrete(fact.pointer)]


def every_state(value: bool) -> dict[str, bool]:
    return dict.fromkeys(STATES.values(), value)


def everything(version: str) -> list[tuple[str, str, Any]]:
    """Every capability of a version."""
    return [
        (side, item["path"], ADVERTISED[item["truth"]])
        for side, items in gates()["capability_inventory"][version].items()
        for item in items
        if item["role"] == "marker"
    ]


@pytest.mark.parametrize("fact", params([fact for fact in GATED if capabilities(fact.gate)]))
def test_a_capability_opens_it(fact: Fact) -> None:
    negated = isinstance(fact.gate, dict) and "not" in fact.gate
    needed = capabilities(fact.gate)
    for name in surfaces(fact):
        driver = Driver(name, fact)
        for side, path, truth in needed:
            on = driver.refusals([(side, path, ADVERTISED[truth])], every_state(True))
            assert bool(on) is negated, (name, path)
        off = driver.refusals((), every_state(True))
        assert bool(off) is not negated, name
        if not negated:
            refusal = getattr(off[0], "refusal", None) or off[0]
            assert (refusal.side, refusal.path) == needed[0][:2]
            assert f"the {refusal.side} has" in str(refusal)
            assert refusal.path in str(refusal)


@pytest.mark.rule(38, 58, 75, 91)
@pytest.mark.parametrize("fact", params([fact for fact in GATED if capabilities(fact.gate)]))
def test_a_malformed_capability_is_unsupported(fact: Fact) -> None:
    negated = isinstance(fact.gate, dict) and "not" in fact.gate
    for name in surfaces(fact):
        driver = Driver(name, fact)
        for side, path, truth in capabilities(fact.gate):
            for value in MALFORMED[truth]:
                found = driver.refusals([(side, path, value)], every_state(True))
                assert bool(found) is not negated, (name, path, value)
            *groups, _last = path.split(".")
            for depth in range(1, len(groups) + 1):
                group = [(side, ".".join(groups[:depth]), True)]
                assert bool(driver.refusals(group, every_state(True))) is not negated


STATED = [fact for fact in GATED if isinstance(fact.gate, dict) and "state" in fact.gate]


@pytest.mark.parametrize("fact", params(STATED))
def test_a_state_opens_it(fact: Fact) -> None:
    state = STATES[fact.gate["state"]]
    for name in surfaces(fact):
        driver = Driver(name, fact)
        assert driver.refusals(everything(fact.version), {state: True}) == []
        assert driver.refusals(everything(fact.version), {state: False}), name


@pytest.mark.parametrize(
    "fact", params([fact for fact in GATED if isinstance(fact.gate, dict) and "never" in fact.gate])
)
def test_what_is_never_allowed(fact: Fact) -> None:
    for name in surfaces(fact):
        driver = Driver(name, fact)
        assert driver.refusals(everything(fact.version), every_state(True)), name


@pytest.mark.parametrize("fact", params(BASELINE))
def test_a_baseline_needs_nothing(fact: Fact) -> None:
    for name in surfaces(fact):
        assert Driver(name, fact).refusals((), every_state(True)) == []


def test_every_gate_is_of_a_tested_form() -> None:
    tested = {
        fact.key for fact in GATED if capabilities(fact.gate) or {"state", "never"} & set(fact.gate)
    }
    rest = [fact.key for fact in GATED if fact.key not in tested]
    assert rest == [], "enforce them, or list them in docs/gates.md"


@pytest.mark.parametrize(
    "fact", params([fact for fact in GATED if fact.part == "method" and fact.error is not None])
)
def test_the_error_of_an_unadvertised_method(fact: Fact) -> None:
    for name in surfaces(fact):
        row = surface(name).TABLE[fact.name, fact.side, fact.kind]
        assert row.error == fact.error


@pytest.mark.parametrize("fact", params([fact for fact in GATED if fact.part == "params"]))
def test_the_error_of_an_unsupported_parameter(fact: Fact) -> None:
    for name in surfaces(fact):
        found = Driver(name, fact).refusals((), every_state(False))
        assert [item.error for item in found] == [-32602] * len(found)
        assert found


def test_what_is_listed_as_not_enforced_is_a_fact() -> None:
    assert {fact.key for fact in FACTS} >= NOT_ENFORCED


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_the_capabilities_are_those_of_the_inventory(version: str) -> None:
    kinds = {"true": "boolean", "object_present": "object"}
    for side, items in gates()["capability_inventory"][version].items():
        expected = {item["path"]: kinds[item["truth"]] for item in items}
        found = dict(surface(f"{version}_unstable").CAPABILITIES.kinds[side])
        proposed = {path: kind for path, kind in found.items() if path.endswith(".options")}
        assert found == {**expected, **proposed}
        stable = {item["path"] for item in items if item["stability"] == "stable"}
        assert set(surface(version).CAPABILITIES.kinds[side]) == stable


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_the_option_is_one_of_those_offered(version: str) -> None:
    row = surface(version).TABLE["session/request_permission", "client", "request"]
    gates_ = checkers(version).gates(*initialize(version))
    asked = {"options": [{"optionId": "yes"}, {"optionId": "no"}]}

    def answer(option: str) -> dict[str, Any]:
        return {"outcome": {"outcome": "selected", "optionId": option}}

    assert gates_.check_result(row, answer("no"), asked, sending=False) == []
    for sending in (False, True):
        found = gates_.check_result(row, answer("maybe"), asked, sending=sending)
        assert [item.pointer for item in found] == ["/outcome/optionId"]
    assert gates_.check_result(row, {"outcome": {"outcome": "cancelled"}}, asked) == []


@pytest.mark.parametrize(("name", "field"), [("v1", "available_commands"), ("v2", "modes")])
def test_an_answer_of_session_options_cannot_be_built_with_it(name: str, field: str) -> None:
    models = surface(f"{name}_unstable")
    with pytest.raises(ValueError, match=field):
        models.SessionOptionsResponse(config_options=[], **{field: []})


@pytest.mark.parametrize("name", ["v1", "v1_unstable", "v2", "v2_unstable"])
def test_every_state_is_in_the_documentation(name: str) -> None:
    text = DOCS.read_text(encoding="utf-8")
    listed = re.findall(
        r"^\| `([a-z_]+)` \| (initialize|session|author) \| (yes|no) \|", text, re.M
    )
    documented = {state: (known_by, default) for state, known_by, default in listed}
    for state in surface(name).TABLE.states.values():
        assert documented[state.name] == (state.known_by, "yes" if state.default else "no")
