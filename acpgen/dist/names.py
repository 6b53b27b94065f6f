"""What a version has to say about public names.

A package has the version of its schema release, so the rules follow from how that moves:
- a revision (`2.4.0.post1`) takes no public name away;
- a name of a stable surface goes only where the first or the second number moves;
- a name of an unstable surface may go with any new schema release.
A renamed type that stays importable under its old name has not gone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from acpgen.config import surface_key
from acpgen.dist.previous import Previous
from acpgen.manifest import Manifest
from acpgen.problem import Problem, ProblemError

if TYPE_CHECKING:
    from packaging.version import Version


@dataclass(frozen=True, slots=True)
class Changes:
    """Public names beside those of the previous release, each as `surface.Name`.

    `surface.*` is a surface as a whole. renamed: those whose old name stays as a deprecated alias, as `surface.Old -> New`.
    """

    added: tuple[str, ...] = ()
    renamed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()


def judged(before: Previous, now: Manifest, version: str) -> Changes:
    """The changes, where the version allows them. Raises a ProblemError that names each one that it
    does not, and for a version that is no successor of the previous one.
    """
    from packaging.version import InvalidVersion, Version

    try:
        old = Version(before.version)
    except InvalidVersion as error:
        raise ProblemError.of(before.label, f"its version is no version: {error}") from error
    new = Version(version)
    changes = compare(before.manifest, now)
    problems = list(_order(before, now, old, new))
    if not problems and new != old:
        what = f"is gone, which {version} does not say after {before.version}"
        problems = [
            Problem(item, what, hint)
            for item in changes.removed
            if (hint := _refused(item.split(".")[0], old, new))
        ]
        if problems and (moved := _package_moved(before.manifest, now)):
            was, name = moved
            what = f"every name of {was} {what}: the package is {name} now"
            problems = [Problem(before.label, what, f'keep package = "{was}"; {problems[0].hint}')]
    if problems:
        raise ProblemError(problems)
    return changes


def compare(before: Manifest, now: Manifest) -> Changes:
    """How the public names of two manifests differ. Under another import name all are gone."""
    added, renamed, removed = [], [], []
    if _package_moved(before, now):
        return Changes(
            added=tuple(
                f"{surface}.{name}" for surface in sorted(now.names) for name in sorted(now.names[surface])
            ),
            removed=tuple(f"{surface}.*" for surface in sorted(before.names)),
        )
    for surface in sorted({*before.names, *now.names}):
        names, aliases = now.names.get(surface, {}), now.aliases.get(surface, {})
        old = before.names.get(surface, {})
        had = {*old, *before.aliases.get(surface, {})}
        added += [f"{surface}.{name}" for name in sorted(set(names) - had)]
        renamed += [f"{surface}.{name} -> {aliases[name]}" for name in sorted({*old} & {*aliases})]
        gone = sorted(had - {*names, *aliases}) if surface in now.names else ["*"]
        removed += [f"{surface}.{name}" for name in gone]
    return Changes(tuple(added), tuple(renamed), tuple(removed))


def notices(before: Previous, now: Manifest, name: str) -> list[str]:
    """What else is another than in the release before: the distribution's name, the import name."""
    found = []
    if before.name and before.name != name:
        found.append(f"{before.label} is a release of {before.name}, this is {name}")
    if moved := _package_moved(before.manifest, now):
        found.append(f"{before.label}: the package was {moved[0]}, it is {moved[1]} now")
    return found


def _package_moved(before: Manifest, now: Manifest) -> tuple[str, str] | None:
    """The import names of two manifests where they are not the same one."""
    was, name = before.options.get("package"), now.options.get("package")
    return (str(was), str(name)) if was and name and was != name else None


def _order(before: Previous, now: Manifest, old: Version, new: Version) -> list[Problem]:
    if new > old:
        return []
    if new < old:
        what = f"{new} is older than {old}"
        return [Problem(before.label, what, "the version of a package only ever goes up")]
    if before.manifest.files == now.files:
        return []
    hint = f"set revision = {(old.post or 0) + 1} in [tool.acpgen.project], or --revision"
    return [Problem(before.label, f"{old} was published with other content", hint)]


def _refused(surface: str, old: Version, new: Version) -> str:
    """What to do about a name that may not go, or "" where it may."""
    if (new.epoch, new.release, new.pre) == (old.epoch, old.release, old.pre):
        return "a revision takes nothing away: keep it (renames keeps a name), or wait for the next release"
    if surface_key(surface)[1] == "unstable" or old.is_prerelease:
        return ""
    if (new.epoch, *_two(new)) != (old.epoch, *_two(old)):
        return ""
    number = ".".join(map(str, (_two(new)[0], _two(new)[1] + 1, 0)))
    return (
        "a stable name goes only with a new first or second number: keep it with renames, or set"
        f' version = "{number}" in [tool.acpgen.project]'
    )


def _two(version: Version) -> tuple[int, int]:
    return version.major, version.minor
