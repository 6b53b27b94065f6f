from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from acpgen import generate as generation
from acpgen.config import Config, load
from acpgen.problem import ProblemError
from acpgen.sides import Word, pair, word
from tests.unit.support import PING, record

MORE = {**PING, "More": record(a={"type": "string"})}


def release(folder: Path, version: str = "", **files: dict[str, Any]) -> Path:
    """A folder with schemas: `v1`, `v2_unstable`, ...; `old` is the layout with one file."""
    for name, defs in files.items():
        number, _, unstable = name.partition("_")
        path = folder / "schema" / ("" if name == "old" else number)
        path.mkdir(parents=True, exist_ok=True)
        file = path / f"schema{'.unstable' if unstable else ''}.json"
        file.write_text(json.dumps({"$defs": defs}), encoding="utf-8")
    if version:
        about = {"name": "sdk", "version": version}
        (folder / "package.json").write_text(json.dumps(about), encoding="utf-8")
    return folder


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def settings() -> Config:
    return load(overrides={"overlays": []})


def faults(a: str, b: str) -> list[str]:
    with pytest.raises(ProblemError) as caught:
        pair(settings(), a, b)
    return [str(item) for item in caught.value.problems]


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("v1", (None, "v1")),
        ("v2-unstable", (None, "v2_unstable")),
        ("v2_unstable", (None, "v2_unstable")),
        ("npm:sdk@1.0.0", ("npm:sdk@1.0.0", "")),
        ("npm:sdk@1.0.0#v2-unstable", ("npm:sdk@1.0.0", "v2_unstable")),
        ("https://example.org/a.tgz", ("https://example.org/a.tgz", "")),
        ("./release", ("./release", "")),
        ("release#v1", ("release", "v1")),
        ("odd#name", ("odd#name", "")),
    ],
)
def test_what_a_word_means(here: Path, text: str, meaning: tuple[str | None, str]) -> None:
    release(here / "release", v1=PING)
    release(here / "odd#name", v1=PING)
    assert word(text) == Word(text, *meaning)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("v2_unstabel", "no such file or folder (did you mean v2-unstable?)"),
        ("V1", "no such file or folder (did you mean v1?)"),
        ("nowhere", "is no surface, and there is no such file or folder (give v1,"),
        ("npm:sdk@1.0.0#v2-unstble", "'v2-unstble' is no surface (did you mean v2-unstable?)"),
        ("#v1", "names no release before the #"),
        ("", "there is an empty argument"),
    ],
)
def test_a_word_that_is_nothing_is_a_problem(here: Path, text: str, words: str) -> None:
    assert words in faults(text, "v1")[0]


def test_both_words_are_told_of_together(here: Path) -> None:
    assert len(faults("nowhere", "v9_unstbl")) == 2


