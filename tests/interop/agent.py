"""The harness agent: `python agent.py [1|2]`, or both versions behind the router.

ACP_UNSTABLE=1 serves the unstable surfaces.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests import interop  # noqa: F401 (makes the bindings importable)


def main(arguments: list[str]) -> None:
    from acp_bindings.runtime.agent_base import AgentBase
    from acp_bindings.v1 import run_agent

    from tests.interop import agent_v1, agent_v2

    agents: dict[str, type[AgentBase[Any]]] = {
        "1": agent_v1.HarnessAgent,
        "2": agent_v2.HarnessAgent,
    }
    run_agent(*(agents[version]() for version in arguments or agents))


if __name__ == "__main__":
    main(sys.argv[1:])
