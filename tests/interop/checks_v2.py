"""The checks of the harness client, version 2."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from acp_bindings import v2 as acp
from acp_bindings.runtime.errors import RpcError

from tests.interop.directives import cancelled_answer
from tests.interop.report import Outcome, Report

CWD = str(Path.cwd())
EXTENSION = {"x": [1, "é\u2028😀"]}


class Recording(Protocol):
    """A client that keeps its updates."""

    updates: list[acp.UpdateSessionNotification]

    async def idle(self, session_id: str, after: int) -> acp.IdleStateUpdate: ...


def text_of(updates: Sequence[acp.UpdateSessionNotification]) -> str:
    """The text of the agent's messages."""
    blocks = [
        item.update.content for item in updates if isinstance(item.update, acp.AgentMessageChunk)
    ]
    return "".join(block.text for block in blocks if isinstance(block, acp.TextContentBlock))


def prompt(session_id: str, said: str) -> acp.PromptRequest:
    return acp.PromptRequest(session_id=session_id, prompt=[acp.TextContentBlock(text=said)])


class Turn:
    """What came of one prompt."""

    def __init__(
        self,
        answer: acp.PromptResponse,
        idle: acp.IdleStateUpdate,
        updates: list[acp.UpdateSessionNotification],
    ) -> None:
        self.message_id = answer.message_id
        self.stop = idle.stop_reason
        self.updates = updates
        self.text = text_of(updates)


