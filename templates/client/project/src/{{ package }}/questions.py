"""Questions of an agent to the user: may it do something, and what should stand in a form."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from .keyboard import Keyboard
from .screen import Screen
from .text import clip, one_line

Policy = Literal["ask", "yes", "no"]


@dataclass(frozen=True)
class Choice:
    """One way to answer. kind: what choosing it means (`allow_once`, `reject_once`, ...)."""

    id: str
    name: str
    kind: str = ""


class Questions:
    """Asks one question at a time.

    policy: `ask` asks on the terminal; `yes` and `no` answer permission questions without asking,
    by the kind of the options, so that a script needs nobody.
    """

    def __init__(self, screen: Screen, keyboard: Keyboard, policy: Policy = "ask") -> None:
        self.screen = screen
        self.policy = policy
        self._keyboard = keyboard
        self._turn = asyncio.Lock()
        self._dismissed = 0
        self._cancelled = False

    async def permission(
        self, title: str, details: Sequence[str], choices: Sequence[Choice]
    ) -> str | None:
        """The id of the option that was chosen; None: the question was cancelled."""
        number = self._dismissed
        async with self._turn:
            if self._cancelled or number != self._dismissed:
                self.screen.note(f"cancelled: {one_line(title)}")
                return None
            shown = [f"[permission] {one_line(title)}"]
            shown += [f"    {line}" for text in details for line in clip(text, 8)]
            if not choices:
                self.screen.ask(shown, "")
                self.screen.note("the agent offers no option: cancelled")
                return None
            if self.policy != "ask":
                chosen = by_policy(choices, self.policy)
                self.screen.ask(shown, "")
                if chosen is None:
                    self.screen.note(f"no option means {self.policy}: cancelled")
                    return None
                self.screen.note(f"answered: {chosen.name}")
                return chosen.id
            for index, choice in enumerate(choices, 1):
                kind = f" ({one_line(choice.kind, 30)})" if choice.kind else ""
                shown.append(f"    {index}. {one_line(choice.name)}{kind}")
            self.screen.ask(shown, f"1 to {len(choices)}, nothing cancels: ")
            while True:
                answer = await self._line()
                if not answer:
                    self.screen.note("cancelled")
                    return None
                chosen = _picked(choices, answer)
                if chosen is not None:
                    return chosen.id
                self.screen.prompt(f"a number from 1 to {len(choices)}, nothing cancels: ")

    async def text(self, lines: Sequence[str], hint: str) -> str | None:
        """One line of text; None: the question was cancelled."""
        number = self._dismissed
        async with self._turn:
            if self._cancelled or number != self._dismissed:
                return None
            self.screen.ask(lines, hint)
            return await self._line()

    def begin(self) -> None:
        """The user does something new: its questions are asked again."""
        self._cancelled = False

    def cancel(self) -> None:
        """The turn is cancelled. The agent may ask before it reads that: until `begin`, whatever it
        asks is cancelled too, and nobody is asked.
        """
        self._cancelled = True

    def dismiss(self) -> None:
        """Cancel every open question, those that wait for their turn among them."""
        self._dismissed += 1
        self._keyboard.dismiss()

    async def _line(self) -> str | None:
        try:
            answer = await self._keyboard.answer()
        except asyncio.CancelledError:
            self.screen.note("the question was withdrawn")
            raise
        if self._keyboard.interactive and answer is not None:
            self.screen.typed()
        else:
            self.screen.end()
        return None if answer is None else answer.strip()


def by_policy(choices: Sequence[Choice], policy: Policy) -> Choice | None:
    """The option that says yes or no, for this once where there is a choice."""
    stem = "allow" if policy == "yes" else "reject"
    fitting = [choice for choice in choices if choice.kind in (f"{stem}_once", f"{stem}_always")]
    return min(fitting, key=lambda choice: choice.kind != f"{stem}_once", default=None)


def _picked(choices: Sequence[Choice], answer: str) -> Choice | None:
    if answer.isdecimal() and 1 <= int(answer) <= len(choices):
        return choices[int(answer) - 1]
    named = [choice for choice in choices if answer in (choice.id, choice.name)]
    return named[0] if len(named) == 1 else None
