"""Overlays: a protocol proposal, laid over the unstable schemas before it lands upstream.

A folder `NAME/` holds `overlay.toml` (title, source, adds: our words; definitions: the `$defs` that
it brings) and one JSON Merge Patch (RFC 7396) per protocol version, `v1.json`, `v2.json`. A patch
touches `$defs` alone. What it sets, it sets in whole places: a new definition, or a property or
keyword that an existing definition lacks. An overlay never overrides upstream, and removes nothing:

- a place that upstream has with the same content is skipped with a notice (x-docs aside, which says
  nothing of the wire);
- with other content, upstream wins, and the notices list the differences;
- a place whose definition, or a definition that its content refers to, is missing from the release
  is skipped with a notice;
- two overlays that set one place differently are a Problem, and so is null (in a merge patch: remove)
  for a place that upstream has.

For the committed pin (`pinned=True`) these notices are Problems: there, an overlay has to apply as
it is written. An overlay that has nothing for a version is a notice always.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any, TypeAlias

from acpgen.problem import Problem, ProblemError
from acpgen.spec import contract as contracts
from acpgen.spec import jsontext, keywords, references
from acpgen.spec.contract import Contract

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Place: TypeAlias = tuple[str, ...]

_PATCH = re.compile(r"v([1-9]\d*)\.json")
_TEXTS = ("title", "source", "adds")
_KEYS = (*_TEXTS, "definitions")


class _Absent(Enum):
    """What a place holds that is not there, and what null in a patch asks for."""

    ABSENT = "absent"


class _Level(Enum):
    """When a finding is fatal."""

    NEVER = "never"
    PINNED = "for the committed pin"
    ALWAYS = "always"


_Finding: TypeAlias = tuple[_Level, Problem]


@dataclass(frozen=True, slots=True)
class Overlay:
    """One proposal. patches: by protocol version. folder: where it was read from."""

    name: str
    title: str
    source: str
    adds: str
    definitions: tuple[str, ...]
    patches: Mapping[int, Contract]
    folder: Path


def available(search: Sequence[Path]) -> tuple[str, ...]:
    """The names of the overlays in the folders of a search path."""
    found = {
        folder.name
        for base in search
        if base.is_dir()
        for folder in base.iterdir()
        if (folder / "overlay.toml").is_file()
    }
    return tuple(sorted(found))


def load(name: str, search: Sequence[Path]) -> Overlay:
    """The overlay of that name, from the first folder that has it.

    search: folders like schemas/overlays, the user's own first. Raises ProblemError where none has
    it, naming those that exist, and with all that is wrong in its files.
    """
    known = available(search)
    if name not in known:
        hint = f"known: {', '.join(known)}" if known else "there are none"
        raise ProblemError.of(f"overlay {name}", "does not exist", hint)
    folder = next(base / name for base in search if (base / name / "overlay.toml").is_file())
    problems: list[Problem] = []
    facts = _facts(folder, problems)
    patches: dict[int, Contract] = {}
    for path in sorted(folder.iterdir()):
        if match := _PATCH.fullmatch(path.name):
            where = f"overlays/{name}/{path.name}"
            try:
                patches[int(match[1])] = _patch(jsontext.load(path.read_bytes(), where), where)
            except ProblemError as error:
                problems += error.problems
            except OSError as error:
                problems.append(Problem(where, f"cannot be read: {error.strerror}"))
    definitions = tuple(facts["definitions"])
    missing = set(definitions).difference(*(patch["$defs"] for patch in patches.values()))
    if not problems and not patches:
        problems.append(Problem(f"overlays/{name}", "has no patch", "write v1.json or v2.json"))
    elif not problems and missing:
        what = f"names definitions that no patch has: {', '.join(sorted(missing))}"
        problems.append(Problem(f"overlays/{name}/overlay.toml", what))
    if problems:
        raise ProblemError(problems)
    return Overlay(
        name, facts["title"], facts["source"], facts["adds"], definitions, patches, folder
    )


def metadata_files(overlays: Sequence[Overlay], version: int) -> list[Path]:
    """The methods.toml rows that overlays bring for a protocol version: `vN.methods.toml`."""
    paths = (overlay.folder / f"v{version}.methods.toml" for overlay in overlays)
    return [path for path in paths if path.is_file()]


def apply(
    contract: Contract, version: int, overlays: Sequence[Overlay], *, pinned: bool = False
) -> tuple[Contract, list[str]]:
    """The contract with overlays laid over it, in their order, and notices of what was not applied.

    contract: of an unstable surface; it is not changed. pinned: this is the committed pin, see the
    module.
    Raises ProblemError where overlays contradict each other, or where the result is no contract any
    more.
    """
    defs = dict(contract["$defs"])
    owners: dict[Place, str] = {}
    notices: list[str] = []
    problems: list[Problem] = []
    for overlay in overlays:
        for level, problem in _lay(overlay, version, defs, owners):
            if level is _Level.ALWAYS or (pinned and level is _Level.PINNED):
                problems.append(problem)
            else:
                notices.append(str(problem))
    result = contracts.form({**contract, "$defs": defs})
    if not problems:
        names = ", ".join(overlay.name for overlay in overlays)
        problems = contracts.check(result, f"v{version} with overlay {names}")
    if problems:
        raise ProblemError(problems)
    return result, notices


def _lay(
    overlay: Overlay, version: int, defs: dict[str, Any], owners: dict[Place, str]
) -> Iterator[_Finding]:
    """Apply one overlay to `defs`, in place. owners: who set which place; extended."""
    title = f"overlay {overlay.name}"
    if version not in overlay.patches:
        yield _Level.NEVER, Problem(title, f"has nothing for v{version}")
        return
    places = dict(_places(overlay, version))
    count = len(places)
    yield from _drop_missing(places, defs, version, title)
    same: list[Problem] = []
    for place, value in places.items():
        where = f"{title}: {_pointer(version, place)}"
        present = _get(defs, place)
        owner = next(
            (owners[place[:n]] for n in range(len(place), 0, -1) if place[:n] in owners), ""
        )
        differences = [*_differences(_plain(value), _plain(present))]
        if not differences:
            if not owner:
                same.append(Problem(where, "skipped: upstream has the same", _REDUNDANT))
        elif value is _ABSENT and not owner:
            what = "null would remove it, and upstream has it"
            yield _Level.ALWAYS, Problem(where, what, "an overlay adds; leave it out")
        elif present is _ABSENT and place not in owners:
            _set(defs, place, value)
            owners[place] = overlay.name
        elif owner:
            what = f"overlay {owner} sets it differently: {'; '.join(differences)}"
            yield _Level.ALWAYS, Problem(where, what, "use one of the two")
        else:
            what = f"upstream has it, differently, and wins: {'; '.join(differences)}"
            yield _Level.PINNED, Problem(where, what, "bring the overlay up to date")
    if same and len(same) == count:
        what = f"skipped: upstream has all of it in v{version}"
        same = [Problem(title, what, _REDUNDANT)]
    for problem in same:
        yield _Level.PINNED, problem


_ABSENT = _Absent.ABSENT
_REDUNDANT = "it can leave the overlay"


def _places(overlay: Overlay, version: int) -> Iterator[tuple[Place, Any]]:
    """What the patch sets, place by place."""
    for name, value in overlay.patches[version]["$defs"].items():
        if name in overlay.definitions or value is None:
            yield (name,), _schema(value)
            continue
        for key, item in value.items():
            if key == "properties" and isinstance(item, dict):
                for wire, schema in item.items():
                    yield (name, key, wire), _schema(schema)
            else:
                yield (name, key), _ABSENT if item is None else _merged(item)


def _drop_missing(
    places: dict[Place, Any], defs: Mapping[str, Any], version: int, title: str
) -> Iterator[_Finding]:
    """Remove the places that this release has no room for, and what refers to them in turn."""
    objects = {name for name, schema in defs.items() if isinstance(schema, dict)}
    while True:
        known = defs.keys() | {place[0] for place in places if len(place) == 1}
        missing: dict[Place, set[str]] = {}
        for place, value in places.items():
            lacks = {place[0]} - objects if len(place) > 1 else set()
            lacks |= references.targets({"properties": {"it": value}}) - known
            if lacks and not (len(place) == 1 and place[0] in defs):
                missing[place] = lacks
        if not missing:
            return
        for place, lacks in missing.items():
            del places[place]
            what = f"skipped: this release lacks {', '.join(sorted(lacks))}"
            yield _Level.PINNED, Problem(f"{title}: {_pointer(version, place)}", what)


def _get(defs: Mapping[str, Any], place: Place) -> Any:
    value: Any = defs
    for key in place:
        if not isinstance(value, dict) or key not in value:
            return _ABSENT
        value = value[key]
    return value


def _set(defs: dict[str, Any], place: Place, value: Any) -> None:
    """Set a place. Copies what it goes through: the contract stays as it was."""
    holder = defs
    for key in place[:-1]:
        holder[key] = dict(holder.get(key, {}))
        holder = holder[key]
    holder[place[-1]] = value


def _merged(patch: Any) -> Any:
    """A merge patch applied to nothing: its nulls vanish."""
    if not isinstance(patch, dict):
        return patch
    return {key: _merged(value) for key, value in patch.items() if value is not None}


def _schema(patch: Any) -> Any:
    return _ABSENT if patch is None else contracts.form_of(_merged(patch))


def _plain(value: Any) -> Any:
    """A value without its docs links."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items() if key != "x-docs"}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value


