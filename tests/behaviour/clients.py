"""Clients that the tests of clients connect, and params for them."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from acp_bindings import v1, v2

S1 = {"sessionId": "s1"}
SURFACES: dict[int, Any] = {1: v1, 2: v2}
BOTH = pytest.mark.parametrize("version", [1, 2])
OPTIONS = [{"optionId": "yes", "name": "Yes", "kind": "allow_once"}]
PERMISSION: dict[int, dict[str, Any]] = {
    1: {**S1, "toolCall": {"toolCallId": "t"}, "options": OPTIONS},
    2: {**S1, "title": "t", "options": OPTIONS},
}
SESSION = {1: {}, 2: {"session": {}}}


class Waits1(v1.Client):
    """Decides about permissions when told to."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = asyncio.Event()
        self.decided = asyncio.Event()
        self.stubborn = False

    async def session_request_permission(
        self, params: v1.RequestPermissionRequest, agent: v1.AgentPeer
    ) -> v1.RequestPermissionResponse:
        self.asked.set()
        try:
            await self.decided.wait()
        except asyncio.CancelledError:
            if not self.stubborn:
                raise
        outcome = v1.SelectedRequestPermissionOutcome(option_id="yes")
        return v1.RequestPermissionResponse(outcome=outcome)


class Waits2(v2.Client):
    """The same in version 2."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = asyncio.Event()
        self.decided = asyncio.Event()

    async def session_request_permission(
        self, params: v2.RequestPermissionRequest, agent: v2.AgentPeer
    ) -> v2.RequestPermissionResponse:
        self.asked.set()
        await self.decided.wait()
        outcome = v2.SelectedRequestPermissionOutcome(option_id="yes")
        return v2.RequestPermissionResponse(outcome=outcome)
