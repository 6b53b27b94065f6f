"""What is believed to be one thing under two names, and what is not."""

from __future__ import annotations

from acpgen.diff.pairing.renames import RenameRow
from tests.unit.diff.small import STRING, Defs, changes, record, ref, request, said, spec, tagged


def row(table: str, old: str, new: str, versions: tuple[int, int] = (1, 1)) -> RenameRow:
    return RenameRow(table, old, new, versions, f"renames.toml#{old}")  # type: ignore[arg-type]


def test_the_params_of_one_method_are_one_type() -> None:
    old = {"Ask": request("ask", record("a")), "Told": {**request("ask", record()), "title": "x"}}
    new = {"AskRequest": request("ask", record("a", "b"))}
    old = {"Ask": old["Ask"]}
    found = changes(old, new)
    assert [(item.kind, item.subject, item.evidence) for item in found] == [
        ("field.added", "AskRequest.b", ""),
        ("type.renamed", "Ask", "params of ask"),
    ]


def test_what_stands_behind_one_tag_is_one_type() -> None:
    old = {"U": tagged("k", "a", "b", payload="Old"), "Old": record("x")}
    new = {"U": tagged("k", "a", "b", payload="New"), "New": record("x", "y")}
    assert said(old, new) == ["field.added New.y", "type.renamed Old -> New"]


def test_the_type_of_one_field_is_one_type_through_items_and_null() -> None:
    def defs(name: str) -> Defs:
        many = {"type": ["array", "null"], "items": ref(name)}
        return {"T": {**record(), "properties": {"x": many}}, name: record("a")}

    (found,) = changes(defs("Old"), defs("New"))
    assert (found.kind, found.evidence) == ("type.renamed", "type of T.x")


def test_two_candidates_for_one_place_are_no_evidence() -> None:
    old = {"T": record(x=ref("Old"), y=ref("Old")), "Old": record("a")}
    new = {"T": record(x=ref("One"), y=ref("Two")), "One": record("a"), "Two": record("a")}
    assert said(old, new) == [
        "field.type T.x",
        "field.type T.y",
        "type.removed Old",
        "type.added One",
        "type.added Two",
    ]


def test_properties_in_common_are_no_evidence() -> None:
    same = record("a", "b", "c")
    assert said({"Old": same, "T": record()}, {"New": same, "T": record()}) == [
        "type.added New",
        "type.removed Old",
    ]


def test_a_field_of_the_same_type_beside_is_no_evidence() -> None:
    old = {"T": record(id=ref("Id")), "Id": STRING}
    new = {"T": record(key=ref("Id")), "Id": STRING}
    assert said(old, new) == ["field.removed T.id", "field.added T.key"]


def test_two_tags_that_are_left_over_are_no_evidence() -> None:
    old, new = {"U": tagged("k", "a", "b")}, {"U": tagged("k", "a", "c")}
    assert said(old, new) == ["variant.removed U:b", "variant.added U:c"]


def test_a_row_renames_a_field_and_says_so() -> None:
    old, new = {"T": record(id=STRING)}, {"T": record(key={"type": "integer"})}
    found = changes(old, new, (row("fields", "T.id", "T.key"),))
    assert [(item.kind, item.subject, item.new.name) for item in found] == [
        ("field.renamed", "T.id", "T.key"),
        ("field.type", "T.id", "T.key"),
    ]
    assert found[0].evidence == "renames.toml: T.id = T.key"


def test_a_row_moves_a_field_to_another_record() -> None:
    old = {"T": record(call=STRING, s=ref("S")), "S": record("a")}
    new = {"T": record(s=ref("S")), "S": record("a", call=STRING)}
    rows = (row("fields", "T.call", "S.call"),)
    assert said(old, new, rows) == ["field.moved T.call -> S.call"]


def test_a_field_that_still_stands_did_not_move() -> None:
    old = {"T": record(call=STRING), "S": record("a")}
    new = {"T": record(call=STRING), "S": record("a", call=STRING)}
    rows = (row("fields", "T.call", "S.call"),)
    assert said(old, new, rows) == ["field.added S.call"]


def test_rows_rename_types_variants_and_methods() -> None:
    old = {
        "Ask": request("ask", record("a")),
        "U": tagged("k", "a", "b"),
        "Old": record("z"),
    }
    new = {
        "Ask": request("beg", record("a")),
        "U": tagged("k", "a", "c"),
        "New": record("z"),
    }
    rows = (
        row("methods", "ask", "beg"),
        row("variants", "U:b", "U:c"),
        row("types", "Old", "New"),
    )
    assert said(old, new, rows) == [
        "method.renamed ask -> beg",
        "type.renamed Old -> New",
        "variant.renamed U:b -> U:c",
    ]


def test_rows_of_other_versions_do_not_count() -> None:
    old, new = {"T": record(id=STRING)}, {"T": record(key=STRING)}
    found = said(old, new, (row("fields", "T.id", "T.key", (1, 2)),))
    assert found == ["field.removed T.id", "field.added T.key"]


def test_rows_serve_both_directions() -> None:
    old, new = spec({"T": record(id=STRING)}), spec({"T": record(key=STRING)}, 2)
    rows = (row("fields", "T.id", "T.key", (1, 2)),)
    assert said(new, old, rows) == ["field.renamed T.key -> T.id"]
