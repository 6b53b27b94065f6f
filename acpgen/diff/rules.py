"""Rules over changes: how bad each is, for whom, and in which words.

    judge(changes, old, new) -> tuple[Finding, ...]

A change is judged from the old side: code that was written for it meets a peer of the new one, or moves
there itself. What the schema newly allows breaks who reads it, what it newly asks for breaks who writes it.
A change of what nobody sends (an unused type) harms nobody.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from acpgen.diff.change import Change, Peer
from acpgen.diff.finding import PEERS, Finding, Severity, with_fingerprints, worst
from acpgen.diff.judging.facts import Facts
from acpgen.diff.judging.rows_fields import FIELDS
from acpgen.diff.judging.rows_methods import CAPABILITIES, ERRORS, METHODS, UPDATES
from acpgen.diff.judging.rows_types import TYPES
from acpgen.diff.judging.rows_variants import VARIANTS
from acpgen.diff.judging.rule import Effect, Rule
from acpgen.diff.judging.wording import Wording
from acpgen.spec.ir import Json, Spec

RULES: tuple[Rule, ...] = (*METHODS, *CAPABILITIES, *UPDATES, *TYPES, *FIELDS, *VARIANTS, *ERRORS)
"""Every rule. Of the rules of one kind the first that fits judges."""

_BY_KIND: Mapping[str, Sequence[Rule]] = {
    kind: [row for row in RULES if row.kind == kind]
    for kind in dict.fromkeys(row.kind for row in RULES)
}
_ORDER = {
    area: rank
    for rank, area in enumerate(
        ("method", "gate", "capability", "update", "type", "field", "variant", "value", "error")
    )
}
_AREAS = {"gate": "method", "field": "type"}


def judge(changes: Sequence[Change], old: Spec, new: Spec) -> tuple[Finding, ...]:
    """The findings of some changes: methods with their gates, capabilities, updates, types with their
    properties, variants and values, error codes; each by name.
    """
    facts = Facts(changes, old, new)
    wording = Wording(facts)
    found = [_finding(change, facts.of(change), wording) for change in changes]
    return with_fingerprints(sorted(found, key=_place))


def rule_for(change: Change, facts: Mapping[str, Json]) -> Rule:
    """The rule that judges a change."""
    return next(row for row in _BY_KIND[change.kind] if row.fits(facts))


def _finding(change: Change, facts: Mapping[str, Json], wording: Wording) -> Finding:
    rule = rule_for(change, facts)
    words = wording.of(change, facts)
    none = wording.facts.for_proxies(change)
    effects: dict[Peer, list[Effect]] = {
        peer: [] if none else _effects(change, rule, peer) for peer in PEERS
    }
    sentences = {peer: _joined(found, words) for peer, found in effects.items()}
    levels: dict[Peer, Severity] = {}
    for peer, own in effects.items():
        if own:
            levels[peer] = worst(item.severity for item in own)
    return Finding(
        change,
        rule.id,
        _severity(change, rule, levels),
        rule.text.format_map(words),
        agent=sentences["agent"],
        client=sentences["client"],
        breaks=frozenset(peer for peer, level in levels.items() if level == "breaking"),
        levels=levels,
    )


def _effects(change: Change, rule: Rule, peer: Peer) -> list[Effect]:
    """What it does to a peer: who writes the value is not the one who reads it, unless both do both."""
    found = []
    if peer in change.writers:
        found.append(rule.writer)
    if change.writers - {peer}:
        found.append(rule.reader)
    return found


def _severity(change: Change, rule: Rule, levels: Mapping[Peer, Severity]) -> Severity:
    if levels:
        return worst(levels.values())
    # What is between other parties (proxies) harms these; what no message holds harms nobody.
    return rule.severity if change.uses or change.area in ("method", "gate") else "compatible"


def _joined(effects: Iterable[Effect], words: Mapping[str, str]) -> str:
    """The sentences of a peer; of one that writes and reads, both."""
    sentences = (item.sentence.format_map(words) for item in effects if item.sentence)
    return " ".join(dict.fromkeys(sentences))


def _place(finding: Finding) -> tuple[int, str, int, str, str, str]:
    """Where a finding stands in the order of a report."""
    change = finding.change
    area = _AREAS.get(change.area, change.area)
    return (
        _ORDER[area],
        change.subject.partition(".")[0] if area == "type" else change.subject,
        _ORDER[change.area],
        change.subject,
        change.action,
        change.new.name,
    )
