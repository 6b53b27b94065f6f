"""A small template with versions, a project made from it, and its author."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from acpgen import resources, scaffold
from acpgen.scaffold import template

CONFIG = """\
_subdirectory: project
_templates_suffix: .jinja
name: {type: str}
distribution: {type: str}
package: {type: str}
class_name: {type: str}
protocols: {type: int, multiselect: true, choices: [1, 2], default: [1, 2]}
bindings: {type: str, choices: [vendored, pypi], default: pypi}
unstable: {type: bool, default: false}
login: {type: bool, default: false}
acpgen_version: {type: str, when: false, default: "@ACPGEN_VERSION@"}
"""
ANSWERS = {
    "{{ _copier_conf.answers_file }}.jinja": b"# Do not edit.\n{{ _copier_answers|to_nice_yaml }}"
}
LINES = "".join(f"line {n}\n" for n in range(1, 31))


class Templates:
    """templates/ of an acpgen, as a test wants it."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._folder = folder
        self._patch = monkeypatch

    def release(self, version: str, files: Mapping[str, bytes], config: str = CONFIG) -> None:
        """From now on acpgen is of that version, and has a template with these files."""
        root = self._folder / f"templates-{version}"
        for kind in scaffold.KINDS:
            all_files = {f"project/{path}": data for path, data in {**ANSWERS, **files}.items()}
            for path, data in {**all_files, "copier.yml": config.encode()}.items():
                target = root / kind / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(data)
        self._patch.setattr(resources, "templates_dir", lambda: root)
        self._patch.setattr(template, "__version__", version)


def git(folder: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=author", "-c", "user.email=author@example.invalid")
    command = ["git", "-C", str(folder), *identity, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def commit(folder: Path, message: str = "work") -> None:
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", message)


def project(folder: Path, name: str = "demo") -> Path:
    """A new project of the present release, in a git repository of its own, committed."""
    target = folder / name
    scaffold.new(name, path=target)
    git(target, "init", "--quiet", "--initial-branch=main")
    commit(target, "made")
    return target


def write(folder: Path, files: Mapping[str, bytes]) -> None:
    for path, data in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
