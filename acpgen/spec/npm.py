"""Releases from the npm registry, through the npm client: it knows the user's registry, proxy and
credentials.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from acpgen.problem import ProblemError

PREFIX = "npm:"
TIMEOUT = 300.0
"""Seconds for one `npm pack`."""

# A registry release and nothing else that npm takes (a git address, a folder, an option).
_SPEC = re.compile(
    r"(?P<name>(?:@[a-z0-9~-][a-z0-9._~-]*/)?[a-z0-9~][a-z0-9._~-]*)@(?P<version>[A-Za-z0-9][\w.+-]*)"
)
_CODE = re.compile(r"^npm (?:ERR!|error) code (\S+)", re.MULTILINE)
_QUIET = {"update_notifier": "false", "fund": "false", "audit": "false", "progress": "false"}
_NO_RELEASE = {"E404", "ETARGET", "ENOVERSIONS"}
_NO_NETWORK = re.compile(
    r"ENOTFOUND|EAI_AGAIN|ECONN\w+|ETIMEDOUT|E(?:NET|HOST)UNREACH|ENOTCACHED|\w*TIMEOUT|FETCH_ERROR"
)
_OTHER_WAYS = "or sync from a folder, a tarball or a URL: acpgen sync ./package.tgz"


def pack(source: str) -> tuple[str, str, bytes]:
    """Name, exact version and tarball of a release.

    source: `npm:PACKAGE@VERSION`; VERSION may be a tag. No script of the package runs. Raises
    ProblemError: no such form, no npm, no network, no such release, or whatever else npm reports.
    """
    match = _SPEC.fullmatch(source.removeprefix(PREFIX))
    if not match:
        hint = "write npm:PACKAGE@VERSION, such as npm:@agentclientprotocol/sdk@2.4.0"
        raise ProblemError.of(source, "names no npm release", hint)
    npm = shutil.which("npm")
    if npm is None:
        raise ProblemError.of(source, "npm is not installed", f"install Node.js, {_OTHER_WAYS}")
    with tempfile.TemporaryDirectory(prefix="acpgen-npm-") as folder:
        answer = _run([npm, "pack", "--json", "--ignore-scripts", match[0]], folder, source)
        tarballs = list(Path(folder).glob("*.tgz"))
        if answer is None or len(tarballs) != 1:
            raise ProblemError.of(source, "npm pack did not leave one tarball", _OTHER_WAYS)
        data = tarballs[0].read_bytes()
    name, version = answer.get("name", match["name"]), answer.get("version", match["version"])
    return str(name), str(version), data


def _run(command: list[str], folder: str, source: str) -> dict[str, Any] | None:
    """npm's description of the package, or None where it printed none."""
    env = {**os.environ, **{f"npm_config_{key}": value for key, value in _QUIET.items()}}
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env=env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=TIMEOUT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise ProblemError.of(source, f"npm did not answer in {TIMEOUT:.0f} seconds") from None
    except OSError as error:
        raise ProblemError.of(source, f"npm cannot be run: {error.strerror}", _OTHER_WAYS) from None
    answer = _answer(done.stdout.decode("utf-8", "replace"))
    if done.returncode:
        raise _failure(source, answer, done.stderr.decode("utf-8", "replace"))
    return answer


def _answer(text: str) -> dict[str, Any] | None:
    """npm prints a list of one; other releases of it print an object by name."""
    try:
        value = json.loads(text[min(i for i in map(text.find, "[{") if i >= 0) :])
    except ValueError:  # no bracket, or no JSON behind it
        return None
    if isinstance(value, dict) and "error" not in value and "name" not in value:
        value = list(value.values())
    if isinstance(value, list):
        value = value[0] if value else None
    return value if isinstance(value, dict) else None


def _failure(source: str, answer: dict[str, Any] | None, log: str) -> ProblemError:
    error = (answer or {}).get("error")
    error = error if isinstance(error, dict) else {}
    match = _CODE.search(log)
    code = str(error.get("code") or (match[1] if match else ""))
    lines = [line for line in log.splitlines() if line.strip()]
    summary = str(error.get("summary") or (lines[0] if lines else "it printed nothing"))
    if code in _NO_RELEASE:
        return ProblemError.of(source, "there is no such release", "check the name and version")
    if _NO_NETWORK.fullmatch(code):
        return ProblemError.of(source, f"npm has no network ({code})", f"try again, {_OTHER_WAYS}")
    if code == "EINTEGRITY":
        hint = "the tarball is not what the registry lists: clear npm's cache, try again"
        return ProblemError.of(source, "npm reports a wrong integrity", hint)
    what = f"npm pack failed{f' ({code})' if code else ''}: {summary.strip()[:300]}"
    return ProblemError.of(source, what, _OTHER_WAYS)
