"""What the envelopes of JSON-RPC hold beside the messages: request ids and errors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from acpgen.diff.pairing.surface import Surface
from acpgen.spec.names import ClassName
from acpgen.spec.shapes import bare_ref, ref_name, split_null


def in_envelopes(side: Surface) -> Iterator[ClassName]:
    """The definitions that an envelope refers to and that are no message of a method."""
    spec = side.spec
    rows = {name for row in spec.table.rows for name in (row.params, row.result)}
    for key in spec.envelopes:
        for inner in refs_in(side.defs.get(key)):
            name = spec.wire_types.get(inner)
            if name is not None and name not in rows and "x-docs-ignore" not in side.defs[inner]:
                yield name


def error_codes(side: Surface) -> frozenset[ClassName]:
    """The definitions that stand for the `code` of the `error` in an envelope."""
    found = set()
    for key in side.spec.envelopes:
        for error in _properties(side, side.defs.get(key), "error"):
            for code in _properties(side, error, "code"):
                ref = bare_ref(split_null(code)[0])
                name = side.spec.wire_types.get(ref) if ref is not None else None
                if name is not None:
                    found.add(name)
    return frozenset(found)


def _properties(
    side: Surface, schema: Any, name: str, seen: frozenset[str] = frozenset()
) -> Iterator[Mapping[str, Any]]:
    """The schemas of a property of an object, whatever it refers to and chooses from."""
    if not isinstance(schema, Mapping):
        return
    own = schema.get("properties", {}).get(name)
    if isinstance(own, Mapping):
        yield own
    ref = schema.get("$ref")
    if isinstance(ref, str) and ref not in seen:
        yield from _properties(side, side.defs.get(ref_name(ref)), name, seen | {ref})
    for word in ("allOf", "anyOf", "oneOf"):
        for branch in schema.get(word, ()):
            yield from _properties(side, branch, name, seen)


def refs_in(schema: Any) -> Iterator[str]:
    """The definitions that a schema refers to, at any depth."""
    if isinstance(schema, Mapping):
        for key, value in schema.items():
            if key == "$ref" and isinstance(value, str):
                yield ref_name(value)
            else:
                yield from refs_in(value)
    elif isinstance(schema, list):
        for item in schema:
            yield from refs_in(item)
