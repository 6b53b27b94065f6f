"""The tables of the real surfaces are the same in every process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
SCRIPT = """
import hashlib
from acpgen import config, generate, inputs
from acpgen.emit import diff_tables
from acpgen.emit.templates import Templates

settings = config.load()
specs = generate.build_specs(settings, inputs.read(settings))[0]
for path, text in diff_tables.files(specs, Templates(), "H", "tables").items():
    print(path, hashlib.sha256(text.encode()).hexdigest())
"""


@pytest.mark.slow
def test_two_hash_seeds_give_the_same_bytes() -> None:
    found = [
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": seed, "LC_ALL": "C"},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "4294967295")
    ]
    assert found[0] == found[1]
    assert len(found[0].splitlines()) == 9
