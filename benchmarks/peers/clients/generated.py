"""The client on the generated bindings."""

from __future__ import annotations

import asyncio
import json
import sys
import time

from acp_bindings import v1


class BenchmarkClient(v1.Client):
    """Counts chunks, and the characters of tool call updates."""

    chunks = 0
    characters = 0

    async def on_agent_message_chunk(self, session_id: str, update: v1.AgentMessageChunk) -> None:
        self.chunks += 1

    async def on_tool_call_update(self, session_id: str, update: v1.ToolCallUpdate) -> None:
        assert isinstance(update.content, list)
        for item in update.content:
            assert isinstance(item, v1.ContentToolCallContent)
            assert isinstance(item.content, v1.TextContentBlock)
            self.characters += len(item.content.text)


async def main(trips: int, chunks: int, characters: int, command: list[str]) -> None:
    """See the package."""
    client = BenchmarkClient()
    async with v1.spawn_agent(command, client) as agent:
        new = await agent.session_new(v1.NewSessionRequest(cwd="/tmp", mcp_servers=[]))

        async def prompt(text: str) -> float:
            """Seconds that the prompt took."""
            started = time.perf_counter()
            block = v1.TextContentBlock(text=text)
            await agent.session_prompt(v1.PromptRequest(session_id=new.session_id, prompt=[block]))
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
