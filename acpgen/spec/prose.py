"""Upstream's prose against the gates: what it says depends on a capability, and no gate does.

Upstream states most gates in sentences of fixed forms. Three are compared, while the prose is at
hand on `acpgen sync`:

- of a capability: which methods it opens (`Whether the agent supports ...`);
- of a method's params: on which capability the method depends (`Only available if ...`);
- of anything else, such as a property or a variant: on which capability it depends.

Prose is no contract, so what differs is a notice for whoever keeps methods.toml.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from acpgen import resources
from acpgen.problem import ProblemError
from acpgen.runtime.expressions import parse
from acpgen.runtime.table import Row
from acpgen.spec import build, contract, metadata
from acpgen.spec.ir import Spec
from acpgen.spec.source import Release
from acpgen.spec.tabulate import capabilities_in

_CODE = re.compile(r"`([^`]+)`")
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n\s*\n")
_DEPENDS = re.compile(
    r"\bonly\b.*\b(available|send|sends|sent|use|uses|include)\b"
    r"|\bMUST NOT\b.*\bunless\b|\brequires the\b",
    re.I,
)
_OPENS = re.compile(r"^Whether the (?:agent|client) supports\b", re.I)


def compare(release: Release, target: Path) -> list[str]:
    """The disagreements of every schema of a release with the methods.toml of a schemas folder, or
    the packaged one. A schema that cannot be built says nothing here: `generate` tells why.
    """
    found: list[str] = []
    for (version, channel), file in release.files.items():
        folders = (target, resources.schemas_dir())
        try:
            spec = build.build(
                contract.parse(file.data, file.path),
                version=version,
                channel="stable" if channel == "stable" else "unstable",
                metadata=metadata.load(folder / f"v{version}/methods.toml" for folder in folders),
            )
            found += disagreements(contract.docs_of(file.data, file.path), spec)
        except ProblemError:
            continue
    return found


def disagreements(docs: Mapping[str, str], spec: Spec) -> list[str]:
    """Where the descriptions of a schema and the gates of its table differ, in sentences.

    docs: upstream's descriptions by JSON pointer (`contract.docs_of`).
    """
    return [*_capabilities(docs, spec), *_mentions(docs, spec)]


def _sentences(text: str) -> list[str]:
    return [re.sub(r"\s+", " ", part).strip() for part in _SENTENCE.split(text)]


def _capabilities(docs: Mapping[str, str], spec: Spec) -> Iterator[str]:
    """Methods that a capability's own description says it opens."""
    rows = {row.method: row for row in spec.table.rows if row.kind == "request"}
    for pointer, path in _described(spec):
        for sentence in _sentences(docs.get(pointer, "")):
            if not _OPENS.match(sentence):
                continue
            for name in _CODE.findall(sentence):
                row = rows.get(name)
                if row is not None and path not in _paths(row):
                    yield (
                        f"{spec.surface}: `{path}` is said to open {name}, "
                        f"whose gate is {_shown(row)}"
                    )


def _described(spec: Spec) -> Iterator[tuple[str, str]]:
    """(pointer of the property that declares it, path) of every capability."""
    for definition in spec.definitions.values():
        for field in getattr(definition, "fields", ()):
            for paths in spec.table.capabilities.values():
                for path in paths:
                    if path.rpartition(".")[2] == field.wire and _declares(spec, path, definition):
                        yield field.pointer.removeprefix("#"), path


def _declares(spec: Spec, path: str, definition: object) -> bool:
    """The definition is a capabilities object; which one, its name tells: sessionCapabilities.list
    is declared by SessionCapabilities, session.list too.
    """
    owner = path.rpartition(".")[0].rpartition(".")[2].removesuffix("Capabilities").lower()
    name = str(getattr(definition, "name", "")).lower()
    if not name.endswith("capabilities"):
        return False
    if not owner:
        return name in ("agentcapabilities", "clientcapabilities")
    return owner in name


def _mentions(docs: Mapping[str, str], spec: Spec) -> Iterator[str]:
    """Capabilities that a description makes something depend on."""
    known = {path for paths in spec.table.capabilities.values() for path in paths}
    gating = {path for _side, path in capabilities_in(spec.table)}
    by_params = {row.params: row for row in spec.table.rows if row.params is not None}
    keys = {str(spec.wire_types.get(key, key)): key for key in spec.wire_types}
    for pointer, text in docs.items():
        parts = pointer.split("/")
        name = parts[2] if len(parts) == 3 else ""
        row = next((row for type_, row in by_params.items() if keys.get(type_) == name), None)
        for sentence in _sentences(text):
            if not _DEPENDS.search(sentence):
                continue
            for path in _CODE.findall(sentence):
                if path not in known:
                    continue
                if path not in gating:
                    yield f"{spec.surface}{pointer} depends on `{path}`, which gates nothing"
                elif row is not None and path not in _paths(row):
                    yield (
                        f"{spec.surface}: {row.method} is said to depend on `{path}`, "
                        f"its gate is {_shown(row)}"
                    )


def _paths(row: Row) -> set[str]:
    """The capabilities in a row's gate, those around them included."""
    if not row.requires:
        return set()
    leaves = [leaf.path for leaf in parse(row.requires).leaves() if leaf.op == "capability"]
    return {".".join(path[:depth]) for path in leaves for depth in range(1, len(path) + 1)}


def _shown(row: Row) -> str:
    return f"`{row.requires}`" if row.requires else "none"
