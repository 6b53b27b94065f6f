"""What a rule is: one row that says how bad a change is, for whom, and what to do about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from acpgen.diff.change import ACTIONS
from acpgen.diff.finding import Severity, worst
from acpgen.spec.ir import Json


@dataclass(frozen=True, slots=True)
class Effect:
    """What a change does to one role. sentence: what its author has to know or do; "" is an explicit
    "no consequence".
    """

    severity: Severity
    sentence: str


@dataclass(frozen=True, slots=True)
class Rule:
    """One row.

    id: what findings and reports name. kind: the `area.action` that it judges. when: facts about the
    change that have to hold (`facts.Facts`); of the rows of one kind the first that fits judges, and
    the last has no condition. text: the change in one sentence, as a template over `wording.Wording.of`.
    writer: for who writes the value on the wire (calls the method, advertises the capability, answers
    the error); reader: for who reads it. A peer that does both gets both.
    mirror: id of the rule that judges the same change from new to old. one_way: why the mirror's own
    mirror is another rule; "" where the two are a pair.
    """

    id: str
    kind: str
    text: str
    writer: Effect
    reader: Effect
    mirror: str
    when: Mapping[str, Json] = field(default_factory=dict)
    one_way: str = ""

    @property
    def severity(self) -> Severity:
        """The worst of both roles."""
        return worst((self.writer.severity, self.reader.severity))

    def fits(self, facts: Mapping[str, Json]) -> bool:
        return all(facts.get(name) == value for name, value in self.when.items())

    def as_json(self) -> dict[str, Json]:
        """The row as it is listed, roles by their names in this area."""
        writer, reader = roles(self.kind)
        return {
            "id": self.id,
            "kind": self.kind,
            "when": dict(self.when),
            "severity": self.severity,
            "text": self.text,
            "writer": {
                "role": writer,
                "severity": self.writer.severity,
                "consequence": self.writer.sentence,
            },
            "reader": {
                "role": reader,
                "severity": self.reader.severity,
                "consequence": self.reader.sentence,
            },
            "mirror": self.mirror,
            "one_way": self.one_way,
        }


def breaking(sentence: str) -> Effect:
    """The author has to change code, or what worked fails."""
    return Effect("breaking", sentence)


def risky(sentence: str) -> Effect:
    """What worked may work differently; the author has to look."""
    return Effect("risky", sentence)


def compatible(sentence: str) -> Effect:
    """Nothing that worked fails; the sentence is good to know."""
    return Effect("compatible", sentence)


NOTHING = Effect("compatible", "")
"""No consequence for that role."""

# How a choice that opens is judged, however it stands, and why its mirror may be a wider rule.
OPEN_WRITER = "You may write values of your own; names among them begin with `_`."
OPEN_READER = "Keep a value that you do not know, and do not fail on it."
# How a value is judged that a reader repairs and loses.
LOST_WRITER = "Keep to {now}: no reader fails on another value, but it is {lost}."
LOST_READER = "Be ready for other values than {was}: until then one is {lost}."
CLOSING = "a choice that closes asks of the writer what every narrower type does"


def rows_of_width(kind: str, stem: str, opened: str, also: str = "") -> tuple[Rule, ...]:
    """The rows of a type that takes more values than before, or fewer, wherever it stands.

    kind: what they judge. stem: of their ids. opened: id of the row for one that opens. also: a word
    at the end of each text.
    """
    wider, narrower = f"{stem}-widened", f"{stem}-narrowed"
    turned = f"{{now}}, where it was {{was}}{also}"
    return (
        Rule(
            opened,
            kind,
            f"{{it}} is open now: {turned}",
            writer=compatible(OPEN_WRITER),
            reader=risky(OPEN_READER),
            mirror=narrower,
            when={"effect": "opened"},
            one_way=CLOSING,
        ),
        Rule(
            f"{wider}-tolerated",
            kind,
            f"{{it}} allows more now, which readers repair: {turned}",
            writer=NOTHING,
            reader=risky(LOST_READER),
            mirror=f"{narrower}-tolerated",
            when={"effect": "wider", "tolerated": True},
        ),
        Rule(
            wider,
            kind,
            f"{{it}} allows more now: {turned}",
            writer=NOTHING,
            reader=breaking("Be ready for other values than {was}."),
            mirror=narrower,
            when={"effect": "wider"},
        ),
        Rule(
            f"{narrower}-tolerated",
            kind,
            f"{{it}} allows less now, and readers repair the rest: {turned}",
            writer=risky(LOST_WRITER),
            reader=NOTHING,
            mirror=f"{wider}-tolerated",
            when={"effect": "narrower", "tolerated": True},
        ),
        Rule(
            narrower,
            kind,
            f"{{it}} allows less now: {turned}",
            writer=breaking("Keep to {now}: anything else is invalid."),
            reader=NOTHING,
            mirror=wider,
            when={"effect": "narrower"},
        ),
    )


_ROLES = {
    "method": ("caller", "implementer"),
    "gate": ("sender", "receiver"),
    "capability": ("advertiser", "peer of it"),
    "update": ("sender", "receiver"),
    "error": ("answerer", "caller"),
}


def roles(kind: str) -> tuple[str, str]:
    """What the writer and the reader of a kind of change are called."""
    if kind in ("method.result", "method.errors"):
        return "implementer", "caller"
    return _ROLES.get(kind.partition(".")[0], ("writer", "reader"))


def faults(rows: tuple[Rule, ...]) -> list[str]:
    """What is wrong with a table of rules: kinds without a row, rows that never judge, mirrors that are none."""
    found = []
    by_id = {row.id: row for row in rows}
    if len(by_id) != len(rows):
        found.append("an id stands twice")
    for kind in ACTIONS_WITH_MIRRORS:
        own = [row for row in rows if row.kind == kind]
        if not own:
            found.append(f"{kind} has no rule")
        elif own[-1].when or not all(row.when for row in own[:-1]):
            found.append(f"{kind}: the last rule, and no other, has to be without a condition")
    for row in rows:
        mirror = by_id.get(row.mirror)
        if row.kind not in ACTIONS_WITH_MIRRORS:
            found.append(f"{row.id} judges {row.kind}, which is no change")
        elif mirror is None:
            found.append(f"{row.id}: there is no rule {row.mirror}")
        elif mirror.kind != ACTIONS_WITH_MIRRORS[row.kind]:
            found.append(f"{row.id}: {row.mirror} is about {mirror.kind}")
        elif (mirror.mirror == row.id) == bool(row.one_way):
            found.append(f"{row.id}: its mirror leads elsewhere, or a reason is given for nothing")
    return found


def _both_ways() -> dict[str, str]:
    """Every action with its mirror, those among them that ACTIONS holds only as a mirror."""
    return {**{mirror: action for action, mirror in ACTIONS.items()}, **ACTIONS}


ACTIONS_WITH_MIRRORS: Mapping[str, str] = _both_ways()
