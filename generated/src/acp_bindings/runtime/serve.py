# Part of acpgen's runtime, copied as it is. Do not edit.
"""Serve agents on a connection or on stdio: one for each protocol version that is spoken."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .agent_base import AgentBase, AgentHandler
from .connection import Connection
from .framing import MAX_LINE
from .stdio import run_stdio

if TYPE_CHECKING:
    from .negotiation import Policy
    from .transport import ByteStream, Transport
    from .wirelog import WireLog


async def serve(
    transport: Transport | ByteStream,
    *agents: AgentBase[Any],
    policy: Policy | None = None,
    max_line: int = MAX_LINE,
    wire_log: WireLog | None = None,
) -> None:
    """Serve a client until it, or `close`, ends the connection.

    agents: one for each version that is spoken; the client's `initialize` picks. policy: how it
    picks (`negotiation.newest_at_or_below` unless given). Raises ValueError for two agents of one
    version, or where an agent advertises what it does not implement.
    """
    await agent_connection(
        transport, *agents, policy=policy, max_line=max_line, wire_log=wire_log
    ).run()


def run_agent(
    *agents: AgentBase[Any],
    policy: Policy | None = None,
    max_line: int = MAX_LINE,
    threads: bool | None = None,
) -> None:
    """Serve on stdin and stdout until the client closes them: the whole program of an agent.

    stdout belongs to the protocol from here on; what is printed goes to stderr. Arguments and
    errors are those of `serve`; threads: see `streams.open_pipes`.
    """
    handler = AgentHandler(agents, policy)  # faults are raised before stdio is touched

    async def run(stream: ByteStream) -> None:
        await _connection(stream, handler, max_line, None).run()

    run_stdio(run, threads=threads)


def agent_connection(
    transport: Transport | ByteStream,
    *agents: AgentBase[Any],
    policy: Policy | None = None,
    max_line: int = MAX_LINE,
    wire_log: WireLog | None = None,
) -> Connection:
    """The connection that `serve` runs, not yet running."""
    return _connection(transport, AgentHandler(agents, policy), max_line, wire_log)


def _connection(
    transport: Transport | ByteStream,
    handler: AgentHandler,
    max_line: int,
    wire_log: WireLog | None,
) -> Connection:
    connection = Connection(transport, handler, role="agent", max_line=max_line, wire_log=wire_log)
    handler.attach(connection)
    return connection
