"""The client that `acpgen new --kind client` makes, in its one-shot mode, against agents on the
official SDKs, on the bindings, and against the agent that `acpgen new` makes.

Runs where the peers are installed, as test_peers does.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

import pytest

from acpgen.scaffold import names, render
from acpgen.scaffold.template import packaged
from tests.behaviour.bindings import ROOT, SOURCE
from tests.interop.test_peers import AGENT, NODE, PY_AGENT, PY_SDK, script

pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Peer:
    """An agent's command. version: what it speaks with a client that speaks both."""

    name: str
    version: int
    command: list[str]
    there: bool = True
    title: str = ""


PEERS = [
    Peer("ts-v1", 1, ["node", script("ts_agent_v1.mjs")], NODE, "TS agent v1"),
    Peer("ts-v2", 2, ["node", script("ts_agent_v2.mjs")], NODE, "ts-agent-v2"),
    Peer("ts-router", 2, ["env", "ROUTER=1", "node", script("ts_agent_v2.mjs")], NODE),
    Peer("python-sdk", 1, ["env", "ACP_UNSTABLE=1", *PY_AGENT], PY_SDK, "py-sdk-agent"),
    Peer("bindings-v1", 1, [*AGENT, "1"]),
    Peer("bindings", 2, AGENT),
]


@dataclass(frozen=True)
class Ran:
    """A run of the client that is over."""

    status: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()


@dataclass(frozen=True)
class Client:
    """A made client. paths: what its interpreter needs to import."""

    package: str
    paths: tuple[Path, ...]
    folder: Path
    environment: Mapping[str, str] = field(default_factory=dict)

    def start(self, arguments: list[str], agent: list[str]) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", self.package, *arguments, "--", *agent]
        known = os.environ.get("PYTHONPATH", "")
        paths = [str(SOURCE), *map(str, self.paths), *([known] if known else [])]
        pipe = subprocess.PIPE
        return subprocess.Popen(
            command,
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            cwd=self.folder,
            env={**os.environ, **self.environment, "PYTHONPATH": os.pathsep.join(paths)},
            text=True,
        )

    def run(self, *arguments: str, agent: list[str], typed: str = "") -> Ran:
        with self.start(list(arguments), agent) as process:
            try:
                out, err = process.communicate(typed, timeout=60)
            except subprocess.TimeoutExpired:
                process.kill()
                raise
        return Ran(process.returncode, out, err)

    def prompts(self, *prompts: str, agent: list[str], more: tuple[str, ...] = ("--yes",)) -> Ran:
        words = [word for text in prompts for word in ("--prompt", text)]
        return self.run(*more, *words, agent=agent)


def made(kind: str, name: str, folder: Path, **more: object) -> names.Names:
    """Render a project that takes the bindings from the path. more: answers."""
    found = names.names(name, word=kind)
    scratch = folder / f"{name}-scratch"
    answers = {**asdict(found), "protocols": [1, 2], "bindings": "pypi", **more}
    render.render(packaged(kind), answers, folder / name, scratch=scratch, ask=False)
    return found


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Client:
    folder = tmp_path_factory.mktemp("client")
    found = made("client", "try-it", folder)
    (folder / "work").mkdir()
    return Client(found.package, (folder / "try-it" / "src",), folder / "work")


@pytest.fixture(params=PEERS, ids=lambda peer: peer.name)
def peer(request: pytest.FixtureRequest) -> Peer:
    found: Peer = request.param
    if not found.there:
        assert "ACP_PEERS" not in os.environ, "the peer is not where ACP_PEERS says"
        pytest.skip("the peer is not installed: nox -s interop")
    return found


def test_a_turn_streams_text_thoughts_tool_calls_plans_and_usage(
    client: Client, peer: Peer
) -> None:
    ran = client.prompts("h:updates", "h:unknown-update", "h:malformed", agent=peer.command)
    assert ran.status == 0, ran.err
    assert ran.lines[0].endswith(f"protocol version {peer.version}]")
    assert peer.title in ran.lines[0]
    for line in (
        "(thinking) t",
        "[tool] t (edit) /a: pending" if peer.version == 1 else "[tool] t (edit) /a: in_progress",
        "[tool] t (edit): completed",
        "    c",
        "  . c (high)",
        "[title: T]",
        "updates-done",
        "[the update 'x_future_thing' is not known here]",
        "after-unknown",
    ):
        assert line in ran.lines, line
    assert any(line.startswith("[usage] 1 of 100 tokens") for line in ran.lines)
    assert "after-malformed" in ran.out


