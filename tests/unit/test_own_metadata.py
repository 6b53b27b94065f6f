"""A user's own metadata: a release adds a method and a capability, `generate` names both, the user
adds the rows, `generate` passes. And what is wrong with rows is said with exit code 2.
"""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from acpgen import generate as generation
from acpgen import inputs, resources
from acpgen.cli import app
from acpgen.problem import ProblemError
from acpgen.spec.ir import Spec
from tests.unit.support import project, settings

PACKAGED = resources.schemas_dir()

ROWS = """
[[method]]
name = "session/rewind"
side = "agent"
kind = "request"
summary = "Go back to an earlier message."
requires = "agent: session.rewind"

[[check]]
methods = ["session/rewind"]
at = "/steps"
when = { present = true }
requires = "agent: session.rewind.steps"
"""


def capability(*names: str) -> dict[str, Any]:
    reference = [{"$ref": "#/$defs/RewindCapabilities"}, {"type": "null"}]
    return {name: {"anyOf": reference} for name in names}


def released(folder: Path) -> Path:
    """A project whose schema of v2 is the packaged one and a new method with a capability."""
    project(folder, {}, 'methods = "rows"\nout = "out"\npackage = "own_bindings"\n')
    (folder / "rows").mkdir()
    (folder / "schemas/v1/schema.json").unlink()
    schema = json.loads((PACKAGED / "v2/schema.json").read_text(encoding="utf-8"))
    definitions = schema["$defs"]
    definitions["RewindCapabilities"] = {
        "type": "object",
        "properties": {"steps": {"type": "boolean"}},
    }
    definitions["SessionCapabilities"]["properties"] |= capability("rewind")
    definitions["RewindSessionRequest"] = {
        "type": "object",
        "properties": {"sessionId": {"type": "string"}, "steps": {"type": "integer"}},
        "required": ["sessionId"],
        "x-method": "session/rewind",
        "x-side": "agent",
    }
    definitions["RewindSessionResponse"] = {
        "type": "object",
        "properties": {},
        "x-method": "session/rewind",
        "x-side": "agent",
    }
    path = folder / "schemas/v2/schema.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(schema), encoding="utf-8")
    return folder


def rows(folder: Path, text: str) -> None:
    path = folder / "rows/v2/methods.toml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")


def build(folder: Path, **more: Any) -> tuple[list[Spec], list[str]]:
    config = settings(folder, surfaces=["v2"], **more)
    return generation.build_specs(config, inputs.read(config))


def refused(folder: Path, **more: Any) -> list[str]:
    with pytest.raises(ProblemError) as caught:
        build(folder, **more)
    return [f"{problem.where}: {problem.what}" for problem in caught.value.problems]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return released(tmp_path)


def test_the_worked_example(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    runner = CliRunner()
    command = ["generate", "--surface", "v2", "--jobs", "1"]
    first = runner.invoke(app, command)
    assert first.exit_code == 2
    assert "v2: session/rewind: the request to the agent has no [[method]] row" in first.stderr
    assert "v2: agent capability session.rewind.steps: gates nothing" in first.stderr
    assert not (folder / "out").exists()

    rows(folder, ROWS)
    second = runner.invoke(app, command)
    assert (second.exit_code, second.stderr) == (0, "")
    sys.path.insert(0, str(folder / "out/src"))
    try:
        module = importlib.import_module("own_bindings.v2.capabilities")
    finally:
        sys.path.remove(str(folder / "out/src"))
    row = module.TABLE["session/rewind", "agent", "request"]
    assert row.summary == "Go back to an earlier message."
    plain = module.gates({}, {"capabilities": {"session": {"rewind": {}}}})
    assert plain.supports(row)
    (found,) = plain.check_params(row, {"sessionId": "s", "steps": 2})
    assert found.refusal.path == "session.rewind.steps"
    assert module.implied("agent", {("session/rewind", "request")}) == {"session": {"rewind": {}}}


def test_what_nothing_gates_may_be_allowed(folder: Path) -> None:
    specs, notices = build(folder, **{"allow-ungated": True})
    assert [notice for notice in notices if "session/rewind" in notice]
    assert [notice for notice in notices if "session.rewind.steps" in notice]
    (row,) = (row for row in specs[0].table.rows if row.method == "session/rewind")
    assert (row.requires, row.summary) == ("", "")


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("agent: session.rewind.steps", "agent: session.rewind.step", "no capability `session.rew"),
        ("agent: session.rewind.steps", "client: session.rewind.steps", "the client has no cap"),
        (
            'at = "/steps"',
            'at = "/step"',
            "there is no place /step in the params of session/rewind",
        ),
        ('methods = ["session/rewind"]', 'methods = ["session/rewound"]', "no method session/rewo"),
        ('kind = "request"', 'kind = "notification"', "(notification to the agent), in no known"),
        ('side = "agent"', 'side = "client"', "no method session/rewind (request to the client)"),
    ],
)
def test_a_row_that_fits_no_known_release(folder: Path, old: str, new: str, expected: str) -> None:
    assert ROWS.count(old) == 1
    rows(folder, ROWS.replace(old, new))
    found = refused(folder)
    assert any(
        expected in item and item.startswith("rows/v2/methods.toml:") for item in found
    ), found


def test_a_malformed_file_is_named_with_its_line(folder: Path) -> None:
    rows(folder, ROWS.replace('kind = "request"', 'kind = "call"'))
    assert refused(folder)[0].startswith(
        "rows/v2/methods.toml:5#/method/0/kind: 'call' is not one of"
    )


def test_a_users_row_takes_the_place_of_the_packaged_one(folder: Path) -> None:
    mine = ROWS + ROWS.split("[[check]]")[0].replace("rewind", "delete").replace("earlier", "later")
    rows(folder, mine)
    (spec,), _ = build(folder)
    (row,) = (row for row in spec.table.rows if row.method == "session/delete")
    assert row.summary == "Go back to an later message."


def test_rows_of_what_this_release_lacks_are_left_out(tmp_path: Path) -> None:
    """An older schema: only what it has is in its table, and the packaged rows are no problem."""
    old = json.loads((PACKAGED / "v1/schema.json").read_text(encoding="utf-8"))
    for key in ("CloseSessionRequest", "CloseSessionResponse"):
        del old["$defs"][key]
    del old["$defs"]["SessionCapabilities"]["properties"]["close"]
    for key in ("AgentRequest", "ClientRequest", "AgentResponse", "ClientResponse"):
        del old["$defs"][key]
    project(tmp_path, old["$defs"])
    config = settings(tmp_path)
    (spec,), _ = generation.build_specs(config, inputs.read(config))
    assert "session/close" not in {row.method for row in spec.table.rows}
    assert "sessionCapabilities.close" not in spec.table.capabilities["agent"]
    assert {row.stability for row in spec.table.rows} == {"stable"}


def test_overlay_rows_come_with_the_overlay() -> None:
    for overlays, has in ([["session-options"], True], [[], False]):
        config = settings(PACKAGED, surfaces=["v1_unstable"], overlays=overlays)
        (spec,), _ = generation.build_specs(config, inputs.read(config))
        rows_ = {row.method: row for row in spec.table.rows}
        assert ("session/options" in rows_) is has
        gates = {check.at for check in rows_["session/new"].checks}
        assert ("/configOptions" in gates) is has
        if has:
            row = rows_["session/options"]
            assert row.stability == "session-options"
            assert row.requires == "agent: sessionCapabilities.options"
            (check,) = (check for check in row.checks if check.at == "/sessionId")
            assert check.requires == "any(agent: loadSession, agent: sessionCapabilities.resume)"
