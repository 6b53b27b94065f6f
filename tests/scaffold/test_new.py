"""`acpgen new`: all of a project or nothing, and an error that tells what to do."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from acpgen import cli, scaffold
from acpgen.problem import ProblemError
from acpgen.scaffold import place, render
from tests.scaffold.small import CONFIG, Templates, write

FILES = {"a.txt.jinja": b"{{ name }}\n", "{{ package }}/b.txt": b"b\n"}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder, and a small template."""
    Templates(tmp_path, monkeypatch).release("1.0", FILES)
    working = tmp_path / "work"
    working.mkdir()
    monkeypatch.chdir(working)
    return working


def run(*arguments: str, code: int = 0) -> tuple[str, str]:
    """stdout and stderr of `acpgen new`."""
    result = CliRunner().invoke(cli.app, ["new", *arguments])
    assert result.exit_code == code, result.output
    assert "Traceback" not in result.output
    return result.stdout, result.stderr


def tree(folder: Path) -> dict[str, bytes | None]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }


def test_a_project_lies_in_a_folder_of_its_name(folder: Path) -> None:
    out, err = run("My Agent 2")
    assert "my-agent-2" in out
    assert err == ""
    assert (folder / "my-agent-2/a.txt").read_bytes() == b"My Agent 2\n"
    assert (folder / "my-agent-2/my_agent_2/b.txt").exists()
    assert [path.name for path in folder.iterdir()] == ["my-agent-2"]


def test_the_output_tells_the_next_commands(folder: Path) -> None:
    out, _ = run("demo", "--path", "a folder")
    assert "  cd 'a folder'\n" in out
    assert "python -m pytest" in out


def test_the_same_answers_give_the_same_bytes_with_and_without_git(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("demo", "--path", "one")
    monkeypatch.setattr("acpgen.scaffold.git.program", lambda: None)
    _, err = run("demo", "--path", "two")
    assert "not kept" in err
    assert tree(folder / "one") == tree(folder / "two")


def test_nothing_of_this_machine_is_in_a_project(folder: Path, tmp_path: Path) -> None:
    run("demo")
    for path, data in tree(folder / "demo").items():
        assert data is None or str(tmp_path).encode() not in data, path
    answers = render.read_answers(folder / "demo/.copier-answers.yml")
    assert answers["_src_path"] == "~/.local/share/acpgen/templates/agent"
    assert answers["name"] == "demo"


def test_json_is_one_object(folder: Path) -> None:
    out, _ = run("demo", "--protocol", "2", "--bindings", "pypi", "--login", "--json")
    made = json.loads(out)
    assert made["path"] == "demo"
    assert made["kind"] == "agent"
    assert made["names"]["class_name"] == "Demo"
    assert made["answers"]["protocols"] == [2]
    assert made["answers"]["login"] is True
    assert made["files"] == 3
    assert made["next"][0] == "cd demo"


def test_a_new_folder_gets_the_usual_mode(folder: Path) -> None:
    run("demo")
    (folder / "other").mkdir()
    modes = [stat.S_IMODE((folder / name).stat().st_mode) for name in ("demo", "other")]
    assert modes[0] == modes[1]


def test_an_empty_folder_is_filled_and_stays_the_same_folder(folder: Path) -> None:
    before = folder.stat().st_ino
    run("demo", "--path", ".")
    assert folder.stat().st_ino == before
    assert sorted(path.name for path in folder.iterdir()) == [
        ".copier-answers.yml",
        "a.txt",
        "demo",
    ]


@pytest.mark.parametrize("typed", ["class", "2fast", "acp", "", "a/b", "json", "müller", "con"])
def test_case_c45_an_impossible_name_writes_nothing(folder: Path, typed: str) -> None:
    _, err = run(typed, code=2)
    assert err.startswith("error: project name")
    assert "try " in err or "--path" in err
    assert tree(folder) == {}


@pytest.mark.parametrize("name", [".hidden", "a.txt", "sub"])
def test_a_folder_that_is_not_empty_is_not_touched(folder: Path, name: str) -> None:
    (folder / "demo").mkdir()
    if name == "sub":
        (folder / "demo/sub").mkdir()
    else:
        (folder / "demo" / name).write_bytes(b"mine")
    before = tree(folder)
    _, err = run("demo", code=2)
    assert "is not empty" in err
    assert "--path" in err
    assert tree(folder) == before


def test_a_file_or_a_missing_parent_or_a_dangling_link_is_refused(folder: Path) -> None:
    write(folder, {"file": b"mine"})
    (folder / "link").symlink_to(folder / "nowhere")
    before = tree(folder)
    for path, text in {
        "file": "is a file, not a folder",
        "file/demo": "is no folder",
        "none/demo": "there is no folder",
        "link": "a link to nothing",
    }.items():
        _, err = run("demo", "--path", path, code=2)
        assert text in err
    assert tree(folder) == before


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="no such modes")
def test_a_folder_that_may_not_be_written_is_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if os.geteuid() == 0:  # root may write everywhere
        refuse = PermissionError(13, "Permission denied", str(folder))

        def refused(*_: Any, **__: Any) -> str:
            raise refuse

        monkeypatch.setattr("tempfile.mkdtemp", refused)
    else:
        folder.chmod(0o500)
    _, err = run("demo", code=2)
    assert "cannot be written" in err
    folder.chmod(0o700)
    assert tree(folder) == {}


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (("--kind", "agents"), "did you mean agent?"),
        (("--bindings", "vendor"), "did you mean vendored?"),
        (("--protocol", "3"), "use 1, 2 or both"),
        (("--protocol", "1,x"), "'x' is unknown"),
        (("--protocol", ""), "is unknown"),
        (("--kind", "client", "--login"), "for an agent"),
        (("--template", "none"), "is no folder"),
        (("--template", ""), "is empty"),
        (("--template", "."), "has no copier.yml"),
    ],
)
def test_an_option_that_makes_no_sense_is_explained(
    folder: Path, options: tuple[str, ...], text: str
) -> None:
    _, err = run("demo", *options, code=2)
    assert text in err
    assert tree(folder) == {}


