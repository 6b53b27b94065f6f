"""References between definitions: what they may point to, and that no chain of them comes back to
itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from typing import Any
from urllib.parse import unquote

from acpgen.problem import Problem
from acpgen.spec import keywords
from acpgen.spec.jsontext import token

_LOCAL = re.compile(r"#/(?:\$defs|definitions)/([^/]*)")
_NAME = re.compile(r"[^\W\d][\w.\-]*")
_FOREIGN = ("$anchor", "$dynamicAnchor", "$dynamicRef", "$recursiveRef", "$recursiveAnchor")


def target(ref: str) -> str | None:
    """The name of the definition that a `$ref` means, whether it says `$defs` or `definitions`;
    None for any other.
    """
    match = _LOCAL.fullmatch(ref)
    return unquote(match[1]).replace("~1", "/").replace("~0", "~") if match else None


def to(name: str) -> str:
    """The `$ref` to a definition, as the contract form writes it."""
    return f"#/$defs/{token(name)}"


def targets(schema: Any) -> set[str]:
    """The names of all definitions that a schema refers to, at any depth."""
    refs = (item.get("$ref") for _, item in keywords.walk(schema))
    return {name for ref in refs if isinstance(ref, str) and (name := target(ref)) is not None}


def problems(document: Mapping[str, Any], where: str) -> list[Problem]:
    """What is wrong with a document's definitions and references.

    Names that are no names, definitions inside definitions, a `$ref` that is external, points to
    nothing or to anything but a definition, and cycles without an object or array between.
    """
    defs: Mapping[str, Any] = document["$defs"]
    found = [*_bad_names(defs, where)]
    for pointer, schema in keywords.walk(document):
        place = f"{where}#{pointer}"
        found += _bad_keywords(schema, pointer, place)
        if isinstance(ref := schema.get("$ref"), str):
            found += _bad_ref(ref, defs, place)
    return found + _cycles(defs, where)


def _bad_names(defs: Mapping[str, Any], where: str) -> Iterator[Problem]:
    for name in defs:
        if not _NAME.fullmatch(name):
            yield Problem(
                f"{where}#/$defs/{token(name)}",
                f"{name!r} is no usable name for a definition",
                "begin with a letter; then letters, digits, `_`, `.` or `-`",
            )


def _bad_keywords(schema: Mapping[str, Any], pointer: str, place: str) -> Iterator[Problem]:
    if pointer:
        for key in ("$defs", "definitions"):
            if key in schema:
                yield Problem(f"{place}/{key}", "holds definitions inside a schema", "move them up")
        if "$id" in schema:
            yield Problem(f"{place}/$id", "changes what the references inside it mean", "remove it")
    for key in _FOREIGN:
        if key in schema:
            yield Problem(f"{place}/{key}", f"{key} is not supported", "refer with $ref to $defs")


def _bad_ref(ref: str, defs: Mapping[str, Any], place: str) -> Iterator[Problem]:
    if not ref.startswith("#"):
        what = f"refers to another document: {ref!r}"
        yield Problem(place, what, "copy the definition into this file's $defs")
    elif (name := target(ref)) is None:
        yield Problem(place, f"refers to {ref!r}, which is no definition", "use #/$defs/NAME")
    elif name not in defs:
        yield Problem(place, f"refers to {name!r}, which is not among the definitions")


def _cycles(defs: Mapping[str, Any], where: str) -> list[Problem]:
    graph = {name: _in_place(schema) & defs.keys() for name, schema in defs.items()}
    found: list[Problem] = []
    while True:
        try:
            TopologicalSorter({name: sorted(graph[name]) for name in sorted(graph)}).prepare()
        except CycleError as error:
            cycle: list[str] = error.args[1][::-1]
            found.append(_cycle(cycle[:-1], where))
            graph = {
                name: after.difference(cycle) for name, after in graph.items() if name not in cycle
            }
        else:
            return found


def _cycle(names: list[str], where: str) -> Problem:
    first = names.index(min(names))
    chain = [*names[first:], *names[:first], names[first]]
    return Problem(
        f"{where}#/$defs/{token(chain[0])}",
        f"refers to itself without an object or array between: {' -> '.join(chain)}",
    )


def _in_place(schema: Any) -> set[str]:
    """The definitions that must hold for the very value for which `schema` must hold."""
    found: set[str] = set()
    stack = [schema]
    while stack:
        item = stack.pop()
        if not isinstance(item, dict):
            continue
        if isinstance(ref := item.get("$ref"), str) and (name := target(ref)) is not None:
            found.add(name)
        for key in keywords.IN_PLACE & item.keys():
            value = item[key]
            stack.extend(value if isinstance(value, list) else [value])
    return found
