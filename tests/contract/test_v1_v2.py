"""The diff from v1 to v2 holds every row of the copied facts about the two versions.

Rows of the stable surfaces have to be held by both diffs, v1 to v2 and v1_unstable to v2_unstable; those of the
unstable surfaces by the latter.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.contract.diffs import diff, held, lines, specs
from tests.contract.v1_v2_exceptions import LACKING, MECHANICAL
from tests.contract.v1_v2_rows import CAPABILITIES, FIELDS, METHODS, SEMANTICS, UPDATES

FACTS: Mapping[str, Any] = json.loads(
    (Path(__file__).resolve().parent / "v1_v2.json").read_text(encoding="utf-8")
)
STABLE, UNSTABLE = ("v1", "v2"), ("v1_unstable", "v2_unstable")
CHANNELS = {"stable": STABLE, "unstable": UNSTABLE}


@cache
def said(pair: tuple[str, str]) -> list[str]:
    return lines(diff(*pair))


def pairs(row: Mapping[str, Any], text: str) -> list[tuple[str, str]]:
    """The diffs that have to hold a row."""
    unstable = row.get("stability", "stable") != "stable" or "unstable" in row.get("note", "")
    marked = "unstable" in text or row.get("note") == "rfd"
    return [UNSTABLE] if unstable or marked else [STABLE, UNSTABLE]


def rows(part: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """(name, row) of a part of the facts."""
    for row in FACTS[part]:
        if part == "fields":
            yield f"{row['where']}: {row['v1']}", row
        elif part == "capabilities":
            yield f"{row['of']}: {row['v1']} -> {row['v2']}", row
        elif part == "semantics":
            yield row["topic"], row
        else:
            yield f"{row['v1']} -> {row['v2']}", row


def missing(patterns: tuple[str, ...], row: Mapping[str, Any], text: str) -> list[str]:
    """The patterns that some diff does not hold."""
    return [
        f"{pair[0]} to {pair[1]}: {pattern}"
        for pair in pairs(row, text)
        for pattern in patterns
        if not held(pattern, said(pair))
    ]


def all_of(part: str) -> list[Any]:
    return [pytest.param(name, row, id=name) for name, row in rows(part)]


@pytest.mark.parametrize(("name", "row"), all_of("methods"))
def test_a_method_row_is_held(name: str, row: Mapping[str, Any]) -> None:
    assert missing(METHODS[name], row, name) == []


def test_the_gate_of_a_place_that_drops_is_none_or_held_by_its_method() -> None:
    (found,) = (
        item.change
        for item in diff(*UNSTABLE).findings
        if item.change.subject == "session/options /sessionId"
    )
    method = next(row for row in specs()[UNSTABLE[1]].table.rows if row.method == "session/options")
    now = str(found.detail["now"])
    assert found.detail["was"] == "any(agent: loadSession, agent: sessionCapabilities.resume)"
    assert not now or method.requires.startswith(f"{now}.")


@pytest.mark.parametrize(("name", "row"), all_of("update_variants"))
def test_an_update_row_is_held(name: str, row: Mapping[str, Any]) -> None:
    patterns = UPDATES[name]
    if name == "plan -> plan_update":  # in the unstable schema it was there already
        assert held("variant.added  -> SessionUpdate:plan_update", said(STABLE))
    assert missing(patterns, row, name) == []


def capability_patterns(row: Mapping[str, Any]) -> tuple[str, ...]:
    """What became of a path, from the columns of its row alone."""
    name = f"{row['of']}: {row['v1']} -> {row['v2']}"
    if name in CAPABILITIES:
        return CAPABILITIES[name]
    old, new = (row[key] and f"{row['of']}: {row[key]}" for key in ("v1", "v2"))
    if new is None:
        return (f"capability.removed {old} -> ",)
    if "absorbed" in row.get("note", ""):
        return (f"capability.absorbed {old} -> {new}",)
    return (f"capability.moved {old} -> {new}",)


@pytest.mark.parametrize(("name", "row"), all_of("capabilities"))
def test_a_capability_row_is_held(name: str, row: Mapping[str, Any]) -> None:
    if f"capabilities: {name}" in LACKING:
        return
    assert missing(capability_patterns(row), row, name) == []


def test_a_capability_that_moved_and_became_an_object_says_so() -> None:
    truths = {"true": "boolean", "object_present": "object"}
    found = {
        (item.change.old.name, item.change.new.name): item.change.detail
        for item in diff(*UNSTABLE).findings
        if item.change.kind == "capability.moved"
    }
    judged = 0
    for _, row in rows("capabilities"):
        was, now = truths.get(row["v1_truth"]), truths.get(row["v2_truth"])
        detail = found.get((f"{row['of']}: {row['v1']}", f"{row['of']}: {row['v2']}"))
        if was and now and detail is not None:
            assert (detail["was_kind"], detail["now_kind"]) == (was, now)
            judged += was != now
    assert judged >= 5


@pytest.mark.parametrize(("name", "row"), all_of("fields"))
def test_a_field_row_is_held(name: str, row: Mapping[str, Any]) -> None:
    if f"fields: {name}" in LACKING:
        return
    assert missing(FIELDS[name], row, name) == []


@pytest.mark.parametrize(("name", "row"), all_of("semantics"))
def test_a_row_of_semantics_is_a_note(name: str, row: Mapping[str, Any]) -> None:
    patterns = (f"note {name}", *SEMANTICS.get(name, ()))
    assert missing(patterns, row, "") == []


@pytest.mark.parametrize("channel", CHANNELS)
def test_a_renamed_type_is_a_rename(channel: str) -> None:
    for old, new in FACTS["types"]["renamed"].items():
        assert held(f"type.renamed {old} -> {new}", said(CHANNELS[channel]))


def test_a_type_that_another_model_replaces_is_removed() -> None:
    for old in FACTS["types"]["replaced_by_another_model"]:
        found = said(STABLE)
        assert held(f"type.removed {old} -> ", found) or held(f"type.renamed {old} -> *.*", found)


def test_what_ends_a_turn_moved_to_the_idle_state() -> None:
    assert held("field.moved PromptResponse.stopReason -> IdleStateUpdate.stopReason", said(STABLE))
    assert held("value.added  -> IdleStateUpdate.stopReason:error", said(STABLE))


def test_markers_of_dropped_capabilities_are_removed() -> None:
    for text in FACTS["types"]["removed_capability_markers"]:
        name, _, mark = text.partition(" ")
        pair = UNSTABLE if "unstable" in mark else STABLE
        assert held(f"type.removed {name} -> ", said(pair))


def test_no_row_is_expected_that_the_facts_do_not_have() -> None:
    known = {part: {name for name, _ in rows(part)} for part in ("methods", "fields", "semantics")}
    known["updates"] = {name for name, _ in rows("update_variants")}
    known["capabilities"] = {name for name, _ in rows("capabilities")}
    for part, expected in (
        ("methods", METHODS),
        ("updates", UPDATES),
        ("capabilities", CAPABILITIES),
        ("fields", FIELDS),
        ("semantics", SEMANTICS),
    ):
        assert set(expected) <= known[part]


def test_an_exception_is_not_stale() -> None:
    for key, (pattern, reason) in LACKING.items():
        part, _, name = key.partition(": ")
        assert name in {found for found, _ in rows(part)}, key
        assert reason
        for pair in CHANNELS.values():
            assert not held(pattern, said(pair)), f"{key} is held after all"


# What a program found when it compared the schemas, name by name


def changed(channel: str) -> Iterator[tuple[str, str, int, str]]:
    """(old definition, new one, side that has the property or -1 for both, property)."""
    for key, found in FACTS["mechanical"][channel]["changed_types"].items():
        old, _, new = key.partition(" -> ")
        for part, side in (("removed_fields", 0), ("added_fields", 1), ("changed_fields", -1)):
            for name in found.get(part, ()):
                yield old, new or old, side, name


@cache
def pointers(channel: str) -> tuple[frozenset[str], frozenset[str]]:
    """Every pointer of the findings, by side."""
    findings = diff(*CHANNELS[channel]).findings
    return (
        frozenset(item.change.old.pointer for item in findings),
        frozenset(item.change.new.pointer for item in findings),
    )


@pytest.mark.parametrize("channel", CHANNELS)
def test_every_property_that_a_program_saw_change_has_a_finding(channel: str) -> None:
    lacking = set()
    for old, new, side, name in changed(channel):
        places = [f"/$defs/{key}/properties/{name}" for key in (old, new)]
        sides = (side,) if side >= 0 else (0, 1)
        if not all(places[index] in pointers(channel)[index] for index in sides):
            lacking.add(f"{old}.{name}")
    seen = {f"{old}.{name}" for old, _, _, name in changed(channel)}
    assert lacking == set(MECHANICAL) & seen


def test_every_mechanical_exception_is_of_some_channel() -> None:
    seen = {f"{old}.{name}" for channel in CHANNELS for old, _, _, name in changed(channel)}
    assert set(MECHANICAL) <= seen


@pytest.mark.parametrize("channel", CHANNELS)
def test_every_variant_that_a_program_saw_has_a_finding(channel: str) -> None:
    """A branch for everything else is `type.open`; a branch that got its tag is `variant.tag_required`."""
    found = said(CHANNELS[channel])
    for key, entry in FACTS["mechanical"][channel]["changed_types"].items():
        variants = entry.get("variants", {"added": (), "removed": ()})
        for text in variants["added"]:
            tag = text.rpartition("=")[2]
            patterns = [
                f"variant.added  -> {key}:{tag}",
                f"value.added  -> {key}:{tag}",
                f"variant.tag_required {key}* -> {key}:{tag}",
                f"error.added  -> {tag}",
            ]
            if tag in ("other", "unknown"):
                patterns.append(f"type.open {key} -> {key}")
            assert any(held(pattern, found) for pattern in patterns), (key, text)
        for text in variants["removed"]:
            tag = text.rpartition("=")[2]
            patterns = [
                f"variant.removed {key}:{tag} -> ",
                f"value.removed {key}:{tag} -> ",
                f"variant.tag_required {key}:{tag} -> *",
            ]
            assert any(held(pattern, found) for pattern in patterns), (key, text)
        if re.match(r"closed .* -> open", entry.get("union", "")):
            assert held(f"type.open {key} -> {key}", found)


@pytest.mark.parametrize("channel", CHANNELS)
@pytest.mark.parametrize(
    ("side", "patterns"),
    [
        (
            "only_in_v1",
            ("type.removed {} -> ", "type.renamed {} -> *.*"),
        ),  # it stands inside another
        ("only_in_v2", ("type.added  -> {}", "type.renamed *:* -> {}")),
    ],
)
def test_every_definition_of_one_version_alone_has_a_finding(
    channel: str, side: str, patterns: tuple[str, str]
) -> None:
    names = FACTS["mechanical"][channel][side]
    assert len(names) > 30
    found = said(CHANNELS[channel])
    lacking = [
        name for name in names if not any(held(pattern.format(name), found) for pattern in patterns)
    ]
    assert lacking == []
