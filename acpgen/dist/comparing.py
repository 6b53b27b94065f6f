"""What is in the output folder beside what a run built."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from email.parser import BytesParser
from pathlib import Path

from acpgen import tree


@dataclass(frozen=True, slots=True)
class Comparison:
    """Names of artefacts, in the order of `built`. missing: the folder has none of that name.
    differing: it has one with other bytes. findings: those that differ, each with what is known of
    the reason, in a sentence.
    """

    missing: tuple[str, ...]
    differing: tuple[str, ...]
    findings: tuple[str, ...]


def compare(folder: Path, built: Mapping[str, bytes]) -> Comparison:
    """Compare artefacts with the files of their names. Raises ProblemError where one cannot be
    read.
    """
    with tree.guarded(folder, "read"):
        there = {name: _bytes(folder / name) for name in built}
    found = {name: data for name, data in there.items() if data is not None}
    differing = tuple(name for name, data in found.items() if data != built[name])
    reason = _other_backend(found, built)
    findings = tuple(f"{name} is not what the input gives{reason}" for name in differing)
    return Comparison(
        tuple(name for name in built if name not in found), differing, findings
    )


def _other_backend(there: Mapping[str, bytes], built: Mapping[str, bytes]) -> str:
    """What to say where the wheel was built with another hatchling: its bytes depend on it."""
    for name, data in there.items():
        was, now = generator(data), generator(built[name])
        if was and now and was != now:
            tool, _, version = was.partition(" ")
            return (
                f": it was built with {was}, this one with {now}; to compare them, install"
                f" {tool}=={version} and use --no-isolation"
            )
    return ""


def generator(wheel: bytes) -> str:
    """What built a wheel, as it says: "hatchling 1.27.0"; "" for what is no wheel."""
    try:
        with zipfile.ZipFile(io.BytesIO(wheel)) as archive:
            for name in archive.namelist():
                if name.endswith(".dist-info/WHEEL"):
                    said = BytesParser().parsebytes(archive.read(name)).get("Generator", "")
                    return str(said).strip()
    except (zipfile.BadZipFile, EOFError, ValueError, NotImplementedError, RuntimeError):
        pass  # damaged, or none: that it differs is all there is to say
    return ""


def _bytes(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
