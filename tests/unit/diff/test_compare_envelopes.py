"""The ids that envelopes state themselves."""

from __future__ import annotations

from typing import Any

import pytest

from acpgen.diff import run
from tests.unit.diff.small import STRING, Defs, changes, lines, record, ref, request, spec

PLAIN = {"anyOf": [{"type": "integer"}, STRING]}
WITH_NULL = {"anyOf": [{"type": "integer"}, STRING, {"type": "null"}]}


def protocol(error_id: Defs, shared: Defs = WITH_NULL) -> Defs:
    def branch(title: str, **properties: Any) -> Defs:
        return {"title": title, **record(**properties)}

    ok = branch("Result", id=ref("RequestId"), result={"anyOf": [ref("DoResponse")]})
    failed = branch("Error", id=error_id, error=ref("Failure"))
    return {
        "DoRequest": request("do", record()),
        "DoResponse": request("do", record()),
        "RequestId": shared,
        "Failure": record(message=STRING),
        "AgentResponse": {"anyOf": [ok, failed], "x-docs-ignore": True},
    }


@pytest.mark.parametrize("old_id", [ref("RequestId"), WITH_NULL, {"allOf": [ref("RequestId")]}])
def test_an_id_that_may_not_be_null_any_more(old_id: Defs) -> None:
    old, new = protocol(old_id), protocol(PLAIN)
    (found,) = run.diff(spec(old), spec(new), renames=()).findings
    assert found.change.kind == "field.non_nullable"
    assert found.change.subject == "AgentResponse:Error.id"
    assert found.change.writers == {"agent"}
    assert found.breaks == {"agent"}
    (back,) = run.diff(spec(new), spec(old), renames=()).findings
    assert back.change.kind == "field.nullable"
    assert back.breaks == {"client"}


def test_the_same_ids_written_another_way_are_no_change() -> None:
    assert changes(protocol(ref("RequestId")), protocol(WITH_NULL)) == []


def test_what_the_definition_says_is_said_once() -> None:
    found = lines(changes(protocol(ref("RequestId")), protocol(ref("RequestId"), PLAIN)))
    assert found and not [line for line in found if "AgentResponse" in line]
