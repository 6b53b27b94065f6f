# Part of acpgen's runtime, copied as it is. Do not edit.
"""Gate expressions: what the two `initialize` messages must have said.

    agent: session.mcp.http              the agent advertised that capability
    client: a.b = "text"                 ... with this value
    any(agent: loadSession, agent: sessionCapabilities.resume)
    all(EXPRESSION, ...)   not(EXPRESSION)   never
    state: auth_methods                  a fact that is no capability, by its name

A capability is a path of wire names below the capabilities object of that side. How its value
counts is not written here: it follows from its type in the schema (see `gates.Capabilities`).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple, NoReturn, TypeAlias

Side: TypeAlias = Literal["agent", "client"]
Op: TypeAlias = Literal["capability", "state", "any", "all", "not", "never"]

_TOKEN = r'\s*(?:([A-Za-z0-9_$./-]+)|"([^"]*)"|([(),:=]))'

_GROUPS: Mapping[str, Op] = {"any": "any", "all": "all", "not": "not"}
_SIDES: Mapping[str, Side] = {"agent": "agent", "client": "client"}


class ExpressionError(ValueError):
    """The text is no gate expression. position: index into the text of the first fault."""

    def __init__(self, text: str, position: int, message: str) -> None:
        super().__init__(f"{message} at character {position + 1} of `{text}`")
        self.position = position


class Expression(NamedTuple):
    """One node. side, path and value: of a capability; value None: it only has to be advertised.
    name: of a state. parts: of any, all and not.
    """

    op: Op
    side: Side = "agent"
    path: tuple[str, ...] = ()
    value: str | None = None
    name: str = ""
    parts: tuple[Expression, ...] = ()

    def __str__(self) -> str:
        if self.op == "capability":
            value = "" if self.value is None else f' = "{self.value}"'
            return f"{self.side}: {'.'.join(self.path)}{value}"
        if self.op == "state":
            return f"state: {self.name}"
        if self.op == "never":
            return "never"
        return f"{self.op}({', '.join(map(str, self.parts))})"

    def leaves(self) -> Iterator[Expression]:
        """Every capability and state in it, in order."""
        if self.op in ("capability", "state"):
            yield self
        for part in self.parts:
            yield from part.leaves()


@functools.lru_cache(maxsize=1024)
def parse(text: str) -> Expression:
    """The expression that a text states. Raises ExpressionError."""
    return _Parser(text).whole()


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def whole(self) -> Expression:
        found = self.expression()
        if self.text[self.at :].strip():
            self.fail("nothing more was expected")
        return found

    def expression(self) -> Expression:
        start = self.at
        word = self.take("a side, `state`, `any`, `all`, `not` or `never`")
        if word == "never":
            return Expression("never")
        if word in _GROUPS:
            parts = self.group()
            if word == "not" and len(parts) != 1:
                self.fail("`not` takes one expression", start)
            return Expression(_GROUPS[word], parts=parts)
        if word == "state":
            self.expect(":")
            return Expression("state", name=self.take("the name of a state"))
        if word in _SIDES:
            self.expect(":")
            start = self.at
            path = tuple(self.take("a capability").split("."))
            if not all(path):
                self.fail("a capability is wire names joined by dots", start)
            return Expression("capability", _SIDES[word], path, self.value())
        return self.fail(
            f"`{word}` is neither a side (agent, client) nor state, any, all, not, never", start
        )

    def group(self) -> tuple[Expression, ...]:
        self.expect("(")
        parts = [self.expression()]
        while self.peek() == ",":
            self.expect(",")
            parts.append(self.expression())
        self.expect(")")
        return tuple(parts)

    def value(self) -> str | None:
        if self.peek() != "=":
            return None
        self.expect("=")
        start = self.at
        match = self.token()
        if match is None or match[2] is None:
            self.fail("a value is a string in double quotes", start)
        self.at += match.end()
        return match[2]

    def token(self) -> re.Match[str] | None:
        return re.match(_TOKEN, self.text[self.at :])

    def peek(self) -> str:
        match = self.token()
        return match[3] or "" if match else ""

    def take(self, what: str) -> str:
        match = self.token()
        if match is None or match[1] is None:
            self.fail(f"{what} was expected")
        self.at += match.end()
        return match[1]

    def expect(self, sign: str) -> None:
        if self.peek() != sign:
            self.fail(f"`{sign}` was expected")
        match = self.token()
        assert match is not None
        self.at += match.end()

    def fail(self, message: str, position: int | None = None) -> NoReturn:
        rest = self.text[self.at :] if position is None else self.text[position:]
        at = (self.at if position is None else position) + len(rest) - len(rest.lstrip())
        raise ExpressionError(self.text, at, message)
