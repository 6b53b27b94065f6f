"""schemas/renames.toml: what a row may be, and which rows are stale."""

from __future__ import annotations

from pathlib import Path

import pytest

from acpgen import generate, inputs, resources
from acpgen.config import load as load_config
from acpgen.diff.pairing.renames import RenameRow, between, load, stale
from acpgen.problem import ProblemError
from tests.unit.diff.small import STRING, record, spec, tagged


def rows(folder: Path, text: str) -> tuple[RenameRow, ...]:
    path = folder / "renames.toml"
    path.write_text(text, encoding="utf-8")
    return load([path])


def test_a_row_knows_its_table_its_versions_and_where_it_stands(tmp_path: Path) -> None:
    (found,) = rows(tmp_path, '[v1-v2.fields]\n"T.id" = "T.key"\n')
    assert found == RenameRow(
        "fields", "T.id", "T.key", (1, 2), "renames.toml#v1-v2.fields.T.id", False
    )
    assert between([found], 2, 1) == (found.turned(),)
    assert between([found], 1, 1) == ()


def test_of_two_files_the_first_counts(tmp_path: Path) -> None:
    ones = []
    for name, new in (("own.toml", "B"), ("packaged.toml", "C")):
        path = tmp_path / name
        path.write_text(f'[v1-v2.types]\nA = "{new}"\n', encoding="utf-8")
        ones.append(path)
    assert [item.new for item in load(ones)] == ["B"]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('[v1.types]\nA = "B"\n', "names no two protocol versions"),
        ('[v1-v2.names]\nA = "B"\n', "is no table of renames"),
        ('[v1-v2.types]\nA = "A"\n', "renames nothing"),
        ("[v1-v2.types]\nA = 1\n", "1 is not a `$defs` key"),
        ('[v1-v2.fields]\nid = "T.key"\n', "'id' is not `Type.property`"),
        ('[v1-v2.variants]\n"U" = "U:b"\n', "'U' is not `Union:tag`"),
        ('[v1-v2.capabilities]\n"a.b" = "agent: b"\n', "'a.b' is not `agent: PATH`"),
        ('[v1-v2.types]\nA = { to = "B", why = "x" }\n', "has an unknown key why"),
        ('[v1-v2.types]\nA = { to = "B", retired = 1 }\n', "`retired` has to be true or false"),
    ],
)
def test_a_bad_row_is_named(tmp_path: Path, text: str, what: str) -> None:
    with pytest.raises(ProblemError) as caught:
        rows(tmp_path, text)
    (problem,) = caught.value.problems
    assert what in problem.what
    assert problem.where.startswith("renames.toml#")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('[v1-v2.types]\nTt = "T"\n', "v1 has no type `Tt`"),
        ('[v1-v2.types]\nT = "Tt"\n', "v2 has no type `Tt`"),
        ('[v1-v2.fields]\n"T.i" = "T.key"\n', "v1 has no field `T.i`"),
        ('[v1-v2.variants]\n"U:a" = "U:z"\n', "v2 has no variant `U:z`"),
        ('[v1-v2.methods]\nask = "beg"\n', "v1 has no method `ask`"),
        ('[v1-v2.capabilities]\n"agent: a" = "agent: b"\n', "v1 has no capability `agent: a`"),
    ],
)
def test_a_row_that_matches_nothing_is_a_problem(tmp_path: Path, text: str, what: str) -> None:
    old = spec({"T": record(id=STRING), "U": tagged("k", "a", "b")})
    new = spec({"T": record(key=STRING), "U": tagged("k", "a", "c")}, 2)
    (problem,) = stale(rows(tmp_path, text), [old, new])
    assert problem.what == what
    assert problem.hint


def test_rows_that_match_are_retired_or_are_about_absent_versions_are_no_problem(
    tmp_path: Path,
) -> None:
    old, new = spec({"T": record(id=STRING)}), spec({"T": record(key=STRING)}, 2)
    text = """
    [v1-v2.fields]
    "T.id" = "T.key"
    "Gone.id" = { to = "Gone.key", retired = true }
    [v2-v3.types]
    A = "B"
    """
    assert stale(rows(tmp_path, text), [old, new]) == []


def test_no_packaged_row_is_stale(tmp_path: Path) -> None:
    config = load_config(tmp_path, {})
    specs, _ = generate.build_specs(config, inputs.read(config))
    found = load([resources.schemas_dir() / "renames.toml"])
    assert found
    assert stale(found, specs) == []


def test_generate_refuses_a_stale_row_of_the_packaged_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "renames.toml"
    path.write_text('[v1-v2.types]\nNobody = "Nothing"\n', encoding="utf-8")
    monkeypatch.setattr("acpgen.diff.pairing.renames.packaged", lambda: load([path]))
    config = load_config(tmp_path, {})
    with pytest.raises(ProblemError) as caught:
        generate.build_specs(config, inputs.read(config))
    assert [item.what for item in caught.value.problems] == ["v1 has no type `Nobody`"]
