# Part of acpgen's runtime, copied as it is. Do not edit.
"""A client of one surface: what it says of itself, and how an agent's calls reach its methods."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Mapping
from typing import Any, ClassVar, Generic, Literal, TypeVar

from .calls import Calls, Route
from .endings import Permissions
from .errors import InvalidRequest
from .gates import Gates
from .implementation import Agreement, Implementation
from .peer import Peer
from .sessions import Sessions
from .table import Kind

logger = logging.getLogger(__name__)

P = TypeVar("P", bound=Peer)

PERMISSION = "session/request_permission"


class UpdateHooks:
    """What the generated `UpdateHooks` classes share. HOOKS: kind of update -> name of its hook.
    TAG: the field that says the kind.
    """

    HOOKS: ClassVar[Mapping[str, str]] = {}
    TAG: ClassVar[str] = "session_update"

    async def on_unknown(self, session_id: str, update: Any) -> None:
        """An update of a kind that this surface does not name; its payload is in `model_extra`."""


class ClientBase(Implementation, UpdateHooks, Generic[P]):
    """What the generated `Client` classes share. See `Implementation` for the attributes."""

    SIDE: ClassVar[Literal["agent", "client"]] = "client"
    PEER: ClassVar[type[Peer]]

    def initialize_params(self) -> dict[str, Any]:
        """The params of `initialize` (JSON) in the shape of this surface."""
        return {"protocolVersion": self.VERSION, **self.own_message()}

    def _wrong(self, found: Agreement) -> list[str]:
        return list(found.missing)

    def check_agreement(self) -> None:
        super().check_agreement()
        if self.SIDE in self.CAPABILITIES.roots:
            for line in self.agreement(self.own_message()).partial:
                logger.warning("%s: %s", type(self).__name__, line)

    def update_hook(self, params: Any) -> Awaitable[None] | None:
        """Hand an update to the hook of its kind; None where nothing waits for it."""
        update = params.update
        name = self.HOOKS.get(getattr(update, self.TAG, ""), "on_unknown")
        hook = getattr(self, name)
        if getattr(hook, "__func__", None) is getattr(self.BASE, name):
            return None
        found: Awaitable[None] | None = hook(params.session_id, update)
        return found


class ClientCalls(Calls):
    """The calls of a client. In version 1 cancelling a session answers its permission requests."""

    def __init__(
        self, implementation: ClientBase[Any], peer: Peer, gates: Gates, sessions: Sessions
    ) -> None:
        super().__init__(implementation, peer, gates, sessions)
        self.permissions = Permissions()
        self._client = implementation
        self._answers = implementation.VERSION == 1
        self._update = implementation.TABLE.update_method
        # Overridden as a whole: it sees every update, and decides about the hooks itself.
        self._whole = implementation.implements(self._update, "notification")

    def _is_taken(self, method: str, kind: Kind) -> bool:
        return super()._is_taken(method, kind) or method == self._update

    def _call(self, route: Route, value: Any) -> Awaitable[Any]:
        call = super()._call(route, value)
        if route.row.method == PERMISSION and self._answers:
            answer = {"outcome": {"outcome": "cancelled"}}
            return self.permissions.run(value.session_id, call, answer)
        return call

    def _take(self, route: Route, value: Any) -> Awaitable[None] | None:
        if route.row.method == self._update:
            if self.sessions.watches(getattr(value.update, self._client.TAG, "")):
                self.sessions.updated(value)
            if not self._whole:
                return self._client.update_hook(value)
        return super()._take(route, value)


class ClientHandler:
    """The handler of a client's connection. Until `use` names the client whose version was
    negotiated, requests are refused and notifications ignored.
    """

    def __init__(self) -> None:
        self._calls: ClientCalls | None = None

    def use(self, calls: ClientCalls) -> None:
        """`initialize` was answered: hand over."""
        self._calls = calls

    def request(self, method: str, params: Any) -> Awaitable[Any]:
        if self._calls is None:
            return _refuse(f"{method} before initialize was answered")
        return self._calls.request(method, params)

    def notify(self, method: str, params: Any) -> Awaitable[None] | None:
        if self._calls is None:
            logger.debug("ignored notification %s before initialize was answered", method)
            return None
        return self._calls.notify(method, params)


async def _refuse(why: str) -> Any:
    raise InvalidRequest(why)