def test_two_surfaces_of_the_configured_schemas_are_read_together(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []
    build = generation.build_specs
    monkeypatch.setattr(
        generation, "build_specs", lambda *args, **more: calls.append(args) or build(*args, **more)
    )
    old, new = pair(settings(), "v1", "v2")
    assert (old.labels, new.labels) == (("v1",), ("v2",))
    assert [spec.surface for spec in (*old.specs, *new.specs)] == ["v1", "v2"]
    assert len(calls) == 1


def test_a_surface_against_itself(here: Path) -> None:
    old, new = pair(settings(), "v1", "v1")
    assert old.specs == new.specs


def test_two_releases_are_compared_in_what_both_have(here: Path) -> None:
    release(here / "a", "1.0.0", old=PING)
    release(here / "b", "2.0.0", v1=MORE, v1_unstable=MORE, v2=MORE)
    old, new = pair(settings(), "a", "b")
    assert (old.labels, new.labels) == (("v1 of sdk 1.0.0",), ("v1 of sdk 2.0.0",))
    assert old.notices[:2] == (
        "only b has v1-unstable: not compared",
        "only b has v2: not compared",
    )


def test_all_common_surfaces_stand_in_one_order(here: Path) -> None:
    release(here / "a", v2=PING, v1=PING, v1_unstable=PING)
    release(here / "b", v1=PING, v1_unstable=PING, v2=PING)
    old, new = pair(settings(), "a", "b")
    names = [spec.surface for spec in old.specs]
    assert names == [spec.surface for spec in new.specs] == ["v1", "v1_unstable", "v2"]
    assert old.labels == ("v1 of a", "v1_unstable of a", "v2 of a")


def test_releases_without_a_common_surface_are_a_problem(here: Path) -> None:
    release(here / "a", v1=PING)
    release(here / "b", v2=PING)
    assert faults("a", "b") == ["a: has v1, and b has v2 (name one of each: a#v1)"]


def test_different_surfaces_of_two_releases_are_compared_when_named(here: Path) -> None:
    release(here / "a", v1=PING)
    release(here / "b", v2=MORE)
    old, new = pair(settings(), "a#v1", "b#v2")
    assert (old.specs[0].surface, new.specs[0].surface) == ("v1", "v2")


def test_a_release_against_a_surface_is_asked_for_the_same(here: Path) -> None:
    release(here / "a", v1=PING, v2=MORE)
    old, new = pair(settings(), "a", "v2")
    assert (old.specs[0].surface, new.specs[0].surface) == ("v2", "v2")
    assert (old.labels, new.labels) == (("v2 of a",), ("v2",))


def test_a_surface_that_a_release_lacks_is_a_problem(here: Path) -> None:
    release(here / "a", v1=PING)
    assert faults("a", "v2") == ["a: has no surface v2 (it has v1)"]
    assert "has no surface v7 (it has v1, v1-unstable, v2, v2-unstable)" in faults("v7", "v1")[0]


def test_one_release_on_both_sides_is_read_once(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from acpgen.spec import source

    release(here / "a", v1=PING, v2=MORE)
    fetched = []
    fetch = source.fetch
    monkeypatch.setattr(source, "fetch", lambda *args: fetched.append(args) or fetch(*args))
    pair(settings(), "a#v1", "a#v2")
    assert len(fetched) == 1


def test_what_methods_toml_does_not_name_is_a_notice_not_a_problem(here: Path) -> None:
    about = {"x-method": "ask", "x-side": "agent"}
    ask = {"AskRequest": {**record(), **about}, "AskResponse": {**record(), **about}}
    release(here / "a", v1=PING)
    release(here / "b", v1={**PING, **ask})
    _, new = pair(settings(), "a", "b")
    assert any(notice.startswith("ungated: ") and "ask" in notice for notice in new.notices)


def code(pattern: str) -> dict[str, Any]:
    return {**PING, "Code": record(a={"type": "string", "pattern": pattern})}


def test_a_pattern_that_only_bindings_mind_is_a_notice_of_its_release(here: Path) -> None:
    release(here / "a", v1=code("^[A-Z]{3}$"))
    release(here / "b", v1=code("^(?!X)[A-Z]{3}$"))
    old, new = pair(settings(), "a", "b")
    told = [notice for notice in (*old.notices, *new.notices) if "pattern" in notice]
    assert [notice in new.notices for notice in told] == [True]
    assert told[0].startswith("v1#/$defs/Code: the pattern '^(?!X)[A-Z]{3}$' is no regular")
    assert told[0].endswith(" (in b)")


def test_what_both_releases_are_told_names_neither(here: Path) -> None:
    for name in ("a", "b"):
        release(here / name, v1=code("^(?!X)$"))
    old, new = pair(settings(), "a", "b")
    assert old.notices == new.notices
    assert not any("(in " in notice for notice in old.notices)


@pytest.mark.parametrize(
    "bad",
    [
        {**PING, "Bad": record(a={"type": "string", "x-deserialize-odd": True})},
        {**PING, "Bad": record(a={"$ref": "#/$defs/Nothing"})},
        {**PING, "Bad": record(a={"type": "array", "uniqueItems": 3})},
        {**PING, "Bad": record(a={"type": "string", "default": 1})},
    ],
)
@pytest.mark.parametrize(("a", "b"), [("good", "wrong"), ("wrong", "good"), ("good#v1", "wrong")])
def test_a_fault_says_of_which_release_it_is(
    here: Path, bad: dict[str, Any], a: str, b: str
) -> None:
    release(here / "good", "1.0.0", v1=PING)
    release(here / "wrong", "1.0.0", v1=bad)
    assert all(item.startswith("wrong") for item in faults(a, b))


def test_two_releases_of_one_name_and_version_are_called_as_given(here: Path) -> None:
    release(here / "a", "1.0.0", v1=PING)
    release(here / "b", "1.0.0", v1=MORE)
    old, new = pair(settings(), "a", "b")
    assert (old.labels, new.labels) == (("v1 of a",), ("v1 of b",))
