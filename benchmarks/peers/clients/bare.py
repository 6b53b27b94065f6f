"""The client on json and blocking files alone: it drives the agents, and is the bound of clients."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from typing import Any


class BareClient:
    """Calls an agent; knows of the updates before the answer how many came, and the last one."""

    def __init__(self, command: list[str]) -> None:
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.number = 0
        self.updates = 0
        self.last: Any = None

    def call(self, method: str, params: dict[str, Any]) -> Any:
        """The result."""
        assert self.process.stdin and self.process.stdout
        self.number += 1
        self.updates = 0
        message = {"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}
        self.process.stdin.write((json.dumps(message) + "\n").encode())
        self.process.stdin.flush()
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise RuntimeError(f"the agent ended during {method}")
            answer = json.loads(line)
            if "method" not in answer:
                assert answer["id"] == self.number, answer
                return answer["result"]
            self.updates += 1
            self.last = answer

    def close(self) -> None:
        """Close the agent's stdin and wait for its end."""
        self.process.communicate(timeout=10)


def main(trips: int, chunks: int, characters: int, command: list[str]) -> None:
    """See the package."""
    client = BareClient(command)
    client.call("initialize", {"protocolVersion": 1, "clientCapabilities": {}})
    session = client.call("session/new", {"cwd": "/tmp", "mcpServers": []})["sessionId"]

    def prompt(text: str, updates: int = 1) -> float:
        """Seconds that the prompt took."""
        started = time.perf_counter()
        blocks = [{"type": "text", "text": text}]
        client.call("session/prompt", {"sessionId": session, "prompt": blocks})
        taken = time.perf_counter() - started
        assert client.updates == updates, client.updates
        return taken

    prompt("warm up")
    started = time.perf_counter()
    for _ in range(trips):
        prompt("hi")
    trip = (time.perf_counter() - started) / trips
    flood = prompt(f"flood {chunks}", chunks)
    large = prompt(f"large {characters}")
    content = client.last["params"]["update"]["content"]
    assert len(content[0]["content"]["text"]) == characters
    client.close()
    print(json.dumps({"trips": 1 / trip, "chunks": chunks / flood, "large": large * 1000}))


if __name__ == "__main__":
    TRIPS, CHUNKS, CHARACTERS = map(int, sys.argv[1:4])
    main(TRIPS, CHUNKS, CHARACTERS, sys.argv[4:])
