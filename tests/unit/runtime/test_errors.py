"""Where errors point: into the wire value, without the branches that were never meant."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

from acpgen.runtime.base import DecodeError, decode, decode_json
from tests.unit.runtime.sample import (
    MINIMAL,
    Block,
    ClosedBlock,
    Message,
    OneResource,
    Resource,
    Server,
)


def problems(type_: Any, value: object) -> list[tuple[str, str]]:
    """Pointer and kind of every problem; the test fails if there is none."""
    try:
        read = decode(type_, value)
    except DecodeError as error:
        return [(pointer, kind) for pointer, _message, kind in error.problems]
    raise AssertionError(f"decoded as {read!r}")


def in_message(**more: Any) -> list[tuple[str, str]]:
    return problems(Message, {**MINIMAL, **more})


def test_pointers_use_wire_names_and_are_escaped() -> None:
    assert problems(Message, {**MINIMAL, "odd-name": 1}) == [("/odd-name", "string_type")]
    assert problems(dict[str, dict[str, int]], {"a/b": {"c~d": "x"}}) == [
        ("/a~1b/c~0d", "int_parsing")
    ]


def test_a_missing_property_has_the_pointer_that_it_would_have() -> None:
    assert problems(Message, {}) == [
        ("/odd-name", "missing"),
        ("/blocks", "missing"),
        ("/servers", "missing"),
    ]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"blockType": "text"}, ("/text", "missing")),
        ({"blockType": "text", "text": 1}, ("/text", "string_type")),
        ({}, ("/blockType", "missing")),
        ({"blockType": 5}, ("/blockType", "union_tag_invalid")),
        (5, ("", "dict_type")),
    ],
)
def test_open_unions_report_the_variant_that_was_meant(
    value: Any, expected: tuple[str, str]
) -> None:
    pointer, kind = expected
    (found,) = problems(Block, value)
    assert found[0] == pointer
    if pointer:
        assert found[1] == kind


def test_an_unknown_tag_of_a_closed_union_points_at_the_tag() -> None:
    assert problems(ClosedBlock, {"blockType": "new"}) == [("/blockType", "union_tag_invalid")]
    with pytest.raises(DecodeError, match="/blockType must be one of 'text', 'image'"):
        decode(ClosedBlock, {"blockType": "new"})


def test_nested_places() -> None:
    assert in_message(children=[MINIMAL, {**MINIMAL, "servers": [{"type": "http"}]}]) == [
        ("/children/1/servers/0/url", "missing")
    ]
    assert problems(list[Block], [{"blockType": "text"}]) == [("/0/text", "missing")]


def test_a_field_that_is_called_like_a_branch() -> None:
    # `known`, `other` and the tags are labels of branches inside pydantic-core's loc; here they are
    # keys.
    assert problems(
        dict[str, Block], {"known": {"blockType": "text"}, "text": {"blockType": "text"}}
    ) == [
        ("/known/text", "missing"),
        ("/text/text", "missing"),
    ]


def test_untagged_choices_report_the_branch_that_the_keys_name() -> None:
    assert problems(Resource, {"blob": 5, "uri": "u"}) == [("/blob", "string_type")]
    assert problems(Resource, {"text": 5, "uri": "u"}) == [("/text", "string_type")]
    assert problems(Resource, {"blob": "b"}) == [("/uri", "missing")]
    assert problems(OneResource, {"text": "t", "blob": "b", "uri": "u"}) == [("", "one_of")]
    assert in_message(either=[1, "x"]) == [("/either/1", "int_type")]


def test_default_variants() -> None:
    assert problems(Server, {}) == [("/command", "missing")]
    assert problems(Server, {"type": "http"}) == [("/url", "missing")]
    assert problems(Server, {"type": "stdio", "command": 5}) == [("/command", "string_type")]
    assert problems(Server, {"type": "ws", "url": "u"}) == [("/type", "union_tag_invalid")]


def test_one_problem_for_each_place() -> None:
    found = in_message(count="x", ratio="y", strict=5, children=[{}])
    assert [pointer for pointer, _kind in found] == sorted(
        {pointer for pointer, _kind in found}, key=[pointer for pointer, _kind in found].index
    )
    assert {"/count", "/ratio", "/strict", "/children/0/odd-name"} <= {
        pointer for pointer, _ in found
    }


def test_text_that_is_not_json() -> None:
    with pytest.raises(DecodeError) as caught:
        decode_json(Block, b"{")
    ((pointer, _message, kind),) = caught.value.problems
    assert (pointer, kind) == ("", "json_invalid")


def test_the_error_reads_well_and_survives() -> None:
    with pytest.raises(DecodeError) as caught:
        decode(Message, {**MINIMAL, "count": "x", "strict": 5})
    error = caught.value
    assert str(error) == "Message: /strict must be a string; /count must be an integer"
    for twin in (copy.copy(error), pickle.loads(pickle.dumps(error))):
        assert twin.problems == error.problems and str(twin) == str(error)
    assert isinstance(error, ValueError)
