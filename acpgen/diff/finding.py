"""Findings: changes with a judgement. `rules` makes them, `report` shows them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from acpgen.diff.change import Change, Peer

Severity = Literal["breaking", "risky", "compatible"]
SEVERITIES: tuple[Severity, ...] = ("breaking", "risky", "compatible")
PEERS: tuple[Peer, ...] = ("agent", "client")

# All of a change's detail tells it from others of its kind and subject, but for what is said about it, and for types in
# words, which a renamed type changes.
_SAID = ("note", "replaced_by", "type", "stands_for")


@dataclass(frozen=True, slots=True)
class Finding:
    """One change, judged.

    rule: id of the row that judged it. severity: the worst that it does to anybody.
    agent, client: one sentence of consequence for the author of each; "" where it does not concern that one.
    breaks: the peers that have to change. text: the change in one sentence.
    fingerprint: 12 hex digits that stay the same while the change does, whatever else moves.
    waived: the reason given in a waiver file, or "".
    levels: how bad it is for the author of each peer that it concerns.
    """

    change: Change
    rule: str
    severity: Severity
    text: str
    agent: str = ""
    client: str = ""
    breaks: frozenset[Peer] = frozenset()
    fingerprint: str = ""
    waived: str = ""
    levels: Mapping[Peer, Severity] = field(default_factory=dict)

    def consequence(self, peer: Peer) -> str:
        """The sentence for the author of a peer."""
        return self.agent if peer == "agent" else self.client

    def severity_for(self, peer: Peer | None) -> Severity | None:
        """How bad it is for the author of a peer; None where it does not concern that one. For no peer: the worst."""
        if peer is None:
            return self.severity
        return self.levels.get(peer) if self.consequence(peer) else None


@dataclass(frozen=True, slots=True)
class Note:
    """A change of meaning that no schema shows: what the same message stands for, who owes what.

    topic: a few words. old, new: how it is before and after. agent, client: what the author of each has to do;
    "" where it asks nothing of that one. severity: for whoever it asks something. step: where the guide puts it.
    about: methods, updates, capabilities and types that it is about. old_pointers, new_pointers: into the
    contract schemas, of those of them that stand there.
    """

    topic: str
    old: str
    new: str
    agent: str = ""
    client: str = ""
    severity: Severity = "breaking"
    step: str = ""
    about: tuple[str, ...] = ()
    old_pointers: tuple[str, ...] = ()
    new_pointers: tuple[str, ...] = ()

    def consequence(self, peer: Peer) -> str:
        """The sentence for the author of a peer."""
        return self.agent if peer == "agent" else self.client


@dataclass(frozen=True, slots=True)
class Diff:
    """Everything that differs between two Specs.

    old, new: their labels ("v1", "v2_unstable", "v1 of npm:...@2.1.0"). findings: in the order of the report: methods,
    capabilities, updates, types, by name. notices: for the user (a waiver that matched nothing, ...).
    notes: what no schema shows, kept by hand (schemas/migrations).
    """

    old: str
    new: str
    findings: tuple[Finding, ...] = ()
    notices: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()

    def matches(self, at_least: Severity, peer: Peer | None = None) -> tuple[Finding, ...]:
        """The findings that are at least that severe and not waived. peer: as its author sees it."""
        worst = SEVERITIES[: SEVERITIES.index(at_least) + 1]
        return tuple(
            item for item in self.findings if not item.waived and item.severity_for(peer) in worst
        )


def worst(severities: Iterable[Severity]) -> Severity:
    """The worst of some severities; of none, `compatible`."""
    found = set(severities)
    for item in SEVERITIES:
        if item in found:
            return item
    return "compatible"


def fingerprint(change: Change, nth: int = 0) -> str:
    """12 hex digits of what the change is: its kind, subject, names, and its detail: what was and is now, where, when.

    No pointer and no label takes part, nor how it is judged: another release, an added definition or a new rule keeps it.
    The same thing changed the other way, or to another value, is another change: a waiver does not accept it.
    nth: tells changes apart that are equal in all that.
    """
    identity = [
        change.kind,
        change.subject,
        [change.old.name, change.old.exists],
        [change.new.name, change.new.exists],
        {key: value for key, value in change.detail.items() if key not in _SAID},
        nth,
    ]
    text = json.dumps(identity, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:12]


def with_fingerprints(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """The findings with their fingerprints, each of which stands once."""
    taken: set[str] = set()
    found = []
    for item in findings:
        nth = 0
        while (mark := fingerprint(item.change, nth)) in taken:
            nth += 1
        taken.add(mark)
        found.append(replace(item, fingerprint=mark))
    return tuple(found)
