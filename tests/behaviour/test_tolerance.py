"""Malformed values: what is repaired, what is dropped, what is an error and where it points."""

from __future__ import annotations

from typing import Any

import pytest

from tests.behaviour.bindings import (
    SURFACES,
    V1,
    V2,
    decode,
    decode_update,
    encode,
    models,
    pointers,
    surface,
)

WRONG = ("text", 7, 1.5, True, [1], {"k": 1})


@pytest.mark.parametrize("name", SURFACES)
@pytest.mark.parametrize("wrong", [value for value in WRONG if not isinstance(value, dict)])
def test_malformed_meta_is_as_if_absent(name: str, wrong: object) -> None:
    block = decode(name, "ContentBlock", {"type": "text", "text": "t", "_meta": wrong})
    assert block.meta is None
    assert encode(block) == {"type": "text", "text": "t"}


@pytest.mark.parametrize("name", SURFACES)
@pytest.mark.parametrize("wrong", [None, 7, 1.5, True, [], {}])
def test_a_required_field_without_tolerance_is_an_error(name: str, wrong: object) -> None:
    assert pointers(name, "ContentBlock", {"type": "text", "text": wrong}) == ["/text"]


@pytest.mark.parametrize("name", V1)
def test_items_are_dropped_one_by_one(name: str) -> None:
    good = {"content": "c", "priority": "high", "status": "pending"}
    plan = {
        "sessionUpdate": "plan",
        "entries": [good, {"content": "c"}, None, {**good, "priority": "?"}, good],
    }
    assert encode(decode_update(name, plan)) == {"sessionUpdate": "plan", "entries": [good, good]}


@pytest.mark.parametrize("name", V1)
@pytest.mark.parametrize("wrong", [None, "text", 7, {}])
def test_a_list_that_is_none_becomes_the_default_but_a_missing_one_is_an_error(
    name: str, wrong: object
) -> None:
    assert decode_update(name, {"sessionUpdate": "plan", "entries": wrong}).entries == []
    with pytest.raises(ValueError, match="/update/entries"):
        decode_update(name, {"sessionUpdate": "plan"})


@pytest.mark.parametrize("name", V2)
@pytest.mark.parametrize("wrong", [None, "text", 7, {}])
def test_skipping_items_alone_does_not_excuse_the_list(name: str, wrong: object) -> None:
    update = {"sessionUpdate": "available_commands_update", "availableCommands": wrong}
    with pytest.raises(ValueError, match="/update/availableCommands"):
        decode_update(name, update)
    good = {"type": "command", "name": "n", "description": "d"}
    update["availableCommands"] = [{"type": "command", "name": 5, "description": "d"}, good]
    assert encode(decode_update(name, update))["availableCommands"] == [good]


@pytest.mark.parametrize("name", SURFACES)
def test_null_for_a_request_list_is_empty_but_a_broken_item_is_an_error(name: str) -> None:
    assert decode(name, "NewSessionRequest", {"cwd": "/w", "mcpServers": None}).mcp_servers == []
    server = {"type": "http", "name": "n", "url": 5, "headers": []}
    assert "/mcpServers/0/url" in pointers(
        name, "NewSessionRequest", {"cwd": "/w", "mcpServers": [server]}
    )
    assert pointers(name, "NewSessionRequest", {"cwd": "/w", "mcpServers": "x"}) == ["/mcpServers"]


@pytest.mark.parametrize("name", SURFACES)
@pytest.mark.parametrize("wrong", ["1", True, 1.5, 1.0, -1, 65536, None, [], {}])
def test_protocol_version_is_a_strict_uint16(name: str, wrong: object) -> None:
    params: dict[str, Any] = {"protocolVersion": wrong, "info": {"name": "n", "version": "1"}}
    assert "/protocolVersion" in pointers(name, "InitializeRequest", params)


@pytest.mark.parametrize("name", SURFACES)
@pytest.mark.parametrize("right", [0, 1, 65535])
def test_protocol_version_takes_its_whole_range(name: str, right: int) -> None:
    params = {"protocolVersion": right, "info": {"name": "n", "version": "1"}}
    assert decode(name, "InitializeRequest", params).protocol_version == right


@pytest.mark.parametrize("name", V1)
@pytest.mark.parametrize("text", ["https://EXAMPLE.com", "HTTP://h:80/../x", "not a uri", " "])
def test_strings_stay_as_they_are(name: str, text: str) -> None:
    value = {"type": "resource_link", "name": "n", "uri": text}
    assert encode(decode(name, "ContentBlock", value)) == value
    info = {"sessionUpdate": "session_info_update", "updatedAt": text}
    assert encode(decode_update(name, info)) == info


@pytest.mark.parametrize("name", SURFACES)
def test_every_wrong_place_is_named_once(name: str) -> None:
    blocks = [
        {"type": "text"},
        {"type": "image", "data": 1, "mimeType": 2},
        {"type": "text", "text": "t"},
    ]
    found = pointers(name, "PromptRequest", {"prompt": blocks})
    assert sorted(found) == ["/prompt/0/text", "/prompt/1/data", "/prompt/1/mimeType", "/sessionId"]


@pytest.mark.parametrize("name", SURFACES)
def test_pointers_escape_keys(name: str) -> None:
    schema = {
        "message": "m",
        "mode": "form",
        "sessionId": "s",
        "requestedSchema": {
            "type": "object",
            "properties": {"a/b~c": {"type": "string", "minLength": "x"}},
        },
    }
    value = {**schema, "requestedSchema": {"type": "object", "properties": {"a/b~c": 5}}}
    assert pointers(name, "CreateElicitationRequest", value) == [
        "/requestedSchema/properties/a~1b~0c"
    ]


@pytest.mark.parametrize("name", SURFACES)
@pytest.mark.parametrize("text", ["{", "", "[1", '{"type": NaN}', "\ufeff"])
def test_text_that_is_not_json(name: str, text: str) -> None:
    with pytest.raises(surface(name).DecodeError) as caught:
        surface(name).decode_json(models(name).ContentBlock, text)
    assert caught.value.problems[0][0] == ""
