"""The agent that feeds clients: its flood is text that costs next to nothing to make."""

from __future__ import annotations

import json
import sys

from benchmarks.peers.agents.wire import answers

# One chunk, in two halves around its number.
_MARK = "0.0"
_BEFORE, _AFTER = (
    json.dumps(
        {
            "jsonrpc": "2.0",
            "method": "session/update",
            "params": {
                "sessionId": "s1",
                "update": {
                    "sessionUpdate": "agent_message_chunk",
                    "content": {
                        "type": "text",
                        "text": f"token {_MARK} of the answer, with some more words ",
                    },
                },
            },
        },
        separators=(",", ":"),
    )
    + "\n"
).split(_MARK)


def main() -> None:
    """Answer line by line until stdin ends."""
    for line in sys.stdin.buffer:
        message, chunks = json.loads(line), ""
        if message.get("method") == "session/prompt":
            block = message["params"]["prompt"][0]
            command, _, number = block["text"].partition(" ")
            if command == "flood":
                chunks = "".join(f"{_BEFORE}{index}{_AFTER}" for index in range(int(number)))
                block["text"] = "flood 0"  # what is left to answer
        rest = b"".join(answers(json.dumps(message).encode()))
        sys.stdout.buffer.write(chunks.encode() + rest)
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
