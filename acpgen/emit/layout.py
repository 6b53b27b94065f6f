"""Which files a generated package has.

Templates below templates/bindings/ map to the output by their path: `%package` stands for the
package's name, a path with `%surface` is rendered once per surface, `.jinja` is cut off, and a file
without it is copied as it is. Beside those: each surface's models and schema, acpgen's own runtime
modules, and with layout `project` the tables of methods, gates and what changed. With layout
`package` LICENSE and NOTICE lie in the package folder.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from acpgen import resources
from acpgen.emit import methods, peers, pool, tables
from acpgen.emit.templates import Templates
from acpgen.problem import Problem, ProblemError
from acpgen.project import NO_PROJECT, Project
from acpgen.spec.ir import Spec

BINDINGS = "bindings"

# What goes along with the package folder where there is no project around it.
_LEGAL = ("LICENSE", "NOTICE")

# What a surface offers beside its models: name -> module, relative to the surface package.
RUNTIME_NAMES = {
    **dict.fromkeys(("connect", "spawn_agent"), "..runtime.connect"),
    **dict.fromkeys(("run_agent", "serve"), "..runtime.serve"),
    **dict.fromkeys(
        ("ConnectionClosed", "MethodNotFound", "NotAdvertised", "RpcError", "SessionNotFound"),
        "..runtime.errors",
    ),
    "Agent": ".agent",
    "ClientPeer": ".agent",
    "AgentPeer": ".client",
    "Client": ".client",
    "UPDATES": ".updates",
    "UpdateHooks": ".updates",
    "CAPABILITIES": ".capabilities",
    "MISSING": "pydantic_core",
    "TABLE": ".methods",
    "check": ".strict",
    "DecodeError": "..runtime.errors",
    "WireModel": "..runtime.base",
    "decode": "..runtime.base",
    "decode_json": "..runtime.base",
    "encode": "..runtime.base",
    "encode_json": "..runtime.base",
}
MODELS_EXTRA = ("WIRE_TYPES",)


@dataclass(frozen=True, slots=True)
class LayoutOptions:
    """How the output is laid out.

    package: its import name. layout: `project` (a publishable project) or `package` (the package
    folder alone; paths are then relative to that folder). source: where the schemas come from, in
    words; version: the release's, or "". templates: the user's template folders. aliases: per
    surface, deprecated names that are kept (old -> new). jobs: worker processes; None: as many as
    there are processors. project: what its publisher says of it. docs: docstrings hold upstream's
    descriptions.
    """

    package: str = "acp_bindings"
    layout: Literal["project", "package"] = "project"
    source: str = "unnamed schemas"
    version: str = ""
    templates: tuple[Path, ...] = ()
    aliases: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    jobs: int | None = None
    project: Project = NO_PROJECT
    docs: bool = False


@dataclass(frozen=True, slots=True)
class Surface:
    """A surface as templates see it."""

    name: str
    version: int
    channel: str
    overlays: tuple[str, ...]
    sha256: str


def render(
    specs: Sequence[Spec],
    options: LayoutOptions,
    done: Callable[[str], None] | None = None,
) -> dict[str, str]:
    """Every file of the output folder: path relative to it -> text, sorted by path.

    Nothing is written; only templates and the runtime's own source are read. `done` is told each
    finished surface. Raises ProblemError for faulty templates, and for what the model emitter
    refuses.
    """
    templates = Templates(options.templates)
    surfaces = [_surface(spec) for spec in specs]
    tasks = [
        pool.Task(spec, options.aliases.get(spec.surface, {}), options.templates) for spec in specs
    ]
    context = _context(options, surfaces)
    files = _shells(templates, context, specs, surfaces, options)
    inside = f"src/{options.package}"
    for name, text in runtime_files().items():
        files[f"{inside}/runtime/{name}"] = text
    for spec, surface, models in zip(
        specs, surfaces, pool.run(tasks, options.jobs, done), strict=True
    ):
        files[f"{inside}/{surface.name}/schema.json"] = spec.contract
        for path, text in models.items():
            files[f"{inside}/{surface.name}/{path}"] = _headed(
                path, text, _header(options, surface)
            )
    if options.layout == "project":
        files |= tables.files(specs, templates, context)
    else:
        cut = f"{inside}/"
        files = {path[len(cut) :]: text for path, text in files.items() if path.startswith(cut)}
    return dict(sorted(files.items()))


def runtime_files() -> dict[str, str]:
    """The runtime's modules as they go into the package: path relative to runtime/ -> text."""
    folder = resources.PACKAGE_DIR / "runtime"
    note = "Part of acpgen's runtime, copied as it is. Do not edit."
    return {
        name: _headed(name, (folder / name).read_text(encoding="utf-8"), note)
        for name in resources.walk(folder)
        if name.endswith((".py", ".typed"))
    }


