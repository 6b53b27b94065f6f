"""How bad each rule is for whom, kept by hand beside the rules: a slip in a row, or in who is who, shows here."""

from __future__ import annotations

from dataclasses import replace

import pytest

from acpgen.diff.finding import SEVERITIES
from acpgen.diff.judging.rule import Effect, Rule
from acpgen.diff.rules import RULES

# Rule; for who writes it (calls the method, advertises the capability): level, and the words that the sentence begins
# with; for who reads it. `-` is no consequence.
LEVELS = """
capability-absorbed            breaking By advertising `{new}`     breaking Look for `{new}`:
capability-added               compatible Advertise it if          compatible Where a peer
capability-kind                breaking Advertise it as            breaking Count it as
capability-moved               breaking Advertise it as            breaking Look for it
capability-removed             risky Leave it out:                 risky Do not look
capability-split               breaking Advertise `{new}` as       breaking Look for `{new}`:
error-added                    compatible Answer with it           risky An answer may
error-removed                  risky Answer with another           compatible Take out what
field-added                    compatible You may write            compatible You may read
field-added-closed             compatible You may write            breaking Take it: a
field-added-required           breaking Write it always:           compatible You may read
field-added-required-closed    breaking Write it always:           breaking Take it: a
field-bounds                   breaking Keep to {now}:             breaking Be ready for
field-bounds-narrower          breaking Keep to {now}:             -
field-bounds-narrower-tolerated risky Keep to {now}:                -
field-bounds-tolerated         risky Keep to {now}:                risky Be ready for
field-bounds-wider             -                                   breaking Be ready for
field-bounds-wider-tolerated   -                                   risky Be ready for
field-default                  risky Write the value               risky Where it is
field-described                risky Write it as                 compatible You may read
field-format                   risky Keep to {now},                risky Read it by
field-format-gone              compatible You need not             risky Be ready for
field-moved                    breaking Write it at                breaking Read it at
field-narrowed                 breaking Keep to {now}:             -
field-narrowed-tolerated       risky Keep to {now}:                -
field-no-patch                 breaking Write the value            breaking Take an absent
field-non-nullable             breaking Leave it out,              -
field-non-nullable-tolerated   risky Leave it out,                 compatible Read null as
field-nullable                 compatible You may write            breaking Be ready for
field-nullable-before          compatible You may write            risky Null is a
field-opened                   compatible You may write            risky Keep a value
field-optional                 compatible You may leave            breaking Be ready for
field-patch                    breaking Leave it out               breaking Tell an absent
field-removed                  risky Leave it out,                 compatible Take out what
field-removed-closed           breaking Leave it out:              compatible Take out what
field-removed-required         risky Leave it out:                 breaking Do without it:
field-removed-required-closed  breaking Leave it out:              breaking Do without it:
field-renamed                  breaking Write `{new}`: nobody      breaking Read `{new}`: the
field-required                 breaking Write it always{also_write}: compatible You need not
field-same                     -                                   -
field-tolerance                risky See to it                     risky Read a malformed
field-tolerance-gained         -                                   risky Do not fail
field-tolerance-lost           risky See to it                     compatible You may refuse
field-type                     breaking Write {now}.               breaking Read {now}.
field-undescribed              compatible You may write            risky Be ready for
field-widened                  -                                   breaking Be ready for
field-widened-tolerated        -                                   risky Be ready for
gate-added                     breaking Send it only               breaking Say in initialize
gate-added-elsewhere           breaking Send it only               risky It comes only
gate-added-never               breaking Do not send                compatible It does not
gate-changed                   breaking Look for {now}             breaking Say in initialize
gate-changed-elsewhere         breaking Look for {now}             breaking It comes where
gate-removed                   compatible Send it without          breaking Be ready for
gate-removed-never             compatible You may send             breaking Be ready for
gate-same                      -                                   -
gate-shut                      breaking Do not send                compatible It does not
gate-stronger                  breaking Send it only               breaking Say in initialize
gate-stronger-elsewhere        breaking Send it only               risky It comes only
gate-unshut                    compatible You may send             risky It can come
gate-weaker                    compatible You may send             breaking Be ready for
gate-weaker-asked              compatible You may send             risky It comes wherever
method-added                   compatible You may call             breaking Implement it: every
method-added-gated             compatible You may send             compatible It comes only
method-added-notification      compatible You may send             risky It can arrive
method-added-proxy             -                                   -
method-errors                  risky Answer with the               risky Expect the new
method-kind                    breaking Send it as                 breaking Handle it as
method-moved                   breaking It goes the                breaking It goes the
method-params                  breaking Write its params           breaking Read its params
method-removed                 breaking Stop calling it,           compatible Remove its handler,
method-removed-notification    breaking Stop sending it,           risky Do not wait
method-renamed                 breaking Send `{new}`: the          breaking Handle `{new}`: the
method-result                  breaking Answer it with             breaking Read its answer
method-stability               -                                   -
method-stable                  -                                   -
method-unstable                risky The next release              risky The next release
place-rule-added               breaking Write it so:               compatible You may refuse
place-rule-removed             compatible You may write            breaking Do not refuse
type-added                     -                                   -
type-annotated                 risky Keep to {now},                risky Read it by
type-annotated-gone            compatible You need not             risky Be ready for
type-changed                   breaking Write {now}.               breaking Read {now}.
type-close                     breaking Write only the             -
type-close-tolerated           risky Write only the                -
type-closed                    breaking Write only its             -
type-exclusive                 breaking Write a value              -
type-inclusive                 -                                   breaking Be ready for
type-kind                      breaking Write it as                breaking Read it as
type-kind-closed               breaking Write only the             -
type-kind-opened               compatible You may write            risky Keep a value
type-narrowed                  breaking Keep to {now}:             -
type-narrowed-tolerated        risky Keep to {now}:                -
type-open                      compatible You may write            risky Keep a value
type-opened                    -                                   breaking Do not refuse
type-removed                   -                                   -
type-renamed                   -                                   -
type-same                      -                                   -
type-tag                       breaking Write {now} to             breaking Read {now} to
type-values-opened             compatible You may write            risky Keep a value
type-widened                   -                                   breaking Be ready for
type-widened-tolerated         -                                   risky Be ready for
update-identity                breaking Say with it                breaking Find what it
update-semantics               breaking Send it as                 breaking Apply it as
value-added                    compatible You may write            breaking Handle it: a
value-added-open               compatible You may write            compatible It can come
value-added-tolerated          compatible You may write            risky Handle it: where
value-removed                  breaking Do not write               compatible Take out what
value-removed-open             risky Stop writing it:              compatible Take out what
value-removed-tolerated        risky Stop writing it:              compatible Take out what
variant-added                  compatible You may write            breaking Handle it: a
variant-added-gated            compatible You may write            compatible It comes only
variant-added-open             compatible You may write            compatible It can come
variant-added-tolerated        compatible You may write            risky Handle it: where
variant-narrowed               breaking Keep to {now}:             -
variant-narrowed-tolerated     risky Keep to {now}:                -
variant-opened                 compatible You may write            risky Keep a value
variant-removed                breaking Do not write               compatible Take out what
variant-removed-open           risky Stop writing it,              compatible Take out what
variant-removed-tolerated      risky Stop writing it,              compatible Take out what
variant-renamed                breaking Write `{new}`: the         breaking Read `{new}`: the
variant-tag-optional           compatible You may leave            breaking Take a value
variant-tag-required           breaking Write the tag              compatible You may go
variant-type                   breaking Write it as                breaking Read it as
variant-widened                -                                   breaking Be ready for
variant-widened-tolerated      -                                   risky Be ready for
"""
BY_ID = {row.id: row for row in RULES}


