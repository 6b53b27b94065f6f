"""The conversation with an agent: prompts and the commands that begin with a slash."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from .bindings import errors
from .cli import Options
from .interrupts import Interrupts
from .keyboard import Keyboard
from .link import Link, NotOfferedError, Option
from .questions import Questions
from .text import one_line

STATUS = {
    "end_turn": 0,
    "max_tokens": 3,
    "max_turn_requests": 4,
    "refusal": 5,
    "cancelled": 6,
}
"""The exit status for each stop reason; 7 for any other."""

_FAILED = (errors.RpcError, errors.NotAdvertised, errors.DecodeError, NotOfferedError)


class Conversation:
    """One user and one agent."""

    def __init__(
        self, link: Link, questions: Questions, keyboard: Keyboard, interrupts: Interrupts
    ) -> None:
        self._link = link
        self._questions = questions
        self._screen = questions.screen
        self._keyboard = keyboard
        self._interrupts = interrupts
        self._turn: asyncio.Task[str | None] | None = None
        self._cancelling: set[asyncio.Task[None]] = set()
        self._over = False
        interrupts.cancel = self.cancel
        keyboard.urgent = self._urgent
        self._commands: dict[str, tuple[str, Callable[[list[str]], Awaitable[None]]]] = {
            "/help": ("these commands", self._help),
            "/list": ("the agent's sessions", self._list),
            "/new": ("begin another session", self._new),
            "/resume": ("ID: go on with an earlier session", self._resume),
            "/delete": ("ID: remove a session", self._delete),
            "/options": ("config options and modes", self._options),
            "/set": ("ID VALUE: set one of them", self._set),
            "/commands": ("commands of the agent, which are prompts", self._agent_commands),
            "/login": ("[ID]: log in, or the ways to", self._login),
            "/cancel": ("stop the turn that runs, like Ctrl-C", self._cancel),
            "/quit": ("leave", self._quit),
        }

    async def run(self, options: Options) -> int:
        """All of it; the exit status. Raises what a Link raises, where nobody is there to react."""
        if options.login is not None:
            await self._link.login(options.login)
        if options.list:
            await self._list([])
            return 0
        try:
            await self._open(options.resume)
        except _FAILED as error:
            if options.prompts:
                raise
            self._failed(error)
        if options.prompts:
            return await self._prompts(options)
        return await self._talk()

    async def _prompts(self, options: Options) -> int:
        for prompt in options.prompts:
            stopped = await self._prompt(prompt)
            if stopped != "end_turn":
                return 1 if stopped is None else STATUS.get(stopped, 7)
        return 0

    async def _talk(self) -> int:
        if self._keyboard.interactive:
            self._screen.note("/help names the commands")
        while not self._over:
            if self._keyboard.interactive:
                self._screen.prompt("> ")
            line = await self._line()
            if line is None:
                break
            if self._keyboard.interactive:
                self._screen.typed()
            if line.strip():
                await self._take(line.strip())
        return 0

    async def _line(self) -> str | None:
        reading = asyncio.ensure_future(self._keyboard.line())
        try:
            await asyncio.wait({reading, self._link.gone}, return_when=asyncio.FIRST_COMPLETED)
            if reading.done():
                return reading.result()
            raise errors.ConnectionClosed(self._link.why_gone)
        finally:
            reading.cancel()

    async def _take(self, line: str) -> None:
        self._interrupts.reset()
        word, *rest = line.split()
        known = self._commands.get(word)
        try:
            if known is not None:
                await known[1](rest)
            elif word.startswith("/") and word[1:] not in dict(self._link.state.commands):
                self._screen.note(f"no command {word}; /help names them")
            elif self._link.state.session_id is None:
                self._screen.note("there is no session; /new begins one")
            else:
                await self._prompt(line)
        except _FAILED as error:
            self._failed(error)

    async def _prompt(self, text: str) -> str | None:
        """One turn; its stop reason, None where the agent answered with an error."""
        self._interrupts.reset()
        self._screen.begin(text)
        self._turn = asyncio.ensure_future(self._link.prompt(text))
        try:
            stopped = await self._turn
        except _FAILED as error:
            self._failed(error)
            return None
        finally:
            self._turn = None
        self._screen.end()
        if stopped != "end_turn":
            self._screen.note(f"the turn ended: {stopped}")
        return stopped

    def cancel(self) -> bool:
        """Cancel the turn that runs; False where none does."""
        if self._turn is None:
            return False
        task = asyncio.ensure_future(self._link.cancel())
        self._cancelling.add(task)
        task.add_done_callback(self._cancelled)
        return True

    def _cancelled(self, task: asyncio.Task[None]) -> None:
        self._cancelling.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self._screen.error(f"cannot cancel: {error}")

    def _urgent(self, line: str) -> bool:
        """What is typed while a turn runs: two commands count at once, the rest waits."""
        if self._turn is None or line.strip() not in ("/cancel", "/quit"):
            return False
        self._over = line.strip() == "/quit"
        self._screen.note("cancelling")
        return self.cancel()

    def _failed(self, error: Exception) -> None:
        if isinstance(error, errors.AuthRequired):
            self._screen.error("the agent wants a login first")
            self._show_logins()
        elif isinstance(error, errors.RpcError):
            self._screen.error(f"the agent answers: {error}")
        else:
            self._screen.error(str(error))

    # sessions

    async def _open(self, session_id: str | None) -> None:
        state = self._link.state
        self._screen.session(session_id)
        state.session_id = None
        state.options, state.modes, state.commands, state.title = [], None, [], ""
        if session_id is None:
            self._screen.session(await self._link.new())
            self._screen.note(f"session {state.session_id}")
            return
        replayed = await self._link.reopen(session_id)
        how = "" if replayed else "; this agent does not replay what was said"
        self._screen.note(f"session {session_id} goes on{how}")

    async def _new(self, _words: list[str]) -> None:
        await self._open(None)

    async def _resume(self, words: list[str]) -> None:
        await self._open(_one(words, "/resume ID"))

    async def _delete(self, words: list[str]) -> None:
        await self._link.delete(_one(words, "/delete ID"))
        self._screen.note("deleted")

    async def _list(self, _words: list[str]) -> None:
        rows = await self._link.list()
        for row in rows:
            texts = [row.id, row.updated, row.title, row.cwd]
            self._screen.line("  ".join(one_line(text, 80) for text in texts if text))
        self._screen.note(f"{len(rows)} sessions")

    # options, commands, logins

    async def _options(self, _words: list[str]) -> None:
        state = self._link.state
        for option in [*state.options, *([state.modes] if state.modes is not None else [])]:
            self._screen.line(_shown(option))

    async def _set(self, words: list[str]) -> None:
        if len(words) < 2:
            raise NotOfferedError("/set ID VALUE")
        await self._link.set(words[0], " ".join(words[1:]))
        await self._options([])

    async def _agent_commands(self, _words: list[str]) -> None:
        for name, description in self._link.state.commands:
            self._screen.line(f"/{one_line(name, 40)}  {one_line(description)}")

    async def _login(self, words: list[str]) -> None:
        if not words:
            self._show_logins()
            return
        await self._link.login(_one(words, "/login ID"))
        self._screen.note("logged in")
        if self._link.state.session_id is None:
            await self._open(None)

    def _show_logins(self) -> None:
        for login in self._link.logins:
            note = f" ({one_line(login.note)})" if login.note else ""
            self._screen.line(f"/login {one_line(login.id, 60)}  {one_line(login.name)}{note}")
        if not self._link.logins:
            self._screen.note("the agent names no way to log in")

    # the rest

    async def _help(self, _words: list[str]) -> None:
        for name, (what, _call) in self._commands.items():
            self._screen.line(f"{name:<10} {what}")

    async def _cancel(self, _words: list[str]) -> None:
        self._screen.note("nothing runs")

    async def _quit(self, _words: list[str]) -> None:
        self._over = True


def _one(words: list[str], usage: str) -> str:
    if len(words) != 1:
        raise NotOfferedError(usage)
    return words[0]


def _shown(option: Option) -> str:
    values = ", ".join(one_line(value, 40) for value, _name in option.values)
    return f"{one_line(option.id, 40)} = {one_line(option.value, 40)}" + (
        f"  (of {values})" if values else ""
    )
