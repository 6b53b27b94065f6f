"""Much at once, and much over time."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.robustness.raw import Recorder, cancel, connected, note, request, result, run


@pytest.mark.parametrize("slow", [False, True], ids=["plain hook", "coroutine hook"])
def test_50_000_notifications_and_then_a_request(slow: bool) -> None:
    async def hook(_method: str, _params: Any) -> None:
        pass

    async def scenario() -> None:
        handler = Recorder(hook if slow else None)
        async with connected(handler) as (_, raw):
            raw.send(b"".join(json.dumps(note(n=n)).encode() + b"\n" for n in range(50_000)))
            await raw.alive()
        assert [params["n"] for _, params in handler.notes] == list(range(50_000))

    run(scenario())


def test_300_requests_at_once_each_way() -> None:
    async def scenario() -> None:
        async with connected() as (connection, raw):
            calls = [asyncio.ensure_future(connection.request("ask", {"n": n})) for n in range(300)]
            raw.send(*(request(f"r{n}", n=n) for n in range(300)))
            asked, answered = {}, {}
            for _ in range(600):
                message = await raw.read()
                if "method" in message:
                    asked[message["id"]] = message["params"]["n"]
                else:
                    answered[message["id"]] = message["result"]["n"]
            assert answered == {f"r{n}": n for n in range(300)}
            for id_ in sorted(asked, reverse=True):
                raw.send(result(id_, asked[id_]))
            assert await asyncio.gather(*calls) == list(range(300))
            await raw.alive()

    run(scenario())


def test_300_handlers_that_never_return_are_cancelled() -> None:
    async def scenario() -> None:
        handler = Recorder()
        async with connected(handler) as (_, raw):
            raw.send(*(request(n, "never") for n in range(300)))
            await raw.alive()
            raw.send(*(cancel(n) for n in reversed(range(300))))
            answers = [await raw.read() for _ in range(300)]
            assert sorted(answer["id"] for answer in answers) == list(range(300))
            assert {answer["error"]["code"] for answer in answers} == {-32800}
            assert len(handler.cancelled) == 300
            await raw.alive()

    run(scenario())


def test_a_peer_that_only_writes_nonsense() -> None:
    async def scenario() -> None:
        async with connected() as (_, raw):
            raw.send(b"nonsense\n" * 2_000, b"[]\n" * 2_000, b'{"id":4}\n' * 2_000)
            codes = [(await raw.read())["error"]["code"] for _ in range(4_000)]
            assert codes == [-32700] * 2_000 + [-32600] * 2_000
            await raw.alive()

    run(scenario())


def _resident() -> int:
    """Bytes of memory that this process holds."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGESIZE")


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_memory_after_200_000_messages_is_that_after_20_000() -> None:
    """Notifications, requests both ways, some of them cancelled or refused, and nonsense."""
    handler = Recorder()

    async def turn(connection: Any, raw: Any, number: int) -> int:
        """One batch; returns how many messages went over the wire."""
        text = "some words of an answer " * 4
        raw.send(*(note("session/update", n=n, text=text) for n in range(700)))
        raw.send(*(request(f"{number}.{n}", x=text) for n in range(80)))
        raw.send(*(request(f"{number}.n{n}", "never") for n in range(10)))
        raw.send(*(cancel(f"{number}.n{n}") for n in range(10)))
        raw.send(*(request(f"{number}.u{n}", "no/such") for n in range(10)))
        raw.send(b"nonsense\n" * 5, result(10**9, "stray"))
        calls = [asyncio.ensure_future(connection.request("ask", {"x": text})) for _ in range(20)]
        seen = 0
        for _ in range(80 + 10 + 10 + 5 + 20):
            message = await raw.read()
            seen += 1
            if message.get("method") == "ask":
                raw.send(result(message["id"], {"text": text}))
        await asyncio.gather(*calls)
        given_up = asyncio.ensure_future(connection.request("ask"))
        await raw.read()
        given_up.cancel()
        assert (await raw.read())["method"] == "$/cancel_request"
        handler.notes.clear()
        handler.begun.clear()
        handler.cancelled.clear()
        return 700 + 80 + 10 + 10 + 10 + 5 + 1 + 20 + seen + 2

    async def scenario() -> None:
        async with connected(handler) as (connection, raw):
            messages, number = 0, 0
            early = 0
            while messages < 200_000:
                messages += await turn(connection, raw, number)
                number += 1
                if not early and messages >= 20_000:
                    gc.collect()
                    early = _resident()
            gc.collect()
            assert _resident() <= early * 1.05
            await raw.alive()

    run(scenario())
