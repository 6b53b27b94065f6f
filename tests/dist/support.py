"""An index on the loopback address, new environments, and a clean environment to run them in."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

ROOT = Path(__file__).parents[2]
DEPENDENCIES = ("pydantic>=2.14", "jsonschema>=4.20", "mypy>=1.15", "hatchling>=1.27")
"""What the packages under test, their check and their build need, from wherever pip gets it."""


def clean(folder: Path, *, pip: bool = False, **more: str) -> dict[str, str]:
    """An environment without anything of the repository. pip: keep where pip looks for packages."""
    kept = {"PATH", "SYSTEMROOT", "SSL_CERT_FILE"}
    found = {key: value for key, value in os.environ.items() if key in kept}
    if pip:
        found |= {key: value for key, value in os.environ.items() if key.startswith("PIP_")}
    else:
        found["PIP_CONFIG_FILE"] = os.devnull
    return {**found, "HOME": str(folder), "PIP_DISABLE_PIP_VERSION_CHECK": "1", **more}


def run(
    *command: str | Path, cwd: Path, env: dict[str, str] | None = None, code: int = 0
) -> str:
    """What a command writes to standard output. It has to end with `code`."""
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, env=env, capture_output=True, text=True
    )
    assert done.returncode == code, f"{command}\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}"
    return done.stdout


class Environment:
    """A new virtual environment."""

    def __init__(self, folder: Path) -> None:
        venv.create(folder, with_pip=True, symlinks=os.name != "nt")
        self.folder = folder
        self.scripts = folder / ("Scripts" if os.name == "nt" else "bin")
        self.python = self.scripts / "python"

    def site(self, cwd: Path) -> Path:
        code = "import sysconfig; print(sysconfig.get_path('purelib'))"
        return Path(run(self.python, "-c", code, cwd=cwd).strip())


@contextmanager
def index(packages: Path, log: Path) -> Iterator[str]:
    """A pypiserver that takes uploads from anybody and knows no other index; its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = ("-i", "127.0.0.1", "-p", str(port), "-a", ".", "-P", ".", "--disable-fallback")
    with log.open("wb") as output:
        server = subprocess.Popen(
            [sys.executable, "-m", "pypiserver", "run", *options, str(packages)],
            stdout=output,
            stderr=output,
        )
        try:
            address = f"http://127.0.0.1:{port}/"
            _wait(f"{address}health", server, log)
            yield address
        finally:
            server.terminate()
            server.wait(30)


def _wait(address: str, server: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(300):
        assert server.poll() is None, log.read_text(encoding="utf-8")
        try:
            urlopen(address, timeout=5).close()
        except (URLError, OSError):
            time.sleep(0.1)
        else:
            return
    raise AssertionError("the index does not answer")
