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
from pathlib import Path
from tempfile import TemporaryDirectory

HERE = Path(__file__).resolve().parent
OURS = "acpgen"
ASYNCIO, BLOCKING = "bare json, asyncio", "bare json, blocking"
_SDK = Path("node_modules", "@agentclientprotocol", "sdk")


@dataclass(frozen=True)
class Programs:
    """Commands by contender, with the environment for all of them. `python` and `typescript` are
    the names of the official SDKs' contenders.
    """

    agents: Mapping[str, list[str]]
    clients: Mapping[str, list[str]]
    environment: Mapping[str, str]
    python: str
    typescript: str


def why_not(folder: Path | None) -> str:
    """What is missing before the peers can be measured, or ""."""
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
    paths = [str(source.resolve()), os.environ.get("PYTHONPATH", "")]
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
            environment={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))},
            python=python,
            typescript=typescript,
        )
