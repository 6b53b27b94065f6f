from __future__ import annotations

from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from acpgen import config
from acpgen.problem import ProblemError
from acpgen.project import NO_PROJECT, TAKEN, Project, parse, pep440


def faults(table: dict[str, Any]) -> list[str]:
    found: list[str] = []
    parse(table, lambda key, what, hint: found.append(f"{key}: {what} {hint}".strip()))
    return found


def test_everything_follows_from_package_and_release() -> None:
    assert NO_PROJECT.distribution("acp_bindings") == "acp-bindings"
    assert NO_PROJECT.version_for("2.4.0") == "2.4.0"


def test_a_revision_is_a_post_release() -> None:
    assert Project(revision=2).version_for("2.4.0") == "2.4.0.post2"
    assert Project(version="3.0", revision=1).version_for("2.4.0") == "3.0.post1"


@pytest.mark.parametrize(
    ("release", "version"),
    [
        ("2.4.0", "2.4.0"),
        ("2.0.0-alpha.1", "2.0.0a1"),
        ("2.0.0-rc", "2.0.0rc0"),
        ("2.0.0-next.3", ""),
        ("2.0.0-1", ""),  # before 2.0.0 for npm, after it for Python
        ("2.0.0+build", ""),
        ("main", ""),
        ("", ""),
    ],
)
def test_a_release_of_npm_as_python_writes_it(release: str, version: str) -> None:
    assert pep440(release) == version
    assert NO_PROJECT.version_for(release) == (version or "0.0.0")


def test_the_whole_table() -> None:
    found: list[str] = []
    table = {
        "name": "acp.of_mine",
        "version": "1!2.0rc1",
        "revision": 1,
        "description": "Mine.",
        "authors": [{"name": "Ada", "email": "ada@example.org"}, {"name": "Bo"}],
        "urls": {"Source": "https://example.org/x"},
    }
    assert parse(table, lambda *fault: found.append(str(fault))) == Project(
        name="acp.of_mine",
        version="1!2.0rc1",
        revision=1,
        description="Mine.",
        authors=(("Ada", "ada@example.org"), ("Bo", "")),
        urls=(("Source", "https://example.org/x"),),
    )
    assert found == []


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("name", "no spaces"),
        ("name", "-dash"),
        ("name", "ümlaut"),
        ("name", "pydantic"),
        ("name", "Typing_Extensions"),
        ("name", "hatchling"),
        ("version", "2.4.0-alpha.1"),
        ("version", "2.4.0+local"),
        ("version", "02.4"),
        ("version", 2),
        ("revision", -1),
        ("revision", True),
        ("revision", "1"),
        ("description", "two\nlines"),
        ("description", " "),
        ("authors", "Ada"),
        ("authors", [{}]),
        ("authors", [{"name": "Ada", "phone": "1"}]),
        ("authors", [{"name": "Lovelace, Ada"}]),
        ("authors", [{"email": "nobody"}]),
        ("authors", [{"email": "zoë@example.org"}]),
        ("authors", [{"email": "a..b@example.org"}]),
        ("authors", [{"email": "a(b)@example.org"}]),
        ("urls", ["https://example.org"]),
        ("urls", {"Source": "example.org"}),
        ("urls", {"Source": "file:///etc"}),
        ("urls", {"x" * 33: "https://example.org"}),
    ],
)
def test_what_an_index_or_a_reader_would_refuse(key: str, value: object) -> None:
    (fault,) = faults({key: value})
    assert fault.startswith(f"{key}: ")


def test_an_unknown_key_is_named_with_the_known_ones() -> None:
    (fault,) = faults({"licence": "MIT"})
    assert "'licence'" in fault
    assert "known keys: name, version, revision" in fault


def test_a_revision_and_a_post_or_development_release_exclude_each_other() -> None:
    for version in ("2.4.0.post1", "1.0.dev1", "1.0a1.dev2"):
        (fault,) = faults({"version": version, "revision": 1})
        assert fault.startswith("revision: the version has a .")
        assert faults({"version": version}) == []


def test_no_dependency_of_the_bindings_is_a_name_for_them() -> None:
    """Those of pydantic and jsonschema as they are installed, down to the last one."""
    left, found = ["pydantic", "jsonschema"], set()
    while left:
        name = canonicalize_name(left.pop())
        if name in found:
            continue
        found.add(name)
        for text in metadata.requires(name) or ():
            requirement = Requirement(text)
            if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
                left.append(requirement.name)
    assert {"pydantic-core", "rpds-py"} <= found <= TAKEN


def test_spaces_of_an_author_are_those_of_the_metadata() -> None:
    found = parse({"authors": [{"name": "Ada  L."}]}, lambda *_: None)
    assert found.authors == (("Ada L.", ""),)


def test_the_configuration_has_it_and_reports_its_faults(tmp_path: Path) -> None:
    file = tmp_path / "acpgen.toml"
    file.write_text('[project]\nname = "mine"\nrevision = 1\n', encoding="utf-8")
    assert config.load(tmp_path).project == Project(name="mine", revision=1)
    over = config.load(tmp_path, {"project": {"revision": 3}})
    assert over.project == Project(name="mine", revision=3)
    file.write_text('[project]\nnames = "mine"\nrevision = -1\n', encoding="utf-8")
    with pytest.raises(ProblemError) as caught:
        config.load(tmp_path)
    assert [problem.where for problem in caught.value.problems] == ["acpgen.toml: project"] * 2
    file.write_text("project = true\n", encoding="utf-8")
    with pytest.raises(ProblemError, match="has to be a table, not a boolean"):
        config.load(tmp_path)
