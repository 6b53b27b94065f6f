"""An agent on stdio for tests, run as a program: python stdio_agent.py [threads|loop]."""

from __future__ import annotations

import sys

print(
    "a banner before stdout is taken for the protocol is the program's own fault", file=sys.stderr
)

from acpgen.runtime.takeover import take_stdio  # noqa: E402

CAPTURED = sys.stdout
take_stdio()
print("a banner while importing")

import asyncio  # noqa: E402
import logging  # noqa: E402
import os  # noqa: E402
import subprocess  # noqa: E402
import threading  # noqa: E402
import time  # noqa: E402
from typing import Any  # noqa: E402

from acpgen.runtime.connection import Connection  # noqa: E402
from acpgen.runtime.errors import MethodNotFound  # noqa: E402
from acpgen.runtime.stdio import run_stdio  # noqa: E402
from acpgen.runtime.transport import ByteStream  # noqa: E402

logging.basicConfig(stream=CAPTURED, level=logging.INFO)


class Agent:
    async def request(self, method: str, params: Any) -> Any:
        if method == "echo":
            return params
        if method == "noise":
            print("print in a handler")
            CAPTURED.write("the stream that was stdout\n")
            CAPTURED.flush()
            os.write(1, b"file descriptor 1\n")
            subprocess.run([sys.executable, "-c", "print('a child process')"], check=True)
            logging.info("a log line")
            return {"input": sys.stdin.read(), "child": _child_reads()}
        if method == "never":
            await asyncio.Event().wait()
        if method == "stubborn":
            while True:
                try:
                    await asyncio.sleep(3600)
                except asyncio.CancelledError:
                    continue
        if method == "thread":
            await asyncio.to_thread(time.sleep, 3600)
        if method == "block":
            print("about to block")
            time.sleep(3600)
        if method == "threads":
            return sorted(thread.name for thread in threading.enumerate())
        raise MethodNotFound(data={"method": method})

    def notify(self, method: str, params: Any) -> None:
        pass


def _child_reads() -> str:
    code = "import sys; sys.stderr.write('child\\n'); print(repr(sys.stdin.read()))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


async def serve(stream: ByteStream) -> None:
    await Connection(stream, Agent()).run()


if __name__ == "__main__":
    forced = {"threads": True, "loop": False}.get(sys.argv[1] if sys.argv[1:] else "")
    run_stdio(serve, threads=forced)
    print("run_stdio returned")
