"""The cases about scaffolded agents (C20, C23, C28, C34, C36), on one that `acpgen new` made.

Its own tests, which every project carries, are run by tests/scaffold; these send what the cases say.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from acp_bindings.runtime.transport import memory_pair

from acpgen import scaffold
from tests.behaviour.bindings import SOURCE
from tests.behaviour.ends import INITIALIZE, NEW, Raw, run

pytestmark = pytest.mark.slow

PACKAGE = "case_agent"

# The messages of the cases, but for the session's id.
PROMPT = {"id": 3, "method": "session/prompt"}
CONTENT = [{"type": "text", "text": "hi"}]
ANSWER = {"jsonrpc": "2.0", "id": 3, "result": {"stopReason": "cancelled"}}
BANNER = "Loaded cached credentials."


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A project that uses the committed bindings; its package is importable."""
    home = tmp_path_factory.mktemp("home")
    folder = home / "case-agent"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(home))
        patch.setenv("USERPROFILE", str(home))
        wishes = scaffold.Wishes((1, 2), "pypi", False, False)
        scaffold.new("case-agent", wishes=wishes, path=folder)
        patch.syspath_prepend(str(folder / "src"))
        yield folder
        for name in [name for name in sys.modules if name.split(".")[0] == PACKAGE]:
            del sys.modules[name]


def part(name: str) -> Any:
    """A module of the project."""
    return importlib.import_module(f"{PACKAGE}.{name}")


def author(**methods: Any) -> Any:
    """An author's part with these methods."""
    values = {"name": "case", "version": "1", **methods}
    return type("Case", (part("author").Author,), values)()


def with_agent(
    own: Any, data: Path, scenario: Callable[[Raw], Any], version: int, ready: bool = True
) -> None:
    """Run a scenario against the agent with this author's part; initialized, if `ready`."""

    async def whole() -> None:
        here, there = memory_pair()
        serving = asyncio.create_task(part("app").serve(here, own, data))
        raw = Raw(there)
        if ready:
            await raw.call("initialize", INITIALIZE[version])
        await scenario(raw)
        await there.close()
        await serving

    run(whole())


def working(turn: Any) -> AsyncIterator[Any]:
    async def stream() -> AsyncIterator[Any]:
        yield part("events").Text("working")
        await asyncio.Event().wait()

    return stream()


@pytest.mark.parametrize("version", [1, 2])
def test_initialize_does_not_wait_for_the_start(
    project: Path, tmp_path: Path, version: int
) -> None:
    """Case C20: whoever sets up for long answers `initialize` at once, and only session/new waits."""
    starting = asyncio.Event()

    async def start(self: Any) -> None:
        starting.set()
        await asyncio.Event().wait()

    async def scenario(raw: Raw) -> None:
        answer = await raw.call("initialize", INITIALIZE[version])
        assert answer["result"]["protocolVersion"] == version
        assert not starting.is_set()
        await raw.ask("session/new", NEW[version])
        await starting.wait()
        # Others are answered meanwhile; the session is not.
        assert (await raw.call("session/list", {}))["result"] == {"sessions": []}

    with_agent(author(start=start), tmp_path, scenario, version, ready=False)


def test_what_is_overridden_is_advertised_and_nothing_else(project: Path) -> None:
    """Case C23: of the adapter's methods those of the case, and then all of them."""
    adapter = part("adapter_v1")
    wanted = ("session_load", "session_list")
    whole = adapter.AgentV1
    few = type("Few", (adapter.acp.Agent,), {name: getattr(whole, name) for name in wanted})
    found = few().initialize_answer({"protocolVersion": 1})["agentCapabilities"]
    assert found == {"loadSession": True, "sessionCapabilities": {"list": {}}}
    host = part("host").Host(author(), project / "data")
    told = whole(host).initialize_answer({"protocolVersion": 1})["agentCapabilities"]
    keys = {"close", "delete", "list", "resume", "additionalDirectories"}
    assert told["loadSession"] is True
    assert set(told["sessionCapabilities"]) == keys
    # An adapter whose author took a method away does not advertise it any more.
    less = type("Less", (whole,), {"session_load": adapter.acp.Agent.session_load})
    assert (
        not less(host)
        .initialize_answer({"protocolVersion": 1})["agentCapabilities"]
        .get("loadSession")
    )


