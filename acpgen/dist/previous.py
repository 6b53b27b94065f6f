"""The release that was published before, as the manifest inside it tells."""

from __future__ import annotations

import tarfile
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path

from acpgen import manifest as manifests
from acpgen.manifest import Manifest, ManifestError
from acpgen.problem import ProblemError

_WHERE = "a wheel, an sdist, a manifest (acpgen.lock.json) or a folder with one"


@dataclass(frozen=True, slots=True)
class Previous:
    """label: its file's name, for messages. name, version: of the distribution."""

    label: str
    name: str
    version: str
    manifest: Manifest


def read(path: Path) -> Previous:
    """Read a wheel, an sdist, a manifest, or the manifest in a folder. Raises ProblemError."""
    label = path.name or path.as_posix()
    if path.is_dir():
        path, label = path / manifests.NAME, f"{label}/{manifests.NAME}"
    try:
        manifest = manifests.parse(_bytes(path, label))
    except ManifestError as error:
        raise ProblemError.of(label, f"its manifest {error}") from error
    project = manifest.options.get("project")
    if not isinstance(project, dict) or not project.get("version"):
        raise ProblemError.of(
            label, "its manifest does not say the version", "generate it again, and keep its names"
        )
    return Previous(label, str(project.get("name", "")), str(project["version"]), manifest)


def _bytes(path: Path, label: str) -> bytes:
    try:
        if path.suffix == ".whl":
            return _from_wheel(path, label)
        if path.name.endswith(".tar.gz"):
            return _from_sdist(path, label)
        return path.read_bytes()
    except OSError as error:
        reason = error.strerror or str(error)
        raise ProblemError.of(label, f"cannot be read: {reason}", f"give {_WHERE}") from error
    except (zipfile.BadZipFile, tarfile.TarError, EOFError, zlib.error) as error:
        raise ProblemError.of(label, f"is damaged: {error}", f"give {_WHERE}") from error


def _from_wheel(path: Path, label: str) -> bytes:
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            if name.endswith(f".dist-info/extra_metadata/{manifests.NAME}"):
                return archive.read(name)
    raise _without(label)


def _from_sdist(path: Path, label: str) -> bytes:
    with tarfile.open(path, "r:gz") as archive:
        for member in archive:
            parts = member.name.split("/")
            if len(parts) == 2 and parts[1] == manifests.NAME:
                content = archive.extractfile(member)
                if content is not None:
                    return content.read()
    raise _without(label)


def _without(label: str) -> ProblemError:
    return ProblemError.of(
        label, f"holds no {manifests.NAME}: acpgen package did not make it", f"give {_WHERE}"
    )
