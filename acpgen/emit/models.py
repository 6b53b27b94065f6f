"""Spec -> the files of a surface's models/ package."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from acpgen.emit import dcg
from acpgen.emit.facts import facts
from acpgen.emit.normalise import Placeholders, normalise
from acpgen.emit.statements import Statement, closure, ordered, statements, without_imports
from acpgen.emit.templates import Templates
from acpgen.problem import Problem, ProblemError
from acpgen.spec.ir import Spec

LINE_LENGTH = 100

SCALARS = (
    *("Bool", "Constant", "Float", "Int", "Integer", "Number", "Text"),
    *(f"{sign}Int{bits}" for sign in ("", "U") for bits in (8, 16, 32, 64)),
)

# Where a name that the generated text uses comes from, seen from a module in models/.
IMPORTS: dict[str, str] = {
    **dict.fromkeys(
        ("TYPE_CHECKING", "Annotated", "Any", "Literal", "Optional", "TypeAlias", "Union"), "typing"
    ),
    **dict.fromkeys(("ConfigDict", "Field"), "pydantic"),
    "MISSING": "pydantic_core",
    **dict.fromkeys(("CatchAllModel", "WireModel"), "...runtime.base"),
    **dict.fromkeys(("Tagged", "Untagged", "Items"), "...runtime.unions"),
    "Wire": "...runtime.wire",
    **dict.fromkeys(SCALARS, "...runtime.scalars"),
}

_INITIALIZE = "Types of `initialize`: what a connection needs before anything else."
_TYPES = "Types of this surface, apart from those of `initialize`."


def model_files(
    spec: Spec, aliases: Mapping[str, str] | None = None, templates: Sequence[Path] = ()
) -> dict[str, str]:
    """The modules of models/ for one surface, and its strict.py: path relative to the surface
    package -> formatted text.

    aliases: deprecated names to keep, old -> new. templates: the user's folders. Raises
      ProblemError for a faulty template, and for a type called like something the modules import.
    """
    _refuse_taken(spec)
    try:
        items = _definitions(spec, templates)
    except (SyntaxError, RuntimeError) as error:
        if templates and not isinstance(error, RecursionError):
            raise _no_python("models/", error) from None
        raise
    roots = [
        str(name)
        for method in spec.methods
        if method.wire == "initialize"
        for name in (method.params, method.result)
        if name is not None
    ]
    first = closure(items, roots)
    groups = {
        "_initialize": {name: item for name, item in items.items() if name in first},
        "_types": {name: item for name, item in items.items() if name not in first},
    }
    homes = {name: module for module, group in groups.items() for name in group}
    files = {
        f"models/{module}.py": _module(group, homes, module) for module, group in groups.items()
    }
    context = {
        "surface": spec.surface,
        "homes": {name: homes[name] for name in sorted(homes)},
        "modules": {module: sorted(group) for module, group in groups.items() if group},
        "aliases": dict(sorted((aliases or {}).items())),
        "merged": {
            str(wire): ", ".join(names)
            for wire, names in sorted(spec.merged.items())
            if wire not in spec.definitions
        },
        "wire_types": {str(wire): str(name) for wire, name in sorted(spec.wire_types.items())},
    }
    shells = Templates(templates)
    files["models/__init__.py"] = shells.render("models/__init__.py.jinja", context)
    files["strict.py"] = shells.render("models/strict.py.jinja", context)
    return {path: _format(path, text, templates) for path, text in sorted(files.items())}


def _refuse_taken(spec: Spec) -> None:
    """Raise ProblemError where a definition is called like something that its module imports."""
    taken = [name for name in spec.definitions if name in IMPORTS]
    if taken:
        raise ProblemError(
            Problem(
                f"{spec.surface}{spec.definitions[name].pointer or ': ' + name}",
                f"{name} is a name that the generated modules import",
                "give the type another name with renames",
            )
            for name in taken
        )


def _definitions(spec: Spec, templates: Sequence[Path]) -> dict[str, Statement]:
    """The definitions as Python, in an order that runs. Raises RuntimeError where the generator
    lost or renamed one.
    """
    if not spec.definitions:
        return {}
    placeholders = Placeholders()
    text = dcg.run(normalise(spec, placeholders), facts(spec), templates)
    found = statements(placeholders.fill(without_imports(text)))
    wanted = {str(name) for name in spec.definitions}
    if lost := sorted(wanted - found.keys()):
        raise RuntimeError(
            f"datamodel-code-generator wrote no {', '.join(lost)}; "
            f"instead: {sorted(found.keys() - wanted)}"
        )
    return {
        item.name: item for item in ordered({name: found[name] for name in found if name in wanted})
    }


def _module(group: Mapping[str, Statement], homes: Mapping[str, str], module: str) -> str:
    used = {name for item in group.values() for name in item.names} - group.keys()
    imports: dict[str, list[str]] = {}
    for name in sorted(used):
        if name in homes:
            imports.setdefault(f".{homes[name]}", []).append(name)
        elif name in IMPORTS:
            imports.setdefault(IMPORTS[name], []).append(name)
    lines = [
        f'"""{_INITIALIZE if module == "_initialize" else _TYPES}"""',
        "",
        "from __future__ import annotations",
        "",
    ]
    for kind in ("typing", "pydantic", "."):
        lines += [
            f"from {source} import {', '.join(sorted(imports[source], key=_kind))}"
            for source in sorted(
                imports, key=lambda source: (source.lstrip(".").startswith("_"), source)
            )
            if (source[:1] if source.startswith(".") else source.split("_")[0]) == kind
        ]
        lines.append("")
    body = "\n\n".join(item.text for item in group.values())
    return "\n".join(lines) + f"\n\n{body}\n"


def _kind(name: str) -> tuple[bool, bool, str]:
    """Constants, then classes, then the rest."""
    return (not name.isupper(), not name[0].isupper(), name)


def _format(path: str, text: str, templates: Sequence[Path]) -> str:
    from black import format_str
    from black.mode import Mode, TargetVersion
    from black.parsing import InvalidInput

    mode = Mode(line_length=LINE_LENGTH, target_versions={TargetVersion.PY310})
    try:
        return format_str(text, mode=mode)
    except InvalidInput as error:
        if templates:
            raise _no_python(path, error) from None
        raise


def _no_python(path: str, error: Exception) -> ProblemError:
    """What a user's own template makes cannot be read as Python."""
    return ProblemError.of(
        path, f"your templates make no Python of it: {error}", "see docs/templates.md"
    )
