from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Mapping
from pathlib import Path

import pytest

from acpgen import manifest as manifests
from acpgen import tree
from acpgen.manifest import Manifest, ManifestError
from acpgen.problem import ProblemError
from acpgen.resources import digest
from acpgen.spec import atomic

ONE = {"a.py": "a = 1\n", "pkg/b.py": "b = 1\n", "pkg/deep/c.py": "c = 1\n"}
TWO = {"a.py": "a = 2\n", "pkg/b.py": "b = 1\n", "new/d.py": "d = 1\n"}


def with_manifest(files: Mapping[str, str]) -> dict[str, str]:
    made = Manifest(files={path: digest(text) for path, text in files.items()})
    return {**files, manifests.NAME: made.dumps()}


def put(root: Path, files: Mapping[str, str], force: bool = False) -> tree.Plan:
    plan = tree.plan(root, with_manifest(files), tree.read_manifest(root, force), force)
    tree.write(root, plan)
    return plan


def disk(root: Path) -> dict[str, str]:
    paths = sorted(path for path in root.rglob("*") if path.is_file() and not path.is_symlink())
    return {path.relative_to(root).as_posix(): path.read_text(encoding="utf-8") for path in paths}


def folders(root: Path) -> set[str]:
    return {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_dir()}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    put(tmp_path / "out", ONE)
    return tmp_path / "out"


def refused(root: Path, files: Mapping[str, str] = TWO, force: bool = False) -> str:
    """The problems of an attempt, after checking that it changed nothing."""
    before = disk(root)
    with pytest.raises(ProblemError) as caught:
        put(root, files, force)
    assert disk(root) == before
    return "\n".join(map(str, caught.value.problems))


def test_everything_is_written_and_nothing_else(tmp_path: Path) -> None:
    root = tmp_path / "far/out"
    put(root, ONE)
    assert disk(root) == with_manifest(ONE)
    assert folders(root) == {"pkg", "pkg/deep"}
    assert tree.damage(root, tree.read_manifest(root) or Manifest()) == []


def test_only_what_differs_is_written(root: Path) -> None:
    before = (root / "pkg/b.py").stat()
    plan = put(root, TWO)
    assert sorted(plan.writes) == ["a.py", manifests.NAME, "new/d.py"]
    assert plan.removes == ("pkg/deep/c.py",)
    assert disk(root) == with_manifest(TWO)
    after = (root / "pkg/b.py").stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert put(root, TWO).empty


def test_folders_that_became_empty_go_with_their_bytecode(root: Path) -> None:
    cache = root / "pkg/deep/__pycache__"
    cache.mkdir()
    (cache / "c.pyc").write_bytes(b"x")
    put(root, {"a.py": "a = 1\n"})
    assert disk(root).keys() == {"a.py", manifests.NAME}
    assert folders(root) == set()


def test_files_of_others_stay(root: Path) -> None:
    (root / "pkg/deep/mine.py").write_text("mine\n", encoding="utf-8")
    (root / "notes.md").write_text("notes\n", encoding="utf-8")
    put(root, {"a.py": "a = 1\n"})
    found = disk(root)
    assert found["pkg/deep/mine.py"] == "mine\n"
    assert found["notes.md"] == "notes\n"
    assert "pkg/deep/c.py" not in found


def test_a_file_of_others_in_the_way_is_named_and_kept(root: Path) -> None:
    (root / "new").mkdir()
    (root / "new/d.py").write_text("mine\n", encoding="utf-8")
    text = refused(root)
    assert "out/new/d.py: acpgen did not write this file" in text
    assert "--force" in text
    put(root, TWO, force=True)
    assert disk(root) == with_manifest(TWO)


def test_a_file_in_the_way_with_the_same_text_is_adopted(root: Path) -> None:
    (root / "new").mkdir()
    (root / "new/d.py").write_text(TWO["new/d.py"], encoding="utf-8")
    put(root, TWO)
    assert disk(root) == with_manifest(TWO)


@pytest.mark.parametrize("path", ["a.py", "pkg/deep/c.py"])
def test_an_edited_file_is_named_and_kept(root: Path, path: str) -> None:
    (root / path).write_text("edited\n", encoding="utf-8")
    text = refused(root)
    assert f"out/{path}: was edited by hand" in text
    assert tree.damage(root, tree.read_manifest(root) or Manifest()) == [path]
    put(root, TWO, force=True)
    assert disk(root) == with_manifest(TWO)


def test_every_file_in_the_way_is_named_at_once(root: Path) -> None:
    (root / "a.py").write_text("edited\n", encoding="utf-8")
    (root / "pkg/deep/c.py").write_text("edited\n", encoding="utf-8")
    (root / "new").mkdir()
    (root / "new/d.py").write_text("mine\n", encoding="utf-8")
    text = refused(root)
    assert [path in text for path in ("a.py", "pkg/deep/c.py", "new/d.py")] == [True] * 3


def test_a_generated_file_that_is_gone_is_made_again(root: Path) -> None:
    (root / "a.py").unlink()
    assert tree.damage(root, tree.read_manifest(root) or Manifest()) == ["a.py"]
    put(root, ONE)
    assert disk(root) == with_manifest(ONE)


