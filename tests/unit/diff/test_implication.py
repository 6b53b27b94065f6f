from __future__ import annotations

import pytest

from acpgen.diff.change import Change, Peer, Spot
from acpgen.diff.judging.facts import Facts
from acpgen.diff.judging.implication import GateTurn, turn
from acpgen.diff.rules import rule_for
from acpgen.spec.ir import Spec

NOTHING = Spec(1, "stable", {})
AGENT: tuple[Peer, ...] = ("agent",)


@pytest.mark.parametrize(
    ("less", "more"),
    [
        ("any(agent: a, agent: b)", "agent: a"),
        ("any(agent: a, state: s)", "state: s"),
        ("agent: a", "all(agent: a, state: s)"),
        ("agent: a", "agent: a.b"),
        ("agent: a", 'agent: a = "x"'),
        ("agent: a", "never"),
        ("not(agent: a.b)", "not(agent: a)"),
        ("", "agent: a"),
    ],
)
def test_what_follows_from_the_old_gate_is_weaker_and_the_other_way_round_stronger(
    less: str, more: str
) -> None:
    assert turn(more, less, AGENT, {}).effect == "weaker"
    assert turn(less, more, AGENT, {}).effect == "stronger"


@pytest.mark.parametrize(
    ("was", "now", "effect"),
    [
        ("agent: a", "agent: b", "other"),
        ("agent: a", "client: a", "other"),
        ("agent: ab", "agent: a", "other"),
        ('agent: a = "x"', 'agent: a = "y"', "other"),
        ("any(agent: a, agent: b)", "any(agent: b, agent: c)", "other"),
        ("agent: a", "any(agent: a, all(agent: a, agent: b))", "same"),
        ("any(agent: a, agent: b)", "all(agent: b, agent: a)", "stronger"),
        ("any(agent: b, agent: a)", "any(agent: a, agent: b)", "same"),
    ],
)
def test_gates_are_compared_by_what_they_let_through(was: str, now: str, effect: str) -> None:
    assert turn(was, now, AGENT, {}).effect == effect


@pytest.mark.parametrize(
    ("was", "now", "asks"),
    [
        ("state: s", "agent: a", True),  # the receiver has to say it
        ("agent: a", "state: s", False),
        ("agent: a", "client: b", False),  # the sender's own
        ("agent: a", "all(agent: a, client: b)", False),
        ("any(agent: a, agent: b)", "agent: a", True),
        ("", "not(agent: a)", False),  # it opens by saying nothing
        ("agent: a", "never", False),
        ("agent: a", "any(agent: a, agent: b)", True),  # only who says b gets it newly
        ("agent: a", "any(agent: a, state: s)", False),
        ("all(agent: a, agent: b)", "agent: a", False),  # who said a gets it, whatever else it says
    ],
)
def test_a_gate_asks_the_receiver_where_its_capabilities_decide(
    was: str, now: str, asks: bool
) -> None:
    assert turn(was, now, AGENT, {}).asks_receiver is asks


def test_a_capability_that_moved_is_one_with_its_successor() -> None:
    moved = {("agent", "a"): ("agent", "x.a")}
    assert turn("any(agent: a, agent: b)", "agent: x.a", AGENT, moved).effect == "stronger"
    # Another capability has the old place now.
    assert turn("agent: a", "agent: a", AGENT, moved).effect == "other"


def test_many_leaves_are_not_tried_in_every_combination() -> None:
    many = f"any({', '.join(f'agent: a{number}' for number in range(20))})"
    assert turn(many, "agent: a1", AGENT, {}) == GateTurn("other", True)


def gate(was: str, now: str, **detail: str) -> str:
    """The rule that judges a changed gate of a request to the agent."""
    spot = Spot("", True, "ask")
    facts = {"was": was, "now": now, "side": "agent", "kind": "request", **detail}
    action = "added" if not was else "removed" if not now else "changed"
    change = Change("gate", action, "ask", spot, spot, frozenset(("client",)), detail=facts)
    return rule_for(change, Facts((), NOTHING, NOTHING).of(change)).id


@pytest.mark.parametrize(
    ("was", "now", "rule"),
    [
        ("agent: a", "any(agent: a, agent: b)", "gate-weaker-asked"),
        ("agent: a", "any(agent: a, client: b)", "gate-weaker"),
        ("any(agent: a, agent: b)", "agent: a", "gate-stronger"),
        ("any(agent: a, client: b)", "client: b", "gate-stronger-elsewhere"),
        ("state: s", "agent: a", "gate-changed"),
        ("agent: a", "state: s", "gate-changed-elsewhere"),
        ("agent: a", "never", "gate-shut"),
        ("never", "agent: a", "gate-unshut"),
        ("", "never", "gate-added-never"),
        ("never", "", "gate-removed-never"),
        ("", "not(agent: a)", "gate-added-elsewhere"),
        ("", "any(agent: a, client: b)", "gate-added"),
    ],
)
def test_which_rule_judges_a_gate(was: str, now: str, rule: str) -> None:
    assert gate(was, now) == rule
