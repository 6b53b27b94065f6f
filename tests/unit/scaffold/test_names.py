from __future__ import annotations

import builtins
import importlib.metadata
import importlib.util
import keyword
import sys
import venv
from pathlib import Path

import pytest

from acpgen.problem import ProblemError
from acpgen.scaffold import names as naming

POSSIBLE = {
    "my-agent": ("my-agent", "my_agent", "MyAgent"),
    "My Agent 2": ("my-agent-2", "my_agent_2", "MyAgent2"),
    "x.ai": ("x-ai", "x_ai", "XAi"),
    "my_agent": ("my-agent", "my_agent", "MyAgent"),
    "HTTPBot": ("httpbot", "httpbot", "HTTPBot"),
    "a": ("a", "a", "A"),
    "  spaced   out  ": ("spaced-out", "spaced_out", "SpacedOut"),
    "a--b..c": ("a-b-c", "a_b_c", "ABC"),
    "test-site": ("test-site", "test_site", "TestSite"),
    "class-agent": ("class-agent", "class_agent", "ClassAgent"),
    "x" * naming.LONGEST: ("x" * naming.LONGEST, "x" * naming.LONGEST, "X" + "x" * 63),
}

IMPOSSIBLE = {
    "": "is empty",
    "   ": "is empty",
    "--": "no letter",
    "2fast": "begins with a digit",
    "2 fast": "begins with a digit",
    "class": "a word of the Python language",
    "Class": "a word of the Python language",
    "none": "a word of the Python language",
    "match": "a word of the Python language",
    "print": "built into Python",
    "json": "standard library",
    "JSON": "standard library",
    "test": "name of a folder",
    "distutils": "standard library",
    "tomllib": "standard library",
    "acp": "tools import",
    "acpgen": "tools import",
    "acp-bindings": "tools import",
    "acp bindings": "tools import",
    "pydantic": "tools import",
    "pydantic.core": "tools import",
    "pytest": "tools import",
    "con": "device on Windows",
    "COM1": "device on Windows",
    "tests": "folder",
    "src": "folder",
    "python": "hide another",
    "python3": "hide another",
    "pip3": "hide another",
    "pydoc3": "hide another",
    "py": "hide another",
    "stubgen": "hide another",
    "date": "hide another",
    "activate": "hide another",
    "müller": "does not accept",
    "агент": "does not accept",
    "agent\N{ROBOT FACE}": "does not accept",
    "a/b": "a path",
    "../up": "a path",
    "c:\\agent": "a path",
    "a@b": "signs other than",
    "a\nb": "signs other than",
    "a{{ b }}": "signs other than",
    'a"b': "signs other than",
    "x" * (naming.LONGEST + 1): "too long",
}


@pytest.mark.parametrize("typed", POSSIBLE)
def test_names_follow_from_what_was_typed(typed: str) -> None:
    found = naming.names(typed)
    assert (found.distribution, found.package, found.class_name) == POSSIBLE[typed]
    assert found.package.isidentifier()
    assert found.class_name.isidentifier()
    assert not keyword.iskeyword(found.class_name)


@pytest.mark.parametrize("typed", IMPOSSIBLE)
def test_an_impossible_name_is_refused_with_a_suggestion_that_is_possible(typed: str) -> None:
    with pytest.raises(ProblemError, match=IMPOSSIBLE[typed]) as caught:
        naming.names(typed)
    suggested = naming.suggestion(typed)
    assert suggested in caught.value.problems[0].hint or "--path" in caught.value.problems[0].hint
    assert naming.names(suggested).distribution == suggested


@pytest.mark.parametrize("word", ["agent", "client"])
def test_whatever_was_typed_the_suggestion_is_possible(word: str) -> None:
    taken = (*keyword.kwlist, *keyword.softkwlist, *sys.stdlib_module_names, *dir(builtins))
    for typed in (*taken, *naming._IMPORTED, *naming._COMMANDS, *naming._DEVICES, *IMPOSSIBLE):
        suggested = naming.suggestion(typed, word)
        assert naming.names(suggested).distribution == suggested


def test_a_suggestion_stays_near_to_what_was_typed() -> None:
    assert naming.suggestion("class") == "class-agent"
    assert naming.suggestion("2fast", "client") == "client-2fast"
    assert naming.suggestion("müller") == "muller"
    assert naming.suggestion("агент") == "my-agent"
    assert naming.suggestion("a@b") == "a-b"


def test_no_command_of_a_new_environment_is_hidden(tmp_path: Path) -> None:
    """What a project's environment has before anything is installed, and with its tools."""
    venv.create(tmp_path, with_pip=False)
    folders = [tmp_path / "bin", tmp_path / "Scripts"]
    made = {path.stem for folder in folders if folder.is_dir() for path in folder.iterdir()}
    tools = {
        script.name
        for script in importlib.metadata.entry_points(group="console_scripts")
        if script.dist is not None and script.dist.name in ("black", "mypy", "pip", "pytest")
    }
    assert "python" in made and "dmypy" in tools
    for name in sorted(made | tools):
        if "." not in name:  # a dot becomes another sign, so nothing is hidden
            with pytest.raises(ProblemError):
                naming.names(name)


def test_a_path_is_answered_with_the_option_for_paths() -> None:
    with pytest.raises(ProblemError) as caught:
        naming.names("agents/Helper/")
    assert caught.value.problems[0].hint.startswith("acpgen new helper --path")


@pytest.mark.parametrize("name", ["pydantic", "typing_extensions", "annotated_types", "pytest"])
def test_what_a_project_imports_is_refused(name: str) -> None:
    assert importlib.util.find_spec(name) is not None
    with pytest.raises(ProblemError):
        naming.names(name)
