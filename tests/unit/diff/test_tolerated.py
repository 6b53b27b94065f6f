"""A value that a reader does not know is lost, not fatal, where the reader's schema repairs it."""

from __future__ import annotations

from typing import Any

import pytest

from acpgen.diff import run
from acpgen.diff.finding import Finding
from acpgen.diff.judging.tolerated import AS_DEFAULT, WITH_HOLDER, WITH_ITEM, Repairs
from tests.unit.diff.small import STRING, Defs, record, ref, request, spec

ON_ERROR = {"x-deserialize-default-on-error": True}
SKIP = {"x-deserialize-skip-invalid-items": True}
ONE = {"type": "array", "items": STRING, "minItems": 1}
STATE = "/$defs/State"


def enum(*values: str) -> Defs:
    return {"oneOf": [{"const": value, "type": "string"} for value in values]}


def held(field: Defs, *values: str, **more: Any) -> Defs:
    """A message that holds a state in one property."""
    return {"DoRequest": request("do", record(x=field)), "State": enum(*values), **more}


def optional(schema: Defs) -> Defs:
    return {"type": "object", "properties": {"x": schema}}


def the(kind: str, old: Defs, new: Defs) -> Finding:
    (one,) = [
        item
        for item in run.diff(spec(old), spec(new), renames=()).findings
        if item.change.kind == kind
    ]
    return one


LISTED = {"type": "array", "items": ref("State"), "default": []}
ENTRIES = {"type": "array", "items": ref("Entry")}
ENTRY = record(state=ref("State"))


@pytest.mark.parametrize(
    ("definitions", "lost"),
    [
        (held({**ref("State"), **ON_ERROR, "default": "a"}, "a"), (AS_DEFAULT,)),
        (held({**LISTED, **SKIP}, "a"), (WITH_ITEM,)),
        (held({**LISTED, **ON_ERROR}, "a"), (WITH_HOLDER,)),
        (held({**ENTRIES, **SKIP}, "a", Entry=ENTRY), (WITH_ITEM,)),
        (held(ref("State"), "a"), ()),
        (held(ENTRIES, "a", Entry=ENTRY), ()),
        (held({**ENTRIES, "minItems": 1, **SKIP}, "a", Entry=ENTRY), ()),
    ],
)
def test_how_a_value_is_lost(definitions: Defs, lost: tuple[str, ...]) -> None:
    assert Repairs(spec(definitions)).of(STATE) == lost


def test_one_place_that_fails_is_enough() -> None:
    both = held({**LISTED, **SKIP}, "a", GoRequest=request("go", record(x=ref("State"))))
    assert Repairs(spec(both)).of(STATE) == ()


def test_a_default_that_is_invalid_repairs_nothing() -> None:
    """An empty list for one that has to have items: the value is refused all the same."""
    loose = {"type": "array", "items": STRING, "default": [], **ON_ERROR}
    strict = {**loose, "minItems": 1}
    old, new = held(loose, "a"), held(strict, "a")
    assert the("field.bounds", old, new).severity == "breaking"
    old["DoRequest"], new["DoRequest"] = (
        request("do", optional({**item})) for item in ({"type": "number"}, {"type": "integer"})
    )
    tolerant = {**new, "DoRequest": request("do", optional({"type": "integer", **ON_ERROR}))}
    assert the("field.type", old, new).severity == "breaking"
    assert the("field.type", old, tolerant).severity == "risky"


def test_the_readers_side_decides() -> None:
    tolerant = held({**ref("State"), **ON_ERROR, "default": "a"}, "a")
    strict = held(ref("State"), "a", "b")
    assert the("value.added", tolerant, strict).severity == "risky"
    assert the("value.removed", strict, tolerant).severity == "risky"
    tolerant["State"], strict["State"] = strict["State"], tolerant["State"]
    assert the("value.added", strict, tolerant).severity == "breaking"
    assert the("value.removed", tolerant, strict).severity == "breaking"


def test_the_sentence_says_what_becomes_of_the_value() -> None:
    old, new = (held({**ENTRIES, **SKIP}, *item, Entry=ENTRY) for item in ("a", "ab"))
    found = the("value.added", old, new)
    assert WITH_ITEM in found.agent
    assert WITH_ITEM in found.client


def test_null_without_a_valid_default_is_refused() -> None:
    old = held({**ONE, "type": ["array", "null"]}, "a")
    new = held({**ONE, "default": [], **ON_ERROR}, "a")
    assert the("field.non_nullable", old, new).severity == "breaking"
    new = held({**ONE, "default": ["a"], **ON_ERROR}, "a")
    assert the("field.non_nullable", old, new).severity == "risky"
