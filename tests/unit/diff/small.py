"""Small protocols to compare, and what was found as short lines."""

from __future__ import annotations

import json
from typing import Any

from acpgen.diff.change import Change
from acpgen.diff.compare import compare
from acpgen.diff.pairing.renames import RenameRow
from acpgen.spec import metadata
from acpgen.spec.build import build
from acpgen.spec.contract import parse
from acpgen.spec.ir import Spec

Defs = dict[str, Any]
STRING: Defs = {"type": "string"}
_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def ref(name: str) -> Defs:
    return {"$ref": f"#/$defs/{name}"}


def record(*optional: str, **required: Any) -> Defs:
    """An object: required properties with their schemas, and names of optional strings."""
    properties = {**required, **dict.fromkeys(optional, STRING)}
    return {"type": "object", "properties": properties, "required": sorted(required)}


def request(wire: str, schema: Defs, side: str = "agent") -> Defs:
    return {**schema, "x-method": wire, "x-side": side}


def tagged(tag: str, *values: str, payload: str = "", free: bool = False) -> Defs:
    """A union of objects with a discriminator; each refers to a payload. free: it has a catch-all."""
    branches: list[Defs] = []
    for value in values:
        branch = record(**{tag: {"const": value, "type": "string"}})
        branches.append({**branch, "title": value, **(ref(payload) if payload else {})})
    if free:
        known = [record(**{tag: {"const": value, "type": "string"}}) for value in values]
        branches.append({"title": "other", **record(**{tag: STRING}), "not": {"anyOf": known}})
    return {"anyOf": branches}


def spec(defs: Defs, version: int = 1, toml: str = "") -> Spec:
    """The Spec of a few definitions. toml: the text of its methods.toml."""
    text = json.dumps({"$schema": _DIALECT, "$defs": defs})
    rows = metadata.parse(toml, f"v{version}/methods.toml") if toml else metadata.NOTHING
    return build(parse(text, "small"), version=version, channel="stable", metadata=rows)


def changes(old: Defs | Spec, new: Defs | Spec, rows: tuple[RenameRow, ...] = ()) -> list[Change]:
    left = old if isinstance(old, Spec) else spec(old)
    right = new if isinstance(new, Spec) else spec(new)
    return list(compare(left, right, rows))


def lines(found: list[Change]) -> list[str]:
    """`kind subject` of each change, with the new name where it is another one."""
    return [
        f"{item.kind} {item.subject}"
        + (f" -> {item.new.name}" if item.new.exists and item.new.name != item.subject else "")
        for item in found
    ]


def said(old: Defs | Spec, new: Defs | Spec, rows: tuple[RenameRow, ...] = ()) -> list[str]:
    return lines(changes(old, new, rows))
