from __future__ import annotations

import functools
import re
from collections.abc import Iterable

import pytest

from acpgen import comparison
from acpgen import config as configuration
from acpgen.diff.change import Change, Peer, Spot
from acpgen.diff.compare import compare
from acpgen.diff.finding import Finding
from acpgen.diff.rules import RULES, judge
from acpgen.spec.ir import Json, Spec
from tests.unit.diff.fixtures import pair
from tests.unit.diff.small import STRING, record, ref, request, spec, tagged

PARAMS = {"AskRequest": request("ask", record("a")), "AskResponse": request("ask", record("b"))}


def change(what: str, subject: str, *writers: Peer, to: Json = None, **detail: Json) -> Change:
    area, _, action = what.partition(".")
    old = Spot("", not what.endswith("added"), subject)
    new = Spot("", not what.endswith("removed"), str(to or subject))
    who = frozenset(writers or ("client",))
    return Change(area, action, subject, old, new, who, uses=("ask",), detail=detail)  # type: ignore[arg-type]


def found(one: Change, others: Iterable[Change] = (), new: Spec | None = None) -> Finding:
    """One change, judged beside others."""
    side = new or spec(PARAMS)
    return next(
        item for item in judge([one, *others], side, side) if item.change.subject == one.subject
    )


@functools.cache
def pinned(a: str, b: str) -> tuple[Finding, ...]:
    settings = configuration.load(overrides={"overlays": []})
    return comparison.run(settings, a, b).pairs[0].diff.findings


def about(kind: str, subject: str, a: str = "v1", b: str = "v2") -> Finding:
    (item,) = [
        one for one in pinned(a, b) if one.change.kind == kind and one.change.subject == subject
    ]
    return item


# What takes the place of what is gone


def test_the_caller_of_a_removed_method_uses_its_successor_and_who_answers_it_implements_that() -> (
    None
):
    item = about("method.removed", "session/load")
    assert "use `session/resume` instead (" in item.client
    assert item.agent.endswith("nobody calls it any more: implement `session/resume` instead.")


def test_a_successor_that_the_other_peer_implements_comes_instead() -> None:
    one = change(
        "method.removed", "gone", side="client", kind="request", replaced_by=["ask", "tell"]
    )
    assert "`ask` and `tell` come instead" in found(one).agent


def test_who_reads_an_update_that_is_gone_learns_what_comes_instead() -> None:
    item = about("variant.removed", "SessionUpdate:plan")
    assert "use `plan_update` instead" in item.agent
    assert item.client.endswith("`plan_update` comes instead.")


def test_nothing_is_said_to_replace_what_has_no_successor() -> None:
    item = about("method.removed", "fs/read_text_file")
    assert "nothing replaces it" in item.agent
    assert "nothing replaces it" in item.client


# What becomes of a message whose gate does not hold


@pytest.mark.parametrize(
    ("detail", "words"),
    [
        ({"kind": "request", "of": "params"}, "it is refused otherwise."),
        ({"kind": "notification", "of": "params"}, "nobody has to take it otherwise."),
        ({"kind": "request", "of": "result"}, "the answer is invalid otherwise."),
    ],
)
@pytest.mark.parametrize("gate", ["agent: a", "state: s", "never"])
def test_only_a_request_is_refused(gate: str, detail: dict[str, Json], words: str) -> None:
    item = found(change("gate.added", "ask /a", was="", now=gate, at="/a", side="agent", **detail))
    assert item.client.endswith(words)


def test_an_update_is_refused_by_nobody() -> None:
    gates = [
        item
        for item in pinned("v1", "v1-unstable") + pinned("v2", "v1") + pinned("v1", "v2")
        if item.change.area == "gate" and "update `" in item.text
    ]
    assert gates
    assert not any("refused" in item.agent + item.client for item in gates)


def test_no_notification_of_the_pinned_schemas_is_refused() -> None:
    for pair_of in (("v1", "v2"), ("v2", "v1"), ("v1-unstable", "v2-unstable")):
        for item in pinned(*pair_of):
            if item.change.detail.get("kind") == "notification":
                assert "refused" not in item.agent + item.client


# Where a property is now


def test_the_other_findings_of_a_moved_property_name_its_new_place() -> None:
    moved = change("field.moved", "AskRequest.a", to="Inner.b")
    optional = change("field.optional", "AskRequest.a", to="Inner.b")
    items = judge([moved, optional], spec(PARAMS), spec(PARAMS))
    texts = {item.rule: item.text for item in items}
    assert texts["field-optional"] == "`b` of `Inner` (before: `a` of ask params) became optional"
    assert texts["field-moved"] == "`a` of ask params moved to `b` of `Inner`"


def test_a_property_of_a_renamed_type_is_where_it_was() -> None:
    item = found(change("field.optional", "Old.a", to="New.a"))
    assert item.text == "`a` of `Old` became optional"


def test_every_finding_about_a_moved_property_of_the_pinned_schemas_says_where_it_is() -> None:
    moves = {
        (item.change.old.name, item.change.new.name)
        for item in pinned("v1", "v2")
        if item.change.kind == "field.moved"
    }
    others = [
        item
        for item in pinned("v1", "v2")
        if (item.change.old.name, item.change.new.name) in moves
        and item.change.kind != "field.moved"
    ]
    assert others
    assert all(" (before: `" in item.text for item in others)


# Words of single rules


def test_a_choice_of_exactly_one_variant_is_no_value_to_keep_to() -> None:
    old, new, _ = pair("type-exclusive")
    (item,) = judge(compare(old, new), old, new)
    assert item.rule == "type-exclusive"
    assert "exactly one of its variants" in item.text
    assert not re.search(r"`(exactly|at least) one", item.text + item.agent + item.client)


