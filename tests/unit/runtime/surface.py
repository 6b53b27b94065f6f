"""A small surface for tests of the runtime: three methods a side, one capability each."""

from __future__ import annotations

from typing import Any, ClassVar

from acpgen.runtime.agent_base import AgentBase
from acpgen.runtime.client_base import ClientBase
from acpgen.runtime.gates import Capabilities
from acpgen.runtime.implementation import Handlers, Implementation, method_not_found
from acpgen.runtime.peer import Peer
from acpgen.runtime.table import Row, Table

MODELS = "tests.unit.runtime.sample"
TABLE = Table(
    version=1,
    channel="stable",
    models=MODELS,
    rows=(
        Row("open", "agent", "request", "Message", "Message"),
        Row("list", "agent", "request", "Message", "Message", requires="agent: session.list"),
        Row("drop", "agent", "request", "Message", "Message", requires="agent: session.drop"),
        Row("drop_all", "agent", "request", "Message", "Message", requires="agent: session.drop"),
        Row("read", "client", "request", "Message", "Message", requires="client: read"),
        Row("ask", "client", "request", requires="any(client: form, client: url)"),
    ),
)
CAPABILITIES = Capabilities(
    roots={"agent": "agentCapabilities", "client": "clientCapabilities"},
    kinds={
        "agent": {
            "session": "object",
            "session.list": "object",
            "session.drop": "object",
            "extra": "boolean",
        },
        "client": {"read": "boolean", "form": "object", "url": "object"},
    },
)


class Agent(AgentBase[Peer]):
    VERSION: ClassVar[int] = 1
    TABLE: ClassVar[Table] = TABLE
    CAPABILITIES: ClassVar[Capabilities] = CAPABILITIES
    PEER: ClassVar[type[Peer]] = Peer
    INFO: ClassVar[str] = "agentInfo"
    HANDLERS: ClassVar[Handlers] = {
        (name, "request"): name for name in ("open", "list", "drop", "drop_all")
    }

    async def open(self, params: Any, peer: Any) -> Any:
        raise method_not_found("open")

    async def list(self, params: Any, peer: Any) -> Any:
        raise method_not_found("list")

    async def drop(self, params: Any, peer: Any) -> Any:
        raise method_not_found("drop")

    async def drop_all(self, params: Any, peer: Any) -> Any:
        raise method_not_found("drop_all")


class Client(ClientBase[Peer]):
    VERSION: ClassVar[int] = 1
    TABLE: ClassVar[Table] = TABLE
    CAPABILITIES: ClassVar[Capabilities] = CAPABILITIES
    PEER: ClassVar[type[Peer]] = Peer
    HANDLERS: ClassVar[Handlers] = {(name, "request"): name for name in ("read", "ask")}

    async def read(self, params: Any, peer: Any) -> Any:
        raise method_not_found("read")

    async def ask(self, params: Any, peer: Any) -> Any:
        raise method_not_found("ask")


Agent.BASE = Agent
Client.BASE = Client


def with_methods(base: type[Implementation], *names: str) -> Any:
    """A subclass that overrides some methods."""

    async def handler(self: Any, params: Any, peer: Any) -> Any:
        return None

    return type("Mine", (base,), dict.fromkeys(names, handler))
