"""The author's part of a scaffolded agent that speaks the directives of peers/HARNESS.md.

`python scaffold_harness_agent.py PACKAGE ...`: PACKAGE is a project of `acpgen new` with
`--bindings pypi`, importable, and keeps everything but its agent.py. What the neutral interface can
say is said through it; the rest (files and terminals of the client, elicitation, messages that no
sender can build) goes through `turn.client`, with the harness agents' own code.
"""

from __future__ import annotations

import asyncio
import importlib
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests import interop  # noqa: F401 (makes the bindings importable)


def author_of(package: str) -> Any:
    """An author's part for the project, made of its own `author` and `events`."""
    author: Any = importlib.import_module(f"{package}.author")
    events: Any = importlib.import_module(f"{package}.events")
    adapter: Any = importlib.import_module(f"{package}.adapter_v1")
    # The harness agents' code picks its surface by this; it has to be the project's.
    os.environ["ACP_UNSTABLE"] = "1" if adapter.acp.__name__.endswith("_unstable") else "0"
    from tests.interop import directives, turns_v1, turns_v2

    class Harness(author.Author):  # type: ignore[misc]
        name = "acpgen-scaffold-harness"
        version = "1"
        accepts = frozenset(["image", "audio", "embedded_context"])
        mcp = frozenset(["stdio", "http"])

        def __init__(self) -> None:
            self.meta = {"acpHarness": 1}

        def options(self, values: Any, cwd: str, roots: Any) -> Any:
            choices = tuple(author.Choice(name, name) for name in ("m1", "m2"))
            return (
                author.Select("model", "Model", choices, "m1", category="model"),
                author.Toggle("think", "Think", True),
            )

        async def prompt(self, turn: Any) -> AsyncIterator[Any]:
            said = directives.parsed(turn.message.text)
            if said is None:
                yield events.Text(turn.message.text)
                return
            own = getattr(self, "do_" + said[0].replace("-", "_"), None)
            if own is None:
                yield events.Stop(await self.elsewhere(turn))
                return
            async for event in own(turn, said[1]):
                yield event

        async def elsewhere(self, turn: Any) -> str:
            text = turn.message.text
            if turn.version == 1:
                kept = turns_v1.Session(turn.session.cwd)
                return str(await turns_v1.Turn(turn.session.id, turn.client, kept).run(text))
            other = turns_v2.Session(turn.session.cwd)
            message_id = events.new_id()
            done = turns_v2.Turn(turn.session.id, turn.client, other, message_id)
            reason: str = await done.carry_out(text)
            return reason

        async def do_echo(self, turn: Any, argument: str) -> AsyncIterator[Any]:
            yield events.Text(argument)

        async def do_permission(self, turn: Any, _argument: str) -> AsyncIterator[Any]:
            call = events.ToolCall("do it", kind="execute", status="pending")
            yield call
            answer = await turn.ask_permission(call)
            yield events.ToolUpdate(call.id, status="completed")
            yield events.Text(f"permission:selected:{answer.id}" if answer else "permission:none:")

        async def do_wait(self, turn: Any, _argument: str) -> AsyncIterator[Any]:
            yield events.Text("waiting")
            await asyncio.Event().wait()

        async def do_cancellable_tool(self, turn: Any, _argument: str) -> AsyncIterator[Any]:
            call = events.ToolCall("k", cancellable=True, id="tck")
            yield call
            stopped = turn.cancelled(call)
            await asyncio.wait([asyncio.ensure_future(stopped.wait())], timeout=5)
            done = "cancelled" if stopped.is_set() else "completed"
            yield events.ToolUpdate(call.id, status=done)
            yield events.Text(f"tool-cancelled:{str(stopped.is_set()).lower()}")

        async def do_flood(self, turn: Any, count: str) -> AsyncIterator[Any]:
            for index in range(int(count)):
                yield events.Text(f"chunk {index}")
            yield events.Text("flood-done")

        async def do_big(self, turn: Any, size: str) -> AsyncIterator[Any]:
            yield events.ToolUpdate("tcbig", status="completed", text="x" * int(size))
            yield events.Text("big-done")

        async def extension(self, method: str, params: Any) -> Any:
            try:
                return await directives.extension(method, params)
            except KeyError:
                return await super().extension(method, params)

    return Harness()


def main(arguments: list[str]) -> None:
    package, *rest = arguments
    program: Any = importlib.import_module(f"{package}.__main__")
    program.main(rest, author_of(package))


if __name__ == "__main__":
    main(sys.argv[1:])
