"""One comparison: two Specs -> a judged Diff; two words of the command line -> all of theirs."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from acpgen import resources
from acpgen.config import Config
from acpgen.diff import load, notes
from acpgen.diff.change import Area, Peer
from acpgen.diff.compare import compare
from acpgen.diff.finding import Diff, Finding, Severity
from acpgen.diff.judging import waivers
from acpgen.diff.pairing import renames as renaming
from acpgen.diff.pairing.renames import RenameRow
from acpgen.diff.rules import judge
from acpgen.spec.ir import Spec


@dataclass(frozen=True, slots=True)
class Selection:
    """Which findings to show; each that is empty asks for nothing.

    side: that concern the author of this peer; severity is then what it is for that one. areas,
    severities: of one of these. text: that hold this in a name, a sentence, a use, the rule or the
    fingerprint, whatever the case.
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
            and (not self.text or self.text.lower() in _words(finding))
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


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a command found. notices: for the user, about what was read, and waivers that match nothing."""

    pairs: tuple[Compared, ...]
    notices: tuple[str, ...] = field(default=())


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
    rows = packaged_renames() if renames is None else renames
    findings = judge(compare(old, new, rows), old, new)
    left, right = labels or (old.surface, new.surface)
    return Diff(left, right, findings, notes=notes.between(old, new))


def packaged_renames() -> tuple[RenameRow, ...]:
    """The rows of schemas/renames.toml."""
    return renaming.load([resources.schemas_dir() / "renames.toml"])


def run(settings: Config, a: str, b: str, waiver_files: Sequence[Path] = ()) -> Outcome:
    """Compare what two words stand for (see `load`), with the findings that are waived marked.

    Raises ProblemError for words, schemas or waivers that cannot be used; before anything is compared.
    """
    accepted = waivers.load(waiver_files)
    left, right = load.pair(settings, a, b)
    matched: set[str] = set()
    pairs = []
    for index, (old, new) in enumerate(zip(left.specs, right.specs, strict=True)):
        found = diff(old, new, (left.labels[index], right.labels[index]))
        pairs.append(Compared(old, new, waivers.apply(found, accepted, matched)))
    told = (*left.notices, *right.notices, *waivers.unmatched(accepted, matched))
    notices = tuple(dict.fromkeys(told))
    return Outcome(
        tuple(replace(item, diff=replace(item.diff, notices=notices)) for item in pairs), notices
    )


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
