"""The programs that are measured: commands of agents and clients."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BINDINGS = "acp_bindings"
OURS = "acpgen"
ASYNCIO, BLOCKING = "bare json, asyncio", "bare json, blocking"
_SDK = Path("node_modules", "@agentclientprotocol", "sdk")


@dataclass(frozen=True)
class Programs:
    """Commands by contender, with the environment for all of them.

    feeder: the agent that clients receive prepared chunks from. python, typescript: the names of
    the official SDKs' contenders.
    """

    agents: Mapping[str, list[str]]
    clients: Mapping[str, list[str]]
    feeder: list[str]
    environment: Mapping[str, str]
    python: str
    typescript: str


def why_not(source: Path, folder: Path | None) -> str:
    """What is missing before the peers can be measured, or ""."""
    if not (source / BINDINGS).is_dir():
        return f"the programs import {BINDINGS}, which is not in {source}"
    absent = [name for name in ("acp", "psutil") if find_spec(name) is None]
    if absent:
        return f"not installed: {', '.join(absent)} (agent-client-protocol, psutil)"
    if shutil.which("node") is None:
        return "node is not installed"
    if folder is None or not (folder / _SDK).is_dir():
        return (
            "the TypeScript SDK is not installed: `npm install @agentclientprotocol/sdk@2.4.0` in"
            " some folder, and --peers FOLDER"
        )
    return ""


@contextmanager
def programs(source: Path, folder: Path) -> Iterator[Programs]:
    """The programs of the whole comparison.

    source: the folder that has the package acp_bindings. folder: where npm installed the
    TypeScript SDK. node looks for packages beside and above a script, so that the scripts have to
    be in there while they run.
    """
    package = json.loads((folder / _SDK / "package.json").read_text(encoding="utf-8"))
    python = f"Python SDK {version('agent-client-protocol')}"
    typescript = f"TypeScript SDK {package['version']}"
    paths = [str(source.resolve()), str(ROOT), os.environ.get("PYTHONPATH", "")]
    with TemporaryDirectory(prefix="acpgen-", dir=folder.resolve()) as scripts:

        def command(side: str, name: str) -> list[str]:
            if name != "typescript":
                return [sys.executable, str(HERE / side / f"{name}.py")]
            script = Path(scripts, f"{side}.mjs")
            shutil.copyfile(HERE / side / "typescript.mjs", script)
            return ["node", str(script)]

        yield Programs(
            agents={
                OURS: command("agents", "generated"),
                python: command("agents", "official"),
                typescript: command("agents", "typescript"),
                ASYNCIO: command("agents", "bare"),
                BLOCKING: command("agents", "blocking"),
            },
            clients={
                OURS: command("clients", "generated"),
                python: command("clients", "official"),
                typescript: command("clients", "typescript"),
                BLOCKING: command("clients", "bare"),
            },
            feeder=command("agents", "prepared"),
            environment={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))},
            python=python,
            typescript=typescript,
        )
