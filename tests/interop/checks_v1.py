"""The checks of the harness client, version 1."""

from __future__ import annotations

import asyncio
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from acp_bindings import v1 as acp

from tests.interop.directives import cancelled_answer
from tests.interop.report import Outcome, Report

CWD = str(Path.cwd())
EXTENSION = {"x": [1, "é\u2028😀"]}


class Recording(Protocol):
    """A client that keeps its updates."""

    updates: list[acp.SessionNotification]


def text_of(updates: Sequence[acp.SessionNotification]) -> str:
    """The text of the agent's messages."""
    blocks = [
        item.update.content for item in updates if isinstance(item.update, acp.AgentMessageChunk)
    ]
    return "".join(block.text for block in blocks if isinstance(block, acp.TextContentBlock))


def prompt(session_id: str, said: str) -> acp.PromptRequest:
    return acp.PromptRequest(session_id=session_id, prompt=[acp.TextContentBlock(text=said)])


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

    async def prompt(self, said: str) -> tuple[str, str, list[acp.SessionNotification]]:
        """(stop reason, text, updates) of one turn."""
        before = len(self.client.updates)
        answer = await self.agent.session_prompt(prompt(self.id, said))
        updates = self.client.updates[before:]
        return answer.stop_reason, text_of(updates), updates

    async def directive(self, check: str, said: str, wanted: str) -> None:
        async def run() -> Outcome:
            stop, text, _ = await self.prompt(said)
            found = re.search(wanted, text) is not None
            return found or self.miss, {"stopReason": stop, "text": text[:200]}

        await self.report.step(check, run)

    async def run(self) -> None:
        step = self.report.step
        if self.answer.auth_methods and self.harness:
            await step("authenticate", self.authenticate)
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
        await self.gated("session/close", "session/close", self.session_close)
        await self.gated("session/delete", "session/delete", self.session_delete)
        if self.agent.supports("logout"):
            await step("logout", self.logout)

    async def gated(self, check: str, method: str, run: Any, forced: bool = False) -> None:
        """Make a check where the agent advertised the method, else skip it."""
        if forced or self.agent.supports(method):
            await self.report.step(check, run)
        else:
            self.report.record(check, "skip", str(self.agent.why_not(method)))

    async def turns(self) -> None:
        step = self.report.step
        await step("prompt.echo", self.echo)
        await step("prompt.multi-content", self.multi_content)
        await step("prompt.updates-all-variants", self.all_updates)
        await self.directive("client.permission", "h:permission", "permission:selected:allow")
        with tempfile.TemporaryDirectory() as folder:
            await self.directive("client.fs", f"h:fs {folder}/x.txt", "fs:line2\n")
        for check, said, wanted in (
            ("client.terminal", "h:terminal", "terminal:3:hi"),
            ("client.terminal-kill", "h:terminal-kill", "terminal-kill:(SIG|1|-)"),
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
        await step("tolerance.unknown-update", self.unknown_update)
        await step("tolerance.malformed-items", self.malformed_items)
        await self.directive(
            "tolerance.malformed-known-variant", "h:malformed-known", "after-malformed-known"
        )
        await step("session/cancel", self.cancel)
        await step("concurrent.two-sessions", self.two_sessions)

    async def lifecycle(self) -> None:
        step = self.report.step
        await self.gated("session/load", "session/load", self.load, forced=self.harness)
        await self.gated("session/list", "session/list", self.list_)
        await self.gated("session/resume", "session/resume", self.resume)
        if self.new.modes is not None:
            await step("session/set_mode", self.set_mode)
        else:
            self.report.record("session/set_mode", "skip", "no modes")
        options = self.new.config_options or []
        for check, type_, run in (
            ("select", acp.SelectSessionConfigOption, self.set_select),
            ("boolean", acp.BooleanSessionConfigOption, self.set_boolean),
        ):
            if any(isinstance(option, type_) for option in options):
                await step(f"session/set_config_option.{check}", run)
            else:
                self.report.record(f"session/set_config_option.{check}", "skip", "no such option")

    async def errors(self) -> None:
        request, refused = self.agent.connection.request, self.report.refused
        step = self.report.step
        await step(
            "agent.unknown-method-32601", lambda: refused(request("no/such", {"a": 1}), -32601)
        )
        await step(
            "agent.unknown-ext-method-32601",
            lambda: refused(self.agent.ext_request("_no/such", {"a": 1}), -32601),
        )
        await step(
            "agent.bad-params-32602",
            lambda: refused(request("session/new", {"cwd": 5}), -32602),
        )
        await step(
            "agent.unknown-session-error",
            lambda: refused(self.agent.session_prompt(prompt("nope-nope", "x")), -32002, -32602),
        )

    # One check each.

    async def authenticate(self) -> Outcome:
        method = self.answer.auth_methods[0]
        await self.agent.authenticate(acp.AuthenticateRequest(method_id=method.id))

    async def session_new(self) -> Outcome:
        self.new = await self.agent.session_new(acp.NewSessionRequest(cwd=CWD, mcp_servers=[]))
        self.id = self.new.session_id
        return bool(self.id), acp.encode(self.new)

    async def echo(self) -> Outcome:
        stop, text, _ = await self.prompt("h:echo hello")
        return stop == "end_turn" and "hello" in text, {"stopReason": stop, "text": text}

    async def multi_content(self) -> Outcome:
        blocks: list[acp.ContentBlock] = [
            acp.TextContentBlock(text="a"),
            acp.ResourceLinkContentBlock(uri="file:///a", name="a"),
        ]
        if self.agent.gates.has("agent", "promptCapabilities.image"):
            blocks.append(acp.ImageContentBlock(data="AAAA", mime_type="image/png"))
        if self.agent.gates.has("agent", "promptCapabilities.embeddedContext"):
            contents = acp.TextResourceContents(uri="file:///a", text="x")
            blocks.append(acp.ResourceContentBlock(resource=contents))
        request = acp.PromptRequest(session_id=self.id, prompt=blocks)
        answer = await self.agent.session_prompt(request)
        return bool(answer.stop_reason), acp.encode(answer)

    async def all_updates(self) -> Outcome:
        _, text, updates = await self.prompt("h:updates")
        kinds = sorted({item.update.session_update for item in updates})
        return ("updates-done" in text and len(kinds) >= 11) or self.miss, kinds

    async def unknown_update(self) -> Outcome:
        _, text, updates = await self.prompt("h:unknown-update")
        delivered = any(isinstance(item.update, acp.UnknownSessionUpdate) for item in updates)
        return "after-unknown" in text or self.miss, {"deliveredUnknown": delivered}

    async def malformed_items(self) -> Outcome:
        _, text, updates = await self.prompt("h:malformed")
        if "after-malformed" not in text:
            return self.miss
        call = next((u.update for u in updates if isinstance(u.update, acp.ToolCall)), None)
        plan = next((u.update for u in updates if isinstance(u.update, acp.Plan)), None)
        good = (
            call is not None
            and call.tool_call_id == "tcm"
            and len(call.content) == 2
            and plan is not None
            and len(plan.entries) == 1
        )
        return good, {"tool": call and acp.encode(call), "plan": plan and acp.encode(plan)}

    async def cancel(self) -> Outcome:
        turn = asyncio.create_task(self.agent.session_prompt(prompt(self.id, "h:wait")))
        await asyncio.sleep(0.15)
        await self.agent.session_cancel(acp.CancelNotification(session_id=self.id))
        answer = await turn
        return answer.stop_reason == "cancelled" or self.miss, acp.encode(answer)

    async def two_sessions(self) -> Outcome:
        request = acp.NewSessionRequest(cwd="/tmp", mcp_servers=[])
        other = (await self.agent.session_new(request)).session_id
        answers = await asyncio.gather(
            *(
                self.agent.session_prompt(prompt(session, f"h:echo c{index}"))
                for index, session in enumerate([self.id, other, self.id, other])
            )
        )
        text = text_of([item for item in self.client.updates if item.session_id == other])
        ended = all(answer.stop_reason == "end_turn" for answer in answers)
        return ended and "c1" in text and "c3" in text

    async def load(self) -> Outcome:
        before = len(self.client.updates)
        request = acp.LoadSessionRequest(session_id=self.id, cwd=CWD, mcp_servers=[])
        await self.agent.session_load(request)
        return True, {"replayed": len(self.client.updates) - before}

    async def list_(self) -> Outcome:
        answer = await self.agent.session_list(acp.ListSessionsRequest())
        return bool(answer.sessions), {"n": len(answer.sessions)}

    async def resume(self) -> Outcome:
        request = acp.ResumeSessionRequest(session_id=self.id, cwd=CWD, mcp_servers=[])
        await self.agent.session_resume(request)

    async def set_mode(self) -> Outcome:
        assert self.new.modes is not None
        mode = self.new.modes.available_modes[-1].id
        request = acp.SetSessionModeRequest(session_id=self.id, mode_id=mode)
        await self.agent.session_set_mode(request)

    async def set_select(self) -> Outcome:
        options = self.new.config_options or []
        option = next(item for item in options if isinstance(item, acp.SelectSessionConfigOption))
        last = option.options[-1]
        if isinstance(last, acp.SessionConfigSelectGroup):
            last = last.options[-1]
        request = acp.ValueIdSetSessionConfigOptionRequest(
            session_id=self.id, config_id=option.id, value=last.value
        )
        answer = await self.agent.session_set_config_option(request)
        return current(answer, option.id) == last.value

    async def set_boolean(self) -> Outcome:
        options = self.new.config_options or []
        option = next(item for item in options if isinstance(item, acp.BooleanSessionConfigOption))
        request = acp.BooleanSetSessionConfigOptionRequest(
            session_id=self.id, config_id=option.id, value=False
        )
        answer = await self.agent.session_set_config_option(request)
        return current(answer, option.id) is False

    async def ext_request(self) -> Outcome:
        return await self.agent.ext_request("_peer/echo", EXTENSION) == EXTENSION

    async def cancel_request(self) -> Outcome:
        code = await cancelled_answer(self.agent.connection, "_peer/slow", {}, 0.1)
        return code == "-32800", {"code": code}

    async def flood(self) -> Outcome:
        _, _, updates = await self.prompt("h:flood 5000")
        chunks = [text_of([item]) for item in updates]
        counted = [text for text in chunks if text.startswith("chunk ")]
        return counted == [f"chunk {index}" for index in range(5000)], {"n": len(counted)}

    async def big(self) -> Outcome:
        _, _, updates = await self.prompt("h:big 2000000")
        return any(is_big(item.update) for item in updates)

    async def big_prompt(self) -> Outcome:
        answer = await self.agent.session_prompt(prompt(self.id, "h:echo " + "y" * 2_000_000))
        return answer.stop_reason == "end_turn"

    async def logout(self) -> Outcome:
        await self.agent.logout(acp.LogoutRequest())

    async def session_close(self) -> Outcome:
        await self.agent.session_close(acp.CloseSessionRequest(session_id=self.id))

    async def session_delete(self) -> Outcome:
        await self.agent.session_delete(acp.DeleteSessionRequest(session_id=self.id))


def current(answer: acp.SetSessionConfigOptionResponse, config_id: str) -> object:
    """The value that an option has now."""
    for option in answer.config_options:
        known = (acp.SelectSessionConfigOption, acp.BooleanSessionConfigOption)
        if isinstance(option, known) and option.id == config_id:
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
