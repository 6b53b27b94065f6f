"""An agent and a client as their authors would write them, for mypy --strict and for real."""

AGENT = '''
from __future__ import annotations

from acp_bindings import v1


class Shouter(v1.Agent):
    info = v1.Implementation(name="shouter", version="1.0")

    async def session_new(
        self, params: v1.NewSessionRequest, client: v1.ClientPeer
    ) -> v1.NewSessionResponse:
        return v1.NewSessionResponse(session_id="s1")

    async def session_prompt(
        self, params: v1.PromptRequest, client: v1.ClientPeer
    ) -> v1.PromptResponse:
        for block in params.prompt:
            if isinstance(block, v1.TextContentBlock):
                content = v1.TextContentBlock(text=block.text.upper())
                await client.send_update(params.session_id, v1.AgentMessageChunk(content=content))
        return v1.PromptResponse(stop_reason="end_turn")


if __name__ == "__main__":
    v1.run_agent(Shouter())
'''

CLIENT = '''
from __future__ import annotations

import asyncio
import sys

from acp_bindings import v1


class Editor(v1.Client):
    async def on_agent_message_chunk(
        self, session_id: str, update: v1.AgentMessageChunk
    ) -> None:
        if isinstance(update.content, v1.TextContentBlock):
            print("agent:", update.content.text)


async def main(command: list[str]) -> None:
    async with v1.spawn_agent(command, Editor()) as agent:
        new = await agent.session_new(v1.NewSessionRequest(cwd="/tmp", mcp_servers=[]))
        prompt: list[v1.ContentBlock] = [v1.TextContentBlock(text="hello")]
        answer = await agent.session_prompt(
            v1.PromptRequest(session_id=new.session_id, prompt=prompt)
        )
        print("stopped:", answer.stop_reason)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
'''

WRONG = '''
from acp_bindings import v1

v1.PromptResponse(stop_reason=5)
'''
"""What a type checker refuses where it sees the types, and lets pass where it does not."""

STRICT = '''
from acp_bindings import v2

print(len(v2.check(v2.NewSessionRequest, {"cwd": "/tmp"})))
print(v2.check(v2.NewSessionRequest, {"cwd": 1}))
'''
