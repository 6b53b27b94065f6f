# pyright: strict
"""An agent as its author writes it: typed params, typed peer, typed results."""

from typing import Any

from acp_bindings.v1 import (
    Agent,
    AgentCapabilities,
    AgentMessageChunk,
    ClientPeer,
    Implementation,
    NewSessionRequest,
    NewSessionResponse,
    NotAdvertised,
    PromptCapabilities,
    PromptRequest,
    PromptResponse,
    ReadTextFileRequest,
    SessionNotFound,
    SessionUpdate,
    TextContentBlock,
    run_agent,
)
from acp_bindings.v2 import Agent as Agent2
from typing_extensions import reveal_type


class MyAgent(Agent):
    info = Implementation(name="mine", version="1")
    capabilities = AgentCapabilities(prompt_capabilities=PromptCapabilities(image=True))

    def __init__(self) -> None:
        super().__init__(meta={"k": 1})
        self.sessions: dict[str, list[str]] = {}

    async def session_new(
        self, params: NewSessionRequest, client: ClientPeer
    ) -> NewSessionResponse:
        reveal_type(params.cwd)  # => str
        self.sessions["s1"] = []
        return NewSessionResponse(session_id="s1")

    async def session_prompt(self, params: PromptRequest, client: ClientPeer) -> PromptResponse:
        if params.session_id not in self.sessions:
            raise SessionNotFound(params.session_id)
        update: SessionUpdate = AgentMessageChunk(content=TextContentBlock(text="hi"))
        await client.send_update(params.session_id, update)
        await client.send_update(params.session_id, "hi")  # !
        try:
            request = ReadTextFileRequest(session_id=params.session_id, path="/a")
            file = await client.fs_read_text_file(request)
        except NotAdvertised as error:
            reveal_type(error.missing)  # => str
            return PromptResponse(stop_reason="refusal")
        reveal_type(file.content)  # => str
        await client.fs_read_text_file(params)  # !
        await client.session_new(params)  # !
        reveal_type(client.initialize_request.protocol_version)  # => int
        return PromptResponse(stop_reason="end_turn")

    async def ext_method(self, method: str, params: Any, client: ClientPeer, /) -> Any:
        reveal_type(client)  # => ClientPeer
        return await super().ext_method(method, params, client)


class Wrong(Agent):
    async def session_new(self, params: PromptRequest, client: ClientPeer) -> PromptResponse:  # !
        return PromptResponse(stop_reason="end_turn")


def main() -> None:
    run_agent(MyAgent(), Agent2())
    run_agent("an agent")  # !
    Agent(info="mine")  # !
