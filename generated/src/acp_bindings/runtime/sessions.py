# Part of acpgen's runtime, copied as it is. Do not edit.
"""What was said about each session of a connection, as far as gates ask for it.

Both ends see the same messages, so one class serves both: tell it every request that was answered
with a result and every notification, in the order they came or went, and give it to `Gates`. What
it keeps is bounded by what is alive: entities that can be cancelled, and sessions until they are
closed or deleted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pydantic import BaseModel
from pydantic_core import MISSING

from .places import ABSENT, python_name, step
from .table import Row, Table

StateHook = Callable[[Any, Any], bool]

_SETUP = ("session/new", "session/load", "session/resume", "session/fork")
_END = ("session/close", "session/delete")


class Sessions:
    """The facts of one connection's sessions. table: of the surface that the connection speaks."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._modes: dict[str, bool] = {}
        self._options: dict[str, bool] = {}
        self._tool_calls: dict[str, set[str]] = {}
        self._terminals: dict[str, set[str]] = {}
        self._children: dict[str, bool] = {}
        self._servers: set[str] = set()
        self._inner: set[tuple[str, str]] = set()
        self._updates: Mapping[str, Callable[[str, Any], None]] = {
            "config_option_update": self._config_options,
            "tool_call_update": lambda session, update: _cancel(
                self._tool_calls.setdefault(session, set()), update, "toolCallId"
            ),
            "terminal_update": lambda session, update: _cancel(
                self._terminals.setdefault(session, set()), update, "terminalId"
            ),
            "subagent_update": self._subagent,
        }

    @property
    def hooks(self) -> Mapping[str, StateHook]:
        """Answers to the states of the table that are known by what was said about a session. A
        session that was not set up on this connection is given the benefit of the doubt.
        """
        return {
            "session_modes": lambda params, _: self._modes.get(_session(params), True),
            "session_config_options": lambda params, _: self._options.get(_session(params), True),
            "tool_call_cancel": lambda params, _: (
                _text(params, "toolCallId") in self._tool_calls.get(_session(params), ())
            ),
            "terminal_cancel": lambda params, _: (
                _text(params, "terminalId") in self._terminals.get(_session(params), ())
            ),
            "child_cancel": lambda params, _: self._children.get(_session(params), True),
            "own_session": lambda params, _: _session(params) not in self._children,
            "acp_mcp_server": lambda params, _: _text(params, "serverId") in self._servers,
            "inner_mcp_request": lambda params, _: _inner(params) in self._inner,
        }

    def started(self, row: Row, params: Any) -> None:
        """A request was sent, or is about to be handled."""
        if row.method == "mcp/message":
            self._inner.add(_inner(params))

    def ended(self, row: Row, params: Any) -> None:
        """A request was answered, whether by a result or by an error."""
        if row.method == "mcp/message":
            self._inner.discard(_inner(params))

    def answered(self, row: Row, params: Any, result: Any) -> None:
        """A request was answered by a result. params, result: models or JSON."""
        method = row.method
        if method in _SETUP:
            found = step(result, "sessionId")
            session = found if isinstance(found, str) else _session(params)
            self._modes[session] = step(result, "modes") is not ABSENT
            self._config_options(session, result)
            servers = step(params, "mcpServers")
            for server in servers if isinstance(servers, (list, tuple)) else ():
                if step(server, "type") == "acp" and isinstance(step(server, "serverId"), str):
                    self._servers.add(step(server, "serverId"))
        elif method == "session/set_config_option":
            self._config_options(_session(params), result)
        elif method in _END:
            self._forget(_session(params))

    def watches(self, kind: str) -> bool:
        """Updates of this kind have to be told; others say nothing that gates ask for."""
        return kind in self._updates

    def updated(self, params: Any) -> None:
        """A session/update came or went."""
        update = params
        for key in self.table.update_at:
            update = step(update, key)
        kind = step(update, self.table.update_tag)
        handle = self._updates.get(kind) if isinstance(kind, str) else None
        if handle is not None:
            handle(_session(params), update)

    def _config_options(self, session: str, holder: Any) -> None:
        found = step(holder, "configOptions")
        self._options[session] = isinstance(found, (list, tuple)) and len(found) > 0

    def _subagent(self, _parent: str, update: Any) -> None:
        child = step(update, "sessionId")
        if not isinstance(child, str):
            return
        given = _given(update, "capabilities")
        if given is not MISSING:
            self._children[child] = step(given, "cancel") is not ABSENT
        else:
            self._children.setdefault(child, False)

    def _forget(self, session: str) -> None:
        for facts in (self._modes, self._options, self._tool_calls, self._terminals):
            facts.pop(session, None)
        self._children.pop(session, None)


def _session(params: Any) -> str:
    return _text(params, "sessionId")


def _text(params: Any, key: str) -> str:
    """A string that names something, or "", which names nothing."""
    found = step(params, key)
    return found if isinstance(found, str) else ""


def _inner(params: Any) -> tuple[str, str]:
    """A request inside MCP: the server, and the id by its type and value (1 and "1" are two)."""
    return _text(params, "serverId"), repr(step(params, "requestId"))


def _cancel(entities: set[str], update: Any, key: str) -> None:
    """Left out keeps what was said, null clears it, an object replaces the whole set."""
    entity, given = step(update, key), _given(update, "capabilities")
    if given is MISSING or not isinstance(entity, str):
        return
    if step(given, "cancel") is ABSENT:
        entities.discard(entity)
    else:
        entities.add(entity)


def _given(value: Any, key: str) -> Any:
    """A patch field as it stands: MISSING where it was left out, None for null."""
    if isinstance(value, Mapping):
        return value.get(key, MISSING)
    if isinstance(value, BaseModel):
        name = python_name(type(value), key)
        return MISSING if name is None else getattr(value, name)
    return MISSING