def test_a_permission_is_given_refused_or_cancelled(client: Client, peer: Peer) -> None:
    for more, outcome in ((("--yes",), "selected:allow"), (("--no",), "selected:reject")):
        ran = client.prompts("h:permission", agent=peer.command, more=more)
        assert f"permission:{outcome}" in ran.out, ran.err
        assert ran.status == 0
    asked = client.prompts("h:permission", agent=peer.command, more=())
    assert "1. Allow (allow_once)" in asked.out
    assert "permission:cancelled:" in asked.out


def test_sessions_are_listed_and_replayed(client: Client, peer: Peer) -> None:
    ran = client.run(agent=peer.command, typed="h:echo once\n/list\n/resume s1\nh:echo again\n")
    assert ran.status == 0, ran.err
    if "s1" in ran.lines[1]:  # agents that number their sessions
        assert "[1 sessions]" in ran.lines
        replayed = ran.lines[ran.lines.index("[1 sessions]") + 1 :]
        assert replayed == ["> h:echo once", "[session s1 goes on]", "again"]
    else:
        assert peer.name.startswith("bindings")


def test_options_are_set(client: Client, peer: Peer) -> None:
    ran = client.run(agent=peer.command, typed="/set model M2\n/set think off\n/set model m9\n")
    assert "model = m2  (of m1, m2)" in ran.lines, ran.out + ran.err
    assert "think = off" in ran.lines
    assert "no value 'm9'; the agent offers: m1, m2" in ran.err


def test_files_and_terminals_are_lent_in_version_1(client: Client, peer: Peer) -> None:
    if peer.version == 2:
        return
    path = client.folder / f"{peer.name}.txt"
    outside = client.folder.parent / "outside.txt"
    ran = client.prompts(
        f"h:fs {path}", f"h:fs {outside}", "h:terminal", "h:terminal-kill", agent=peer.command
    )
    assert ran.status == 0, ran.err
    assert "fs:line2" in ran.lines
    assert "fs:error:-32602" in ran.out
    assert path.read_text(encoding="utf-8") == "line1\nline2\nline3\n"
    assert not outside.exists()
    assert "terminal:3:hi" in ran.lines
    assert "terminal-kill:SIGTERM" in ran.lines


def test_what_is_advertised_is_what_is_lent(client: Client, tmp_path: Path) -> None:
    """Case C24: all five terminal methods are there, so `terminal` is true; or neither."""
    agent = [*AGENT, "1"]
    for more, lent in (((), True), (("--no-terminal", "--no-fs"), False)):
        log = tmp_path / f"wire{lent}.log"
        ran = client.prompts(
            "h:terminal", agent=agent, more=("--yes", "--wire-log", str(log), *more)
        )
        sent = log.read_text(encoding="utf-8").partition("\n")[0].partition(" -> ")[2]
        capabilities = json.loads(sent)["params"]["clientCapabilities"]
        assert capabilities.get("terminal", False) is lent
        assert any(capabilities.get("fs", {}).values()) is lent
        assert ("terminal:3:hi" in ran.lines) is lent


def test_what_an_agent_prints_besides_messages_is_passed_over(client: Client) -> None:
    """Case C36: banners and blank lines on stdout, before `initialize` is answered."""
    script = 'echo "Loaded cached credentials."; echo; exec "$@"'
    ran = client.prompts("h:echo fine", agent=["sh", "-c", script, "sh", *AGENT])
    assert "fine" in ran.lines and ran.status == 0
    assert "Loaded cached credentials." in ran.err


def test_an_interrupt_cancels_the_turn(client: Client, peer: Peer) -> None:
    assert interrupted(client, peer.command, "h:wait") == 6


def interrupted(client: Client, agent: list[str], prompt: str) -> int:
    """The exit status of a client that gets SIGINT while the agent says that it waits."""
    with client.start(["--prompt", prompt], agent) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith("[session"):
                break
        shown = ""
        while "waiting" not in shown:
            piece = process.stdout.read(1)
            assert piece, shown
            shown += piece
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
    return process.returncode


# the agent that acpgen new makes


@pytest.fixture(scope="module", params=[1, 2])
def pair(
    request: pytest.FixtureRequest, client: Client, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Client, list[str], int]:
    """A client, the command of a made agent, and the version that they speak."""
    folder = tmp_path_factory.mktemp("agent")
    found = made("agent", "try-agent", folder)
    paths = (*client.paths, folder / "try-agent" / "src")
    version: int = request.param
    package = client.package
    if version == 1:
        package = made("client", "try-old", folder, protocols=[1]).package
        paths = (*paths, folder / "try-old" / "src")
    data = str(folder / f"data{version}")
    agent = [sys.executable, "-m", found.package, "--data", data]
    return Client(package, paths, client.folder), agent, version