def test_an_absent_value_that_means_nothing_is_not_taken_for_something() -> None:
    gone = found(change("field.default", "AskRequest.a", was=1))
    assert gone.agent == "Where it is absent, do not take `1` any more: nothing stands for it."
    changed = found(change("field.default", "AskRequest.a", was=1, now=2))
    assert changed.agent == "Where it is absent, take `2`."


def test_an_annotation_that_is_gone_asks_for_nothing() -> None:
    bounds: Json = {"format": {"was": "uri", "now": None}}
    item = found(change("field.bounds", "AskRequest.a", bounds=bounds))
    assert item.rule == "field-format-gone"
    assert "none" not in item.text + item.agent + item.client
    assert item.client == "You need not keep to the format uri any more."


def test_no_rule_speaks_of_marks_or_costs() -> None:
    for row in RULES:
        for text in (row.text, row.writer.sentence, row.reader.sentence):
            assert not re.search(r"\bmark\b|\bcosts\b", text), row.id


# Capabilities


def test_a_capability_that_is_gone_says_what_does_not_need_it_any_more() -> None:
    item = about("capability.removed", "client: session.notices")
    assert item.client == "Leave it out: update `notice` does not need it any more."
    assert "update `notice` does not need it any more" in item.agent
    boolean = about("capability.removed", "client: session.configOptions.boolean")
    assert "where it is `boolean`" in boolean.client


def test_what_is_below_a_capability_that_is_gone_counts_and_what_begins_alike_does_not() -> None:
    gate = change("gate.removed", "ask", "client", was="agent: x.y", now="", kind="request")
    above = change("capability.removed", "agent: x", "agent", side="agent", was="x")
    beside = change("capability.removed", "agent: x.yy", "agent", side="agent", was="x.yy")
    other = change("capability.removed", "client: x", "client", side="client", was="x")
    assert found(above, [gate]).agent == "Leave it out: `ask` does not need it any more."
    assert found(beside, [gate]).agent == "Leave it out: nobody looks for it."
    assert found(other, [gate]).client == "Leave it out: nobody looks for it."


def test_many_things_that_a_capability_held_back_are_counted() -> None:
    gates = [
        change("gate.removed", f"ask{number}", was="agent: x", now="", kind="request")
        for number in range(5)
    ]
    item = found(change("capability.removed", "agent: x", "agent", side="agent", was="x"), gates)
    assert "`ask0`, `ask1` and 3 more do not need it any more" in item.agent


# Names


def updates(union: str) -> Spec:
    """A surface whose updates are variants of a union of that name."""
    params = record(update=ref(union), sessionId=STRING)
    defs = {
        "SessionNotification": request("session/update", params, "client"),
        union: tagged("sessionUpdate", "a", "b", payload="Payload"),
        "Payload": record("x"),
    }
    toml = '[[method]]\nname = "session/update"\nside = "client"\nkind = "notification"\nsummary = "S."\n'
    for kind in ("a", "b"):
        toml += f'\n[[update]]\nkind = "{kind}"\nsemantics = "set"\nsummary = "S."\n'
    return spec(defs, toml=toml)


@pytest.mark.parametrize("union", ["SessionUpdate", "Happening"])
def test_a_kind_of_update_is_called_so_whatever_the_union_is_called(union: str) -> None:
    side = updates(union)
    assert {item.kind for item in side.table.updates} == {"a", "b"}
    gone = change("variant.removed", f"{union}:b", "agent", open=False)
    assert found(gone, new=side).text == "update `b` was removed"


def test_a_variant_with_the_tag_of_an_update_in_another_union_is_none() -> None:
    gone = change("variant.removed", "OtherUpdate:b", "agent", open=False)
    assert found(gone, new=updates("Happening")).text == "variant `b` of `OtherUpdate` was removed"


# Names


def test_a_property_with_a_dot_is_named_whole() -> None:
    old = {"DoRequest": request("do", record()), "Cost": record()}
    old["DoRequest"]["properties"] = {"cost": ref("Cost")}
    new = {**old, "Cost": record("foo.bar")}
    (item,) = judge(compare(spec(old), spec(new)), spec(old), spec(new))
    assert item.text == "`foo.bar` of `Cost` was added"


def test_what_is_new_about_a_moved_property_is_said_of_its_new_place() -> None:
    item = about("field.optional", "PromptResponse.stopReason")
    assert item.text.startswith(
        "`stopReason` of `IdleStateUpdate` (before: `stopReason` of session/prompt result) became"
    )


def test_a_variant_that_is_any_value_says_so() -> None:
    item = about("variant.added", "ElicitationContentValue:Other")
    assert "(any JSON value)" in item.text


def test_a_property_of_unknown_variants_is_of_any_other_variant() -> None:
    item = found(change("field.removed", "Method:*.x", required=False, closed=False))
    assert item.text == "`x` of any other variant of `Method` is not described any more"
    assert item.levels == {"agent": "risky", "client": "compatible"}


def test_a_repair_that_is_gone_is_not_advised() -> None:
    was: Json = {"on_error": True, "skip_items": True, "on_null": False}
    now: Json = {"on_error": False, "skip_items": True, "on_null": False}
    item = found(change("field.tolerance", "A.x", was=was, now=now))
    assert "what you repaired before" in item.agent


# Errors


def test_an_error_concerns_who_answers_it_and_the_methods_that_do() -> None:
    item = about("error.added", "-32022")
    assert item.change.writers == {"agent"}
    assert item.change.uses == ("initialize",)
    assert item.client.startswith("An answer may carry it")
