"""The report: sections, figures and the method map of a small diff."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from acpgen import comparison
from acpgen import config as configuration
from acpgen.diff import report
from acpgen.diff.change import ACTIONS
from acpgen.diff.finding import Diff
from acpgen.diff.reporting.view import MethodPair, RowView, View
from tests.unit.diff.samples import finding, findings, sample, specs, there


@pytest.fixture(scope="module")
def view() -> View:
    return report.view(sample(), *specs())


def rows(view: View) -> list[RowView]:
    return [row for part in view["sections"] for group in part["groups"] for row in group["rows"]]


def line(view: View, name: str) -> MethodPair:
    (found,) = (
        pair
        for pair in view["methods"]
        if name in {end["method"] for end in (pair["old"], pair["new"]) if end is not None}
    )
    return found


def test_every_finding_is_in_one_section(view: View) -> None:
    assert sorted(row["fingerprint"] for row in rows(view)) == sorted(
        item.fingerprint for item in findings()
    )


def test_sections_and_their_groups(view: View) -> None:
    found = {part["id"]: [group["name"] for group in part["groups"]] for part in view["sections"]}
    assert found["methods"] == ["ask", "enter", "load", "rest"]
    assert found["capabilities"] == ["Advertised by the agent"]
    assert found["updates"] == ["one", "two"], "a gate and a variant of the updates among them"
    assert found["types"][:3] == ["EnterRequest", "Place", "Waived"]
    assert found["variants"] == ["Mood"]
    assert found["errors"] == ["codes"]


def test_every_kind_of_change_has_a_section() -> None:
    kinds = {kind for pair in ACTIONS.items() for kind in pair}
    found = [
        finding(*kind.split("."), "Some.thing") for kind in sorted(kinds)  # type: ignore[arg-type]
    ]
    view = report.view(Diff("a", "b", tuple(found)), *specs())
    assert len(rows(view)) == len(kinds)


def test_figures_leave_out_what_is_waived(view: View) -> None:
    assert view["overview"]["counts"] == {
        "breaking": 7,
        "risky": 3,
        "compatible": 4,
        "waived": 1,
        "total": 15,
    }
    of_sections = view["overview"]["sections"].values()
    for name in ("breaking", "risky", "compatible", "waived", "total"):
        total = sum(counts[name] for counts in of_sections)  # type: ignore[literal-required]
        assert total == view["overview"]["counts"][name]  # type: ignore[literal-required]
    assert sum(view["overview"]["kinds"].values()) == 15


def test_figures_of_a_peer_go_by_what_it_is_for_that_one() -> None:
    one = replace(
        finding("field", "type", "A.b", agent="Write it.", client="Read it."),
        levels={"agent": "breaking", "client": "risky"},
    )
    overview = report.view(Diff("a", "b", (one,)), *specs())["overview"]
    assert (overview["agent"]["breaking"], overview["agent"]["risky"]) == (1, 0)
    assert (overview["client"]["breaking"], overview["client"]["risky"]) == (0, 1)


def test_who_is_concerned_by_a_row(view: View) -> None:
    found = {row["subject"]: row["concerns"] for row in rows(view)}
    assert found["enter"] == ["agent", "client"]
    assert found["load"] == ["client"]
    assert found["EnterRequest"] == []


def test_the_method_map_holds_every_method_once(view: View) -> None:
    olds = [pair["old"]["method"] for pair in view["methods"] if pair["old"]]
    news = [pair["new"]["method"] for pair in view["methods"] if pair["new"]]
    old, new = specs()
    assert sorted(olds) == sorted(row.method for row in old.table.rows)
    assert sorted(news) == sorted(row.method for row in new.table.rows)


def test_the_method_map_says_what_becomes_of_each(view: View) -> None:
    assert {
        name: line(view, name)["status"]
        for name in ("enter", "login", "load", "rest", "ask", "initialize")
    } == {
        "enter": "renamed",
        "login": "renamed",
        "load": "replaced",
        "rest": "changed",
        "ask": "added",
        "initialize": "same",
    }
    assert line(view, "load")["replaced_by"] == ["rest"]
    assert line(view, "enter")["changes"] == ["who \N{RIGHTWARDS ARROW} name"]
    assert line(view, "rest")["changes"] == ["gated"]


def test_the_method_map_refers_to_rows_of_the_report(view: View) -> None:
    ids = {row["id"]: row for row in rows(view)}
    for pair in view["methods"]:
        assert not set(pair["rows"]) & set(pair["inside"])
        for name in (*pair["rows"], *pair["inside"]):
            assert name in ids
    (inside,) = line(view, "rest")["inside"]
    assert ids[inside]["subject"] == "Place.x"


def test_a_method_whose_types_alone_changed() -> None:
    deep = finding("field", "type", "Place.x", "risky", uses=("rest",))
    pair = line(report.view(Diff("a", "b", (deep,)), *specs()), "rest")
    assert (pair["status"], pair["severity"]) == ("types changed", "risky")


def test_the_method_of_updates_holds_what_its_kinds_hold() -> None:
    deep = finding("field", "type", "Part.x", uses=("three",))
    pair = line(report.view(Diff("a", "b", (deep,)), *specs()), "session/update")
    assert (pair["status"], len(pair["inside"])) == ("types changed", 1)


def test_a_gate_that_differs_though_no_finding_is_about_it() -> None:
    old, new = specs()
    rows_ = tuple(row._replace(requires="agent: go") for row in new.table.rows)
    new = replace(new, table=replace(new.table, rows=rows_))
    pair = line(report.view(Diff("a", "b"), old, new), "rest")
    assert (pair["status"], pair["changes"]) == ("changed", ["other gate"])


def test_a_method_that_moved_to_the_other_side_is_one_line() -> None:
    old, new = specs()
    (row,) = (row for row in new.table.rows if row.method == "rest")
    moved = row._replace(side="client")
    rows_ = tuple(moved if item is row else item for item in new.table.rows)
    new = replace(new, table=replace(new.table, rows=rows_))
    spot = there("/$defs/RestRequest", "rest")
    diff = Diff("a", "b", (finding("method", "moved", "rest", old=spot, new=spot),))
    assert line(report.view(diff, old, new), "rest")["status"] == "moved"


def test_a_part_of_the_findings_has_no_map_and_says_so() -> None:
    view = report.view(Diff("a", "b", findings()[:2]), *specs(), selected=True)
    assert view["methods"] == []
    assert view["notices"] == ["Only a part of the changes is shown: those that were asked for."]


def test_anchors_are_unique_and_made_of_fingerprints(view: View) -> None:
    ids = [row["id"] for row in rows(view)]
    assert all(row["id"] == f"f-{row['fingerprint']}" for row in rows(view))
    groups = [group["id"] for part in view["sections"] for group in part["groups"]]
    notes = [note["id"] for note in view["notes"]]
    everything = [*ids, *groups, *notes, *(part["id"] for part in view["sections"])]
    assert len(set(everything)) == len(everything)


def test_anchors_of_alike_names_differ() -> None:
    alike = tuple(finding("type", "closed", name) for name in ("A b", "A-b", "A!b"))
    view = report.view(Diff("a", "b", alike), *specs())
    groups = [group["id"] for part in view["sections"] for group in part["groups"]]
    assert groups == ["types-A-b", "types-A-b-2", "types-A-b-3"]


def test_the_json_is_the_view(view: View) -> None:
    text = report.as_json(view)
    assert json.loads(text) == view
    assert text.endswith("}\n")


def test_of_equal_surfaces_the_report_is_empty() -> None:
    old, _ = specs()
    view = report.view(Diff("v1", "v1"), old, old)
    assert view["sections"] == [] and view["notes"] == []
    assert {pair["status"] for pair in view["methods"]} == {"same"}
    assert view["overview"]["counts"]["total"] == 0


def test_what_is_about_a_place_names_it_in_the_method_map() -> None:
    settings = configuration.load(overrides={"overlays": []})
    (pair,) = comparison.run(settings, "v1", "v2").pairs
    view = report.view(pair.diff, pair.old, pair.new)
    changes = {
        name: line(view, name)["changes"] for name in ("session/new", "session/request_permission")
    }
    assert "/options/*/optionId: rule added" in changes["session/request_permission"]
    assert "/mcpServers/*/type: not allowed" in changes["session/new"]
    assert "/configOptions/*/type: gate dropped" in changes["session/new"]
    assert "gate dropped" not in changes["session/new"]
