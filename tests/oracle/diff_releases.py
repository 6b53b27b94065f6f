"""Judge the diffs of published releases: `python -m tests.oracle.diff_releases [OLD NEW]`.

OLD and NEW are versions of the official TypeScript SDK, or folders or tarballs of it. Without them: a fixed list of
pairs, old layouts among them. Every finding of every surface that both have goes through `diff_check`, and
`diff_missing` looks for what none of them states. Needs npm and a registry for versions.
Exit code 1 if a finding is false, or one is missing.
"""

from __future__ import annotations

import sys
from pathlib import Path

from acpgen.diff import run
from tests.contract.diffs import context, specs
from tests.oracle import diff_check_fields, diff_check_methods
from tests.oracle.diff_check import judge
from tests.oracle.diff_missing import missing
from tests.oracle.releases import PACKAGE

assert diff_check_fields and diff_check_methods  # they register their checkers

PAIRS = (
    *(("0.4.5", "1.0.0"), ("0.22.0", "1.5.0"), ("1.5.0", "1.9.0")),
    *(("1.9.0", "2.0.0"), ("2.0.0", "2.1.0"), ("2.1.0", "2.4.0")),
)


def source(word: str) -> str:
    return str(Path(word).resolve()) if Path(word).exists() else f"npm:{PACKAGE}@{word}"


def judged(old: str, new: str) -> bool:
    """Whether all findings of all surfaces of a pair are true; prints those that are not."""
    left, right = specs(source(old)), specs(source(new))
    good = True
    for name in left:
        if name not in right:
            print(f"{old} -> {new}: only the old side has {name}")
            continue
        found = run.diff(left[name], right[name]).findings
        sides = context(left[name], right[name], found, (left, right))
        false = judge([item.change for item in found], sides)
        print(f"{old} -> {new} {name}: {len(found)} findings, {len(false)} false", flush=True)
        for what, problems in false.items():
            print(f"  {what}: {'; '.join(problems)}")
        lacking = missing(sides, [item.change for item in found])
        for what in lacking:
            print(f"  missing: {what}")
        good = good and not false and not lacking
    return good


def main(arguments: list[str]) -> int:
    """Exit code."""
    if len(arguments) not in (0, 2):
        raise SystemExit(__doc__)
    pairs = [(arguments[0], arguments[1])] if arguments else PAIRS
    verdicts = [judged(old, new) for old, new in pairs]
    return 0 if all(verdicts) else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
