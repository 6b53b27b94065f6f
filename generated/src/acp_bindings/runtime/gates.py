# Part of acpgen's runtime, copied as it is. Do not edit.
"""What a peer may send, given the two `initialize` messages: capabilities, gates, checks.

A boolean capability holds when it is `true`; one that is an object when it is there and no null,
`{}` included; and every step of its path has to hold. A malformed value is unsupported, never an
error (decision of the protocol's readers: nothing is guessed from a value of the wrong type).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, Literal, NamedTuple, TypeAlias

from pydantic import BaseModel

from .base import decode
from .checks import CONTEXT_RULES, RULES, applies, asks_for_absence
from .errors import DecodeError
from .expressions import Expression, parse
from .places import ABSENT, leaves, step, steps_of, walk
from .sessions import Sessions, StateHook
from .table import Check, Row, Table, Update

Side: TypeAlias = Literal["agent", "client"]
CapabilityKind: TypeAlias = Literal["boolean", "object", "value"]
__all__ = ["Capabilities", "CapabilityKind", "Gates", "Refusal", "Side", "StateHook", "Violation"]

_TERMINAL = "terminal"


class Capabilities:
    """The capabilities that one surface knows.

    roots: wire name of the capabilities object in the `initialize` result (agent) and params
      (client).
    kinds: per side, dotted path -> boolean, object, or value (advertised by being there).
    """

    __slots__ = ("kinds", "roots")

    def __init__(
        self, *, roots: Mapping[Side, str], kinds: Mapping[Side, Mapping[str, CapabilityKind]]
    ) -> None:
        self.roots = roots
        self.kinds = kinds

    def holds(
        self, side: Side, path: str | tuple[str, ...], message: Any, value: str | None = None
    ) -> bool:
        """That side's `initialize` message (JSON or model) advertises the capability; with value:
        as exactly that string.
        """
        steps = tuple(path.split(".")) if isinstance(path, str) else path
        found = step(message, self.roots[side])
        for depth, key in enumerate(steps, 1):
            if not _is_object(found):
                return False
            found = step(found, key)
            if depth < len(steps) and found is ABSENT:
                return False
        if value is not None:
            return bool(found == value)
        kind = self.kinds[side].get(".".join(steps))
        if kind == "boolean":
            return found is True
        if kind == "object":
            return _is_object(found)
        if kind == "value":
            return found is not ABSENT
        return found is True or _is_object(found)  # an extension's own: both ways are in use

    def advertised(self, side: Side, message: Any) -> list[str]:
        """Every path that holds, in the schema's order."""
        return [path for path in self.kinds[side] if self.holds(side, path, message)]


def _is_object(value: Any) -> bool:
    return isinstance(value, (Mapping, BaseModel))


class Refusal(NamedTuple):
    """Why a gate does not hold.

    requires: the gate as text. message: a sentence. side and path: the first capability that is
    missing, and who has to advertise it; None and "" where no capability would help.
    """

    requires: str
    message: str
    side: Side | None = None
    path: str = ""

    def __str__(self) -> str:
        return self.message


class Violation(NamedTuple):
    """One place in a message that must not be there, or not like that.

    pointer: into params, result or the update's variant. error: code of the answer to a request.
    refusal: the gate that does not hold, or None for a rule about the value.
    """

    pointer: str
    message: str
    error: int
    refusal: Refusal | None = None

    def __str__(self) -> str:
        return f"{self.pointer or 'the message'} {self.message}"


