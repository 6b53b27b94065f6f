"""Handlers that session/cancel ends."""

from __future__ import annotations

import asyncio

import pytest

from acpgen.runtime.endings import Permissions, Prompts
from tests.robustness.raw import run


async def settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def forever() -> str:
    await asyncio.Event().wait()
    return "never"


async def at_once() -> str:
    return "own"


@pytest.mark.parametrize("kind", [Prompts, Permissions])
def test_a_handler_that_is_done_gives_its_own_answer(kind: type[Prompts | Permissions]) -> None:
    async def scenario() -> None:
        endings = kind()
        assert await endings.run("s", at_once(), "ended") == "own"
        endings.end("s")
        assert endings._running == {}

    run(scenario())


@pytest.mark.parametrize("kind", [Prompts, Permissions])
def test_only_the_sessions_own_handlers_are_ended(kind: type[Prompts | Permissions]) -> None:
    async def scenario() -> None:
        endings = kind()
        first, second, other = (
            asyncio.create_task(endings.run(session, forever(), f"ended {index}"))
            for index, session in enumerate(["s", "s", "t"])
        )
        await settle()
        endings.end("s")
        assert await asyncio.gather(first, second) == ["ended 0", "ended 1"]
        await settle()
        assert not other.done() and set(endings._running) == {"t"}
        other.cancel()
        with pytest.raises(asyncio.CancelledError):
            await other
        assert endings._running == {}

    run(scenario())


@pytest.mark.parametrize("kind", [Prompts, Permissions])
def test_a_cancelled_request_is_no_ended_one(kind: type[Prompts | Permissions]) -> None:
    async def scenario() -> None:
        endings = kind()
        ended = asyncio.Event()

        async def handler() -> str:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                ended.set()
                raise
            return "never"

        task = asyncio.create_task(endings.run("s", handler(), "ended"))
        await settle()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert ended.is_set()

    run(scenario())


def test_a_prompt_may_catch_it_and_give_its_own_answer() -> None:
    async def handler() -> str:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            await asyncio.sleep(0.01)  # cleaning up takes time
        return "own"

    async def scenario() -> None:
        prompts = Prompts()
        task = asyncio.create_task(prompts.run("s", handler(), "ended"))
        await settle()
        prompts.end("s")
        await asyncio.sleep(0)
        prompts.end("s")  # once more changes nothing
        assert await task == "own"
        assert prompts._ended == set()

    run(scenario())


def test_the_task_of_an_ended_prompt_goes_on() -> None:
    """The one who awaits the answer can await other things after it."""

    async def scenario() -> None:
        prompts = Prompts()

        async def serve() -> str:
            answer: str = await prompts.run("s", forever(), "ended")
            await asyncio.wait_for(asyncio.sleep(0.01), 1)
            return answer

        task = asyncio.create_task(serve())
        await settle()
        prompts.end("s")
        assert await task == "ended"

    run(scenario())


def test_an_ended_permission_is_answered_whatever_its_handler_does(
    caplog: pytest.LogCaptureFixture,
) -> None:
    released = asyncio.Event

    async def scenario() -> None:
        permissions = Permissions()
        go = released()

        async def stubborn() -> str:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                await go.wait()
            raise LookupError("too late")

        task = asyncio.create_task(permissions.run("s", stubborn(), "ended"))
        await settle()
        permissions.end("s")
        assert await asyncio.wait_for(task, 1) == "ended"
        go.set()
        await settle()

    run(scenario())
    assert "too late" in caplog.text


def test_the_handlers_error_passes() -> None:
    async def broken() -> str:
        await asyncio.sleep(0)
        raise LookupError("mine")

    async def scenario() -> None:
        for endings in (Prompts(), Permissions()):
            with pytest.raises(LookupError, match="mine"):
                await endings.run("s", broken(), "ended")
            assert endings._running == {}

    run(scenario())
