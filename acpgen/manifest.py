"""The manifest: acpgen.lock.json in the output folder.

It says what the output was made from and by what, and holds the public names. It carries no time,
no path of a machine and no Python version, so that equal input gives an equal manifest.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from acpgen.resources import digest

NAME = "acpgen.lock.json"
FORMAT = 1

Names = Mapping[str, Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class Manifest:
    """What acpgen wrote.

    options: the configuration that the output follows from. inputs: kind ("schema", "template",
    "module", "tool", ...) -> name -> sha256 or version. files: path -> sha256. names: surface ->
    public name -> what it stands for on the wire. aliases: surface -> deprecated name -> the name
    that it stands for.
    """

    options: Mapping[str, Any] = field(default_factory=dict)
    inputs: Names = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    names: Names = field(default_factory=dict)
    aliases: Names = field(default_factory=dict)

    def dumps(self) -> str:
        """Its text. `sha256` is over the rest, so that an edit of the manifest itself shows."""
        body: dict[str, Any] = {
            "format": FORMAT,
            "options": self.options,
            "inputs": self.inputs,
            "files": self.files,
            "names": self.names,
            "aliases": self.aliases,
        }
        return _text({"sha256": digest(_text(body)), **body})


@dataclass(frozen=True, slots=True)
class ManifestError(Exception):
    """The manifest on disk cannot be used; `reason` says why."""

    reason: str

    def __str__(self) -> str:
        return self.reason


def _text(value: Mapping[str, Any]) -> str:
    return json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def read(root: Path) -> Manifest | None:
    """The manifest of an output folder, or None where there is none.

    Raises ManifestError where it is no manifest of this format or was edited; OSError where it
    cannot be read.
    """
    path = root / NAME
    try:
        data = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return parse(data)


def parse(data: bytes) -> Manifest:
    """A manifest's bytes. Raises ManifestError as `read` does."""
    try:
        text = data.decode("utf-8").replace("\r\n", "\n")
        raw = json.loads(text)
    except ValueError as error:
        raise ManifestError(f"is not JSON: {error}") from error
    if not isinstance(raw, dict) or raw.get("format") != FORMAT:
        raise ManifestError("is not a manifest of this version of acpgen")
    parts = [raw.get(key) for key in ("options", "inputs", "files", "names", "aliases")]
    if not all(isinstance(part, dict) for part in parts):
        raise ManifestError("lacks a part")
    manifest = Manifest(*parts)  # type: ignore[arg-type]  # each is a dict, as just checked
    if manifest.dumps() != text:
        raise ManifestError("was edited by hand, or is damaged")
    return manifest
