"""The configuration: `[tool.acpgen]` in pyproject.toml, or acpgen.toml.

The file is searched from the working folder upwards, as black and ruff do: the nearest folder that
has acpgen.toml, or a pyproject.toml with a [tool.acpgen] table, wins; the search ends at a folder
that holds `.git`. Paths in the file are relative to it; paths on the command line are relative to
the working folder, and command line options win.
"""

from __future__ import annotations

import difflib
import keyword
import re
import sys
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast

from acpgen import project as publishing
from acpgen.problem import Problem, ProblemError
from acpgen.project import NO_PROJECT, Project

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Layout = Literal["project", "package"]

DEFAULT_PACKAGE = "acp_bindings"
DEFAULT_SURFACES = ("v1", "v1_unstable", "v2", "v2_unstable")
DEFAULT_OVERLAYS = ("session-options",)
DEFAULT_OUT = {"project": "generated", "package": "."}

_SURFACE = re.compile(r"v([1-9][0-9]*)(_unstable)?")

# Import names that the generated package must not hide.
_TAKEN = frozenset("""
    acpgen annotated_types attr attrs jsonschema jsonschema_specifications pydantic pydantic_core
    referencing rpds typing_extensions typing_inspection
    """.split()) | {name.casefold() for name in sys.stdlib_module_names}

# key -> the TOML types that it takes
_KEYS: dict[str, tuple[str, ...]] = {
    "package": ("string",),
    "surfaces": ("list of strings",),
    "overlays": ("list of strings",),
    "layout": ("string",),
    "out": ("string",),
    "schemas": ("string", "list of strings"),
    "methods": ("string", "list of strings"),
    "renames": ("string", "list of strings"),
    "waivers": ("string", "list of strings"),
    "templates": ("string", "list of strings"),
    "source": ("string",),
    "docs": ("boolean",),
    "allow-ungated": ("boolean",),
    "project": ("table",),
}
# keys that name files; the other paths are folders
_FILES = ("renames", "waivers")


@dataclass(frozen=True, slots=True)
class Config:
    """What to generate, from what, and where to.

    package: import name of the generated package. surfaces: names, or None for every one that the
    source has. overlays: names of the proposals that are applied to unstable surfaces;
    overlay_folders: where a user's own are (folders that hold NAME/). layout: `project` writes a
    publishable project, `package` the package folder alone. out: the output folder. schemas,
    methods, renames, templates: the user's own, searched before the packaged ones, absolute paths.
    waivers: files of findings of `acpgen diff` that are accepted.
    source: a release to read instead of schemas/; base: the folder from which its path starts.
    docs: put upstream's descriptions into docstrings. allow_ungated: what methods.toml does not name
    is a warning. project: what a publisher says of it. where: the file that the configuration comes
    from, for messages.
    """

    package: str = DEFAULT_PACKAGE
    surfaces: tuple[str, ...] | None = None
    overlays: tuple[str, ...] = DEFAULT_OVERLAYS
    overlay_folders: tuple[Path, ...] = ()
    layout: Layout = "project"
    out: Path = Path("generated")
    schemas: tuple[Path, ...] = ()
    methods: tuple[Path, ...] = ()
    renames: tuple[Path, ...] = ()
    waivers: tuple[Path, ...] = ()
    templates: tuple[Path, ...] = ()
    source: str | None = None
    base: Path = Path()
    docs: bool = False
    allow_ungated: bool = False
    project: Project = NO_PROJECT
    where: str = "defaults"

    @property
    def root(self) -> Path:
        """The folder that acpgen owns: the output folder, or with layout `package` the package
        folder in it.
        """
        return self.out if self.layout == "project" else self.out / self.package


def surface_key(name: str) -> tuple[int, Literal["stable", "unstable"]]:
    """(version, channel) of a surface's name. Raises ValueError for what is no surface name."""
    match = _SURFACE.fullmatch(name)
    if match is None:
        raise ValueError(f"{name!r} is no surface; write v1, v1_unstable, v2, v2_unstable")
    return int(match[1]), "unstable" if match[2] else "stable"


def surface_name(version: int, channel: str) -> str:
    return f"v{version}" + ("_unstable" if channel == "unstable" else "")


