"""Rules of tests/contract/rules.md about what needs a capability, and about initialization."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.behaviour.bindings import V1, V2, decode, encode, pointers, schema, surface
from tests.contract.messages import checkers, initialize, refusals

ROOT = Path(__file__).resolve().parents[2]

_TYPES = "/mcpServers/0/type"
_BLOCK = "/prompt/0/type"
_OPTION = [{"configId": "a", "type": "id"}]


def _server(type_: str) -> dict[str, Any]:
    return {"mcpServers": [{"type": type_}]}


def _prompt(type_: str) -> dict[str, Any]:
    return {"prompt": [{"type": type_}]}


V1_OPTIONS, V2_OPTIONS = "sessionCapabilities.options", "session.options"
PROMPT = {"systemPrompt": {"content": [{"type": "text"}]}}
EXTRA = {"additionalDirectories": ["/a"]}
SESSION = {"sessionId": "s"}
CONTEXT = "session.prompt.embeddedContext"

# surface, method, params, capability of the agent, its value, place
GATES: list[tuple[str, str, Any, str, Any, str]] = [
    ("v2", "session/new", EXTRA, "session.additionalDirectories", {}, "/additionalDirectories"),
    ("v2", "session/new", _server("stdio"), "session.mcp.stdio", {}, _TYPES),
    ("v2", "session/resume", _server("http"), "session.mcp.http", {}, _TYPES),
    ("v1", "session/load", _server("http"), "mcpCapabilities.http", True, _TYPES),
    ("v1", "session/new", _server("sse"), "mcpCapabilities.sse", True, _TYPES),
    ("v2", "session/prompt", _prompt("image"), "session.prompt.image", {}, _BLOCK),
    ("v2", "session/prompt", _prompt("audio"), "session.prompt.audio", {}, _BLOCK),
    ("v2", "session/prompt", _prompt("resource"), CONTEXT, {}, _BLOCK),
    ("v1_unstable", "session/new", {"configOptions": _OPTION}, V1_OPTIONS, {}, "/configOptions"),
    ("v2_unstable", "session/resume", {"configOptions": _OPTION}, V2_OPTIONS, {}, "/configOptions"),
    ("v1_unstable", "session/options", SESSION, "loadSession", True, "/sessionId"),
    ("v1_unstable", "session/options", SESSION, "sessionCapabilities.resume", {}, "/sessionId"),
    ("v2_unstable", "session/new", PROMPT, "session.systemPrompt", {}, "/systemPrompt"),
]


@pytest.mark.rule(27, 37, 57, 84, 86, 87, 90, 117)
@pytest.mark.parametrize("row", GATES, ids=lambda row: f"{row[0]}-{row[1]}-{row[3]}")
def test_a_parameter_needs_a_capability(row: Any) -> None:
    name, method, params, path, value, pointer = row
    for sending in (False, True):
        assert pointer in refusals(name, method, params, sending=sending)
        opened = refusals(name, method, params, sending=sending, agent={path: value})
        assert pointer not in opened


@pytest.mark.rule(45, 67, 83, 90)
@pytest.mark.parametrize(
    ("name", "method", "path", "value"),
    [
        ("v1", "session/load", "loadSession", True),
        ("v2", "session/delete", "session.delete", {}),
        ("v1_unstable", "session/options", "sessionCapabilities.options", {}),
        ("v2_unstable", "session/options", "session.options", {}),
    ],
)
def test_a_method_needs_a_capability(name: str, method: str, path: str, value: Any) -> None:
    row = surface(name).TABLE[method, "agent", "request"]
    make = checkers(name).gates
    refused = make(*initialize(name[:2])).why_not(row)
    assert (refused.side, refused.path, row.error) == ("agent", path, -32601)
    assert make(*initialize(name[:2], [("agent", path, value)])).supports(row)


@pytest.mark.rule(81, 82, 85)
@pytest.mark.parametrize("name", V2)
@pytest.mark.parametrize("group", [None, {}])
def test_groups_that_advertise_nothing(name: str, group: Any) -> None:
    agent = {"session": {"prompt": group, "mcp": group}}
    baseline = {"prompt": [{"type": "text"}, {"type": "resource_link"}]}
    assert refusals(name, "session/prompt", baseline, agent=agent) == []
    rest = {"prompt": [{"type": "image"}, {"type": "audio"}, {"type": "resource"}]}
    assert len(refusals(name, "session/prompt", rest, agent=agent)) == 3
    servers = {"cwd": "/", "mcpServers": [{"type": "stdio"}, {"type": "http"}]}
    assert len(refusals(name, "session/new", servers, agent=agent)) == 2


@pytest.mark.rule("N10")
@pytest.mark.parametrize("name", [*V1, *V2])
def test_an_elicitation_mode_is_advertised_by_name(name: str) -> None:
    row = surface(name).TABLE["elicitation/create", "client", "request"]
    for client, modes in (({}, []), ({"form": {}}, ["form"]), ({"url": {}}, ["url"])):
        gates = checkers(name).gates(*initialize(name[:2], [("client", "elicitation", client)]))
        assert gates.supports(row) is bool(modes)
        for mode in ("form", "url", "_mine"):
            assert (gates.check_params(row, {"mode": mode}) == []) is (mode in modes)


@pytest.mark.rule("N11")
def test_v1_updates_that_a_client_asks_for() -> None:
    table = surface("v1_unstable").TABLE
    wanted = {
        "notice": "session.notices",
        "compaction_update": "session.compaction",
        "compaction_summary_chunk": "session.compaction",
        "plan_update": "plan",
        "plan_removed": "plan",
        "subagent_update": "subagents",
        "session_message": "subagents",
        "session_message_chunk": "subagents",
    }
    found = {item.kind: item.requires for item in table.updates.values() if item.requires}
    assert found == {kind: f"client: {path}" for kind, path in wanted.items()}
    assert not any(item.requires for item in surface("v2_unstable").TABLE.updates.values())


@pytest.mark.rule("N14")
@pytest.mark.parametrize("name", ["v1_unstable", "v2_unstable"])
def test_system_prompts(name: str) -> None:
    path = ("session." if name.startswith("v2") else "sessionCapabilities.") + "systemPrompt"

    def found(prompt: Any, agent: Any) -> list[str]:
        return refusals(name, "session/new", {"cwd": "/", "systemPrompt": prompt}, agent=agent)

    text = {"content": [{"type": "text", "text": "t"}], "mode": "append"}
    assert found(text, {}) == ["/systemPrompt"]
    assert found(None, {}) == []
    assert found(text, {path: {}}) == []
    assert found({**text, "mode": "override"}, {path: {}}) == ["/systemPrompt/mode"]
    assert found({**text, "mode": "override"}, {f"{path}.mode.override": {}}) == []
    assert found({**text, "mode": "mine"}, {f"{path}.mode.override": {}}) == ["/systemPrompt/mode"]
    assert found({**text, "content": []}, {path: {}}) == ["/systemPrompt/content"]
    image = {**text, "content": [{"type": "image"}]}
    assert found(image, {path: {}}) == ["/systemPrompt/content/0/type"]


@pytest.mark.rule(121, "N6")
@pytest.mark.parametrize(
    ("method", "params", "pointer"),
    [
        ("session/resume", {"cwd": "/", "replayFrom": {"type": "_mine"}}, "/replayFrom/type"),
        ("session/prompt", {"prompt": [{"type": "_mine"}]}, "/prompt/0/type"),
        ("session/new", {"cwd": "/", "mcpServers": [{"type": "_mine"}]}, "/mcpServers/0/type"),
        ("session/set_config_option", {"type": "_mine"}, "/type"),
        ("session/list", {"archived": "_mine"}, "/archived"),
        (
            "session/new",
            {"cwd": "/", "configOptions": [{"type": "_mine"}]},
            "/configOptions/0/type",
        ),
    ],
)
def test_what_an_agent_does_not_know_is_refused(method: str, params: Any, pointer: str) -> None:
    agent = {"session.options": {}, "session.archive": {}}
    assert refusals("v2_unstable", method, params, sending=False, agent=agent) == [pointer]


@pytest.mark.rule(64, 65, 88)
@pytest.mark.parametrize("name", V2)
@pytest.mark.parametrize("type_", ["InitializeRequest", "InitializeResponse"])
def test_v2_initialize_names_version_and_info(name: str, type_: str) -> None:
    assert set(pointers(name, type_, {})) == {"/protocolVersion", "/info"}
    message = {"protocolVersion": 2, "info": {}}
    assert set(pointers(name, type_, message)) == {"/info/name", "/info/version"}
    message = {"protocolVersion": 2, "info": {"name": "n", "version": "1"}}
    assert decode(name, type_, message).info.title is None


@pytest.mark.rule(69)
@pytest.mark.parametrize("name", [*V1, *V2])
@pytest.mark.parametrize("version", ["1", True, 1.0, 1.5, -1, 65536, None, [], "2025-01-01"])
def test_a_version_is_one_integer(name: str, version: Any) -> None:
    info = {"info": {"name": "n", "version": "1"}} if name.startswith("v2") else {}
    message = {"protocolVersion": version, **info}
    assert pointers(name, "InitializeRequest", message) == ["/protocolVersion"]
    for good in (0, 1, 65535):
        message["protocolVersion"] = good
        assert decode(name, "InitializeRequest", message).protocol_version == good


@pytest.mark.rule(74, 75, 77)
@pytest.mark.parametrize("name", [*V1, *V2])
def test_capabilities_are_optional_and_may_be_more(name: str) -> None:
    for type_ in ("AgentCapabilities", "ClientCapabilities"):
        assert decode(name, type_, {}) is not None
        assert "required" not in schema(name)["$defs"][type_]
        newer = {"tomorrow": {"x": 1}, "_meta": {"mine": {"y": True}}}
        written = encode(decode(name, type_, newer))
        assert {key: written[key] for key in newer} == newer
    root = {"v1": "agentCapabilities", "v2": "capabilities"}[name[:2]]
    gates = checkers(name).gates({}, {root: newer})
    assert gates.has("agent", "_meta.mine")
    assert gates.has("agent", "tomorrow")
    assert not gates.has("agent", "_meta.mine.other")


@pytest.mark.rule(76)
@pytest.mark.parametrize("name", ["v1_unstable", "v2_unstable"])
def test_gates_open_methods_notifications_and_parameters(name: str) -> None:
    table = surface(name).TABLE
    gated = [row for row in table if row.requires]
    assert {row.kind for row in gated} == {"request", "notification"}
    assert [row for row in table if any(check.requires for check in row.checks)]
    assert [row for row in gated if row.requires.count(".") >= 1], "nested"


@pytest.mark.rule(79)
@pytest.mark.parametrize("version", ["v1", "v2"])
def test_edit_predictions_are_known_for_older_releases(version: str) -> None:
    from acpgen.spec.metadata import load

    found = load([ROOT / "schemas" / version / "methods.toml"])
    rows_ = {row.name: row for row in found.methods if row.name.startswith("nes/")}
    assert sorted(rows_) == ["nes/accept", "nes/close", "nes/reject", "nes/start", "nes/suggest"]
    for row in rows_.values():
        assert row.retired
        assert str(row.requires) == "agent: nes"
