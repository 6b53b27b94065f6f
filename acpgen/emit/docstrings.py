"""What the generated classes and fields say about themselves: their form on the wire."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Mapping, Sequence

from acpgen.spec.ir import (
    NO_DEFAULT,
    AnyDefinition,
    AnyType,
    ArrayType,
    Enum,
    Field,
    LiteralType,
    MapType,
    Method,
    OptionsType,
    Record,
    RefType,
    Scalar,
    Type,
    Union,
)

WIDTH = 100


def shape(item: Type) -> str:
    """A type as it is on the wire, in words."""
    if isinstance(item, AnyType):
        return "any JSON value"
    if isinstance(item, RefType):
        return str(item.name)
    if isinstance(item, LiteralType):
        return " or ".join(f"`{json.dumps(value)}`" for value in item.values)
    if isinstance(item, ArrayType):
        bounds = _range(item.min_items, item.max_items)
        return f"array of {shape(item.items)}" + (f", {bounds} items" if bounds else "")
    if isinstance(item, MapType):
        return f"object of {shape(item.values)} by key"
    if isinstance(item, OptionsType):
        return " or ".join(shape(option) for option in item.options)
    return _scalar(item)


def _scalar(item: Scalar) -> str:
    text = item.format or item.kind
    if item.kind in ("integer", "number"):
        bounds = _range(item.minimum, item.maximum)
        return f"{text} ({bounds})" if bounds else text
    if item.kind == "string":
        text = f"string ({item.format})" if item.format else "string"
        length = _range(item.min_length, item.max_length)
        text += f", {length} characters" if length else ""
        return text + (f", matching `{item.pattern}`" if item.pattern else "")
    return text


def _range(low: int | float | None, high: int | float | None) -> str:
    if low is not None and high is not None:
        return f"{low} to {high}"
    if low is not None:
        return f"at least {low}"
    return f"at most {high}" if high is not None else ""


def field_doc(item: Field) -> str:
    """One or two lines for a field: wire name, shape, presence, what a malformed value becomes;
    then upstream's text.
    """
    parts = [f"Wire: `{item.wire}`, {shape(item.type)}{_presence(item)}."]
    default = _default(item)
    tolerance = item.tolerance
    if tolerance.skip_items:
        parts.append("Malformed items are dropped.")
    if tolerance.on_error and tolerance.on_null and not item.nullable:
        parts.append(f"Null or malformed: {default}.")
    elif tolerance.on_error:
        parts.append(f"Malformed: {default}.")
    elif tolerance.on_null and not item.nullable:
        parts.append(f"Null: {default}.")
    if item.doc:
        parts.append("\n\n" + item.doc.strip())
    return fill(" ".join(parts), 4)


def _presence(item: Field) -> str:
    if item.tag:
        return ", the discriminator"
    null = " or null" if item.nullable else ""
    if item.presence == "required":
        return f"{null}, required"
    if item.presence == "patch":
        return " or null, absent means unchanged"
    if item.omit_empty:
        return f"{null}, left out when empty"
    if item.default is None or item.default is NO_DEFAULT:
        return f"{null}, optional"
    return f"{null}, {_default(item)} when absent"


def _default(item: Field) -> str:
    if item.default is NO_DEFAULT:
        return "as if absent"
    return "as if absent" if item.default is None else f"`{json.dumps(item.default)}`"


def definition_doc(
    item: AnyDefinition, methods: Sequence[Method], used: Mapping[str, Sequence[str]]
) -> str:
    """The docstring of a class, or of an alias. `used`: where each definition is used, as
    `Class.field`.
    """
    lines = [_summary(item, methods, used.get(item.name, ()))]
    if item.wire is not None and item.wire != item.name:
        lines.append(f"`{item.wire}` in the schema.")
    if isinstance(item, Record):
        lines += _record_lines(item)
    elif isinstance(item, Union):
        lines += _union_lines(item)
    elif isinstance(item, Enum):
        lines += _enum_lines(item)
    if item.docs:
        lines.append(f"Specification: {item.docs}")
    indent = 4 if isinstance(item, Record) else 0
    paragraphs = [lines[0], "\n".join(lines[1:]), item.doc.strip()]
    return fill("\n\n".join(part for part in paragraphs if part), indent)


def _summary(item: AnyDefinition, methods: Sequence[Method], used: Sequence[str]) -> str:
    uses = []
    for method in methods:
        if method.params == item.name:
            uses.append(f"parameters of `{method.wire}` ({method.kind} to the {_side(method)})")
        if method.result == item.name:
            uses.append(f"result of `{method.wire}` (from the {_side(method)})")
    if uses:
        text = "; ".join(uses)
        return f"{text[:1].upper()}{text[1:]}."
    if isinstance(item, Record):
        if item.catch_all is not None and item.unions:
            union = _names(item.unions)
            return f"A variant of {union} that this version of the protocol does not name."
        tags = [
            f"`{field.wire}: {json.dumps(_constant(field))}`"
            for field in item.fields
            if _is_constant(field)
        ]
        if item.unions and tags:
            return f"{_names(item.unions)} with {' and '.join(tags)}."
        if item.unions:
            return f"One of the forms of {_names(item.unions)}."
        return f"An object{_in(used)}."
    if isinstance(item, Union):
        by = f" told apart by `{item.tag}`" if item.tag else ""
        return f"One of {len(item.variants)} forms{by}{_in(used)}."
    if isinstance(item, Enum):
        return f"One of a few {item.kind}s{', or any other' if item.open else ''}{_in(used)}."
    wording = shape(item.type)
    return f"{wording[:1].upper()}{wording[1:]}{_in(used)}."


def _in(used: Sequence[str]) -> str:
    """Where a type is used, by up to three places."""
    if not used:
        return ""
    shown = ", ".join(used[:3])
    return f": {shown}" if len(used) <= 3 else f": {shown} and {len(used) - 3} more"


def _side(method: Method) -> str:
    return "agent or the client" if method.side == "protocol" else method.side


def _names(names: Sequence[str]) -> str:
    return " or ".join(names)


def _is_constant(item: Field) -> bool:
    return item.tag and isinstance(item.type, LiteralType) and len(item.type.values) == 1


def _constant(item: Field) -> str | int | bool:
    assert isinstance(item.type, LiteralType)
    return item.type.values[0]


def _record_lines(item: Record) -> list[str]:
    if item.catch_all is None:
        return ["Unknown properties are refused."] if item.closed else []
    lines = ["Its payload is kept as it came, in `model_extra`."]
    if item.catch_all.received_only:
        return [*lines, "Decoded from newer peers only; it cannot be built."]
    return [*lines, f"Built only with a `{item.catch_all.tag}` that begins with an underscore."]


def _union_lines(item: Union) -> list[str]:
    if item.catch_all is None:
        return []
    return [
        f"Any other `{item.tag}` decodes as {item.catch_all}; "
        "a known one with a malformed payload is an error."
    ]


def _enum_lines(item: Enum) -> list[str]:
    return [
        f"- `{json.dumps(value.value)}`" + (f": {value.doc.strip()}" if value.doc else "")
        for value in item.values
    ]


# Signs that cannot stand in source text as they are.
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f\ud800-\udfff]")


def fill(text: str, indent: int) -> str:
    """A docstring literal, wrapped, for a block that is indented by so many spaces."""
    width = WIDTH - indent - 4
    paragraphs = []
    text = _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
    for line in text.split("\n"):
        hang = "  " if line.lstrip().startswith("- ") else ""
        wrapped = textwrap.wrap(
            line, width, break_long_words=False, break_on_hyphens=False, subsequent_indent=hang
        )
        paragraphs.append("\n".join(wrapped) if len(line) > width else line.rstrip())
    body = "\n".join(paragraphs).strip().replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    pad = " " * indent
    if "\n" not in body:
        return f'"""{body} """' if body.endswith('"') else f'"""{body}"""'
    lines = body.split("\n")
    return "\n".join(
        [f'"""{lines[0]}', *(f"{pad}{line}" if line else "" for line in lines[1:]), f'{pad}"""']
    )
