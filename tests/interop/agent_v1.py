"""The harness agent, version 1."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from tests.interop.directives import extension, text_of
from tests.interop.turns_v1 import Session, Turn, text

if TYPE_CHECKING or os.environ.get("ACP_UNSTABLE") != "1":
    from acp_bindings import v1 as acp
else:
    from acp_bindings import v1_unstable as acp

from acp_bindings.runtime.errors import InvalidParams


class HarnessAgent(acp.Agent):
    info = acp.Implementation(name="acpgen-harness-v1", title="acpgen v1", version="1")
    auth_methods = (acp.AgentAuthMethod(id="none", name="None"),)
    capabilities = acp.AgentCapabilities(
        prompt_capabilities=acp.PromptCapabilities(image=True, audio=True, embedded_context=True),
        mcp_capabilities=acp.McpCapabilities(http=True),
    )

    def __init__(self) -> None:
        super().__init__(meta={"acpHarness": 1})
        self.sessions: dict[str, Session] = {}
        self.count = 0

    def session(self, session_id: str) -> Session:
        if session_id not in self.sessions:
            raise acp.SessionNotFound(session_id)
        return self.sessions[session_id]

    async def authenticate(
        self, params: acp.AuthenticateRequest, client: acp.ClientPeer
    ) -> acp.AuthenticateResponse:
        return acp.AuthenticateResponse()

    async def logout(self, params: acp.LogoutRequest, client: acp.ClientPeer) -> acp.LogoutResponse:
        return acp.LogoutResponse()

    async def session_new(
        self, params: acp.NewSessionRequest, client: acp.ClientPeer
    ) -> acp.NewSessionResponse:
        self.count += 1
        session_id = f"s{self.count}"
        session = self.sessions[session_id] = Session(params.cwd)
        return acp.NewSessionResponse(
            session_id=session_id, modes=session.modes(), config_options=session.options(client)
        )

    async def session_load(
        self, params: acp.LoadSessionRequest, client: acp.ClientPeer
    ) -> acp.LoadSessionResponse:
        session = self.session(params.session_id)
        for entry in session.history:
            await client.send_update(params.session_id, acp.UserMessageChunk(content=text(entry)))
        return acp.LoadSessionResponse(
            modes=session.modes(), config_options=session.options(client)
        )

    async def session_resume(
        self, params: acp.ResumeSessionRequest, client: acp.ClientPeer
    ) -> acp.ResumeSessionResponse:
        session = self.session(params.session_id)
        return acp.ResumeSessionResponse(
            modes=session.modes(), config_options=session.options(client)
        )

    async def session_list(
        self, params: acp.ListSessionsRequest, client: acp.ClientPeer
    ) -> acp.ListSessionsResponse:
        return acp.ListSessionsResponse(
            sessions=[
                acp.SessionInfo(
                    session_id=key,
                    cwd=item.cwd,
                    title=f"t {key}",
                    updated_at="2026-01-01T00:00:00Z",
                )
                for key, item in self.sessions.items()
            ]
        )

    async def session_close(
        self, params: acp.CloseSessionRequest, client: acp.ClientPeer
    ) -> acp.CloseSessionResponse:
        self.session(params.session_id)
        return acp.CloseSessionResponse()

    async def session_delete(
        self, params: acp.DeleteSessionRequest, client: acp.ClientPeer
    ) -> acp.DeleteSessionResponse:
        self.session(params.session_id)
        del self.sessions[params.session_id]
        return acp.DeleteSessionResponse()

    async def session_set_mode(
        self, params: acp.SetSessionModeRequest, client: acp.ClientPeer
    ) -> acp.SetSessionModeResponse:
        self.session(params.session_id)
        return acp.SetSessionModeResponse()

    async def session_set_config_option(
        self, params: acp.SetSessionConfigOptionRequest, client: acp.ClientPeer
    ) -> acp.SetSessionConfigOptionResponse:
        session = self.session(params.session_id)
        if isinstance(params, acp.BooleanSetSessionConfigOptionRequest):
            session.think = params.value
        elif params.config_id == "model":
            session.model = params.value
        else:
            raise InvalidParams(data={"configId": params.config_id})
        return acp.SetSessionConfigOptionResponse(config_options=session.options(client))

    async def session_prompt(
        self, params: acp.PromptRequest, client: acp.ClientPeer
    ) -> acp.PromptResponse:
        session = self.session(params.session_id)
        said = text_of(params.prompt)
        session.history.append(said)
        turn = Turn(params.session_id, client, session)
        return acp.PromptResponse(stop_reason=await turn.run(said))

    async def ext_method(self, method: str, params: Any, client: acp.ClientPeer, /) -> Any:
        try:
            return await extension(method, params)
        except KeyError:
            return await super().ext_method(method, params, client)


if os.environ.get("ACP_UNSTABLE") == "1" and not TYPE_CHECKING:

    class HarnessAgent(HarnessAgent):
        """With what only the unstable surface has."""

        async def session_fork(self, params, client):
            parent = self.session(params.session_id)
            self.count += 1
            session_id = f"s{self.count}"
            session = self.sessions[session_id] = Session(params.cwd)
            session.history = list(parent.history)
            return acp.ForkSessionResponse(session_id=session_id)