def said(effect: Effect) -> list[str]:
    return [effect.severity, *effect.sentence.split()[:3]] if effect.sentence else ["-"]


def line(row: Rule) -> str:
    return " ".join([row.id, *said(row.writer), *said(row.reader)])


def swapped(row: Rule) -> Rule:
    return replace(row, writer=row.reader, reader=row.writer)


def misfit(row: Rule, mirror: Rule) -> bool:
    """Both ask more of the same role: what is newly asked of the writer one way is newly left to the reader the other."""
    return lean(row) * lean(mirror) > 0


def lean(row: Rule) -> int:
    ranks = [SEVERITIES.index(item.severity) for item in (row.writer, row.reader)]
    return (ranks[0] > ranks[1]) - (ranks[0] < ranks[1])


def test_every_rule_is_as_bad_for_each_role_as_the_table_says() -> None:
    assert sorted(map(line, RULES)) == sorted(
        " ".join(row.split()) for row in LEVELS.strip().splitlines()
    )


def test_a_rule_whose_roles_are_swapped_is_found_out() -> None:
    known = {" ".join(row.split()) for row in LEVELS.strip().splitlines()}
    unequal = [row for row in RULES if said(row.writer) != said(row.reader)]
    assert len(unequal) > 80
    assert [row.id for row in unequal if line(swapped(row)) in known] == []


@pytest.mark.parametrize("rule", sorted(BY_ID))
def test_a_mirror_does_not_ask_more_of_the_same_role(rule: str) -> None:
    assert not misfit(BY_ID[rule], BY_ID[BY_ID[rule].mirror])


def test_a_mirror_whose_roles_are_swapped_does_not_fit() -> None:
    row = BY_ID["field-required"]
    assert misfit(row, swapped(BY_ID[row.mirror]))
    assert misfit(swapped(row), BY_ID[row.mirror])
