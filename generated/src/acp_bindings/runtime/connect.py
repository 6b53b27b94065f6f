# Part of acpgen's runtime, copied as it is. Do not edit.
"""Connect clients to an agent: one `initialize` for all the versions they speak, one typed peer."""

from __future__ import annotations

import logging
import os
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING, Any, TypeVar, overload

from .base import decode
from .client_base import ClientBase, ClientCalls, ClientHandler
from .connection import Connection
from .errors import ConnectionClosed, DecodeError, InvalidResponse, RpcError
from .framing import MAX_LINE
from .gates import Gates
from .implementation import INITIALIZE, merged
from .peer import Peer
from .sessions import Sessions
from .spawn import spawn

if TYPE_CHECKING:
    from .transport import ByteStream, Transport
    from .wirelog import WireLog

logger = logging.getLogger(__name__)

P = TypeVar("P", bound=Peer)
Q = TypeVar("Q", bound=Peer)


class VersionNotSpoken(ConnectionClosed):
    """The agent answered with a protocol version that the client does not speak, so the connection
    was closed. answered: what it said, as JSON. spoken: what the client speaks.
    """

    def __init__(self, answered: Any, spoken: Sequence[int]) -> None:
        super().__init__(answered, spoken)
        self.answered = answered
        self.spoken = tuple(spoken)

    def __str__(self) -> str:
        spoken = ", ".join(map(str, self.spoken))
        return f"the agent answered protocol version {self.answered!r}; spoken here: {spoken}"


@overload
async def connect(
    transport: Transport | ByteStream,
    client: ClientBase[P],
    /,
    *,
    max_line: int = ...,
    wire_log: WireLog | None = ...,
) -> P: ...
@overload
async def connect(
    transport: Transport | ByteStream,
    client: ClientBase[P],
    other: ClientBase[Q],
    /,
    *,
    max_line: int = ...,
    wire_log: WireLog | None = ...,
) -> P | Q: ...
async def connect(
    transport: Transport | ByteStream,
    *clients: ClientBase[Any],
    max_line: int = MAX_LINE,
    wire_log: WireLog | None = None,
) -> Any:
    """Agree on a version with an agent, and give the typed peer of that version.

    clients: one for each version that is spoken. One `initialize` carries the shapes of all of
    them; where it is answered with an error, a second one asks for the next lower version.

    Raises the RpcError of the agent, VersionNotSpoken, InvalidResponse, ConnectionClosed; the
    connection is closed then. ValueError for two clients of one version, or where a client
    advertises what it does not implement.
    """
    by_version = versions(clients)
    handler = ClientHandler()
    connection = Connection(transport, handler, role="client", max_line=max_line, wire_log=wire_log)
    try:
        return await negotiate(connection, handler, by_version)
    except BaseException:
        await connection.close()
        raise


@overload
def spawn_agent(
    command: Sequence[str | os.PathLike[str]],
    client: ClientBase[P],
    /,
    *,
    cwd: str | os.PathLike[str] | None = ...,
    env: Mapping[str, str] | None = ...,
    stderr: Callable[[str], None] | None = ...,
    patience: float = ...,
    max_line: int = ...,
    wire_log: WireLog | None = ...,
) -> AbstractAsyncContextManager[P]: ...
@overload
def spawn_agent(
    command: Sequence[str | os.PathLike[str]],
    client: ClientBase[P],
    other: ClientBase[Q],
    /,
    *,
    cwd: str | os.PathLike[str] | None = ...,
    env: Mapping[str, str] | None = ...,
    stderr: Callable[[str], None] | None = ...,
    patience: float = ...,
    max_line: int = ...,
    wire_log: WireLog | None = ...,
) -> AbstractAsyncContextManager[P | Q]: ...
def spawn_agent(
    command: Sequence[str | os.PathLike[str]],
    *clients: ClientBase[Any],
    cwd: str | os.PathLike[str] | None = None,
    env: Mapping[str, str] | None = None,
    stderr: Callable[[str], None] | None = None,
    patience: float = 2.0,
    max_line: int = MAX_LINE,
    wire_log: WireLog | None = None,
) -> Any:
    """Start an agent and connect to it: `async with spawn_agent(command, MyClient()) as agent`.

    Leaving the block closes the connection and ends the process (see `spawn.AgentProcess`).
    command, cwd, env, stderr, patience: see `spawn.spawn`; the rest: see `connect`. Raises what
    those two raise.
    """

    @asynccontextmanager
    async def running() -> AsyncIterator[Any]:
        by_version = versions(clients)  # before anything is started
        process = await spawn(command, cwd=cwd, env=env, stderr=stderr, patience=patience)
        options: Any = {"max_line": max_line, "wire_log": wire_log}
        peer = await connect(process, *by_version.values(), **options)
        async with peer:
            yield peer

    return running()


def versions(clients: Sequence[ClientBase[Any]]) -> Mapping[int, ClientBase[Any]]:
    """The clients by the version that they speak; raises as `connect` does."""
    found = {client.VERSION: client for client in clients}
    if not clients or len(found) != len(clients):
        raise ValueError("one client for each version, and at least one")
    for client in clients:
        client.check_agreement()
    return found


async def negotiate(
    connection: Connection, handler: ClientHandler, clients: Mapping[int, ClientBase[Any]]
) -> Any:
    """Send `initialize` and give the peer; see `connect`. The caller closes on failure."""
    asked = sorted(clients, reverse=True)
    try:
        params = _params(clients, asked)
        answer = await connection.request(INITIALIZE, params)
    except RpcError as error:
        if len(asked) == 1:
            raise
        logger.info("version %d was refused (%s); asking for %d", asked[0], error, asked[1])
        params = _params(clients, asked[1:])
        answer = await connection.request(INITIALIZE, params)
    answered = answer.get("protocolVersion") if isinstance(answer, dict) else None
    client = clients.get(answered) if type(answered) is int else None
    if client is None:
        raise VersionNotSpoken(answered, sorted(clients))
    return _begin(connection, handler, client, params, answer)


def _params(clients: Mapping[int, ClientBase[Any]], wanted: Sequence[int]) -> dict[str, Any]:
    """The params for some versions: the shapes of all of them in one object, the newest on top."""
    found: dict[str, Any] = {}
    for version in sorted(wanted):
        found = merged(found, clients[version].initialize_params())
    return found


def _begin(
    connection: Connection,
    handler: ClientHandler,
    client: ClientBase[Any],
    params: dict[str, Any],
    answer: dict[str, Any],
) -> Peer:
    row = client.TABLE.rows[INITIALIZE, "agent", "request"]
    try:
        response = decode(client.TABLE.result_type(row), answer)
    except DecodeError as error:
        raise InvalidResponse(error.problems, INITIALIZE, answer) from None
    request = decode(client.TABLE.params_type(row), params)
    sessions = Sessions(client.TABLE)
    gates = Gates(client.TABLE, client.CAPABILITIES, request, response, client.states, sessions)
    peer = client.PEER(connection)
    peer.initialized(gates, sessions, request, response)
    peer.calls = ClientCalls(client, peer, gates, sessions)
    handler.use(peer.calls)
    return peer
