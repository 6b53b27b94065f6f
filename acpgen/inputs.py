"""What a run reads: the schema files of each surface, and the fingerprint of everything that the
output follows from.

Reading is kept apart from parsing, so that `generate --check` can compare hashes without loading
the generator.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from importlib import metadata
from pathlib import Path
from typing import Any

from acpgen import __version__, resources
from acpgen.config import DEFAULT_SURFACES, Config, read_toml, surface_key, surface_name
from acpgen.problem import Problem, ProblemError
from acpgen.resources import digest, file_digest

# Pinned exactly in pyproject.toml, because what they write changes from release to release. Others
# do not take part: a new release of pydantic must not make committed output look stale.
TOOLS = ("acpgen", "black", "datamodel-code-generator")

_SCHEMA = re.compile(r"(v[1-9][0-9]*)/schema(\.unstable)?\.json")
# Modules that read or show input, but take no part in what is written.
_NO_OUTPUT = frozenset(
    {
        "diff/reporting/guide.py",
        "diff/reporting/guide_steps.py",
        "diff/judging/waivers.py",
    }
) | frozenset(
    f"spec/{name}.py"
    for name in (
        "archive",
        "atomic",
        "audit",
        "audit_table",
        "download",
        "lock",
        "npm",
        "prose",
        "show",
        "show_methods",
        "source",
        "sync",
    )
)
# Templates of other commands.
_NO_TEMPLATE = ("agent/", "client/")


@dataclass(frozen=True, slots=True)
class SchemaFile:
    """One surface's schema as it was read. where: for messages. pinned: it is the packaged one, not
    the user's.
    """

    surface: str
    where: str
    data: bytes
    pinned: bool


@dataclass(frozen=True, slots=True)
class Inputs:
    """What was read.

    schemas: by surface, in order. source: the release in words; version: of the release, or "".
    notices: for the user. raw: upstream's own text by surface, where descriptions were asked for.
    beside: stable schemas that are not asked for, but tell what of the unstable one beside them is
    stable.
    """

    schemas: Mapping[str, SchemaFile]
    source: str
    version: str
    notices: tuple[str, ...] = ()
    raw: Mapping[str, bytes] = field(default_factory=dict)
    beside: Mapping[str, SchemaFile] = field(default_factory=dict)


def read(config: Config) -> Inputs:
    """Read the schemas that the configuration asks for.

    Raises ProblemError where a surface that was asked for by name is missing, and whatever fetching
    a release raises.
    """
    if config.source is not None:
        found, source, version, raw = _from_release(config)
    else:
        found, source, version = _from_folders(config)
        raw = {}
    wanted, notices = _wanted(config, found, source)
    stable = {name.removesuffix("_unstable") for name in wanted}
    beside = {name: found[name] for name in sorted(stable - set(wanted)) if name in found}
    schemas = {name: found[name] for name in wanted}
    return Inputs(schemas, source, version, tuple(notices), raw, beside)


def _wanted(
    config: Config, found: Mapping[str, SchemaFile], source: str
) -> tuple[list[str], list[str]]:
    if not found:
        raise ProblemError.of(source, "holds no schema")
    missing = [name for name in config.surfaces or DEFAULT_SURFACES if name not in found]
    if config.surfaces is None:
        return _ordered(found), [f"{source} has no {name}: skipped" for name in missing]
    if missing:
        known = ", ".join(_ordered(found))
        raise ProblemError(
            Problem(source, f"has no surface {name}", f"it has {known}") for name in missing
        )
    return list(config.surfaces), []


def _ordered(names: Mapping[str, object]) -> list[str]:
    return sorted(names, key=surface_key)


def _from_folders(config: Config) -> tuple[dict[str, SchemaFile], str, str]:
    packaged = resources.schemas_dir()
    found: dict[str, SchemaFile] = {}
    if gone := [folder for folder in config.schemas if not folder.is_dir()]:
        raise ProblemError(
            Problem(
                f"{config.where}: schemas",
                f"{folder.name} does not exist",
                "acpgen sync SOURCE makes it",
            )
            for folder in gone
        )
    for folder in (*config.schemas, packaged):
        for name in resources.walk(folder):
            if match := _SCHEMA.fullmatch(name):
                surface = match[1] + ("_unstable" if match[2] else "")
                if surface not in found:
                    where = name if folder == packaged else f"{folder.name}/{name}"
                    data = (folder / name).read_bytes()
                    found[surface] = SchemaFile(surface, where, data, folder == packaged)
    lock = lock_file(config, found)
    source, version = _release_of(read_toml(lock)) if lock is not None else ("own schemas", "")
    return found, source, version


def lock_file(config: Config, found: Mapping[str, SchemaFile]) -> Path | None:
    """The lock.toml that says which release the schemas are; None: they are of none."""
    own = any(not item.pinned for item in found.values())
    return resources.first("lock.toml", config.schemas if own else (resources.schemas_dir(),))


def _release_of(lock: Mapping[str, Any]) -> tuple[str, str]:
    """(name and version in words, version) of the release that a lock.toml pins."""
    name, version = str(lock.get("package", "own schemas")), str(lock.get("version", ""))
    return f"{name} {version}".strip(), version


def _from_release(
    config: Config,
) -> tuple[dict[str, SchemaFile], str, str, dict[str, bytes]]:
    from acpgen.spec.source import fetch

    release = fetch(config.source or "", config.base)
    files = {surface_name(*key): item for key, item in release.files.items()}
    found = {
        name: SchemaFile(name, f"{release.name or release.source}#{item.path}", item.data, False)
        for name, item in files.items()
    }
    words = f"{release.name} {release.version}".strip() or "own schemas"
    raw = {name: item.data for name, item in files.items()} if config.docs else {}
    return found, words, release.version, raw


def with_docs(config: Config, inputs: Inputs) -> Inputs:
    """The inputs with upstream's own text of the schemas, where descriptions were asked for: the
    pin is read again.
    """
    if not config.docs or inputs.raw:
        return inputs
    from acpgen.spec.sync import pinned

    lock = resources.first("lock.toml", (*config.schemas, resources.schemas_dir()))
    if lock is None:
        raise ProblemError.of("docs", "there is no lock.toml that names a release", "give --source")
    raw = {surface_name(*key): item.data for key, item in pinned(lock.parent).files.items()}
    return replace(inputs, raw=raw)


def sync_target(config: Config, check: bool) -> Path:
    """The schemas folder that `acpgen sync` is about: the configured one, else the checkout's.

    Raises ProblemError where that would mean writing into an installed acpgen.
    """
    if config.schemas:
        return config.schemas[0]
    if not check and not resources.is_checkout():
        raise ProblemError.of(
            "acpgen sync",
            "there is no schemas folder to write to",
            "give one with --schemas FOLDER",
        )
    return resources.schemas_dir()


def overlay_search(config: Config) -> tuple[Path, ...]:
    """Folders that hold overlays, the user's own first."""
    own = tuple(folder / "overlays" for folder in config.schemas)
    return (*config.overlay_folders, *own, resources.schemas_dir() / "overlays")


