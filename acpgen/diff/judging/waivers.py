"""Waivers: findings that somebody has looked at and accepts, in a TOML file.

[[waiver]]
fingerprint = "0123456789ab"       # as `acpgen diff` prints it
reason = "We never send it."       # required
text = "`x` of session/new params became required"   # optional, for who reads the file
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from acpgen.config import read_toml
from acpgen.diff.finding import Diff, Finding
from acpgen.problem import Problem, ProblemError

_FINGERPRINT = re.compile(r"[0-9a-f]{12}")
_KEYS = ("fingerprint", "reason", "text")


@dataclass(frozen=True, slots=True)
class Waiver:
    """One accepted finding. where: the file and the row, for messages."""

    fingerprint: str
    reason: str
    where: str
    text: str = ""


def load(paths: Iterable[Path]) -> tuple[Waiver, ...]:
    """The waivers of some files. Raises ProblemError with every fault in any of them."""
    problems: list[Problem] = []
    found: dict[str, Waiver] = {}
    for path in paths:
        try:
            rows = _rows(path, problems)
        except ProblemError as error:
            problems += error.problems
            continue
        for row in rows:
            if row.fingerprint in found:
                first = found[row.fingerprint].where
                what = f"waives {row.fingerprint}, which {first} does already"
                problems.append(Problem(row.where, what, "keep one of them"))
            found.setdefault(row.fingerprint, row)
    if problems:
        raise ProblemError(problems)
    return tuple(found.values())


def apply(diff: Diff, waivers: Sequence[Waiver], matched: set[str]) -> Diff:
    """The diff with the findings that are waived marked as such.

    matched: gets the fingerprints that matched; see `unmatched`.
    """
    reasons = {item.fingerprint: item.reason for item in waivers}
    if not reasons:
        return diff
    findings = tuple(_waived(item, reasons, matched) for item in diff.findings)
    return replace(diff, findings=findings)


def unmatched(waivers: Sequence[Waiver], matched: set[str]) -> tuple[str, ...]:
    """A notice for each waiver that matched no finding."""
    return tuple(
        f"{item.where}: waives {item.fingerprint}, which is no finding here"
        f"{f' ({item.text})' if item.text else ''}: remove it"
        for item in waivers
        if item.fingerprint not in matched
    )


def _waived(finding: Finding, reasons: dict[str, str], matched: set[str]) -> Finding:
    reason = reasons.get(finding.fingerprint)
    if reason is None:
        return finding
    matched.add(finding.fingerprint)
    return replace(finding, waived=reason)


def _rows(path: Path, problems: list[Problem]) -> list[Waiver]:
    data = read_toml(path)
    for key in data:
        if key != "waiver":
            near = difflib.get_close_matches(key, ["waiver"], n=1)
            hint = "did you mean [[waiver]]?" if near else "it holds [[waiver]] rows only"
            problems.append(Problem(path.name, f"unknown key {key!r}", hint))
    rows = data.get("waiver", [])
    if not isinstance(rows, list):
        problems.append(Problem(f"{path.name}#waiver", "has to be a list of tables: [[waiver]]"))
        return []
    checked = (
        _row(item, f"{path.name}#waiver/{index}", problems) for index, item in enumerate(rows)
    )
    return [item for item in checked if item is not None]


def _row(item: Any, where: str, problems: list[Problem]) -> Waiver | None:
    if not isinstance(item, dict):
        problems.append(Problem(where, "has to be a table: [[waiver]]"))
        return None
    before = len(problems)
    for key, value in item.items():
        if key not in _KEYS:
            near = difflib.get_close_matches(key, _KEYS, n=1)
            hint = f"did you mean {near[0]}?" if near else f"it has {', '.join(_KEYS)}"
            problems.append(Problem(where, f"unknown key {key!r}", hint))
        elif not isinstance(value, str):
            problems.append(Problem(f"{where}/{key}", "has to be a string"))
    mark, reason = item.get("fingerprint"), item.get("reason")
    if mark is None:
        problems.append(Problem(where, "has no fingerprint", "acpgen diff prints one per finding"))
    elif isinstance(mark, str) and not _FINGERPRINT.fullmatch(mark):
        what = f"{mark!r} is no fingerprint"
        problems.append(Problem(where, what, "it is 12 digits of 0-9a-f, as acpgen diff prints it"))
    if reason is None or (isinstance(reason, str) and not reason.strip()):
        problems.append(Problem(where, "has no reason", "say why the finding is accepted"))
    if len(problems) > before:
        return None
    return Waiver(str(mark), str(reason).strip(), where, str(item.get("text", "")))
