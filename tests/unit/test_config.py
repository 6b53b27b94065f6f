from __future__ import annotations

from pathlib import Path

import pytest

from acpgen import config
from acpgen.problem import Problem, ProblemError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()  # the search for a configuration ends here
    return tmp_path


def own(folder: Path, text: str) -> None:
    (folder / "acpgen.toml").write_text(text, encoding="utf-8")


def project(folder: Path, text: str) -> None:
    (folder / "pyproject.toml").write_text(text, encoding="utf-8")


def problems(folder: Path, **overrides: object) -> tuple[Problem, ...]:
    with pytest.raises(ProblemError) as caught:
        config.load(folder, overrides)
    return caught.value.problems


def test_without_a_file_the_defaults_hold(folder: Path) -> None:
    found = config.load(folder)
    assert found.package == "acp_bindings"
    assert found.surfaces is None
    assert found.overlays == ("session-options",)
    assert found.root == found.out == folder / "generated"
    assert found.where == "defaults"


@pytest.mark.parametrize("name", ["acpgen.toml", "pyproject.toml"])
def test_both_files_say_the_same(folder: Path, name: str) -> None:
    for sub in ("templates", "schemas", "one", "proposals/mine"):
        (folder / sub).mkdir(parents=True)
    (folder / "renames.toml").touch()
    text = """
package = "my_acp"
surfaces = ["v2_unstable", "v1"]
overlays = ["session-options", "./proposals/mine"]
layout = "package"
out = "src"
schemas = "schemas"
templates = ["templates", "one"]
renames = "renames.toml"
source = "npm:x@1.0.0"
docs = true
"""
    (folder / name).write_text(
        f"[tool.acpgen]\n{text}" if name == "pyproject.toml" else text, encoding="utf-8"
    )
    found = config.load(folder)
    assert found.package == "my_acp"
    assert found.surfaces == ("v1", "v2_unstable")
    assert found.overlays == ("session-options", "mine")
    assert found.overlay_folders == (folder / "proposals",)
    assert found.out == folder / "src"
    assert found.root == folder / "src/my_acp"
    assert found.schemas == (folder / "schemas",)
    assert found.templates == (folder / "templates", folder / "one")
    assert found.renames == (folder / "renames.toml",)
    assert (found.source, found.base, found.docs) == ("npm:x@1.0.0", folder, True)


def test_two_configurations_are_an_error(folder: Path) -> None:
    own(folder, "")
    project(folder, "[tool.acpgen]\n")
    (found,) = problems(folder)
    assert found.where == "acpgen.toml"
    assert "pyproject.toml as well" in found.what


def test_a_pyproject_without_our_table_is_none_of_ours(folder: Path) -> None:
    own(folder, 'package = "a"')
    project(folder, "[tool.other]\n")
    assert config.load(folder).package == "a"


def test_the_search_goes_upwards_and_the_nearest_wins(folder: Path) -> None:
    own(folder, 'package = "outer"')
    inner = folder / "a/b"
    inner.mkdir(parents=True)
    found = config.load(inner)
    assert (found.package, found.out) == ("outer", folder / "generated")
    project(folder / "a", '[tool.acpgen]\npackage = "inner"')
    assert config.load(inner).package == "inner"


def test_the_search_ends_at_the_repository(folder: Path) -> None:
    own(folder, 'package = "outer"')
    inner = folder / "repo"
    (inner / ".git").mkdir(parents=True)
    assert config.load(inner).package == "acp_bindings"


def test_the_command_line_wins_and_counts_from_the_working_folder(folder: Path) -> None:
    own(folder, 'out = "o"\npackage = "p"\nsource = "s"')
    inner = folder / "inner"
    inner.mkdir()
    found = config.load(inner, {"out": "there", "package": None, "source": "t", "overlays": []})
    assert (found.out, found.package) == (inner / "there", "p")
    assert (found.source, found.base) == ("t", inner)
    assert found.overlays == ()


def test_an_explicit_file_is_read_and_no_other(folder: Path) -> None:
    own(folder, 'package = "near"')
    (folder / "else").mkdir()
    (folder / "else/my.toml").write_text('package = "far"', encoding="utf-8")
    found = config.load(folder, file=Path("else/my.toml"))
    assert (found.package, found.out) == ("far", folder / "else/generated")
    with pytest.raises(ProblemError, match=r"none\.toml: cannot be read"):
        config.load(folder, file=Path("none.toml"))


def test_an_unknown_key_names_itself_the_nearest_and_the_known_ones(folder: Path) -> None:
    own(folder, 'pakage = "x"')
    (found,) = problems(folder)
    assert "'pakage'" in found.what
    assert "did you mean package?" in found.hint
    for key in ("surfaces", "overlays", "layout", "templates", "renames", "docs"):
        assert key in found.hint


