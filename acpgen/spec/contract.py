"""The contract form: a schema without its prose, in one fixed way of writing it.

It keeps everything that decides what is valid on the wire and how it is read, every `x-` keyword
included, so that a diff of two contracts is a diff of the protocol. It drops `description`,
`examples` and `$comment`; a docs link in a description stays as `x-docs`, the path alone. A `title`
is kept while it is a label: at most 40 characters and four words, without punctuation of a
sentence; any other is prose. Keywords stand in one order (keywords.py), definitions by name,
properties in the order of the source with `_meta` last, `required` in the order of the properties.
`definitions` become `$defs`. The form of a contract is that contract.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, TypeAlias

from acpgen.problem import Problem, ProblemError
from acpgen.spec import jsontext, keywords, references

Contract: TypeAlias = dict[str, Any]

_LINK = re.compile(r"https?://[^\s/()<>\"'`]+(/(?:protocol|rfds)/[\w./~%\-]*(?:#[\w.~%\-]*)?)")
_SENTENCE = re.compile(r"[.!?,;:`\n\r]")


def parse(text: bytes | str, where: str) -> Contract:
    """The contract form of a schema file.

    text: a raw schema or a contract. where: the file, for messages.
    Raises ProblemError with all that is wrong: no strict JSON (jsontext.load), no JSON Schema of
    draft 2020-12, no object with definitions, or references and names that cannot be used
    (references.problems).
    """
    raw = _document(text, where)
    found = keywords.schema_problems(raw, where)
    if not isinstance(raw.get("$defs"), dict) or not raw["$defs"]:
        found.append(Problem(where, "is no protocol schema: it has no $defs", _HINT))
    if found:
        raise ProblemError(found)
    if found := references.problems(raw, where):
        raise ProblemError(found)
    return form(raw)


_HINT = "expected a JSON Schema with the protocol's types under $defs"


def dumps(contract: Mapping[str, Any]) -> str:
    """The text of a contract, as it is stored and packaged. It ends with a newline."""
    return json.dumps(contract, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def docs_of(text: bytes | str, where: str = "schema") -> Mapping[str, str]:
    """Upstream's descriptions by JSON pointer, where the pointers are those of the contract form.

    Empty for a contract, which has none. Raises ProblemError where the text is no JSON object.
    """
    return {
        pointer: schema["description"]
        for pointer, schema in keywords.walk(_document(text, where))
        if isinstance(schema.get("description"), str)
    }


def check(contract: Mapping[str, Any], where: str) -> list[Problem]:
    """What is wrong with a contract that was changed after it was read (an overlay)."""
    return keywords.schema_problems(contract, where) or references.problems(contract, where)


def form(schema: Mapping[str, Any]) -> Contract:
    """The contract form of a document that is known to be a schema."""
    made: Contract = _form({**schema, "$schema": keywords.DIALECT})
    return made


def form_of(schema: Any) -> Any:
    """The contract form of one schema, such as a definition."""
    return _form(schema)


def _document(text: bytes | str, where: str) -> Contract:
    """The JSON object in a text, its `definitions` moved to `$defs`."""
    raw = jsontext.load(text, where)
    if not isinstance(raw, dict):
        kind = "an array" if isinstance(raw, list) else json.dumps(raw)[:40]
        raise ProblemError.of(where, f"is no JSON Schema: it is {kind}, not an object", _HINT)
    old = raw.get("definitions")
    if not isinstance(old, dict):
        return raw
    new = raw.get("$defs", {})
    if not isinstance(new, dict):
        return raw
    if both := sorted(old.keys() & new.keys()):
        what = f"defines {', '.join(both)} in both `definitions` and `$defs`"
        raise ProblemError.of(where, what, "keep one of them")
    return {key: value for key, value in raw.items() if key != "definitions"} | {
        "$defs": {**old, **new}
    }


def _form(schema: Any) -> Any:
    if not isinstance(schema, dict):
        return schema
    out: Contract = {}
    for key in sorted(_kept(schema), key=keywords.rank):
        value: Any = schema.get(key)
        if key == "$defs":
            out[key] = {name: _form(value[name]) for name in sorted(value)}
        elif key in keywords.SCHEMA_MAPS:
            names = sorted(value, key=lambda name: name == "_meta")
            out[key] = {name: _form(value[name]) for name in names}
        elif key in keywords.SCHEMA_LISTS:
            out[key] = [_form(item) for item in value]
        elif key in keywords.SCHEMAS:
            out[key] = _form(value)
        elif key == "$ref":
            out[key] = _ref(value)
        elif key == "required":
            order = {name: rank for rank, name in enumerate(out.get("properties", ()))}
            out[key] = sorted(value, key=lambda name: (order.get(name, len(order)), name))
        elif key == "discriminator" and isinstance(value, dict):
            out[key] = _discriminator(value)
        elif key == "x-docs":
            out[key] = _link(schema) or value
        else:
            out[key] = _data(value)
    return out


def _kept(schema: Contract) -> set[str]:
    kept = {key for key in schema if key not in keywords.PROSE}
    if "title" in kept and not _is_label(schema["title"]):
        kept.remove("title")
    if _link(schema):
        kept.add("x-docs")
    return kept


def _is_label(title: str) -> bool:
    return len(title) <= 40 and len(title.split()) <= 4 and not _SENTENCE.search(title)


def _link(schema: Contract) -> str:
    """The path of the first docs link in a schema's description."""
    match = _LINK.search(schema.get("description", ""))
    return match[1].rstrip(".") if match else ""


def _ref(ref: str) -> str:
    name = references.target(ref)
    return ref if name is None else references.to(name)


def _discriminator(value: Contract) -> Any:
    """OpenAPI's keyword; its mapping holds references."""
    mapping = value.get("mapping")
    if not isinstance(mapping, dict):
        return _data(value)
    refs = {key: _ref(ref) if isinstance(ref, str) else ref for key, ref in mapping.items()}
    return _data({**value, "mapping": refs})


def _data(value: Any) -> Any:
    """A value that is no schema: kept as it is, its keys sorted."""
    if isinstance(value, dict):
        return {key: _data(value[key]) for key in sorted(value)}
    if isinstance(value, list):
        return [_data(item) for item in value]
    return value
