# Part of acpgen's runtime, copied as it is. Do not edit.
"""An agent of one surface, and what serves one or several of them on a connection."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, TypeVar

from .base import decode, encode
from .calls import Calls, Route
from .endings import Prompts
from .errors import (
    DecodeError,
    InternalError,
    InvalidRequest,
)
from .gates import Gates
from .implementation import INITIALIZE, Agreement, Implementation, without
from .negotiation import Policy, choose, invalid_params, newest_at_or_below, requested_version
from .peer import Peer, quiet
from .places import step
from .sessions import Sessions, StateHook
from .table import Kind, Row

if TYPE_CHECKING:
    from .connection import Connection

logger = logging.getLogger(__name__)

P = TypeVar("P", bound=Peer)

PROMPT, CANCEL, OPTIONS = "session/prompt", "session/cancel", "session/options"
UNKNOWN = {"name": "unknown", "version": "unknown"}


class AgentBase(Implementation, Generic[P]):
    """What the generated `Agent` classes share. See `Implementation` for the attributes.

    auth_methods: what `initialize` offers; terminal ones only to clients that can run them.
    """

    SIDE: ClassVar[Literal["agent", "client"]] = "agent"
    PEER: ClassVar[type[Peer]]

    auth_methods: Sequence[Any] = ()

    def __init__(
        self,
        *,
        info: Any = None,
        capabilities: Any = None,
        auth_methods: Sequence[Any] | None = None,
        meta: dict[str, Any] | None = None,
        states: Mapping[str, StateHook] | None = None,
    ) -> None:
        """Raises ValueError where what is advertised and what is implemented do not agree."""
        if auth_methods is not None:
            self.auth_methods = auth_methods
        super().__init__(info=info, capabilities=capabilities, meta=meta, states=states)

    def own_message(self) -> dict[str, Any]:
        message = super().own_message()
        if self.auth_methods:
            message["authMethods"] = [encode(item) for item in self.auth_methods]
        return message

    def _wrong(self, found: Agreement) -> list[str]:
        # What an initialize of the author's own advertises is judged when it has answered.
        missing = () if self.implements(INITIALIZE) else found.missing
        return [*missing, *found.partial]

    def initialize_answer(self, params: Any) -> dict[str, Any]:
        """The answer to `initialize` (JSON): the version of this surface, what is advertised, and
        those auth methods that this client can use.
        """
        answer = {"protocolVersion": self.VERSION, **self.own_message()}
        offered = answer.get("authMethods")
        row = self.TABLE.get(INITIALIZE, "agent", "request")
        if offered and row is not None:
            found = Gates(self.TABLE, self.CAPABILITIES, params, answer).check_result(row, answer)
            at = [item.pointer.split("/") for item in found if item.refusal is not None]
            unusable = {int(step[2]) for step in at if step[1] == "authMethods" and len(step) > 2}
            answer["authMethods"] = without(offered, unusable)
        return answer

    def _cancel_prompts(self, session_id: str, client: Peer) -> None:
        """End the running `session/prompt` handlers of a session; they answer `cancelled`."""
        calls = getattr(client, "calls", None)
        if isinstance(calls, AgentCalls):
            calls.prompts.end(session_id)


class AgentCalls(Calls):
    """The calls of an agent. In version 1 `session/cancel` ends the prompts of its session."""

    def __init__(
        self, implementation: AgentBase[Any], peer: Peer, gates: Gates, sessions: Sessions
    ) -> None:
        super().__init__(implementation, peer, gates, sessions)
        self.prompts = Prompts()
        self.cancels = implementation.VERSION == 1

    def _is_taken(self, method: str, kind: Kind) -> bool:
        # The default of version 1 is no refusal but an implementation.
        return super()._is_taken(method, kind) or (self.cancels and method == CANCEL)

    def _call(self, route: Route, value: Any) -> Awaitable[Any]:
        method = route.row.method
        if method == PROMPT and self.cancels:
            call = super()._call(route, value)
            return self.prompts.run(value.session_id, call, {"stopReason": "cancelled"})
        if method == OPTIONS:
            return self._quietly(route, value)
        return super()._call(route, value)

    async def _quietly(self, route: Route, value: Any) -> Any:
        token = quiet.set(route.row.method)
        try:
            return await super()._call(route, value)
        finally:
            quiet.reset(token)


class AgentHandler:
    """Serves agents of different versions on one connection: reads `initialize`, picks one, and
    hands over. It is the connection's handler; `attach` it before the connection runs.

    agents: one for each version. policy: see `negotiation`.
    """

    def __init__(self, agents: Sequence[AgentBase[Any]], policy: Policy | None = None) -> None:
        """Raises ValueError for no agent, two of one version, and as the agents themselves do."""
        self.agents = {agent.VERSION: agent for agent in agents}
        if not agents or len(self.agents) != len(agents):
            raise ValueError("one agent for each version, and at least one")
        for agent in agents:
            agent.check_agreement()
        self._policy = policy or newest_at_or_below
        self._connection: Connection | None = None
        self._calls: AgentCalls | None = None
        self._busy = False
        self._used = False

    def attach(self, connection: Connection) -> None:
        """The connection whose handler this is; clients' calls go out on it."""
        self._connection = connection

    def request(self, method: str, params: Any) -> Awaitable[Any]:
        if method == INITIALIZE:
            return self._initialize(params)
        if self._calls is None:
            return _refuse(f"{method} before initialize")
        self._used = True
        return self._calls.request(method, params)

    def notify(self, method: str, params: Any) -> Awaitable[None] | None:
        if self._calls is None:
            logger.debug("ignored notification %s before initialize", method)
            return None
        return self._calls.notify(method, params)

    async def _initialize(self, params: Any) -> Any:
        before = self._calls
        if self._busy:
            raise InvalidRequest("initialize is being answered already")
        if before is not None and (before.implementation.VERSION == 1 or self._used):
            raise InvalidRequest("initialize was answered already")
        requested = requested_version(params)
        version = choose(requested, self.agents, self._policy)
        if before is not None and version < before.implementation.VERSION:
            raise InvalidRequest("initialize may not be repeated with a lower version")
        self._busy = True
        try:
            return await self._answer(self.agents[version], params, requested > version)
        finally:
            self._busy = False

    async def _answer(self, agent: AgentBase[Any], params: Any, newer: bool) -> Any:
        row = agent.TABLE.rows[INITIALIZE, "agent", "request"]
        request = _read(agent, row, params, newer)
        assert self._connection is not None, "attach was not called"
        client = agent.PEER(self._connection)
        if agent.implements(INITIALIZE):
            result = await _of_the_author(agent, row, request, client)
        else:
            # As JSON: the model of the answer takes longer to build than everything else here.
            result = agent.initialize_answer(request)
        sessions = Sessions(agent.TABLE)
        gates = Gates(agent.TABLE, agent.CAPABILITIES, request, result, agent.states, sessions)
        _approve(agent, row, gates, result)
        client.initialized(gates, sessions, request, result)
        self._calls = AgentCalls(agent, client, gates, sessions)
        client.calls = self._calls
        return result


