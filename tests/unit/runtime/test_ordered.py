"""The order in which what arrives takes effect."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from acpgen.runtime.connection import Connection
from tests.robustness.raw import RawPeer, Recorder, connected, note, request, result, run

PAUSE = 0.02


class Story:
    """A handler that writes down what begins and ends, and pauses in between."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.connection: Connection | None = None

    async def request(self, method: str, params: Any) -> Any:
        self.lines.append(f"> {method}")
        if method == "slow":
            await asyncio.sleep(PAUSE)
        self.lines.append(f"< {method}")
        return params

    async def notify(self, method: str, params: Any) -> None:
        self.lines.append(f"[ {method}")
        await asyncio.sleep(PAUSE if params.get("slow", True) else 0)
        self.lines.append(f"] {method}")


Wrap = Callable[[Awaitable[Any]], Awaitable[Any]]


async def _plain(call: Awaitable[Any]) -> Any:
    return await call


async def _timed(call: Awaitable[Any]) -> Any:
    return await asyncio.wait_for(call, 20)


async def _gathered(call: Awaitable[Any]) -> Any:
    return (await asyncio.gather(call))[0]


async def _twice(call: Awaitable[Any]) -> Any:
    return await asyncio.wait_for(_gathered(call), 20)


async def _thrice(call: Awaitable[Any]) -> Any:
    return await asyncio.create_task(_twice(call))


WRAPS = [_plain, _timed, _gathered, _twice, _thrice]


@pytest.mark.parametrize("wrap", WRAPS)
@pytest.mark.parametrize("at_once", [True, False])
def test_an_answer_waits_for_what_came_before_it_and_passes_what_came_after(
    wrap: Wrap, at_once: bool
) -> None:
    """Cases C31 and C32."""

    async def scenario() -> None:
        story = Story()
        async with connected(story) as (connection, raw):

            async def call() -> None:
                await wrap(connection.request("ask"))
                story.lines.append("answered")

            task = asyncio.create_task(call())
            await raw.read()
            for message in (note("a"), note("b"), result(0, {}), note("c"), note("d")):
                raw.send(message)
                if not at_once:
                    await raw.writer.drain()
                    await asyncio.sleep(PAUSE / 4)
            await task
            await raw.alive()
        heard = [line for line in story.lines if "echo" not in line]
        expected = ["[ a", "] a", "[ b", "] b", "answered", "[ c", "] c", "[ d", "] d"]
        assert heard == expected

    run(scenario())


@pytest.mark.parametrize("wrap", WRAPS)
def test_an_answer_passes_a_hook_that_is_no_coroutine(wrap: Wrap) -> None:
    async def scenario() -> None:
        lines: list[str] = []
        handler = Recorder(lambda method, _params: lines.append(method))
        async with connected(handler) as (connection, raw):

            async def call() -> None:
                await wrap(connection.request("ask"))
                lines.append("answered")

            task = asyncio.create_task(call())
            await raw.read()
            raw.send(note("a"), result(0, {}), note("b"))
            await task
            await raw.alive()
        assert lines == ["a", "answered", "b"]

    run(scenario())


def test_a_waiter_can_subscribe_before_the_next_notification() -> None:
    """The answer to session/new names the session that the next update is for."""

    async def scenario() -> None:
        known: set[str] = set()
        unknown: list[str] = []

        def hook(_method: str, params: Any) -> None:
            if params["sessionId"] not in known:
                unknown.append(params["sessionId"])

        async with connected(Recorder(hook)) as (connection, raw):

            async def call() -> None:
                known.add((await connection.request("session/new"))["sessionId"])

            for turn in range(5):
                task = asyncio.create_task(call())
                await raw.read()
                raw.send(result(turn, {"sessionId": f"s{turn}"}))
                raw.send(note("session/update", sessionId=f"s{turn}"))
                await task
                await raw.alive()
        assert len(known) == 5
        assert unknown == []

    run(scenario())


def test_a_request_starts_after_the_notifications_before_it() -> None:
    async def scenario() -> None:
        story = Story()
        async with connected(story) as (_, raw):
            raw.send(note("a"), request(1, "slow"), note("b"), request(2, "quick"))
            assert [(await raw.read())["id"] for _ in range(2)] == [1, 2]
        assert story.lines.index("] a") < story.lines.index("> slow")
        assert story.lines.index("] b") < story.lines.index("> quick")

    run(scenario())


def test_requests_run_at_the_same_time_and_hold_nothing_up() -> None:
    async def scenario() -> None:
        together = asyncio.Event()
        inside = 0

        async def meet(_params: Any) -> int:
            nonlocal inside
            inside += 1
            if inside == 300:
                together.set()
            await together.wait()  # for ever, were they one after another
            return inside

        async with connected(Recorder(meet=meet)) as (_, raw):
            raw.send(request("stuck", "never"))
            raw.send(*(request(number, "meet") for number in range(300)))
            answers = [await raw.read() for _ in range(300)]
            assert sorted(answer["id"] for answer in answers) == list(range(300))
            await raw.alive()

    run(scenario())


def test_a_slow_hook_does_not_keep_the_connection_from_reading() -> None:
    async def scenario() -> None:
        event = asyncio.Event()
        handler = Recorder(lambda _method, _params: _wait(event))
        async with connected(handler) as (connection, raw):
            asked = asyncio.ensure_future(connection.request("ask"))
            assert (await raw.read())["id"] == 0
            raw.send(note("slow"), b"no json\n", request(1), result(0, "answered"))
            assert (await raw.read())["error"]["code"] == -32700
            assert not event.is_set()
            event.set()
            assert await asked == "answered"
            assert await raw.read() == result(1, {})
            await raw.alive()

    run(scenario())


