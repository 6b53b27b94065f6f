from __future__ import annotations

from typing import Any

import pytest

from acpgen.runtime.checks import RULES, applies, is_absolute
from acpgen.runtime.places import ABSENT, steps_of, walk


@pytest.mark.parametrize("path", ["/", "/a b", "C:\\a", "c:/a", "\\\\host\\share", "//host/share"])
def test_an_absolute_path(path: str) -> None:
    assert is_absolute(path)
    assert RULES["absolute_path"](path) == ""


@pytest.mark.parametrize("path", ["", "a", "./a", "~/a", "C:a", "\\a", "file:///a", "\\\\host"])
def test_a_path_that_is_not_absolute(path: str) -> None:
    assert RULES["absolute_path"](path) == "must be an absolute path"


def test_what_is_no_path_is_somebody_elses_fault() -> None:
    assert RULES["absolute_path"](3) == ""


@pytest.mark.parametrize(
    ("condition", "holds", "fails"),
    [
        (("is", "a"), ["a"], ["b", ABSENT, 1]),
        (("is_not", "a"), ["b", 1], ["a", ABSENT]),
        (("one_of", ("a", "b")), ["a", "b"], ["c", ABSENT]),
        (("not_one_of", ("a", 1)), ["c", True], ["a", 1, ABSENT]),
        (("starts_with", "_"), ["_x"], ["x", 1, ABSENT]),
        (("not_starts_with", "_"), ["x", 1], ["_x"]),
        (("present", True), ["", [], 0], [ABSENT]),
        (("present", False), [ABSENT], [0]),
        (("non_empty", True), [[1], "a", {"a": 1}], [[], "", {}, ABSENT, 1]),
    ],
)
def test_conditions(condition: Any, holds: list[Any], fails: list[Any]) -> None:
    for value in holds:
        assert applies((condition,), value), value
    for value in fails:
        assert not applies((condition,), value), value
    assert applies((), ABSENT)


def test_places_of_a_message() -> None:
    message = {"a": [{"b": 1}, {"b": None}, {}, 3], "c/d": "x", "n": None}

    def found(pointer: str) -> list[tuple[str, Any]]:
        return list(walk(message, steps_of(pointer)))

    assert found("/a/*/b") == [("/a/0/b", 1), ("/a/1/b", ABSENT), ("/a/2/b", ABSENT)]
    assert found("/c~1d") == [("/c~1d", "x")]
    assert found("/n") == [("/n", ABSENT)]
    assert found("/gone/b") == []
    assert found("/a/*/b/*") == []
    assert list(walk(message, ())) == [("", message)]