class Gates:
    """The checkers of one connection, for both of its ends.

    request, response: params and result of `initialize`, as models or as JSON; None before it was
      answered, when nothing is advertised.
    states: answers to the named states that gates ask for, by name; where none is given, what the
      table says of the state counts. sessions: what was said on the connection, which answers the
      states that are known by it; it has to be told (see `sessions.Sessions`).
    """

    def __init__(
        self,
        table: Table,
        capabilities: Capabilities,
        request: Any = None,
        response: Any = None,
        states: Mapping[str, StateHook] | None = None,
        sessions: Sessions | None = None,
    ) -> None:
        self.table = table
        self.capabilities = capabilities
        self._messages: Mapping[Side, Any] = {"client": request, "agent": response}
        self._states: dict[str, StateHook] = {
            "auth_methods": lambda _params, _value: bool(self.auth_methods),
            **(sessions.hooks if sessions is not None else {}),
            **(states or {}),
        }
        self._known: dict[str, Refusal | None] = {}
        self._auth_methods: list[Any] | None = None

    # Capabilities and methods

    def has(self, side: Side, path: str) -> bool:
        """That side advertised the capability."""
        return self.capabilities.holds(side, path, self._messages[side])

    def supports(self, row: Row, params: Any = None) -> bool:
        """The method may be called, as far as its own gate goes."""
        return self.why_not(row, params) is None

    def why_not(self, row: Row, params: Any = None) -> Refusal | None:
        """Why the method may not be called: the missing path and who has to advertise it."""
        return self.refusal(row.requires, params) if row.requires else None

    def refusal(self, requires: str, params: Any = None, value: Any = None) -> Refusal | None:
        """Why a gate expression does not hold, or None where it does.

        Both messages stand still, so an answer that no state took part in is kept.
        """
        if requires in self._known:
            return self._known[requires]
        expression = parse(requires)
        found = self._evaluate(expression, params, value)
        refused = None if found is None else self._refusal(requires, found)
        if all(leaf.op != "state" for leaf in expression.leaves()):
            self._known[requires] = refused
        return refused

    # Messages

    def check_params(self, row: Row, params: Any, *, sending: bool = False) -> list[Violation]:
        """What the params of a call hold that the gates or rules forbid. params: a model or JSON.

        sending: we are about to send it; some rules bind senders alone, some receivers alone.
        """
        return list(self._violations(row.checks, params, params, None, sending))

    def check_result(
        self, row: Row, result: Any, params: Any = None, *, sending: bool = True
    ) -> list[Violation]:
        """The same for an answer. params: of the request, for rules that compare the two."""
        return list(self._violations(row.result_checks, result, params, params, sending))

    def check_notification(
        self, row: Row, params: Any, *, sending: bool = False
    ) -> list[Violation]:
        """The same for a notification, the gates of its kind of update included."""
        found = self.check_params(row, params, sending=sending) if row.checks else []
        if row.method == self.table.update_method:
            found += self._update(params, sending)
        return found

    def update_of(self, params: Any) -> Update | None:
        """The table's entry for the kind of update that a notification holds; None: unknown."""
        update = params
        for key in self.table.update_at:
            update = step(update, key)
        kind = step(update, self.table.update_tag)
        return self.table.updates.get(kind) if isinstance(kind, str) else None

    def _update(self, params: Any, sending: bool) -> list[Violation]:
        item = self.update_of(params)
        if item is None or not (item.requires or item.checks):
            return []
        base = "".join(f"/{key}" for key in self.table.update_at)
        found = []
        if item.requires and (refused := self.refusal(item.requires, params)):
            pointer = f"{base}/{self.table.update_tag}"
            found.append(Violation(pointer, f"`{item.kind}`: {refused}", -32602, refused))
        if item.checks:
            update = params
            for key in self.table.update_at:
                update = step(update, key)
            for violation in self._violations(item.checks, update, params, None, sending):
                found.append(
                    Violation(
                        base + violation.pointer,
                        violation.message,
                        violation.error,
                        violation.refusal,
                    )
                )
        return found

    def _violations(
        self, checks: tuple[Check, ...], message: Any, params: Any, asked: Any, sending: bool
    ) -> Iterator[Violation]:
        skipped = "receiver" if sending else "sender"
        held: dict[str, list[Any]] = {}
        for check in checks:
            if check.by == skipped:
                continue
            steps = steps_of(check.at)
            values = held.get(check.at)
            if values is None:
                values = held[check.at] = leaves(message, steps)
            if not any(_concerns(check, value) for value in values):
                continue
            seen: dict[str, list[Any]] = {}
            for pointer, value in walk(message, steps):
                if not _concerns(check, value):
                    continue
                if check.requires and (refused := self.refusal(check.requires, params, value)):
                    yield Violation(pointer, _words(check, value, refused), check.error, refused)
                elif check.rule and (
                    wrong := self._rule(check, _siblings(steps, pointer, seen), value, asked)
                ):
                    yield Violation(pointer, wrong, check.error)

    def _rule(self, check: Check, seen: list[Any], value: Any, asked: Any) -> str:
        name, _, argument = check.rule.partition(" ")
        if name in RULES:
            return RULES[name](value)
        if name == "unique":
            if value in seen:
                return f"repeats {value!r}"
            seen.append(value)
            return ""
        if name == "offered":
            if asked is None or any(place == value for _, place in walk(asked, steps_of(argument))):
                return ""
            return f"is none of those that were offered at {argument}"
        assert name == "agent_auth_method", CONTEXT_RULES
        return self._auth_method(value)

    # What initialize said beside capabilities

    @property
    def auth_methods(self) -> list[Any]:
        """The agent's authMethods that decode; what does not is as if it had not been sent."""
        if self._auth_methods is None:
            response = self._messages["agent"]
            row = self.table.get("initialize", "agent", "request")
            if isinstance(response, Mapping) and row is not None:
                with suppress(DecodeError):  # an older or newer peer's answer: counted as it is
                    response = decode(self.table.result_type(row), response)
            found = step(response, "authMethods")
            self._auth_methods = list(found) if isinstance(found, (list, tuple)) else []
        return self._auth_methods

    def _auth_method(self, value: Any) -> str:
        for method in self.auth_methods:
            if value in (step(method, "id"), step(method, "methodId")):
                if step(method, "type") == _TERMINAL:
                    return "is a method that runs in a terminal; it is not logged into by a call"
                return ""
        return "is no method that the agent advertised"

    # Expressions

    def _evaluate(self, item: Expression, params: Any, value: Any) -> Expression | None:
        """None where it holds, else the part that does not."""
        if item.op == "capability":
            message = self._messages[item.side]
            holds = self.capabilities.holds(item.side, item.path, message, item.value)
            return None if holds else item
        if item.op == "state":
            return None if self._state(item.name, params, value) else item
        if item.op == "all":
            return next(
                (bad for part in item.parts if (bad := self._evaluate(part, params, value))), None
            )
        if item.op == "any":
            holds = any(self._evaluate(part, params, value) is None for part in item.parts)
            return None if holds else item
        if item.op == "not":
            return item if self._evaluate(item.parts[0], params, value) is None else None
        return item

    def _refusal(self, requires: str, missing: Expression) -> Refusal:
        leaf = next((leaf for leaf in missing.leaves() if leaf.op == "capability"), None)
        if leaf is None or missing.op == "not":
            return Refusal(requires, self._sentence(missing))
        return Refusal(requires, self._sentence(missing), leaf.side, ".".join(leaf.path))

    def _sentence(self, missing: Expression) -> str:
        if missing.op == "capability":
            value = "" if missing.value is None else f' as "{missing.value}"'
            return f"the {missing.side} has not advertised {'.'.join(missing.path)}{value}"
        if missing.op == "state":
            state = self.table.states.get(missing.name)
            says = f": {state.summary}" if state is not None else ""
            return f"the state `{missing.name}` does not hold{says}"
        if missing.op == "never":
            return "the protocol does not allow it"
        if missing.op == "not":
            return f"it is not to be while this holds: {missing.parts[0]}"
        sides = {part.side for part in missing.parts}
        if len(sides) == 1 and all(part.op == "capability" for part in missing.parts):
            paths = ", ".join(".".join(part.path) for part in missing.parts)
            return f"the {sides.pop()} has advertised none of {paths}"
        return f"none of these holds: {', '.join(map(str, missing.parts))}"

    def _state(self, name: str, params: Any, value: Any) -> bool:
        if hook := self._states.get(name):
            return hook(params, value)
        state = self.table.states.get(name)
        return state.default if state is not None else False


def _siblings(steps: tuple[str, ...], pointer: str, seen: dict[str, list[Any]]) -> list[Any]:
    """What was seen so far in the innermost array that a place is in."""
    depth = steps[::-1].index("*") + 1 if "*" in steps else len(steps)
    return seen.setdefault(pointer.rsplit("/", depth)[0], [])


def _concerns(check: Check, value: Any) -> bool:
    """The check is about this value, which may be ABSENT."""
    if value is ABSENT and not asks_for_absence(check.when):
        return False
    return applies(check.when, value)


def _words(check: Check, value: Any, refused: Refusal) -> str:
    shown = f"{value!r} " if isinstance(value, str) and len(value) < 60 else ""
    return f"{shown}is not allowed: {refused}" + (f" ({check.note})" if check.note else "")
