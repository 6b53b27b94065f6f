"""What the metadata of one run needs to know beyond a single surface.

The audit: the surfaces that are generated, and the packaged schemas that tell a row of another
release from a mistake. Stability: the stable schema beside an unstable one. What a surface lacks
and others have: the metadata of the other versions.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from acpgen import inputs as reading
from acpgen import resources
from acpgen.config import Config, surface_key
from acpgen.inputs import Inputs
from acpgen.problem import Problem, ProblemError
from acpgen.spec import audit_table, build, contract, elsewhere, metadata, stability
from acpgen.spec import overlays as overlaying
from acpgen.spec.audit import audit_metadata, unmatched
from acpgen.spec.ir import Record

if TYPE_CHECKING:
    from acpgen.spec.ir import Spec
    from acpgen.spec.metadata import Metadata
    from acpgen.spec.names import ClassName
    from acpgen.spec.overlays import Overlay

_CHANNELS = ("stable", "unstable")


def audit(
    config: Config, specs: Sequence[Spec], overlays: Sequence[Overlay]
) -> tuple[list[Problem], list[str]]:
    """Every problem of the metadata with the surfaces, and notices.

    What the metadata does not name is a notice where the configuration allows that.
    """
    problems: list[Problem] = []
    notices: list[str] = []
    for version in sorted({spec.version for spec in specs}):
        own = [spec for spec in specs if spec.version == version]
        applied = [overlay for overlay in overlays if version in overlay.patches]
        rows = metadata.load(
            [*reading.metadata_files(config, version), *overlaying.metadata_files(applied, version)]
        )
        missing = [problem for spec in own for problem in audit_table.uncovered(spec, rows)]
        if config.allow_ungated:
            notices += [f"ungated: {problem.where}: {problem.what}" for problem in missing]
        else:
            problems += missing
        problems += audit_table.unused_states(rows)
        folders = tuple(overlay.folder for overlay in applied)
        if stale := audit_metadata(own, rows):
            stale = audit_metadata([*own, *_pinned(version, folders)], rows)
        problems += stale
        notices += _unmatched(own, rows, folders)
        items = audit_table.lacking(own, rows)
        if items:
            pinned = _pinned(version, folders)
            problems += audit_table.unknown(audit_table.lacking(pinned, rows, items))
    return problems, notices


def _unmatched(own: Sequence[Spec], rows: Metadata, overlays: tuple[Path, ...]) -> Iterator[str]:
    """Notices of rows about fields whose type these surfaces lack, where one that the pin lacks has
    all of them: it looks like that type under a new name, and its fields are read as ordinary ones.
    """
    missing = unmatched(own, rows)
    if not missing:
        return
    known = {key for spec in _pinned(own[0].version, overlays) for key in spec.wire_types}
    for table, row in missing:
        found = sorted(
            {
                key
                for spec in own
                for key, name in spec.wire_types.items()
                if key not in known and _may_be(spec, name, row.fields)
            }
        )
        if found:
            yield (
                f"{row.where}: [[{table}]] says nothing here: {row.about} is not among the"
                f" definitions, and {' or '.join(found)} may be its new name"
            )


def _may_be(spec: Spec, name: ClassName, fields: Sequence[str]) -> bool:
    target = spec.definitions[name]
    if not isinstance(target, Record):
        return False
    return set(fields) <= {item.wire for item in spec.fields(target) if not item.required}


def with_stability(
    config: Config, inputs: Inputs, specs: Sequence[Spec], overlays: Sequence[Overlay]
) -> list[Spec]:
    """The surfaces with the stability of their rows (see `spec.stability`)."""
    stable = {spec.version: spec for spec in specs if spec.channel == "stable"}
    for name, schema in inputs.beside.items():
        version = surface_key(name)[0]
        parsed = contract.parse(schema.data, schema.where)
        rows = metadata.load(reading.metadata_files(config, version))
        stable[version] = build.build(parsed, version=version, channel="stable", metadata=rows)
    proposals = {
        definition: overlay.name for overlay in overlays for definition in overlay.definitions
    }
    return [stability.mark(spec, stable.get(spec.version), proposals) for spec in specs]


def with_elsewhere(
    config: Config, specs: Sequence[Spec], overlays: Sequence[Overlay]
) -> list[Spec]:
    """The surfaces with the requests that they lack and others have (see `spec.elsewhere`): the
    metadata of every version counts, generated or not.
    """
    rows = {}
    for version in reading.metadata_versions(config):
        applied = [overlay for overlay in overlays if version in overlay.patches]
        rows[version] = metadata.load(
            [*reading.metadata_files(config, version), *overlaying.metadata_files(applied, version)]
        )
    return [elsewhere.mark(spec, rows) for spec in specs]


@functools.lru_cache(maxsize=8)
def _pinned(version: int, overlays: tuple[Path, ...]) -> tuple[Spec, ...]:
    """The packaged schemas of a version, with the overlays in these folders; none for a version
    that is not packaged.
    """
    found = []
    for channel in _CHANNELS:
        name = "schema" if channel == "stable" else "schema.unstable"
        path = resources.schemas_dir() / f"v{version}/{name}.json"
        if not path.is_file():
            continue
        parsed = contract.parse(path.read_bytes(), str(path.name))
        if channel == "unstable" and overlays:
            chosen = [overlaying.load(folder.name, [folder.parent]) for folder in overlays]
            parsed, _ = overlaying.apply(parsed, version, chosen)
        try:
            found.append(
                build.build(
                    parsed,
                    version=version,
                    channel="stable" if channel == "stable" else "unstable",
                )
            )
        except ProblemError:  # a user's overlay that does not fit the pin says nothing here
            continue
    return tuple(found)
