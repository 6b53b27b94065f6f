"""What the harness agent of version 2 does with a prompt: one directive each."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import os
from typing import TYPE_CHECKING, Any

from tests.interop.directives import cancelled_answer, outcome, parsed, text_of

if TYPE_CHECKING or os.environ.get("ACP_UNSTABLE") != "1":
    from acp_bindings import v2 as acp
else:
    from acp_bindings import v2_unstable as acp

from acp_bindings.runtime.errors import RpcError

UNSTABLE = os.environ.get("ACP_UNSTABLE") == "1"


def text(value: str) -> acp.TextContentBlock:
    return acp.TextContentBlock(text=value)


def commands() -> list[acp.AvailableCommand]:
    hint = acp.TextAvailableCommandInput(hint="h")
    return [acp.CommandAvailableCommand(name="x", description="d", input=hint)]


class Session:
    """What the agent keeps of one session."""

    def __init__(self, cwd: str) -> None:
        self.cwd = cwd
        self.history: list[tuple[str, str]] = []
        self.model = "m1"
        self.think = True
        self.turns = asyncio.Lock()
        self.cancelled = asyncio.Event()
        self.tool_cancelled = asyncio.Event()

    def options(self) -> list[acp.SessionConfigOption]:
        return [
            acp.SelectSessionConfigOption(
                config_id="model",
                name="Model",
                category="model",
                current_value=self.model,
                options=[
                    acp.SessionConfigSelectOption(value="m1", name="M1"),
                    acp.SessionConfigSelectOption(value="m2", name="M2"),
                ],
            ),
            acp.BooleanSessionConfigOption(
                config_id="think", name="Think", current_value=self.think
            ),
        ]


class Turn:
    """One prompt: carries out its directive, after those before it in its session."""

    def __init__(
        self, session_id: str, client: acp.ClientPeer, session: Session, message_id: str
    ) -> None:
        self.id = session_id
        self.client = client
        self.session = session
        self.message_id = message_id

    async def update(self, update: acp.SessionUpdate) -> None:
        await self.client.send_update(self.id, update)

    async def raw(self, update: dict[str, Any]) -> None:
        """An update that no sender can build."""
        params = {"sessionId": self.id, "update": update}
        await self.client.connection.notify("session/update", params)

    async def say(self, value: str) -> None:
        chunk = acp.AgentMessageChunk(message_id=self.message_id, content=text(value))
        await self.update(chunk)

    async def run(self, message_id: str, prompt: list[acp.ContentBlock]) -> None:
        async with self.session.turns:
            await self.update(acp.UserMessage(message_id=message_id, content=prompt))
            await self.update(acp.RunningStateUpdate())
            try:
                stop = await self.carry_out(text_of(prompt))
                idle = acp.IdleStateUpdate(stop_reason=stop)
            except Exception as error:
                code = error.code if isinstance(error, RpcError) else -32603
                idle = acp.IdleStateUpdate(
                    stop_reason="error", error=acp.Error(code=code, message=str(error))
                )
            await self.update(idle)

    async def carry_out(self, said: str) -> str:
        directive = parsed(said)
        if directive is None:
            await self.say(said)
            return "end_turn"
        name, argument = directive
        method = getattr(self, "do_" + name.replace("-", "_"), None)
        if method is None:
            await self.say(f"unknown-directive:{name}")
            return "end_turn"
        stop: str | None = await method(argument)
        return stop or "end_turn"

    def permission(self, subject: acp.RequestPermissionSubject) -> acp.RequestPermissionRequest:
        return acp.RequestPermissionRequest(
            session_id=self.id,
            title="do it",
            subject=subject,
            options=[
                acp.PermissionOption(option_id="allow", name="Allow", kind="allow_once"),
                acp.PermissionOption(option_id="reject", name="Reject", kind="reject_once"),
            ],
        )

    def of_tool(self) -> acp.RequestPermissionRequest:
        tool_call = acp.ToolCallUpdatePayload(
            tool_call_id="tc1", title="do it", kind="execute", status="pending"
        )
        return self.permission(acp.ToolCallRequestPermissionSubject(tool_call=tool_call))

    async def ask(self, request: acp.RequestPermissionRequest) -> None:
        try:
            answer = await self.client.session_request_permission(request)
        except RpcError as error:
            await self.say(f"permission:error{error.code}:")
            return
        chosen = getattr(answer.outcome, "option_id", "")
        await self.say(f"permission:{answer.outcome.outcome}:{chosen}")

    async def do_echo(self, argument: str) -> None:
        await self.say(argument)

    async def do_updates(self, _argument: str) -> None:
        for update in every_update(self.session):
            await self.update(update)
        await self.say("updates-done")

    async def do_permission(self, _argument: str) -> None:
        await self.update(acp.RequiresActionStateUpdate())
        await self.ask(self.of_tool())

    async def do_permission_command(self, _argument: str) -> None:
        subject = acp.CommandRequestPermissionSubject(command="rm x", cwd="/tmp")
        await self.ask(self.permission(subject))

    async def do_elicit(self, _argument: str) -> None:
        schema = acp.ElicitationSchema(
            type="object",
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

    async def do_wait(self, _argument: str) -> str:
        self.session.cancelled.clear()
        await self.say("waiting")
        await self.session.cancelled.wait()
        return "cancelled"

    async def do_cancellable_tool(self, _argument: str) -> None:
        self.session.tool_cancelled.clear()
        cancel = acp.ToolCallCapabilities(cancel=acp.ToolCallCancelCapabilities())
        await self.update(
            acp.ToolCallUpdate(
                tool_call_id="tck", title="k", status="in_progress", capabilities=cancel
            )
        )
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(self.session.tool_cancelled.wait(), 5)
        done = self.session.tool_cancelled.is_set()
        await self.update(
            acp.ToolCallUpdate(
                tool_call_id="tck",
                status="cancelled" if done else "completed",
                capabilities=None,
            )
        )
        await self.say(f"tool-cancelled:{str(done).lower()}")

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
        await self.raw({"sessionUpdate": "state_update", "state": "x_pondering", "extra": 1})
        await self.say("after-unknown")

    async def do_malformed(self, _argument: str) -> None:
        good = [{"type": "content", "content": {"type": "text", "text": f"g{n}"}} for n in (1, 2)]
        await self.raw(
            {
                "sessionUpdate": "tool_call_update",
                "toolCallId": "tcm",
                "title": "m",
                "kind": "not_a_kind",
                "status": 7,
                "content": [good[0], {"type": "content", "content": 5}, good[1]],
                "locations": "nope",
            }
        )
        entry = {"content": "ok", "priority": "low", "status": "pending"}
        plan = {"type": "items", "planId": "pm", "entries": [entry, {"content": 5}]}
        await self.raw({"sessionUpdate": "plan_update", "plan": plan})
        await self.say("after-malformed")

    async def do_malformed_known(self, _argument: str) -> None:
        await self.raw({"sessionUpdate": "tool_call_update", "title": "no id"})
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
        params = {**acp.encode(self.of_tool()), "_meta": {"hang": True}}
        method = "session/request_permission"
        answer = await cancelled_answer(self.client.connection, method, params, 0.1)
        await self.say("cancel-request:" + answer)


def every_update(session: Session) -> list[acp.SessionUpdate]:
    """Every kind of update, at least once."""
    cancel = acp.ToolCallCapabilities(cancel=acp.ToolCallCancelCapabilities())
    entry = acp.PlanEntry(content="c", priority="high", status="pending")
    modify = acp.ModifyDiffChange(path="/a")
    exited = acp.TerminalExitStatus(exit_code=0)
    output = base64.b64encode(b"hi\n").decode()
    return [
        acp.UserMessageChunk(message_id="u9", content=text("u")),
        acp.AgentThoughtChunk(message_id="th", content=text("t")),
        acp.AgentThought(message_id="th", content=[text("t")]),
        acp.AgentMessage(message_id="am", content=[text("full")]),
        acp.ToolCallUpdate(
            tool_call_id="tc1",
            title="t",
            name="edit",
            kind="edit",
            status="in_progress",
            raw_input={"a": [1, None]},
            locations=[acp.ToolCallLocation(path="/a", line=3)],
            capabilities=cancel,
        ),
        acp.ToolCallContentChunk(
            tool_call_id="tc1", content=acp.ContentToolCallContent(content=text("c"))
        ),
        acp.ToolCallUpdate(
            tool_call_id="tc1",
            status="completed",
            content=[
                acp.DiffToolCallContent(changes=[modify]),
                acp.TerminalToolCallContent(terminal_id="t1"),
                acp.OtherToolCallContent(type="_custom", x=1),
            ],
        ),
        acp.TerminalUpdate(terminal_id="t1", command="echo hi", cwd="/tmp"),
        acp.TerminalOutputChunk(terminal_id="t1", data=output),
        acp.TerminalUpdate(terminal_id="t1", exit_status=exited),
        acp.PlanUpdate(plan=acp.ItemsPlanUpdateContent(plan_id="p", entries=[entry])),
        acp.AvailableCommandsUpdate(available_commands=commands()),
        acp.ConfigOptionUpdate(config_options=session.options()),
        acp.SessionInfoUpdate(title="T", updated_at="2026-01-01T00:00:00Z"),
        acp.UsageUpdate(used=1, size=100, cost=acp.Cost(amount=0.1, currency="USD")),
        acp.Notice(severity="info", title="n"),
        acp.CompactionUpdate(compaction_id="c1", status="in_progress"),
        acp.CompactionSummaryChunk(compaction_id="c1", content=text("s")),
        acp.RequiresActionStateUpdate(),
        acp.RunningStateUpdate(background=[acp.TerminalBackgroundWork(terminal_id="t1")]),
    ]
