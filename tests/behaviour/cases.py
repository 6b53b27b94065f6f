"""The copied cases of tests/contract/cases.json."""

from __future__ import annotations

import json
from typing import Any

import jsonschema

from tests.behaviour.bindings import ROOT, schema

CASES = {
    case["id"]: case
    for case in json.loads((ROOT / "tests" / "contract" / "cases.json").read_text(encoding="utf-8"))
}


def case(identifier: str) -> Any:
    """A copy of a case's input."""
    return json.loads(json.dumps(CASES[identifier]["input"]))


def valid(name: str, type_: str, value: Any) -> bool:
    """jsonschema's verdict by the packaged contract."""
    root = schema(name)
    validator = jsonschema.Draft202012Validator({**root, "anyOf": [{"$ref": f"#/$defs/{type_}"}]})
    return validator.is_valid(value)


def update_of(message: dict[str, Any]) -> dict[str, Any]:
    update: dict[str, Any] = message["params"]["update"]
    return update
