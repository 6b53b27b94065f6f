"""Errors as JSON-RPC has them."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

from acpgen.runtime import errors
from acpgen.runtime.errors import InternalError, NotAdvertised, RpcError

NAMED = {
    -32700: errors.ParseError,
    -32600: errors.InvalidRequest,
    -32601: errors.MethodNotFound,
    -32602: errors.InvalidParams,
    -32603: errors.InternalError,
    -32800: errors.RequestCancelled,
    -32000: errors.AuthRequired,
    -32002: errors.ResourceNotFound,
    -32022: errors.UnsupportedProtocolVersion,
}


@pytest.mark.parametrize(("code", "class_"), NAMED.items())
def test_each_code_has_a_class(code: int, class_: type[RpcError]) -> None:
    error = RpcError.of({"code": code, "message": "m", "data": {"x": [1]}})
    assert type(error) is class_
    assert (error.code, error.message, error.data) == (code, "m", {"x": [1]})
    assert error.to_wire() == {"code": code, "message": "m", "data": {"x": [1]}}
    for same in (copy.copy(error), pickle.loads(pickle.dumps(error))):
        assert (type(same), same.to_wire()) == (class_, error.to_wire())


def test_every_code_that_a_schema_names_has_a_class(contract_codes: set[int]) -> None:
    assert contract_codes == set(NAMED)


@pytest.fixture
def contract_codes() -> set[int]:
    import json

    from acpgen import resources

    codes = set()
    for path in sorted(resources.schemas_dir().glob("v*/schema*.json")):
        kinds = json.loads(path.read_text(encoding="utf-8"))["$defs"]["ErrorCode"]
        codes |= {kind["const"] for kind in kinds["anyOf"] if "const" in kind}
    return codes


MALFORMED: dict[str, tuple[Any, int, str]] = {
    "a string": ("boom", -32603, "boom"),
    "null": (None, -32603, "malformed"),
    "a list": ([1], -32603, "malformed"),
    "empty": ({}, -32603, "no code"),
    "code a string": ({"code": "5", "message": "m"}, -32603, "m"),
    "code true": ({"code": True, "message": "m"}, -32603, "m"),
    "code a fraction": ({"code": 1.5, "message": "m"}, -32603, "m"),
    "code 5.0": ({"code": 5.0, "message": "m"}, 5, "m"),
    "message null": ({"code": 5, "message": None}, 5, "no message"),
    "code infinite": ({"code": float("inf"), "message": "m"}, -32603, "m"),
}


@pytest.mark.parametrize(("error", "code", "text"), MALFORMED.values(), ids=MALFORMED.keys())
def test_a_malformed_error_is_still_one(error: Any, code: int, text: str) -> None:
    made = RpcError.of(error)
    assert made.code == code
    assert text in made.message
    if type(made) is InternalError:
        assert made.data == error


def test_no_data_is_left_out() -> None:
    """Case C10."""
    error = RpcError.of({"code": -32603, "message": "m", "data": None})
    assert error.data is None
    assert error.to_wire() == {"code": -32603, "message": "m"}
    assert RpcError(5, "m", {}).to_wire() == {"code": 5, "message": "m", "data": {}}


def test_sessions_and_versions_are_in_data() -> None:
    lost = errors.SessionNotFound("s1")
    assert lost.to_wire() == {
        "code": -32002,
        "message": "Session not found",
        "data": {"sessionId": "s1"},
    }
    read = RpcError.of(lost.to_wire())
    assert isinstance(read, errors.SessionNotFound)
    assert read.session_id == "s1"
    assert type(RpcError.of({"code": -32002, "message": "m", "data": "file"})) is (
        errors.ResourceNotFound
    )
    version = errors.UnsupportedProtocolVersion(9, {2, 1})
    assert version.to_wire()["data"] == {"requested": 9, "supported": [1, 2]}
    read = RpcError.of({"code": -32022, "message": "m", "data": "odd"})
    assert isinstance(read, errors.UnsupportedProtocolVersion)
    assert (read.requested, read.supported) == (None, [])


def test_a_refused_call_says_what_is_missing_and_who_has_to_advertise_it() -> None:
    error = NotAdvertised("session/new", "mcpCapabilities.http", "agent", "/mcpServers/0")
    assert str(error) == (
        "session/new at /mcpServers/0 needs mcpCapabilities.http, "
        "which the agent does not advertise"
    )
    same = pickle.loads(pickle.dumps(error))
    assert (same.missing, same.side, same.pointer) == (error.missing, error.side, error.pointer)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ({"method": "a", "replacedBy": ["b"]}, ["b"]),
        ({"method": "a", "replacedBy": []}, []),
        ({"method": "a"}, None),
        ({"method": "a", "replacedBy": "b"}, None),
        (None, None),
        ("a", None),
    ],
)
def test_what_replaces_a_missing_method(data: Any, expected: list[str] | None) -> None:
    error = RpcError.of({"code": -32601, "message": "m", "data": data})
    assert isinstance(error, errors.MethodNotFound)
    assert error.replaced_by == expected