def test_windows_line_ends_are_no_edit(root: Path) -> None:
    (root / "a.py").write_bytes(b"a = 1\r\n")
    assert tree.damage(root, tree.read_manifest(root) or Manifest()) == []
    assert tree.drift(root, with_manifest(ONE), tree.read_manifest(root)) == ""


@pytest.mark.parametrize("force", [False, True])
def test_a_folder_in_the_way_is_never_removed(root: Path, force: bool) -> None:
    (root / "new/d.py").mkdir(parents=True)
    assert "out/new/d.py: is a folder where a file has to be" in refused(root, force=force)


@pytest.mark.parametrize("force", [False, True])
def test_a_file_where_a_folder_has_to_be(root: Path, force: bool) -> None:
    (root / "new").write_text("mine\n", encoding="utf-8")
    assert "out/new: is a file where a folder has to be" in refused(root, force=force)


def test_our_own_old_file_gives_way_to_a_folder(root: Path) -> None:
    put(root, {"a.py/b.py": "b\n"})
    assert disk(root) == with_manifest({"a.py/b.py": "b\n"})


def test_an_output_folder_that_is_a_file(tmp_path: Path) -> None:
    root = tmp_path / "out"
    root.write_text("mine\n", encoding="utf-8")
    with pytest.raises(ProblemError, match="out: is a file, not a folder"):
        put(root, ONE)
    assert root.read_text(encoding="utf-8") == "mine\n"


@pytest.mark.skipif(os.name == "nt", reason="symbolic links need a privilege there")
class TestLinks:
    def test_a_linked_folder_is_never_written_through(self, root: Path, tmp_path: Path) -> None:
        outside = tmp_path / "outside"
        outside.mkdir()
        (root / "new").symlink_to(outside)
        assert "out/new: is a symbolic link" in refused(root, force=True)
        assert list(outside.iterdir()) == []

    def test_a_linked_file_is_replaced_only_by_force(self, root: Path, tmp_path: Path) -> None:
        outside = tmp_path / "outside.py"
        outside.write_text("mine\n", encoding="utf-8")
        (root / "a.py").unlink()
        (root / "a.py").symlink_to(outside)
        assert "out/a.py: is a symbolic link" in refused(root)
        put(root, TWO, force=True)
        assert outside.read_text(encoding="utf-8") == "mine\n"
        assert not (root / "a.py").is_symlink()

    def test_the_output_folder_itself_may_be_a_link(self, tmp_path: Path) -> None:
        (tmp_path / "real").mkdir()
        (tmp_path / "out").symlink_to(tmp_path / "real")
        put(tmp_path / "out", ONE)
        assert disk(tmp_path / "real") == with_manifest(ONE)


@pytest.mark.parametrize("path", ["../x.py", "/x.py", "a/../../x.py", "a\\x.py", "C:x.py", "./x"])
def test_paths_that_could_leave_the_folder_are_refused(root: Path, path: str) -> None:
    assert "is no path inside the output folder" in refused(root, {path: "x\n"}, force=True)


def test_paths_that_differ_in_case_alone_are_refused(root: Path) -> None:
    assert "in case alone" in refused(root, {"A.py": "x\n", "a.py": "x\n"})


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("<<<<<<< ours\n", "is not JSON"),
        ("{}", "not a manifest of this version"),
        ('{"format": 1}', "lacks a part"),
        (
            '{"format": 1, "options": {}, "inputs": {}, "files": {}, "names": {}, "aliases": {}}',
            "edi",
        ),
    ],
)
def test_an_unusable_manifest_is_said_to_be_so(root: Path, text: str, reason: str) -> None:
    (root / manifests.NAME).write_text(text, encoding="utf-8")
    with pytest.raises(ManifestError, match=reason):
        manifests.read(root)
    assert f"out/{manifests.NAME}" in refused(root)
    put(root, TWO, force=True)
    assert tree.read_manifest(root) is not None


def test_any_edit_of_the_manifest_shows(root: Path) -> None:
    path = root / manifests.NAME
    text = path.read_text(encoding="utf-8")
    for index in [at for at, sign in enumerate(text) if sign.isalnum()][::7]:
        changed = text[:index] + ("x" if text[index] != "x" else "y") + text[index + 1 :]
        path.write_text(changed, encoding="utf-8")
        with pytest.raises(ManifestError):
            manifests.read(root)


def test_a_manifest_survives_being_written_and_read(tmp_path: Path) -> None:
    made = Manifest(
        options={"surfaces": ["v1"], "docs": False},
        inputs={"schema": {"v1": "0"}},
        files={"ä.py": "1"},
        names={"v1": {"A": "#/$defs/A"}},
        aliases={"v1": {"B": "A"}},
    )
    (tmp_path / manifests.NAME).write_text(made.dumps(), encoding="utf-8")
    assert manifests.read(tmp_path) == made
    assert manifests.read(tmp_path / "none") is None


