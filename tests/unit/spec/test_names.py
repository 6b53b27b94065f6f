from __future__ import annotations

import keyword
import re

import pydantic
import pytest
from hypothesis import given
from hypothesis import strategies as st

from acpgen import resources
from acpgen.emit import layout, models
from acpgen.runtime import base
from acpgen.spec.names import (
    MODEL_ATTRIBUTES,
    MODULE_NAMES,
    ClassName,
    FieldName,
    catch_all_name,
    class_name,
    field_name,
    field_names,
    method_names,
    variant_name,
)


@pytest.mark.parametrize(
    ("union", "label", "tag", "expected"),
    [
        ("ContentBlock", "text", "type", "TextContentBlock"),
        ("SessionUpdate", "agent_message_chunk", "sessionUpdate", "AgentMessageChunk"),
        ("StateUpdate", "requires_action", "state", "RequiresActionStateUpdate"),
        ("Content", "text_content", "type", "TextContent"),
        (
            "AvailableCommandInput",
            "UnstructuredCommandInput",
            None,
            "UnstructuredAvailableCommandInput",
        ),
        ("FormCreateElicitationRequest", "Request", None, "RequestFormCreateElicitationRequest"),
        ("Encoding", "utf-16", "type", "Utf16Encoding"),
        ("Any", "*", "type", "AsteriskAny"),
    ],
)
def test_a_variant_is_called_after_its_label(
    union: str, label: str, tag: str | None, expected: str
) -> None:
    assert variant_name(union, label, tag) == expected


@pytest.mark.parametrize(
    ("wire", "expected"),
    [
        ("_meta", "meta"),
        ("mcpServers", "mcp_servers"),
        ("sessionId", "session_id"),
        ("URL", "url"),
        ("toolIDs", "tool_ids"),
        ("HTTPServer2", "http_server2"),
        ("sha256Hash", "sha256_hash"),
        ("from", "from_"),
        ("None", "none"),
        ("list", "list_"),
        ("type", "type"),
        ("copy", "copy_"),
        ("model_config", "model_config_"),
        ("modelFoo", "model_foo_"),
        ("2fa", "n2fa"),
        ("$ref", "ref"),
        ("x-y", "x_y"),
        ("", "empty"),
        ("état", "état"),
    ],
)
def test_a_field_is_called_after_its_property(wire: str, expected: str) -> None:
    assert field_name(wire) == expected


def test_properties_that_make_one_name_all_get_one() -> None:
    assert field_names(["fooBar", "foo_bar", "FooBar"]) == {
        "foo_bar": "foo_bar",
        "FooBar": "foo_bar_",
        "fooBar": "foo_bar__",
    }
    assert field_names(["meta", "_meta"]) == {"meta": "meta", "_meta": "meta_"}


def test_the_order_of_properties_does_not_matter() -> None:
    wires = ["fooBar", "foo_bar", "_meta", "meta"]
    assert field_names(wires) == field_names(reversed(wires))


@given(st.text())
def test_every_text_makes_a_usable_name(text: str) -> None:
    for name in (class_name(text), field_name(text), variant_name("Union", text)):
        assert name.isidentifier() and not keyword.iskeyword(name)


@given(st.lists(st.text(), unique=True))
def test_every_set_of_properties_makes_as_many_names(wires: list[str]) -> None:
    assert len(set(field_names(wires).values())) == len(wires)


def test_no_field_can_hide_an_attribute_of_the_base_classes() -> None:
    public = {
        name
        for kind in (pydantic.BaseModel, base.WireModel)
        for name in dir(kind)
        if not name.startswith("_")
    }
    assert public <= MODEL_ATTRIBUTES


def test_no_class_can_hide_a_name_that_the_generated_modules_use() -> None:
    used = {name for name in (*models.IMPORTS, *layout.RUNTIME_NAMES) if name[0].isupper()}
    assert used <= MODULE_NAMES


@pytest.mark.parametrize("module", ["agent", "client", "updates"])
def test_no_class_can_hide_what_the_stubs_import(module: str) -> None:
    folder = resources.templates_dir() / "bindings/src/%package/%surface"
    text = (folder / f"{module}.py.jinja").read_text(encoding="utf-8")
    imported = re.findall(r"^ *from [.a-z_]+ import (.*)$", text, flags=re.M)
    names = {part.split(" as ")[-1].strip() for line in imported for part in line.split(",")}
    classes = {name for name in names if name[:1].isupper()}
    assert len(classes) > 2 and classes <= MODULE_NAMES


def test_a_catch_all_yields_to_a_variant_of_its_name() -> None:
    assert catch_all_name("Block", received_only=False) == "OtherBlock"
    assert catch_all_name("Block", received_only=False, taken={"OtherBlock"}) == "OtherTagBlock"
    assert catch_all_name("Block", received_only=True) == "UnknownBlock"


@pytest.mark.parametrize("text", ["class", "1x", "a b", ""])
def test_what_is_no_identifier_is_no_name(text: str) -> None:
    with pytest.raises(ValueError):
        ClassName(text)
    with pytest.raises(ValueError):
        FieldName(text)


def test_method_names() -> None:
    rows = [
        ("mcp/message", "notification"),
        ("mcp/message", "request"),
        ("session/set_mode", "request"),
        ("session/setMode", "request"),
        ("info", "request"),
        ("$/cancel_request", "notification"),
    ]
    assert method_names(rows, {"info"}) == {
        ("mcp/message", "request"): "mcp_message",
        ("mcp/message", "notification"): "mcp_message_notification",
        ("session/set_mode", "request"): "session_set_mode_",
        ("session/setMode", "request"): "session_set_mode",
        ("info", "request"): "info_",
        ("$/cancel_request", "notification"): "cancel_request",
    }
    assert method_names(reversed(rows), {"info"}) == method_names(rows, {"info"})