def _differences(ours: Any, theirs: Any, pointer: str = "") -> Iterator[str]:
    if ours is theirs:
        return
    if _ABSENT in (ours, theirs):
        yield f"{pointer or 'it'} is only {'there' if ours is _ABSENT else 'in the overlay'}"
    elif isinstance(ours, dict) and isinstance(theirs, dict):
        for key in sorted(ours.keys() | theirs.keys()):
            place = f"{pointer}/{jsontext.token(key)}"
            yield from _differences(ours.get(key, _ABSENT), theirs.get(key, _ABSENT), place)
    elif json.dumps(ours) != json.dumps(theirs):  # 1 is not true, and not 1.0
        texts = (json.dumps(ours), json.dumps(theirs))
        yield f"{pointer or 'it'} is {texts[0]} in the overlay and {texts[1]} there"


def _pointer(version: int, place: Place) -> str:
    return f"v{version}#/$defs/" + "/".join(jsontext.token(key) for key in place)


# Reading the files.
def _facts(folder: Path, problems: list[Problem]) -> dict[str, Any]:
    """overlay.toml. What is wrong in it is added to `problems`, and empty in the answer."""
    where = f"overlays/{folder.name}/overlay.toml"
    facts: dict[str, Any] = {}
    try:
        facts = tomllib.loads((folder / "overlay.toml").read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        problems.append(Problem(where, f"is not TOML: {error}"))
    except OSError as error:
        problems.append(Problem(where, f"cannot be read: {error.strerror}"))
    else:
        if "title" not in facts:
            problems.append(Problem(where, "has no title"))
    for key in sorted(facts.keys() - set(_KEYS)):
        problems.append(Problem(where, f"unknown key {key!r}", f"known: {', '.join(_KEYS)}"))
    good: dict[str, Any] = {}
    for key in _TEXTS:
        good[key] = facts.get(key, "")
        if not isinstance(good[key], str):
            problems.append(Problem(where, f"{key} must be a text"))
    names = facts.get("definitions", [])
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        problems.append(Problem(where, "definitions must be a list of names"))
        names = []
    return {**good, "definitions": names}


def _patch(patch: Any, where: str) -> Contract:
    """The patch, if it is one that touches definitions alone."""
    if not isinstance(patch, dict) or not isinstance(patch.get("$defs"), dict):
        raise ProblemError.of(where, "is no merge patch for a schema: it has no object $defs")
    found = [
        Problem(f"{where}#/{jsontext.token(key)}", "an overlay changes nothing but $defs")
        for key in patch
        if key != "$defs"
    ]
    found += [
        Problem(f"{where}#/$defs/{jsontext.token(name)}", "is neither an object nor null")
        for name, value in patch["$defs"].items()
        if value is not None and not isinstance(value, dict)
    ]
    found = found or keywords.schema_problems(_merged(patch), where)
    if found:
        raise ProblemError(found)
    return patch
