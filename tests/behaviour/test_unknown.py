"""Variants that the protocol does not know: kept, told apart, and never built by accident."""

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
)

OPEN_V2 = {
    "ContentBlock": ("type", {}),
    "ToolCallContent": ("type", {}),
    "McpServer": ("type", {}),
    "AuthMethod": ("type", {"methodId": "m", "name": "n"}),
    "SessionConfigOption": ("type", {"configId": "c", "name": "n"}),
    "RequestPermissionOutcome": ("outcome", {}),
    "PlanUpdateContent": ("type", {"planId": "p"}),
}


@pytest.mark.parametrize("name", SURFACES)
@pytest.mark.parametrize("tag", ["_custom", "zzz"])
def test_an_unknown_update_keeps_its_payload(name: str, tag: str) -> None:
    value = {
        "sessionUpdate": tag,
        "content": {"type": 5},
        "session_update": "x",
        "n": [None, {"a": 1.5}],
    }
    update = decode_update(name, value)
    assert update.session_update == tag
    assert update.is_custom is tag.startswith("_")
    assert update.model_extra["content"] == {"type": 5}
    assert encode(update) == value


@pytest.mark.parametrize("name", V2)
@pytest.mark.parametrize("union", OPEN_V2)
@pytest.mark.parametrize("tag", ["_custom", "zzz", ""])
def test_open_unions_of_v2(name: str, union: str, tag: str) -> None:
    key, common = OPEN_V2[union]
    value = {key: tag, **common, "payload": {"deep": [1, None]}}
    decoded = decode(name, union, value)
    assert type(decoded).__name__ == f"Other{union}"
    assert encode(decoded) == value


@pytest.mark.parametrize("name", SURFACES)
@pytest.mark.parametrize("tag", [None, 5, True, [], {}])
def test_a_tag_of_another_type_is_an_error(name: str, tag: object) -> None:
    assert pointers(name, "ContentBlock", {"type": tag, "text": "t"}) == ["/type"]


@pytest.mark.parametrize("name", SURFACES)
def test_a_missing_tag_is_an_error(name: str) -> None:
    assert pointers(name, "ContentBlock", {"text": "t"}) == ["/type"]


@pytest.mark.parametrize("name", SURFACES)
def test_a_known_tag_with_a_bad_payload_is_no_unknown_variant(name: str) -> None:
    assert pointers(name, "ContentBlock", {"type": "text", "text": 5}) == ["/text"]
    with pytest.raises(ValueError, match="/update/content/text"):
        decode_update(
            name,
            {"sessionUpdate": "agent_message_chunk", "messageId": "m", "content": {"type": "text"}},
        )


@pytest.mark.parametrize("name", V1)
def test_closed_unions_elsewhere_stay_closed(name: str) -> None:
    assert pointers(name, "RequestPermissionResponse", {"outcome": {"outcome": "later"}}) == [
        "/outcome/outcome"
    ]
    assert pointers(name, "RequestPermissionOutcome", {"outcome": "_later"}) == ["/outcome"]


@pytest.mark.parametrize("name", V1)
def test_an_unknown_config_option_has_the_fields_that_all_have(name: str) -> None:
    value = {"type": "slider", "id": "o", "name": "n", "min": 0}
    option = decode(name, "SessionConfigOption", value)
    assert (option.id, option.name) == ("o", "n")
    assert encode(option) == value
    assert pointers(name, "SessionConfigOption", {"type": "slider", "id": "o"}) == ["/name"]


@pytest.mark.parametrize("name", V1)
def test_what_is_only_received_cannot_be_built(name: str) -> None:
    for union in ("SessionUpdate", "ContentBlock", "ToolCallContent", "SessionConfigOption"):
        class_ = getattr(models(name), f"Unknown{union}")
        with pytest.raises(TypeError, match="only received"):
            class_(type="_custom")


@pytest.mark.parametrize("name", V2)
def test_building_an_extension_needs_an_underscore(name: str) -> None:
    class_ = models(name).OtherContentBlock
    built = class_(type="_mine", payload=1)
    assert encode(built) == {"type": "_mine", "payload": 1}
    assert decode(name, "ContentBlock", encode(built)) == built
    for reserved in ("text", "later"):
        with pytest.raises(ValueError):
            class_(type=reserved, text="t")


@pytest.mark.parametrize("name", V2)
def test_unknown_items_of_lists_are_kept_and_broken_ones_dropped(name: str) -> None:
    text = {"type": "content", "content": {"type": "text", "text": "t"}}
    items: list[dict[str, Any]] = [{"type": "zzz", "x": 1}, {"type": "diff", "changes": 5}, text]
    update = decode_update(
        name, {"sessionUpdate": "tool_call_update", "toolCallId": "t", "content": items}
    )
    assert encode(update)["content"] == [items[0], items[2]]


@pytest.mark.parametrize("name", V2)
def test_nested_tags(name: str) -> None:
    for value in (
        {"sessionUpdate": "state_update", "state": "running"},
        {"sessionUpdate": "state_update", "state": "_paused", "x": 1},
        {"sessionUpdate": "state_update", "state": "idle", "stopReason": "_mine"},
    ):
        assert encode(decode_update(name, value)) == value
    with pytest.raises(ValueError, match="/update/state"):
        decode_update(name, {"sessionUpdate": "state_update"})


def test_a_definition_inside_variants_tells_where_it_went() -> None:
    with pytest.raises(AttributeError, match="its fields are in TextContentBlock"):
        _ = models("v2").TextContent
    with pytest.raises(AttributeError, match=r"has no attribute 'Nonsense'$"):
        _ = models("v2").Nonsense
