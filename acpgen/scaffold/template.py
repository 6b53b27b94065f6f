"""The packaged project templates, one per kind of project.

A template is a copier template. acpgen fills its own version into copier.yml; what comes out is named
after its content (`0.1.0+3f2a9c81d0be`), so that a project records exactly what it was made from.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path

from acpgen import __version__, resources

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

KINDS = resources.PROJECTS

CONFIG = "copier.yml"
ANSWERS = ".copier-answers.yml"
"""Where a project keeps what it was made from."""

# What pip, editors and tools leave in a folder.
_JUNK_FOLDERS = frozenset(
    (".git", "__pycache__", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".venv")
)
_JUNK_FILES = frozenset((".DS_Store", "Thumbs.db"))


@dataclass(frozen=True)
class Template:
    """The files of a template: path with `/` -> content, in order of their paths."""

    kind: str
    version: str
    files: Mapping[str, bytes]

    @cached_property
    def tag(self) -> str:
        """Its name: acpgen's version and a digest of the files. A version by PEP 440."""
        digest = sha256()
        for path, data in self.files.items():
            digest.update(b"%d %b%d %b" % (len(path.encode()), path.encode(), len(data), data))
        return f"{self.version}+{digest.hexdigest()[:12]}"

    @property
    def source(self) -> str:
        """What a project says it was made from; `~` holds for every user and machine."""
        return f"~/.local/share/acpgen/templates/{self.kind}"

    def write(self, folder: Path) -> None:
        """Put the files into a folder that is empty or missing."""
        for path, data in self.files.items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)


def packaged(kind: str) -> Template:
    """The template that this acpgen brings along; kind: one of KINDS."""
    folder = resources.templates_dir() / kind
    files = {path: (folder / path).read_bytes().replace(b"\r\n", b"\n") for path in _walk(folder)}
    config = files[CONFIG].decode("utf-8")
    for mark, value in (("@ACPGEN_VERSION@", __version__), ("@SCHEMA_VERSION@", schema_version())):
        config = config.replace(mark, value)
    files[CONFIG] = config.encode("utf-8")
    return Template(kind, __version__, files)


def schema_version() -> str:
    """The version of the schema release that acpgen brings along."""
    lock = (resources.schemas_dir() / "lock.toml").read_text(encoding="utf-8")
    return str(tomllib.loads(lock)["version"])


def _walk(folder: Path, above: str = "") -> Iterator[str]:
    """Paths of the files below a folder; hidden ones too, they are part of a project."""
    for path in sorted(folder.iterdir(), key=lambda item: item.name):
        if path.is_dir():
            if path.name not in _JUNK_FOLDERS:
                yield from _walk(path, f"{above}{path.name}/")
        elif path.name not in _JUNK_FILES and path.suffix not in (".pyc", ".pyo"):
            yield f"{above}{path.name}"
