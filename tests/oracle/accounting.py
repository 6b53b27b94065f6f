"""Whether every definition of the contract is accounted for in a generated surface, and nothing is
left over.
"""

from __future__ import annotations

from collections.abc import Iterator

from tests.oracle.contract import Schema, references, walk
from tests.oracle.package import Surface


def envelopes(root: Schema) -> set[str]:
    """JSON-RPC envelopes: what only the root refers to, or nothing does, marked as none of the
    documentation.
    """
    inner = set()
    for item in root["$defs"].values():
        inner |= references(item)
    return {
        name
        for name, item in root["$defs"].items()
        if item.get("x-docs-ignore") and name not in inner and "x-method" not in item
    }


def merged(root: Schema) -> set[str]:
    """Definitions that occur only inside a variant of a union: the variant's class holds their
    fields.
    """
    inside: set[str] = set()
    elsewhere: set[str] = set()
    for schema in walk({"$defs": root["$defs"]}):
        branches = [branch for key in ("anyOf", "oneOf") for branch in schema.get(key, ())]
        for branch in branches:
            inside |= {
                item["$ref"].rsplit("/", 1)[1] for item in branch.get("allOf", ()) if "$ref" in item
            }
            if "$ref" in branch:
                inside.add(branch["$ref"].rsplit("/", 1)[1])
    for name, item in root["$defs"].items():
        if "x-method" in item:
            elsewhere.add(name)
        for schema in walk(item):
            for part in schema.get("properties", {}).values():
                elsewhere |= references(part)
            for key in ("items", "additionalProperties"):
                elsewhere |= references(schema.get(key))
    return inside - elsewhere


def unaccounted(surface: Surface) -> Iterator[str]:
    """One sentence for each definition that is missing, stale, or stands for nothing."""
    root, types = surface.root, surface.wire_types
    rest = set(root["$defs"]) - set(types)
    for name in sorted(rest - envelopes(root) - merged(root)):
        yield f"definition {name} has no type, is merged into no variant and is no envelope"
    for name in sorted(set(types) - set(root["$defs"])):
        yield f"WIRE_TYPES lists {name}, which the contract does not define"
    for name, python in sorted(types.items()):
        if not hasattr(surface.models, python):
            yield f"WIRE_TYPES gives {name} the name {python}, which does not exist"
