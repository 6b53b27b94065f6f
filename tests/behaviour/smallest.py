"""The smallest values of the contract schema's types, and what advertises everything."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.behaviour import bindings


def smallest(name: str, definition: str) -> Any:
    """A valid value of a `$defs` key with what is required and nothing else. Every text is `/x`, so
    that it is an absolute path too.
    """
    return _value(bindings.schema(name)["$defs"], {"$ref": f"#/$defs/{definition}"})


def _value(definitions: Mapping[str, Any], node: Any) -> Any:
    if not isinstance(node, Mapping):
        return {}
    if "const" in node:
        return node["const"]
    if "enum" in node:
        return node["enum"][0]
    found: Any = None
    for key in ("oneOf", "anyOf"):
        if key in node:
            found = _value(definitions, node[key][0])
    for part in node.get("allOf", ()):
        found = _merge(found, _value(definitions, part))
    if "$ref" in node:
        reference = node["$ref"].removeprefix("#/$defs/")
        found = _merge(found, _value(definitions, definitions[reference]))
    kind = node.get("type")
    kinds = kind if isinstance(kind, list) else [kind]
    if "object" in kinds or "properties" in node:
        required = node.get("required", ())
        properties = node.get("properties", {})
        own = {key: _value(definitions, properties.get(key)) for key in required}
        found = _merge(found, own)
    elif "array" in kinds:
        found = [_value(definitions, node["items"])] * node.get("minItems", 0)
    elif "string" in kinds:
        found = "/x"
    elif "integer" in kinds or "number" in kinds:
        found = max(1, node.get("minimum", 1))
    elif "boolean" in kinds:
        found = True
    return {} if found is None else found


def _merge(left: Any, right: Any) -> Any:
    if isinstance(left, dict) and isinstance(right, dict):
        return {**left, **right}
    return right if left is None else left


def everything(surface: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Params and result of `initialize` that advertise every capability of a surface, and one auth
    method whose id is `/x`.
    """
    version = surface.PROTOCOL_VERSION
    messages = {}
    for side in ("client", "agent"):
        found: dict[str, Any] = {}
        for path, kind in surface.CAPABILITIES.kinds[side].items():
            *groups, last = path.split(".")
            target = found
            for group in groups:
                target = target.setdefault(group, {})
            target.setdefault(last, {"boolean": True, "object": {}, "value": "/x"}[kind])
        messages[side] = {
            "protocolVersion": version,
            "info": {"name": "n", "version": "v"},
            surface.CAPABILITIES.roots[side]: found,
        }
    method = {"id": "/x"} if version == 1 else {"type": "agent", "methodId": "/x"}
    messages["agent"]["authMethods"] = [{**method, "name": "/x"}]
    return messages["client"], messages["agent"]


def nothing(surface: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """The same without a capability and without an auth method."""
    message = {
        "protocolVersion": surface.PROTOCOL_VERSION,
        "info": {"name": "n", "version": "v"},
    }
    return message, dict(message)
