"""Cases of tests/contract/cases.json that are about what changed: the diff of the pinned surfaces says it, and so
does that of a small protocol of the same kind.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from acpgen import generate as generation
from acpgen import inputs, resources
from acpgen.config import load
from acpgen.diff import run
from acpgen.diff.finding import Diff, Finding
from acpgen.spec import metadata
from acpgen.spec.build import build
from acpgen.spec.contract import parse
from acpgen.spec.ir import Spec
from tests.unit.diff.small import Defs, record, ref, request, spec, tagged

CASES = {
    case["id"]: case
    for case in json.loads(
        (Path(__file__).parents[2] / "contract" / "cases.json").read_text(encoding="utf-8")
    )
}
STRING = {"type": "string"}


@cache
def pinned() -> dict[str, Spec]:
    config = load(Path(__file__).parents[3])
    found, _ = generation.build_specs(config, inputs.read(config))
    return {item.surface: item for item in found}


@cache
def v1_to_v2() -> Diff:
    return run.diff(pinned()["v1"], pinned()["v2"])


def small(old: Defs, new: Defs) -> list[Finding]:
    return list(run.diff(spec(old), spec(new), renames=()).findings)


def the(found: Any, kind: str, subject: str) -> Finding:
    """The one finding of a kind about a subject."""
    (one,) = [item for item in found if (item.change.kind, item.change.subject) == (kind, subject)]
    assert isinstance(one, Finding)
    return one


# C03: a union of one without a tag


def test_c03_the_tag_of_the_only_variant_became_required() -> None:
    item = the(v1_to_v2().findings, "variant.tag_required", "AvailableCommandInput:unstructured")
    assert item.change.new.name == "AvailableCommandInput:text"
    assert (item.change.detail["tag"], item.change.detail["value"]) == ("type", "text")
    assert item.severity == "breaking"
    assert "available_commands_update" in item.change.uses
    assert "`type` is `text`" in item.text


def test_c03_an_untagged_union_that_gets_tags() -> None:
    body = request("do", record(what=ref("What")))
    old = {
        "DoRequest": body,
        "What": {"anyOf": [{"title": "plain", **ref("Plain")}]},
        "Plain": record(hint=STRING),
    }
    new = {
        "DoRequest": body,
        "What": tagged("type", "text", payload="Plain"),
        "Plain": old["Plain"],
    }
    found = small(old, new)
    tag = [item for item in found if item.change.kind == "variant.tag_required"]
    assert len(tag) == 1 and tag[0].severity == "breaking"
    assert not [
        item for item in found if item.change.kind.startswith("variant.") and item not in tag
    ]


# C05: optionality that drifts


def test_c05_what_may_be_left_out_in_v2() -> None:
    item = the(v1_to_v2().findings, "field.optional", "NewSessionRequest.mcpServers")
    assert item.change.writers == {"client"}
    assert item.severity_for("client") == "compatible"
    assert item.severity_for("agent") in ("risky", "breaking"), "an agent has to do without it"
    for name, channel in (("v1", "v1"), ("v2", "v2")):
        required = json.loads(pinned()[name].contract)["$defs"]["NewSessionRequest"]["required"]
        assert ("mcpServers" in required) != CASES["C05"]["schema_valid"][f"{channel}_omitted"]


def test_c05_the_other_way_round_it_breaks_the_writer() -> None:
    back = run.diff(pinned()["v2"], pinned()["v1"])
    item = the(back.findings, "field.required", "NewSessionRequest.mcpServers")
    assert "client" in item.breaks


@pytest.mark.parametrize(("side", "writer"), [("agent", "client"), ("client", "agent")])
def test_c05_a_field_that_became_required_breaks_whoever_writes_it(side: str, writer: str) -> None:
    old = {"DoRequest": request("do", record("list"), side)}
    new = {"DoRequest": request("do", record(list=STRING), side)}
    item = the(small(old, new), "field.required", "DoRequest.list")
    assert item.breaks == {writer}
    assert the(small(new, old), "field.optional", "DoRequest.list").breaks.isdisjoint({writer})


# C07: a discriminator that was not there


def test_c07_a_stdio_server_needs_its_type() -> None:
    item = the(v1_to_v2().findings, "variant.tag_required", "McpServer:stdio")
    assert item.severity == "breaking"
    assert item.change.writers == {"client"}
    assert "client" in item.breaks
    assert (item.change.detail["tag"], item.change.detail["value"]) == ("type", "stdio")
    server = CASES["C07"]["input"]["params"]["mcpServers"][0]
    assert "type" not in server


def test_c07_a_variant_without_a_tag_that_gets_one() -> None:
    body = request("do", record(server=ref("Server")))
    shared = {"DoRequest": body, "Plain": record(command=STRING)}
    branch = {**record(type={"const": "http", "type": "string"}), **ref("Plain"), "title": "http"}
    old = {**shared, "Server": {"anyOf": [branch, {"title": "stdio", **ref("Plain")}]}}
    new = {**shared, "Server": tagged("type", "http", "stdio", payload="Plain")}
    found = small(old, new)
    item = the(found, "variant.tag_required", "Server:stdio")
    assert item.breaks == {"client"}
    assert not [one for one in found if one.change.kind in ("variant.added", "variant.removed")]


# C27: a method that was dropped


@cache
def with_a_dropped_method() -> Spec:
    """The stable surface of v1 with session/set_model, as older releases had it."""
    contract = json.loads(pinned()["v1"].contract)
    ids = {"sessionId": ref("SessionId"), "modelId": STRING}
    contract["$defs"]["SetSessionModelRequest"] = request("session/set_model", record(**ids))
    contract["$defs"]["SetSessionModelResponse"] = request("session/set_model", record())
    rows = metadata.load([resources.schemas_dir() / "v1/methods.toml"])
    text = json.dumps(contract)
    return build(parse(text, "old"), version=1, channel="stable", metadata=rows, text=text)


@pytest.mark.parametrize("new", ["v1", "v2"])
def test_c27_a_dropped_method_names_what_took_its_place(new: str) -> None:
    found = run.diff(with_a_dropped_method(), pinned()[new]).findings
    item = the(found, "method.removed", "session/set_model")
    assert item.severity == "breaking" and item.breaks == {"client"}
    assert item.change.detail["replaced_by"] == ["session/set_config_option"]
    assert "session/set_config_option" in item.client and '"model"' in item.client


def test_c27_a_method_without_a_successor_says_so() -> None:
    old = {"DoRequest": request("do", record()), "GoRequest": request("go", record())}
    new = {"DoRequest": old["DoRequest"]}
    item = the(small(old, new), "method.removed", "go")
    assert item.breaks == {"client"}
    assert "nothing replaces it" in item.client


# C44: renamed and removed methods


def methods(kind: str) -> dict[str, str]:
    return {
        item.change.old.name or item.change.new.name: item.change.new.name
        for item in v1_to_v2().findings
        if item.change.kind == kind
    }


def test_c44_the_table_lists_exactly_the_removals_renames_and_additions() -> None:
    assert methods("method.renamed") == {"authenticate": "auth/login", "logout": "auth/logout"}
    assert set(methods("method.added")) == {"terminal/cancel", "tool_call/cancel"}
    gone = {"session/load", "session/set_mode", "fs/read_text_file", "fs/write_text_file"}
    gone |= {
        f"terminal/{name}" for name in ("create", "output", "release", "wait_for_exit", "kill")
    }
    assert set(methods("method.removed")) == gone


def test_c44_what_replaces_a_removed_method() -> None:
    wanted = {"session/load": ["session/resume"], "session/set_mode": ["session/set_config_option"]}
    for item in v1_to_v2().findings:
        if item.change.kind == "method.removed":
            name = item.change.old.name
            assert item.change.detail["replaced_by"] == wanted.get(name, [])


def test_c44_a_renamed_type_is_no_renamed_method() -> None:
    item = the(v1_to_v2().findings, "type.renamed", "CancelNotification")
    assert item.change.new.name == "CancelSessionNotification"
    assert item.change.evidence
    about = [
        one.change.kind
        for one in v1_to_v2().findings
        if one.change.area == "method" and one.change.subject == "session/cancel"
    ]
    assert about == []


def test_c44_what_moved_between_messages() -> None:
    pairs = CASES["C44"]["input"]["pairs"]
    assert pairs["PromptResponse.stopReason"] == "state_update idle"
    item = the(v1_to_v2().findings, "field.moved", "PromptResponse.stopReason")
    assert item.change.new.name == "IdleStateUpdate.stopReason"
    for name in ("clientCapabilities", "clientInfo"):
        item = the(v1_to_v2().findings, "field.renamed", f"InitializeRequest.{name}")
        assert item.change.new.name.rpartition(".")[2] in pairs[
            "initialize.clientCapabilities/clientInfo"
        ].split("/")


def test_the_cases_stand_in_the_copy() -> None:
    assert {"C03", "C05", "C07", "C27", "C44"} <= set(CASES)


def test_c07_a_tag_that_was_required_before_it_was_the_unions_is_no_change() -> None:
    """SDK 0.22.0 to 1.5.0: only the place that spells the tag moved."""
    body = request("do", record(items=ref("Items")))
    kind = {"oneOf": [{"const": "string", "type": "string"}]}
    plain = record(type=ref("Kind"), enum=STRING)
    branches = [{"title": "Untitled", **ref("Plain")}, {"title": "Titled", **ref("Titled")}]
    old = {"DoRequest": body, "Items": {"anyOf": branches}, "Plain": plain, "Kind": kind}
    old["Titled"] = record(anyOf=STRING)
    new = {**old, "Plain": record(enum=STRING)}
    tag = record(type={"const": "string", "type": "string"})
    new["Items"] = {"anyOf": [{**tag, **ref("Plain"), "title": "string"}, branches[1]]}
    kinds = {item.change.kind for item in small(old, new)}
    assert not kinds & {"variant.tag_required", "variant.added", "variant.removed", "type.tag"}
    loose = {**old, "Plain": record("type", enum=STRING)}
    kinds = {item.change.kind for item in small(loose, new)}
    assert "variant.tag_required" in kinds
