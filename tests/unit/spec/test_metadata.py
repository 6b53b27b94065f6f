"""methods.toml is read, or refused with the line and the key."""

from __future__ import annotations

from pathlib import Path

import pytest

from acpgen import resources
from acpgen.problem import ProblemError
from acpgen.spec.metadata import FORMAT, Metadata, load, parse
from acpgen.spec.toml_lines import line_of

GOOD = """
# A comment.
[roots]
agent = "caps"
client = "caps"

[[state]]
name = "fact"
summary = "A fact."
known_by = "author"
default = false

[[method]]
name = "do"
side = "agent"
kind = "request"
summary = "Do it."
requires = "any(agent: a.b, state: fact)"
needs = ["initialized"]
errors = [-32002]
replaced_by = []

[[check]]
methods = ["do"]
at = "/x/*"
when = { one_of = ["a", "b"], present = true }
requires = "never"

[[check]]
updates = ["tell"]
at = "/y"
rule = "offered /x/*"
by = "sender"

[[update]]
kind = "tell"
semantics = "append"
summary = "Tell it."

[[informational]]
capability = "client: z"
summary = "For nothing."
"""


def test_a_good_file() -> None:
    found = parse(GOOD, "v9/methods.toml")
    (method,) = found.methods
    assert method.key == ("do", "agent", "request")
    assert str(method.requires) == "any(agent: a.b, state: fact)"
    assert (method.needs, method.errors, method.replaced_by) == (("initialized",), (-32002,), ())
    first, second = found.checks
    assert first.when == {"one_of": ["a", "b"], "present": True}
    assert (second.updates, second.rule, second.by) == (("tell",), "offered /x/*", "sender")
    assert found.updates[0].requires is None
    assert str(found.informational[0].capability) == "client: z"
    assert found.roots == {"agent": "caps", "client": "caps"}
    assert method.where == "v9/methods.toml:13#/method/0"
    assert second.where == "v9/methods.toml:29#/check/1"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('side = "agent"', 'side = "server"', ":15#/method/0/side: 'server' is not one of"),
        ('summary = "Do it."', "", ":13#/method/0: 'summary' is a required property"),
        ("any(agent: a.b", "any(agent a.b", ":18#/method/0/requires: `:` was expected"),
        ('client: z"', 'state: fact"', ":41#/informational/0/capability: `state: fact` is no cap"),
        ('"offered /x/*"', '"ofered /x/*"', ":29#/check/1: there is no rule `ofered`"),
        ('updates = ["tell"]\n', "", ":29#/check/1: needs exactly one of methods, updates"),
        ('rule = "offered /x/*"\n', "", ":29#/check/1: needs one of requires, rule"),
        ("present = true", "presnt = true", ":26#/check/0/when: "),
        ('at = "/y"', 'at = "y"', ":31#/check/1/at: 'y' does not match"),
        ("[[update]]", "[[updates]]", "'updates' was unexpected"),
        ('semantics = "append"', 'semantics = "apend"', ":37#/update/0/semantics"),
        ("default = false", "default = 0", ":11#/state/0/default"),
        ('needs = ["initialized"]', 'needs = ["luck"]', ":19#/method/0/needs/0"),
    ],
)
def test_a_malformed_file_names_the_line_and_the_key(old: str, new: str, expected: str) -> None:
    assert GOOD.count(old) == 1
    with pytest.raises(ProblemError) as caught:
        parse(GOOD.replace(old, new), "m.toml")
    assert expected in str(caught.value)


def test_all_faults_are_named_at_once() -> None:
    text = GOOD.replace('"append"', '"apend"').replace('side = "agent"', 'side = "server"')
    with pytest.raises(ProblemError) as caught:
        parse(text, "m.toml")
    assert len(caught.value.problems) == 2


@pytest.mark.parametrize("table", ["method", "update", "state"])
def test_two_rows_of_one_key(table: str) -> None:
    start = GOOD.index(f"[[{table}]]")
    row = GOOD[start:].split("\n\n")[0]
    with pytest.raises(ProblemError, match=rf"#/{table}/1: .*is there already"):
        parse(f"{GOOD}\n{row}\n", "m.toml")


def test_a_users_rows_come_first(tmp_path: Path) -> None:
    texts = [GOOD.replace("Do it.", "Mine."), GOOD]
    paths = []
    for index, text in enumerate(texts):
        path = tmp_path / str(index) / "methods.toml"
        path.parent.mkdir()
        path.write_text(text, encoding="utf-8")
        paths.append(path)
    found = load([*paths, tmp_path / "none.toml"])
    assert [row.summary for row in found.methods] == ["Mine."]
    assert len(found.checks) == 4, "checks add up"
    assert len(found.updates) == len(found.states) == 1
    assert load([]) == Metadata()


def test_faults_of_several_files_are_named_together(tmp_path: Path) -> None:
    paths = [tmp_path / name / "methods.toml" for name in ("a", "b")]
    for path in paths:
        path.parent.mkdir()
        path.write_text("[[method]]\n", encoding="utf-8")
    with pytest.raises(ProblemError) as caught:
        load(paths)
    wheres = {problem.where.partition(":")[0] for problem in caught.value.problems}
    assert wheres == {f"{tmp_path.name}/{name}/methods.toml" for name in ("a", "b")}


def test_the_line_of_a_value() -> None:
    text = '# c\nx = 1\n[a]\nb.c = 1\n[[r]]\nk = [\n  "k",\n]\n\n[[ r ]] # again\n"q" = 2\nk = 3\n'
    assert line_of(text, ["x"]) == 2
    assert line_of(text, ["a"]) == 3
    assert line_of(text, ["a", "b", "c"]) == 4
    assert line_of(text, ["r", 0, "k", 0]) == 6
    assert line_of(text, ["r", 1]) == 10
    assert line_of(text, ["r", 1, "q"]) == 11
    assert line_of(text, ["r", 1, "gone"]) == 10
    assert line_of(text, ["gone"]) == 0
    assert line_of(text, []) == 0


def test_the_format_is_a_schema() -> None:
    from jsonschema import Draft202012Validator

    Draft202012Validator.check_schema(dict(FORMAT))


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_the_packaged_files_name_their_rows_apart(version: str) -> None:
    """Two rows that say the same would hide a mistake: no [[check]] stands twice."""
    found = load([resources.schemas_dir() / version / "methods.toml"])
    seen = set()
    for row in found.checks:
        for name in (*row.methods, *row.updates):
            key = (name, row.of, row.at, str(row.when), str(row.requires), row.rule)
            assert key not in seen, key
            seen.add(key)
