"""What an agent loads before it has answered `initialize`: not the models of everything else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest

from tests.behaviour.bindings import SOURCE

PROGRAM = """
import asyncio, json, sys
from acp_bindings import {name} as acp
from acp_bindings.runtime.transport import memory_pair
from acp_bindings.runtime.serve import serve

class Agent(acp.Agent):
    info = acp.Implementation(name="a", version="1")

    async def work(self, params, client):
        return None

    session_new = session_list = session_resume = session_close = work
    session_prompt = session_cancel = work

async def main():
    ours, theirs = memory_pair()
    serving = asyncio.create_task(serve(ours, Agent()))
    params = {{"protocolVersion": {version}, "info": {{"name": "c", "version": "1"}}}}
    await theirs.send({{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}})
    answer = await theirs.receive()
    loaded = [name for name in sys.modules if name.startswith("acp_bindings.")]
    await theirs.send({{"jsonrpc": "2.0", "id": 2, "method": "session/new", "params": {{}}}})
    await theirs.receive()
    later = [name for name in sys.modules if name.startswith("acp_bindings.")]
    await theirs.close()
    await serving
    print(json.dumps({{"answer": answer, "loaded": loaded, "later": later}}))

asyncio.run(main())
"""


@pytest.mark.parametrize(("name", "version"), [("v1", 1), ("v2", 2)])
def test_initialize_loads_only_its_own_models(name: str, version: int) -> None:
    environment = {**os.environ}
    paths = [environment.get("PYTHONPATH", ""), str(SOURCE)]
    environment["PYTHONPATH"] = os.pathsep.join(path for path in paths if path)
    program = PROGRAM.format(name=name, version=version)
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=environment, timeout=60
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    assert found["answer"]["result"]["protocolVersion"] == version
    types = f"acp_bindings.{name}.models._types"
    assert f"acp_bindings.{name}.models._initialize" in found["loaded"]
    assert types not in found["loaded"], "everything else was loaded for initialize"
    assert types in found["later"], "this test would not see it"
    others = {"v1", "v2", "v1_unstable", "v2_unstable"} - {name}
    assert not [item for item in found["later"] if item.split(".")[1] in others]
