# Part of acpgen's runtime, copied as it is. Do not edit.
"""What the generated peers share: calls to the other end that are checked before a byte is sent."""

from __future__ import annotations

import functools
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar

from .base import decode, encode
from .errors import DecodeError, InvalidResponse, NotAdvertised, RpcError, SessionNotFound
from .gates import Capabilities, Gates, Refusal, Violation
from .places import step
from .sessions import Sessions
from .table import Row, Table

if TYPE_CHECKING:
    from .connection import Connection

AnyPeer = TypeVar("AnyPeer", bound="Peer")

quiet: ContextVar[str] = ContextVar("acp_quiet", default="")
"""The request whose handler may send no update, where one is running (its method's name)."""


class Refused(NotAdvertised, ValueError):
    """A call that breaks a rule of the protocol about its own content, such as a relative `cwd`. It
    was refused here; nothing was sent.

    violations: every place that is at fault.
    """

    def __init__(self, what: str, violations: list[Violation]) -> None:
        first = violations[0]
        missing = first.refusal.path if first.refusal is not None else ""
        side = (first.refusal.side if first.refusal is not None else None) or ""
        super().__init__(what, missing, side, first.pointer)
        self.violations = violations

    def __str__(self) -> str:
        return f"{self.what}: {'; '.join(map(str, self.violations))}"


class Unavailable(NotAdvertised):
    """A call whose gate does not hold. It was refused here; nothing was sent. refusal: why."""

    def __init__(self, what: str, refusal: Refusal) -> None:
        super().__init__(what, refusal.path, refusal.side or "")
        self.refusal = refusal

    def __str__(self) -> str:
        return f"{self.what}: {self.refusal}"


