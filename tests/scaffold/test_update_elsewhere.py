"""Updates on other machines, by other tools, from other templates; and what is refused."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import copier
import pytest

from acpgen import scaffold
from acpgen.problem import ProblemError
from acpgen.scaffold import git as running
from acpgen.scaffold import history, template
from tests.scaffold.small import CONFIG, LINES, Templates, commit, git, project, write

OLD = {"a.txt": LINES.encode(), "b.txt": LINES.encode()}
NEW = {"a.txt": LINES.replace("line 30\n", "line 30, new\n").encode(), "b.txt": LINES.encode()}


@pytest.fixture
def templates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Templates:
    made = Templates(tmp_path, monkeypatch)
    made.release("1.0", OLD)
    return made


def kept(home: Path) -> Path:
    return home / ".local/share/acpgen/templates/agent"


def refused(folder: Path) -> ProblemError:
    with pytest.raises(ProblemError) as caught:
        scaffold.update(folder)
    return caught.value


def test_one_template_has_one_commit_on_every_machine(
    tmp_path: Path, home: Path, templates: Templates
) -> None:
    scaffold.record()
    first = git(kept(home), "rev-parse", "HEAD")
    templates.release("1.1", NEW)
    scaffold.record()
    assert git(kept(home), "rev-parse", "HEAD") != first
    shutil.rmtree(kept(home))
    templates.release("1.0", OLD)
    scaffold.record()
    assert git(kept(home), "rev-parse", "HEAD") == first


def test_a_template_that_this_machine_has_not_seen_is_named_with_the_command_that_helps(
    tmp_path: Path, home: Path, templates: Templates
) -> None:
    folder = project(tmp_path)
    write(folder, {"b.txt": b"mine\n"})
    commit(folder)
    shutil.rmtree(kept(home))
    templates.release("1.1", NEW)
    problem = refused(folder).problems[0]
    assert "is not on this machine" in problem.what
    assert "uvx acpgen@1.0 update --record" in problem.hint
    templates.release("1.0", OLD)
    scaffold.record()
    templates.release("1.1", NEW)
    assert not scaffold.update(folder).conflicts
    assert (folder / "a.txt").read_bytes() == NEW["a.txt"]
    assert (folder / "b.txt").read_bytes() == b"mine\n"


def test_a_template_that_changed_under_one_version_is_told_apart(
    tmp_path: Path, templates: Templates
) -> None:
    folder = project(tmp_path)
    before = (folder / ".copier-answers.yml").read_text(encoding="utf-8")
    templates.release("1.0", NEW)
    outcome = scaffold.update(folder)
    assert outcome.before.split("+")[0] == outcome.after.split("+")[0] == "1.0"
    assert outcome.before != outcome.after
    assert outcome.before in before
    assert (folder / "a.txt").read_bytes() == NEW["a.txt"]


def test_a_project_of_a_newer_acpgen_is_refused(tmp_path: Path, templates: Templates) -> None:
    templates.release("1.10", NEW)
    folder = project(tmp_path)
    templates.release("1.9", OLD)
    assert "newer than this 1.9" in refused(folder).problems[0].what


def test_a_kept_template_that_was_tampered_with_is_noticed(
    tmp_path: Path, home: Path, templates: Templates
) -> None:
    folder = project(tmp_path)
    tag = git(kept(home), "tag").strip()
    write(kept(home), {"project/a.txt": b"other\n"})
    commit(kept(home))
    git(kept(home), "tag", "--force", tag)
    templates.release("1.1", NEW)
    assert "is not what it was" in refused(folder).problems[0].what


def test_plain_copier_update_works_too(tmp_path: Path, templates: Templates) -> None:
    folder = project(tmp_path)
    write(folder, {"a.txt": LINES.replace("line 2\n", "line 2, mine\n").encode()})
    commit(folder)
    templates.release("1.1", NEW)
    scaffold.record()
    copier.run_update(folder, defaults=True, overwrite=True, quiet=True)
    text = (folder / "a.txt").read_text(encoding="utf-8")
    expected = LINES.replace("line 2\n", "line 2, mine\n").replace("line 30\n", "line 30, new\n")
    assert text == expected
    assert "_commit: 1.1+" in (folder / ".copier-answers.yml").read_text(encoding="utf-8")


def test_plain_copier_update_shows_conflicts(tmp_path: Path, templates: Templates) -> None:
    folder = project(tmp_path)
    write(folder, {"a.txt": LINES.replace("line 30\n", "line 30, mine\n").encode()})
    commit(folder)
    templates.release("1.1", NEW)
    scaffold.record()
    copier.run_update(folder, defaults=True, overwrite=True, quiet=True)
    lines = (folder / "a.txt").read_text(encoding="utf-8").splitlines()
    assert {"line 30, mine", "line 30, new"} <= set(lines)
    assert any(line.startswith("<<<<<<<") for line in lines)


def test_a_template_of_ones_own_is_updated_from_where_it_lies(tmp_path: Path) -> None:
    own = tmp_path / "own"
    answers = b"{{ _copier_answers|to_nice_yaml }}"
    write(own, {"copier.yml": CONFIG.encode(), "project/a.txt": OLD["a.txt"]})
    write(own, {"project/{{ _copier_conf.answers_file }}.jinja": answers})
    git(tmp_path, "init", "--quiet", "--initial-branch=main", "own")
    commit(own)
    git(own, "tag", "v1.0")
    folder = tmp_path / "demo"
    made = scaffold.new("demo", path=folder, template=str(own))
    assert made.answers["package"] == "demo"
    git(folder, "init", "--quiet", "--initial-branch=main")
    write(folder, {"a.txt": LINES.replace("line 2\n", "line 2, mine\n").encode()})
    commit(folder)
    write(own, {"project/a.txt": NEW["a.txt"]})
    commit(own)
    git(own, "tag", "v1.1")
    assert not scaffold.update(folder).conflicts
    expected = LINES.replace("line 2\n", "line 2, mine\n").replace("line 30\n", "line 30, new\n")
    assert (folder / "a.txt").read_text(encoding="utf-8") == expected


def test_a_template_of_ones_own_that_is_no_repository_cannot_be_updated_from(
    tmp_path: Path,
) -> None:
    own = tmp_path / "own"
    answers = b"{{ _copier_answers|to_nice_yaml }}"
    write(own, {"copier.yml": CONFIG.encode(), "project/a.txt": OLD["a.txt"]})
    write(own, {"project/{{ _copier_conf.answers_file }}.jinja": answers})
    folder = tmp_path / "demo"
    scaffold.new("demo", path=folder, template=str(own))
    git(folder, "init", "--quiet")
    commit(folder)
    assert "git repository" in refused(folder).problems[0].hint


def test_what_is_not_committed_stands_in_the_way(tmp_path: Path, templates: Templates) -> None:
    folder = project(tmp_path)
    templates.release("1.1", NEW)
    write(folder, {"b.txt": b"mine\n"})
    assert "not committed: b.txt" in refused(folder).problems[0].what
    git(folder, "add", "b.txt")
    assert "not committed: b.txt" in refused(folder).problems[0].what
    assert (folder / "b.txt").read_bytes() == b"mine\n"
    assert (folder / "a.txt").read_bytes() == OLD["a.txt"]


def test_a_project_outside_of_git_is_refused(tmp_path: Path, templates: Templates) -> None:
    scaffold.new("demo", path=tmp_path / "demo")
    assert "in no git repository" in refused(tmp_path / "demo").problems[0].what
    git(tmp_path / "demo", "init", "--quiet")
    assert "in no commit" in refused(tmp_path / "demo").problems[0].what


def test_a_folder_that_is_no_project_is_refused(tmp_path: Path) -> None:
    assert "has no such file" in refused(tmp_path).problems[0].what
    assert "is no folder" in refused(tmp_path / "none").problems[0].what
    write(tmp_path, {".copier-answers.yml": b"just text"})
    assert "has no answers" in refused(tmp_path).problems[0].what
    write(tmp_path, {".copier-answers.yml": b"a: [\n"})
    assert "cannot be read" in refused(tmp_path).problems[0].what


@pytest.mark.parametrize(
    "entry", ["protocols: [3]", "bindings: nowhere", "unstable: perhaps", "_commit: main"]
)
def test_answers_that_somebody_spoiled_are_refused(
    tmp_path: Path, templates: Templates, entry: str
) -> None:
    folder = project(tmp_path)
    path = folder / ".copier-answers.yml"
    key = entry.split(":")[0]
    lines = path.read_text(encoding="utf-8").splitlines()
    kept_lines = [line for line in lines if not line.startswith((key, "- "))]
    path.write_text("\n".join([*kept_lines, entry, ""]), encoding="utf-8")
    commit(folder)
    templates.release("1.1", NEW)
    refused(folder)
    assert git(folder, "status", "--porcelain") == ""


def test_without_git_a_project_is_made_and_an_update_is_refused(
    tmp_path: Path, templates: Templates, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "program", lambda: None)
    made = scaffold.new("demo", path=tmp_path / "demo")
    assert made.notices == (
        "the template was not kept for later updates: git: is not installed;"
        " acpgen update --record does it later, with this version of acpgen",
    )
    assert (tmp_path / "demo/a.txt").exists()
    assert "is not installed" in refused(tmp_path / "demo").problems[0].what
    monkeypatch.undo()


def test_an_interrupt_while_git_merges_leaves_the_project_as_it_was(
    tmp_path: Path, templates: Templates, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = project(tmp_path)
    write(folder, {"a.txt": LINES.replace("line 30\n", "line 30, mine\n").encode()})
    commit(folder)
    templates.release("1.1", {**NEW, "c.txt": b"new\n"})
    call = running.Repository.call

    def interrupted(self: running.Repository, *arguments: str, data: bytes | None = None) -> object:
        done = call(self, *arguments, data=data)
        if arguments[0] == "cherry-pick":
            raise KeyboardInterrupt
        return done

    monkeypatch.setattr(running.Repository, "call", interrupted)
    with pytest.raises(KeyboardInterrupt):
        scaffold.update(folder)
    assert git(folder, "status", "--porcelain") == ""
    assert "mine" in (folder / "a.txt").read_text(encoding="utf-8")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write")
def test_a_home_that_cannot_be_written_is_only_noticed(
    tmp_path: Path, home: Path, templates: Templates
) -> None:
    home.chmod(0o500)
    made = scaffold.new("demo", path=tmp_path / "demo")
    assert "not kept" in made.notices[0]


def test_a_home_that_is_no_folder_is_only_noticed(
    tmp_path: Path, home: Path, templates: Templates
) -> None:
    (home / ".local").write_text("", encoding="utf-8")
    made = scaffold.new("demo", path=tmp_path / "demo")
    assert "not kept" in made.notices[0]
    assert "--record" in made.notices[0]


def test_the_packaged_template_is_named_after_its_content() -> None:
    for kind in scaffold.KINDS:
        packed = template.packaged(kind)
        assert packed.tag == template.packaged(kind).tag
        assert packed.tag.startswith(f"{packed.version}+")
        assert history.folder(packed).name == kind
        other = template.Template(packed.kind, packed.version, {**packed.files, "x": b""})
        assert other.tag != packed.tag
        assert not [path for path in packed.files if "__pycache__" in path]
        assert b"@" not in packed.files["copier.yml"]
