from __future__ import annotations

import re
from dataclasses import replace

import pytest

from acpgen import comparison
from acpgen import config as configuration
from acpgen.diff import notes
from acpgen.diff.change import Change, Peer, Spot
from acpgen.diff.finding import PEERS, Diff, Finding, Note, Severity
from acpgen.diff.reporting.guide import Guide, GuideStep, Item, concerns, guide
from acpgen.diff.reporting.guide_steps import STEPS, step_of
from acpgen.diff.run import Compared


@pytest.fixture(scope="module", params=["v1 v2", "v2 v1", "v1-unstable v2-unstable"])
def compared(request: pytest.FixtureRequest) -> Compared:
    a, b = request.param.split()
    return comparison.run(configuration.load(overrides={"overlays": []}), a, b).pairs[0]


@pytest.fixture(scope="module")
def v2() -> Diff:
    return comparison.run(configuration.load(overrides={"overlays": []}), "v1", "v2").pairs[0].diff


def change(kind: str, subject: str, *uses: str) -> Change:
    area, _, action = kind.partition(".")
    spot = Spot("", True, subject)
    return Change(area, action, subject, spot, spot, uses=uses)  # type: ignore[arg-type]


def finding(kind: str, subject: str = "A", *uses: str, agent: str = "Do it.") -> Finding:
    found = change(kind, subject, *uses)
    return Finding(
        found,
        "rule",
        "breaking",
        "It changed",
        agent=agent,
        fingerprint="0" * 12,
        levels={"agent": "breaking"},
    )


@pytest.mark.parametrize("peer", PEERS)
def test_what_is_breaking_or_risky_for_an_author_stands_in_exactly_one_step(
    compared: Compared, peer: Peer
) -> None:
    findings = compared.diff.findings
    severe = {
        item.fingerprint for item in findings if item.severity_for(peer) in ("breaking", "risky")
    }
    marks = [item.fingerprint for step in guide(compared.diff, peer).steps for item in step.items]
    placed = sorted(mark for mark in marks if mark)
    due = sorted(item.fingerprint for item in findings if concerns(item, peer))
    assert placed == due
    assert severe <= set(placed)
    assert len(severe) > 50


@pytest.mark.parametrize("peer", PEERS)
def test_what_may_be_done_is_to_take_out_what_is_gone(compared: Compared, peer: Peer) -> None:
    kinds = {item.fingerprint: item.change.action for item in compared.diff.findings}
    mild = [
        item
        for step in guide(compared.diff, peer).steps
        for item in step.items
        if item.urgency == "may" and item.fingerprint
    ]
    assert mild
    assert {kinds[item.fingerprint] for item in mild} == {"removed"}
    assert not any(item.todo.startswith("You ") for item in mild)


@pytest.mark.parametrize("peer", PEERS)
def test_every_item_says_what_to_do_and_how_urgent_it_is(compared: Compared, peer: Peer) -> None:
    items = [item for step in guide(compared.diff, peer).steps for item in step.items]
    assert all(item.todo.endswith(".") and item.about and item.what for item in items)
    assert {item.urgency for item in items} == {"must", "should", "may"}


def test_the_steps_stand_in_their_order_without_empty_ones(v2: Diff) -> None:
    found = guide(v2, "agent")
    ids = [step.id for step in found.steps]
    order = [step.id for step in STEPS]
    assert ids == sorted(ids, key=order.index)
    assert ids[0] == "connect"
    assert [step.number for step in found.steps] == list(range(1, len(ids) + 1))
    assert all(step.items for step in found.steps)


def test_the_notes_of_an_author_stand_first_in_their_step(v2: Diff) -> None:
    for peer in PEERS:
        for step in guide(v2, peer).steps:
            topics = [item.about for item in step.items if item.kind == "note"]
            own = [note for note in v2.notes if note.step == step.id and note.consequence(peer)]
            assert sorted(topics) == sorted(note.topic for note in own)
            assert all(item.kind == "note" for item in step.items[: len(topics)])


@pytest.mark.parametrize(
    ("kind", "subject", "uses", "step"),
    [
        ("capability.moved", "agent: loadSession", (), "connect"),
        ("error.added", "-32022", ("initialize",), "connect"),
        ("field.renamed", "InitializeRequest.clientInfo", ("initialize",), "connect"),
        ("gate.changed", "session/close", (), "sessions"),
        ("gate.added", "session/new /mcpServers/*/type", (), "sessions"),
        ("field.optional", "McpServerStdio.args", ("session/new",), "sessions"),
        ("field.removed", "PromptResponse.stopReason", ("session/prompt",), "prompt"),
        ("variant.added", "SessionUpdate:state_update", ("state_update",), "prompt"),
        ("variant.removed", "SessionUpdate:tool_call", ("tool_call",), "tools"),
        ("update.semantics", "tool_call_update", (), "tools"),
        ("variant.added", "SessionUpdate:agent_thought", ("agent_thought",), "prompt"),
        ("value.added", "ToolCallStatus:cancelled", ("session/request_permission",), "tools"),
        ("field.added", "RequestPermissionRequest.title", (), "permissions"),
        ("type.open", "ContentBlock", ("session/prompt", "user_message"), "content"),
        ("field.renamed", "SessionConfigOption.id", ("session/new",), "config"),
        ("method.renamed", "authenticate", (), "auth"),
        ("field.renamed", "AuthMethodAgent.id", ("initialize",), "auth"),
        ("method.removed", "session/set_mode", (), "removals"),
        ("method.added", "something/else", (), "rest"),
        ("field.added", "Something.else", ("some/thing",), "rest"),
        ("field.added", "Something.else", (), "rest"),
    ],
)
def test_where_a_finding_belongs(kind: str, subject: str, uses: tuple[str, ...], step: str) -> None:
    assert step_of(finding(kind, subject, *uses)) == step


