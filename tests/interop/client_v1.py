"""The harness client, version 1."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

from acp_bindings import v1 as acp
from acp_bindings.runtime.spawn import spawn

from tests.interop.checks_v1 import Checks
from tests.interop.report import Report, stderr
from tests.interop.terminals import Terminal


class HarnessClient(acp.Client):
    info = acp.Implementation(name="acpgen-client-v1", version="1")
    capabilities = acp.ClientCapabilities(
        session=acp.ClientSessionCapabilities(
            config_options=acp.SessionConfigOptionsCapabilities(
                boolean=acp.BooleanConfigOptionCapabilities()
            )
        ),
        elicitation=acp.ElicitationCapabilities(
            form=acp.ElicitationFormCapabilities(), url=acp.ElicitationUrlCapabilities()
        ),
    )

    def __init__(self) -> None:
        super().__init__()
        self.updates: list[acp.SessionNotification] = []
        self.terminals: dict[str, Terminal] = {}

    async def session_update(self, params: acp.SessionNotification, agent: acp.AgentPeer) -> None:
        self.updates.append(params)

    async def session_request_permission(
        self, params: acp.RequestPermissionRequest, agent: acp.AgentPeer
    ) -> acp.RequestPermissionResponse:
        if params.meta and params.meta.get("hang"):
            await asyncio.Event().wait()
        outcome = acp.SelectedRequestPermissionOutcome(option_id=params.options[0].option_id)
        return acp.RequestPermissionResponse(outcome=outcome)

    async def fs_write_text_file(
        self, params: acp.WriteTextFileRequest, agent: acp.AgentPeer
    ) -> acp.WriteTextFileResponse:
        Path(params.path).write_text(params.content, encoding="utf-8")
        return acp.WriteTextFileResponse()

    async def fs_read_text_file(
        self, params: acp.ReadTextFileRequest, agent: acp.AgentPeer
    ) -> acp.ReadTextFileResponse:
        lines = Path(params.path).read_text(encoding="utf-8").splitlines(keepends=True)
        first = (params.line or 1) - 1
        last = None if params.limit is None else first + params.limit
        return acp.ReadTextFileResponse(content="".join(lines[first:last]))

    async def terminal_create(
        self, params: acp.CreateTerminalRequest, agent: acp.AgentPeer
    ) -> acp.CreateTerminalResponse:
        terminal_id = f"t{len(self.terminals) + 1}"
        self.terminals[terminal_id] = await Terminal.start(params.command, params.args, params.cwd)
        return acp.CreateTerminalResponse(terminal_id=terminal_id)

    async def terminal_output(
        self, params: acp.TerminalOutputRequest, agent: acp.AgentPeer
    ) -> acp.TerminalOutputResponse:
        terminal = self.terminals[params.terminal_id]
        status = None
        if terminal.process.returncode is not None:
            status = acp.TerminalExitStatus(exit_code=terminal.exit_code, signal=terminal.signal)
        return acp.TerminalOutputResponse(
            output=terminal.output.decode(), truncated=False, exit_status=status
        )

    async def terminal_wait_for_exit(
        self, params: acp.WaitForTerminalExitRequest, agent: acp.AgentPeer
    ) -> acp.WaitForTerminalExitResponse:
        terminal = self.terminals[params.terminal_id]
        await terminal.ended()
        return acp.WaitForTerminalExitResponse(exit_code=terminal.exit_code, signal=terminal.signal)

    async def terminal_kill(
        self, params: acp.KillTerminalRequest, agent: acp.AgentPeer
    ) -> acp.KillTerminalResponse:
        self.terminals[params.terminal_id].kill()
        return acp.KillTerminalResponse()

    async def terminal_release(
        self, params: acp.ReleaseTerminalRequest, agent: acp.AgentPeer
    ) -> acp.ReleaseTerminalResponse:
        self.terminals[params.terminal_id].kill()
        return acp.ReleaseTerminalResponse()

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


async def run(command: list[str]) -> int:
    """All checks on one agent; the exit status."""
    report = Report()
    client = HarnessClient()
    process = await spawn(command, stderr=stderr(), patience=3.0, env=dict(os.environ))
    try:
        agent = await asyncio.wait_for(acp.connect(process, client), 15)
        answer = agent.initialize_response
        report.record("initialize", answer.protocol_version == 1, acp.encode(answer))
        await Checks(report, client, agent).run()
        await agent.close()
    except Exception as error:
        report.record("connection", False, repr(error))
    finally:
        await process.close()
    # A signal would mean that closing stdin was not enough.
    code = process.returncode
    report.record("exit-on-stdin-close", code is not None and code >= 0, {"exit": code})
    return report.summary("acpgen-v1")