def test_every_fault_is_told_at_once(folder: Path) -> None:
    project(
        folder,
        """[tool.acpgen]
surfaces = ["v1", "v1", "v3beta"]
docs = "yes"
nonsense = 1
layout = "flat"
package = "not-a-name"
templates = "missing"
overlays = ["./missing", "a", "a"]
""",
    )
    text = "\n".join(map(str, problems(folder)))
    for part in (
        "v1 is listed twice",
        "'v3beta' is no surface",
        "tool.acpgen.docs: has to be a boolean, not a string",
        "unknown key 'nonsense'",
        "'flat' is no layout",
        "'not-a-name' is no name for a Python package",
        "missing does not exist",
        "./missing is not a folder",
        "a is listed twice",
    ):
        assert part in text


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("surfaces = 'v1'", "string"),
        ("surfaces = [1]", "mixed list"),
        ("docs = 1", "integer"),
        ("package = true", "boolean"),
        ("templates = {}", "table"),
        ("out = 1.5", "float"),
    ],
)
def test_a_wrong_type_is_named(folder: Path, text: str, kind: str) -> None:
    own(folder, text)
    (found,) = problems(folder)
    assert found.what.endswith(f"not a {kind}")
    assert found.where == f"acpgen.toml#{text.split(' ')[0]}"


def test_malformed_toml_tells_the_line(folder: Path) -> None:
    own(folder, "package = 'a'\nout = = 1\n")
    (found,) = problems(folder)
    assert found.where == "acpgen.toml"
    assert "line 2" in found.what


def test_a_byte_order_mark_is_accepted_and_other_encodings_are_not(folder: Path) -> None:
    (folder / "acpgen.toml").write_bytes(b"\xef\xbb\xbfpackage = 'a'")
    assert config.load(folder).package == "a"
    (folder / "acpgen.toml").write_bytes("package = 'ä'".encode("latin-1"))
    (found,) = problems(folder)
    assert "not UTF-8" in found.what


def test_tool_acpgen_has_to_be_a_table(folder: Path) -> None:
    project(folder, "tool.acpgen = 1")
    (found,) = problems(folder)
    assert found.where == "pyproject.toml#tool.acpgen"


@pytest.mark.parametrize("name", ["class", "a-b", "1a", "", "a.b"])
def test_a_package_has_to_be_importable(folder: Path, name: str) -> None:
    (found,) = problems(folder, package=name)
    assert found.where == "command line: package"


def test_empty_surfaces_and_out_are_errors(folder: Path) -> None:
    found = problems(folder, surfaces=[], out="")
    assert [problem.what for problem in found] == ["is empty", "is empty"]


@pytest.mark.parametrize(
    ("name", "key"), [("v1", (1, "stable")), ("v12_unstable", (12, "unstable"))]
)
def test_surface_names_round_trip(name: str, key: tuple[int, str]) -> None:
    assert config.surface_key(name) == key
    assert config.surface_name(*key) == name


@pytest.mark.parametrize(
    "package",
    ["pydantic", "typing", "json", "jsonschema", "acpgen", "Pydantic", "JSON", "attr", "rpds"],
)
def test_a_package_must_not_hide_another(tmp_path: Path, package: str) -> None:
    own(tmp_path, f'package = "{package}"')
    assert f"{package} is the name of a package" in "\n".join(map(str, problems(tmp_path)))


@pytest.mark.parametrize(
    ("package", "what"),
    [
        ("__init__", "is a name that Python keeps for itself"),
        ("__main__", "is a name that Python keeps for itself"),
        ("__pycache__", "is a name that Python keeps for itself"),
        ("\N{LATIN SMALL LIGATURE FI}x", "is not as Python reads it in an import"),
        ("\u00fc", "is no name of a distribution"),
        ("mein_\u00fc", "is no name of a distribution"),
        ("_pydantic", "is the name of a distribution that the bindings or their users need"),
        ("Rpds_Py", "is the name of a distribution that the bindings or their users need"),
    ],
)
def test_a_package_can_be_imported_and_named(folder: Path, package: str, what: str) -> None:
    own(folder, f'package = "{package}"')
    (problem,) = problems(folder)
    assert problem.where == "acpgen.toml: package"
    assert what in problem.what


@pytest.mark.parametrize("package", ["\u00fc", "_pydantic"])
def test_a_package_of_any_name_has_a_distribution_that_is_named_or_none(
    folder: Path, package: str
) -> None:
    own(folder, f'package = "{package}"\n[project]\nname = "mine"')
    assert config.load(folder).project.distribution(package) == "mine"
    own(folder, f'package = "{package}"\nlayout = "package"')
    assert config.load(folder).package == package
