"""`acpgen methods`, and `acpgen show` of what is no type, on the packaged schemas."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from acpgen.cli import app


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)


def run(*arguments: str, code: int = 0) -> Result:
    result = CliRunner().invoke(app, list(arguments))
    assert result.exit_code == code, result.output
    return result


def line(text: str, *words: str) -> str:
    """The one line that has all the words as whole cells."""
    found = [item for item in text.splitlines() if set(words) <= set(item.split("  "))]
    found = found or [item for item in text.splitlines() if all(word in item for word in words)]
    assert len(found) == 1, found
    return found[0]


def test_methods() -> None:
    text = run("methods", "--surface", "v2").stdout
    found = line(text, "session/delete", "request", "client -> agent")
    assert "DeleteSessionRequest" in found
    assert "agent: session.delete" in found
    assert "session/load" not in text
    assert "agent -> client" in line(text, "session/update ", "UpdateSessionNotification")
    assert "append" in line(text, "agent_message_chunk", "messageId")


def test_methods_as_json() -> None:
    data = json.loads(run("methods", "--json").stdout)
    assert set(data) == {"methods", "updates", "gates", "capabilities"}
    loads = [item for item in data["methods"] if item["method"] == "session/load"]
    assert [(item["surfaces"], item["gate"], item["replaced_by"]) for item in loads] == [
        (["v1", "v1_unstable"], "agent: loadSession", ["session/resume"])
    ]
    options = [item for item in data["methods"] if item["method"] == "session/options"]
    assert {item["stability"] for item in options} == {"session-options"}


def test_methods_of_another_release(tmp_path: Path) -> None:
    schema = {
        "$defs": {
            "PingRequest": {"type": "object", "x-method": "ping", "x-side": "client"},
            "PingResponse": {"type": "object", "x-method": "ping", "x-side": "client"},
        }
    }
    path = tmp_path / "release/schema/v1/schema.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(schema), encoding="utf-8")
    data = json.loads(run("methods", "--source", "release", "--json").stdout)
    assert [(item["method"], item["gate"]) for item in data["methods"]] == [("ping", "")]


def test_show_a_method() -> None:
    text = run("show", "session/new", "--surface", "v1").stdout
    assert text.startswith("session/new  request  client -> agent  v1\n")
    assert "gate: none, it is baseline" in text
    assert "needs: initialized, authenticated" in text
    assert "mcpCapabilities.http" in line(text, "/mcpServers/*/type", "is http")
    text = run("show", "elicitation/create", "--surface", "v2").stdout
    assert "gate: any(client: elicitation.form, client: elicitation.url)   (else -32602)" in text


def test_show_a_kind_of_update() -> None:
    text = run("show", "plan_update", "--surface", "v1_unstable").stdout
    assert "client: plan" in line(text, "replace_by_id", "plan.planId")


def test_show_a_capability() -> None:
    text = run("show", "session.configOptions.boolean", "--surface", "v1").stdout
    assert "/configOptions/*/type" in text
    assert "config_option_update" in text
    data = json.loads(run("show", "agent: session.mcp.http", "--surface", "v2", "--json").stdout)
    assert [item["path"] for item in data["capabilities"]] == ["session.mcp.http"]
    assert {item["what"] for item in data["gates"]} == {"session/new", "session/resume"}
    run("show", "client: session.mcp.http", "--surface", "v2", code=2)


def test_a_name_that_nothing_has() -> None:
    error = run("show", "session/nwe", code=2).stderr
    assert "session/nwe" in error
    assert "did you mean session/new" in error


def test_help_has_examples() -> None:
    assert "Example: acpgen methods" in run("methods", "--help").stdout
    assert "session/new" in run("show", "--help").stdout
