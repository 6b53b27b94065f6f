from __future__ import annotations

import pytest

from acpgen.problem import ProblemError
from acpgen.spec.show import show
from tests.unit.spec.outline import fragment, spec_of


def test_a_record_shows_its_fields() -> None:
    view = show("R", [spec_of(fragment("tolerance"))])[0]
    rows = {row.wire: row for row in view.rows}
    assert view.kind == "record"
    assert rows["both"].tolerance == "malformed items are dropped; malformed reads as []"
    assert rows["nul"].tolerance == "null reads as []"
    assert (rows["opt"].type, rows["opt"].presence) == ("str | None", "optional")


def test_bounds_are_shown_with_their_format() -> None:
    rows = {row.wire: row for row in show("R", [spec_of(fragment("bounds"))])[0].rows}
    assert rows["u8"].bounds == "uint8"
    assert rows["tight"].bounds == "int32, minimum 5, maximum 9"
    assert rows["l"].bounds == "minItems 1, maxItems 2"


def test_a_union_shows_its_variants_and_catch_all() -> None:
    view = show("Block", [spec_of(fragment("open_union"))])[0]
    assert [(row.wire, row.python, row.presence) for row in view.rows] == [
        ("text", "TextBlock", "variant"),
        ("image", "ImageBlock", "variant"),
        ("(any other)", "OtherBlock", "catch-all"),
    ]
    assert view.about == "told apart by `type`; open"


def test_a_definition_that_lives_only_in_variants_shows_them() -> None:
    assert [view.name for view in show("Text", [spec_of(fragment("open_union"))])] == ["TextBlock"]


def test_surfaces_on_which_a_type_looks_alike_are_joined() -> None:
    one = spec_of(fragment("bounds"))
    assert show("R", [one, one])[0].surfaces == ("v1", "v1")


def test_an_unknown_name_gets_its_neighbours() -> None:
    with pytest.raises(ProblemError, match="did you mean TextBlock"):
        show("TextBlok", [spec_of(fragment("open_union"))])
