"""The agent on the official Python SDK."""

from __future__ import annotations

import asyncio
from typing import Any

from acp import (
    Agent,
    InitializeResponse,
    NewSessionResponse,
    PromptResponse,
    run_agent,
    text_block,
    update_agent_message,
)
from acp.interfaces import Client
from acp.schema import ContentToolCallContent, ToolCallProgress


class BenchmarkAgent(Agent):
    """See the package. Methods take what they use, as the SDK's own examples do."""

    client: Client

    def on_connect(self, conn: Client) -> None:
        self.client = conn

    async def initialize(  # type: ignore[override]
        self, protocol_version: int, **_: Any
    ) -> InitializeResponse:
        return InitializeResponse(protocol_version=1)

    async def new_session(self, cwd: str, **_: Any) -> NewSessionResponse:  # type: ignore[override]
        return NewSessionResponse(session_id="s1")

    async def prompt(  # type: ignore[override]
        self, prompt: list[Any], session_id: str, **_: Any
    ) -> PromptResponse:
        text: str = prompt[0].text
        command, _space, number = text.partition(" ")
        if command == "flood":
            for index in range(int(number)):
                chunk = text_block(f"token {index} of the answer, with some more words ")
                await self.client.session_update(session_id, update_agent_message(chunk))
        elif command == "large":
            content = ContentToolCallContent(type="content", content=text_block("x" * int(number)))
            update = ToolCallProgress(
                session_update="tool_call_update",
                tool_call_id="t",
                status="completed",
                content=[content],
            )
            await self.client.session_update(session_id, update)
        else:
            await self.client.session_update(session_id, update_agent_message(text_block(text)))
        return PromptResponse(stop_reason="end_turn")


if __name__ == "__main__":
    asyncio.run(run_agent(BenchmarkAgent()))  # type: ignore[abstract]