class Peer:
    """The other end of a connection, as one side of one surface sees it.

    connection: what carries the calls. calls: what routes the peer's own calls, for the runtime.
    """

    TABLE: ClassVar[Table]
    CAPABILITIES: ClassVar[Capabilities]
    SIDE: ClassVar[Literal["agent", "client"]]
    KIND: ClassVar[Any] = None  # the kind of update that params hold, the fast way

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.calls: Any = None
        self._gates: Gates | None = None
        self._sessions: Sessions | None = None
        self._free: set[Any] = set()
        self._decoders: dict[str, Any] = {}
        self._messages: list[Any] = [None, None]

    def initialized(self, gates: Gates, sessions: Sessions, request: Any, response: Any) -> None:
        """`initialize` was answered: from now on calls can be made. Called by the runtime.

        sessions: is told what is sent and answered; gates ask it.
        """
        self._gates = gates
        self._sessions = sessions
        self._messages = [request, response]

    async def close(self) -> None:
        """Close the connection."""
        await self.connection.close()

    async def __aenter__(self: AnyPeer) -> AnyPeer:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.close()

    @property
    def gates(self) -> Gates:
        """The checkers of this connection. Raises RuntimeError before `initialize` was answered."""
        if self._gates is None:
            raise RuntimeError("nothing can be sent before `initialize` is answered")
        return self._gates

    def _message(self, index: int) -> Any:
        """The params (0) or the result (1) of `initialize`, decoded when first asked for."""
        found = self._messages[index]
        if isinstance(found, dict):
            row = self.TABLE.rows["initialize", "agent", "request"]
            type_ = self.TABLE.result_type(row) if index else self.TABLE.params_type(row)
            found = self._messages[index] = decode(type_, found)
        return found

    def supports(self, method: str, kind: Literal["request", "notification"] = "request") -> bool:
        """The peer takes this method, as far as capabilities tell; False for an unknown one."""
        row = self.TABLE.get(method, self.SIDE, kind)
        return row is not None and self.gates.supports(row)

    def why_not(
        self, method: str, kind: Literal["request", "notification"] = "request"
    ) -> Refusal | None:
        """Why the peer does not take this method: the missing capability and who has to advertise
        it. Raises KeyError for a method that this surface does not know.
        """
        row = self.TABLE.get(method, self.SIDE, kind)
        if row is None:
            raise KeyError(f"{method} ({kind} to the {self.SIDE})")
        return self.gates.why_not(row)

    async def ext_request(self, method: str, params: Any = None) -> Any:
        """Send a request of an extension; its name begins with `_`. Gives the result as JSON.

        Raises RpcError where the peer answers with one, ValueError for any other name.
        """
        return await self.connection.request(_extension(method), params)

    async def ext_notify(self, method: str, params: Any = None) -> None:
        """Send a notification of an extension; its name begins with `_`, else ValueError."""
        await self._sent(self.connection.notify(_extension(method), params))

    async def _request(self, method: str, params: Any) -> Any:
        row = self.TABLE.rows[method, self.SIDE, "request"]
        self._check(row, params)
        decoder = self._decoders.get(method)
        if decoder is None:
            read = functools.partial(read_result, self.TABLE.result_type(row))
            decoder = self._decoders[method] = read
        sessions = self._sessions
        assert sessions is not None, "_check raises before initialize"
        sessions.started(row, params)
        try:
            result = await self.connection.request(method, params, decode=decoder)
        finally:
            sessions.ended(row, params)
        if row.result_checks:
            found = self.gates.check_result(row, result, params, sending=False)
            if found:
                problems = [(item.pointer, item.message, "rule") for item in found]
                raise InvalidResponse(problems, method, encode(result))
        sessions.answered(row, params, result)
        return result

    async def _request_end(self, method: str, params: Any) -> Any:
        """A request that ends a session; one that the peer does not know counts as ended."""
        try:
            return await self._request(method, params)
        except RpcError as error:
            if error.code != SessionNotFound.CODE:
                raise
        return read_result(self.TABLE.result_type(self.TABLE[method, self.SIDE, "request"]), {})

    async def _notify(self, method: str, params: Any) -> None:
        row = self.TABLE.rows[method, self.SIDE, "notification"]
        self._check(row, params)
        await self._sent(self.connection.notify(method, params))

    @staticmethod
    async def _sent(writing: Any) -> None:
        if writing is not None:
            await writing

    def _answer_permissions(self, session_id: str) -> None:
        """Answer the session's permission requests with `cancelled`."""
        if self.calls is not None:
            self.calls.permissions.end(session_id)

    def _check(self, row: Row, params: Any) -> None:
        """Raises NotAdvertised (Unavailable, Refused) for what may not be sent."""
        gates = self.gates
        if row.requires and (refusal := gates.why_not(row, params)):
            raise Unavailable(row.method, refusal)
        if row.method == self.TABLE.update_method:
            self._check_update(row, params, gates)
        elif row.checks and (found := gates.check_params(row, params, sending=True)):
            raise Refused(row.method, found)

    def _check_update(self, row: Row, params: Any, gates: Gates) -> None:
        if method := quiet.get():
            raise RuntimeError(f"no {row.method} is sent while {method} is answered")
        kind = self._kind(params)
        if kind in self._free:
            return
        if found := gates.check_notification(row, params, sending=True):
            raise Refused(row.method, found)
        assert self._sessions is not None
        item = self.TABLE.updates.get(kind)
        gated = item is None or item.requires or item.checks or row.checks
        if gated or self._sessions.watches(kind):
            self._sessions.updated(params)
        else:
            self._free.add(kind)

    def _kind(self, params: Any) -> str:
        try:
            kind = self.KIND(params)
        except (AttributeError, TypeError):  # JSON, or no update
            update = params
            for key in self.TABLE.update_at:
                update = step(update, key)
            kind = step(update, self.TABLE.update_tag)
        return kind if isinstance(kind, str) else ""


def read_result(type_: Any, result: Any) -> Any:
    """A result as its type. null reads as `{}` where nothing in it is required, and is malformed
    otherwise. Raises DecodeError.
    """
    if type_ is None:
        return result
    if result is None:
        try:
            return decode(type_, {})
        except DecodeError:
            pass
    return decode(type_, result)


def _extension(method: str) -> str:
    if not method.startswith("_") or method == "_":
        raise ValueError(f"{method!r}: the name of an extension begins with `_`, and goes on")
    return method
