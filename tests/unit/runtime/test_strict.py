"""Strict checking: what jsonschema says, and the rules about paths."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from acpgen.runtime.checks import is_absolute
from acpgen.runtime.strict import check

SCHEMA: dict[str, Any] = {
    "$defs": {
        "Text": {
            "type": "object",
            "properties": {"text": {"type": "string"}},
            "required": ["text"],
        },
        "Block": {
            "oneOf": [
                {
                    "type": "object",
                    "properties": {"type": {"const": "text"}},
                    "required": ["type"],
                    "allOf": [{"$ref": "#/$defs/Text"}],
                },
                {
                    "type": "object",
                    "properties": {"type": {"const": "image"}, "data": {"type": "string"}},
                    "required": ["type", "data"],
                },
            ]
        },
        "McpServerStdio": {
            "type": "object",
            "properties": {"command": {"type": "string"}, "args": {"type": "array"}},
            "required": ["command"],
        },
        "NewSessionRequest": {
            "type": "object",
            "properties": {
                "cwd": {"type": "string"},
                "additionalDirectories": {"type": "array", "items": {"type": "string"}},
                "mcpServers": {
                    "type": "array",
                    "items": {
                        "anyOf": [{"$ref": "#/$defs/Block"}, {"$ref": "#/$defs/McpServerStdio"}]
                    },
                },
                "_meta": {"type": ["object", "null"], "additionalProperties": True},
                "limit": {"type": "integer", "format": "uint32"},
                "block": {"$ref": "#/$defs/Block", "x-deserialize-default-on-error": True},
            },
            "required": ["cwd"],
        },
        "Shell": {"type": "object", "properties": {"command": {"type": "string"}}},
    }
}


def places(value: object, name: str = "NewSessionRequest") -> list[tuple[str, str]]:
    return [(pointer, kind) for pointer, _message, kind in check(SCHEMA, name, value)]


def test_a_valid_value() -> None:
    value = {
        "cwd": "/a",
        "additionalDirectories": ["C:\\b", "\\\\host\\share"],
        "mcpServers": [{"command": "/bin/x"}, {"type": "text", "text": "x"}],
        "_meta": {"cwd": "relative"},
        "limit": 2**32 - 1,
        "block": {"type": "image", "data": ""},
    }
    assert places(value) == []


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({}, [("/cwd", "required")]),
        ({"cwd": "a"}, [("/cwd", "absolute_path")]),
        ({"cwd": 5}, [("/cwd", "type")]),
        (
            {"cwd": "/", "additionalDirectories": ["/a", "b"]},
            [("/additionalDirectories/1", "absolute_path")],
        ),
        (
            {"cwd": "/", "mcpServers": [{"command": "npx"}]},
            [("/mcpServers/0/command", "absolute_path")],
        ),
        ({"cwd": "/", "limit": 2**32}, [("/limit", "format")]),
        ({"cwd": "/", "limit": -1}, [("/limit", "format")]),
        ({"cwd": "/", "limit": 1.0}, [("/limit", "type")]),
        ({"cwd": "/", "limit": True}, [("/limit", "type")]),
        ({"cwd": "/", "block": {"type": "text"}}, [("/block/text", "required")]),
        ({"cwd": "/", "block": {"type": "new"}}, [("/block", "oneOf")]),
        ({"cwd": "/", "block": None}, [("/block", "oneOf")]),
    ],
)
def test_problems(value: object, expected: list[tuple[str, str]]) -> None:
    assert places(value) == expected


def test_a_command_of_another_object_may_be_relative() -> None:
    assert places({"command": "ls"}, "Shell") == []


@pytest.mark.parametrize(
    "path", ["/", "/a b", "C:\\", "c:/x", "\\\\host\\share", "\\\\host\\share\\x"]
)
def test_absolute(path: str) -> None:
    assert is_absolute(path)


@pytest.mark.parametrize("path", ["", "a", "./a", "~", "C:", "C:a", "\\a", "\\\\host", "file:///a"])
def test_relative(path: str) -> None:
    assert not is_absolute(path)


def test_an_unknown_name() -> None:
    with pytest.raises(LookupError, match="Nothing"):
        check(SCHEMA, "Nothing", {})


def test_without_jsonschema(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jsonschema", None)
    with pytest.raises(ImportError, match="`strict`"):
        check(SCHEMA, "Shell", {})
