"""The agent on json and asyncio alone: what no agent with an event loop can beat by much."""

from __future__ import annotations

import asyncio
import sys

from benchmarks.peers.agents.wire import answers

LIMIT = 64 << 20


async def main() -> None:
    """Answer line by line until stdin ends."""
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=LIMIT)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    transport, protocol = await loop.connect_write_pipe(
        asyncio.streams.FlowControlMixin, sys.stdout
    )
    writer = asyncio.StreamWriter(transport, protocol, None, loop)
    while line := await reader.readline():
        for answer in answers(line):
            writer.write(answer)
            await writer.drain()


if __name__ == "__main__":
    asyncio.run(main())
