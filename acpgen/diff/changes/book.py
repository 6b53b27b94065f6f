"""Where changes are collected: one transition is written down once, whoever comes upon it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias, cast

from acpgen.diff.change import ACTIONS, Area, Change, Peer, Spot
from acpgen.diff.pairing.capabilities import CapabilityPairs
from acpgen.diff.pairing.direction import Usage
from acpgen.diff.pairing.gates import GatePair
from acpgen.diff.pairing.pairs import Pairs
from acpgen.diff.pairing.sameness import Sameness
from acpgen.diff.pairing.surface import Surface
from acpgen.spec.ir import AnyDefinition, Json
from acpgen.spec.names import ClassName

Users: TypeAlias = "tuple[frozenset[Peer], frozenset[str]]"
"""Who writes something, and the methods and kinds of update that hold it."""


@dataclass
class Book:
    """What the comparing modules share, and the changes so far.

    A change of something shared (a property that several variants have) is found once per user; its writers and uses add
    up. Only what is the same in every detail is one change: two conditions on one place are two.
    """

    pairs: Pairs
    same: Sameness
    gates: list[GatePair]
    capabilities: CapabilityPairs
    usage: tuple[Usage, Usage]
    changes: dict[tuple[object, ...], Change] = field(default_factory=dict)

    @property
    def old(self) -> Surface:
        return self.pairs.old

    @property
    def new(self) -> Surface:
        return self.pairs.new

    def users(self, before: ClassName | None, after: ClassName | None) -> Users:
        """(writers, uses) of a definition, on either side."""
        left, right = self.usage[0].of(before), self.usage[1].of(after)
        return left[0] | right[0], left[1] | right[1]

    def add(
        self,
        kind: str,
        old: Spot,
        new: Spot,
        users: Users = (frozenset(), frozenset()),
        *,
        subject: str = "",
        evidence: str = "",
        detail: Mapping[str, Json] | None = None,
    ) -> None:
        """Write a change down. users: writers and uses. subject: else the old name, or the new one if it was added."""
        assert kind in ACTIONS or kind in ACTIONS.values(), kind
        area, action = kind.split(".")
        subject = subject or (old.name if old.exists else new.name)
        key = (
            kind,
            subject,
            old.pointer if old.exists else None,
            new.pointer if new.exists else None,
            old.name if old.exists else None,
            new.name if new.exists else None,
            json.dumps(dict(detail or {}), sort_keys=True),
        )
        found = self.changes.get(key)
        if found is not None:
            self.changes[key] = replace(
                found,
                old=min(found.old, old, key=lambda spot: spot.pointer),
                new=min(found.new, new, key=lambda spot: spot.pointer),
                writers=found.writers | users[0],
                uses=tuple(sorted({*found.uses, *users[1]})),
            )
            return
        self.changes[key] = Change(
            cast(Area, area),
            action,
            subject,
            old,
            new,
            users[0],
            evidence,
            tuple(sorted(users[1])),
            dict(detail or {}),
        )


def turn(was: Json, now: Json) -> dict[str, Json]:
    """A value before and after, as details state it."""
    return {"was": was, "now": now}


def spots(book: Book, left: AnyDefinition, right: AnyDefinition) -> tuple[Spot, Spot]:
    """Where a definition and its successor stand."""
    return book.old.spot(left), book.new.spot(right)
