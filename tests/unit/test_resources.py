from __future__ import annotations

from pathlib import Path

import pytest

from acpgen import resources
from acpgen.problem import ProblemError


def fill(folder: Path, *names: str) -> Path:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"text of {name}\n", encoding="utf-8")
    return folder


def test_walk_is_sorted_and_skips_caches_and_hidden_files(tmp_path: Path) -> None:
    fill(tmp_path, "b/z.py", "b/__pycache__/z.pyc", "a.txt", ".DS_Store", "b/.keep", "B.txt")
    assert list(resources.walk(tmp_path)) == ["B.txt", "a.txt", "b/z.py"]


def test_the_packaged_data_of_a_wheel_comes_before_the_checkout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "acpgen"
    fill(tmp_path, "schemas/v1/schema.json")
    package.mkdir()
    monkeypatch.setattr(resources, "PACKAGE_DIR", package)
    assert resources.schemas_dir() == tmp_path / "schemas"
    fill(package, "_data/schemas/v1/schema.json")
    assert resources.schemas_dir() == package / "_data/schemas"
    with pytest.raises(FileNotFoundError, match="no templates/ folder"):
        resources.templates_dir()


def test_the_first_folder_that_has_a_file_wins(tmp_path: Path) -> None:
    own, packaged = fill(tmp_path / "own", "x/a"), fill(tmp_path / "packaged", "x/a", "x/b")
    assert resources.first("x/a", [own, packaged]) == own / "x/a"
    assert resources.first("x/b", [own, packaged]) == packaged / "x/b"
    assert resources.first("x/c", [own, packaged]) is None


def test_line_ends_do_not_change_a_digest() -> None:
    assert resources.digest("a\nb\n") == resources.digest(b"a\r\nb\r\n")
    assert resources.digest("a\nb\n") != resources.digest("a\nb")


def test_a_user_template_overrides_the_one_of_the_same_path(tmp_path: Path) -> None:
    own = fill(tmp_path, "bindings/README.md.jinja")
    files = resources.template_files([own])
    assert files["bindings/README.md.jinja"] == own / "bindings/README.md.jinja"
    packaged = resources.templates_dir()
    others = {name: path for name, path in files.items() if name != "bindings/README.md.jinja"}
    assert others
    assert all(path == packaged / name for name, path in others.items())


def test_of_two_user_folders_the_first_wins(tmp_path: Path) -> None:
    one = fill(tmp_path / "one", "bindings/README.md.jinja")
    two = fill(tmp_path / "two", "bindings/README.md.jinja", "bindings/NOTICE.jinja")
    files = resources.template_files([one, two])
    assert files["bindings/README.md.jinja"].is_relative_to(one)
    assert files["bindings/NOTICE.jinja"].is_relative_to(two)


def test_overrides_of_nothing_are_named_all_at_once(tmp_path: Path) -> None:
    own = fill(tmp_path / "own", "bindings/READ.md.jinja", "README.md.jinja", "what/ever.txt")
    with pytest.raises(ProblemError) as caught:
        resources.template_files([own, tmp_path / "none"])
    by_where = {problem.where: problem for problem in caught.value.problems}
    assert len(by_where) == 4
    assert "bindings/README.md.jinja" in by_where[f"{own.as_posix()}/README.md.jinja"].hint
    assert "bindings/README.md.jinja" in by_where[f"{own.as_posix()}/bindings/READ.md.jinja"].hint
    assert by_where[f"{own.as_posix()}/what/ever.txt"].what == "overrides no template"
    assert "not a folder" in by_where[(tmp_path / "none").as_posix()].what
