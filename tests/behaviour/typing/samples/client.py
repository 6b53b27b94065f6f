# pyright: strict
"""A client as its author writes it: update hooks, typed calls, and the peer of the version that was
agreed on.
"""

from acp_bindings import v1, v2
from acp_bindings.runtime.transport import Transport
from acp_bindings.v1 import connect, spawn_agent
from typing_extensions import reveal_type


class MyClient(v1.Client):
    info = v1.Implementation(name="mine", version="1")

    async def on_agent_message_chunk(self, session_id: str, update: v1.AgentMessageChunk) -> None:
        if isinstance(update.content, v1.TextContentBlock):
            print(session_id, update.content.text)

    async def session_request_permission(
        self, params: v1.RequestPermissionRequest, agent: v1.AgentPeer
    ) -> v1.RequestPermissionResponse:
        chosen = params.options[0].option_id
        outcome = v1.SelectedRequestPermissionOutcome(option_id=chosen)
        return v1.RequestPermissionResponse(outcome=outcome)


class Wrong(v1.Client):
    async def on_agent_message_chunk(self, session_id: str, update: v1.ToolCall) -> None:  # !
        pass


async def one(command: list[str]) -> None:
    async with spawn_agent(command, MyClient()) as agent:
        reveal_type(agent)  # => AgentPeer
        new = await agent.session_new(v1.NewSessionRequest(cwd="/w", mcp_servers=[]))
        reveal_type(new)  # => NewSessionResponse
        await agent.session_new(v2.NewSessionRequest(cwd="/w"))  # !
        block = v1.TextContentBlock(text="hi")
        request = v1.PromptRequest(session_id=new.session_id, prompt=[block])
        answer = await agent.session_prompt(request)
        reveal_type(answer)  # => PromptResponse
        if agent.supports("session/list"):
            found = await agent.session_list(v1.ListSessionsRequest())
            reveal_type(found.sessions)  # => list[SessionInfo]


async def both(transport: Transport) -> None:
    agent = await connect(transport, MyClient(), v2.Client())
    if isinstance(agent, v1.AgentPeer):
        await agent.session_new(v1.NewSessionRequest(cwd="/w", mcp_servers=[]))
    else:
        await agent.session_new(v2.NewSessionRequest(cwd="/w"))
        await agent.session_new(v1.NewSessionRequest(cwd="/w", mcp_servers=[]))  # !
    await connect(transport, v1.Agent())  # !
