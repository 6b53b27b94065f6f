from __future__ import annotations

from typing import Any

import pytest
from black import format_str
from black.mode import Mode

from acpgen.emit.literals import source
from acpgen.runtime.table import Check, Row, State, Update
from tests.behaviour.bindings import PACKAGE, SOURCE

VALUES: list[Any] = [
    (),
    (1,),
    ("a", None, True, -3),
    {"a": ("b",), 'c"d': {}},
    Check("/a"),
    Check("/a/*/b", (("one_of", ("x" * 40, "y" * 40)),), note='it\'s "quoted" \\ here\n'),
    (
        Row("m", "agent", "request", checks=(Check("/a", requires="agent: x" * 12), Check("/b"))),
        Row("n", "client", "notification", replaced_by=(), errors=(1, 2)),
    ),
    (Update("u" * 50, summary="s" * 60, replaced_by=None), State("x")),
]


@pytest.mark.parametrize("value", VALUES, ids=range(len(VALUES)))
def test_source_makes_an_equal_value(value: Any) -> None:
    text = source(value)
    again = eval(text, {item.__name__: item for item in (Check, Row, Update, State)})
    assert again == value
    assert type(again) is type(value)


@pytest.mark.parametrize("name", ["v1", "v1_unstable", "v2", "v2_unstable"])
@pytest.mark.parametrize("module", ["methods", "capabilities"])
def test_the_generated_tables_are_how_black_writes_them(name: str, module: str) -> None:
    text = (SOURCE / PACKAGE / name / f"{module}.py").read_text(encoding="utf-8")
    assert format_str(text, mode=Mode(line_length=100)) == text


def test_defaults_are_left_out() -> None:
    assert source(Check("/a", by="sender")) == 'Check(at="/a", by="sender")'
