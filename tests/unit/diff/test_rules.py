from __future__ import annotations

import functools
import string
from collections.abc import Iterator
from dataclasses import replace

import pytest

from acpgen.diff import run
from acpgen.diff.change import ACTIONS, Change, Spot
from acpgen.diff.compare import compare
from acpgen.diff.finding import Diff, Finding, fingerprint, with_fingerprints
from acpgen.diff.judging.facts import Facts
from acpgen.diff.judging.rule import NOTHING, Effect, Rule, breaking, faults, roles
from acpgen.diff.judging.wording import Wording
from acpgen.diff.rules import RULES, judge, rule_for
from acpgen.runtime.table import Check
from acpgen.spec.ir import Spec
from tests.unit.diff.fixtures import FOLDER, pair

BY_ID = {row.id: row for row in RULES}
# What cannot change alone: a method comes with its types, a capability with the type of its object.
COMPANIONS = {
    "capability-absorbed": {"type-removed"},
    "capability-added": {"type-added"},
    "capability-kind": {"type-added"},
    "capability-removed": {"type-removed"},
    "capability-split": {"type-added"},
    "method-added": {"type-added"},
    "method-added-gated": {"type-added"},
    "method-added-notification": {"type-added"},
    "method-added-proxy": {"type-added"},
    "method-kind": {"type-renamed"},
    "method-removed": {"type-removed"},
    "method-removed-notification": {"type-removed"},
    "method-result": {"type-removed"},
    "variant-added": {"type-added"},
    "variant-added-gated": {"type-added"},
    "variant-added-open": {"type-added"},
    "variant-added-tolerated": {"type-added"},
    "variant-removed": {"type-removed"},
    "variant-removed-open": {"type-removed"},
    "variant-removed-tolerated": {"type-removed"},
}


@functools.cache
def judged(rule: str, *, back: bool = False) -> Diff:
    old, new, renames = pair(rule)
    return run.diff(new, old, renames=renames) if back else run.diff(old, new, renames=renames)


def judging(rule: str, diff: Diff) -> list[Finding]:
    return [item for item in diff.findings if item.rule == rule]


def test_every_kind_of_change_has_rules_and_every_rule_its_mirror() -> None:
    assert faults(RULES) == []


def test_a_table_with_a_fault_is_found_out() -> None:
    row = Rule("a", "type.added", "{it}", NOTHING, NOTHING, "b")
    mirror = Rule("b", "type.removed", "{it}", NOTHING, NOTHING, "a")
    known = faults((row, mirror))
    assert not any("a:" in fault or "type.added" in fault for fault in known)
    assert "field.added has no rule" in known
    assert "a: there is no rule b" in faults((row,))
    assert "a: b is about type.removed" in faults((replace(row, kind="field.added"), mirror))
    assert "a: its mirror leads elsewhere, or a reason is given for nothing" in faults(
        (replace(row, one_way="because"), mirror)
    )
    assert "type.added: the last rule, and no other, has to be without a condition" in faults(
        (replace(row, when={"x": True}), mirror)
    )
    assert "an id stands twice" in faults((row, row))
    assert "c judges type.eaten, which is no change" in faults(
        (row, mirror, replace(row, id="c", kind="type.eaten"))
    )


def test_every_rule_has_one_pair_of_schemas_and_every_pair_a_rule() -> None:
    assert sorted(path.name for path in FOLDER.iterdir()) == sorted(BY_ID)
    assert COMPANIONS.keys() <= BY_ID.keys()


@pytest.mark.parametrize("rule", sorted(BY_ID))
def test_the_pair_is_judged_by_that_rule_alone(rule: str) -> None:
    found = {item.rule for item in judged(rule).findings}
    assert found == {rule} | COMPANIONS.get(rule, set())
    assert len(judging(rule, judged(rule))) == 1


@pytest.mark.parametrize("rule", sorted(BY_ID))
def test_turned_round_it_is_judged_by_the_mirror(rule: str) -> None:
    there, back = judging(rule, judged(rule)), judged(rule, back=True)
    (found,) = judging(BY_ID[rule].mirror, back)
    assert (found.change.old, found.change.new) == (there[0].change.new, there[0].change.old)


@pytest.mark.parametrize("rule", sorted(BY_ID))
def test_each_author_gets_the_sentence_of_the_role(rule: str) -> None:
    row = BY_ID[rule]
    (found,) = judging(rule, judged(rule))
    words = filled(row, found, rule)
    if found.change.detail.get("side") == "proxy":
        assert (found.agent, found.client) == ("", "")
        return
    for peer in ("agent", "client"):
        expected = []
        if peer in found.change.writers:
            expected.append(words["writer"])
        if found.change.writers - {peer}:
            expected.append(words["reader"])
        assert found.consequence(peer) == " ".join(dict.fromkeys(filter(None, expected)))
    assert found.text == words["text"]
    if found.change.writers:
        assert found.severity == row.severity