def test_a_cancelled_prompt_of_version_1_is_answered_so(project: Path, tmp_path: Path) -> None:
    """Cases C28 and C34, as they are: the notification is never answered, the prompt is, once."""

    async def scenario(raw: Raw) -> None:
        session = (await raw.call("session/new", NEW[1]))["result"]["sessionId"]
        await raw.send({**PROMPT, "params": {"sessionId": session, "prompt": CONTENT}})
        told = [await raw.read()]
        while "working" not in json.dumps(told[-1]):
            told.append(await raw.read())
        await raw.note("session/cancel", {"sessionId": session})
        assert await raw.read() == ANSWER
        # Nothing else was answered, and nothing comes after it.
        assert all(message["method"] == "session/update" for message in told)
        assert (await raw.call("session/list", {}))["result"]["sessions"]

    own = author(prompt=lambda self, turn: working(turn))
    with_agent(own, tmp_path, scenario, 1)


def test_a_cancelled_prompt_of_version_2_ends_idle(project: Path, tmp_path: Path) -> None:
    """Case C34 in version 2: the prompt was answered before; an idle state says it."""

    async def scenario(raw: Raw) -> None:
        session = (await raw.call("session/new", NEW[2]))["result"]["sessionId"]
        await raw.ask("session/prompt", {"sessionId": session, "prompt": CONTENT})
        seen = [await raw.read()]
        while "working" not in json.dumps(seen[-1]):
            seen.append(await raw.read())
        # The answer comes first, and at once: before the message is echoed.
        assert "result" in seen[0]
        (inserted,) = [message["result"] for message in seen if "result" in message]
        assert isinstance(inserted["messageId"], str)
        await raw.note("session/cancel", {"sessionId": session})
        update = (await raw.read())["params"]["update"]
        assert update == {
            "sessionUpdate": "state_update",
            "state": "idle",
            "stopReason": "cancelled",
        }

    own = author(prompt=lambda self, turn: working(turn))
    with_agent(own, tmp_path, scenario, 2)


@pytest.mark.parametrize("error", [asyncio.CancelledError, KeyError, OSError])
def test_an_exception_that_a_cancellation_causes_is_no_error(
    project: Path, tmp_path: Path, error: type[BaseException]
) -> None:
    """The kind of case C34: whatever the author's libraries make of the cancellation."""

    async def broken(self: Any, turn: Any) -> AsyncIterator[Any]:
        try:
            async for event in working(turn):
                yield event
        except asyncio.CancelledError:
            raise error from None

    async def scenario(raw: Raw) -> None:
        session = (await raw.call("session/new", NEW[1]))["result"]["sessionId"]
        asked = await raw.ask("session/prompt", {"sessionId": session, "prompt": CONTENT})
        while "working" not in json.dumps(await raw.read()):
            pass
        await raw.note("session/cancel", {"sessionId": session})
        answer = await raw.read()
        assert (answer["id"], answer["result"]) == (asked, {"stopReason": "cancelled"})

    with_agent(author(prompt=broken), tmp_path, scenario, 1)


def test_nothing_follows_the_answer_to_a_prompt(project: Path, tmp_path: Path) -> None:
    """The kind of case C34 in version 1: the answer is the end of a turn, also where the request
    was cancelled, and before anything of the prompt behind it.
    """
    events = part("events")

    async def lingering(self: Any, turn: Any) -> AsyncIterator[Any]:
        yield events.ToolCall(turn.message.text)
        try:
            async for event in working(turn):
                yield event
        finally:
            await asyncio.sleep(0.05)

    async def scenario(raw: Raw) -> None:
        session = (await raw.call("session/new", NEW[1]))["result"]["sessionId"]

        async def ask(text: str) -> Any:
            content = [{"type": "text", "text": text}]
            return await raw.ask("session/prompt", {"sessionId": session, "prompt": content})

        async def told(until: Callable[[dict[str, Any]], bool]) -> list[dict[str, Any]]:
            messages = [await raw.read()]
            while not until(messages[-1]):
                messages.append(await raw.read())
            return messages

        first, second = await ask("first"), await ask("second")
        await told(lambda message: "working" in json.dumps(message))
        await raw.note("$/cancel_request", {"requestId": first})
        ending = await told(lambda message: "id" in message)
        assert (ending[-1]["id"], ending[-1]["error"]["code"]) == (first, -32800)
        assert "failed" in json.dumps(ending[0])
        begun = await told(lambda message: "working" in json.dumps(message))
        assert "second" in json.dumps(begun)
        await raw.note("session/cancel", {"sessionId": session})
        assert (await told(lambda message: "id" in message))[-1]["id"] == second
        await raw.silent()

    with_agent(author(prompt=lingering), tmp_path, scenario, 1)


