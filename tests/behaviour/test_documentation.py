"""The agent and the client of docs/peers.md, run as they stand there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.behaviour.bindings import ROOT, SOURCE


def test_the_examples_of_peers_talk_to_each_other(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "peers.md").read_text(encoding="utf-8")
    files = dict(re.findall(r"```python\n# (\w+\.py)\n(.*?)```", text, flags=re.S))
    assert set(files) == {"agent.py", "client.py"}
    for name, source in files.items():
        (tmp_path / name).write_text(source, encoding="utf-8")
    paths = [os.environ.get("PYTHONPATH", ""), str(SOURCE)]
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(path for path in paths if path),
    }
    command = [sys.executable, "client.py", sys.executable, "agent.py"]
    done = subprocess.run(
        command, capture_output=True, text=True, env=environment, cwd=tmp_path, timeout=60
    )
    assert done.stdout.splitlines() == ["HELLO", "end_turn False"], done.stderr
    assert done.stderr == ""