def test_protocols_are_read_in_every_spelling() -> None:
    assert scaffold.protocols(["both"]) == (1, 2)
    assert scaffold.protocols(["2", "1"]) == (1, 2)
    assert scaffold.protocols(["v2, 2"]) == (2,)
    assert scaffold.protocols(None) is None


@pytest.mark.parametrize(
    ("files", "config"),
    [
        ({"a.txt.jinja": b"{{ nobody }}"}, CONFIG + "_envops: {undefined: jinja2.StrictUndefined}"),
        ({"a.txt.jinja": b"{% if %}"}, CONFIG),
        ({"a.txt.jinja": b"{{ 1 / 0 }}"}, CONFIG),
        ({"{{ nobody.at.all }}": b""}, CONFIG),
        ({"a.txt": b""}, CONFIG + "_tasks: [touch x]"),
        ({"a.txt": b""}, CONFIG + "extra: {type: nothing}"),
        ({"a.txt": b""}, "a: [\n"),
        ({"pyproject.toml": b"a ="}, CONFIG),
        ({"pyproject.toml": b'[tool.acpgen]\nsurfaces = ["v9"]'}, CONFIG),
        ({"pyproject.toml": b'[tool.acpgen]\nunknown = "v9"'}, CONFIG),
    ],
)
def test_a_faulty_template_leaves_nothing_behind(
    folder: Path, tmp_path: Path, files: dict[str, bytes], config: str
) -> None:
    own = tmp_path / "own"
    write(own, {f"project/{path}": data for path, data in files.items()})
    write(own, {"copier.yml": config.encode()})
    _, err = run("demo", "--template", str(own), code=2)
    assert err.startswith("error: ")
    assert tree(folder) == {}


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(143), RuntimeError("boom")])
@pytest.mark.parametrize("exists", [False, True])
def test_whatever_ends_it_nothing_is_left(
    folder: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException, exists: bool
) -> None:
    def interrupted(*_: Any, **__: Any) -> None:
        raise error

    monkeypatch.setattr("acpgen.scaffold.making._bindings", interrupted)
    monkeypatch.setattr("acpgen.scaffold.making._open", interrupted)
    if exists:
        (folder / "demo").mkdir()
    before = tree(folder)
    with pytest.raises(type(error)):
        scaffold.new("demo")
    assert tree(folder) == before


def test_what_appears_between_the_look_and_the_move_is_not_removed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody makes a folder of the same name in the very moment: it is no part of the project."""
    target = folder / "demo"
    target.mkdir()
    rename = Path.rename

    def late(path: Path, goal: Path) -> Path:
        if path.name == "package":
            write(target, {"package/theirs.txt": b"theirs"})
        return rename(path, goal)

    with pytest.raises(ProblemError), place.staged(target) as (project, _):
        write(project, {"a.txt": b"new", "package/b.txt": b"new"})
        monkeypatch.setattr(Path, "rename", late)
    monkeypatch.undo()
    assert tree(target) == {"package": None, "package/theirs.txt": b"theirs"}


def test_a_folder_that_fills_up_meanwhile_keeps_what_it_got(folder: Path) -> None:
    for exists in (False, True):
        target = folder / f"demo{exists}"
        if exists:
            target.mkdir()
        with pytest.raises(ProblemError), place.staged(target) as (project, _):
            (project / "a.txt").write_bytes(b"new")
            write(target, {"a.txt": b"mine"})
        assert tree(target) == {"a.txt": b"mine"}
    assert sorted(path.name for path in folder.iterdir()) == ["demoFalse", "demoTrue"]
