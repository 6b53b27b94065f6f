"""The harness agent, version 2."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING, Any

from tests.interop.directives import extension, text_of
from tests.interop.turns_v2 import Session, Turn, commands, text

if TYPE_CHECKING or os.environ.get("ACP_UNSTABLE") != "1":
    from acp_bindings import v2 as acp
else:
    from acp_bindings import v2_unstable as acp

from acp_bindings.runtime.errors import InvalidParams

UNSTABLE = os.environ.get("ACP_UNSTABLE") == "1"


class HarnessAgent(acp.Agent):
    info = acp.Implementation(name="acpgen-harness-v2", version="1")
    auth_methods = (acp.AgentAuthMethod(method_id="none", name="None"),)
    capabilities = acp.AgentCapabilities(
        session=acp.SessionCapabilities(
            prompt=acp.PromptCapabilities(
                image=acp.PromptImageCapabilities(),
                audio=acp.PromptAudioCapabilities(),
                embedded_context=acp.PromptEmbeddedContextCapabilities(),
            ),
            mcp=acp.McpCapabilities(
                http=acp.McpHttpCapabilities(), stdio=acp.McpStdioCapabilities()
            ),
            additional_directories=acp.SessionAdditionalDirectoriesCapabilities(),
        ),
    )

    def __init__(self) -> None:
        super().__init__(meta={"acpHarness": 1})
        self.sessions: dict[str, Session] = {}
        self.count = 0
        self.tasks: set[asyncio.Task[None]] = set()

    def session(self, session_id: str) -> Session:
        if session_id not in self.sessions:
            raise acp.SessionNotFound(session_id)
        return self.sessions[session_id]

    def fresh(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}{self.count}"

    async def auth_login(
        self, params: acp.LoginAuthRequest, client: acp.ClientPeer
    ) -> acp.LoginAuthResponse:
        return acp.LoginAuthResponse()

    async def auth_logout(
        self, params: acp.LogoutAuthRequest, client: acp.ClientPeer
    ) -> acp.LogoutAuthResponse:
        return acp.LogoutAuthResponse()

    async def session_new(
        self, params: acp.NewSessionRequest, client: acp.ClientPeer
    ) -> acp.NewSessionResponse:
        session_id = self.fresh("s")
        session = self.sessions[session_id] = Session(params.cwd)
        return acp.NewSessionResponse(
            session_id=session_id,
            config_options=session.options(),
            available_commands=commands(),
        )

    async def session_resume(
        self, params: acp.ResumeSessionRequest, client: acp.ClientPeer
    ) -> acp.ResumeSessionResponse:
        session = self.session(params.session_id)
        if params.replay_from is not None:
            for message_id, said in session.history:
                update = acp.UserMessage(message_id=message_id, content=[text(said)])
                await client.send_update(params.session_id, update)
        await client.send_update(params.session_id, acp.IdleStateUpdate())
        return acp.ResumeSessionResponse(
            config_options=session.options(), available_commands=commands()
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
        self.session(params.session_id).cancelled.set()
        return acp.CloseSessionResponse()

    async def session_delete(
        self, params: acp.DeleteSessionRequest, client: acp.ClientPeer
    ) -> acp.DeleteSessionResponse:
        self.session(params.session_id)
        del self.sessions[params.session_id]
        return acp.DeleteSessionResponse()

    async def session_set_config_option(
        self, params: acp.SetSessionConfigOptionRequest, client: acp.ClientPeer
    ) -> acp.SetSessionConfigOptionResponse:
        session = self.session(params.session_id)
        if params.config_id == "model" and isinstance(params, acp.IdSetSessionConfigOptionRequest):
            session.model = params.value
        elif params.config_id == "think" and isinstance(
            params, acp.BooleanSetSessionConfigOptionRequest
        ):
            session.think = params.value
        else:
            raise InvalidParams(data={"configId": params.config_id, "type": params.type})
        return acp.SetSessionConfigOptionResponse(config_options=session.options())

    async def session_prompt(
        self, params: acp.PromptRequest, client: acp.ClientPeer
    ) -> acp.PromptResponse:
        session = self.session(params.session_id)
        message_id = self.fresh("u")
        session.history.append((message_id, text_of(params.prompt)))
        turn = Turn(params.session_id, client, session, self.fresh("a"))
        task = asyncio.create_task(turn.run(message_id, params.prompt))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return acp.PromptResponse(message_id=message_id)

    async def session_cancel(
        self, params: acp.CancelSessionNotification, client: acp.ClientPeer
    ) -> None:
        if params.session_id in self.sessions:
            self.sessions[params.session_id].cancelled.set()

    async def tool_call_cancel(
        self, params: acp.CancelToolCallRequest, client: acp.ClientPeer
    ) -> acp.CancelToolCallResponse:
        # That the tool call advertises its cancelling was checked before this is called.
        self.session(params.session_id).tool_cancelled.set()
        return acp.CancelToolCallResponse()

    async def terminal_cancel(
        self, params: acp.CancelTerminalRequest, client: acp.ClientPeer
    ) -> acp.CancelTerminalResponse:
        return acp.CancelTerminalResponse()

    async def ext_method(self, method: str, params: Any, client: acp.ClientPeer, /) -> Any:
        try:
            return await extension(method, params)
        except KeyError:
            return await super().ext_method(method, params, client)


if UNSTABLE and not TYPE_CHECKING:

    class HarnessAgent(HarnessAgent):
        """With what only the unstable surface has."""

        async def session_fork(self, params, client):
            parent = self.session(params.session_id)
            session_id = self.fresh("s")
            session = self.sessions[session_id] = Session(params.cwd)
            session.history = list(parent.history)
            return acp.ForkSessionResponse(session_id=session_id)