async def _of_the_author(agent: Any, row: Row, request: Any, client: Peer) -> Any:
    result = await agent.initialize(request, client)
    type_ = agent.TABLE.result_type(row)
    if isinstance(result, type_):
        return result
    try:
        return decode(type_, result)
    except DecodeError as error:
        logger.error("%s.initialize: %s", type(agent).__name__, error)
        raise InternalError() from None


def _read(agent: AgentBase[Any], row: Row, params: dict[str, Any], newer: bool) -> Any:
    """The params as this version reads them. Of what a newer version means, the parts that cannot
    be read are as if they had not been sent, and a missing name is `unknown`.
    """
    type_ = agent.TABLE.params_type(row)
    try:
        return decode(type_, params)
    except DecodeError as error:
        if not newer:
            raise invalid_params(error.problems) from None
        faulty = {pointer.split("/")[1] for pointer, _, _ in error.problems if pointer}
    params = {key: value for key, value in params.items() if key not in faulty}
    for name in ("info", "clientInfo"):
        if name in faulty:
            params[name] = UNKNOWN
    try:
        return decode(type_, params)
    except DecodeError as error:
        raise invalid_params(error.problems) from None


def _approve(agent: AgentBase[Any], row: Row, gates: Gates, result: Any) -> None:
    """The answer may be sent; else it is logged, and the request fails."""
    name = type(agent).__name__
    lines = [str(item) for item in gates.check_result(row, result)]
    version = step(result, "protocolVersion")
    if version != agent.VERSION:
        lines.append(f"its version is {version}, but {agent.VERSION} was agreed on")
    if agent.implements(INITIALIZE):
        lines += agent.agreement(encode(result)).missing
    if lines:
        logger.error("%s.initialize: %s", name, "; ".join(lines))
        raise InternalError()


async def _refuse(why: str) -> Any:
    raise InvalidRequest(why)
