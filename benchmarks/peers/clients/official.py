"""The client on the official Python SDK."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from typing import Any

from acp import Client, spawn_agent_process, text_block

LIMIT = 64 << 20  # of a line; the SDK's own limit is lower than the large update


class BenchmarkClient(Client):
    """Counts chunks, and the characters of tool call updates."""

    chunks = 0
    characters = 0

    async def session_update(self, session_id: str, update: Any, **_: Any) -> None:
        if update.session_update == "agent_message_chunk":
            self.chunks += 1
        else:
            self.characters += sum(len(item.content.text) for item in update.content)


async def main(trips: int, chunks: int, characters: int, command: list[str]) -> None:
    """See the package."""
    client = BenchmarkClient()  # type: ignore[abstract]
    # The SDK's own environment for agents lacks PYTHONPATH.
    connected = spawn_agent_process(
        client, *command, env=dict(os.environ), transport_kwargs={"limit": LIMIT}
    )
    async with connected as (agent, _process):
        await agent.initialize(protocol_version=1)
        session = (await agent.new_session(cwd="/tmp", mcp_servers=[])).session_id

        async def prompt(text: str) -> float:
            """Seconds that the prompt took."""
            started = time.perf_counter()
            await agent.prompt(session_id=session, prompt=[text_block(text)])
            return time.perf_counter() - started

        await prompt("warm up")
        started = time.perf_counter()
        for _ in range(trips):
            await prompt("hi")
        trip = (time.perf_counter() - started) / trips
        assert client.chunks == trips + 1, client.chunks
        flood = await prompt(f"flood {chunks}")
        assert client.chunks == trips + 1 + chunks, client.chunks
        large = await prompt(f"large {characters}")
        assert client.characters == characters, client.characters
    print(json.dumps({"trips": 1 / trip, "chunks": chunks / flood, "large": large * 1000}))


if __name__ == "__main__":
    TRIPS, CHUNKS, CHARACTERS = map(int, sys.argv[1:4])
    asyncio.run(main(TRIPS, CHUNKS, CHARACTERS, sys.argv[4:]))
