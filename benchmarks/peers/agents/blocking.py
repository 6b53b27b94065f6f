"""The agent on json and blocking files alone: it feeds the clients, and is the bound of agents."""

from __future__ import annotations

import sys

from wire import answers


def main() -> None:
    """Answer line by line until stdin ends; what answers one line is written at once."""
    for line in sys.stdin.buffer:
        sys.stdout.buffer.write(b"".join(answers(line)))
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
