"""The harness client: `python client.py VERSION AGENT_COMMAND...`, where VERSION is 1 or 2.

Makes the checks of the TypeScript harness clients, under the same names.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests import interop  # noqa: F401 (makes the bindings importable)


def main(arguments: list[str]) -> int:
    from tests.interop import client_v1, client_v2

    version, *command = arguments
    checks = {"1": client_v1.run, "2": client_v2.run}[version]
    return asyncio.run(checks(command))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
