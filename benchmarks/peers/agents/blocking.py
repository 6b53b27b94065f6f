"""The agent on json and blocking files alone: no agent is faster."""

from __future__ import annotations

import sys

from benchmarks.peers.agents.wire import answers


def main() -> None:
    """Answer line by line until stdin ends; what answers one line is written at once."""
    for line in sys.stdin.buffer:
        sys.stdout.buffer.write(b"".join(answers(line)))
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
