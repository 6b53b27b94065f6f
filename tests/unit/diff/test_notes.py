from __future__ import annotations

from pathlib import Path

import pytest

from acpgen.diff import notes
from acpgen.problem import ProblemError
from tests.unit.diff.fixtures import pair

GOOD = '[[note]]\ntopic = "a"\nstep = "rest"\nold = "So."\nnew = "Thus."\nabout = ["do"]\n'


def written(folder: Path, text: str) -> Path:
    path = folder / "v1-v2.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_note_is_read(tmp_path: Path) -> None:
    (note,) = notes.load(written(tmp_path, GOOD + 'agent = "Wait."\nseverity = "risky"\n'))
    assert (note.topic, note.step, note.agent, note.client) == ("a", "rest", "Wait.", "")
    assert note.severity == "risky"
    assert note.consequence("agent") == "Wait."


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (GOOD.replace("topic", "topik"), "unknown key 'topik' (did you mean topic?)"),
        (GOOD.replace("topic", "topik"), "has no topic"),
        (GOOD.replace('"rest"', '"nowhere"'), "'nowhere' is none of connect, sessions"),
        (GOOD + 'severity = "bad"\n', "'bad' is none of breaking, risky, compatible"),
        (
            GOOD.replace('"So."', '" "'),
            "v1-v2.toml#note/0/old: has to be a string that is not empty",
        ),
        (GOOD.replace('["do"]', '"do"'), "v1-v2.toml#note/0/about: has to be a list of strings"),
        (GOOD * 2, "v1-v2.toml#note/1: tells of 'a' again"),
        ("note = [1]\n", "has to be a table"),
        ("note = 1\n", "has to be a list of tables"),
        ("[[nots]]\n", "unknown key 'nots'"),
    ],
)
def test_a_faulty_file_is_a_problem(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(ProblemError) as caught:
        notes.load(written(tmp_path, text))
    assert words in "\n".join(map(str, caught.value.problems))


def test_a_name_that_no_surface_has_is_found(tmp_path: Path) -> None:
    spec, _, _ = pair("method-added")
    (problem,) = notes.unknown(written(tmp_path, GOOD.replace('["do"]', '["doo"]')), [spec])
    assert str(problem) == "v1-v2.toml: a: 'doo' is unknown (did you mean do?)"
    assert notes.unknown(written(tmp_path, GOOD), [spec]) == []


def test_capabilities_are_named_by_side_and_path(tmp_path: Path) -> None:
    _, spec, _ = pair("capability-added")
    text = GOOD.replace('["do"]', '["agent: x", "client: x"]')
    (problem,) = notes.unknown(written(tmp_path, text), [spec])
    assert "'client: x'" in problem.what
