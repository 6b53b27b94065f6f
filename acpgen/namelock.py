"""The name lock: a public name does not vanish by accident.

The manifest holds every public name with what it stands for on the wire. A regeneration that drops
or renames one fails and names it, until it is accepted; a rename then leaves a deprecated alias,
which later runs keep. A type that upstream renamed stands for something else on paper, so `paired`
asks the comparison of the old surface with the new one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from acpgen.manifest import Names
from acpgen.problem import Problem, ProblemError
from acpgen.spec.ir import Definition, RefType, Spec, Union


@dataclass(frozen=True, slots=True)
class Change:
    """A name that the last run had and this one has not.

    old: the name, or "*" for a surface as a whole. new: what it is called now, or None where it is
    gone.
    """

    surface: str
    old: str
    new: str | None

    def sentence(self) -> str:
        name = self.surface if self.old == "*" else f"{self.surface}.{self.old}"
        return f"{name}: {self.what}"

    @property
    def what(self) -> str:
        if self.old == "*":
            return "this surface and all its public names are gone"
        if self.new is None:
            return "this public name is gone"
        return f"this public name is now {self.new}"

    def problem(self) -> Problem:
        where = self.surface if self.old == "*" else f"{self.surface}.{self.old}"
        rename = "; the old name then stays as a deprecated alias" if self.new is not None else ""
        return Problem(where, self.what, f"accept it with --accept-names{rename}")


def public_names(spec: Spec) -> dict[str, str]:
    """Every public name of a surface, and what it stands for: a `$defs` key, or a union's variant
    by its label.

    Never a position, so that inserting a variant changes nothing here.
    """
    variants: dict[str, str] = {}
    for definition in spec.definitions.values():
        if isinstance(definition, Union):
            for label, name in _members(definition):
                variants.setdefault(name, f"{_identity(definition)}[{label}]")
    return {
        str(name): (
            _identity(definition)
            if definition.wire is not None
            else variants.get(name, definition.pointer)
        )
        for name, definition in spec.definitions.items()
    }


def _identity(definition: Definition) -> str:
    return definition.pointer if definition.wire is None else f"#/$defs/{definition.wire}"


def _members(union: Union) -> Iterable[tuple[str, str]]:
    for variant in union.variants:
        if isinstance(variant.type, RefType):
            yield (
                variant.label if variant.tag is None else f"{union.tag}={variant.tag}"
            ), variant.type.name
    if union.catch_all is not None:
        yield "*", union.catch_all


def lost(before: Names, now: Names) -> dict[str, list[str]]:
    """Surface -> the names that are gone although the surface is not, and that no new name replaces
    by standing for the same; empty surfaces are left out.
    """
    found: dict[str, list[str]] = {}
    for surface, old_names in before.items():
        names = now.get(surface, {})
        added = {identity for name, identity in names.items() if name not in old_names}
        gone = [
            old for old, identity in old_names.items() if old not in names and identity not in added
        ]
        if gone and added:
            found[surface] = gone
    return found


def paired(names: Mapping[str, str], old: Spec, new: Spec) -> dict[str, str]:
    """Old name -> new name, of the types that the comparison of two states of a surface holds for
    one under two names, and that are of one kind: only then can the new one stand in for the old.

    names: the old names with what they stand for; old may be without names of the user's own.
    """
    from acpgen.diff.pairing import renames
    from acpgen.diff.pairing.pairs import pair
    from acpgen.diff.pairing.surface import Surface

    types = pair(Surface(old), Surface(new), renames.packaged()).types
    found = {
        str(before): str(after)
        for before, after in types.items()
        if type(old.definitions[before]) is type(new.definitions[after])
    }
    plain = {identity: found[name] for name, identity in public_names(old).items() if name in found}
    return {name: plain[identity] for name, identity in names.items() if identity in plain}


def changes(
    before: Names, now: Names, aliases: Names, pairs: Names | None = None
) -> tuple[list[Change], dict[str, dict[str, str]]]:
    """What a new set of names does to the old one, and the aliases to keep from now on.

    before, now: surface -> name -> wire identity. aliases: surface -> deprecated name -> name, as
    the last run had them. pairs: surface -> old name -> new name, see `paired`; it counts where no
    identity tells what became of a name.
    """
    pairs = pairs or {}
    found: list[Change] = []
    kept: dict[str, dict[str, str]] = {}
    for surface, old_names in before.items():
        names = now.get(surface)
        if names is None:
            found.append(Change(surface, "*", None))
            continue
        added = {identity: name for name, identity in names.items() if name not in old_names}
        renamed: dict[str, str] = {}
        for old, identity in old_names.items():
            if old in names:
                continue
            new = added.get(identity) or pairs.get(surface, {}).get(old)
            if new not in names or new in old_names:
                new = None
            found.append(Change(surface, old, new))
            if new is not None:
                renamed[old] = new
        own = dict(renamed)
        for alias, target in aliases.get(surface, {}).items():
            target = renamed.get(target, target)
            if alias in names:
                continue  # the name is in use again, for a type of its own
            if target in names:
                own[alias] = target
            else:
                found.append(Change(surface, alias, None))
        if own:
            kept[surface] = dict(sorted(own.items()))
    return found, kept


def checked(
    before: Names, now: Names, aliases: Names, accept: bool, pairs: Names | None = None
) -> tuple[list[Change], dict[str, dict[str, str]]]:
    """`changes`, refused with a ProblemError that names each one unless they are accepted."""
    found, kept = changes(before, now, aliases, pairs)
    if found and not accept:
        raise ProblemError(change.problem() for change in found)
    return found, kept
