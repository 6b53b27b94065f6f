# Part of acpgen's runtime, copied as it is. Do not edit.
"""Routes what one initialized connection receives to the methods of an implementation.

A request is looked up by (method, kind), so an unknown one is -32601 before anything in it is
read; then come its gate, its params, and what they need. A handler is called only with all of it in
order.
"""

from __future__ import annotations

import functools
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from .base import decode
from .errors import DecodeError, InternalError, InvalidParams, MethodNotFound, RpcError
from .expressions import parse
from .gates import Gates, Violation
from .implementation import Implementation, method_not_found
from .negotiation import invalid_params
from .peer import Peer
from .sessions import Sessions
from .table import Kind, Row

logger = logging.getLogger(__name__)

_ERRORS: dict[int, type[MethodNotFound] | type[InvalidParams]] = {
    class_.CODE: class_ for class_ in (MethodNotFound, InvalidParams)
}


class Route:
    """One method of an implementation. call: its handler. early: the gate can be judged before the
    params are read, because it asks for no state that depends on them.
    """

    __slots__ = ("call", "early", "row", "type")

    def __init__(self, row: Row, call: Callable[..., Any], type_: Any, early: bool) -> None:
        self.row = row
        self.call = call
        self.type = type_
        self.early = early


class Calls:
    """What a connection receives after `initialize`. peer: handed to every handler."""

    def __init__(
        self, implementation: Implementation, peer: Peer, gates: Gates, sessions: Sessions
    ) -> None:
        self.implementation = implementation
        self.peer = peer
        self.gates = gates
        self.sessions = sessions
        self._routes: dict[tuple[str, Kind], Route | None] = {}

    async def request(self, method: str, params: Any) -> Any:
        """Answer a request. Raises RpcError for every answer that is an error."""
        if method[:1] == "_":
            return await self.implementation.ext_method(method, params, self.peer)
        route = self._route(method, "request")
        if route is None:
            implementation = self.implementation
            missing = implementation.TABLE.missing(method, implementation.SIDE)
            raise method_not_found(method, missing, implementation.VERSION)
        if route.early:
            self._gate(route, params)
        value = self._read(route, params)
        if not route.early:
            self._gate(route, value)
        if route.row.checks and (found := self.gates.check_params(route.row, value)):
            raise _forbidden(found)
        row = route.row
        self.sessions.started(row, value)
        try:
            result = self._answer(route, value, await self._call(route, value))
        finally:
            self.sessions.ended(row, value)
        self.sessions.answered(row, value, result)
        return result

    def notify(self, method: str, params: Any) -> Awaitable[None] | None:
        """Take a notification. What is unknown, malformed or not advertised is dropped, and
        logged.
        """
        if method[:1] == "_":
            return self.implementation.ext_notification(method, params, self.peer)
        route = self._route(method, "notification")
        if route is None:
            logger.debug("ignored notification %s: nothing here takes it", method)
            return None
        row = route.row
        try:
            value = decode(route.type, {} if params is None else params)
        except DecodeError as error:
            logger.warning("dropped notification %s: %s", method, error)
            return None
        if row.requires and (refusal := self.gates.why_not(row, value)):
            logger.warning("dropped notification %s: %s", method, refusal)
            return None
        if row.checks and (found := self.gates.check_params(row, value)):
            logger.warning("dropped notification %s: %s", method, "; ".join(map(str, found)))
            return None
        return self._take(route, value)

    def _route(self, method: str, kind: Kind) -> Route | None:
        key = method, kind
        try:
            return self._routes[key]
        except KeyError:
            # Only what the table knows is remembered, so that a peer cannot fill the memory.
            if key not in self.implementation.HANDLERS:
                return None
            route = self._routes[key] = self._find(method, kind)
            return route

    def _find(self, method: str, kind: Kind) -> Route | None:
        implementation = self.implementation
        row = implementation.TABLE.get(method, implementation.SIDE, kind)
        if row is None or not self._is_taken(method, kind):
            return None
        leaves = parse(row.requires).leaves() if row.requires else ()
        states = implementation.TABLE.states
        early = all(
            leaf.op == "capability"
            or (leaf.name in states and states[leaf.name].known_by == "initialize")
            for leaf in leaves
        )
        call = getattr(implementation, implementation.HANDLERS[method, kind])
        return Route(row, call, implementation.TABLE.params_type(row), early)

    def _is_taken(self, method: str, kind: Kind) -> bool:
        return self.implementation.implements(method, kind)

    def _gate(self, route: Route, params: Any) -> None:
        row = route.row
        if row.requires and (refusal := self.gates.why_not(row, params)):
            class_ = _ERRORS.get(row.error)
            message, data = f"{row.method}: {refusal}", {"method": row.method}
            if class_ is None:
                raise RpcError(row.error, message, data)
            raise class_(message, data)

    def _read(self, route: Route, params: Any) -> Any:
        try:
            return decode(route.type, {} if params is None else params)
        except DecodeError as error:
            raise invalid_params(error.problems) from None

    def _call(self, route: Route, value: Any) -> Awaitable[Any]:
        result: Awaitable[Any] = route.call(value, self.peer)
        return result

    def _take(self, route: Route, value: Any) -> Awaitable[None] | None:
        result: Awaitable[None] | None = route.call(value, self.peer)
        return result

    def _answer(self, route: Route, params: Any, result: Any) -> Any:
        """What is written: `{}` for nothing. Raises InternalError for an answer that may not be."""
        row = route.row
        if result is None:
            type_ = self.implementation.TABLE.result_type(row)
            if type_ is not None and not may_be_empty(type_):
                logger.error("the handler of %s gave no result", row.method)
                raise InternalError()
            return {}
        if row.result_checks:
            found = self.gates.check_result(row, result, params, sending=True)
            if found:
                lines = "; ".join(map(str, found))
                logger.error("the result of %s may not be sent: %s", row.method, lines)
                raise InternalError()
        return result


@functools.lru_cache(maxsize=512)
def may_be_empty(type_: Any) -> bool:
    """`{}` is a value of this type."""
    try:
        decode(type_, {})
    except DecodeError:
        return False
    return True


def _forbidden(found: list[Violation]) -> RpcError:
    problems = [(item.pointer, item.message, "gate") for item in found]
    error: RpcError = invalid_params(problems)
    code = found[0].error
    return error if code == error.code else RpcError(code, error.message, error.data)
