"""Text of a diff: what schemas say reaches a page as text and as nothing else."""

from __future__ import annotations

import json
from typing import Any

import pytest

from acpgen.diff import report
from acpgen.diff.finding import Diff
from acpgen.diff.reporting.view import RowView
from acpgen.emit.diff_text import Line, alike, code, fence, markdown, markdown_code, shapes
from tests.unit.diff.samples import finding, nowhere, specs, there


def row(old: Any = None, new: Any = None) -> RowView:
    """A row whose sides have these shapes; None: nothing stands there."""
    one = finding(
        "field",
        "type",
        "A.b",
        old=nowhere() if old is None else there("/a", "A.b", old),
        new=nowhere() if new is None else there("/a", "A.b", new),
    )
    view = report.view(Diff("a", "b", (one,)), *specs())
    return view["sections"][0]["groups"][0]["rows"][0]


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("`a` is & stays", "<code>a</code> is &amp; stays"),
        ("``a`b`` is", "<code>a`b</code> is"),
        ("no ` pair <b>", "no ` pair &lt;b&gt;"),
        ("`<b>`", "<code>&lt;b&gt;</code>"),
        ('"quoted"', "&#34;quoted&#34;"),
        ("a\u202eb\x00`\n`", "a\\u202eb\\u0000<code>\\u000a</code>"),
    ],
)
def test_html_of_a_sentence(text: str, html: str) -> None:
    assert code(text) == html


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("`a_b` and a_b", "`a_b` and a_b"),
        ("*a* [b](c) <d> e|f", "\\*a\\* \\[b\\](c) &lt;d&gt; e\\|f"),
        ("_a_", "\\_a\\_"),
        ("one ` alone", "one \\` alone"),
        ("`a|b`", "`a\\|b`"),
        ("a\nb", "a\\\\u000ab"),
    ],
)
def test_markdown_of_a_sentence(text: str, expected: str) -> None:
    assert markdown(text) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [("a", "`a`"), ("", ""), ("a`b", "``a`b``"), ("`", "`` ` ``"), ("a|b", "`a\\|b`")],
)
def test_markdown_of_a_name(name: str, expected: str) -> None:
    assert markdown_code(name) == expected


def test_a_side_where_nothing_stands_has_no_line() -> None:
    found = shapes(row(new={"type": "string"}))
    assert found.old == []
    assert found.new == [Line(False, '{"type": "string"}')]


def test_a_shape_that_is_false_or_null_has_a_line() -> None:
    assert shapes(row(old=False)).old == [Line(False, "false")]


def test_lines_that_one_side_has_alone_are_marked() -> None:
    long = {"description": "x" * 70, "type": "string"}
    found = shapes(row(old=long, new={**long, "type": "integer"}))
    assert [line.changed for line in found.old] == [False, False, True, False]
    assert [line.text for line in found.old if line.changed] == ['  "type": "string"']
    assert [line.text for line in found.new if line.changed] == ['  "type": "integer"']


@pytest.mark.parametrize(
    "shape",
    [
        {},
        [],
        {"a": [], "b": {}, "c": [[1, 2.5, None, True], {"d": '\u00e4 \\ " ,'}], "e": "x" * 80},
        [{"k" * 30: ["v" * 30, "w" * 30]}, "z" * 50],
    ],
)
def test_the_lines_of_a_shape_are_its_json(shape: Any) -> None:
    lines = shapes(row(old=shape)).old
    assert json.loads("\n".join(line.text for line in lines)) == shape


def test_what_fits_in_a_line_stands_on_one() -> None:
    shape = {"type": ["object", "null"], "description": "x" * 60}
    assert [line.text for line in shapes(row(old=shape)).old] == [
        "{",
        '  "type": ["object", "null"],',
        f'  "description": "{"x" * 60}"',
        "}",
    ]


def test_what_equal_shapes_do_not_show_is_said_apart() -> None:
    one = row(old={"a": 1}, new={"a": 1})
    one["detail"] = {"side": "agent", "was": [], "now": [-32022]}
    assert alike(one) == '{"was": [], "now": [-32022]}'
    one["detail"] = {"side": "agent"}
    assert alike(one) == ""
    other = row(old={"a": 1}, new={"a": 2})
    other["detail"] = {"was": 1}
    assert alike(other) == ""


def test_a_fence_is_longer_than_what_it_holds() -> None:
    assert fence([Line(False, "a")]) == "~~~"
    assert fence([Line(False, "~~~~ b"), Line(False, "~~~")]) == "~~~~~"
