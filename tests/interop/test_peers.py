"""The harness agent and client against the official SDKs, in both directions.

Runs where the peers are installed: `nox -s interop`, which sets ACP_PEERS to a folder with peers/
and node_modules/, and installs the Python SDK into the interpreter of the tests.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.behaviour.bindings import SOURCE

HERE = Path(__file__).parent
PEERS = Path(os.environ.get("ACP_PEERS") or HERE / "peers")
AGENT = [sys.executable, str(HERE / "agent.py")]
CLIENT = [sys.executable, str(HERE / "client.py")]
PY_SDK = importlib.util.find_spec("acp") is not None
NODE = shutil.which("node") is not None and (PEERS / "node_modules").is_dir()

# What the Python SDK 0.12.1 fails against its own kind too.
PY_CLIENT_FAILS = {
    "client.elicitation-form",  # behind a flag that is off
    "client.elicitation-url",
    "client.cancel-request",  # no $/cancel_request
    "tolerance.malformed-items",  # a list that is none is an error
}
PY_AGENT_FAILS = {"client.cancel-request", "agent.cancel-request-32800"}


@dataclass(frozen=True)
class Pair:
    """A client's command with its agent's, and what is not the fault of our end."""

    name: str
    command: list[str]
    needs: bool
    checks: str = ""
    fails: set[str] = field(default_factory=set)
    skips: set[str] = field(default_factory=set)
    environment: Mapping[str, str] = field(default_factory=dict)


def script(name: str) -> str:
    return str(PEERS / name)


UNSTABLE = {"ACP_UNSTABLE": "1"}
PY_CLIENT = [sys.executable, script("py_sdk_client.py")]
PY_AGENT = [sys.executable, script("py_sdk_agent.py")]
PAIRS = [
    Pair("ts-client-v1", ["node", script("ts_client_v1.mjs"), *AGENT, "1"], NODE, "checks_v1.txt"),
    Pair(
        "ts-client-v1-unstable",
        ["node", script("ts_client_v1.mjs"), *AGENT, "1"],
        NODE,
        "checks_v1.txt",
        environment=UNSTABLE,
    ),
    Pair("ts-client-v1-router", ["node", script("ts_client_v1.mjs"), *AGENT], NODE),
    Pair("ts-client-v2", ["node", script("ts_client_v2.mjs"), *AGENT, "2"], NODE, "checks_v2.txt"),
    Pair(
        "ts-client-v2-unstable",
        ["node", script("ts_client_v2.mjs"), *AGENT, "2"],
        NODE,
        "checks_v2.txt",
        environment=UNSTABLE,
    ),
    Pair("ts-client-v2-router", ["node", script("ts_client_v2.mjs"), *AGENT], NODE),
    Pair("py-client", [*PY_CLIENT, *AGENT, "1"], PY_SDK, fails=PY_CLIENT_FAILS),
    Pair("ts-agent-v1", [*CLIENT, "1", "node", script("ts_agent_v1.mjs")], NODE, "checks_v1.txt"),
    Pair("ts-agent-v2", [*CLIENT, "2", "node", script("ts_agent_v2.mjs")], NODE, "checks_v2.txt"),
    Pair(
        "ts-router",
        [*CLIENT, "2", "env", "ROUTER=1", "node", script("ts_agent_v2.mjs")],
        NODE,
        "checks_v2.txt",
    ),
    Pair(
        "py-agent",
        [*CLIENT, "1", "env", "ACP_UNSTABLE=1", *PY_AGENT],
        PY_SDK,
        "checks_v1.txt",
        fails=PY_AGENT_FAILS,
        skips={"session/delete"},
    ),
    Pair("ourselves-v1", [*CLIENT, "1", *AGENT], True, "checks_v1.txt"),
    Pair("ourselves-v2", [*CLIENT, "2", *AGENT], True, "checks_v2.txt"),
]


@pytest.mark.slow
@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_every_check_passes(pair: Pair) -> None:
    if not pair.needs:
        assert "ACP_PEERS" not in os.environ, "the peer is not where ACP_PEERS says"
        pytest.skip("the peer is not installed: nox -s interop")
    paths = [os.environ.get("PYTHONPATH", ""), str(SOURCE)]
    environment = {
        **os.environ,
        **pair.environment,
        "PYTHONPATH": os.pathsep.join(path for path in paths if path),
    }
    done = subprocess.run(
        pair.command, capture_output=True, text=True, env=environment, timeout=200, cwd=HERE
    )
    lines: list[dict[str, Any]] = [json.loads(line) for line in done.stdout.splitlines()]
    assert lines and lines[-1].get("summary") is True, done.stderr[-2000:]
    by_status: dict[str, dict[str, Any]] = {"pass": {}, "fail": {}, "skip": {}}
    for line in lines[:-1]:
        by_status[line["status"]][line["check"]] = line.get("detail")
    assert set(by_status["fail"]) == pair.fails, by_status["fail"]
    assert set(by_status["skip"]) == pair.skips, by_status["skip"]
    assert len(by_status["pass"]) >= 30
    assert done.returncode == (1 if pair.fails else 0)
    if pair.checks:
        wanted = set((HERE / "peers" / pair.checks).read_text(encoding="utf-8").split())
        made = {line["check"] for line in lines[:-1]}
        assert wanted <= made, wanted - made
