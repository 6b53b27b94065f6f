"""Methods and metadata make a table; what the schema lacks is left out and reported; the audits."""

from __future__ import annotations

from typing import Any

import pytest

from acpgen.spec.audit_table import lacking, uncovered, unknown, unused_states
from acpgen.spec.ir import Spec
from acpgen.spec.metadata import Metadata, parse
from acpgen.spec.prose import disagreements
from acpgen.spec.tabulate import tabulate
from tests.unit.spec.outline import spec_of

STRING = {"type": "string"}


def record(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/$defs/{name}"}


def method(name: str, side: str, **properties: Any) -> dict[str, Any]:
    return {**record(**properties), "x-method": name, "x-side": side}


SCHEMA: dict[str, Any] = {
    "InitializeRequest": method("initialize", "agent", caps=ref("ClientCapabilities")),
    "InitializeResponse": method("initialize", "agent", caps=ref("AgentCapabilities")),
    "ClientCapabilities": record(term={"type": "boolean"}, _meta=record()),
    "AgentCapabilities": record(
        go={"anyOf": [ref("GoCapabilities"), {"type": "null"}]}, level=STRING
    ),
    "GoCapabilities": record(fast={"type": ["boolean", "null"]}),
    "GoRequest": method(
        "go", "agent", list={"type": "array", "items": ref("Item")}, mode=ref("Mode")
    ),
    "GoResponse": method("go", "agent"),
    "Mode": {"oneOf": [{"const": "a", "type": "string"}, {"const": "b", "type": "string"}]},
    "Item": {
        "oneOf": [
            {**record(type={"const": "x", **STRING}), "required": ["type"]},
            {**record(type={"const": "y", **STRING}), "required": ["type"]},
        ],
        "discriminator": {"propertyName": "type"},
    },
    "UpdateNotification": method("session/update", "client", update=ref("Update")),
    "Update": {
        "oneOf": [
            {**record(kind={"const": "one", **STRING}, z=STRING), "required": ["kind"]},
            {**record(kind={"const": "two", **STRING}), "required": ["kind"]},
        ],
        "discriminator": {"propertyName": "kind"},
    },
}

METADATA = """
[roots]
agent = "caps"
client = "caps"
[[method]]
name = "initialize"
side = "agent"
kind = "request"
summary = "Open."
[[method]]
name = "go"
side = "agent"
kind = "request"
summary = "Go."
requires = "agent: go.fast"
[[method]]
name = "session/update"
side = "client"
kind = "notification"
summary = "Tell."
[[update]]
kind = "one"
semantics = "append"
summary = "One."
requires = "client: term"
[[update]]
kind = "two"
semantics = "append"
summary = "Two."
[[informational]]
capability = "agent: level"
summary = "A level."
"""


def read(more: str = "", without: str = "") -> tuple[Spec, Metadata]:
    metadata = parse(METADATA.replace(without, "") + more, "methods.toml")
    return spec_of(SCHEMA, metadata), metadata


def check(more: str) -> str:
    return f'[[check]]\nmethods = ["go"]\n{more}\n'


def made(more: str) -> tuple[list[Any], list[str]]:
    """The checks of `go`, and what was left out."""
    found = tabulate(*read(more))
    (row,) = (row for row in found.table.rows if row.method == "go")
    return list(row.checks), [item.what for item in found.lacking]


def test_capabilities_and_how_they_count() -> None:
    spec, metadata = read()
    assert spec.table.capabilities == {
        "agent": {"go": "object", "go.fast": "boolean", "level": "value"},
        "client": {"term": "boolean"},
    }
    assert set(spec.table.leaves) == {("agent", "go.fast"), ("agent", "level"), ("client", "term")}
    assert (spec.table.update_at, spec.table.update_tag) == (("update",), "kind")
    assert uncovered(spec, metadata) == []
    assert lacking([spec], metadata) == []


def test_known_values_come_from_the_schema() -> None:
    never = 'requires = "never"'
    mode, item = made(
        check(f'at = "/mode"\nwhen = {{ known = false }}\n{never}')
        + check(f'at = "/list/*/type"\nwhen = {{ known = true }}\n{never}')
    )[0]
    assert mode.when == (("not_one_of", ("a", "b")),)
    assert item.when == (("one_of", ("x", "y")),)


@pytest.mark.parametrize(
    ("more", "what"),
    [
        ('at = "/gone"\nrule = "non_empty"', "there is no place /gone in the params of go"),
        ('at = "/mode"\nrequires = "agent: gone"', "the agent has no capability `gone`"),
        ('at = "/mode"\nrequires = "client: go"', "the client has no capability `go`"),
        ('at = "/mode"\nwhen = { is = "c" }\nrequires = "never"', "go: /mode is never 'c'"),
        (
            'at = "/list/*/type"\nwhen = { one_of = ["z", "w"] }\nrequires = "never"',
            "go: /list/*/type is never 'z' or 'w'",
        ),
        (
            'of = "result"\nat = "/mode"\nrule = "non_empty"',
            "there is no place /mode in the result of go",
        ),
    ],
)
def test_what_the_schema_lacks_is_left_out_and_reported(more: str, what: str) -> None:
    checks, left_out = made(check(more))
    assert (checks, left_out) == ([], [what])
    assert made(check(f"{more}\nretired = true")) == ([], [])
    spec, metadata = read(check(more))
    (problem,) = unknown(lacking([spec], metadata))
    assert what in problem.what
    assert "in no known release" in problem.what
    assert problem.where.startswith("methods.toml:")


def test_what_another_surface_has_is_no_problem() -> None:
    extended = {
        **SCHEMA,
        "AgentCapabilities": record(go=ref("GoCapabilities"), level=STRING, new=record()),
    }
    metadata = parse(METADATA + check('at = "/mode"\nrequires = "agent: new"'), "methods.toml")
    old, new = spec_of(SCHEMA, metadata), spec_of(extended, metadata)
    assert len(lacking([old], metadata)) == 1
    assert lacking([old, new], metadata) == []


@pytest.mark.parametrize(
    ("gate", "left"),
    [
        ("any(agent: gone, agent: go)", "agent: go"),
        ("all(agent: gone, agent: go, client: term)", "all(agent: go, client: term)"),
        ("not(agent: gone)", None),
        ("any(agent: gone, all(agent: gone))", None),
    ],
)
def test_what_is_left_of_a_gate(gate: str, left: str | None) -> None:
    checks, _ = made(check(f'at = "/mode"\nrequires = "{gate}"'))
    assert [item.requires for item in checks] == ([left] if left else [])


@pytest.mark.parametrize(
    ("without", "where", "what"),
    [
        ('[[method]]\nname = "go"', "v1: go", "the request to the agent has no [[method]] row"),
        ('[[update]]\nkind = "two"', "v1: session/update", "the kind two has no [[update]] row"),
        ("[[informational]]", "v1: agent capability level", "gates nothing"),
        ('requires = "client: term"\n', "v1: client capability term", "gates nothing"),
    ],
)
def test_what_no_row_names(without: str, where: str, what: str) -> None:
    lines = METADATA.splitlines(keepends=True)
    start = METADATA.index(without)
    if without.startswith("["):
        rest = METADATA[start + 2 :]
        row = METADATA[start : start + 2 + (rest.index("[[") if "[[" in rest else len(rest))]
    else:
        row = without
    assert lines
    spec, metadata = read(without=row)
    assert any(
        problem.where == where and what in problem.what for problem in uncovered(spec, metadata)
    )


def test_rows_of_methods_and_updates_that_do_not_exist() -> None:
    more = (
        '[[method]]\nname = "went"\nside = "agent"\nkind = "request"\nsummary = "Went."\n'
        '[[update]]\nkind = "three"\nsemantics = "set"\nsummary = "Three."\n'
        '[[check]]\nmethods = ["went2"]\nat = "/a"\nrule = "unique"\n'
        '[[check]]\nupdates = ["four"]\nat = "/a"\nrule = "unique"\n'
    )
    spec, metadata = read(more)
    assert {item.what for item in lacking([spec], metadata)} == {
        "there is no method went (request to the agent)",
        "there is no update three",
        "there is no method went2",
        "there is no update four",
    }


def test_states() -> None:
    state = '[[state]]\nname = "fact"\nsummary = "F."\nknown_by = "author"\ndefault = true\n'
    spec, metadata = read(state)
    assert spec.table.states == ()
    assert "no gate asks for the state `fact`" in str(unused_states(metadata)[0])
    spec, metadata = read(state + check('at = "/mode"\nrequires = "state: fact"'))
    assert [item.name for item in spec.table.states] == ["fact"]
    assert unused_states(metadata) == []
    spec, metadata = read(check('at = "/mode"\nrequires = "state: fiction"'))
    assert [item.what for item in lacking([spec], metadata)] == ["there is no [[state]] `fiction`"]
    elsewhere = state + 'of_update = "three"\n'
    checks, left_out = made(elsewhere + check('at = "/mode"\nrequires = "state: fact"'))
    assert (checks, left_out) == ([], ["there is no update three"])


def test_checks_of_updates() -> None:
    spec, _ = read('[[check]]\nupdates = ["one"]\nat = "/z"\nrule = "non_empty"\n')
    one, two = spec.table.updates
    assert [item.at for item in one.checks] == ["/z"]
    assert two.checks == ()
    assert (one.requires, one.type) == ("client: term", "OneUpdate")


class TestProse:
    """What upstream's sentences say against the gates."""

    def found(self, docs: dict[str, str], more: str = "") -> list[str]:
        return disagreements(docs, read(more)[0])

    def test_a_capability_that_opens_a_method(self) -> None:
        at = "/$defs/GoCapabilities/properties/fast"
        assert self.found({at: "Whether the agent supports `go`."}) == []
        at = "/$defs/AgentCapabilities/properties/level"
        (found,) = self.found(
            {at: "**New**\n\nWhether the agent supports `go` and `fly`. `initialize`."}
        )
        assert found == "v1: `level` is said to open go, whose gate is `agent: go.fast`"

    def test_a_method_that_depends_on_a_capability(self) -> None:
        at = "/$defs/GoRequest"
        assert self.found({at: "Only available if the agent supports `go.fast`."}) == []
        assert self.found({at: "Goes. See `level`."}) == []
        (found,) = self.found({at: "Only available when\n`term` is there."})
        assert found == "v1: go is said to depend on `term`, its gate is `agent: go.fast`"

    def test_anything_that_depends_on_a_capability(self) -> None:
        at = "/$defs/GoRequest/properties/mode"
        assert self.found({at: "Clients MUST NOT send it unless `term` is advertised."}) == []
        (found,) = self.found({at: "MUST only be sent to agents with `level`."})
        assert found == "v1/$defs/GoRequest/properties/mode depends on `level`, which gates nothing"
