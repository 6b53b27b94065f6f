"""Small releases of a made-up protocol, as bytes, folders and tarballs."""

from __future__ import annotations

import contextlib
import gzip
import http.server
import io
import json
import os
import tarfile
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from acpgen.problem import ProblemError
from acpgen.spec import sync
from acpgen.spec.source import Key, Release

LAYOUT = (
    "schema/v1/schema.json",
    "schema/v1/schema.unstable.json",
    "schema/v2/schema.json",
    "schema/v2/schema.unstable.json",
)


V1: Key = (1, "stable")
V1U: Key = (1, "unstable")
V2: Key = (2, "stable")
V2U: Key = (2, "unstable")

posix = pytest.mark.skipif(os.name == "nt", reason="the stand-in for npm is a script")
no_root = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may do anything"
)

PLACES = ["v1/schema.json", "v1/schema.unstable.json", "v2/schema.json", "v2/schema.unstable.json"]

OWN = {
    "v1/methods.toml": b"# ours",
    "v2/schema.notes.json": b"notes",
    "overlays/x/v1.json": b"{}",
    "README": b"r",
}
"""Files of a schemas folder that sync has no business with."""

GOOD_NPM = """
(pathlib.Path.cwd() / "made-up.tgz").write_bytes((here / "package.tgz").read_bytes())
print("a line that is no JSON")
print(json.dumps([{"name": "@made/up", "version": "1.2.3", "filename": "@made/up-1.2.3.tgz"}]))
"""
"""What the stand-in for npm does (the fixture fake_npm) when all is well."""


def document(**definitions: Any) -> dict[str, Any]:
    """A schema with these definitions, or with one of its own."""
    defs = definitions or {"Ping": {"type": "object", "properties": {"id": {"type": "string"}}}}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": defs}


def text(**definitions: Any) -> bytes:
    return json.dumps(document(**definitions)).encode()


def files(version: str = "1.0.0", **changes: bytes | None) -> dict[str, bytes]:
    """The files of a package.

    changes: by path, with `/` as `__` and `.` as `_`; None leaves one out.
    """
    found: dict[str, bytes | None] = {
        "package.json": json.dumps({"name": "@made/up", "version": version}).encode(),
        "schema/meta.json": b"{}",
        **{path: text(**{f"T{i}": {"type": "string"}}) for i, path in enumerate(LAYOUT)},
    }
    by_name = {path.replace("/", "__").replace(".", "_"): path for path in found}
    found |= {by_name[name]: data for name, data in changes.items()}
    return {path: data for path, data in found.items() if data is not None}


def folder(path: Path, content: Mapping[str, bytes]) -> Path:
    for name, data in content.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(data)
    return path


def tar(content: Mapping[str, bytes], top: str = "package/") -> bytes:
    return members(*((f"{top}{name}", data) for name, data in content.items()))


def members(*items: tuple[str, bytes] | tarfile.TarInfo) -> bytes:
    """A plain tar of files, and of members as they are given."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for item in items:
            if isinstance(item, tarfile.TarInfo):
                archive.addfile(item)
            else:
                info = tarfile.TarInfo(item[0])
                info.size = len(item[1])
                archive.addfile(info, io.BytesIO(item[1]))
    return buffer.getvalue()


def tgz(content: Mapping[str, bytes], top: str = "package/") -> bytes:
    return gzip.compress(tar(content, top), mtime=0)


def places(release: Release) -> dict[Key, str]:
    """Where the files of a release are in it."""
    return {key: file.path for key, file in release.files.items()}


def held(tmp_path: Path, data: bytes, name: str = "r.tgz") -> str:
    """Bytes as a file; its path."""
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return str(path)


def tree(path: Path) -> dict[str, bytes]:
    """Everything below a folder."""
    return {
        item.relative_to(path).as_posix(): item.read_bytes()
        for item in sorted(path.rglob("*"))
        if item.is_file()
    }


def check(target: Path, source: str | None = None, **options: Any) -> list[str]:
    """The drift that a check of a schemas folder finds; it must not touch the folder."""
    before = tree(target)
    report = sync.sync(source, target, check=True, **options)
    assert tree(target) == before
    assert report.written == report.removed == ()
    return [str(problem) for problem in report.drift]


def refused(call: Callable[[], object]) -> str:
    """The message of the ProblemError that a call must raise."""
    with pytest.raises(ProblemError) as caught:
        call()
    return str(caught.value)


Answer = tuple[int, dict[str, str], bytes]


@contextlib.contextmanager
def server(answers: Mapping[str, Answer]) -> Iterator[str]:
    """An HTTP server on the loopback interface, and its address."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, headers, body = answers.get(self.path, (404, {}, b"no"))
            self.send_response(status)
            for name, value in ({"Content-Length": str(len(body))} | headers).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Quiet."""

    httpd = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{httpd.server_address[1]}"
    finally:
        httpd.shutdown()
        thread.join()
        httpd.server_close()
