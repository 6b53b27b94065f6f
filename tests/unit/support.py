"""A small protocol of one surface, in a project folder of its own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from acpgen.config import Config, load


def record(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": sorted(properties)}


PING: dict[str, Any] = {
    "Ping": record(id={"type": "integer"}, text={"type": "string"}),
    "Pong": record(id={"type": "integer"}),
}


def project(folder: Path, defs: dict[str, Any] | None = None, config: str = "") -> Path:
    """A folder with acpgen.toml and the schema of v1 stable."""
    (folder / ".git").mkdir(parents=True, exist_ok=True)
    settings = 'schemas = "schemas"\nsurfaces = ["v1"]\n'
    (folder / "acpgen.toml").write_text(settings + config, encoding="utf-8")
    schema(folder, defs if defs is not None else PING)
    return folder


def schema(folder: Path, defs: dict[str, Any]) -> Path:
    path = folder / "schemas/v1/schema.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"$defs": defs}), encoding="utf-8")
    return path


def settings(folder: Path, **overrides: Any) -> Config:
    return load(folder, overrides)


def disk(root: Path) -> dict[str, str]:
    """The files of a folder, bytecode apart."""
    found = {}
    for path in sorted(root.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            found[path.relative_to(root).as_posix()] = path.read_text(encoding="utf-8")
    return found
