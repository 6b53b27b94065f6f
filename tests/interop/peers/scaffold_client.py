"""A client of ACP v1 for an agent that `acpgen new` made, on the official Python SDK.

usage: python scaffold_client.py CWD AGENT_CMD...     one JSON line per check, a summary last
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import acp
import acp.schema as schema

COUNTS = {"pass": 0, "fail": 0}


def record(check: str, passed: bool, detail: object = None) -> None:
    status = "pass" if passed else "fail"
    COUNTS[status] += 1
    line = {"check": check, "status": status, "pass": passed, "detail": detail}
    print(json.dumps(line, default=str), flush=True)


class Client(acp.Client):
    """Keeps what it is told, and answers every permission question alike."""

    def __init__(self) -> None:
        self.updates: list[Any] = []
        self.questions: list[Any] = []
        self.answer = "allow"

    async def session_update(self, session_id: str, update: Any, **more: Any) -> None:
        self.updates.append(update)

    async def request_permission(
        self, session_id: str, tool_call: Any, options: Any, **more: Any
    ) -> schema.RequestPermissionResponse:
        self.questions.append(tool_call)
        outcome = schema.AllowedOutcome(outcome="selected", option_id=self.answer)
        return schema.RequestPermissionResponse(outcome=outcome)

    def of(self, kind: str) -> list[Any]:
        return [update for update in self.updates if update.session_update == kind]

    def text(self) -> str:
        return "".join(update.content.text for update in self.of("agent_message_chunk"))


async def until(holds: Any) -> None:
    while not holds():
        await asyncio.sleep(0.005)


class Talk:
    """One connection to the agent."""

    def __init__(self, client: Client, agent: Any) -> None:
        self.client = client
        self.agent = agent

    async def check(self, name: str, test: Any) -> None:
        try:
            record(name, await asyncio.wait_for(test, 15) is True)
        except Exception as error:
            record(name, False, f"{type(error).__name__}: {error}")

    async def initialize(self) -> bool:
        info = schema.Implementation(name="scaffold-client", version="1")
        answer = await self.agent.initialize(protocol_version=1, client_info=info)
        return answer.protocol_version == 1 and answer.agent_capabilities.load_session is True

    async def prompt(self, session: str, text: str) -> str:
        self.client.updates.clear()
        blocks = [acp.text_block(text)]
        return str((await self.agent.prompt(session_id=session, prompt=blocks)).stop_reason)


async def before(talk: Talk, cwd: Path, session: str) -> None:
    client = talk.client

    async def streaming() -> bool:
        reason = await talk.prompt(session, "say this back to me")
        pieces = client.of("agent_message_chunk")
        return (
            reason == "end_turn"
            and len(pieces) > 2
            and client.text() == "You said: say this back to me"
        )

    async def tool_call() -> bool:
        await talk.prompt(session, "/files")
        (call,), updates = client.of("tool_call"), client.of("tool_call_update")
        return call.kind == "read" and updates[-1].status == "completed"

    async def permission() -> bool:
        await talk.prompt(session, "/write note.txt hello")
        written = (cwd / "note.txt").read_text(encoding="utf-8") == "hello\n"
        client.answer = "reject"
        await talk.prompt(session, "/write note.txt other")
        kept = (cwd / "note.txt").read_text(encoding="utf-8") == "hello\n"
        return written and kept and len(client.questions) == 2

    async def cancel() -> bool:
        running = asyncio.create_task(talk.prompt(session, "/wait 60"))
        await until(lambda: client.text() == "waiting ")
        await talk.agent.cancel(session_id=session)
        return await running == "cancelled"

    async def last_words() -> bool:
        return await talk.prompt(session, "remember me") == "end_turn"

    await talk.check("streaming", streaming())
    await talk.check("tool call", tool_call())
    await talk.check("permission", permission())
    await talk.check("cancel", cancel())
    await talk.check("last words", last_words())


async def after(talk: Talk, cwd: Path, session: str) -> None:
    client = talk.client

    async def listed() -> bool:
        found = (await talk.agent.list_sessions(cwd=str(cwd))).sessions
        return [item.session_id for item in found] == [session]

    async def loaded() -> bool:
        client.updates.clear()
        await talk.agent.load_session(cwd=str(cwd), session_id=session, mcp_servers=[])
        said = [update.content.text for update in client.of("agent_message_chunk")]
        asked = [update.content.text for update in client.of("user_message_chunk")]
        return said[-1] == "You said: remember me" and asked[0] == "say this back to me"

    async def on_it_goes() -> bool:
        reason = await talk.prompt(session, "still here")
        return reason == "end_turn" and client.text() == "You said: still here"

    async def closed() -> bool:
        await talk.agent.close_session(session_id=session)
        return True

    await talk.check("list after the kill", listed())
    await talk.check("load replays after the kill", loaded())
    await talk.check("prompt after the kill", on_it_goes())
    await talk.check("close", closed())


async def main(cwd: Path, command: list[str]) -> None:
    client = Client()
    session = ""
    async with acp.spawn_agent_process(client, *command) as (agent, process):
        talk = Talk(client, agent)
        await talk.check("initialize", talk.initialize())
        session = (await agent.new_session(cwd=str(cwd), mcp_servers=[])).session_id
        await before(talk, cwd, session)
        process.kill()
        await process.wait()
    async with acp.spawn_agent_process(client, *command) as (agent, _process):
        talk = Talk(client, agent)
        await talk.check("initialize again", talk.initialize())
        await after(talk, cwd, session)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2:]))
    print(json.dumps({"summary": True, **COUNTS, "peer": "py-scaffold-v1"}), flush=True)
    sys.exit(1 if COUNTS["fail"] else 0)