def filled(row: Rule, found: Finding, rule: str) -> dict[str, str]:
    old, new, renames = pair(rule)
    facts = Facts(compare(old, new, renames), old, new)
    words = Wording(facts).of(found.change, facts.of(found.change))
    return {
        "text": row.text.format_map(words),
        "writer": row.writer.sentence.format_map(words),
        "reader": row.reader.sentence.format_map(words),
    }


def sentences() -> Iterator[tuple[str, str]]:
    for row in RULES:
        yield row.id, row.text
        for effect in (row.writer, row.reader):
            if effect.sentence:
                yield row.id, effect.sentence


def test_sentences_ask_only_for_words_that_there_are() -> None:
    old, new, _ = pair("field-added")
    change = Change("field", "added", "A.b", Spot("", False), Spot("", True, "A.b"))
    known = Wording(Facts((), old, new)).of(change, {})
    for rule, sentence in sentences():
        asked = {name for _, name, _, _ in string.Formatter().parse(sentence) if name}
        assert asked <= known.keys(), rule


def test_consequences_are_sentences_and_changes_are_headlines() -> None:
    for row in RULES:
        assert not row.text.endswith("."), row.id
        for effect in (row.writer, row.reader):
            assert effect == NOTHING or effect.sentence.endswith("."), row.id
            assert effect.sentence or effect.severity == "compatible", row.id


# Directions


def finding(rule: str) -> Finding:
    return judging(rule, judged(rule))[0]


def test_a_newly_required_field_breaks_who_writes_it() -> None:
    found = finding("field-required")  # of the params of a request to the agent
    assert found.change.writers == {"client"}
    assert found.levels == {"agent": "compatible", "client": "breaking"}
    assert found.breaks == {"client"}
    assert found.severity == "breaking"


def test_an_optional_field_breaks_who_reads_it() -> None:
    assert finding("field-optional").breaks == {"agent"}


def test_a_removed_method_breaks_who_calls_it() -> None:
    found = finding("method-removed")
    assert found.breaks == {"client"}
    assert found.levels["agent"] == "compatible"


def test_an_added_request_without_a_gate_is_work_for_who_implements_it() -> None:
    assert finding("method-added").breaks == {"agent"}
    assert finding("method-added-gated").severity == "compatible"


def test_a_variant_is_compatible_in_an_open_union_and_breaks_the_reader_of_a_closed_one() -> None:
    assert finding("variant-added-open").severity == "compatible"
    assert finding("variant-added").breaks == {"agent"}


def test_a_union_that_opens_was_closed_when_its_new_variant_comes() -> None:
    old, _, _ = pair("variant-added")
    _, new, _ = pair("variant-added-open")
    found = {item.rule for item in run.diff(old, new, renames=()).findings}
    assert {"type-open", "variant-added"} <= found
    assert "variant-added-open" not in found


@pytest.mark.parametrize("area", ["variant", "value"])
def test_what_goes_from_a_choice_is_judged_by_the_side_that_still_reads(area: str) -> None:
    closed, _, _ = pair(f"{area}-removed")
    opened, _, _ = pair(f"{area}-added-open")  # without it
    rules = {item.rule for item in run.diff(closed, opened, renames=()).findings}
    assert {"type-open", f"{area}-removed-open"} <= rules
    back = {item.rule for item in run.diff(opened, closed, renames=()).findings}
    assert {"type-close", f"{area}-added-open"} <= back


def test_a_choice_that_opens_is_judged_alike_however_it_stands() -> None:
    opening = {row.id for row in RULES if row.when.get("effect") == "opened"} | {"type-open"}
    assert opening == {
        "field-opened",
        "type-kind-opened",
        "type-open",
        "type-values-opened",
        "variant-opened",
    }
    assert len({(BY_ID[rule].writer, BY_ID[rule].reader) for rule in opening}) == 1


def test_a_value_that_is_written_by_both_breaks_both() -> None:
    old, new, _ = pair("field-required")
    (change,) = compare(old, new)
    both = replace(change, writers=frozenset(("agent", "client")))
    (found,) = judge([both], old, new)
    assert found.breaks == {"agent", "client"}
    assert found.agent == found.client != ""


