# Part of acpgen's runtime, copied as it is. Do not edit.
"""What a class says about its wire format beyond its annotations."""

from __future__ import annotations

import functools
from collections.abc import Collection, Mapping
from typing import Any


class Wire:
    """The wire format of one class, where the annotations do not say it. Every field is meant by
    its Python name.

    names: wire names that do not follow the rule (`wire_name`).
    tags: discriminators and their values; building fills them in, decoding requires them.
    not_null: optional fields that are None when absent but whose JSON value is never null.
    on_error: fields whose malformed value becomes their default.
    fallback: what stands for the default of required fields, as JSON; a missing one is an error.
    skip_items: arrays that lose their malformed items.
    on_null: fields that read null as their default.
    omit_empty: arrays that are left out when empty.
    """

    __slots__ = (
        "fallback",
        "names",
        "not_null",
        "omit_empty",
        "on_error",
        "on_null",
        "repaired",
        "skip_items",
        "tags",
    )

    def __init__(
        self,
        *,
        names: Mapping[str, str] = {},
        tags: Mapping[str, Any] = {},
        not_null: Collection[str] = (),
        on_error: Collection[str] = (),
        fallback: Mapping[str, Any] = {},
        skip_items: Collection[str] = (),
        on_null: Collection[str] = (),
        omit_empty: Collection[str] = (),
    ) -> None:
        self.names = names
        self.tags = tags
        self.not_null = not_null
        self.on_error = on_error
        self.fallback = fallback
        self.skip_items = skip_items
        self.on_null = on_null
        self.omit_empty = omit_empty
        self.repaired = {*on_error, *fallback, *skip_items, *on_null}

    def of(self, name: str) -> str:
        """The wire name of a field."""
        return self.names.get(name) or wire_name(name)


@functools.lru_cache(maxsize=4096)
def wire_name(name: str) -> str:
    """The wire name of a field where its class states none: camel case, and `_meta` for `meta`."""
    if name == "meta":
        return "_meta"
    first, *rest = name.split("_")
    return first + "".join(word[:1].upper() + word[1:] for word in rest)