async def _wait(event: asyncio.Event) -> None:
    await event.wait()


def _asking(answered: list[Any]) -> tuple[Recorder, list[Connection]]:
    """A handler whose hook asks the peer; the connection is put into the list."""
    holder: list[Connection] = []

    async def hook(method: str, _params: Any) -> None:
        if method == "ask":
            answered.append(await holder[0].request("question"))

    return Recorder(hook), holder


def test_a_hook_may_ask_the_peer() -> None:
    async def scenario() -> None:
        answered: list[Any] = []
        handler, holder = _asking(answered)
        async with connected(handler) as (connection, raw):
            holder.append(connection)
            raw.send(note("ask"), note("later"))
            question = await raw.read()
            raw.send(note("even later"), result(question["id"], 42))
            await raw.alive()
        assert answered == [42]
        assert [method for method, _ in handler.notes] == ["ask", "later", "even later"]

    run(scenario())


@pytest.mark.parametrize("before", [True, False], ids=["request waits already", "request comes"])
def test_the_peer_may_ask_back_before_it_answers_a_hook(before: bool) -> None:
    async def scenario() -> None:
        answered: list[Any] = []
        handler, holder = _asking(answered)
        async with connected(handler) as (connection, raw):
            holder.append(connection)
            back = request("back", x=1)
            raw.send(note("ask"), *([back] if before else []))
            question = await raw.read()
            if not before:
                raw.send(note("later"), back)
            assert await raw.read() == result("back", {"x": 1})
            raw.send(result(question["id"], 42))
            await raw.alive()
        assert answered == [42]

    run(scenario())


def test_a_handler_that_the_peer_waits_for_gets_its_answer_past_a_waiting_hook() -> None:
    async def scenario() -> None:
        answered: list[Any] = []
        holder: list[Connection] = []

        async def nested(_params: Any) -> Any:
            return await holder[0].request("inner")

        async def hook(method: str, _params: Any) -> None:
            if method == "ask":
                answered.append(await holder[0].request("outer"))

        async with connected(Recorder(hook, nested=nested)) as (connection, raw):
            holder.append(connection)
            raw.send(request("n", "nested"))
            inner = await raw.read()
            raw.send(note("ask"))
            outer = await raw.read()
            # The peer answers the hook only when its own request is answered.
            raw.send(result(inner["id"], "deep"))
            assert await raw.read() == result("n", "deep")
            raw.send(result(outer["id"], "done"))
            await raw.alive()
        assert answered == ["done"]

    run(scenario())


def test_a_task_that_a_hook_left_behind_is_not_exempt() -> None:
    async def scenario() -> None:
        lines: list[str] = []
        holder: list[Connection] = []
        tasks: list[asyncio.Task[None]] = []

        async def left() -> None:
            await holder[0].request("background")
            lines.append("answered")

        async def hook(method: str, _params: Any) -> None:
            if method == "begin":
                tasks.append(asyncio.create_task(left()))
            else:
                await asyncio.sleep(PAUSE)
                lines.append(method)

        async with connected(Recorder(hook)) as (connection, raw):
            holder.append(connection)
            raw.send(note("begin"))
            question = await raw.read()
            raw.send(note("a"), result(question["id"]), note("b"))
            await raw.alive()
            await asyncio.gather(*tasks)
        assert lines == ["a", "answered", "b"]

    run(scenario())


async def _hook_outcomes(raw: RawPeer, handler: Recorder, names: list[str]) -> None:
    raw.send(*(note(name) for name in names))
    await raw.alive()
    assert [method for method, _ in handler.notes] == names


def test_hooks_that_fail_or_are_cancelled_stop_nothing(caplog: pytest.LogCaptureFixture) -> None:
    async def doomed() -> None:
        task = asyncio.create_task(asyncio.sleep(60))
        asyncio.get_running_loop().call_soon(task.cancel)
        await task

    async def failing() -> None:
        raise LookupError("failing")

    def hook(method: str, _params: Any) -> Awaitable[None] | None:
        if method == "raise":
            raise LookupError("at once")
        return {"doomed": doomed, "failing": failing}[method]() if method != "fine" else None

    async def scenario() -> None:
        handler = Recorder(hook)
        names = ["failing", "raise", "doomed", "fine", "doomed", "raise", "failing", "fine"]
        async with connected(handler) as (_, raw):
            await _hook_outcomes(raw, handler, names)

    run(scenario())
    assert caplog.text.count("LookupError: failing") == 2
    assert caplog.text.count("LookupError: at once") == 2
    assert caplog.text.count("was cancelled") == 2


def test_a_hook_may_return_a_task() -> None:
    async def scenario() -> None:
        answered: list[Any] = []
        holder: list[Connection] = []

        async def ask() -> None:
            answered.append(await holder[0].request("question"))

        handler = Recorder(lambda _method, _params: asyncio.create_task(ask()))
        async with connected(handler) as (connection, raw):
            holder.append(connection)
            raw.send(note("a"))
            question = await raw.read()
            raw.send(note("b"), result(question["id"], 1))
            question = await raw.read()
            raw.send(result(question["id"], 2))
            await raw.alive()
        assert answered == [1, 2]

    run(scenario())