def test_what_nobody_sends_breaks_nobody() -> None:
    old, new, _ = pair("field-required")
    (change,) = compare(old, new)
    (found,) = judge([replace(change, writers=frozenset(), uses=())], old, new)
    assert (found.severity, found.agent, found.client) == ("compatible", "", "")
    assert found.text


def test_a_method_between_others_keeps_its_severity_and_concerns_neither_author() -> None:
    old, new, _ = pair("method-removed")
    change = next(item for item in compare(old, new) if item.kind == "method.removed")
    (found,) = judge([replace(change, writers=frozenset())], old, new)
    assert (found.severity, found.breaks) == ("breaking", frozenset())
    assert found.severity_for("agent") is None


def test_what_only_proxies_get_concerns_neither_author() -> None:
    new, old, _ = pair("method-added-proxy")
    found = judge(compare(old, new), old, new)
    removed = next(item for item in found if item.change.kind == "method.removed")
    assert (removed.severity, removed.agent, removed.client) == ("breaking", "", "")
    assert removed.levels == {}


def test_a_variant_is_gated_where_every_message_that_holds_it_asks_for_a_capability() -> None:
    old, new, _ = pair("variant-added")
    change = next(item for item in compare(old, new) if item.kind == "variant.added")
    asked = Check("/x/type", (("is", "two"),), requires="agent: two")
    rows = tuple(row._replace(checks=(asked,)) for row in new.table.rows)
    gated = replace(new, table=replace(new.table, rows=rows))
    (found,) = judge([change], old, gated)
    assert (found.rule, found.severity) == ("variant-added-gated", "compatible")
    elsewhere = replace(change, uses=(*change.uses, "another/method"))
    assert judge([elsewhere], old, gated)[0].rule == "variant-added"


def test_every_kind_of_change_is_judged_whatever_its_detail() -> None:
    for kind in {*ACTIONS, *ACTIONS.values()}:
        area, _, action = kind.partition(".")
        change = Change(area, action, "A", Spot("", True, "A"), Spot("", True, "A"))  # type: ignore[arg-type]
        assert rule_for(change, {}).kind == kind


def test_roles_are_named_for_what_they_do() -> None:
    assert roles("method.removed") == ("caller", "implementer")
    assert roles("method.result") == ("implementer", "caller")
    assert roles("field.added") == ("writer", "reader")


def test_a_rule_is_as_bad_as_the_worse_of_its_roles() -> None:
    row = Rule("a", "type.added", "", NOTHING, breaking("Stop."), "b")
    assert row.severity == "breaking"
    assert replace(row, reader=Effect("risky", "Look.")).severity == "risky"


# Order and fingerprints


def sides() -> tuple[Spec, Spec]:
    old, _, _ = pair("variant-added")
    _, new, _ = pair("method-added")
    return old, new


def test_the_order_does_not_depend_on_the_order_of_the_changes() -> None:
    old, new = sides()
    changes = compare(old, new)
    assert len(changes) > 4
    assert judge(changes, old, new) == judge(tuple(reversed(changes)), old, new)


def test_methods_come_before_types_and_types_before_variants() -> None:
    old, new = sides()
    areas = [item.change.area for item in judge(compare(old, new), old, new)]
    ranks = ["method", "gate", "capability", "update", "type", "field", "variant", "value", "error"]
    groups = [{"gate": "method", "field": "type"}.get(area, area) for area in areas]
    assert [ranks.index(item) for item in groups] == sorted(ranks.index(item) for item in groups)


def test_a_fingerprint_stays_when_pointers_uses_and_evidence_move() -> None:
    old, new, _ = pair("field-required")
    (change,) = compare(old, new)
    moved = replace(
        change,
        old=replace(change.old, pointer="/elsewhere", shape=None),
        uses=("other",),
        evidence="by hand",
        detail={**change.detail, "note": 1},
    )
    assert fingerprint(moved) == fingerprint(change)
    assert len(fingerprint(change)) == 12


@pytest.mark.parametrize("part", ["subject", "action", "was", "name"])
def test_a_fingerprint_moves_with_what_the_change_is(part: str) -> None:
    old, new, _ = pair("field-required")
    (change,) = compare(old, new)
    others = {
        "subject": replace(change, subject="Other.x"),
        "action": replace(change, action="optional"),
        "was": replace(change, detail={**change.detail, "was": "x"}),
        "name": replace(change, new=replace(change.new, name="DoRequest.y")),
    }
    assert fingerprint(others[part]) != fingerprint(change)


def test_two_equal_changes_have_two_fingerprints() -> None:
    found = finding("field-required")
    first, second = with_fingerprints([found, found])
    assert first.fingerprint != second.fingerprint
    assert first.fingerprint == found.fingerprint
