"""Agents that the tests of agents serve."""

from __future__ import annotations

from typing import Any

import pytest
from acp_bindings import v1, v2

S1 = {"sessionId": "s1"}
PROMPT = {**S1, "prompt": [{"type": "text", "text": "hi"}]}


class Agent1(v1.Agent):
    """Version 1, with what every test needs."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.seen: list[Any] = []

    async def session_new(
        self, params: v1.NewSessionRequest, client: v1.ClientPeer
    ) -> v1.NewSessionResponse:
        self.seen.append(params)
        return v1.NewSessionResponse(session_id="s1")

    async def session_prompt(
        self, params: v1.PromptRequest, client: v1.ClientPeer
    ) -> v1.PromptResponse:
        self.seen.append(params)
        return v1.PromptResponse(stop_reason="end_turn")


class Agent2(v2.Agent):
    """Version 2, with the baseline."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.seen: list[Any] = []

    async def session_new(
        self, params: v2.NewSessionRequest, client: v2.ClientPeer
    ) -> v2.NewSessionResponse:
        self.seen.append(params)
        return v2.NewSessionResponse(session_id="s1")

    async def session_list(
        self, params: v2.ListSessionsRequest, client: v2.ClientPeer
    ) -> v2.ListSessionsResponse:
        return v2.ListSessionsResponse(sessions=[])

    async def session_resume(
        self, params: v2.ResumeSessionRequest, client: v2.ClientPeer
    ) -> v2.ResumeSessionResponse:
        return v2.ResumeSessionResponse()

    async def session_close(
        self, params: v2.CloseSessionRequest, client: v2.ClientPeer
    ) -> v2.CloseSessionResponse:
        raise v2.SessionNotFound(params.session_id)

    async def session_prompt(
        self, params: v2.PromptRequest, client: v2.ClientPeer
    ) -> v2.PromptResponse:
        self.seen.append(params)
        return v2.PromptResponse(message_id="m1")

    async def session_cancel(
        self, params: v2.CancelSessionNotification, client: v2.ClientPeer
    ) -> None:
        self.seen.append(params)


AGENTS: dict[int, Any] = {1: Agent1, 2: Agent2}
BOTH = pytest.mark.parametrize("version", [1, 2])