def test_the_made_agent_streams_uses_tools_and_asks(pair: tuple[Client, list[str], int]) -> None:
    client, agent, version = pair
    ran = client.prompts("hello there", "files", "write a.txt some text", agent=agent)
    assert ran.status == 0, ran.err
    assert ran.lines[0].endswith(f"protocol version {version}]")
    assert "You said: hello there" in ran.out
    assert any(line.startswith("[tool] List ") and "completed" in line for line in ran.lines)
    assert "[plan]" in ran.out
    assert any(line.startswith("[permission]") for line in ran.lines)
    assert (client.folder / "a.txt").read_text(encoding="utf-8") == "some text\n"
    refused = client.prompts("write b.txt x", agent=agent, more=("--no",))
    assert "Then I leave it." in refused.out
    assert not (client.folder / "b.txt").exists()


def test_the_conversation_in_the_docs_is_real(pair: tuple[Client, list[str], int]) -> None:
    client, agent, version = pair
    text = (ROOT / "docs" / "client.md").read_text(encoding="utf-8")
    told = text.partition("```text\n")[2].partition("```")[0].splitlines()
    ran = client.run(agent=agent, typed="permission\n1\n")
    same = [line for line in told[4:] if line != ">" and "cancels: " not in line]
    if version == 2:
        assert same == [line for line in ran.lines[2:] if "cancels: " not in line]
    else:  # where the permission question renames the tool call
        assert {line for line in same if not line.startswith("[tool]")} <= set(ran.lines)


def test_the_readme_shows_what_happens(pair: tuple[Client, list[str], int]) -> None:
    client, agent, version = pair
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    told = text.partition("```text\n[demo")[2].partition("```")[0].splitlines()[2:]
    ran = client.run("--prompt", "permission", "--yes", agent=agent)
    if version == 2:
        assert told == ran.lines[2:]
    else:  # where the permission question renames the tool call
        assert {line for line in told if not line.startswith("[tool]")} <= set(ran.lines)


@pytest.mark.parametrize("version", [1, 2])
def test_the_made_agent_offers_options_before_a_session_and_begins_one_with_them(
    tmp_path: Path, version: int
) -> None:
    """session/options and initial values, where both projects are made with --unstable."""
    own = made("client", "try-odd", tmp_path, protocols=[version], unstable=True)
    agent = made("agent", "try-agent", tmp_path, unstable=True)
    paths = tuple(tmp_path / name / "src" for name in ("try-odd", "try-agent"))
    client = Client(own.package, paths, tmp_path)
    command = [sys.executable, "-m", agent.package, "--data", str(tmp_path / "data")]
    offered = [line for line in client.run("--offered", agent=command).lines if " = " in line]
    assert offered
    assert client.run("--list", agent=command).lines[-1] == "[0 sessions]"
    option, _, rest = offered[0].partition(" = ")
    value, _, values = rest.partition("  (of ")
    other = next(name for name in values.rstrip(")").split(", ") if name != value)
    ran = client.run("--set", f"{option}={other}", agent=command, typed="/options\n")
    assert (ran.status, ran.err) == (0, "")
    assert any(line.startswith(f"{option} = {other} ") for line in ran.lines), ran.out


def test_the_made_agent_cancels(pair: tuple[Client, list[str], int]) -> None:
    client, agent, _version = pair
    assert interrupted(client, agent, "wait 60") == 6


def test_the_made_agent_remembers_after_it_was_killed(
    pair: tuple[Client, list[str], int], tmp_path: Path
) -> None:
    client, agent, _version = pair
    noted = tmp_path / "pid"
    noting = ["sh", "-c", f'echo $$ > "{noted}"; exec "$@"', "sh", *agent]
    session = ""
    with client.start([], noting) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write("remember the milk\n")
        process.stdin.flush()
        for line in process.stdout:
            if line.startswith("[session "):
                session = line.strip().removeprefix("[session ").removesuffix("]")
            if "You said: remember the milk" in line:
                break
        os.kill(int(noted.read_text(encoding="utf-8")), signal.SIGKILL)
        assert process.wait(60) == 1  # with its stdin open
        _, err = process.communicate()
    assert "was ended by SIGKILL" in err
    listed = client.run("--list", agent=agent)
    assert any(line.startswith(session) for line in listed.lines), listed.out
    again = client.run("--resume", session, "--prompt", "and now?", agent=agent)
    assert "> remember the milk" in again.lines
    assert "You said: remember the milk" in again.out
    assert f"[session {session} goes on]" in again.lines
    assert "You said: and now?" in again.out
