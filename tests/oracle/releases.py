"""Judge the bindings of published releases: `python -m tests.oracle.releases [VERSION ...]`.

For each version: `acpgen generate --source npm:...@VERSION` into a temporary folder, then the
oracle over every surface that the release has. Needs npm and a registry. A folder or tarball may
stand in place of a version. Exit code 1 if a release cannot be generated or has a fault.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

PACKAGE = "@agentclientprotocol/sdk"
VERSIONS = ("0.12.0", "1.0.0", "1.9.0", "2.0.0", "2.3.0")


def judge(version: str) -> bool:
    """Whether the release generates, and its bindings have no fault; both say so themselves."""
    source = str(Path(version).resolve()) if Path(version).exists() else f"npm:{PACKAGE}@{version}"
    print(f"== {source}", flush=True)
    with TemporaryDirectory() as folder:
        generate = [sys.executable, "-c", "from acpgen.cli import app; app()", "generate"]
        done = subprocess.run([*generate, "--source", source, "--out", folder + "/out"])
        if done.returncode:
            return False
        oracle = [sys.executable, "-m", "tests.oracle", folder + "/out/src", "acp_bindings"]
        return subprocess.run(oracle).returncode == 0


def main(arguments: list[str]) -> int:
    """Exit code."""
    verdicts = {version: judge(version) for version in arguments or VERSIONS}
    for version, good in verdicts.items():
        print(f"{version}: {'no fault' if good else 'FAULTS'}")
    return 0 if all(verdicts.values()) else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
