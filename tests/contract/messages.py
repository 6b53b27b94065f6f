"""Messages that put a gate to the test: a value at a pointer, `initialize` with capabilities."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import Any

from tests.behaviour.bindings import surface

ROOTS = {
    "v1": {"agent": "agentCapabilities", "client": "clientCapabilities"},
    "v2": {"agent": "capabilities", "client": "capabilities"},
}

_ABSENT = object()


def checkers(name: str) -> Any:
    """A surface's module of capabilities: gates, implied, disagreements."""
    return import_module(f"{surface(name).__name__}.capabilities")


def initialize(
    version: str, advertised: Iterable[tuple[str, str, Any]] = ()
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Params and result of `initialize` that advertise (side, path, value)."""
    messages: dict[str, dict[str, Any]] = {"client": {}, "agent": {}}
    for side, path, value in advertised:
        target = messages[side].setdefault(ROOTS[version][side], {})
        *groups, last = path.split(".")
        for group in groups:
            target = target.setdefault(group, {})
        target[last] = value
    return messages["client"], messages["agent"]


def at(pointer: str, value: Any) -> Any:
    """The smallest message that has the value at the pointer (`[]` is an item)."""
    for step in reversed(pointer.split("/")[1:]):
        value = [value] if step == "[]" else {} if value is _ABSENT else {step: value}
    return value


def concrete(pointer: str) -> str:
    """The pointer to the only item."""
    return pointer.replace("[]", "0")


def meeting(when: Mapping[str, Any]) -> Any:
    """A value that meets the conditions of a fact."""
    if when.get("absent"):
        return _ABSENT
    if "equals" in when:
        return when["equals"]
    if "in" in when:
        return when["in"][0]
    if "starts_with" in when:
        return f"{when['starts_with']}mine"
    if "not_in" in when or "not_equals" in when:
        return "another"
    if when.get("non_empty"):
        return [{"configId": "a"}]
    assert when.get("present"), when
    return {"some": "value"}


def refusals(
    name: str, method: str, params: Any, *, sending: bool = True, **more: Any
) -> list[str]:
    """The places of a request that the checkers refuse. agent, client: capabilities."""
    (row,) = (row for row in surface(name).TABLE if row.method == method)
    advertised = [
        (side, path, value)
        for side in ("agent", "client")
        for path, value in more.get(side, {}).items()
    ]
    gates = checkers(name).gates(*initialize(name[:2], advertised))
    return [item.pointer for item in gates.check_params(row, params, sending=sending)]
