"""The agent on the generated bindings."""

from __future__ import annotations

from acp_bindings import v1


def _chunk(text: str) -> v1.AgentMessageChunk:
    return v1.AgentMessageChunk(content=v1.TextContentBlock(text=text))


class BenchmarkAgent(v1.Agent):
    """See the package."""

    async def session_new(
        self, params: v1.NewSessionRequest, client: v1.ClientPeer
    ) -> v1.NewSessionResponse:
        return v1.NewSessionResponse(session_id="s1")

    async def session_prompt(
        self, params: v1.PromptRequest, client: v1.ClientPeer
    ) -> v1.PromptResponse:
        block = params.prompt[0]
        assert isinstance(block, v1.TextContentBlock)
        command, _, number = block.text.partition(" ")
        if command == "flood":
            for index in range(int(number)):
                text = f"token {index} of the answer, with some more words "
                await client.send_update(params.session_id, _chunk(text))
        elif command == "large":
            content = v1.ContentToolCallContent(content=v1.TextContentBlock(text="x" * int(number)))
            await client.send_update(
                params.session_id,
                v1.ToolCallUpdate(tool_call_id="t", status="completed", content=[content]),
            )
        else:
            await client.send_update(params.session_id, _chunk(block.text))
        return v1.PromptResponse(stop_reason="end_turn")


if __name__ == "__main__":
    v1.run_agent(BenchmarkAgent())
