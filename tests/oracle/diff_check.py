"""Whether a stated change is true, by the raw JSON and TOML of both sides.

One checker for each kind of change. Nothing of acpgen is imported: a change is whatever has the attributes of
one, and both sides are read by `diff_raw`. A checker yields what is wrong; nothing, where all of it is true.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from tests.oracle.diff_evidence import check_evidence
from tests.oracle.diff_raw import Raw, steps
from tests.oracle.diff_words import check_words
from tests.oracle.diff_writers import check_writers, writers_of

Checker = Callable[["Claim"], Iterator[str]]
CHECKERS: dict[str, Checker] = {}

BOUNDS = (
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    *("minLength", "maxLength", "pattern", "format", "minItems", "maxItems", "uniqueItems"),
    *("minProperties", "maxProperties", "contentEncoding", "contentMediaType"),
)


@dataclass
class Context:
    """What a change is judged against. types: old `$defs` key -> new one, of the renames that the diff states;
    capabilities: `SIDE: PATH` -> `SIDE: PATH`, of those that it says moved. Each of them is judged by its evidence.

    stable: per side the stable schema of the same version and release, where the side is unstable.
    renames: renames.toml, parsed.
    """

    old: Raw
    new: Raw
    types: Mapping[str, str] = field(default_factory=dict)
    stable: tuple[Raw | None, Raw | None] = (None, None)
    capabilities: Mapping[str, str] = field(default_factory=dict)
    renames: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def writers(self) -> tuple[Mapping[str, frozenset[str]], Mapping[str, frozenset[str]]]:
        """Per side: `$defs` key -> the peers that write it."""
        return writers_of(self.old), writers_of(self.new)


@dataclass
class Claim:
    """One change in its context."""

    change: Any
    context: Context

    @property
    def old(self) -> Raw:
        return self.context.old

    @property
    def new(self) -> Raw:
        return self.context.new

    @property
    def detail(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.change.detail
        return found

    def pairs(self) -> tuple[tuple[Raw, Any], tuple[Raw, Any]]:
        return (self.old, self.change.old), (self.new, self.change.new)


def check(change: Any, context: Context) -> list[str]:
    """What is wrong with a change; [] if it is true. Raises KeyError for a kind without a checker."""
    claim = Claim(change, context)
    checker = CHECKERS[f"{change.area}.{change.action}"]
    problems = []
    for raw, spot in claim.pairs():
        try:
            raw.at(spot.pointer)
        except (KeyError, ValueError) as error:
            problems.append(str(error))
    if problems:
        return problems
    try:
        return [item for one in (checker, *EVERY) for item in one(claim)]
    except (KeyError, ValueError, StopIteration) as error:
        return [f"cannot be judged: {error!r}"]


EVERY: tuple[Checker, ...] = (check_writers, check_evidence, check_words)
"""What holds of every kind of change."""


def checks(*kinds: str) -> Callable[[Checker], Checker]:
    def mark(checker: Checker) -> Checker:
        for kind in kinds:
            assert kind not in CHECKERS, kind
            CHECKERS[kind] = checker
        return checker

    return mark


def exists(claim: Claim, old: bool, new: bool) -> Iterator[str]:
    """Which sides the change says that the thing stands on."""
    for word, spot, wanted in (("old", claim.change.old, old), ("new", claim.change.new, new)):
        if spot.exists != wanted:
            yield f"the {word} side says exists={spot.exists}"


def sides(claim: Claim) -> tuple[Raw, Any, Raw, Any]:
    """(raw and spot with the thing, raw and spot without it) of an addition or a removal."""
    if claim.change.new.exists:
        return claim.new, claim.change.new, claim.old, claim.change.old
    return claim.old, claim.change.old, claim.new, claim.change.new


def place(raw: Raw, spot: Any) -> tuple[Any, str, Any]:
    """(object schema, property, its schema) of the spot of a field that is there."""
    keys = steps(spot.pointer)
    if len(keys) < 2 or keys[-2] != "properties":
        raise ValueError(f"{spot.pointer} is no property")
    head = spot.pointer.rpartition("/properties/")[0]
    return raw.at(head), keys[-1], raw.at(spot.pointer)


def last(name: str) -> str:
    """The property in `Type.property`."""
    return name.rpartition(".")[2]


# Types


def _key(pointer: str) -> str:
    """The `$defs` key of a pointer to a whole definition; "" for any other."""
    keys = steps(pointer)
    return keys[1] if len(keys) == 2 and keys[0] == "$defs" else ""


@checks("type.added", "type.removed")
def _type_present(claim: Claim) -> Iterator[str]:
    added = claim.change.action == "added"
    yield from exists(claim, not added, added)
    raw, spot, other, _ = sides(claim)
    key = _key(spot.pointer)
    if key and key in other.defs:
        yield f"{key} is a definition of both"
    if key and key not in raw.defs:
        yield f"{key} is no definition"
    if not key and not isinstance(raw.at(spot.pointer), dict):
        yield f"{spot.pointer} is no schema"


@checks("type.renamed")
def _type_renamed(claim: Claim) -> Iterator[str]:
    yield from exists(claim, True, True)
    old, new = _key(claim.change.old.pointer), _key(claim.change.new.pointer)
    if old == new:
        yield "both names are equal"
    if old and old in claim.new.defs and claim.context.types.get(old) == new:
        other = {was for was, now in claim.context.types.items() if now == old}
        if not other and _message(claim.new.defs[old]) == _message(claim.old.defs[old]):
            yield f"{old} is a definition of both"


def _message(schema: Any) -> Any:
    return schema.get("x-method") if isinstance(schema, dict) else None


def _kind_of(raw: Raw, schema: Any) -> str:
    """record, union, enum or alias, as a schema looks."""
    if raw.properties(schema):
        return "record"
    branches = raw.branches(schema)
    if any(raw.everywhere(branch) for branch in branches):
        return "union"
    return "enum" if raw.constants(schema) else "alias"


@checks("type.kind")
def _type_kind(claim: Claim) -> Iterator[str]:
    yield from exists(claim, True, True)
    if claim.detail["was"] == claim.detail["now"]:
        yield "nothing changed"
    for raw, spot, said in (
        (claim.old, claim.change.old, claim.detail["was"]),
        (claim.new, claim.change.new, claim.detail["now"]),
    ):
        schema = raw.at(spot.pointer)
        looks = _kind_of(raw, schema)
        both = looks == "record" and said == "union" and raw.branches(schema)
        if looks != said and not both:
            yield f"{spot.name} looks like a {looks}, not a {said}"


@checks("type.closed", "type.opened")
def _type_closed(claim: Claim) -> Iterator[str]:
    found = tuple(raw.closed(raw.at(spot.pointer)) for raw, spot in claim.pairs())
    if found != ((False, True) if claim.change.action == "closed" else (True, False)):
        yield f"closed: {found}"


def _is_open(raw: Raw, spot: Any) -> bool:
    """Unknown tags or values are taken there; of a property that tells branches apart, the object says it."""
    head, _, name = spot.pointer.rpartition("/properties/")
    if head and "/" not in name and raw.tags(raw.at(head), name):
        return raw.is_open(raw.at(head))
    return raw.is_open(raw.at(spot.pointer))


@checks("type.open", "type.close")
def _type_open(claim: Claim) -> Iterator[str]:
    found = tuple(_is_open(raw, spot) for raw, spot in claim.pairs())
    if found != ((False, True) if claim.change.action == "open" else (True, False)):
        yield f"open: {found}"


@checks("type.changed")
def _type_changed(claim: Claim) -> Iterator[str]:
    yield from exists(claim, True, True)
    schemas = [raw.at(spot.pointer) for raw, spot in claim.pairs()]
    yield from differ(claim, *schemas)
    yield from inner_claims(claim, *schemas)


@checks("type.tag")
def _type_tag(claim: Claim) -> Iterator[str]:
    yield from exists(claim, True, True)
    if claim.detail["was"] == claim.detail["now"]:
        yield "nothing changed"
    for (raw, spot), tag in zip(
        claim.pairs(), (claim.detail["was"], claim.detail["now"]), strict=True
    ):
        if tag and not raw.tags(raw.at(spot.pointer), tag):
            yield f"{spot.name} has no tag {tag}"


def differ(claim: Claim, old: Any, new: Any) -> Iterator[str]:
    """The two schemas allow different values, or name different types."""
    forms = claim.old.form(old, names=claim.context.types), claim.new.form(new)
    if forms[0] == forms[1]:
        yield "both schemas are the same"


def inner_claims(claim: Claim, old: Any, new: Any) -> Iterator[str]:
    """What the detail of a change of type states of bounds and keywords."""
    bounds = claim.detail.get("bounds")
    if isinstance(bounds, Mapping):
        yield from bounds_are(bounds, bounds_of(claim.old, old), bounds_of(claim.new, new))
    keyword = claim.detail.get("keyword")
    if isinstance(keyword, Mapping):
        for raw, schema, key in ((claim.old, old, "was"), (claim.new, new, "now")):
            if not any(keyword[key] in part for part in raw.parts(schema)):
                yield f"{keyword[key]} is no keyword there"


# Bounds


def bounds_of(raw: Raw, schema: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for part in raw.parts(schema):
        for keyword in BOUNDS:
            if keyword in part:
                found.setdefault(keyword, part[keyword])
        if isinstance(part.get("items"), dict):
            for keyword, value in bounds_of(raw, part["items"]).items():
                found.setdefault(f"items.{keyword}", value)
        if isinstance(part.get("additionalProperties"), dict):
            for keyword, value in bounds_of(raw, part["additionalProperties"]).items():
                found.setdefault(f"values.{keyword}", value)
    return found


def _flat(bounds: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any, Any]]:
    for keyword, item in bounds.items():
        if "was" in item or "now" in item:
            yield f"{prefix}{keyword}", item.get("was"), item.get("now")
        else:
            yield from _flat(item, f"{prefix}{keyword}.")


def bounds_are(
    stated: Mapping[str, Any], left: Mapping[str, Any], right: Mapping[str, Any]
) -> Iterator[str]:
    """What is stated of bounds is so."""
    for keyword, was, now in _flat(stated):
        if was == now:
            yield f"{keyword} is the same"
        if (left.get(keyword), right.get(keyword)) != (was, now):
            yield f"{keyword}: {left.get(keyword)}, {right.get(keyword)}"


# Values of enums


@checks("value.added", "value.removed")
def _value(claim: Claim) -> Iterator[str]:
    added = claim.change.action == "added"
    yield from exists(claim, not added, added)
    raw, spot, other, without = sides(claim)
    value = claim.detail["value"]
    if value not in _values(raw, spot):
        yield f"{value!r} is not named by {spot.pointer}"
    if value in _values(other, without):
        yield f"{value!r} is named by both"


def _values(raw: Raw, spot: Any) -> list[Any]:
    """The constants that a schema names; of a property also those that it has in the branches of its object."""
    found = raw.constants(raw.at(spot.pointer))
    head, _, name = spot.pointer.rpartition("/properties/")
    if head and "/" not in name:
        found = [*found, *raw.tags(raw.at(head), name)]
    return found


def judge(changes: Iterable[Any], context: Context) -> dict[str, list[str]]:
    """What is wrong, by the name of the change; {} if every change is true."""
    found = {}
    for change in changes:
        if problems := check(change, context):
            found[f"{change.area}.{change.action} {change.subject}"] = problems
    return found
