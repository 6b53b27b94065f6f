"""`acpgen update` with real git repositories: what an author changed is kept or shown, never lost."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from typer.testing import CliRunner

from acpgen import cli, scaffold
from acpgen.problem import ProblemError
from tests.scaffold.small import CONFIG, LINES, Templates, commit, git, project, write

PICTURE = bytes(range(256))

OLD = {
    "pyproject.toml.jinja": b'[project]\nname = "{{ distribution }}"\nscore = 1\n',
    "README.md.jinja": b"# {{ name }}\n" + LINES.encode(),
    "src/{{ package }}/agent.py.jinja": b"NAME = '{{ name }}'\n" + LINES.encode(),
    "src/{{ package }}/both.py": LINES.encode(),
    "src/{{ package }}/apart.py": LINES.encode(),
    "src/{{ package }}/removed.py": LINES.encode(),
    "src/{{ package }}/gone.py": LINES.encode(),
    "src/{{ package }}/moved.py": LINES.encode(),
    "picture.bin": PICTURE,
    "other.bin": PICTURE,
    ".gitignore": b"*.log\nprivate/\n",
}


@pytest.fixture
def templates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Templates:
    made = Templates(tmp_path, monkeypatch)
    made.release("1.0", OLD)
    return made


def changed(files: dict[str, bytes], **replacements: bytes) -> dict[str, bytes]:
    """Files of a template; keys of replacements are base names with `_` for `.`."""
    result = dict(files)
    for key, data in replacements.items():
        path = next(
            path for path in files if path.rsplit("/", 1)[-1].replace(".", "_").startswith(key)
        )
        result[path] = data
    return result


def test_nothing_is_done_where_nothing_is_new(tmp_path: Path, templates: Templates) -> None:
    folder = project(tmp_path)
    outcome = scaffold.update(folder)
    assert outcome.report()[0].startswith("up to date")
    assert git(folder, "status", "--porcelain") == ""


def test_what_only_the_template_changed_arrives_and_what_only_the_author_changed_stays(
    tmp_path: Path, templates: Templates
) -> None:
    folder = project(tmp_path)
    own = {"src/demo/both.py": LINES.replace("line 2\n", "line 2, mine\n").encode()}
    write(folder, {**own, "notes.txt": b"mine\n"})
    commit(folder)
    both = LINES.replace("line 25\n", "line 25, new\n").encode()
    files = changed(OLD, both_py=both, apart_py=both)
    templates.release("1.1", {**files, "src/{{ package }}/fresh.py": b"fresh\n"})
    outcome = scaffold.update(folder)
    assert not outcome.conflicts
    assert set(outcome.changed) == {
        ".copier-answers.yml",
        "src/demo/apart.py",
        "src/demo/both.py",
        "src/demo/fresh.py",
    }
    expected = LINES.replace("line 2\n", "line 2, mine\n").replace("line 25\n", "line 25, new\n")
    assert (folder / "src/demo/both.py").read_text(encoding="utf-8") == expected
    assert (folder / "src/demo/fresh.py").read_text(encoding="utf-8") == "fresh\n"
    assert (folder / "notes.txt").read_text(encoding="utf-8") == "mine\n"
    answers = (folder / ".copier-answers.yml").read_text(encoding="utf-8")
    assert "_commit: 1.1+" in answers
    commit(folder, "updated")
    assert scaffold.update(folder).report()[0].startswith("up to date")


def test_every_line_that_both_changed_is_shown_as_a_conflict_with_both_sides(
    tmp_path: Path, templates: Templates
) -> None:
    folder = project(tmp_path)
    texts = [path for path in git(folder, "ls-files").split() if not path.endswith(".bin")]
    for path in texts:
        text = (folder / path).read_text(encoding="utf-8")
        last = text.splitlines()[-1]
        (folder / path).write_text(text.replace(last, f"{last} # mine"), encoding="utf-8")
    commit(folder)
    new = {}
    for path, data in OLD.items():
        tail = data.splitlines()[-1]
        new[path] = data if path.endswith(".bin") else data.replace(tail, tail + b" # new")
    templates.release("2.0", new, CONFIG.replace("default: pypi", "default: vendored"))
    outcome = scaffold.update(folder)
    assert outcome.conflicts is not None
    assert set(outcome.conflicts) == set(texts) - {".copier-answers.yml"}
    for path in outcome.conflicts:
        lines = (folder / path).read_text(encoding="utf-8").splitlines()
        start, middle, end = (
            next(n for n, line in enumerate(lines) if line.startswith(sign))
            for sign in ("<<<<<<<", "=======", ">>>>>>>")
        )
        assert any(line.endswith(" # mine") for line in lines[start:middle])
        assert any(line.endswith(" # new") for line in lines[middle:end])
        assert "2.0" in lines[end]
    answers = (folder / ".copier-answers.yml").read_text(encoding="utf-8")
    assert "# mine" in answers
    assert "_commit: 2.0+" in answers


def test_a_change_is_kept_where_the_template_removed_or_renamed_the_file(
    tmp_path: Path, templates: Templates
) -> None:
    folder = project(tmp_path)
    mine = LINES.replace("line 9\n", "line 9, mine\n").encode()
    write(folder, {"src/demo/removed.py": mine, "src/demo/moved.py": mine})
    commit(folder)
    new = dict(OLD)
    del new["src/{{ package }}/removed.py"], new["src/{{ package }}/gone.py"]
    new["src/{{ package }}/elsewhere.py"] = new.pop("src/{{ package }}/moved.py") + b"line 31\n"
    templates.release("1.1", new)
    outcome = scaffold.update(folder)
    assert outcome.conflicts == {"src/demo/removed.py": "changed by you, removed from the template"}
    assert (folder / "src/demo/removed.py").read_bytes() == mine
    assert not (folder / "src/demo/gone.py").exists()
    assert not (folder / "src/demo/moved.py").exists()
    assert (folder / "src/demo/elsewhere.py").read_bytes() == mine + b"line 31\n"


def test_a_file_that_the_author_removed_or_renamed_is_not_forgotten(
    tmp_path: Path, templates: Templates
) -> None:
    folder = project(tmp_path)
    git(folder, "rm", "--quiet", "src/demo/both.py", "src/demo/gone.py")
    git(folder, "mv", "src/demo/apart.py", "src/demo/my own ä.py")
    commit(folder)
    new = LINES.replace("line 25\n", "line 25, new\n").encode()
    templates.release("1.1", changed(OLD, both_py=new, apart_py=new))
    outcome = scaffold.update(folder)
    assert outcome.conflicts == {"src/demo/both.py": "removed by you, changed in the template"}
    assert (folder / "src/demo/both.py").read_bytes() == new
    assert (folder / "src/demo/my own ä.py").read_bytes() == new
    assert not (folder / "src/demo/apart.py").exists()
    assert not (folder / "src/demo/gone.py").exists()


def test_of_two_changed_binary_files_the_authors_stays_and_the_other_is_in_gits_index(
    tmp_path: Path, templates: Templates
) -> None:
    folder = project(tmp_path)
    write(folder, {"picture.bin": b"mine" + PICTURE, "src/demo/both.py": b"mine\n"})
    commit(folder)
    templates.release("1.1", changed(OLD, picture=b"new" + PICTURE, other_bin=b"new" + PICTURE))
    outcome = scaffold.update(folder)
    assert outcome.conflicts == {"picture.bin": "changed by you and by the template"}
    assert (folder / "picture.bin").read_bytes() == b"mine" + PICTURE
    assert (folder / "other.bin").read_bytes() == b"new" + PICTURE
    assert (folder / "src/demo/both.py").read_bytes() == b"mine\n"
    assert git(folder, "ls-files", "--unmerged", "picture.bin").count("picture.bin") == 3


def test_a_file_that_both_added_is_a_conflict(tmp_path: Path, templates: Templates) -> None:
    folder = project(tmp_path)
    write(folder, {"src/demo/fresh.py": b"mine\n", "src/demo/same.py": b"same\n"})
    commit(folder)
    added = {"src/{{ package }}/fresh.py": b"new\n", "src/{{ package }}/same.py": b"same\n"}
    templates.release("1.1", {**OLD, **added})
    outcome = scaffold.update(folder)
    assert outcome.conflicts == {"src/demo/fresh.py": "added by you and by the template"}
    lines = (folder / "src/demo/fresh.py").read_text(encoding="utf-8").splitlines()
    assert "mine" in lines
    assert "new" in lines


@pytest.mark.parametrize("path", ["untracked.py", "ignored.log", "private"])
def test_a_file_that_git_does_not_know_is_not_overwritten(
    tmp_path: Path, templates: Templates, path: str
) -> None:
    folder = project(tmp_path)
    write(folder, {path: b"mine\n"})
    at = path if path != "private" else "private/key"
    templates.release("1.1", {**OLD, at: b"new\n"})
    with pytest.raises(ProblemError):
        scaffold.update(folder)
    assert (folder / path).read_bytes() == b"mine\n"
    assert git(folder, "status", "--porcelain", "--untracked-files=no") == ""


def test_an_update_can_be_undone_as_it_says(tmp_path: Path, templates: Templates) -> None:
    folder = project(tmp_path)
    write(folder, {"src/demo/both.py": b"mine\n"})
    commit(folder)
    write(folder, {"untracked.txt": b"mine\n"})
    templates.release("1.1", changed(OLD, both_py=b"new\n", apart_py=b"new\n"))
    outcome = scaffold.update(folder)
    assert outcome.conflicts
    assert any("git reset --merge" in line for line in outcome.report())
    git(folder, "reset", "--merge")
    assert git(folder, "status", "--porcelain") == "?? untracked.txt\n"
    assert (folder / "src/demo/both.py").read_bytes() == b"mine\n"


def test_a_project_in_a_larger_repository_is_updated_alone(
    tmp_path: Path, templates: Templates
) -> None:
    top = tmp_path / "top"
    (top / "agents").mkdir(parents=True)
    git(tmp_path, "init", "--quiet", "--initial-branch=main", "top")
    scaffold.new("demo", path=top / "agents/demo")
    write(top, {"README.md": b"mine\n", "agents/other.py": b"mine\n"})
    commit(top)
    templates.release("1.1", changed(OLD, both_py=b"new\n", README=b"# new\n"))
    outcome = scaffold.update(top / "agents/demo")
    assert not outcome.conflicts
    staged = git(top, "diff", "--cached", "--name-only").split()
    assert staged == [
        "agents/demo/.copier-answers.yml",
        "agents/demo/README.md",
        "agents/demo/src/demo/both.py",
    ]
    assert (top / "README.md").read_bytes() == b"mine\n"


def test_an_answer_can_be_changed(tmp_path: Path, templates: Templates) -> None:
    templates.release("1.0", {**OLD, "flag.txt.jinja": b"{{ unstable }}\n"})
    folder = project(tmp_path)
    outcome = scaffold.update(folder, wishes=scaffold.Wishes(unstable=True, protocols=(2,)))
    assert set(outcome.changed) == {".copier-answers.yml", "flag.txt"}
    assert outcome.report() == (
        f"other answers to template {outcome.after}",
        "  changed   .copier-answers.yml",
        "  changed   flag.txt",
        "next:",
        "  look at it with git diff --staged, run the tests, git commit",
    )
    assert (folder / "flag.txt").read_bytes() == b"True\n"
    commit(folder)
    templates.release("1.1", {**OLD, "flag.txt.jinja": b"{{ unstable }} {{ protocols }}\n"})
    assert not scaffold.update(folder).conflicts
    assert (folder / "flag.txt").read_bytes() == b"True [2]\n"


def test_a_changed_answer_that_meets_a_change_is_reported_as_a_conflict(
    tmp_path: Path, templates: Templates
) -> None:
    templates.release("1.0", {**OLD, "flag.txt.jinja": b"{{ unstable }}\n"})
    folder = project(tmp_path)
    write(folder, {"flag.txt": b"mine\n"})
    commit(folder)
    result = CliRunner().invoke(cli.app, ["update", str(folder), "--unstable"])
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert lines[0].startswith("other answers to template 1.0+")
    assert "  CONFLICT  flag.txt: changed by you and by the template" in lines
    assert any("git reset --merge" in line for line in lines)


def test_other_bindings_are_told_with_what_to_do_about_the_folder(
    tmp_path: Path, templates: Templates
) -> None:
    text = b"""{% if bindings == 'vendored' %}[tool.acpgen]
