"""The only place where a Python name is made.

A name comes from what the schema calls a thing ($defs key, property name, tag value, title), never from its position, so
inserting a variant renames nothing. Each function is total: whatever the wire name, a usable identifier comes out.
"""

from __future__ import annotations

import keyword
import re
import unicodedata
from collections.abc import Container, Iterable

# Names that the generated modules themselves use; a class of that name would hide them.
MODULE_NAMES = frozenset(
    "Annotated Any Literal Mapping Optional TypeAlias TYPE_CHECKING Union BaseModel ConfigDict Field MISSING "
    "WireModel CatchAllModel DecodeError ArithmeticError Exception Warning Ellipsis NotImplemented "
    "Bool Constant Float Int Int8 Int16 Int32 Int64 Integer Items Number Tagged Text UInt8 UInt16 UInt32 UInt64 "
    "Untagged Wire Agent AgentPeer Client ClientPeer UpdateHooks UPDATES CAPABILITIES TABLE ConnectionClosed "
    "AgentBase Capabilities ClassVar ClientBase Handlers Peer Sequence StateHook Table "
    "MethodNotFound NotAdvertised RpcError SessionNotFound bool dict float int list object str tuple type".split()
)

# Attributes of pydantic's BaseModel (and so of every generated class); a field of that name would hide them.
# tests/unit/spec/test_names.py compares this with the real classes.
MODEL_ATTRIBUTES = frozenset(
    "construct copy dict from_orm is_custom json model_computed_fields model_config model_construct model_copy model_dump "
    "model_dump_json model_extra model_fields model_fields_set model_json_schema model_parametrized_name model_post_init "
    "model_rebuild model_validate model_validate_json model_validate_strings parse_file parse_obj parse_raw schema "
    "schema_json update_forward_refs validate".split()
)

# Builtins that stand in annotations; inside the class body a field of that name would be found first.
_ANNOTATION_NAMES = frozenset("bool dict float int list object str tuple type".split()) - {"type"}

_TOKEN = re.compile(r"[^\W_]+")
_WORD = re.compile(r"[A-Z]{2,}s(?![a-z])|[A-Z]+[0-9]*(?![a-z])|[A-Z]?[^A-Z]+")


class ClassName(str):
    """A public Python name of the generated package; valid by construction."""

    __slots__ = ()

    def __new__(cls, value: str) -> ClassName:
        if not value.isidentifier() or keyword.iskeyword(value):
            raise ValueError(f"{value!r} is no name for a class")
        return super().__new__(cls, value)


class FieldName(str):
    """A field's Python name; valid by construction."""

    __slots__ = ()

    def __new__(cls, value: str) -> FieldName:
        if not value.isidentifier() or keyword.iskeyword(value) or value.startswith("_"):
            raise ValueError(f"{value!r} is no name for a field")
        return super().__new__(cls, value)


def words(text: str) -> list[str]:
    """The words of a name in any spelling: `session/set_mode`, `mcpServers`, `HTTPServer2`, `utf-16`.

    Signs between words separate them; a text of signs alone is spelled out by their Unicode names.
    """
    # Python compares identifiers in this form; a sign that no identifier may hold separates words.
    usable = "".join(
        sign if f"a{sign}".isidentifier() else " " for sign in unicodedata.normalize("NFKC", text)
    )
    found = [word for token in _TOKEN.findall(usable) for word in _WORD.findall(token)]
    if not found:
        spelled = " ".join(unicodedata.name(sign, f"U{ord(sign):X}") for sign in text) or "empty"
        found = re.findall(r"[A-Za-z0-9]+", spelled.title())
    return found


def pascal(text: str) -> str:
    """`tool_call_update` -> `ToolCallUpdate`; a name that is Pascal case already keeps its capitals."""
    joined = "".join(word[:1].upper() + word[1:] for word in words(text))
    return joined if joined[:1].isalpha() else f"N{joined}"


def class_name(text: str) -> ClassName:
    """The name of a definition, from its `$defs` key."""
    name = text if text.isidentifier() and text[:1].isupper() else pascal(text)
    if keyword.iskeyword(name) or name in MODULE_NAMES:
        name += "_"
    return ClassName(name)


def field_name(wire: str) -> FieldName:
    """The name of a field, from its property name: `_meta` -> `meta`, `mcpServers` -> `mcp_servers`, `from` -> `from_`."""
    name = "_".join(word.lower() for word in words(wire))
    if not name[:1].isalpha():
        name = f"n{name}"
    if (
        keyword.iskeyword(name)
        or name in _ANNOTATION_NAMES
        or name in MODEL_ATTRIBUTES
        or name.startswith("model_")
    ):
        name += "_"
    return FieldName(name)


def field_names(wires: Iterable[str]) -> dict[str, FieldName]:
    """A name for each property of one record, all different.

    Where two make the same name (`fooBar` and `foo_bar`), the one that is spelled like the name keeps it, then the first in
    alphabetical order; the others get an underscore each.
    """
    names: dict[str, FieldName] = {}
    taken: set[str] = set()
    for wire in sorted(wires, key=lambda wire: (wire != field_name(wire), wire)):
        name = field_name(wire)
        while name in taken:
            name = FieldName(name + "_")
        taken.add(name)
        names[wire] = name
    return names


def variant_name(union: str, label: str, tag: str | None = None) -> ClassName:
    """The name of a union's variant: the label before the union's name (`text` of ContentBlock -> `TextContentBlock`).

    A tag that is named after the union (`sessionUpdate` of SessionUpdate) names its variants alone
    (`agent_message_chunk` -> `AgentMessageChunk`). Words that the label ends with like the union are not said twice.
    """
    name = pascal(label)
    if tag is not None and field_name(tag) == field_name(union):
        return class_name(name)
    head, tail = words(name), words(union)
    shared = 0
    while (
        shared < min(len(head), len(tail))
        and head[-1 - shared].lower() == tail[-1 - shared].lower()
    ):
        shared += 1
    if shared == len(head):  # the label is only a word of the union's name
        return class_name(name + union)
    return class_name("".join(head[: len(head) - shared]) + union if shared else name + union)


def catch_all_name(union: str, received_only: bool, taken: Container[str] = ()) -> ClassName:
    """The name of the class for every other tag: `OtherContentBlock`; `Unknown...` where only readers know it.

    taken: the names of the union's variants, one of which may have the tag `other` or `unknown`.
    """
    word = "Unknown" if received_only else "Other"
    name = word + union
    return class_name(f"{word}Tag{union}" if name in taken else name)


def payload_name(name: str) -> ClassName:
    """The name of a definition that also occurs without the tag of the variant that is called like it."""
    return class_name(f"{name}Payload")


def method_names(
    rows: Iterable[tuple[str, str]], taken: Container[str] = ()
) -> dict[tuple[str, str], FieldName]:
    """A Python name for each (method, kind) that one side receives: `session/new` -> `session_new`.

    A notification whose method is a request too gets `_notification` behind it; a name that is
    taken by something else, or by another method that is spelled alike, gets an underscore.
    """
    names: dict[tuple[str, str], FieldName] = {}
    by_kind = sorted(rows, key=lambda row: (row[1] != "request", row[0] != field_name(row[0]), row))
    for wire, kind in by_kind:
        name = field_name(wire)
        if kind == "notification" and (wire, "request") in names:
            name = FieldName(f"{name}_notification")
        while name in taken or name in names.values():
            name = FieldName(name + "_")
        names[wire, kind] = name
    return names
