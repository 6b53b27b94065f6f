"""One run of the client: start the agent, agree on a version, talk, and end it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager

from .bindings import connect, errors, spawn, wirelog
from .cli import Options
from .connect import open_link
from .conversation import Conversation
from .interrupts import Interrupts
from .keyboard import Keyboard
from .link import Link, NotOfferedError
from .questions import Questions
from .screen import Screen

FAILED, BAD = 1, 2


async def run(
    options: Options, screen: Screen | None = None, keyboard: Keyboard | None = None
) -> int:
    """The exit status; the command line says which there are."""
    screen = Screen() if screen is None else screen
    keyboard = Keyboard() if keyboard is None else keyboard
    with log_on(screen):
        try:
            process = await spawn.spawn(options.command, stderr=screen.stderr)
        except (spawn.SpawnError, ValueError) as error:
            screen.error(str(error))
            return BAD
        try:
            return await _interruptible(options, process, screen, keyboard)
        finally:
            await process.close()
            screen.end()


async def _interruptible(
    options: Options, process: spawn.AgentProcess, screen: Screen, keyboard: Keyboard
) -> int:
    status: list[int] = []

    def leave(code: int) -> None:
        status.append(code)
        task.cancel()

    with Interrupts(screen, leave) as interrupts:
        task = asyncio.create_task(_talk(options, process, screen, keyboard, interrupts))
        try:
            return await task
        except asyncio.CancelledError:
            if not status:
                raise
            return status[0]


async def _talk(
    options: Options,
    process: spawn.AgentProcess,
    screen: Screen,
    keyboard: Keyboard,
    interrupts: Interrupts,
) -> int:
    questions = Questions(screen, keyboard, options.policy)
    log = None if options.wire_log is None else wirelog.WireLog(options.wire_log)
    link: Link | None = None
    try:
        opening = open_link(process, questions, options, log)
        link = await asyncio.wait_for(opening, options.timeout)
        screen.note(f"{link.agent}, protocol version {link.VERSION}")
        return await Conversation(link, questions, keyboard, interrupts).run(options)
    except asyncio.TimeoutError:
        screen.error(f"the agent did not answer `initialize` in {options.timeout:g} seconds")
    except connect.VersionNotSpoken as error:
        screen.error(f"{error}; a client or an agent of another version is needed")
    except errors.ConnectionClosed as error:
        screen.error(str(error))
    except (errors.RpcError, errors.NotAdvertised, errors.DecodeError, NotOfferedError) as error:
        screen.error(reason(error))
    finally:
        if link is not None:
            await link.close()
        if log is not None:
            log.close()
    return FAILED


def reason(error: Exception) -> str:
    """What went wrong with a call, for the user."""
    if isinstance(error, errors.RpcError):
        return f"the agent answers: {error}"
    if isinstance(error, errors.InvalidResponse):
        return f"what the agent answers cannot be read: {error}"
    return str(error)


@contextmanager
def log_on(screen: Screen) -> Iterator[None]:
    """What the bindings log (lines of the agent that are no messages, say) goes to the screen."""

    class ToScreen(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            raised = record.exc_info[1] if record.exc_info else None
            screen.log(record.getMessage() + (f": {raised!r}" if raised else ""))

    logger = logging.getLogger(errors.__name__.rpartition(".")[0])
    handler = ToScreen(logging.WARNING)
    propagates, logger.propagate = logger.propagate, False
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.propagate = propagates
