"""What the harness agent of version 1 does with a prompt: one directive each."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING, Any

from tests.interop.directives import cancelled_answer, outcome, parsed

if TYPE_CHECKING or os.environ.get("ACP_UNSTABLE") != "1":
    from acp_bindings import v1 as acp
else:
    from acp_bindings import v1_unstable as acp

from acp_bindings.runtime.errors import RpcError

JPEG = "AAAA"


def text(value: str) -> acp.TextContentBlock:
    return acp.TextContentBlock(text=value)


class Session:
    """What the agent keeps of one session."""

    def __init__(self, cwd: str) -> None:
        self.cwd = cwd
        self.history: list[str] = []
        self.model = "m1"
        self.think = True

    def modes(self) -> acp.SessionModeState:
        modes = [acp.SessionMode(id="code", name="Code"), acp.SessionMode(id="ask", name="Ask")]
        return acp.SessionModeState(current_mode_id="code", available_modes=modes)

    def options(self, client: acp.ClientPeer) -> list[acp.SessionConfigOption]:
        """Boolean ones only for a client that knows them."""
        model = acp.SelectSessionConfigOption(
            id="model",
            name="Model",
            category="model",
            current_value=self.model,
            options=[
                acp.SessionConfigSelectOption(value="m1", name="M1"),
                acp.SessionConfigSelectOption(value="m2", name="M2"),
            ],
        )
        if not client.gates.has("client", "session.configOptions.boolean"):
            return [model]
        think = acp.BooleanSessionConfigOption(id="think", name="Think", current_value=self.think)
        return [model, think]


class Turn:
    """One prompt: carries out its directive."""

    def __init__(self, session_id: str, client: acp.ClientPeer, session: Session) -> None:
        self.id = session_id
        self.client = client
        self.session = session

    async def update(self, update: acp.SessionUpdate) -> None:
        await self.client.send_update(self.id, update)

    async def raw(self, update: dict[str, Any]) -> None:
        """An update that no sender can build."""
        params = {"sessionId": self.id, "update": update}
        await self.client.connection.notify("session/update", params)

    async def say(self, value: str) -> None:
        await self.update(acp.AgentMessageChunk(content=text(value)))

    async def run(self, said: str) -> acp.StopReason:
        directive = parsed(said)
        if directive is None:
            await self.say(said)
            return "end_turn"
        name, argument = directive
        method = getattr(self, "do_" + name.replace("-", "_"), None)
        if method is None:
            await self.say(f"unknown-directive:{name}")
            return "end_turn"
        stop: acp.StopReason | None = await method(argument)
        return stop or "end_turn"

    def permission(self) -> acp.RequestPermissionRequest:
        return acp.RequestPermissionRequest(
            session_id=self.id,
            tool_call=acp.ToolCallUpdatePayload(
                tool_call_id="tc1", title="do it", kind="execute", status="pending"
            ),
            options=[
                acp.PermissionOption(option_id="allow", name="Allow", kind="allow_once"),
                acp.PermissionOption(option_id="reject", name="Reject", kind="reject_once"),
            ],
        )

    async def do_echo(self, argument: str) -> None:
        await self.say(argument)

    async def do_updates(self, _argument: str) -> None:
        link = acp.ResourceLinkContentBlock(uri="file:///a", name="a")
        contents = acp.TextResourceContents(uri="file:///a", text="x")
        image = acp.ImageContentBlock(data=JPEG, mime_type="image/png")
        await self.update(acp.UserMessageChunk(content=text("u")))
        await self.update(acp.AgentThoughtChunk(content=text("t")))
        for block in (image, link, acp.ResourceContentBlock(resource=contents)):
            await self.update(acp.AgentMessageChunk(content=block))
        await self.update(
            acp.ToolCall(
                tool_call_id="tc1",
                title="t",
                kind="edit",
                status="pending",
                raw_input={"a": [1, None]},
                locations=[acp.ToolCallLocation(path="/a", line=3)],
            )
        )
        await self.update(
            acp.ToolCallUpdate(
                tool_call_id="tc1",
                status="completed",
                content=[
                    acp.ContentToolCallContent(content=text("c")),
                    acp.DiffToolCallContent(path="/a", new_text="n"),
                    acp.TerminalToolCallContent(terminal_id="t1"),
                ],
            )
        )
        entry = acp.PlanEntry(content="c", priority="high", status="pending")
        await self.update(acp.Plan(entries=[entry]))
        command = acp.AvailableCommand(
            name="x", description="d", input=acp.UnstructuredCommandInput(hint="h")
        )
        await self.update(acp.AvailableCommandsUpdate(available_commands=[command]))
        await self.update(acp.CurrentModeUpdate(current_mode_id="ask"))
        options = self.session.options(self.client)
        await self.update(acp.ConfigOptionUpdate(config_options=options))
        await self.update(acp.SessionInfoUpdate(title="T", updated_at="2026-01-01T00:00:00Z"))
        cost = acp.Cost(amount=0.1, currency="USD")
        await self.update(acp.UsageUpdate(used=1, size=100, cost=cost))
        await self.say("updates-done")

    async def do_permission(self, _argument: str) -> acp.StopReason:
        try:
            answer = await self.client.session_request_permission(self.permission())
        except RpcError as error:
            await self.say(f"permission:error{error.code}:")
            return "end_turn"
        if answer.outcome.outcome == "selected":
            await self.say(f"permission:selected:{answer.outcome.option_id}")
            return "end_turn"
        await self.say(f"permission:{answer.outcome.outcome}:")
        return "cancelled"

    async def do_fs(self, path: str) -> None:
        try:
            await self.client.fs_write_text_file(
                acp.WriteTextFileRequest(
                    session_id=self.id, path=path, content="line1\nline2\nline3\n"
                )
            )
            read = await self.client.fs_read_text_file(
                acp.ReadTextFileRequest(session_id=self.id, path=path, line=2, limit=1)
            )
            await self.say("fs:" + read.content)
        except RpcError as error:
            await self.say(f"fs:error:{error.code}")

    async def do_terminal(self, _argument: str) -> None:
        try:
            created = await self.client.terminal_create(
                acp.CreateTerminalRequest(
                    session_id=self.id,
                    command="sh",
                    args=["-c", "echo hi; exit 3"],
                    output_byte_limit=1000,
                )
            )
            ids: dict[str, Any] = {"session_id": self.id, "terminal_id": created.terminal_id}
            ended = await self.client.terminal_wait_for_exit(acp.WaitForTerminalExitRequest(**ids))
            output = await self.client.terminal_output(acp.TerminalOutputRequest(**ids))
            await self.client.terminal_release(acp.ReleaseTerminalRequest(**ids))
            await self.say(f"terminal:{ended.exit_code}:{output.output.strip()}")
        except RpcError as error:
            await self.say(f"terminal:error:{error.code}")

    async def do_terminal_kill(self, _argument: str) -> None:
        try:
            created = await self.client.terminal_create(
                acp.CreateTerminalRequest(session_id=self.id, command="sleep", args=["60"])
            )
            ids: dict[str, Any] = {"session_id": self.id, "terminal_id": created.terminal_id}
            await self.client.terminal_kill(acp.KillTerminalRequest(**ids))
            ended = await self.client.terminal_wait_for_exit(acp.WaitForTerminalExitRequest(**ids))
            await self.client.terminal_release(acp.ReleaseTerminalRequest(**ids))
            await self.say(f"terminal-kill:{ended.signal or ended.exit_code}")
        except RpcError as error:
            await self.say(f"terminal-kill:error:{error.code}")

    async def do_elicit(self, _argument: str) -> None:
        schema = acp.ElicitationSchema(
            properties={
                "name": acp.StringElicitationPropertySchema(),
                "age": acp.IntegerElicitationPropertySchema(),
            },
            required=["name"],
        )
        request = acp.SessionFormCreateElicitationRequest(
            session_id=self.id, message="name?", requested_schema=schema
        )
        try:
            answer = await self.client.elicitation_create(request)
        except RpcError as error:
            await self.say(f"elicit:error:{error.code}")
            return
        shown = acp.encode_json(getattr(answer, "content", None)).decode()
        await self.say(f"elicit:{answer.action}:{shown}")

    async def do_elicit_url(self, _argument: str) -> None:
        request = acp.SessionUrlCreateElicitationRequest(
            session_id=self.id, message="open", url="http://127.0.0.1/x", elicitation_id="e1"
        )
        try:
            answer = await self.client.elicitation_create(request)
            await self.client.elicitation_complete(
                acp.CompleteElicitationNotification(elicitation_id="e1")
            )
            await self.say(f"elicit-url:{answer.action}")
        except RpcError as error:
            await self.say(f"elicit-url:error:{error.code}")

    async def do_wait(self, _argument: str) -> None:
        await self.say("waiting")
        await asyncio.Event().wait()  # session/cancel ends it

    async def do_flood(self, count: str) -> None:
        for index in range(int(count)):
            await self.say(f"chunk {index}")
        await self.say("flood-done")

    async def do_big(self, size: str) -> None:
        content = acp.ContentToolCallContent(content=text("x" * int(size)))
        await self.update(
            acp.ToolCallUpdate(tool_call_id="tcbig", status="completed", content=[content])
        )
        await self.say("big-done")

    async def do_unknown_update(self, _argument: str) -> None:
        await self.raw({"sessionUpdate": "x_future_thing", "payload": {"a": 1}})
        await self.say("after-unknown")

    async def do_malformed(self, _argument: str) -> None:
        good = [{"type": "content", "content": {"type": "text", "text": f"g{n}"}} for n in (1, 2)]
        await self.raw(
            {
                "sessionUpdate": "tool_call",
                "toolCallId": "tcm",
                "title": "m",
                "kind": "not_a_kind",
                "status": 7,
                "content": [good[0], {"type": "content", "content": 5}, good[1]],
                "locations": "nope",
            }
        )
        entry = {"content": "ok", "priority": "low", "status": "pending"}
        await self.raw({"sessionUpdate": "plan", "entries": [entry, {"content": 5}]})
        await self.say("after-malformed")

    async def do_malformed_known(self, _argument: str) -> None:
        await self.raw({"sessionUpdate": "tool_call", "title": "no id"})
        await self.say("after-malformed-known")

    async def do_ext(self, _argument: str) -> None:
        await self.say("ext:" + await outcome(self.client.ext_request("_peer/echo", {"a": 1})))

    async def do_ext_notify(self, _argument: str) -> None:
        await self.client.ext_notify("_peer/note", {"a": 1})
        await self.say("ext-notify:sent")

    async def do_unknown_method(self, _argument: str) -> None:
        answer = await outcome(self.client.connection.request("no/such", {"a": 1}))
        await self.say("unknown-method:" + answer)

    async def do_bad_params(self, _argument: str) -> None:
        request = self.client.connection.request
        answer = await outcome(request("session/request_permission", {"sessionId": self.id}))
        await self.say("bad-params:" + answer)

    async def do_cancel_request(self, _argument: str) -> None:
        params = {**acp.encode(self.permission()), "_meta": {"hang": True}}
        method = "session/request_permission"
        answer = await cancelled_answer(self.client.connection, method, params, 0.1)
        await self.say("cancel-request:" + answer)
