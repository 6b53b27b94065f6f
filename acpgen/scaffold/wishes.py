"""What somebody asks of a new project, checked."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

from acpgen.problem import Problem, ProblemError
from acpgen.scaffold.template import KINDS

BINDINGS = ("vendored", "pypi")
PROTOCOLS = (1, 2)

_WHERE = "command line"


@dataclass(frozen=True, slots=True)
class Wishes:
    """The answers to a template's questions; None: not said, so ask or take the default.

    protocols: of 1 and 2. bindings: `vendored` or `pypi`.
    """

    protocols: tuple[int, ...] | None = None
    bindings: str | None = None
    unstable: bool | None = None
    login: bool | None = None

    def answers(self) -> dict[str, object]:
        """Those that were given, as copier takes them."""
        given = {
            "protocols": list(self.protocols) if self.protocols is not None else None,
            "bindings": self.bindings,
            "unstable": self.unstable,
            "login": self.login,
        }
        return {key: value for key, value in given.items() if value is not None}


def checked(wishes: Wishes, kind: str) -> Wishes:
    """The wishes, or a ProblemError with every one that cannot be met."""
    problems = []
    if kind not in KINDS:
        problems.append(_unknown("--kind", kind, KINDS))
    if wishes.bindings is not None and wishes.bindings not in BINDINGS:
        problems.append(_unknown("--bindings", wishes.bindings, BINDINGS))
    if wishes.protocols is not None:
        problems += [
            _unknown("--protocol", str(number), ("1", "2", "both"))
            for number in wishes.protocols
            if number not in PROTOCOLS
        ]
        if not wishes.protocols:
            problems.append(Problem(_WHERE, "--protocol names none", "use 1, 2 or both"))
    if wishes.login is not None and kind == "client":
        problems.append(Problem(_WHERE, "--login is for an agent, not for a client"))
    if problems:
        raise ProblemError(problems)
    return wishes


def protocols(values: Sequence[str] | None) -> tuple[int, ...] | None:
    """`--protocol` as given (`1`, `v2`, `1,2`, `both`; repeated or not) -> numbers, in order.

    Raises ProblemError.
    """
    if not values:
        return None
    found: set[int] = set()
    problems = []
    for item in ",".join(values).split(","):
        word = item.strip().lower().removeprefix("v")
        if word == "both":
            found |= set(PROTOCOLS)
        elif word in ("1", "2"):
            found.add(int(word))
        else:
            problems.append(_unknown("--protocol", item.strip(), ("1", "2", "both")))
    if problems:
        raise ProblemError(problems)
    return tuple(sorted(found))


def _unknown(option: str, value: str, choices: Sequence[str]) -> Problem:
    near = difflib.get_close_matches(value, choices, n=1)
    hint = f"did you mean {near[0]}?" if near else f"use {', '.join(choices[:-1])} or {choices[-1]}"
    return Problem(_WHERE, f"{option} {value!r} is unknown", hint)
