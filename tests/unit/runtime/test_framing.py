"""Bytes to lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acpgen.runtime.framing import MAX_LINE, Lines


def cut(data: bytes, size: int, limit: int = MAX_LINE) -> list[bytes | None]:
    """The lines of data that arrives in pieces of this size."""
    lines = Lines(limit)
    found: list[bytes | None] = []
    for start in range(0, len(data), size):
        found += lines.feed(data[start : start + size])
    rest = lines.end()
    return found if rest is None else [*found, rest]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_lines_in_pieces(size: int) -> None:
    data = b"one\ntwo\r\n\n \t\r\n\nthree"
    assert cut(data, size) == [b"one", b"two\r", b"three"]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_a_line_over_the_limit_is_reported_once_and_skipped(size: int) -> None:
    data = b"12345\n123456\n1234\n" + b"x" * 50 + b"\n12345\n" + b"y" * 9
    assert cut(data, size, limit=5) == [b"12345", None, b"1234", None, b"12345", None]


def test_no_more_than_the_limit_is_held() -> None:
    lines = Lines(10)
    assert lines.feed(b"x" * 8) == []
    assert lines.feed(b"x" * 8) == [None]
    for _ in range(100):
        assert lines.feed(b"x" * 8) == []
    assert lines.feed(b"x\nnext\n") == [b"next"]


def test_after_the_end_nothing_is_left() -> None:
    lines = Lines()
    lines.feed(b"rest")
    assert lines.end() == b"rest"
    assert lines.end() is None
    lines.feed(b"  ")
    assert lines.end() is None


@given(
    st.lists(st.binary(max_size=12).map(lambda line: line.replace(b"\n", b""))),
    st.integers(1, 20),
    st.integers(1, 10),
)
def test_pieces_make_no_difference(parts: list[bytes], size: int, limit: int) -> None:
    data = b"".join(part + b"\n" for part in parts)
    expected = [
        None if len(part) > limit else part for part in parts if len(part) > limit or part.strip()
    ]
    assert cut(data, size, limit) == expected