def load(
    start: Path | None = None,
    overrides: Mapping[str, Any] | None = None,
    file: Path | None = None,
) -> Config:
    """The configuration for a working folder.

    start: the working folder (the current one if None). overrides: values from the command line by
    key, None meaning "not given". file: this file instead of a search. Raises ProblemError with
    every fault at once.
    """
    start = Path.cwd() if start is None else start.resolve()
    problems: list[Problem] = []
    path, table = _explicit(start / file) if file is not None else _search(start)
    base = path.parent if path is not None else start
    where = _where(path)
    values = _checked(table, where, problems)
    given = {key: value for key, value in (overrides or {}).items() if value is not None}
    values_over = _checked(given, "command line", problems)
    sources = dict.fromkeys(values, (base, where))
    sources |= dict.fromkeys(values_over, (start, "command line"))
    config = _build(
        _merged(values, values_over), sources, start if path is None else base, where, problems
    )
    if problems:
        raise ProblemError(problems)
    return config


def _merged(values: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """The command line's values win, those of the table `project` key by key."""
    merged = {**values, **over}
    if "project" in values and "project" in over:
        merged["project"] = {**values["project"], **over["project"]}
    return merged


def read_toml(path: Path) -> dict[str, Any]:
    """A TOML file as a dict. Raises ProblemError naming the file and the line."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise ProblemError.of(path.name, f"cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ProblemError.of(path.name, "is not UTF-8 text") from error
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ProblemError.of(path.name, f"is not TOML: {error}") from error


def _search(start: Path) -> tuple[Path | None, dict[str, Any]]:
    for folder in (start, *start.parents):
        own, project = folder / "acpgen.toml", folder / "pyproject.toml"
        table = _tool_table(project) if project.is_file() else None
        if own.is_file():
            if table is not None:
                raise ProblemError.of(
                    "acpgen.toml",
                    "there is a [tool.acpgen] table in pyproject.toml as well",
                    "keep one of the two",
                )
            return own, read_toml(own)
        if table is not None:
            return project, table
        if (folder / ".git").exists():
            break
    return None, {}


def _explicit(path: Path) -> tuple[Path, dict[str, Any]]:
    if path.name == "pyproject.toml":
        table = _tool_table(path)
        if table is None:
            raise ProblemError.of(path.name, "has no [tool.acpgen] table")
        return path, table
    return path, read_toml(path)


def _tool_table(path: Path) -> dict[str, Any] | None:
    tool = read_toml(path).get("tool", {})
    if not isinstance(tool, dict) or "acpgen" not in tool:
        return None
    table = tool["acpgen"]
    if not isinstance(table, dict):
        raise ProblemError.of(f"{path.name}#tool.acpgen", "has to be a table")
    return cast("dict[str, Any]", table)


def _where(path: Path | None) -> str:
    if path is None:
        return "defaults"
    return path.name + ("#tool.acpgen" if path.name == "pyproject.toml" else "")


def _kind(value: object) -> str:
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, str):
        return "string"
    if isinstance(value, list | tuple):
        return "list of strings" if all(isinstance(item, str) for item in value) else "mixed list"
    return {int: "integer", float: "float", dict: "table"}.get(type(value), type(value).__name__)


def _checked(table: Mapping[str, Any], where: str, problems: list[Problem]) -> dict[str, Any]:
    """The entries of known keys and right types; a Problem for each of the others."""
    good: dict[str, Any] = {}
    for key, value in table.items():
        if key not in _KEYS:
            near = difflib.get_close_matches(key, _KEYS, n=1)
            hint = f"did you mean {near[0]}? " if near else ""
            problems.append(
                Problem(where, f"unknown key {key!r}", f"{hint}known keys: {', '.join(_KEYS)}")
            )
        elif (kind := _kind(value)) not in _KEYS[key]:
            problems.append(
                Problem(
                    f"{where}.{key}" if "#" in where else f"{where}#{key}",
                    f"has to be a {' or a '.join(_KEYS[key])}, not a {kind}",
                )
            )
        else:
            good[key] = value
    return good


def _build(
    values: Mapping[str, Any],
    sources: Mapping[str, tuple[Path, str]],
    base: Path,
    where: str,
    problems: list[Problem],
) -> Config:
    def report(key: str, what: str, hint: str = "") -> None:
        problems.append(Problem(f"{sources[key][1]}: {key}", what, hint))

    def paths(key: str) -> tuple[Path, ...]:
        items = values.get(key, ())
        found = []
        for item in (items,) if isinstance(items, str) else items:
            path = _absolute(item, sources[key][0])
            if not path.exists():
                if key != "schemas":  # that acpgen sync makes
                    report(key, f"{item} does not exist")
            elif path.is_dir() != (key not in _FILES):
                report(key, f"{item} is not a {'file' if key in _FILES else 'folder'}")
            found.append(path)
        return tuple(found)

    package = values.get("package", DEFAULT_PACKAGE)
    project = publishing.parse(
        values.get("project", {}),
        lambda key, what, hint: report("project", f"{key}: {what}" if key else what, hint),
    )
    layout = values.get("layout", "project")
    if layout not in DEFAULT_OUT:
        report("layout", f"{layout!r} is no layout", "use project or package")
        layout = "project"
    _package(package, project if layout == "project" else None, report)
    surfaces = _surfaces(values.get("surfaces"), report)
    overlays, overlay_folders = _overlays(values, sources, report)
    out = values.get("out")
    out_base = sources["out"][0] if out is not None else base
    if out == "":
        report("out", "is empty", "use . for the folder itself")
    return Config(
        package=package,
        surfaces=surfaces,
        overlays=overlays,
        overlay_folders=overlay_folders,
        layout=cast("Layout", layout),
        out=_absolute(DEFAULT_OUT[layout] if out is None else out, out_base),
        schemas=paths("schemas"),
        methods=paths("methods"),
        renames=paths("renames"),
        waivers=paths("waivers"),
        templates=paths("templates"),
        source=values.get("source"),
        base=sources["source"][0] if "source" in sources else base,
        docs=values.get("docs", False),
        allow_ungated=values.get("allow-ungated", False),
        project=project,
        where=where,
    )


def _package(package: str, project: Project | None, report: Any) -> None:
    """Report an import name that Python cannot import or that hides another, and one that makes no
    name of a distribution where the project (if there is to be one) gives none.
    """
    if not package.isidentifier() or keyword.iskeyword(package):
        hint = "use letters, digits and _"
        report("package", f"{package!r} is no name for a Python package", hint)
    elif package != unicodedata.normalize("NFKC", package):
        hint = f"write {unicodedata.normalize('NFKC', package)}"
        report("package", f"{package!r} is not as Python reads it in an import", hint)
    elif package.startswith("__") and package.endswith("__"):
        report("package", f"{package} is a name that Python keeps for itself")
    elif package.casefold() in _TAKEN:  # some filesystems do not tell Pydantic from pydantic
        report("package", f"{package} is the name of a package that the bindings or others need")
    elif project is not None and (fault := publishing.name_fault(project.distribution(package))):
        hint = 'give another one: name = "..." in the table project'
        report("package", f"the distribution would be called after it: {fault}", hint)


def _absolute(item: str, base: Path) -> Path:
    return base / Path(item).expanduser()


def _surfaces(value: Sequence[str] | None, report: Any) -> tuple[str, ...] | None:
    if value is None:
        return None
    if not value:
        report("surfaces", "is empty", "leave it out to generate every surface")
    good = []
    for name in dict.fromkeys(value):
        try:
            good.append(surface_key(name))
        except ValueError as error:
            report("surfaces", str(error))
        if list(value).count(name) > 1:
            report("surfaces", f"{name} is listed twice")
    return tuple(surface_name(*key) for key in sorted(good))


def _overlays(
    values: Mapping[str, Any], sources: Mapping[str, tuple[Path, str]], report: Any
) -> tuple[tuple[str, ...], tuple[Path, ...]]:
    """Names of overlays, and the folders of those that are given as a path (`./proposals/NAME`)."""
    names: list[str] = []
    parents: list[Path] = []
    for item in values.get("overlays", DEFAULT_OVERLAYS):
        name = item
        if "/" in item or "\\" in item:
            path = _absolute(item, sources["overlays"][0])
            if not path.is_dir():
                report("overlays", f"{item} is not a folder")
            parents.append(path.parent)
            name = path.name
        if name in names:
            report("overlays", f"{name} is listed twice")
        names.append(name)
    return tuple(names), tuple(dict.fromkeys(parents))
