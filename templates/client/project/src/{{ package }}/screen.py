"""What the user sees: one stream of text, whatever version of the protocol it came by.

Nothing that an agent sends is printed without `text.clean`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TextIO

from .text import clean, clip, one_line

_STYLES = {"dim": "2", "bold": "1", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}
_STATUS = {"completed": "green", "failed": "red", "cancelled": "yellow"}
_MARKS = {"completed": "x", "in_progress": ">"}


@dataclass
class Tool:
    """What is known of one tool call."""

    title: str = ""
    kind: str = ""
    status: str = ""
    content: list[str] = field(default_factory=list)
    places: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Entry:
    """One entry of a plan."""

    content: str
    status: str = ""
    priority: str = ""


def _colours(stream: TextIO) -> bool:
    wanted = "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
    return wanted and stream.isatty()


class Screen:
    """Prints to `out`; to `err` what is no part of the conversation: errors, the agent's stderr.

    Text that streams in leaves its line open; everything else begins a new one.
    """

    def __init__(self, out: TextIO | None = None, err: TextIO | None = None) -> None:
        self._out = sys.stdout if out is None else out
        self._err = sys.stderr if err is None else err
        self._colour = {"out": _colours(self._out), "err": _colours(self._err)}
        self._stream: tuple[str, str] | None = None  # (kind, message id) of the open line
        self._fresh = True  # nothing stands on the line yet
        self._messages: dict[tuple[str, str], list[str]] = {}
        self._tools: dict[str, Tool] = {}
        self._echo = ""
        self._session: str | None = None
        self._other = ""
        self.text = ""
        """The agent's text since the last `begin`, as it was sent."""

    # sessions and turns

    def session(self, session_id: str | None) -> None:
        """The session that is shown from now on; None: whichever speaks."""
        self._session = session_id
        self._messages.clear()
        self._tools.clear()
        self._echo = ""

    def belongs(self, session_id: str) -> None:
        """The next update is of this session; that of another one is marked as such."""
        own = self._session is None or session_id == self._session
        other = "" if own else session_id
        if other != self._other:
            self._other = other
            self._stream = None

    def begin(self, prompt: str) -> None:
        """A turn begins; the agent may repeat the prompt, which is on the screen already."""
        self._echo = prompt
        self.text = ""

    # messages

    def user(self, text: str, message_id: str = "") -> None:
        """A piece of a user's message."""
        if self._echo and self._echo.startswith(text):
            self._echo = self._echo[len(text) :]
            return
        self._say("user", message_id, text, "bold")

    def agent(self, text: str, message_id: str = "") -> None:
        """A piece of the agent's message."""
        self.text += text
        self._say("agent", message_id, text, "")

    def thought(self, text: str, message_id: str = "") -> None:
        """A piece of the agent's thoughts."""
        self._say("thought", message_id, text, "dim")

    def whole(self, kind: str, message_id: str, text: str) -> None:
        """A whole message, which takes the place of what was shown of it. kind: user, agent,
        thought.
        """
        shown = "".join(self._messages.pop((kind, message_id), []))
        if shown and not text.startswith(shown):
            self.note("the message before was replaced" if text else "a message was cleared")
            shown = ""
        if shown:
            self._messages[kind, message_id] = [shown]
        rest = text[len(shown) :]
        if rest:
            {"user": self.user, "agent": self.agent}.get(kind, self.thought)(rest, message_id)

    def _say(self, kind: str, message_id: str, text: str, style: str) -> None:
        if not text:
            return
        if message_id:
            self._messages.setdefault((kind, message_id), []).append(text)
        if self._stream != (kind, message_id):
            self._close_line()
            lead = {"user": "> ", "thought": "(thinking) "}.get(kind, "")
            if self._other:
                lead = f"[session {one_line(self._other, 40)}] {lead}"
            if lead:
                self._write(self._styled(lead, style or "cyan"))
            self._stream = (kind, message_id)
        self._write(self._styled(clean(text), style))
        self._fresh = text.endswith("\n")

    # what is told line by line

    def tool(
        self,
        tool_id: str,
        *,
        title: str | None = None,
        kind: str | None = None,
        status: str | None = None,
        content: Sequence[str] | None = None,
        more: str | None = None,
        places: Sequence[str] | None = None,
    ) -> None:
        """A tool call began or changed; None: unchanged. content: the whole of it. more: a piece
        that is appended.
        """
        known = tool_id in self._tools
        tool = self._tools.setdefault(tool_id, Tool())
        before = (tool.title, tool.status)
        tool.title = tool.title if title is None else title
        tool.kind = tool.kind if kind is None else kind
        tool.status = tool.status if status is None else status
        new: list[str] = []
        if content is not None and list(content) != tool.content:
            new = tool.content = list(content)
        if more is not None:
            tool.content.append(more)
            new = [more]
        if places is not None:
            tool.places = list(places)
        if not known or (tool.title, tool.status) != before:
            kind_ = f" ({one_line(tool.kind, 30)})" if tool.kind else ""
            where = f" {one_line(', '.join(tool.places))}" if tool.places and not known else ""
            status_ = f": {one_line(tool.status, 30)}" if tool.status else ""
            status_ = self._styled(status_, _STATUS.get(tool.status, ""))
            self.line(f"[tool] {one_line(tool.title or tool_id)}{kind_}{where}", "cyan", status_)
        for piece in new:
            self.block(piece)

    def tool_title(self, tool_id: str) -> str:
        """The title of a tool call, or its id."""
        tool = self._tools.get(tool_id)
        return tool.title if tool is not None and tool.title else tool_id

    def plan(self, entries: Sequence[Entry], name: str = "") -> None:
        """The whole plan."""
        self.line(f"[plan] {one_line(name)}".rstrip(), "cyan")
        for entry in entries:
            priority = f" ({one_line(entry.priority, 20)})" if entry.priority == "high" else ""
            self.line(f"  {_MARKS.get(entry.status, '.')} {one_line(entry.content)}{priority}")

    def usage(self, used: int, size: int, cost: str = "") -> None:
        """How much of the context is used."""
        cost_ = f", {one_line(cost, 40)}" if cost else ""
        self.line(f"[usage] {used} of {size} tokens{cost_}", "dim")

    def block(self, text: str) -> None:
        """Indented text, shortened: what a tool or a terminal wrote."""
        for line in clip(text) if text else []:
            self.line(f"    {line}", "dim")

    def note(self, text: str) -> None:
        """Something to know, in a line of its own."""
        self.line(f"[{one_line(text, 500)}]", "dim")

    def unknown(self, what: str, kind: str) -> None:
        """Something that this client does not know: named, and passed over."""
        self.note(f"{what} {kind!r} is not known here")

    def error(self, text: str) -> None:
        """An error, to `err`."""
        self._aside(f"error: {clean(text)}", "red")

    def stderr(self, line: str) -> None:
        """A line that the agent wrote to its stderr."""
        self._aside(f"agent: {clean(line[:10000])}", "dim")

    def log(self, line: str) -> None:
        """A line of this program's own log."""
        self._aside(f"client: {one_line(line, 1000)}", "yellow")

    # questions

    def ask(self, lines: Sequence[str], hint: str) -> None:
        """A question; what is typed next stands behind the hint. No hint: nothing will be."""
        for number, line in enumerate(lines):
            self.line(line, "" if number else "yellow")
        if hint:
            self.prompt(hint)

    def prompt(self, hint: str) -> None:
        """Ask for a line; the cursor stays behind the hint."""
        self._close_line()
        self._write(self._styled(hint, "bold"))
        self._fresh = False
        self._stream = ("ask", "")

    def typed(self) -> None:
        """The user ended the line."""
        self._fresh = True
        self._stream = None

    # lines

    def line(self, text: str, style: str = "", rest: str = "") -> None:
        """A line of its own. text: clean already, where it came from an agent. rest: styled."""
        self._close_line()
        other = f"[session {one_line(self._other, 40)}] " if self._other else ""
        self._write(self._styled(other + text, style) + rest + "\n")
        self._fresh = True

    def end(self) -> None:
        """Nothing more comes: end an open line."""
        self._close_line()

    def _aside(self, text: str, style: str) -> None:
        if self._colour["out"] or self._out is self._err:
            self._close_line()
        code = _STYLES[style]
        lines = f"\x1b[{code}m{text}\x1b[0m" if self._colour["err"] else text
        self._err.write(lines + "\n")
        self._err.flush()

    def _close_line(self) -> None:
        if not self._fresh:
            self._write("\n")
        self._fresh = True
        self._stream = None

    def _styled(self, text: str, style: str) -> str:
        if not text or not style or not self._colour["out"]:
            return text
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m"

    def _write(self, text: str) -> None:
        self._out.write(text)
        self._out.flush()
