"""What is decoded is written back with every field that came in, and no other."""

from __future__ import annotations

import copy
import json
import pickle
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
    surface,
)

HOSTILE: dict[str, Any] = {
    "meta": 1,
    "session_id": None,
    "mcp_servers": [],
    "model_config": {},
    "model_dump": "x",
    "model_fields": [],
    "model_extra": {"deep": None},
    "copy": 0,
    "json": False,
    "dict": {},
    "schema": "s",
    "self": "s",
    "class": "c",
    "None": None,
    "__class__": "k",
    "__dict__": {},
    "__pydantic_extra__": {"a": 1},
    "__pydantic_fields_set__": [],
    "__wire__": "w",
    "": "empty",
}


@pytest.mark.parametrize("name", SURFACES)
@pytest.mark.parametrize("key", HOSTILE)
def test_unknown_fields_survive_whatever_their_name(name: str, key: str) -> None:
    value = {"type": "text", "text": "t", key: HOSTILE[key]}
    block = decode(name, "ContentBlock", value)
    assert encode(block) == value
    assert json.loads(surface(name).encode_json(block)) == value
    assert block.text == "t"
    assert block.meta is None
    assert type(block) is models(name).TextContentBlock
    assert block.model_copy() == block
    assert block.model_dump() == value


@pytest.mark.parametrize("name", SURFACES)
def test_all_unknown_fields_at_once_and_nested(name: str) -> None:
    value = {
        "sessionId": "s",
        "prompt": [{"type": "text", "text": "t", **HOSTILE}],
        **{"x-" + key: 1 for key in HOSTILE},
    }
    assert encode(decode(name, "PromptRequest", value)) == value


@pytest.mark.parametrize("name", SURFACES)
def test_python_names_are_no_wire_names(name: str) -> None:
    value = {
        "cwd": "/w",
        "mcpServers": [],
        "mcp_servers": [{"name": 1}],
        "additional_directories": 5,
    }
    request = decode(name, "NewSessionRequest", value)
    assert request.mcp_servers == []
    assert encode(request) == value


@pytest.mark.parametrize("name", V2)
def test_an_unknown_field_called_like_an_absent_one(name: str) -> None:
    value = {"cwd": "/w", "mcp_servers": 1, "additional_directories": None}
    assert encode(decode(name, "NewSessionRequest", value)) == value


@pytest.mark.parametrize("name", V1)
def test_absent_fields_stay_absent_and_defaults_that_came_in_stay(name: str) -> None:
    bare: dict[str, Any] = {"protocolVersion": 1}
    assert encode(decode(name, "InitializeResponse", bare)) == bare
    stated = {"protocolVersion": 1, "agentCapabilities": {"loadSession": False}, "authMethods": []}
    assert encode(decode(name, "InitializeResponse", stated)) == stated


@pytest.mark.parametrize("name", V2)
def test_absent_lists_stay_absent(name: str) -> None:
    server = {"type": "stdio", "name": "n", "command": "/c"}
    assert encode(decode(name, "McpServer", server)) == server
    assert decode(name, "McpServer", server).args == []


@pytest.mark.parametrize("name", SURFACES)
def test_null_for_an_optional_field_is_left_out(name: str) -> None:
    value = {"type": "text", "text": "t", "annotations": None, "_meta": None}
    assert encode(decode(name, "ContentBlock", value)) == {"type": "text", "text": "t"}


@pytest.mark.parametrize("name", SURFACES)
@pytest.mark.parametrize(
    "text",
    ["", "\U0001f600", "e\u0301", "\u2028\u0000\ufeff", "a" * 100_000, 'quote " and \\ back'],
)
def test_text_survives(name: str, text: str) -> None:
    block = models(name).TextContentBlock(text=text)
    written = surface(name).encode_json(block)
    assert b"\n" not in written
    assert surface(name).decode_json(models(name).ContentBlock, written) == block


@pytest.mark.parametrize("name", SURFACES)
@pytest.mark.parametrize("number", [0, 1, 2**53 + 1, 2**63 - 1])
def test_int64_survives(name: str, number: int) -> None:
    value = {"type": "resource_link", "name": "n", "uri": "u:x", "size": number}
    assert encode(decode(name, "ContentBlock", value)) == value


@pytest.mark.parametrize("name", SURFACES)
def test_copies_are_equal_and_independent(name: str) -> None:
    value = {
        "sessionUpdate": "agent_message_chunk",
        "messageId": "m",
        "content": {"type": "text", "text": "t", "x": [1]},
        "_meta": {"a": [1]},
    }
    update = decode_update(name, value)
    for other in (
        copy.deepcopy(update),
        pickle.loads(pickle.dumps(update)),
        update.model_copy(deep=True),
    ):
        assert other == update
        assert type(other) is type(update)
        assert encode(other) == value
        other.meta["a"].append(2)
        assert encode(update) == value
    assert "AgentMessageChunk(" in repr(update)


@pytest.mark.parametrize("name", SURFACES)
def test_lists_and_aliases_decode_too(name: str) -> None:
    m = models(name)
    list_of: Any = list
    blocks = surface(name).decode(list_of[m.ContentBlock], [{"type": "text", "text": "a"}])
    assert blocks == [m.TextContentBlock(text="a")]
    assert json.loads(surface(name).encode_json(blocks)) == [{"type": "text", "text": "a"}]
    assert surface(name).decode(m.SessionId, "s") == "s"
