"""Stubs for every method of both sides, from the method table."""

from __future__ import annotations

from typing import Any

from acpgen.emit.peers import context
from acpgen.runtime.table import Row, Update
from acpgen.spec.ir import MethodTable, Spec


def spec(*rows: Row, updates: tuple[Update, ...] = ()) -> Spec:
    table = MethodTable(rows=rows, updates=updates, update_method="session/update")
    return Spec(version=1, channel="stable", definitions={}, table=table)


def test_names_params_and_results() -> None:
    found: Any = context(
        spec(
            Row("session/new", "agent", "request", "NewRequest", "NewResponse", "Create one."),
            Row("session/cancel", "agent", "notification", "Cancel"),
            Row("fs/read_text_file", "client", "request", "ReadRequest", "ReadResponse"),
            Row("proxy/start", "proxy", "request", "Start", "Started"),
            Row("$/cancel_request", "protocol", "notification", "CancelRequest"),
        )
    )
    agent = [(stub.name, stub.wire, stub.params, stub.result) for stub in found["agent"]]
    assert agent == [
        ("session_cancel", "session/cancel", "Cancel", "None"),
        ("session_new", "session/new", "NewRequest", "NewResponse"),
    ]
    assert [stub.name for stub in found["client"]] == ["fs_read_text_file"]
    assert found["agent_types"] == ["Cancel", "NewRequest", "NewResponse"]
    assert found["initialize"] is None and found["update"] is None
    assert "Create one." in found["agent"][1].doc and "-32601" in found["agent"][1].doc
    assert "Ignored unless overridden" in found["agent"][0].doc


def test_a_method_without_params_or_result_takes_anything() -> None:
    found: Any = context(spec(Row("ping", "agent", "request")))
    assert (found["agent"][0].params, found["agent"][0].result) == ("Any", "Any")
    assert found["agent_types"] == []


def test_the_gate_stands_in_the_docstring() -> None:
    row = Row("a", "agent", "request", requires="agent: x.y", docs="/protocol/a")
    found: Any = context(spec(row))
    for doc in (found["agent"][0].doc, found["agent"][0].call_doc):
        assert "Needs `agent: x.y`." in doc and "Specification: /protocol/a" in doc


def test_a_request_and_a_notification_of_one_name() -> None:
    found: Any = context(
        spec(
            Row("mcp/message", "client", "notification", "N"),
            Row("mcp/message", "client", "request", "P", "R"),
        )
    )
    names = {stub.kind: stub.name for stub in found["client"]}
    assert names == {"request": "mcp_message", "notification": "mcp_message_notification"}


def test_names_that_the_classes_need_get_an_underscore() -> None:
    wires = ("info", "connection", "capabilities", "ext/method", "close", "import")
    found: Any = context(spec(*(Row(wire, "agent", "request") for wire in wires)))
    assert {stub.wire: stub.name for stub in found["agent"]} == {
        "info": "info_",
        "connection": "connection_",
        "capabilities": "capabilities_",
        "ext/method": "ext_method_",
        "close": "close_",
        "import": "import_",
    }


def test_a_hook_for_each_kind_that_has_a_type() -> None:
    found: Any = context(
        spec(
            Row("session/update", "client", "notification", "Notification"),
            updates=(
                Update("agent_message_chunk", "Chunk", "append", "messageId", "Some text."),
                Update("unknown", "Odd", requires="client: odd"),
                Update("gone"),
            ),
        )
    )
    hooks = [(hook.name, hook.kind, hook.type) for hook in found["hooks"]]
    assert hooks == [
        ("on_agent_message_chunk", "agent_message_chunk", "Chunk"),
        ("on_unknown_", "unknown", "Odd"),
    ]
    assert "append of what `messageId` names" in found["hooks"][0].doc
    assert "client: odd" in found["hooks"][1].doc
    assert found["update"].wire == "session/update"


def test_closing_counts_an_unknown_session_as_success() -> None:
    found: Any = context(
        spec(Row("session/close", "agent", "request"), Row("session/list", "agent", "request"))
    )
    assert [stub.ends for stub in found["agent"]] == [True, False]
