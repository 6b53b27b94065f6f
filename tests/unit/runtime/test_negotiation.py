"""Which version is answered."""

from __future__ import annotations

from typing import Any

import pytest

from acpgen.runtime.errors import InvalidParams, UnsupportedProtocolVersion
from acpgen.runtime.negotiation import (
    always_newest,
    choose,
    invalid_params,
    newest_at_or_below,
    requested_version,
)


@pytest.mark.parametrize(
    ("requested", "served", "wanted"),
    [
        (1, {1}, 1),
        (5, {1}, 1),
        (0, {1}, 1),
        (1, {1, 2}, 1),
        (2, {1, 2}, 2),
        (3, {1, 2}, 2),
        (3, {1, 4}, 1),
        (0, {1, 2}, None),
        (1, {2}, None),
        (0, {0}, 0),
        (1, set(), None),
    ],
)
def test_newest_at_or_below(requested: int, served: set[int], wanted: int | None) -> None:
    """Decision 1."""
    assert newest_at_or_below(requested, served) == wanted


@pytest.mark.parametrize(
    ("requested", "served", "wanted"),
    [(1, {1, 2}, 1), (7, {1, 2}, 2), (0, {1, 2}, 2), (1, {2}, 2), (1, set(), None)],
)
def test_always_newest(requested: int, served: set[int], wanted: int | None) -> None:
    assert always_newest(requested, served) == wanted


def test_choose_raises_with_both_sides() -> None:
    with pytest.raises(UnsupportedProtocolVersion) as caught:
        choose(1, [3, 2])
    assert caught.value.code == -32022
    assert caught.value.data == {"requested": 1, "supported": [2, 3]}
    with pytest.raises(ValueError, match="chose version 9"):
        choose(1, [1], lambda _requested, _served: 9)


@pytest.mark.parametrize("version", [0, 1, 2, 65535])
def test_a_version(version: int) -> None:
    assert requested_version({"protocolVersion": version, "other": []}) == version


@pytest.mark.parametrize("version", ["1", True, False, 1.0, None, -1, 65536, [1], {}])
def test_no_version(version: Any) -> None:
    """Decision 2."""
    with pytest.raises(InvalidParams) as caught:
        requested_version({"protocolVersion": version})
    assert [item["pointer"] for item in caught.value.data["errors"]] == ["/protocolVersion"]


@pytest.mark.parametrize("params", [None, [], "text", 1])
def test_no_params(params: Any) -> None:
    with pytest.raises(InvalidParams) as caught:
        requested_version(params)
    assert [item["pointer"] for item in caught.value.data["errors"]] == [""]


def test_the_error_says_what_is_wrong_where() -> None:
    error = invalid_params([("/a/0", "must be a string", "string_type"), ("", "is odd", "x")])
    assert error.message == "Invalid params: /a/0 must be a string; params is odd"
    assert error.data == {
        "errors": [
            {"pointer": "/a/0", "message": "must be a string"},
            {"pointer": "", "message": "is odd"},
        ]
    }
