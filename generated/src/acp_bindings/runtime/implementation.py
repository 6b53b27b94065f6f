# Part of acpgen's runtime, copied as it is. Do not edit.
"""What agents and clients share: which methods they implement, and what they say of themselves."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from pydantic import BaseModel

from .agreement import Disagreement, disagreements, implied
from .base import encode
from .errors import MethodNotFound
from .expressions import parse
from .gates import Capabilities
from .sessions import StateHook
from .table import Elsewhere, Kind, Table

logger = logging.getLogger(__name__)

Handlers = Mapping[tuple[str, Kind], str]
"""(method, kind) -> the name of the Python method that handles it."""

INITIALIZE = "initialize"


@dataclass(frozen=True, slots=True)
class Agreement:
    """What is advertised against what is implemented, a sentence each.

    missing: advertised, not implemented. partial: implemented in part, so that what would open it
    is not advertised. unreachable: implemented, not advertised, so that nobody calls it.
    """

    missing: Sequence[str] = ()
    partial: Sequence[str] = ()
    unreachable: Sequence[str] = ()


class Implementation:
    """One end of a surface, as its author writes it.

    info: name and version of the program (`Implementation`). capabilities: what the overridden
      methods do not say by themselves. meta: `_meta` of the `initialize` message. states: answers
      to the named states that gates ask for and that only the author knows: name -> function of
      (params, value at the place or None) -> whether it holds.
    All of them are class attributes or arguments.
    """

    VERSION: ClassVar[int]
    SIDE: ClassVar[Literal["agent", "client"]]
    TABLE: ClassVar[Table]
    CAPABILITIES: ClassVar[Capabilities]
    HANDLERS: ClassVar[Handlers]
    BASE: ClassVar[type[Implementation]]
    INFO: ClassVar[str] = ""  # wire name of the property that holds `info`

    info: Any = None
    capabilities: Any = None
    meta: dict[str, Any] | None = None
    states: Mapping[str, StateHook] = {}

    def __init__(
        self,
        *,
        info: Any = None,
        capabilities: Any = None,
        meta: dict[str, Any] | None = None,
        states: Mapping[str, StateHook] | None = None,
    ) -> None:
        """Raises ValueError where what is advertised and what is implemented do not agree."""
        for name, value in (
            ("info", info),
            ("capabilities", capabilities),
            ("meta", meta),
            ("states", states),
        ):
            if value is not None:
                setattr(self, name, value)
        self.check_agreement()

    async def ext_method(self, method: str, params: Any, peer: Any, /) -> Any:
        """Answer a request of an extension. method: its exact name, which begins with `_`. params
        and the result are JSON. Raise MethodNotFound(method) for names that are not known.
        """
        raise method_not_found(method)

    async def ext_notification(self, method: str, params: Any, peer: Any, /) -> None:
        """Take a notification of an extension; ignored unless overridden."""

    def implements(self, method: str, kind: Kind = "request") -> bool:
        """The method is overridden."""
        return (method, kind) in self.implemented()

    def implemented(self) -> set[tuple[str, Kind]]:
        """(method, kind) of everything that is overridden."""
        return {
            key
            for key, name in self.HANDLERS.items()
            if getattr(type(self), name) is not getattr(self.BASE, name) or name in vars(self)
        }

    def advertised(self) -> dict[str, Any]:
        """The capabilities object (JSON) that the `initialize` message carries: what follows from
        the overridden methods, and over it what the author declares. A declared false or None takes
        back what follows.
        """
        derived = implied(self.TABLE, self.CAPABILITIES, self.SIDE, self.implemented())
        found: dict[str, Any] = merged(derived, declared(self.capabilities))
        return found

    def own_message(self) -> dict[str, Any]:
        """The `initialize` message (JSON) of this end, without the version."""
        message: dict[str, Any] = {self.CAPABILITIES.roots[self.SIDE]: self.advertised()}
        if self.INFO:
            info = encode(self.info) if self.info is not None else _unnamed(type(self))
            message[self.INFO] = info
        if self.meta is not None:
            message["_meta"] = encode(self.meta)
        return message

    def check_agreement(self) -> None:
        """What is advertised is implemented, and the other way round. Raises ValueError, naming
        both; what misleads no peer is logged instead.
        """
        if self.SIDE not in self.CAPABILITIES.roots:
            return
        found = self.agreement(self.own_message())
        for line in found.unreachable:
            logger.warning("%s: %s", type(self).__name__, line)
        wrong = self._wrong(found)
        if wrong:
            raise ValueError(f"{type(self).__name__}: {'; '.join(wrong)}")

    def _wrong(self, found: Agreement) -> list[str]:
        """What keeps this from being built."""
        return [*found.missing, *found.partial]

    def agreement(self, message: Mapping[str, Any]) -> Agreement:
        """An `initialize` message of this end (JSON) against its methods."""
        missing, partial, unreachable = [], [], []
        for item in disagreements(
            self.TABLE, self.CAPABILITIES, self.SIDE, message, self.implemented()
        ):
            if item.kind == "advertised":
                missing.append(str(item))
            elif not self._taken_back(item):
                rest = self._rest(item.requires)
                if rest:
                    partial.append(f"{item}: that also needs {', '.join(rest)}")
                else:
                    unreachable.append(str(item))
        return Agreement(missing, partial, unreachable)

    def _rest(self, requires: str) -> list[str]:
        """The methods of a gate that are not implemented, by their names in Python."""
        own = self.implemented()
        return [
            self.HANDLERS[row.method, row.kind]
            for row in self.TABLE.received_by(self.SIDE)
            if row.requires == requires and (row.method, row.kind) not in own
        ]

    def _taken_back(self, item: Disagreement) -> bool:
        """The author declares that capability, and declares it absent."""
        value: Any = declared(self.capabilities)
        expression = parse(item.requires)
        if expression.op != "capability":
            return False
        for key in expression.path:
            if not isinstance(value, Mapping) or key not in value:
                return False
            value = value[key]
            if value is None or value is False:
                return True
        return False


def method_not_found(
    method: str, missing: Elsewhere | None = None, version: int | None = None
) -> MethodNotFound:
    """The error -32601 with the method in its data.

    missing: what is known of it elsewhere; the data then says what does the same in this version of
    the protocol.
    """
    if missing is None:
        return MethodNotFound(f"Method not found: {method}", {"method": method})
    data = {
        "method": method,
        "protocolVersion": version,
        "definedBy": list(missing.defined_by),
        "replacedBy": list(missing.replaced_by),
    }
    told = [f"see {' or '.join(missing.replaced_by)}"] if missing.replaced_by else []
    if missing.hint:
        told.append(missing.hint)
        data["hint"] = missing.hint
    return MethodNotFound(f"Method not found: {method} ({'; '.join(told)})", data)


def declared(value: Any) -> Any:
    """What an author set, as JSON: of a model only the fields that were given, None among them."""
    if isinstance(value, BaseModel):
        wire = getattr(type(value), "__wire__", None)
        given = value.model_fields_set & type(value).model_fields.keys()
        return {
            **(encode(value.model_extra) if value.model_extra else {}),
            **{
                (wire.of(name) if wire is not None else name): declared(getattr(value, name))
                for name in sorted(given)
            },
        }
    if isinstance(value, Mapping):
        return {key: declared(item) for key, item in value.items()}
    return encode(value)


def merged(base: Any, over: Any) -> Any:
    """JSON over JSON: objects key by key; None removes; anything else replaces."""
    if not isinstance(base, Mapping) or not isinstance(over, Mapping):
        return base if over is None else over
    result = dict(base)
    for key, value in over.items():
        if value is None:
            result.pop(key, None)
        elif isinstance(value, Mapping):
            inner = base.get(key)
            result[key] = merged(inner if isinstance(inner, Mapping) else {}, value)
        else:
            result[key] = value
    return result


def _unnamed(class_: type) -> dict[str, str]:
    return {"name": class_.__name__, "version": "0"}


def without(items: Sequence[Any], indices: set[int]) -> list[Any]:
    """The items of a list but those at some places."""
    return [item for index, item in enumerate(items) if index not in indices]
