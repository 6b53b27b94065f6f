"""The migration guide: what the author of one peer has to do to go from one side to the other, in order.

Every finding that is breaking or risky for that author stands in exactly one step, with what to do, and so does what
the author can take out because something is gone. What is kept by hand (`Diff.notes`) stands first in its step. What is
waived is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from acpgen.diff.change import Peer
from acpgen.diff.finding import Diff, Finding, Note, Severity
from acpgen.diff.reporting.guide_steps import STEPS, Step, step_of

URGENCY: Mapping[Severity, str] = {"breaking": "must", "risky": "should", "compatible": "may"}
"""What a severity means for an author: it has to be done, looked at, or can be cleaned up."""


@dataclass(frozen=True, slots=True)
class Item:
    """One thing to do.

    urgency: must, should or may. about: the method, the kind of update, the type or the topic. what: the
    change in a sentence. todo: what the author does. fingerprint: of the finding, "" for a note.
    kind: of the change, or `note`. uses: methods and updates that hold it.
    """

    urgency: str
    about: str
    what: str
    todo: str
    fingerprint: str
    kind: str
    uses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GuideStep:
    """One step with at least one thing to do."""

    number: int
    id: str
    title: str
    intro: str
    items: tuple[Item, ...]

    def counts(self) -> dict[str, int]:
        """How many things per urgency, those without any left out."""
        found = dict.fromkeys(URGENCY.values(), 0)
        for item in self.items:
            found[item.urgency] += 1
        return {word: count for word, count in found.items() if count}


@dataclass(frozen=True, slots=True)
class Guide:
    """The whole checklist. left_out: how many waived findings are not in it. notices: what its reader should know first."""

    old: str
    new: str
    peer: Peer
    steps: tuple[GuideStep, ...]
    left_out: int = 0
    notices: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    def as_markdown(self) -> str:
        """A checklist to tick off. What comes from a schema is text there, whatever it holds."""
        from acpgen.emit.diff_text import markdown

        title = f"From {self.old} to {self.new}: a guide for the {self.peer}'s author"
        lines = [f"# {markdown(title)}", ""]
        for notice in self.notices:
            lines += [f"Note: {markdown(notice)}.", ""]
        for step in self.steps:
            lines += [f"## {step.number}. {step.title}", "", step.intro, ""]
            lines += [_markdown(item) for item in step.items]
            lines.append("")
        if self.left_out:
            lines += [f"Waived, and left out: {self.left_out}.", ""]
        return "\n".join(lines)


def guide(diff: Diff, peer: Peer) -> Guide:
    """The checklist for the author of a peer."""
    concerned = [item for item in diff.findings if concerns(item, peer)]
    placed: dict[str, list[Finding]] = {item.id: [] for item in STEPS}
    for finding in concerned:
        if not finding.waived:
            placed[step_of(finding)].append(finding)
    steps: list[GuideStep] = []
    for step in STEPS:
        notes = [note for note in diff.notes if note.step == step.id and note.consequence(peer)]
        items = tuple(sorted(_items(notes, placed[step.id], peer), key=_rank))
        if items:
            steps.append(_step(step, len(steps) + 1, peer, items))
    return Guide(
        diff.old,
        diff.new,
        peer,
        tuple(steps),
        sum(bool(item.waived) for item in concerned),
        diff.notices,
    )


def concerns(finding: Finding, peer: Peer) -> bool:
    """The finding leaves the author of this peer something to do: it is breaking or risky for that one, or what had to
    be handled is gone.
    """
    level = finding.severity_for(peer)
    if level == "compatible":
        return finding.severity != "compatible" and _leaves_behind(finding)
    return level is not None


def _leaves_behind(finding: Finding) -> bool:
    """Something is gone that code was written for: a thing that was handled, or a gate that was looked for."""
    change = finding.change
    free = change.area == "gate" and (change.detail.get("rule") or change.detail["was"] == "never")
    return change.action == "removed" and not free


def _step(step: Step, number: int, peer: Peer, items: tuple[Item, ...]) -> GuideStep:
    return GuideStep(number, step.id, step.title, step.intro(peer), items)


def _items(notes: Sequence[Note], findings: Sequence[Finding], peer: Peer) -> Iterator[Item]:
    for note in notes:
        what = f"Before: {note.old} Now: {note.new}"
        yield Item(
            URGENCY[note.severity], note.topic, what, note.consequence(peer), "", "note", note.about
        )
    for finding in findings:
        change = finding.change
        yield Item(
            URGENCY[finding.levels.get(peer, finding.severity)],
            change.subject,
            finding.text,
            finding.consequence(peer),
            finding.fingerprint,
            change.kind,
            change.uses,
        )


def _rank(item: Item) -> tuple[bool, int]:
    """Notes first, then by urgency, else in the order of the report."""
    return bool(item.fingerprint), tuple(URGENCY.values()).index(item.urgency)


def _markdown(item: Item) -> str:
    from acpgen.emit.diff_text import markdown

    about, what, todo = markdown(item.about), markdown(item.what), markdown(item.todo)
    if not item.fingerprint:
        return f"- [ ] **{item.urgency}: {about}.** {what} *{todo}*"
    return f"- [ ] **{item.urgency}** {what}. {todo} `{item.fingerprint}`"