layout = "package"
out = "src/{{ package }}"
surfaces = ["v1"]
{% endif %}"""
    templates.release("1.0", {**OLD, "pyproject.toml.jinja": text})
    folder = project(tmp_path)
    outcome = scaffold.update(folder, wishes=scaffold.Wishes(bindings="vendored"))
    assert "  acpgen generate" in outcome.report()
    assert (outcome.generate, outcome.obsolete) == (True, None)
    write(folder, {"src/demo/acp_bindings/__init__.py": b""})
    commit(folder)
    outcome = scaffold.update(folder, wishes=scaffold.Wishes(bindings="pypi"))
    assert (outcome.generate, outcome.obsolete) == (False, "src/demo/acp_bindings")
    (line,) = (line for line in outcome.report() if "acp_bindings" in line)
    git(folder, *line.split("(")[0].split()[1:])
    assert not (folder / "src/demo/acp_bindings").exists()


def test_the_users_settings_of_git_do_not_matter(
    tmp_path: Path, home: Path, templates: Templates
) -> None:
    folder = project(tmp_path)
    write(folder, {"src/demo/both.py": LINES.replace("line 2\n", "line 2, mine\n").encode()})
    commit(folder)
    hooks = home / "hooks"
    write(hooks, dict.fromkeys(("post-checkout", "pre-commit"), b"#!/bin/sh\nexit 1\n"))
    for hook in hooks.iterdir():
        hook.chmod(0o755)
    settings = "[diff]\n noprefix = true\n external = false\n[merge]\n renames = false\n"
    settings += "[commit]\n gpgsign = true\n[user]\n useConfigOnly = true\n"
    settings += f"[core]\n hooksPath = {hooks.as_posix()}\n[status]\n branch = true\n"
    (home / ".gitconfig").write_text(settings, encoding="utf-8")
    new = dict(OLD)
    new["src/{{ package }}/elsewhere.py"] = new.pop("src/{{ package }}/both.py") + b"line 31\n"
    templates.release("1.1", new)
    outcome = scaffold.update(folder)
    assert not outcome.conflicts
    text = (folder / "src/demo/elsewhere.py").read_text(encoding="utf-8")
    assert text == LINES.replace("line 2\n", "line 2, mine\n") + "line 31\n"


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps no such mode")
def test_a_program_stays_a_program(tmp_path: Path, templates: Templates) -> None:
    folder = project(tmp_path)
    (folder / "README.md").chmod(0o755)
    commit(folder)
    templates.release("1.1", changed(OLD, README=b"# new\n"))
    assert not scaffold.update(folder).conflicts
    assert os.access(folder / "README.md", os.X_OK)
    assert (folder / "README.md").read_bytes() == b"# new\n"
