"""The harness client, version 2."""

from __future__ import annotations

import asyncio
import os
from typing import Any

from acp_bindings import v2 as acp
from acp_bindings.runtime.spawn import spawn

from tests.interop.checks_v2 import Checks
from tests.interop.report import Report, stderr


class HarnessClient(acp.Client):
    info = acp.Implementation(name="acpgen-client-v2", version="1")
    capabilities = acp.ClientCapabilities(
        elicitation=acp.ElicitationCapabilities(
            form=acp.ElicitationFormCapabilities(), url=acp.ElicitationUrlCapabilities()
        )
    )

    def __init__(self) -> None:
        super().__init__()
        self.updates: list[acp.UpdateSessionNotification] = []
        self.arrived = asyncio.Condition()

    async def session_update(
        self, params: acp.UpdateSessionNotification, agent: acp.AgentPeer
    ) -> None:
        self.updates.append(params)
        if isinstance(params.update, acp.IdleStateUpdate):
            async with self.arrived:
                self.arrived.notify_all()

    async def session_request_permission(
        self, params: acp.RequestPermissionRequest, agent: acp.AgentPeer
    ) -> acp.RequestPermissionResponse:
        if params.meta and params.meta.get("hang"):
            await asyncio.Event().wait()
        outcome = acp.SelectedRequestPermissionOutcome(option_id=params.options[0].option_id)
        return acp.RequestPermissionResponse(outcome=outcome)

    async def elicitation_create(
        self, params: acp.CreateElicitationRequest, agent: acp.AgentPeer
    ) -> acp.CreateElicitationResponse:
        if params.mode == "form":
            return acp.AcceptCreateElicitationResponse(content={"name": "bob", "age": 3})
        return acp.DeclineCreateElicitationResponse()

    async def elicitation_complete(
        self, params: acp.CompleteElicitationNotification, agent: acp.AgentPeer
    ) -> None:
        pass

    async def ext_method(self, method: str, params: Any, agent: acp.AgentPeer, /) -> Any:
        if method == "_peer/echo":
            return params
        return await super().ext_method(method, params, agent)

    async def idle(self, session_id: str, after: int) -> acp.IdleStateUpdate:
        """Wait for the session to be idle, by an update behind the first `after` ones."""
        async with self.arrived:
            while True:
                for item in self.updates[after:]:
                    update = item.update
                    if item.session_id == session_id and isinstance(update, acp.IdleStateUpdate):
                        return update
                await self.arrived.wait()


async def run(command: list[str]) -> int:
    """All checks on one agent; the exit status."""
    report = Report()
    client = HarnessClient()
    process = await spawn(command, stderr=stderr(), patience=3.0, env=dict(os.environ))
    try:
        agent = await asyncio.wait_for(acp.connect(process, client), 15)
        answer = agent.initialize_response
        report.record("initialize", answer.protocol_version == 2, acp.encode(answer))
        await Checks(report, client, agent).run()
        await agent.close()
    except Exception as error:
        report.record("connection", False, repr(error))
    finally:
        await process.close()
    # A signal would mean that closing stdin was not enough.
    code = process.returncode
    report.record("exit-on-stdin-close", code is not None and code >= 0, {"exit": code})
    return report.summary("acpgen-v2")
