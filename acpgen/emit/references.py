"""Where definitions are used, for docstrings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from acpgen.spec.ir import Record, Spec, type_names

Uses: TypeAlias = Mapping[str, list[str]]


def uses(spec: Spec) -> Uses:
    """Where each definition is used: `Class.field`, in the order of the schema."""
    found: dict[str, list[str]] = {}
    for name, item in spec.definitions.items():
        if isinstance(item, Record):
            for field in item.fields:
                for used in type_names(field.type):
                    place = f"{name}.{field.name}"
                    if place not in found.setdefault(str(used), []):
                        found[str(used)].append(place)
    return found
