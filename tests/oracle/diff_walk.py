"""What differs between two contract schemas by name alone: definitions, properties and what stands in them.

The other half of `diff_check`: there every finding has to be true, here every difference has to be in some
finding. Definitions of one name are compared, and those that the diff calls renamed; a difference is a pointer
into the old schema, the new one, or both.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from tests.oracle.diff_check import Context
from tests.oracle.diff_raw import CHOICES, Raw

ENVELOPE = "x-docs-ignore"


@dataclass(frozen=True)
class Difference:
    """old, new: pointers, "" where a side has nothing. what: `definition`, `property`, `required`, `form`, ..."""

    what: str
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.what} {self.old or self.new}"


def differences(context: Context) -> Iterator[Difference]:
    """Every difference by name, in the schemas' order."""
    old, new = context.old, context.new
    back = {now: was for was, now in context.types.items()}
    for key in old.defs:
        other = context.types.get(key, key)
        if is_envelope(old.defs[key]):
            continue
        if other in new.defs:
            yield from _definition(context, key, other)
        else:
            yield Difference("definition", pointer(key), "")
    for key in new.defs:
        if back.get(key, key) not in old.defs and not is_envelope(new.defs[key]):
            yield Difference("definition", "", pointer(key))


def is_envelope(schema: Any) -> bool:
    return isinstance(schema, dict) and bool(schema.get(ENVELOPE))


def pointer(key: str, name: str = "") -> str:
    """Of a definition, or of a property that it states itself."""
    steps = [step.replace("~", "~0").replace("/", "~1") for step in (key, name) if step]
    return "/$defs/" + "/properties/".join(steps)


def _definition(context: Context, key: str, other: str) -> Iterator[Difference]:
    old, new = context.old.defs[key], context.new.defs[other]
    left, right = (
        item.get("properties", {}) if isinstance(item, dict) else {} for item in (old, new)
    )
    for name in left:
        if name not in right:
            yield Difference("property", pointer(key, name), "")
        else:
            places = pointer(key, name), pointer(other, name)
            for what in _property(context, old, new, name):
                yield Difference(what, *places)
    for name in right:
        if name not in left:
            yield Difference("property", "", pointer(other, name))
    for what in _whole(context, old, new):
        yield Difference(what, pointer(key), pointer(other))


def _property(context: Context, old: Any, new: Any, name: str) -> Iterator[str]:
    left, right = old["properties"][name], new["properties"][name]
    if (name in old.get("required", ())) != (name in new.get("required", ())):
        yield "required"
    if context.old.form(left, names=context.types) != context.new.form(right):
        yield "form"
    if context.old.tolerance(left) != context.new.tolerance(right):
        yield "tolerance"
    if context.old.meant(left) != context.new.meant(right):
        yield "default"


def _whole(context: Context, old: Any, new: Any) -> Iterator[str]:
    """What a definition is beside its properties."""
    if context.old.closed(old) != context.new.closed(new):
        yield "closed"
    if _named(context.old, old) != _named(context.new, new):
        yield "values"
    if context.old.is_open(old) != context.new.is_open(new):
        yield "open"
    if not (isinstance(old, dict) and isinstance(new, dict)):
        return
    if not old.get("properties") and not any(word in old for word in (*CHOICES, "enum")):
        forms = context.old.form(old, names=context.types), context.new.form(new)
        if forms[0] != forms[1] and not new.get("properties"):
            yield "form"


def _named(raw: Raw, schema: Any) -> set[str]:
    """The constants that a definition or its branches name; of properties those that stand in the branch itself."""
    found = {f"={value!r}" for value in raw.constants(schema)}
    for branch in raw.branches(schema):
        for name, inner in raw.properties(branch).items():
            if isinstance(inner, dict) and "const" in inner:
                found.add(f"{name}={inner['const']!r}")
    return found


SHAPES = ("*.added", "*.removed", "*.renamed", "*.moved", "type.kind", "method.params")
"""A thing that came, went, or has another name or shape says all of what stands in it."""
TAGS = ("variant.*", "value.*", "type.tag")
STATED_BY: dict[str, tuple[str, ...]] = {
    "definition": ("type.*", "method.*", "variant.tag_*"),
    "property": ("field.*", "capability.*", *TAGS),
    "required": ("field.required", "field.optional", "field.presence", "variant.tag_*", *SHAPES),
    "form": (
        *("field.type", "field.bounds", "field.nullable", "field.non_nullable"),
        *("type.changed", "type.open", "type.close", "capability.*", *TAGS, *SHAPES),
    ),
    "tolerance": ("field.tolerance", *SHAPES),
    "default": ("field.default", "capability.kind", *SHAPES),
    "closed": ("type.closed", "type.opened", "type.open", "type.close", *SHAPES),
    "values": ("error.*", *TAGS, *SHAPES),
    "open": ("type.open", "type.close", *SHAPES),
}
"""Which kinds of change can state a difference."""
BESIDE = {"form": "nullable", "default": "default"}
"""What the detail of a change of the same field may state as well."""


def mentioned(difference: Difference, findings: Any) -> bool:
    """Some finding of a kind that can state it has a pointer to the place, or into it."""
    return any(_states(difference, item.change) for item in findings)


def _states(difference: Difference, change: Any) -> bool:
    kind = f"{change.area}.{change.action}"
    beside = change.area == "field" and BESIDE.get(difference.what) in change.detail
    if not (beside or any(fnmatchcase(kind, item) for item in STATED_BY[difference.what])):
        return False
    for wanted, spot in zip(
        (difference.old, difference.new), (change.old, change.new), strict=True
    ):
        inside = spot.pointer == wanted or spot.pointer.startswith(f"{wanted}/")
        if wanted and inside and (spot.exists or difference.what != "definition"):
            return True
    return False
