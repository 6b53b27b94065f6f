# Part of acpgen's runtime, copied as it is. Do not edit.
"""What goes wrong with a value or with its peer.

A value that is not what its type says (DecodeError), an error that a peer answers with (RpcError:
one class for each code that the protocol names), an answer that is none (InvalidResponse), a
connection that is gone (ConnectionClosed), a call that was refused before it was sent
(NotAdvertised).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from pydantic_core import CoreSchema, ValidationError

from .locate import Found, escape, locate

_MESSAGES = {
    "missing": "is required",
    "none_required": "must be null",
    "extra_forbidden": "is not allowed here",
    "model_type": "must be an object",
    "model_attributes_type": "must be an object",
    "dict_type": "must be an object",
    "list_type": "must be an array",
    "string_type": "must be a string",
    "int_type": "must be an integer",
    "int_from_float": "must be an integer",
    "float_type": "must be a number",
    "bool_type": "must be true or false",
    "finite_number": "must be finite",
    "union_tag_not_found": "is required",
}

Item = tuple[str, str, str]


class DecodeError(ValueError):
    """A value is not what its type says.

    problems: one (pointer, message, kind) for each place that is wrong. The pointer (RFC 6901)
      leads into the wire value, "" is the whole of it; a missing property is named by the pointer
      that it would have. kind is a short constant.
    """

    def __init__(self, problems: Iterable[Item], title: str = "") -> None:
        self.problems: list[Item] = list(problems)
        self.title = title
        super().__init__(self.problems, title)

    def __str__(self) -> str:
        lines = "; ".join(
            f"{pointer or 'the value'} {message}" for pointer, message, _kind in self.problems
        )
        return f"{self.title}: {lines}" if self.title else lines

    @classmethod
    def of(cls, error: ValidationError, schema: CoreSchema, value: object) -> DecodeError:
        """From what pydantic says about a value that was read by this schema."""
        found: list[Found] = []
        for item in error.errors(include_url=False, include_context=True, include_input=False):
            found.append(
                locate(schema, item["loc"], item["type"], value, item.get("ctx", {}), item["msg"])
            )
        meant = [item for item in found if item.meant] or found
        problems: dict[str, Item] = {}
        for one in meant:
            pointer = "".join(f"/{escape(str(step))}" for step in one.path)
            problems.setdefault(pointer, (pointer, _message(one), one.kind))
        return cls(problems.values(), error.title)


def _message(item: Found) -> str:
    if item.kind == "union_tag_invalid":
        return f"must be one of {item.context.get('expected_tags', '')}"
    if item.kind in ("literal_error", "enum"):
        return f"must be {item.context.get('expected', '')}"
    fixed = _MESSAGES.get(item.kind)
    if fixed is not None:
        return fixed
    text: Any = item.message
    return str(text[:1].lower() + text[1:])


class InvalidResponse(DecodeError):
    """The peer's answer is not one: neither result nor error, or a result of another shape.

    problems: see DecodeError; the pointers lead into the result. method: the one that was called.
    raw: what came, as JSON; the result, or the whole message where that is at fault.
    """

    def __init__(self, problems: Iterable[Item], method: str, raw: Any) -> None:
        super().__init__(problems, f"answer to {method}")
        self.method = method
        self.raw = raw
        self.args = (self.problems, method, raw)


class ConnectionClosed(Exception):
    """The connection is closed, by either end; the message says why. Nothing is answered on it any
    more.
    """


class NotAdvertised(Exception):
    """A call that the peer did not say it supports. It was refused here; nothing was sent.

    what: the call or the part of it. missing: the capability that it needs, as a path. side: who
    would have to advertise it, "agent" or "client". pointer: the part of the params (RFC 6901), ""
    for the whole call.
    """

    def __init__(self, what: str, missing: str, side: str, pointer: str = "") -> None:
        super().__init__(what, missing, side, pointer)
        self.what = what
        self.missing = missing
        self.side = side
        self.pointer = pointer

    def __str__(self) -> str:
        part = f" at {self.pointer}" if self.pointer else ""
        return f"{self.what}{part} needs {self.missing}, which the {self.side} does not advertise"


class RpcError(Exception):
    """An error as JSON-RPC has it: what a handler raises to answer with it, and what a call raises
    when the peer answered with one.

    code: an integer. message: one sentence. data: any JSON value; None is left out on the wire.
    """

    code: int
    message: str
    data: Any

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(code, message, data)
        self.code = code
        self.message = message
        self.data = data

    def __str__(self) -> str:
        text = f"{self.message} ({self.code})"
        return text if self.data is None else f"{text}: {self.data!r}"

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.code, self.message, self.data)

    def to_wire(self) -> dict[str, Any]:
        """The error object of an answer."""
        wire: dict[str, Any] = {"code": self.code, "message": self.message}
        if self.data is not None:
            wire["data"] = self.data
        return wire

    @staticmethod
    def of(error: object) -> RpcError:
        """The error object of an answer, as the class of its code.

        What is no error object becomes an InternalError with it as its data, so that a peer that
        answers with a bare string is still understood.
        """
        if not isinstance(error, dict):
            text = error if isinstance(error, str) else "the peer answered with a malformed error"
            return InternalError(text, error)
        code, message = error.get("code"), error.get("message")
        if isinstance(code, float) and code.is_integer():
            code = int(code)
        if isinstance(code, bool) or not isinstance(code, int):
            text = message if isinstance(message, str) else "the peer's error has no code"
            return InternalError(text, error)
        if not isinstance(message, str):
            message = "the peer's error has no message"
        data = error.get("data")
        class_ = _CLASSES.get(code, RpcError)
        if class_ is ResourceNotFound and isinstance(data, dict) and "sessionId" in data:
            class_ = SessionNotFound
        return _rebuild(class_, code, message, data)


def _rebuild(class_: type[RpcError], code: int, message: str, data: Any) -> RpcError:
    error = class_.__new__(class_)
    RpcError.__init__(error, code, message, data)
    return error


class _Named(RpcError):
    """An error whose code the protocol names."""

    CODE: ClassVar[int]
    MESSAGE: ClassVar[str]

    def __init__(self, message: str | None = None, data: Any = None) -> None:
        super().__init__(self.CODE, self.MESSAGE if message is None else message, data)


class ParseError(_Named):
    """-32700: what came is not JSON."""

    CODE, MESSAGE = -32700, "Parse error"


class InvalidRequest(_Named):
    """-32600: JSON, but no request, or one that is not allowed now."""

    CODE, MESSAGE = -32600, "Invalid request"


class MethodNotFound(_Named):
    """-32601: no such method here, or one that is not advertised.

    data: {"method": ...}. Of a method that only another version, release or channel of the protocol
    has also {"protocolVersion": the version that is spoken, "definedBy": [the versions that have
    it], "replacedBy": [the methods of this version that do the same]}, and maybe a "hint".
    """

    CODE, MESSAGE = -32601, "Method not found"

    @property
    def replaced_by(self) -> list[Any] | None:
        """The methods that do the same in this version, as they stand in data; None where data does
        not say.
        """
        found = self.data.get("replacedBy") if isinstance(self.data, dict) else None
        return found if isinstance(found, list) else None


class InvalidParams(_Named):
    """-32602: the params are not what the method takes."""

    CODE, MESSAGE = -32602, "Invalid params"


class InternalError(_Named):
    """-32603: the handler failed."""

    CODE, MESSAGE = -32603, "Internal error"


class RequestCancelled(_Named):
    """-32800: the caller cancelled the request."""

    CODE, MESSAGE = -32800, "Request cancelled"


class AuthRequired(_Named):
    """-32000: the client has to authenticate first."""

    CODE, MESSAGE = -32000, "Authentication required"


class ResourceNotFound(_Named):
    """-32002: a resource, such as a file, does not exist."""

    CODE, MESSAGE = -32002, "Resource not found"


class SessionNotFound(ResourceNotFound):
    """-32002 for a session that is unknown or not active; data: {"sessionId": ...}."""

    def __init__(self, session_id: str) -> None:
        super().__init__("Session not found", {"sessionId": session_id})

    @property
    def session_id(self) -> Any:
        """The id, as it stands in data."""
        return self.data.get("sessionId") if isinstance(self.data, dict) else None


class UnsupportedProtocolVersion(_Named):
    """-32022: the agent serves no version that the client could speak.

    data: {"requested": ..., "supported": [...]}.
    """

    CODE, MESSAGE = -32022, "Unsupported protocol version"

    def __init__(self, requested: int, supported: Iterable[int]) -> None:
        super().__init__(data={"requested": requested, "supported": sorted(supported)})

    @property
    def requested(self) -> Any:
        """What the client asked for, as it stands in data."""
        return self.data.get("requested") if isinstance(self.data, dict) else None

    @property
    def supported(self) -> list[Any]:
        """What the agent serves, as it stands in data."""
        found = self.data.get("supported") if isinstance(self.data, dict) else None
        return found if isinstance(found, list) else []


_CLASSES: dict[int, type[RpcError]] = {
    class_.CODE: class_
    for class_ in (
        ParseError,
        InvalidRequest,
        MethodNotFound,
        InvalidParams,
        InternalError,
        RequestCancelled,
        AuthRequired,
        ResourceNotFound,
        UnsupportedProtocolVersion,
    )
}
