from __future__ import annotations

from pathlib import Path

import pytest

from acpgen.diff import run
from acpgen.diff.finding import Diff
from acpgen.diff.judging import waivers
from acpgen.problem import ProblemError
from tests.unit.diff.fixtures import pair


def written(folder: Path, text: str, name: str = "waivers.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def diff() -> Diff:
    old, new, _ = pair("field-required")
    return run.diff(old, new, renames=())


def row(fingerprint: str, reason: str = "Nobody sends it.") -> str:
    return f'[[waiver]]\nfingerprint = "{fingerprint}"\nreason = "{reason}"\n'


def test_a_waived_finding_is_kept_and_does_not_count(tmp_path: Path) -> None:
    before = diff()
    mark = before.findings[0].fingerprint
    matched: set[str] = set()
    after = waivers.apply(before, waivers.load([written(tmp_path, row(mark))]), matched)
    assert [item.waived for item in after.findings] == ["Nobody sends it."]
    assert before.matches("breaking") and not after.matches("compatible")
    assert matched == {mark}


def test_a_waiver_that_matches_nothing_is_a_notice(tmp_path: Path) -> None:
    text = row("0123456789ab") + 'text = "It was required."\n'
    found = waivers.load([written(tmp_path, text)])
    matched: set[str] = set()
    assert waivers.apply(diff(), found, matched) == diff()
    assert waivers.unmatched(found, matched) == (
        "waivers.toml#waiver/0: waives 0123456789ab, which is no finding here (It was required.): remove it",
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[[waiver]]\nreason = "x"\n', "waivers.toml#waiver/0: has no fingerprint"),
        ('[[waiver]]\nfingerprint = "0123456789ab"\n', "waivers.toml#waiver/0: has no reason"),
        (row("0123456789ab", " "), "has no reason"),
        (row("12"), "'12' is no fingerprint"),
        (row("0123456789ab") + 'reasen = "x"\n', "unknown key 'reasen' (did you mean reason?)"),
        (row("0123456789ab") + "text = 1\n", "waivers.toml#waiver/0/text: has to be a string"),
        ('[[wavier]]\nreason = "x"\n', "unknown key 'wavier' (did you mean [[waiver]]?)"),
        ("waiver = 1\n", "waivers.toml#waiver: has to be a list of tables"),
        ("waiver = [1]\n", "waivers.toml#waiver/0: has to be a table"),
        (row("0123456789ab") * 2, "which waivers.toml#waiver/0 does already"),
        ("[[", "is not TOML"),
    ],
)
def test_a_faulty_file_is_a_problem(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(ProblemError) as caught:
        waivers.load([written(tmp_path, text)])
    assert words in "\n".join(map(str, caught.value.problems))


def test_every_fault_of_every_file_is_told(tmp_path: Path) -> None:
    files = [written(tmp_path, row("12"), "a.toml"), written(tmp_path, "[[", "b.toml")]
    with pytest.raises(ProblemError) as caught:
        waivers.load([*files, tmp_path / "none.toml"])
    assert [item.where for item in caught.value.problems] == [
        "a.toml#waiver/0",
        "b.toml",
        "none.toml",
    ]
