"""schemas/migrations/vA-vB.toml: what changes its meaning from one protocol version to the next without any schema
showing it. It is kept by hand, in our words.

    [[note]]
    topic = "turn end"             # a few words, once in the file
    step = "prompt"                # where the guide puts it (guide_steps.STEPS)
    severity = "breaking"          # breaking (if left out), risky or compatible
    old = "..."                    # how it was
    new = "..."                    # how it is
    agent = "..."                  # what its author has to do; left out: nothing
    client = "..."
    about = ["session/prompt"]     # methods, kinds of session/update, types, capabilities (`agent: PATH`)

A note is shown for every pair of surfaces of these two versions, in this direction only: what to do on the way back is
another thing. Of `about`, what a surface lacks is left out; `unknown` finds what none of them has.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from acpgen import resources
from acpgen.config import read_toml
from acpgen.diff.finding import SEVERITIES, Note, Severity
from acpgen.diff.pairing.advertised import capabilities
from acpgen.diff.reporting.guide_steps import STEPS
from acpgen.problem import Problem, ProblemError
from acpgen.spec.ir import Spec
from acpgen.spec.names import ClassName

_TEXTS = ("topic", "step", "severity", "old", "new", "agent", "client")
_REQUIRED = ("topic", "step", "old", "new")
_KEYS = (*_TEXTS, "about")


def file_of(old: int, new: int) -> Path:
    """Where the notes from one protocol version to another are kept, whether or not there are any."""
    return resources.schemas_dir() / "migrations" / f"v{old}-v{new}.toml"


def between(old: Spec, new: Spec) -> tuple[Note, ...]:
    """The notes for a pair of surfaces, with pointers into both; none for one version.

    Raises ProblemError with every fault of the file.
    """
    path = file_of(old.version, new.version)
    if old.version == new.version or not path.is_file():
        return ()
    sides = _pointers(old), _pointers(new)
    return tuple(_with_pointers(note, *sides) for note in load(path))


def untold(old: Spec, new: Spec) -> tuple[str, ...]:
    """A notice where notes are kept for the way back only: what changes its meaning is not told then."""
    back = file_of(new.version, old.version)
    if (
        old.version == new.version
        or file_of(old.version, new.version).is_file()
        or not back.is_file()
    ):
        return ()
    count = len(load(back))
    return (
        f"from v{old.version} to v{new.version} only the schemas are compared: {count} changes of meaning that no schema "
        f"shows are kept for v{new.version} to v{old.version} alone: read these, by acpgen diff v{new.version} "
        f"v{old.version}, from now to before",
    )


def load(path: Path) -> tuple[Note, ...]:
    """The notes of a file, without pointers. Raises ProblemError with every fault."""
    data = read_toml(path)
    problems = [
        Problem(path.name, f"unknown key {key!r}", "it holds [[note]] rows only")
        for key in data
        if key != "note"
    ]
    rows = data.get("note", [])
    if not isinstance(rows, list):
        raise ProblemError.of(f"{path.name}#note", "has to be a list of tables: [[note]]")
    found: dict[str, Note] = {}
    for index, row in enumerate(rows):
        where = f"{path.name}#note/{index}"
        faults = list(_faults(row, where))
        problems += faults
        if faults:
            continue
        if row["topic"] in found:
            problems.append(Problem(where, f"tells of {row['topic']!r} again", "keep one of them"))
        found[row["topic"]] = _note(row)
    if problems:
        raise ProblemError(problems)
    return tuple(found.values())


def unknown(path: Path, specs: Sequence[Spec]) -> list[Problem]:
    """A Problem for each name in `about` that none of these surfaces has."""
    known = {name for spec in specs for name in _pointers(spec)}
    problems = []
    for note in load(path):
        for name in note.about:
            if name not in known:
                near = difflib.get_close_matches(name, sorted(known), n=1)
                hint = f"did you mean {near[0]}?" if near else "it names what no surface has"
                problems.append(Problem(f"{path.name}: {note.topic}", f"{name!r} is unknown", hint))
    return problems


def _faults(row: Any, where: str) -> Iterator[Problem]:
    if not isinstance(row, Mapping):
        yield Problem(where, "has to be a table: [[note]]")
        return
    for key, value in row.items():
        if key not in _KEYS:
            near = difflib.get_close_matches(key, _KEYS, n=1)
            hint = f"did you mean {near[0]}?" if near else f"it has {', '.join(_KEYS)}"
            yield Problem(where, f"unknown key {key!r}", hint)
        elif key in _TEXTS and not (isinstance(value, str) and value.strip()):
            yield Problem(f"{where}/{key}", "has to be a string that is not empty")
        elif key == "about" and not (
            isinstance(value, list) and all(isinstance(item, str) for item in value)
        ):
            yield Problem(f"{where}/about", "has to be a list of strings")
    for key in _REQUIRED:
        if key not in row:
            yield Problem(where, f"has no {key}")
    for key, known in (("severity", SEVERITIES), ("step", tuple(item.id for item in STEPS))):
        if isinstance(row.get(key), str) and row[key] not in known:
            yield Problem(f"{where}/{key}", f"{row[key]!r} is none of {', '.join(known)}")


def _note(row: Mapping[str, Any]) -> Note:
    return Note(
        topic=row["topic"],
        old=row["old"],
        new=row["new"],
        agent=row.get("agent", ""),
        client=row.get("client", ""),
        severity=cast("Severity", row.get("severity", "breaking")),
        step=row["step"],
        about=tuple(row.get("about", ())),
    )


def _with_pointers(note: Note, old: Mapping[str, str], new: Mapping[str, str]) -> Note:
    sides = [
        tuple(pointers[name] for name in note.about if name in pointers) for pointers in (old, new)
    ]
    return replace(note, old_pointers=sides[0], new_pointers=sides[1])


def _pointers(spec: Spec) -> dict[str, str]:
    """Where methods, kinds of update, types and capabilities stand in a contract schema, by name."""
    found: dict[str, str] = {}
    named = [(row.method, row.params) for row in spec.table.rows]
    named += [(item.kind, item.type) for item in spec.table.updates]
    named += list(spec.wire_types.items())
    for name, definition in named:
        if definition is not None:
            pointer = spec.definitions[ClassName(definition)].pointer
            found.setdefault(name, pointer.removeprefix("#"))
    found |= {one.name: one.item.pointer.removeprefix("#") for one in capabilities(spec).values()}
    return found
