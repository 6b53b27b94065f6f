"""An agent as the rest of this client sees it, whatever version of the protocol it speaks."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .bindings import Connection


@dataclass(frozen=True)
class Setup:
    """What every session is set up with. cwd, more: absolute folders. servers: MCP servers, as JSON
    in the protocol's form.
    """

    cwd: Path
    more: Sequence[Path] = ()
    servers: Sequence[Any] = ()

    @property
    def directories(self) -> list[str]:
        """The additional folders, as text."""
        return [str(path) for path in self.more]


@dataclass(frozen=True)
class Login:
    """A way to log in. note: why this client cannot use it, else empty."""

    id: str
    name: str
    note: str = ""


@dataclass(frozen=True)
class Row:
    """One session of the agent's list."""

    id: str
    title: str
    updated: str
    cwd: str


@dataclass(frozen=True)
class Option:
    """A config option or, with the id `mode`, the modes of version 1. values: (value, name);
    empty for an option that is on or off. kind: `select`, `boolean`, `mode`, or as the agent says.
    """

    id: str
    name: str
    kind: str
    value: str
    values: Sequence[tuple[str, str]] = ()


@dataclass
class State:
    """What is known of the current session. Updates change it."""

    session_id: str | None = None
    title: str = ""
    options: list[Option] = field(default_factory=list)
    modes: Option | None = None
    commands: list[tuple[str, str]] = field(default_factory=list)

    def set_mode(self, value: str) -> None:
        """Another mode is current."""
        if self.modes is not None:
            old = self.modes
            self.modes = Option(old.id, old.name, old.kind, value, old.values)


class NotOfferedError(Exception):
    """A value or an id that the agent does not offer; the message says which there are."""


class Link(ABC):
    """One connection to one agent. Every call raises what the bindings raise: RpcError for an error
    of the agent, NotAdvertised for what it does not support, ConnectionClosed when it is gone.
    """

    VERSION: int

    def __init__(self, setup: Setup, state: State, connection: Connection) -> None:
        self.setup = setup
        self.state = state
        self._connection = connection
        self.gone = asyncio.ensure_future(connection.run())
        """Done when the connection is closed."""

    @property
    def why_gone(self) -> str:
        """Why the connection is closed."""
        return self._connection.reason or "the agent is gone"

    @property
    @abstractmethod
    def agent(self) -> str:
        """Name and version of the agent."""

    @property
    @abstractmethod
    def logins(self) -> list[Login]:
        """The ways to log in."""

    @abstractmethod
    async def login(self, method_id: str) -> None:
        """Log in."""

    @abstractmethod
    async def new(self) -> str:
        """Begin a session; its id."""

    @abstractmethod
    async def reopen(self, session_id: str) -> bool:
        """Open an earlier session, and have its conversation replayed. False: it is open, but this
        agent does not replay.
        """

    @abstractmethod
    async def list(self) -> Sequence[Row]:
        """All sessions that the agent lists for this folder."""

    @abstractmethod
    async def delete(self, session_id: str) -> None:
        """Remove a session from the list."""

    @abstractmethod
    async def prompt(self, text: str) -> str:
        """Send a prompt to the session and wait for the end of the turn: the stop reason."""

    @abstractmethod
    async def cancel(self) -> None:
        """Stop the current turn, which then ends with the stop reason `cancelled`."""

    @abstractmethod
    async def set_option(self, option: Option, value: str | bool) -> None:
        """Set one config option."""

    async def set_mode(self, value: str) -> None:
        """Switch the session to another mode (version 1)."""
        raise NotOfferedError("this agent has no modes")

    @abstractmethod
    async def close(self) -> None:
        """Close the connection; the agent's process ends with it."""

    async def set(self, option_id: str, text: str) -> None:
        """Set a config option, or the mode, from what was typed. Raises NotOfferedError."""
        state = self.state
        offered = [*state.options, *([state.modes] if state.modes is not None else [])]
        found = [option for option in offered if option.id == option_id]
        if not found:
            ids = ", ".join(option.id for option in offered)
            raise NotOfferedError(f"no option {option_id!r}; the agent offers: {ids or 'none'}")
        option = found[0]
        value = picked(option, text)
        if option.kind == "mode":
            await self.set_mode(str(value))
        else:
            await self.set_option(option, value)


def picked(option: Option, text: str) -> str | bool:
    """The value of an option that was typed: an id or a name. Raises NotOfferedError."""
    if option.kind == "boolean":
        if text.lower() in ("on", "true", "yes"):
            return True
        if text.lower() in ("off", "false", "no"):
            return False
        raise NotOfferedError(f"{option.id}: on or off")
    for value, name in option.values:
        if text in (value, name):
            return value
    values = ", ".join(value for value, _name in option.values)
    raise NotOfferedError(f"{option.id}: no value {text!r}; the agent offers: {values or 'none'}")
