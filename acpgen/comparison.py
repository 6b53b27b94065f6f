"""What `acpgen diff A B` does: read both sides, compare every pair of surfaces, mark what is waived."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from acpgen import sides
from acpgen.config import Config
from acpgen.diff.judging import waivers
from acpgen.diff.run import Compared, diff


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a command found. notices: for the user, about what was read, and waivers that match nothing."""

    pairs: tuple[Compared, ...]
    notices: tuple[str, ...] = field(default=())


def run(settings: Config, a: str, b: str, waiver_files: Sequence[Path] = ()) -> Outcome:
    """Compare what two words stand for (see `sides`), with the findings that are waived marked.

    Raises ProblemError for words, schemas or waivers that cannot be used; before anything is compared.
    """
    accepted = waivers.load(waiver_files)
    left, right = sides.pair(settings, a, b)
    matched: set[str] = set()
    pairs = []
    for index, (old, new) in enumerate(zip(left.specs, right.specs, strict=True)):
        found = diff(old, new, (left.labels[index], right.labels[index]))
        pairs.append(Compared(old, new, waivers.apply(found, accepted, matched)))
    own = [text for item in pairs for text in item.diff.notices]
    told = (*left.notices, *right.notices, *own, *waivers.unmatched(accepted, matched))
    notices = tuple(dict.fromkeys(told))
    return Outcome(
        tuple(replace(item, diff=replace(item.diff, notices=notices)) for item in pairs), notices
    )
