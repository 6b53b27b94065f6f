"""Rules about methods, gates, capabilities, kinds of session/update and error codes.

The writer of a method is who calls it, its reader who implements it; a capability's writer is who
advertises it.
"""

from __future__ import annotations

from acpgen.diff.judging.rule import NOTHING, Rule, breaking, compatible, risky

_OTHER_WAY = "an added method may be gated, a removed one is gone either way"

METHODS: tuple[Rule, ...] = (
    Rule(
        "method-added-proxy",
        "method.added",
        "{it} was added, for proxies",
        writer=NOTHING,
        reader=NOTHING,
        mirror="method-removed",
        when={"side": "proxy"},
        one_way=_OTHER_WAY,
    ),
    Rule(
        "method-added-notification",
        "method.added",
        "{it} was added",
        writer=compatible("You may send it; a peer that does not know it ignores it."),
        reader=risky("It can arrive now: what it says is lost until you handle it."),
        mirror="method-removed-notification",
        when={"message": "notification", "gated": False},
    ),
    Rule(
        "method-added-gated",
        "method.added",
        "{it} was added; it needs {gate}",
        writer=compatible("You may send it where {gate} holds{states}."),
        reader=compatible("It comes only where {gate} holds: nobody sends it before that."),
        mirror="method-removed",
        when={"gated": True},
        one_way=_OTHER_WAY,
    ),
    Rule(
        "method-added",
        "method.added",
        "{it} was added, and nothing gates it",
        writer=compatible("You may call it; a peer that does not know it answers -32601."),
        reader=breaking("Implement it: every peer may call it."),
        mirror="method-removed",
    ),
    Rule(
        "method-removed-notification",
        "method.removed",
        "{it} was removed",
        writer=breaking("Stop sending it, nobody reads it: {instead}."),
        reader=risky("Do not wait for it, it does not come any more: {instead}."),
        mirror="method-added-notification",
        when={"message": "notification"},
    ),
    Rule(
        "method-removed",
        "method.removed",
        "{it} was removed",
        writer=breaking("Stop calling it, the answer is -32601: {instead}."),
        reader=compatible("Remove its handler, nobody calls it any more: {instead}."),
        mirror="method-added",
    ),
    Rule(
        "method-renamed",
        "method.renamed",
        "{it} is called `{new}` now",
        writer=breaking("Send `{new}`: the old name is unknown to the peer."),
        reader=breaking("Handle `{new}`: the old name does not come any more."),
        mirror="method-renamed",
    ),
    Rule(
        "method-moved",
        "method.moved",
        "{it} goes to the {now} now, where it went to the {was}",
        writer=breaking(
            "It goes the other way now: who sent it receives it, who received it sends it."
        ),
        reader=breaking(
            "It goes the other way now: who sent it receives it, who received it sends it."
        ),
        mirror="method-moved",
    ),
    Rule(
        "method-kind",
        "method.kind",
        "{it} is a {now} now, where it was a {was}",
        writer=breaking("Send it as a {now}: as a {was} it is unknown."),
        reader=breaking("Handle it as a {now}: only a request is answered."),
        mirror="method-kind",
    ),
    Rule(
        "method-params",
        "method.params",
        "{it} takes {now} as params, where it took {was}",
        writer=breaking("Write its params as {now}."),
        reader=breaking("Read its params as {now}."),
        mirror="method-params",
    ),
    Rule(
        "method-result",
        "method.result",
        "{it} answers {now}, where it answered {was}",
        writer=breaking("Answer it with {now}."),
        reader=breaking("Read its answer as {now}."),
        mirror="method-result",
    ),
    Rule(
        "method-stable",
        "method.stability",
        "{it} is stable now, where it was {was}",
        writer=NOTHING,
        reader=NOTHING,
        mirror="method-unstable",
        when={"now": "stable"},
    ),
    Rule(
        "method-unstable",
        "method.stability",
        "{it} is {now} now, where it was stable",
        writer=risky("The next release may change or drop it: do not build on it alone."),
        reader=risky("The next release may change or drop it: do not build on it alone."),
        mirror="method-stable",
        when={"was": "stable"},
    ),
    Rule(
        "method-stability",
        "method.stability",
        "{it} comes from {now} now, where it came from {was}",
        writer=NOTHING,
        reader=NOTHING,
        mirror="method-stability",
    ),
    Rule(
        "method-errors",
        "method.errors",
        "what {it} needs or answers with in an error changed{change}",
        writer=risky("Answer with the new codes where the call fails for these reasons."),
        reader=risky("Expect the new codes, and see to it that what it needs is there first."),
        mirror="method-errors",
    ),
    Rule(
        "place-rule-added",
        "gate.added",
        "{it} has to be {now} now",
        writer=breaking("Write it so: any other value is refused."),
        reader=compatible("You may refuse any other value."),
        mirror="place-rule-removed",
        when={"is_rule": True},
    ),
    Rule(
        "gate-added-elsewhere",
        "gate.added",
        "{it} needs {now} now",
        writer=breaking("Send it only where {now} holds{states}: it is refused otherwise."),
        reader=risky("It comes only where {now} holds{states}."),
        mirror="gate-removed",
        when={"asks_receiver": False},
        one_way="a gate that goes is gone alike, whoever had to open it",
    ),
    Rule(
        "gate-added",
        "gate.added",
        "{it} needs {now} now",
        writer=breaking("Send it only where {now} holds{states}: it is refused otherwise."),
        reader=breaking("Say in initialize that {now} holds: nobody sends it otherwise."),
        mirror="gate-removed",
    ),
    Rule(
        "place-rule-removed",
        "gate.removed",
        "{it} need not be {was} any more",
        writer=compatible("You may write other values."),
        reader=breaking("Do not refuse other values."),
        mirror="place-rule-added",
        when={"is_rule": True},
    ),
    Rule(
        "gate-removed",
        "gate.removed",
        "{it} does not need {was} any more",
        writer=compatible("Send it without looking for {was}."),
        reader=breaking("Be ready for it from every peer: {was} does not hold it back any more."),
        mirror="gate-added",
    ),
    Rule(
        "gate-changed",
        "gate.changed",
        "{it} needs {now} now, where it needed {was}",
        writer=breaking("Look for {now} before you send it, not for {was}{states}."),
        reader=breaking("It comes only where {now} holds: saying {was} opens nothing any more."),
        mirror="gate-changed",
    ),
)