def test_a_waived_finding_is_left_out_and_counted() -> None:
    waived = replace(finding("field.added"), waived="Known.")
    found = guide(Diff("a", "b", (waived, finding("type.open"))), "agent")
    assert [item.kind for step in found.steps for item in step.items] == ["type.open"]
    assert found.left_out == 1
    assert "Waived, and left out: 1." in found.as_markdown()


def test_what_does_not_concern_an_author_is_left_out() -> None:
    assert guide(Diff("a", "b", (finding("field.added"),)), "client").steps == ()
    quiet = replace(finding("field.removed"), severity="compatible", levels={"agent": "compatible"})
    assert guide(Diff("a", "b", (quiet,)), "agent").steps == ()


def test_the_urgency_is_that_of_the_author_not_of_the_finding() -> None:
    levels: dict[Peer, Severity] = {"agent": "compatible", "client": "breaking"}
    mild = replace(finding("field.removed"), levels=levels)
    (step,) = guide(Diff("a", "b", (mild,)), "agent").steps
    assert step.items[0].urgency == "may"
    assert step.counts() == {"may": 1}


def test_what_breaks_the_other_author_alone_and_leaves_nothing_behind_is_no_thing_to_do() -> None:
    levels: dict[Peer, Severity] = {"agent": "compatible", "client": "breaking"}
    mild = replace(finding("field.required"), levels=levels)
    assert guide(Diff("a", "b", (mild,)), "agent").steps == ()


def checklist() -> Guide:
    note = Note("turn end", "So.", "Thus.", agent="Wait.", step="prompt", about=("session/prompt",))
    return guide(Diff("a", "b", (finding("field.added", "A.b"),), notes=(note,)), "agent")


def test_markdown_is_a_checklist_with_fingerprints() -> None:
    lines = checklist().as_markdown().splitlines()
    assert lines[0] == "# From a to b: a guide for the agent's author"
    assert "- [ ] **must: turn end.** Before: So. Now: Thus. *Wait.*" in lines
    assert "- [ ] **must** It changed. Do it. `000000000000`" in lines


def test_json_holds_every_item() -> None:
    found = checklist().as_json()
    assert [step["id"] for step in found["steps"]] == ["prompt", "rest"]
    assert found["steps"][0]["items"][0]["uses"] == ("session/prompt",)


# Notes


def test_the_notes_name_only_what_the_pinned_schemas_have() -> None:
    settings = configuration.load(overrides={"overlays": []})
    found = comparison.run(settings, "v1-unstable", "v2-unstable").pairs[0]
    path = notes.file_of(1, 2)
    assert notes.unknown(path, [found.old, found.new]) == []
    assert len(notes.load(path)) >= 12


def test_a_note_leads_to_what_it_is_about_on_both_sides(v2: Diff) -> None:
    note = next(item for item in v2.notes if item.topic == "turn end")
    assert note.old_pointers == ("/$defs/PromptRequest",)
    assert note.new_pointers[0] == "/$defs/PromptRequest"
    assert len(note.new_pointers) == 2


def test_there_are_no_notes_within_a_version_or_backwards() -> None:
    settings = configuration.load(overrides={"overlays": []})
    assert comparison.run(settings, "v1", "v1-unstable").pairs[0].diff.notes == ()
    assert comparison.run(settings, "v2", "v1").pairs[0].diff.notes == ()


def test_a_name_from_a_schema_is_text_in_markdown() -> None:
    name = "a`<img src=x onerror=alert(1)>|*b*\x1b[2J\u202e"
    item = Item(
        "must", name, f"`{name}` was added {name}", f"Write {name}.", "f" * 12, "field.added"
    )
    note = replace(item, fingerprint="", kind="note")
    step = GuideStep(1, "rest", "Rest", "What is left.", (item, note))
    text = Guide(name, name, "agent", (step,)).as_markdown()
    outside = re.sub(r"(`+).+?(?<!`)\1(?!`)", "", text)
    assert not re.search(r"(?<!\\)[<>|]", outside.replace("&lt;", "").replace("&gt;", ""))
    assert not re.search(r"[\x00-\x09\x0b-\x1f\u202e]", text)


def test_the_way_back_says_that_no_notes_are_kept_for_it() -> None:
    back = comparison.run(configuration.load(overrides={"overlays": []}), "v2", "v1")
    (text,) = [one for one in back.notices if "changes of meaning" in one]
    assert "acpgen diff v1 v2" in text
    found = guide(back.pairs[0].diff, "agent")
    assert found.notices == (text,)
    assert "changes of meaning" in found.as_markdown()
    there = comparison.run(configuration.load(overrides={"overlays": []}), "v1", "v2")
    assert there.notices == ()


@pytest.mark.parametrize(
    ("subject", "uses", "step"),
    [
        ("terminal/cancel", (), "tools"),
        ("providers/list", (), "config"),
        ("agent_thought", (), "prompt"),
    ],
)
def test_where_a_method_or_update_belongs(subject: str, uses: tuple[str, ...], step: str) -> None:
    assert step_of(finding("gate.added", subject, *uses)) == step


def test_the_id_of_a_message_belongs_to_prompts() -> None:
    uses = ("agent_message_chunk", "user_message_chunk")
    assert step_of(finding("field.required", "ContentChunk.messageId", *uses)) == "prompt"
