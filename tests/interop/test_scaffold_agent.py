"""An agent that `acpgen new` made, against the official SDKs: what every client does with an agent,
a kill in between, and every check of the harness.

Runs where the peers are installed: `nox -s interop` (see test_peers).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.behaviour.bindings import SOURCE
from tests.interop.test_peers import HERE, NODE, PEERS, PY_CLIENT_FAILS, PY_SDK

ROOT = HERE.parents[1]
HARNESS = HERE / "scaffold_harness_agent.py"

pytestmark = pytest.mark.slow

# What shows nothing without a directive that only the harness knows, or is not asked of an agent
# that does not say that it knows them. (Cancelling in version 2 is checked by scaffold_client_v2.)
DIRECTIVES = {
    "client.bad-params-32602",
    "client.cancel-request",
    "client.elicitation-form",
    "client.elicitation-url",
    "client.ext-notification",
    "client.ext-request",
    "client.unknown-method-32601",
    "prompt.updates-all-variants",
    "tolerance.malformed-items",
    "tolerance.malformed-known-variant",
}
DIRECTIVES_V1 = DIRECTIVES | {
    "client.fs",
    "client.terminal",
    "client.terminal-kill",
    "tolerance.unknown-update",
}
DIRECTIVES_V2 = DIRECTIVES | {
    "client.permission.command",
    "prompt.queued-while-running",
    "session/cancel",
    "tolerance.unknown-variants",
    "tool_call/cancel",
}
NO_MODES = {"session/set_mode"}  # version 1: an agent with config options has none


@dataclass(frozen=True)
class Project:
    """A scaffolded agent. package: its name; source: what is on PYTHONPATH for it."""

    package: str
    source: list[Path]

    def command(self, *arguments: str | Path) -> list[str]:
        """A command of this interpreter that finds the agent. The Python SDK starts agents without
        the environment of the client.
        """
        paths = os.pathsep.join(map(str, self.source))
        return ["env", f"PYTHONPATH={paths}", sys.executable, *map(str, arguments)]

    def agent(self, data: Path) -> list[str]:
        """The agent as it was made."""
        return self.command("-m", self.package, "--data", data)

    def harness(self, data: Path) -> list[str]:
        """The agent with another author's part, that knows the directives."""
        return self.command(HARNESS, self.package, "--data", data)


@pytest.fixture(scope="module")
def scaffold(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Project]:
    """Makes a project with these options, once for each set of them."""
    made: dict[tuple[str, ...], Project] = {}

    def make(*options: str) -> Project:
        if options not in made:
            folder = tmp_path_factory.mktemp("scaffold")
            name = f"interop-{len(made)}"
            environment = {**os.environ, "HOME": str(folder), "PYTHONPATH": str(ROOT)}
            command = [sys.executable, "-m", "acpgen", "new", name, "--no-input", *options]
            subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True)
            source = [folder / name / "src", *([SOURCE] if "pypi" in options else [])]
            made[options] = Project(name.replace("-", "_"), source)
        return made[options]

    return make


def checks(
    command: list[str], cwd: Path, environment: dict[str, str] | None = None
) -> tuple[dict[str, set[str]], list[dict[str, Any]]]:
    """Run a client; its checks by status, and its lines for who has to look."""
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=200,
        cwd=cwd,
        env={**os.environ, **(environment or {})},
    )
    lines: list[dict[str, Any]] = [json.loads(line) for line in done.stdout.splitlines()]
    assert lines and lines[-1].get("summary") is True, done.stderr[-2000:]
    found: dict[str, set[str]] = {"pass": set(), "fail": set(), "skip": set()}
    for line in lines[:-1]:
        found[line["status"]].add(line["check"])
    return found, [line for line in lines if line.get("status") != "pass"]


def client(name: str) -> list[str]:
    """The command of a client among the peers; skips the test where there is no such peer."""
    runs = {".mjs": NODE, ".py": PY_SDK}
    if not runs[Path(name).suffix]:
        assert "ACP_PEERS" not in os.environ, "the peer is not where ACP_PEERS says"
        pytest.skip("the peer is not installed: nox -s interop")
    return [sys.executable if name.endswith(".py") else "node", str(PEERS / name)]


@pytest.mark.parametrize("unstable", [False, True], ids=["stable", "unstable"])
@pytest.mark.parametrize(
    "name", ["scaffold_client_v1.mjs", "scaffold_client_v2.mjs", "scaffold_client.py"]
)
def test_a_client_gets_all_of_it_and_finds_it_again_after_a_kill(
    scaffold: Callable[..., Project], tmp_path: Path, name: str, unstable: bool
) -> None:
    command = client(name)
    project = scaffold("--unstable", "--bindings", "pypi") if unstable else scaffold()
    cwd = tmp_path / "cwd"
    cwd.mkdir()
    command += [str(cwd), *project.agent(tmp_path / "data")]
    found, lines = checks(command, cwd, {"ACP_UNSTABLE": "1" if unstable else "0"})
    assert found["fail"] | found["skip"] == set(), lines
    wanted = {"streaming", "tool call", "cancel", "list after the kill", "prompt after the kill"}
    assert wanted <= found["pass"]
    if unstable and name.endswith(".mjs"):
        assert {"session/options", "session/new with configOptions"} <= found["pass"]


@pytest.mark.parametrize(
    ("name", "skips"),
    [
        ("ts_client_v1.mjs", DIRECTIVES_V1 | NO_MODES),
        ("ts_client_v2.mjs", DIRECTIVES_V2),
        ("py_sdk_client.py", DIRECTIVES_V1 | {"session/cancel"}),
    ],
    ids=["ts-v1", "ts-v2", "py-v1"],
)
def test_the_example_fails_no_check(
    scaffold: Callable[..., Project], tmp_path: Path, name: str, skips: set[str]
) -> None:
    command = [*client(name), *scaffold().agent(tmp_path / "data")]
    found, lines = checks(command, tmp_path)
    assert found["fail"] == set(), lines
    assert found["skip"] == skips, lines


@pytest.mark.parametrize("unstable", [False, True], ids=["stable", "unstable"])
@pytest.mark.parametrize(
    ("name", "fails", "skips"),
    [
        ("ts_client_v1.mjs", set(), NO_MODES),
        ("ts_client_v2.mjs", set(), set()),
        ("py_sdk_client.py", PY_CLIENT_FAILS, set()),
    ],
    ids=["ts-v1", "ts-v2", "py-v1"],
)
def test_an_author_part_that_knows_the_directives_passes_every_check(
    scaffold: Callable[..., Project],
    tmp_path: Path,
    name: str,
    fails: set[str],
    skips: set[str],
    unstable: bool,
) -> None:
    command = client(name)
    project = scaffold("--bindings", "pypi", *(["--unstable"] if unstable else []))
    command += project.harness(tmp_path / "data")
    found, lines = checks(command, tmp_path, {"ACP_UNSTABLE": "1" if unstable else "0"})
    if unstable:
        fails = fails - {"client.elicitation-form", "client.elicitation-url"}
    assert found["fail"] == fails, lines
    assert found["skip"] == skips, lines
    assert len(found["pass"]) >= 30
