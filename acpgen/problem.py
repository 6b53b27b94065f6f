"""What is wrong with the input, as a value.

Whoever reads input collects every `Problem` that it finds and raises them together, once, as a
`ProblemError`; the command line prints them and exits 2.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One fault in the input.

    where: the file, then `#` and a JSON pointer or a key where one applies
    (`v2/schema.json#/$defs/Plan`).
    what: what is wrong, in one sentence.
    hint: what to do about it; empty where the sentence already says it.
    """

    where: str
    what: str
    hint: str = ""

    def __str__(self) -> str:
        return f"{self.where}: {self.what}" + (f" ({self.hint})" if self.hint else "")


class ProblemError(Exception):
    """The input cannot be used. `problems` holds every fault that was found, in a stable order."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(set(problems)))
        super().__init__("\n".join(str(problem) for problem in self.problems))

    def __reduce__(self) -> tuple[type[ProblemError], tuple[tuple[Problem, ...]]]:
        """Errors cross process borders: they are made again from the problems, not from the
        message.
        """
        return type(self), (self.problems,)

    @classmethod
    def of(cls, where: str, what: str, hint: str = "") -> ProblemError:
        return cls([Problem(where, what, hint)])