def _shells(
    templates: Templates,
    context: Mapping[str, object],
    specs: Sequence[Spec],
    surfaces: Sequence[Surface],
    options: LayoutOptions,
) -> dict[str, str]:
    files = {}
    for name in templates.names(BINDINGS):
        path = name[len(BINDINGS) + 1 :].removesuffix(".jinja").replace("%package", options.package)
        if options.layout == "package" and not path.startswith("src/"):
            if path not in _LEGAL:
                continue
            path = f"src/{options.package}/{path}"
        if "%surface" not in path:
            files[path] = templates.render(name, context)
            continue
        for spec, surface in zip(specs, surfaces, strict=True):
            own = {
                **context,
                "header": _header(options, surface),
                "surface": surface,
                **_exports(spec, options.aliases.get(surface.name, {})),
                **methods.context(spec),
                **peers.context(spec),
            }
            files[path.replace("%surface", surface.name)] = templates.render(name, own)
    return files


def _context(options: LayoutOptions, surfaces: Sequence[Surface]) -> dict[str, object]:
    # A package folder is a part of somebody else's project; ours says nothing of it.
    project = options.project if options.layout == "project" else NO_PROJECT
    return {
        "header": _header(options),
        "package": options.package,
        "project": project.distribution(options.package),
        "project_version": project.version_for(options.version),
        "release": options.version,
        "description": project.description,
        "authors": project.authors,
        "urls": project.urls,
        "docs": options.docs,
        "source": options.source,
        "surfaces": surfaces,
    }


def _surface(spec: Spec) -> Surface:
    return Surface(
        spec.surface, spec.version, spec.channel, spec.overlays, resources.digest(spec.contract)
    )


def _header(options: LayoutOptions, surface: Surface | None = None) -> str:
    """The line that stands on top of a generated file: no time and no path, so that equal input
    gives equal bytes.
    """
    if surface is None:
        return f"Generated by acpgen from {options.source}. Do not edit."
    name = f"ACP v{surface.version} {surface.channel}"
    return (
        f"Generated by acpgen from {options.source}, {name}, sha256 {surface.sha256}. Do not edit."
    )


def _headed(path: str, text: str, header: str) -> str:
    return f"# {header}\n{text}" if path.endswith(".py") else text


def _exports(spec: Spec, aliases: Mapping[str, str]) -> dict[str, object]:
    """What a surface package re-exports. Raises ProblemError where a model takes a name that the
    package needs.
    """
    models = sorted({*spec.definitions, *aliases, *MODELS_EXTRA})
    taken = sorted(set(models) & {*RUNTIME_NAMES, "PROTOCOL_VERSION"})
    if taken:
        raise ProblemError(
            Problem(
                f"{spec.surface}: {name}",
                "is a name that every surface package has already",
                "give the type another name with renames",
            )
            for name in taken
        )
    modules = sorted(set(RUNTIME_NAMES.values()))
    imports = [
        (module, [name for name in sorted(RUNTIME_NAMES) if RUNTIME_NAMES[name] == module])
        for module in modules
    ]
    return {
        "exports": sorted(({*models, *RUNTIME_NAMES}) - set(aliases)),
        "renamed": dict(sorted(aliases.items())),
        "imports": [*imports, (".models", models)],
        "elsewhere": sorted(RUNTIME_NAMES.items()),
    }