def metadata_versions(config: Config) -> list[int]:
    """The protocol versions that some methods.toml is about, generated or not."""
    folders = (*config.methods, *config.schemas, resources.schemas_dir())
    found = (path for folder in folders for path in folder.glob("v*/methods.toml"))
    return sorted({int(name) for path in found if (name := path.parent.name[1:]).isdecimal()})


def metadata_files(config: Config, version: int) -> list[Path]:
    """Every methods.toml of a protocol version, the user's own first. Their rows add up."""
    folders = (*config.methods, *config.schemas, resources.schemas_dir())
    return [path for folder in folders if (path := folder / f"v{version}/methods.toml").is_file()]


def options(config: Config, inputs: Inputs) -> dict[str, Any]:
    """The part of the configuration that the output follows from, without any path."""
    project = {"project": config.project.as_option(config.package, inputs.version)}
    return {
        **(project if config.layout == "project" else {}),
        "package": config.package,
        "layout": config.layout,
        "surfaces": list(inputs.schemas),
        "overlays": list(config.overlays),
        "docs": config.docs,
        "source": inputs.source,
    }


def fingerprint(config: Config, inputs: Inputs) -> dict[str, dict[str, str]]:
    """Kind of input -> name -> sha256 (of tools: version)."""
    templates = resources.template_files(config.templates)
    return {
        "schema": {
            name: digest(item.data) for name, item in {**inputs.schemas, **inputs.beside}.items()
        },
        "overlay": dict(_overlay_files(config)),
        "metadata": {
            _label(path, index): file_digest(path)
            for version in metadata_versions(config)  # what a surface lacks, another's file says
            for index, path in enumerate(reversed(metadata_files(config, version)))
        },
        "renames": {path.name: file_digest(path) for path in config.renames if path.is_file()},
        "comparison": dict(_comparison_files()),
        "template": {
            name: file_digest(path)
            for name, path in sorted(templates.items())
            if not name.startswith(_NO_TEMPLATE)
        },
        "module": dict(_modules()),
        "tool": {name: _version(name) for name in TOOLS},
    }


def _label(path: Path, index: int) -> str:
    """A name without the machine's folders; the user's own files count upwards from the packaged
    one.
    """
    name = f"{path.parent.name}/{path.name}"
    return f"{name} ({index})" if index else name


def _overlay_files(config: Config) -> Iterator[tuple[str, str]]:
    for name in config.overlays:
        for search in overlay_search(config):
            if (search / name / "overlay.toml").is_file():
                folder = search / name
                yield from (
                    (f"{name}/{item}", file_digest(folder / item))
                    for item in resources.walk(folder)
                )
                break


def _comparison_files() -> Iterator[tuple[str, str]]:
    """What people keep by hand for the tables of what changed."""
    folder = resources.schemas_dir()
    for name in resources.walk(folder):
        if name == "renames.toml" or name.startswith("migrations/"):
            yield name, file_digest(folder / name)


def _modules() -> Iterator[tuple[str, str]]:
    for package in ("diff", "emit", "runtime", "spec"):
        folder = resources.PACKAGE_DIR / package
        for name in resources.walk(folder):
            if name.endswith(".py") and f"{package}/{name}" not in _NO_OUTPUT:
                yield f"acpgen/{package}/{name}", file_digest(folder / name)


def _version(name: str) -> str:
    if name == "acpgen":
        return __version__
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "not installed"


def moved(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """How two fingerprints or options differ, in words: `schema v1 changed`, `tool black: 26.1 ->
    26.2`.
    """
    found = []
    for kind in sorted({*before, *now}):
        old, new = before.get(kind), now.get(kind)
        if old == new:
            continue
        if not isinstance(old or {}, dict) or not isinstance(new or {}, dict):
            found.append(f"option {kind}: {old} -> {new}")
            continue
        old, new = old or {}, new or {}
        for name in sorted({*old, *new}):
            if old.get(name) == new.get(name):
                continue
            if name not in old:
                found.append(f"{kind} {name} is new")
            elif name not in new:
                found.append(f"{kind} {name} is gone")
            elif kind == "tool":
                found.append(f"tool {name}: {old[name]} -> {new[name]}")
            else:
                found.append(f"{kind} {name} changed")
    return found