class Checks:
    """The checks on one agent, in the order of the TypeScript client."""

    def __init__(self, report: Report, client: Recording, agent: acp.AgentPeer) -> None:
        self.report = report
        self.client = client
        self.agent = agent
        self.answer = agent.initialize_response
        self.harness = (self.answer.meta or {}).get("acpHarness") == 1
        self.miss = "fail" if self.harness else "skip"
        self.new: acp.NewSessionResponse
        self.id = ""

    async def prompt(self, said: str, session_id: str = "") -> Turn:
        session_id = session_id or self.id
        before = len(self.client.updates)
        answer = await self.agent.session_prompt(prompt(session_id, said))
        idle = await self.client.idle(session_id, before)
        updates = [item for item in self.client.updates[before:] if item.session_id == session_id]
        return Turn(answer, idle, updates)

    async def directive(self, check: str, said: str, wanted: str) -> None:
        async def run() -> Outcome:
            turn = await self.prompt(said)
            found = re.search(wanted, turn.text) is not None
            return found or self.miss, {"stopReason": turn.stop, "text": turn.text[:200]}

        await self.report.step(check, run)

    async def run(self) -> None:
        step = self.report.step
        if self.answer.auth_methods and self.harness:
            await step("auth/login", self.login)
            await step("auth/logout", self.logout)
            await step("auth/login.bad-method", self.bad_login)
        await step("session/new", self.session_new)
        if not self.id:
            return
        await self.turns()
        await self.lifecycle()
        await self.errors()
        if self.harness:
            await step("agent.ext-request", self.ext_request)
            await step("agent.cancel-request-32800", self.cancel_request)
            await step("flood-5000", self.flood)
            await step("big-2MB-update", self.big)
        await step("big-prompt-2MB", self.big_prompt)
        await step("session/close", self.session_close)
        if self.agent.supports("session/delete"):
            await step("session/delete", self.session_delete)
        else:
            self.report.record("session/delete", "skip")

    async def turns(self) -> None:
        step = self.report.step
        await step("prompt.echo", self.echo)
        await step("prompt.user-message-echoed-with-messageId", self.echoed)
        await step("prompt.updates-all-variants", self.all_updates)
        allowed = "permission:selected:allow"
        for check, said, wanted in (
            ("client.permission.tool_call", "h:permission", allowed),
            ("client.permission.command", "h:permission-command", allowed),
            ("client.elicitation-form", "h:elicit", "elicit:accept:.*bob"),
            ("client.elicitation-url", "h:elicit-url", "elicit-url:decline"),
            ("client.ext-request", "h:ext", r'ext:\{"a":1\}'),
            ("client.ext-notification", "h:ext-notify", "ext-notify:sent"),
            ("client.unknown-method-32601", "h:unknown-method", "unknown-method:-32601"),
            ("client.bad-params-32602", "h:bad-params", "bad-params:-32602"),
            (
                "client.cancel-request",
                "h:cancel-request",
                "cancel-request:(cancelled|-32800)",
            ),
        ):
            await self.directive(check, said, wanted)
        await step("tolerance.unknown-variants", self.unknown_variants)
        await step("tolerance.malformed-items", self.malformed_items)
        await self.directive(
            "tolerance.malformed-known-variant", "h:malformed-known", "after-malformed-known"
        )
        await step("session/cancel", self.if_harness(self.cancel))
        await step("tool_call/cancel", self.if_harness(self.cancel_tool))
        await step("tool_call/cancel.unknown-32602", self.cancel_unknown_tool)
        await step("terminal/cancel.unknown-32602", self.cancel_unknown_terminal)
        await step("concurrent.two-sessions", self.two_sessions)
        await step("prompt.queued-while-running", self.if_harness(self.queued))

    def if_harness(self, run: Callable[[], Awaitable[Outcome]]) -> Callable[[], Awaitable[Outcome]]:
        async def skip() -> Outcome:
            return "skip"

        return run if self.harness else skip

    async def lifecycle(self) -> None:
        step = self.report.step
        await step("session/list", self.list_)
        await step("session/resume.replay", self.resume_with_replay)
        await step("session/resume.no-replay", self.resume)
        for check, type_, run in (
            ("select", acp.SelectSessionConfigOption, self.set_select),
            ("boolean", acp.BooleanSessionConfigOption, self.set_boolean),
        ):
            if any(isinstance(option, type_) for option in self.new.config_options):
                await step(f"session/set_config_option.{check}", run)
            else:
                self.report.record(f"session/set_config_option.{check}", "skip")

    async def errors(self) -> None:
        request = self.agent.connection.request
        empty = {"sessionId": self.id, "prompt": []}  # no model can be built without a block
        checks: list[tuple[str, Callable[[], Awaitable[Any]], int]] = [
            ("unknown-method-32601", lambda: request("no/such", {}), -32601),
            (
                "unknown-ext-method-32601",
                lambda: self.agent.ext_request("_no/such", {}),
                -32601,
            ),
            ("bad-params-32602", lambda: request("session/new", {"cwd": 5}), -32602),
            (
                "unknown-session-32002",
                lambda: self.agent.session_prompt(prompt("nope", "x")),
                -32002,
            ),
            ("empty-prompt-rejected", lambda: request("session/prompt", empty), -32602),
        ]
        for check, call, code in checks:
            await self.report.step(f"agent.{check}", partial(self.is_refused, call, code))

    async def is_refused(self, call: Callable[[], Awaitable[Any]], code: int) -> Outcome:
        return await self.report.refused(call(), code)

    # One check each.

    async def login(self) -> Outcome:
        method = self.answer.auth_methods[0].method_id
        await self.agent.auth_login(acp.LoginAuthRequest(method_id=method))

    async def logout(self) -> Outcome:
        await self.agent.auth_logout(acp.LogoutAuthRequest())

    async def bad_login(self) -> Outcome:
        call = self.agent.connection.request("auth/login", {"methodId": "zzz"})
        return await self.report.refused(call, -32602)

    async def session_new(self) -> Outcome:
        self.new = await self.agent.session_new(acp.NewSessionRequest(cwd=CWD))
        self.id = self.new.session_id
        return bool(self.id), acp.encode(self.new)

    async def echo(self) -> Outcome:
        turn = await self.prompt("h:echo hello")
        kinds = [item.update.session_update for item in turn.updates]
        good = bool(turn.message_id) and turn.stop == "end_turn" and "hello" in turn.text
        return good, {"messageId": turn.message_id, "text": turn.text, "kinds": kinds}

    async def echoed(self) -> Outcome:
        turn = await self.prompt("h:echo x")
        own = (acp.UserMessage, acp.UserMessageChunk)
        return (
            any(
                isinstance(item.update, own) and item.update.message_id == turn.message_id
                for item in turn.updates
            )
            or self.miss
        )

    async def all_updates(self) -> Outcome:
        turn = await self.prompt("h:updates")
        kinds = sorted({item.update.session_update for item in turn.updates})
        return ("updates-done" in turn.text and len(kinds) >= 18) or self.miss, kinds

    async def unknown_variants(self) -> Outcome:
        turn = await self.prompt("h:unknown-update")
        if "after-unknown" not in turn.text:
            return self.miss
        updates = [item.update for item in turn.updates]
        update = next((u for u in updates if isinstance(u, acp.OtherSessionUpdate)), None)
        state = next((u for u in updates if isinstance(u, acp.OtherStateUpdate)), None)
        good = update is not None and state is not None and state.state == "x_pondering"
        payload = update is not None and update.model_extra == {"payload": {"a": 1}}
        return good and payload, [acp.encode(item) for item in (update, state)]

    async def malformed_items(self) -> Outcome:
        turn = await self.prompt("h:malformed")
        if "after-malformed" not in turn.text:
            return self.miss
        updates = [item.update for item in turn.updates]
        tool = next((u for u in updates if isinstance(u, acp.ToolCallUpdate)), None)
        plan = next((u for u in updates if isinstance(u, acp.PlanUpdate)), None)
        contents = tool.content if tool is not None else None
        entries = (
            plan.plan.entries
            if plan is not None and isinstance(plan.plan, acp.ItemsPlanUpdateContent)
            else []
        )
        good = isinstance(contents, list) and len(contents) == 2 and len(entries) == 1
        return good, {"tool": tool and acp.encode(tool), "plan": plan and acp.encode(plan)}

    async def cancel(self) -> Outcome:
        before = len(self.client.updates)
        await self.agent.session_prompt(prompt(self.id, "h:wait"))
        await asyncio.sleep(0.15)
        await self.agent.session_cancel(acp.CancelSessionNotification(session_id=self.id))
        idle = await self.client.idle(self.id, before)
        return idle.stop_reason == "cancelled", acp.encode(idle)

    async def cancel_tool(self) -> Outcome:
        before = len(self.client.updates)
        await self.agent.session_prompt(prompt(self.id, "h:cancellable-tool"))
        await asyncio.sleep(0.15)
        await self.agent.tool_call_cancel(
            acp.CancelToolCallRequest(session_id=self.id, tool_call_id="tck")
        )
        await self.client.idle(self.id, before)
        return "tool-cancelled:true" in text_of(self.client.updates[before:])

    async def cancel_unknown_tool(self) -> Outcome:
        params = {"sessionId": self.id, "toolCallId": "nope"}
        call = self.agent.connection.request("tool_call/cancel", params)
        return await self.report.refused(call, -32602)

    async def cancel_unknown_terminal(self) -> Outcome:
        params = {"sessionId": self.id, "terminalId": "nope"}
        call = self.agent.connection.request("terminal/cancel", params)
        return await self.report.refused(call, -32602)

    async def two_sessions(self) -> Outcome:
        other = (await self.agent.session_new(acp.NewSessionRequest(cwd="/tmp"))).session_id
        first, second = await asyncio.gather(
            self.prompt("h:echo A"), self.prompt("h:echo B", other)
        )
        return "A" in first.text and "B" in second.text

    async def queued(self) -> Outcome:
        before = len(self.client.updates)
        await self.agent.session_prompt(prompt(self.id, "h:wait"))
        second = asyncio.create_task(self.agent.session_prompt(prompt(self.id, "h:echo queued")))
        await asyncio.sleep(0.1)
        await self.agent.session_cancel(acp.CancelSessionNotification(session_id=self.id))
        idle = await self.client.idle(self.id, before)
        try:
            answer: Any = (await second).message_id
        except RpcError as error:
            answer = error.code
        await asyncio.sleep(0.1)
        return idle.stop_reason == "cancelled", {"second": answer}

    async def list_(self) -> Outcome:
        answer = await self.agent.session_list(acp.ListSessionsRequest())
        return bool(answer.sessions), {"n": len(answer.sessions)}

    async def resume_with_replay(self) -> Outcome:
        before = len(self.client.updates)
        request = acp.ResumeSessionRequest(
            session_id=self.id, cwd=CWD, replay_from=acp.StartReplayFrom()
        )
        await self.agent.session_resume(request)
        kinds = [item.update.session_update for item in self.client.updates[before:]]
        return "state_update" in kinds, {"replayed": len(kinds)}

    async def resume(self) -> Outcome:
        before = len(self.client.updates)
        request = acp.ResumeSessionRequest(session_id=self.id, cwd=CWD)
        await self.agent.session_resume(request)
        kinds = [item.update.session_update for item in self.client.updates[before:]]
        return "state_update" in kinds, kinds

    async def set_select(self) -> Outcome:
        options = self.new.config_options
        option = next(item for item in options if isinstance(item, acp.SelectSessionConfigOption))
        last = option.options[-1]
        if isinstance(last, acp.SessionConfigSelectGroup):
            last = last.options[-1]
        request = acp.IdSetSessionConfigOptionRequest(
            session_id=self.id, config_id=option.config_id, value=last.value
        )
        answer = await self.agent.session_set_config_option(request)
        return current(answer, option.config_id) == last.value

    async def set_boolean(self) -> Outcome:
        options = self.new.config_options
        option = next(item for item in options if isinstance(item, acp.BooleanSessionConfigOption))
        request = acp.BooleanSetSessionConfigOptionRequest(
            session_id=self.id, config_id=option.config_id, value=False
        )
        answer = await self.agent.session_set_config_option(request)
        return current(answer, option.config_id) is False

    async def ext_request(self) -> Outcome:
        return await self.agent.ext_request("_peer/echo", EXTENSION) == EXTENSION

    async def cancel_request(self) -> Outcome:
        code = await cancelled_answer(self.agent.connection, "_peer/slow", {}, 0.1)
        return code == "-32800", {"code": code}

    async def flood(self) -> Outcome:
        turn = await self.prompt("h:flood 5000")
        chunks = [text_of([item]) for item in turn.updates]
        counted = [text for text in chunks if text.startswith("chunk ")]
        return counted == [f"chunk {index}" for index in range(5000)], {"n": len(counted)}

    async def big(self) -> Outcome:
        turn = await self.prompt("h:big 2000000")
        return any(is_big(item.update) for item in turn.updates)

    async def big_prompt(self) -> Outcome:
        turn = await self.prompt("h:echo " + "y" * 2_000_000)
        return bool(turn.message_id)

    async def session_close(self) -> Outcome:
        await self.agent.session_close(acp.CloseSessionRequest(session_id=self.id))

    async def session_delete(self) -> Outcome:
        await self.agent.session_delete(acp.DeleteSessionRequest(session_id=self.id))


def current(answer: acp.SetSessionConfigOptionResponse, config_id: str) -> object:
    """The value that an option has now."""
    for option in answer.config_options:
        known = (acp.SelectSessionConfigOption, acp.BooleanSessionConfigOption)
        if isinstance(option, known) and option.config_id == config_id:
            return option.current_value
    return None


def is_big(update: acp.SessionUpdate) -> bool:
    if not isinstance(update, acp.ToolCallUpdate) or not isinstance(update.content, list):
        return False
    block = update.content[0]
    return (
        isinstance(block, acp.ContentToolCallContent)
        and isinstance(block.content, acp.TextContentBlock)
        and len(block.content.text) == 2_000_000
    )
