"""One comparison: two Specs -> a judged Diff, and which of its findings are asked for."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from acpgen.diff import notes
from acpgen.diff.change import Area, Peer
from acpgen.diff.compare import compare
from acpgen.diff.finding import Diff, Finding, Severity
from acpgen.diff.pairing import renames as renaming
from acpgen.diff.pairing.renames import RenameRow
from acpgen.diff.rules import judge
from acpgen.spec.ir import Spec


@dataclass(frozen=True, slots=True)
class Selection:
    """Which findings to show; each that is empty asks for nothing.

    side: that concern the author of this peer; severity is then what it is for that one. areas,
    severities: of one of these. text: that hold all its words, each in a name, a sentence, a use,
    the rule or the fingerprint, whatever the case.
    """

    side: Peer | None = None
    severities: Collection[Severity] = ()
    areas: Collection[Area] = ()
    text: str = ""

    def __bool__(self) -> bool:
        return bool(self.side or self.severities or self.areas or self.text)

    def takes(self, finding: Finding) -> bool:
        level = finding.severity_for(self.side)
        return (
            level is not None
            and (not self.severities or level in self.severities)
            and (not self.areas or finding.change.area in self.areas)
            and (not self.text or _holds(_words(finding), self.text))
        )

    def of(self, diff: Diff) -> Diff:
        """The diff with the findings that are asked for; notes belong to the whole."""
        if not self:
            return diff
        return replace(diff, findings=tuple(filter(self.takes, diff.findings)), notes=())

    def applied(self, pair: Compared) -> Compared:
        """The pair with the findings that are asked for."""
        return replace(pair, diff=self.of(pair.diff), selected=bool(self))


@dataclass(frozen=True, slots=True)
class Compared:
    """One pair of surfaces. selected: the diff holds a part of the findings."""

    old: Spec
    new: Spec
    diff: Diff
    selected: bool = False


def diff(
    old: Spec,
    new: Spec,
    labels: tuple[str, str] | None = None,
    renames: Sequence[RenameRow] | None = None,
) -> Diff:
    """Compare and judge.

    labels: what the sides are called; their surfaces if None. renames: rows that say what is one thing
    under two names; those of schemas/renames.toml if None. Raises ProblemError for hand-kept files that
    do not fit.
    """
    rows = renaming.packaged() if renames is None else renames
    findings = judge(compare(old, new, rows), old, new)
    left, right = labels or (old.surface, new.surface)
    told = notes.between(old, new)
    return Diff(left, right, findings, notices=notes.untold(old, new), notes=told)


def _holds(text: str, words: str) -> bool:
    return all(word in text for word in words.lower().split())


def _words(finding: Finding) -> str:
    change = finding.change
    parts = (
        change.subject,
        change.old.name,
        change.new.name,
        finding.text,
        finding.agent,
        finding.client,
        finding.rule,
        change.kind,
        finding.fingerprint,
        *change.uses,
    )
    return "\n".join(parts).lower()
