"""JSON text that other implementations write, and that this one writes."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acpgen.runtime.base import decode
from acpgen.runtime.jsontext import parse, write
from tests.unit.runtime.sample import MINIMAL, Message

JSON: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**80), 2**80)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(codec="utf-8")),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=10,
)


@given(JSON)
def test_what_is_written_is_one_line_that_reads_as_before(value: Any) -> None:
    text = write(value)
    assert b"\n" not in text
    assert parse(text) == value
    assert json.loads(text) == value


@given(st.text(st.characters()))
def test_any_text_can_be_written_and_only_surrogates_change(text: str) -> None:
    read = parse(write(text))
    assert read == text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


@given(st.text(st.characters()))
def test_any_escaped_text_can_be_read_and_only_surrogates_change(text: str) -> None:
    read = parse(json.dumps(text).encode())
    assert read == text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


@pytest.mark.parametrize(
    "text", ["NaN", "-Infinity", "[Infinity]", "01", "'a'", "{} {}", "", "[1,]"]
)
def test_what_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        parse(text.encode())


def test_numbers_that_json_does_not_have_are_null() -> None:
    assert write([math.nan, math.inf, -math.inf, 1.5]) == b"[null,null,null,1.5]"
    assert write({"a": math.nan, "b": "\udc00"}) == '{"a":null,"b":"\ufffd"}'.encode()


def test_a_model_is_written_as_on_the_wire() -> None:
    value = {**MINIMAL, "_meta": {"x": None}, "unknown": [1]}
    message = decode(Message, value)
    assert parse(write(message)) == value
    assert parse(write({"inside": [message]})) == {"inside": [value]}


def test_nesting_is_bounded() -> None:
    deep: Any = 1
    for _ in range(10_000):
        deep = [deep]
    with pytest.raises(ValueError):
        write(deep)
    with pytest.raises(ValueError, match="deep"):
        parse(b"[" * 200_000)