@pytest.mark.parametrize("version", [1, 2])
def test_a_cancellation_and_an_approval_in_one_go_approve_nothing(
    project: Path, tmp_path: Path, version: int
) -> None:
    """The kind of case C34: what the example asks to write is not written."""

    async def scenario(raw: Raw) -> None:
        cwd = {**NEW[version], "cwd": str(tmp_path)}
        await raw.ask("session/new", cwd)
        session = (await raw.read())["result"]["sessionId"]
        content = [{"type": "text", "text": "/write note.txt hello"}]
        await raw.ask("session/prompt", {"sessionId": session, "prompt": content})
        while (question := await raw.read()).get("method") != "session/request_permission":
            pass
        await raw.note("session/cancel", {"sessionId": session})
        outcome = {"outcome": "selected", "optionId": "allow"}
        await raw.answer(question, {"outcome": outcome})
        while "stopReason" not in json.dumps(message := await raw.read()):
            assert "completed" not in json.dumps(message)
        assert '"stopReason": "cancelled"' in json.dumps(message)
        assert not (tmp_path / "note.txt").exists()

    with_agent(part("agent").CaseAgent(), tmp_path / "data", scenario, version)


BAD: dict[str, Callable[[Any], Any]] = {
    "no text": lambda events: events.Text(None),
    "no kind": lambda events: events.ToolCall("x", kind="bogus"),
    "no step": lambda events: events.Plan((events.Step("x", "bogus"),)),
    "too deep": lambda events: events.ToolCall("x", input=json.loads("[" * 400 + "]" * 400)),
    "no event": lambda events: None,
}


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("bad", BAD)
def test_an_event_that_makes_no_sense_does_not_cost_the_session(
    project: Path, tmp_path: Path, version: int, bad: str
) -> None:
    async def prompt(self: Any, turn: Any) -> AsyncIterator[Any]:
        yield part("events").Text("before")
        yield BAD[bad](part("events"))

    async def scenario(raw: Raw) -> None:
        session = (await raw.call("session/new", NEW[version]))["result"]["sessionId"]
        await raw.ask("session/prompt", {"sessionId": session, "prompt": CONTENT})
        while '"code": -32603' not in json.dumps(await raw.read()):
            pass
        again = {**NEW[version], "sessionId": session}
        if version == 2:
            again["replayFrom"] = {"type": "start"}
        await raw.ask("session/load" if version == 1 else "session/resume", again)
        seen = [await raw.read()]
        while "method" in seen[-1]:
            seen.append(await raw.read())
        assert "result" in seen[-1]
        assert '"before"' in json.dumps(seen)

    with_agent(author(prompt=prompt), tmp_path, scenario, version)


@pytest.mark.parametrize("version", [1, 2])
def test_what_the_authors_modules_print_is_not_on_stdout(
    project: Path, tmp_path: Path, version: int
) -> None:
    """Case C36: the banner of the case, printed when the author's module is imported."""
    own = project / "src" / PACKAGE / "agent.py"
    text = own.read_text(encoding="utf-8")
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(project / "src"), str(SOURCE)]),
    }
    ask = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": INITIALIZE[version]}
    try:
        own.write_text(f"{text}\nprint({BANNER!r})\nprint('')\n", encoding="utf-8")
        done = subprocess.run(
            [sys.executable, "-m", PACKAGE, "--data", str(tmp_path)],
            input=json.dumps(ask) + "\n",
            capture_output=True,
            text=True,
            env=environment,
            timeout=30,
        )
    finally:
        own.write_text(text, encoding="utf-8")
    (line,) = done.stdout.splitlines()
    assert json.loads(line)["result"]["protocolVersion"] == version
    assert BANNER in done.stderr
    assert done.returncode == 0