def test_drift_shows_changes_additions_and_removals(root: Path) -> None:
    (root / "mine.txt").write_text("mine\n", encoding="utf-8")
    text = tree.drift(root, TWO, tree.read_manifest(root))
    assert "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-a = 1\n+a = 2\n" in text
    assert "--- /dev/null\n+++ b/new/d.py\n" in text
    assert "--- a/pkg/deep/c.py\n+++ /dev/null\n" in text
    assert "mine.txt" not in text
    assert "pkg/b.py" not in text
    assert tree.drift(root, ONE, tree.read_manifest(root)) == ""


def test_drift_marks_a_missing_last_line_end(root: Path) -> None:
    assert "\\ No newline at end of file" in tree.drift(root, {**ONE, "a.py": "a = 1"}, None)


# Failures in the middle. Every replacement of a file goes through os.replace or Path.replace.


@pytest.mark.parametrize("step", range(12))
def test_a_failure_at_any_step_leaves_the_old_output(
    root: Path, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    before, dirs = disk(root), folders(root)
    real, calls = Path.replace, iter(range(100))

    def replace(self: Path, target: str | os.PathLike[str]) -> Path:
        if next(calls) == step:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self))
        return real(self, target)

    plan = tree.plan(root, with_manifest(TWO), tree.read_manifest(root))
    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", replace)
        try:
            tree.write(root, plan)
        except ProblemError as error:
            assert "No space left" in str(error)
            assert (disk(root), folders(root)) == (before, dirs)
            return
    assert next(calls) <= step, "the failing step was reached, and nothing was raised"
    assert disk(root) == with_manifest(TWO)


@pytest.mark.parametrize("step", range(5))
def test_an_interrupt_at_any_step_leaves_the_old_output(
    root: Path, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    before = disk(root)
    real, calls = Path.replace, iter(range(100))

    def replace(self: Path, target: str | os.PathLike[str]) -> Path:
        done = real(self, target)
        if next(calls) == step:
            raise KeyboardInterrupt
        return done

    plan = tree.plan(root, with_manifest(TWO), tree.read_manifest(root))
    monkeypatch.setattr(Path, "replace", replace)
    try:
        tree.write(root, plan)
    except KeyboardInterrupt:
        assert disk(root) == before
    else:
        assert next(calls) <= step
        assert disk(root) == with_manifest(TWO)


KILLED = """
import os, signal, sys
from pathlib import Path
sys.path.insert(0, {here!r})
from tests.unit import test_tree as t
from acpgen import tree
root, step = Path(sys.argv[1]), int(sys.argv[2])
real, calls = Path.replace, iter(range(100))
def replace(self, target):
    done = real(self, target)
    if next(calls) == step:
        os.kill(os.getpid(), signal.SIGKILL)
    return done
Path.replace = replace
tree.write(root, tree.plan(root, t.with_manifest(t.TWO), tree.read_manifest(root)))
"""


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGKILL")
@pytest.mark.parametrize("step", [0, 1, 2, 3])
def test_after_a_kill_the_next_run_undoes(root: Path, step: int) -> None:
    before = disk(root)
    here = str(Path(__file__).parents[2])
    code = textwrap.dedent(KILLED).format(here=here)
    run = subprocess.run([sys.executable, "-c", code, str(root), str(step)], check=False)
    assert run.returncode == -signal.SIGKILL
    assert disk(root) != before
    assert tree.recover(root)
    assert disk(root) == before
    assert not (root / atomic.STAGE).exists()
    assert not tree.recover(root)
    put(root, TWO)
    assert disk(root) == with_manifest(TWO)


def test_a_journal_that_cannot_be_read_is_reported(root: Path) -> None:
    (root / atomic.STAGE).mkdir()
    (root / atomic.STAGE / "journal.json").write_text("{", encoding="utf-8")
    with pytest.raises(ProblemError, match="cannot be undone"):
        tree.recover(root)


@pytest.mark.parametrize("name", ["a.py", manifests.NAME])
def test_what_cannot_be_read_is_not_said_to_be_unwritable(
    root: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    def denied(path: Path) -> bytes:
        if path.name == name:
            raise PermissionError(13, "Permission denied", str(path))
        return real(path)

    real = Path.read_bytes
    old = tree.read_manifest(root) or Manifest()
    monkeypatch.setattr(Path, "read_bytes", denied)
    with pytest.raises(ProblemError) as planned:
        tree.plan(root, with_manifest(TWO), tree.read_manifest(root))
    with pytest.raises(ProblemError) as checked, tree.guarded(root, "read"):
        tree.read_manifest(root)
        tree.damage(root, old)
    for caught in (planned, checked):
        (problem,) = caught.value.problems
        assert problem.where == f"out/{name}"
        assert problem.what == "cannot be read: Permission denied"
        assert problem.hint == "look at its permissions"


def test_what_cannot_be_written_left_everything_as_it_was(root: Path) -> None:
    error = PermissionError(13, "Permission denied", str(root / "a.py"))
    with pytest.raises(ProblemError) as caught, tree.guarded(root):
        raise error
    assert (
        str(caught.value) == "out/a.py: cannot be written: Permission denied (nothing was changed)"
    )
