"""Building by Python name, and matching."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from tests.behaviour.bindings import SURFACES, V1, V2, decode, encode, models, surface


def chunk(name: str, text: str) -> Any:
    m = models(name)
    fields = {"message_id": "m"} if name in V2 else {}
    return m.AgentMessageChunk(content=m.TextContentBlock(text=text), **fields)


@pytest.mark.parametrize("name", SURFACES)
def test_tags_are_filled_in(name: str) -> None:
    written = encode(chunk(name, "t"))
    assert written["sessionUpdate"] == "agent_message_chunk"
    assert written["content"] == {"type": "text", "text": "t"}


@pytest.mark.parametrize("name", SURFACES)
@pytest.mark.parametrize(
    "wrong",
    [
        {"txt": "t"},
        {"text": "t", "_meta": {}},
        {"text": "t", "x": 1},
        {},
        {"text": 5},
        {"text": None},
    ],
)
def test_a_wrong_keyword_or_value_is_refused(name: str, wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        models(name).TextContentBlock(**wrong)


@pytest.mark.parametrize("name", SURFACES)
def test_wire_names_do_not_build(name: str) -> None:
    with pytest.raises(ValueError):
        models(name).NewSessionRequest(cwd="/w", mcpServers=[])
    built = models(name).NewSessionRequest(cwd="/w", mcp_servers=[])
    assert encode(built) == {"cwd": "/w", "mcpServers": []}


@pytest.mark.parametrize("name", SURFACES)
def test_none_for_an_optional_field_is_left_out(name: str) -> None:
    block = models(name).TextContentBlock(text="t", annotations=None, meta=None)
    assert encode(block) == {"type": "text", "text": "t"}
    assert block == models(name).TextContentBlock(text="t")


@pytest.mark.parametrize("name", SURFACES)
def test_empty_request_lists_that_mean_omitted_are_left_out(name: str) -> None:
    built = models(name).NewSessionRequest(cwd="/w", mcp_servers=[], additional_directories=[])
    assert "additionalDirectories" not in encode(built)
    filled = models(name).NewSessionRequest(cwd="/w", mcp_servers=[], additional_directories=["/x"])
    assert encode(filled)["additionalDirectories"] == ["/x"]


@pytest.mark.parametrize("name", V2)
def test_setup_answers_leave_no_commands_out(name: str) -> None:
    assert encode(models(name).NewSessionResponse(session_id="s", available_commands=[])) == {
        "sessionId": "s"
    }


@pytest.mark.parametrize("name", V1)
def test_defaults_are_not_shared_and_written_only_when_set(name: str) -> None:
    m = models(name)
    first, second = m.InitializeResponse(protocol_version=1), m.InitializeResponse(
        protocol_version=1
    )
    assert encode(first) == {"protocolVersion": 1}
    first.auth_methods.append(decode(name, "AuthMethod", {"id": "i", "name": "n"}))
    assert second.auth_methods == []
    stated = m.AgentCapabilities(load_session=False)
    assert encode(stated) == {"loadSession": False}


@pytest.mark.parametrize("name", SURFACES)
@pytest.mark.parametrize("wrong", [True, "1", 1.0, 70000, None])
def test_integers_are_strict_when_building_too(name: str, wrong: Any) -> None:
    with pytest.raises(ValueError):
        models(name).InitializeRequest(
            protocol_version=wrong, info=models(name).Implementation(name="n", version="1")
        )


@pytest.mark.parametrize("name", SURFACES)
def test_matching_reaches_into_nested_variants(name: str) -> None:
    m = models(name)

    def text_of(update: object) -> str:
        match update:
            case m.AgentMessageChunk(content=m.TextContentBlock(text=text)):
                return str(text)
            case m.AgentMessageChunk(content=other):
                return type(other).__name__
            case _:
                return "?"

    assert text_of(chunk(name, "hello")) == "hello"
    image = decode(name, "ContentBlock", {"type": "image", "data": "d", "mimeType": "image/png"})
    fields = {"message_id": "m"} if name in V2 else {}
    assert text_of(m.AgentMessageChunk(content=image, **fields)) == "ImageContentBlock"
    assert text_of(image) == "?"


@pytest.mark.parametrize("name", SURFACES)
def test_equality_tells_variants_apart(name: str) -> None:
    m = models(name)
    assert chunk(name, "a") == chunk(name, "a")
    assert chunk(name, "a") != chunk(name, "b")
    fields = {"message_id": "m"} if name in V2 else {}
    thought = m.AgentThoughtChunk(content=m.TextContentBlock(text="a"), **fields)
    assert thought != chunk(name, "a")
    assert isinstance(thought, m.ContentChunk)


@pytest.mark.parametrize("name", SURFACES)
def test_no_class_name_carries_a_number_of_its_own(name: str) -> None:
    from tests.behaviour.bindings import schema

    own = set(schema(name)["$defs"])
    numbered = {exported for exported in models(name).__all__ if exported[-1].isdigit()}
    assert numbered <= own


@pytest.mark.parametrize("name", SURFACES)
def test_everything_public_has_a_docstring(name: str) -> None:
    for exported in models(name).__all__:
        item = getattr(models(name), exported)
        if isinstance(item, type):
            assert item.__doc__, exported


def test_everything_wrong_with_a_value_is_told_by_field() -> None:
    v2 = surface("v2")
    with pytest.raises(ValidationError) as caught:
        v2.TerminalExitStatus(exit_code="3", signal=4, meta=1)
    assert caught.value.title == "TerminalExitStatus"
    assert [item["loc"] for item in caught.value.errors()] == [
        ("exit_code",),
        ("meta",),
        ("signal",),
    ]
    with pytest.raises(ValidationError) as caught:
        surface("v1").NewSessionRequest(cwd=4, mcp_servers=None)
    assert [item["loc"] for item in caught.value.errors()] == [("cwd",), ("mcp_servers",)]


def test_a_catch_all_takes_no_wire_name_for_a_field() -> None:
    with pytest.raises(TypeError, match="sessionUpdate is the wire name of session_update"):
        surface("v2").OtherSessionUpdate(session_update="_x", sessionUpdate="notice")


def test_what_was_built_has_room_for_unknown_fields_as_what_was_decoded() -> None:
    built = surface("v1").TextContentBlock(text="a")
    assert built.model_extra == {}
    built.later = 1
    assert encode(built) == {"type": "text", "text": "a", "later": 1}