CAPABILITIES: tuple[Rule, ...] = (
    Rule(
        "capability-added",
        "capability.added",
        "{it} was added",
        writer=compatible("Advertise it if you offer what it stands for."),
        reader=compatible("Where a peer advertises it, you may rely on it."),
        mirror="capability-removed",
    ),
    Rule(
        "capability-removed",
        "capability.removed",
        "{it} was removed",
        writer=risky("Leave it out, nobody looks for it{by}."),
        reader=risky("Do not look for it, nobody advertises it{by}."),
        mirror="capability-added",
    ),
    Rule(
        "capability-moved",
        "capability.moved",
        "{it} moved to `{new}`{shape}",
        writer=breaking("Advertise it as `{new}`{value}: nobody looks at the old place."),
        reader=breaking("Look for it at `{new}`{value}: nobody advertises it at the old place."),
        mirror="capability-moved",
    ),
    Rule(
        "capability-kind",
        "capability.kind",
        "{it} is {now} now, where it was {was}",
        writer=breaking("Advertise it as {now}: as {was} it counts as unsupported."),
        reader=breaking("Count it as supported where it is {now}."),
        mirror="capability-kind",
    ),
    Rule(
        "capability-absorbed",
        "capability.absorbed",
        "{it} went into `{new}`, whose presence says it now",
        writer=breaking("By advertising `{new}` you promise this as well."),
        reader=breaking("Look for `{new}`: this is part of it."),
        mirror="capability-split",
    ),
    Rule(
        "capability-split",
        "capability.split",
        "`{new}` has to be advertised on its own now, where {it} said it",
        writer=breaking("Advertise `{new}` as well: the rest does not say it any more."),
        reader=breaking("Look for `{new}`: do not take it as given."),
        mirror="capability-absorbed",
    ),
)

UPDATES: tuple[Rule, ...] = (
    Rule(
        "update-semantics",
        "update.semantics",
        "{it} {now} now, where it {was}",
        writer=breaking("Send it as one that {now}."),
        reader=breaking("Apply it as one that {now}."),
        mirror="update-semantics",
    ),
    Rule(
        "update-identity",
        "update.identity",
        "{it} is about {now} now, where it was about {was}",
        writer=breaking("Say with it which one is meant: it is about {now}."),
        reader=breaking("Find what it is about by the new field: it is about {now}."),
        mirror="update-identity",
    ),
)

ERRORS: tuple[Rule, ...] = (
    Rule(
        "error-added",
        "error.added",
        "error {it} was added",
        writer=compatible("Answer with it where it says more than a general code."),
        reader=risky("An answer may carry it: tell it from the other errors."),
        mirror="error-removed",
    ),
    Rule(
        "error-removed",
        "error.removed",
        "error {it} was removed",
        writer=risky("Answer with another code: nobody knows what it means any more."),
        reader=compatible("It is not answered any more."),
        mirror="error-added",
    ),
)
