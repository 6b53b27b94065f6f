"""`acpgen update` on projects of the packaged templates whose author has changed every file."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from acpgen import resources, scaffold
from acpgen.scaffold import template
from tests.scaffold.small import commit, git

MINE, NEW = "# mine", "# new"
ANSWERS = ".copier-answers.yml"

kinds = pytest.mark.parametrize("kind", scaffold.KINDS)


def changed(folder: Path, kind: str) -> tuple[Path, list[str]]:
    """A committed project with a line of the author's at the end of every file; the files."""
    target = folder / "demo"
    wishes = scaffold.Wishes(bindings="pypi")  # vendored bindings are no part of the template
    scaffold.new("test-site", kind=kind, wishes=wishes, path=target)
    git(target, "init", "--quiet", "--initial-branch=main")
    commit(target, "made")
    paths = git(target, "ls-files").splitlines()
    for path in paths:
        with (target / path).open("a", encoding="utf-8", newline="\n") as file:
            file.write(f"{MINE}\n")
    commit(target, "mine")
    return target, paths


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def release(folder: Path, monkeypatch: pytest.MonkeyPatch, *, at_the_end: bool) -> None:
    """A newer acpgen, with another line in every file of its templates."""
    root = folder / "templates"
    for kind in scaffold.KINDS:
        shutil.copytree(
            resources.templates_dir() / kind,
            root / kind,
            ignore=shutil.ignore_patterns("__pycache__", "*.pyc"),
        )
        for path in (root / kind / "project").rglob("*"):
            if path.is_file():
                text = path.read_text(encoding="utf-8")
                text = f"{text}{NEW}\n" if at_the_end else f"{NEW}\n{text}"
                path.write_text(text, encoding="utf-8", newline="\n")
    monkeypatch.setattr(resources, "templates_dir", lambda: root)
    monkeypatch.setattr(template, "__version__", "99.0")


@kinds
def test_a_change_in_every_file_is_merged_with_a_change_of_the_template_in_every_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    folder, paths = changed(tmp_path, kind)
    empty = {path for path in paths if lines(folder / path) == [MINE]}
    release(tmp_path, monkeypatch, at_the_end=False)
    outcome = scaffold.update(folder)
    assert set(outcome.conflicts or {}) == empty  # where both sides put their first line
    assert set(outcome.changed) == set(paths) - empty
    for path in outcome.changed:
        found = lines(folder / path)
        assert found[-1] == MINE
        assert found.count(NEW) == 1
        assert not any(line.startswith(("<<<<<<<", ">>>>>>>")) for line in found)


@kinds
def test_where_both_changed_the_same_place_of_every_file_both_lines_stand_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    folder, paths = changed(tmp_path, kind)
    release(tmp_path, monkeypatch, at_the_end=True)
    outcome = scaffold.update(folder)
    assert outcome.conflicts is not None
    assert set(outcome.conflicts) == set(paths)
    for path in paths:
        found = lines(folder / path)
        start, middle, end = (
            next(n for n, line in enumerate(found) if line.startswith(sign * 7)) for sign in "<=>"
        )
        assert MINE in found[start:middle]
        assert NEW in found[middle:end]
    git(folder, "reset", "--merge")
    assert git(folder, "status", "--porcelain") == ""


@pytest.mark.slow
@kinds
@pytest.mark.parametrize(
    "answers",
    [
        {"unstable": True},
        {"login": True},
        {"protocols": (1,)},
        {"protocols": (2,), "unstable": True},
        {"bindings": "vendored"},
    ],
    ids=str,
)
def test_other_answers_leave_every_change_there_and_can_be_taken_back(
    tmp_path: Path, kind: str, answers: dict[str, object]
) -> None:
    if kind == "client" and "login" in answers:
        return  # agents alone have one
    folder, paths = changed(tmp_path, kind)
    outcome = scaffold.update(folder, wishes=scaffold.Wishes(**answers))  # type: ignore[arg-type]
    assert ANSWERS in {*outcome.changed, *(outcome.conflicts or {})}
    gone = {path for path in paths if not (folder / path).exists()}
    renamed = git(folder, "diff", "--cached", "--name-status", "--find-renames", "HEAD")
    for path in gone:
        assert f"\t{path}\t" in renamed, path
    for path in set(paths) - gone:
        assert MINE in lines(folder / path), path
    report = "\n".join(outcome.report())
    assert ("acpgen generate" in report) is (answers.get("bindings") == "vendored")
    git(folder, "reset", "--merge")
    assert git(folder, "status", "--porcelain") == ""
