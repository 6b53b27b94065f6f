"""Byte streams on descriptors, by the event loop and by threads."""

from __future__ import annotations

import asyncio
import json
import os
import sys

import pytest

from acpgen.runtime.connection import Connection
from acpgen.runtime.streams import open_pipes, socket_pair
from tests.robustness.raw import Recorder, request, run

modes = pytest.mark.parametrize(
    "threads",
    [
        pytest.param(False, marks=pytest.mark.skipif(sys.platform == "win32", reason="POSIX")),
        True,
    ],
)


@modes
def test_who_writes_waits_while_nobody_reads(threads: bool) -> None:
    async def scenario() -> None:
        theirs_in, ours_out = os.pipe()
        ours_in, theirs_out = os.pipe()
        stream = await open_pipes(ours_in, ours_out, threads=threads)
        async with Connection(stream, Recorder()) as connection:
            sent = 0

            async def flood() -> None:
                nonlocal sent
                for number in range(5_000):
                    await connection.notify("chunk", {"n": number, "text": "x" * 1_000})
                    sent += 1

            task = asyncio.ensure_future(flood())
            before = -1
            while before != sent:  # until it stands still
                before = sent
                await asyncio.sleep(0.05)
            assert 0 < sent < 2_500
            with os.fdopen(theirs_in, "rb") as file:
                for number in range(5_000):
                    line = await asyncio.to_thread(file.readline)
                    assert json.loads(line)["params"]["n"] == number
                await task
                os.write(theirs_out, json.dumps(request(1)).encode() + b"\n")
                assert json.loads(await asyncio.to_thread(file.readline))["id"] == 1
                os.close(theirs_out)
                await connection.run()
                assert file.readline() == b""

    run(scenario())


@modes
def test_an_input_that_is_far_ahead_is_read_to_its_end(threads: bool) -> None:
    async def scenario() -> None:
        theirs_in, ours_out = os.pipe()
        ours_in, theirs_out = os.pipe()
        handler = Recorder()
        stream = await open_pipes(ours_in, ours_out, threads=threads)
        line = b'{"jsonrpc":"2.0","method":"note","params":{"text":"%b"}}\n' % (b"x" * 1_000)

        def fill() -> None:
            with os.fdopen(theirs_out, "wb") as file:
                for _ in range(10_000):
                    file.write(line)

        async with Connection(stream, handler) as connection:
            await asyncio.gather(asyncio.to_thread(fill), connection.run())
        os.close(theirs_in)
        assert len(handler.notes) == 10_000

    run(scenario())


def test_two_connections_on_a_pair_of_sockets() -> None:
    async def scenario() -> None:
        one, other = await socket_pair()
        async with Connection(one, Recorder()), Connection(other, Recorder()) as client:
            big = {"text": "x" * 3_000_000}
            assert await client.request("echo", big) == big

    run(scenario())


def test_what_comes_before_the_connection_is_kept() -> None:
    async def scenario() -> None:
        one, other = await socket_pair()
        handler = Recorder()
        async with Connection(one, Recorder()) as early:
            await early.notify("early", {"n": 1})
            await asyncio.sleep(0.05)
            late = Connection(other, handler)
            await asyncio.sleep(0.05)
            assert handler.notes == []
            async with late:
                assert await late.request("echo", {"n": 2}) == {"n": 2}
        assert handler.notes == [("early", {"n": 1})]

    run(scenario())
