"""Pages that are followed step by step: what they show is what a terminal shows."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.docs.shell import NETWORK, QUICK, ROOT, Command, File, matches, play, steps

DOCS = ROOT / "docs"

# Once is enough: they install packages, and take minutes.
in_docs = pytest.mark.skipif(find_spec("material") is None, reason="nox -s docs runs it")
pages = [
    *(pytest.param(name, id=name, marks=pytest.mark.slow) for name in QUICK),
    *(
        pytest.param(name, id=name, marks=[pytest.mark.slow, pytest.mark.network, in_docs])
        for name in NETWORK
    ),
]


@pytest.mark.skipif(os.name == "nt", reason="the pages show a POSIX shell")
@pytest.mark.parametrize("name", pages)
def test_a_page_shows_what_happens(name: str, tmp_path: Path) -> None:
    page = (DOCS / name).read_text(encoding="utf-8")
    done = 0
    for command, code, shown in play(page, tmp_path):
        assert code == command.code, (command.text, shown)
        assert matches(shown, command.output), (command.text, "\n".join(shown))
        done += 1
    assert done >= 2


def test_the_steps_of_a_page() -> None:
    page = (
        "```toml\n# acpgen.toml\nlayout = 1\n```\n\n```toml\n[table]\n```\n"
        "```console\n$ one   # exit 2\nerror\n\n$ two\n$ three\n...\n```\n"
    )
    assert list(steps(page)) == [
        File("acpgen.toml", "# acpgen.toml\nlayout = 1\n"),
        Command("one", 2, ("error",)),
        Command("two", 0, ()),
        Command("three", 0, ("...",)),
    ]


@pytest.mark.parametrize(
    ("shown", "expected", "same"),
    [
        ([], [], True),
        (["a"], [], False),
        ([], ["a"], False),
        (["a", "b", "c"], ["a", "...", "c"], True),
        (["a", "c"], ["a", "...", "c"], True),
        (["a", "b"], ["a", "...", "c"], False),
        (["a"], ["..."], True),
        (["a", "b"], ["...", "a"], False),
    ],
)
def test_three_dots_are_any_number_of_lines(
    shown: list[str], expected: list[str], same: bool
) -> None:
    assert matches(shown, expected) is same


def test_a_session_keeps_its_folder_and_tells_the_code(tmp_path: Path) -> None:
    page = "```console\n$ mkdir sub && cd sub\n$ basename $PWD; exit 3\n```\n```text\n```\n"
    assert [(code, shown) for _, code, shown in play(page, tmp_path)] == [(0, []), (3, ["sub"])]
