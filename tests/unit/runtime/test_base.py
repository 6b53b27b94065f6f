"""Building, decoding and encoding, on hand-written classes."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import pytest
from pydantic import ValidationError
from pydantic_core import MISSING

from acpgen.runtime.base import DecodeError, decode, decode_json, encode, encode_json
from tests.unit.runtime.sample import (
    MINIMAL,
    BlobResource,
    Block,
    Caps,
    Closed,
    ClosedBlock,
    HttpServer,
    ImageBlock,
    Kind,
    Message,
    OneResource,
    OtherBlock,
    Resource,
    Server,
    StdioServer,
    TextBlock,
    TextResource,
    Tolerant,
    UnknownBlock,
)

TEXT = {"blockType": "text", "text": "hi"}


def message(**more: Any) -> dict[str, Any]:
    return {**MINIMAL, **more}


def round_trip(**more: Any) -> Any:
    """What is written of a message that was read with these properties, less the required ones."""
    written = encode(decode(Message, message(**more)))
    assert json.loads(encode_json(decode(Message, message(**more)))) == written
    return {key: value for key, value in written.items() if key not in MINIMAL}


def test_building_fills_the_tag_and_decoding_requires_it() -> None:
    assert encode(TextBlock(text="hi")) == TEXT
    assert decode(TextBlock, TEXT) == TextBlock(text="hi")
    with pytest.raises(DecodeError):
        decode(TextBlock, {"text": "hi"})


@pytest.mark.parametrize("keywords", [{"txt": "x"}, {"text": "x", "_meta": {}}, {"text": 1}])
def test_building_refuses_unknown_names_wire_names_and_malformed_values(
    keywords: dict[str, Any],
) -> None:
    with pytest.raises(ValidationError):
        TextBlock(**keywords)


def test_building_does_not_repair() -> None:
    with pytest.raises(ValidationError, match="valid string"):
        Message(odd_name="x", blocks=[], servers=[], status=7)  # type: ignore[arg-type]
    with pytest.raises(ValidationError):
        Message(odd_name="x", blocks=[], servers=[], entries=[7])  # type: ignore[list-item]
    with pytest.raises(ValidationError):
        Message(odd_name="x", blocks=7, servers=[])  # type: ignore[arg-type]
    with pytest.raises(ValidationError):
        Message(odd_name="x", blocks=[], servers=None)  # type: ignore[arg-type]


def test_none_builds_an_optional_field_whose_null_is_refused_on_the_wire() -> None:
    assert encode(ImageBlock(data="", uri=None)) == {"blockType": "image", "data": ""}
    with pytest.raises(DecodeError):
        decode(ImageBlock, {"blockType": "image", "data": "", "uri": None})


def test_instances_of_every_kind_of_member_build_a_union() -> None:
    built = Message(
        odd_name="x",
        blocks=[TextBlock(text="a"), ImageBlock(data="b"), OtherBlock(block_type="_c", d=1)],
        servers=[HttpServer(url="u"), StdioServer(command="c")],
        resource=TextResource(text="t", uri="u"),
        caps=Caps(load_session=True),
    )
    wire = encode(built)
    assert [item["blockType"] for item in wire["blocks"]] == ["text", "image", "_c"]
    assert wire["servers"] == [{"type": "http", "url": "u"}, {"command": "c"}]
    assert decode(Message, wire) == built


def test_decoding_goes_by_wire_name_alone_and_keeps_what_it_does_not_know() -> None:
    value = {
        **TEXT,
        "block_type": 1,
        "meta": {"a": 1},
        "model_dump": 2,
        "model_fields_set": 3,
        "__dict__": 4,
        "text_": None,
    }
    read = decode(TextBlock, value)
    assert read.meta is None
    assert encode(read) == value
    assert read.model_dump() == value
    assert json.loads(read.model_dump_json()) == value
    assert (
        TextBlock.model_validate(value) == read == TextBlock.model_validate_json(json.dumps(value))
    )
    for twin in (copy.deepcopy(read), copy.copy(read), pickle.loads(pickle.dumps(read))):
        assert twin == read and encode(twin) == value and repr(twin) == repr(read)
    assert encode(read.model_copy(update={"text": "ho"})) == {**value, "text": "ho"}


def test_an_unknown_field_that_is_called_like_a_field_with_a_default() -> None:
    assert round_trip(caps={}) == {"caps": {}}
    assert encode(decode(Caps, {"load_session": 1})) == {"load_session": 1}
    assert encode(decode(Caps, {"load_session": 1, "loadSession": False})) == {
        "load_session": 1,
        "loadSession": False,
    }


def test_defaults_stay_absent_until_they_are_received_set_or_changed() -> None:
    assert round_trip() == {}
    assert round_trip(tags=[], caps={"loadSession": False}) == {
        "tags": [],
        "caps": {"loadSession": False},
    }
    read = decode(Message, MINIMAL)
    assert read.tags == [] and read.caps == Caps()
    read.tags.append("x")
    read.caps.load_session = True
    assert encode(read) == {**MINIMAL, "tags": ["x"], "caps": {"loadSession": True}}
    assert encode(Message(odd_name="x", blocks=[], servers=[], tags=[])) == {**MINIMAL, "tags": []}
    assert encode(Caps()) == {} and encode(Caps(load_session=False)) == {"loadSession": False}


def test_a_mutable_default_is_not_shared() -> None:
    first, second = decode(Message, MINIMAL), decode(Message, MINIMAL)
    first.tags.append("x")
    assert second.tags == []


def test_three_states() -> None:
    assert [round_trip(**given) for given in ({}, {"status": None}, {"status": "x"})] == [
        {},
        {"status": None},
        {"status": "x"},
    ]
    assert decode(Message, MINIMAL).status is MISSING
    assert decode(Message, message(status=7)).status is MISSING
    for twin in (
        pickle.loads(pickle.dumps(decode(Message, MINIMAL))),
        copy.deepcopy(decode(Message, MINIMAL)),
    ):
        assert twin.status is MISSING


def test_tolerance() -> None:
    assert round_trip(title=7) == {}
    assert round_trip(tags=None) == {"tags": []}
    assert round_trip(entries=[TEXT, {"blockType": "text"}, 5, {"blockType": "new"}]) == {
        "entries": [TEXT, {"blockType": "new"}]
    }
    assert decode(Message, message(servers=None)).servers == []
    assert decode(Message, message(blocks=[5])).blocks == []
    assert round_trip(dirs=[]) == {}
    assert round_trip(dirs=["/a"]) == {"dirs": ["/a"]}


@pytest.mark.parametrize("value", [5, None, {}, [5]])
def test_a_required_field_with_a_fallback(value: Any) -> None:
    assert decode(Tolerant, {"blocks": value}).blocks == [TextBlock(text="?")]
    with pytest.raises(DecodeError, match="/blocks is required"):
        decode(Tolerant, {})


def test_a_fallback_is_made_anew() -> None:
    first = decode(Tolerant, {"blocks": 5})
    first.blocks.clear()
    assert decode(Tolerant, {"blocks": 5}).blocks == [TextBlock(text="?")]


@pytest.mark.parametrize(
    "given",
    [
        {"count": True},
        {"count": "1"},
        {"count": 1.0},
        {"count": 1.5},
        {"count": -1},
        {"count": 2**64},
        {"ratio": True},
        {"ratio": "1"},
        {"ratio": float("inf")},
        {"pair": [1]},
        {"pair": [1, 2, 3]},
        {"pair": [1, True]},
        {"strict": None},
        {"caps": {"loadSession": 1}},
        {"tags": "x"},
        {"children": [{}]},
    ],
)
def test_values_are_not_coerced(given: dict[str, Any]) -> None:
    with pytest.raises(DecodeError):
        decode(Message, message(**given))


@pytest.mark.parametrize(
    "given",
    [
        {"count": 2**64 - 1},
        {"ratio": 0.5},
        {"ratio": 2},
        {"pair": [1, 2]},
        {"either": "x"},
        {"either": [1]},
        {"children": [{**MINIMAL, "children": []}]},
    ],
)
def test_values_survive(given: dict[str, Any]) -> None:
    assert round_trip(**given) == given


def test_a_known_tag_with_a_malformed_payload_is_no_unknown_variant() -> None:
    assert decode(Block, {"blockType": "new", "a": 1}) == OtherBlock.model_validate(
        {"blockType": "new", "a": 1}
    )
    for value in ({"blockType": "text"}, {"blockType": 5}, {}, 5, None):
        with pytest.raises(DecodeError):
            decode(Block, value)
    with pytest.raises(DecodeError):
        decode(OtherBlock, TEXT)
    with pytest.raises(DecodeError):
        decode(ClosedBlock, {"blockType": "new"})


def test_a_default_variant_is_tried_whatever_the_tag_says() -> None:
    assert decode(Server, {"type": "http", "url": "u"}) == HttpServer(url="u")
    assert decode(Server, {"command": "c"}) == StdioServer(command="c")
    assert encode(decode(Server, {"command": "c", "type": "stdio"})) == {
        "command": "c",
        "type": "stdio",
    }
    with pytest.raises(DecodeError):
        decode(Server, {"type": "new"})


def test_untagged_and_exclusive_choices() -> None:
    both = {"text": "t", "blob": "b", "uri": "u"}
    assert isinstance(decode(Resource, both), TextResource)
    assert encode(decode(Resource, both)) == both
    assert decode(OneResource, {"text": "t", "uri": "u"}) == TextResource(text="t", uri="u")
    built = TextResource(text="t", uri="u")
    assert decode(OneResource, built) is built
    with pytest.raises(DecodeError, match="more than one form"):
        decode(OneResource, both)
    with pytest.raises(DecodeError) as caught:
        decode(OneResource, {"blob": 5, "uri": "u"})
    assert [problem[0] for problem in caught.value.problems] == ["/blob"]
    assert decode(OneResource, {"blob": "b", "uri": "u"}) == BlobResource(blob="b", uri="u")


def test_a_catch_all_is_built_with_a_tag_of_our_own_alone() -> None:
    custom = OtherBlock(block_type="_mine", a=1, is_custom="x")
    assert custom.is_custom
    assert encode(custom) == {"blockType": "_mine", "a": 1, "is_custom": "x"}
    assert not decode(OtherBlock, {"blockType": "new"}).is_custom
    for tag in ("text", "new"):
        with pytest.raises(ValueError, match="must begin with an underscore"):
            OtherBlock(block_type=tag)
    with pytest.raises(ValidationError):
        OtherBlock()  # type: ignore[call-arg]


def test_what_is_only_received_cannot_be_built() -> None:
    with pytest.raises(TypeError, match="only received"):
        UnknownBlock(block_type="_x")
    read = decode(UnknownBlock, {"blockType": "new", "a": 1})
    assert encode(read) == {"blockType": "new", "a": 1}
    assert pickle.loads(pickle.dumps(read)) == read == copy.deepcopy(read)


def test_a_closed_object_refuses_what_it_does_not_know() -> None:
    with pytest.raises(DecodeError, match="/more is not allowed"):
        decode(Closed, {"name": "x", "more": 1})


def test_any_type_decodes_and_encodes() -> None:
    blocks = decode(list[Block], [TEXT, {"blockType": "new"}])
    assert encode(blocks) == [TEXT, {"blockType": "new"}]
    assert json.loads(encode_json({"a": blocks})) == {"a": [TEXT, {"blockType": "new"}]}
    assert decode(Kind, "anything") == "anything"
    with pytest.raises(DecodeError):
        decode(Kind, 5)
    assert decode_json(Block, json.dumps(TEXT)) == TextBlock(text="hi")
    assert decode_json(TextBlock, json.dumps(TEXT).encode()) == TextBlock(text="hi")


def test_matching() -> None:
    match decode(Block, TEXT):
        case TextBlock(text=text):
            assert text == "hi"
        case other:
            pytest.fail(f"{other!r}")


def test_a_user_class_inherits_the_wire_format() -> None:
    class Mine(ImageBlock):
        note_text: str | None = None

    read = decode(Mine, {"blockType": "image", "data": "", "noteText": "n", "size": "bad"})
    assert (read.note_text, read.size) == ("n", None)
    assert encode(read) == {"blockType": "image", "data": "", "noteText": "n"}
    held = Message(odd_name="x", blocks=[read], servers=[])
    assert encode(held)["blocks"] == [{"blockType": "image", "data": "", "noteText": "n"}]
