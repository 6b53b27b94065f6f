from __future__ import annotations

from pathlib import Path

import pytest

from acpgen import resources
from acpgen.emit.templates import Templates, dcg_template_dir
from acpgen.problem import ProblemError

README = "bindings/README.md.jinja"


@pytest.fixture
def own(tmp_path: Path) -> Path:
    path = tmp_path / "own" / README
    path.parent.mkdir(parents=True)
    path.write_text("mine {{ name }}\n", encoding="utf-8")
    return tmp_path / "own"


def write(own: Path, text: str, name: str = README) -> None:
    (own / name).parent.mkdir(parents=True, exist_ok=True)
    (own / name).write_text(text, encoding="utf-8")


def fault(own: Path, **context: object) -> str:
    with pytest.raises(ProblemError) as caught:
        Templates([own]).render(README, context)
    (problem,) = caught.value.problems
    return str(problem)


def test_a_user_template_is_used(own: Path) -> None:
    assert Templates([own]).render(README, {"name": "text"}) == "mine text\n"


def test_a_packaged_template_can_be_included_by_a_users(own: Path) -> None:
    write(own, "{% include 'bindings/NOTICE.jinja' %}")
    context = {"project": "p", "project_version": "1", "source": "s", "docs": True, "surfaces": []}
    expected = Templates().render("bindings/NOTICE.jinja", context)
    assert Templates([own]).render(README, context) == expected


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("one\n{{ nothing }}\n", 2, "'nothing' is undefined"),
        ("one\n\n{% if %}\n", 3, "Expected an expression"),
        ("{{ name.first }}", 1, "no attribute 'first'"),
        ("\n{{ 1 / 0 }}", 2, "ZeroDivisionError"),
        ("\n{{ name + 1 }}", 2, "TypeError"),
        ("\n\n{% include 'bindings/none' %}", 3, "bindings/none"),
        ("{% for x in name %}\n", 1, "end of template"),
    ],
)
def test_an_error_names_the_template_and_the_line(
    own: Path, text: str, line: int, words: str
) -> None:
    write(own, text)
    found = fault(own, name="text")
    assert f"template {README}, line {line}" in found
    assert words in found


def test_an_error_in_an_included_template_names_that_one(own: Path) -> None:
    write(own, "{% include 'bindings/NOTICE.jinja' %}")
    write(own, "\n\n{{ nothing }}", "bindings/NOTICE.jinja")
    assert "template bindings/NOTICE.jinja, line 3" in fault(own)


def test_an_error_of_the_caller_is_not_blamed_on_a_template(own: Path) -> None:
    class Odd:
        def __str__(self) -> str:
            raise LookupError("ours")

    with pytest.raises(ProblemError, match=f"template {README}, line 1: LookupError: ours"):
        Templates([own]).render(README, {"name": Odd()})
    with pytest.raises(KeyError), dcg_template_dir([own]):
        raise KeyError("not from a template")


def test_partials_are_no_files_of_the_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a.jinja", "_part.jinja", "x/__init__.py.jinja"):
        write(tmp_path, "", f"bindings/{name}")
    write(tmp_path, "", "other/b")
    monkeypatch.setattr(resources, "templates_dir", lambda: tmp_path)
    assert Templates().names("bindings") == ["bindings/a.jinja", "bindings/x/__init__.py.jinja"]


def test_files_without_the_suffix_are_copied_as_they_are() -> None:
    assert Templates().render("bindings/LICENSE", {}) == (
        resources.templates_dir() / "bindings/LICENSE"
    ).read_text(encoding="utf-8")


def test_without_overrides_the_generator_reads_the_packaged_folder(own: Path) -> None:
    with dcg_template_dir() as folder:
        assert folder == resources.templates_dir() / "dcg"
    with dcg_template_dir([own]) as folder:
        assert folder == resources.templates_dir() / "dcg"


def test_overrides_are_merged_and_the_folder_goes_away(own: Path) -> None:
    packaged = resources.templates_dir() / "dcg"
    names = list(resources.walk(packaged))
    write(own, "mine", f"dcg/{names[0]}")
    with dcg_template_dir([own]) as folder:
        assert folder != packaged
        assert list(resources.walk(folder)) == names
        assert (folder / names[0]).read_text(encoding="utf-8") == "mine"
        assert (folder / names[1]).read_bytes() == (packaged / names[1]).read_bytes()
    assert not folder.exists()
