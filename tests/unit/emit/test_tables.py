"""The tables of methods and gates, and what `acpgen show` finds, on a small protocol."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from acpgen.emit import tables
from acpgen.emit.templates import Templates
from acpgen.spec.ir import Spec
from acpgen.spec.metadata import parse
from acpgen.spec.show_methods import capabilities, everything, gates, lookup, methods, updates
from acpgen.spec.tabulate import table_of
from tests.unit.spec.outline import spec_of
from tests.unit.spec.test_tabulate import METADATA, SCHEMA, check, method, record

MORE = (
    check('at = "/mode"\nwhen = { is = "a" }\nrequires = "client: term"\nnote = "why"')
    + check(
        'at = "/list/*/type"\nwhen = { present = false }\nrequires = "agent: go"\nby = "sender"'
    )
    + check('at = "/list"\nrule = "non_empty"')
)


@pytest.fixture(scope="module")
def specs() -> list[Spec]:
    """Two surfaces of v1; the unstable one has a method more."""
    metadata = parse(METADATA + MORE, "methods.toml")
    stable = spec_of(SCHEMA, metadata)
    extended = {**SCHEMA, "NewRequest": method("new", "client"), "NewResponse": record()}
    extended["NewResponse"] |= {"x-method": "new", "x-side": "client"}
    unstable = replace(spec_of(extended, metadata), channel="unstable")
    return [stable, replace(unstable, table=table_of(unstable, metadata))]


def test_surfaces_are_joined(specs: list[Spec]) -> None:
    found = {line.method: line.surfaces for line in methods(specs)}
    both = ("v1", "v1_unstable")
    assert found == {
        "go": both,
        "initialize": both,
        "new": ("v1_unstable",),
        "session/update": both,
    }
    assert [line.kind for line in updates(specs)] == ["one", "two"]
    assert {line.surfaces for line in gates(specs)} == {both}


def test_directions(specs: list[Spec]) -> None:
    found = {line.method: line.direction for line in methods(specs)}
    assert found["go"] == "client -> agent"
    assert found["new"] == "agent -> client"


def test_gates_in_words(specs: list[Spec]) -> None:
    found = [
        (line.what, line.part, line.place, line.when, line.requires, line.error, line.by)
        for line in gates(specs)
    ]
    assert found == [
        ("go", "method", "", "", "agent: go.fast", -32601, "both"),
        ("go", "params", "/mode", "is a", "client: term", -32602, "both"),
        ("go", "params", "/list/*/type", "absent", "agent: go", -32602, "sender"),
        ("go", "params", "/list", "", "rule: non_empty", -32602, "both"),
        ("one", "update", "", "", "client: term", None, "both"),
    ]


def test_what_a_capability_opens(specs: list[Spec]) -> None:
    found = {(line.side, line.path): line.opens for line in capabilities(specs)}
    assert found == {
        ("agent", "go"): ("go /list/*/type",),
        ("agent", "go.fast"): ("go",),
        ("agent", "level"): (),
        ("client", "term"): ("go /mode", "one"),
    }


def test_the_files(specs: list[Spec]) -> None:
    files = tables.files(specs, Templates(), {"header": "Generated."})
    assert sorted(files) == [
        "tables/gates.json",
        "tables/gates.md",
        "tables/methods.json",
        "tables/methods.md",
        *(f"tables/v1-unstable.{form}" for form in ("html", "json", "md")),
    ]
    text = files["tables/methods.md"]
    row = (
        "| `go` | request | client -> agent | GoRequest | GoResponse | `agent: go.fast` | stable |"
    )
    assert row in text
    assert "| `two` | TwoUpdate | append | session | - |" in text
    assert "| `go` | params | `/mode` | is a | `client: term` | -32602 | both |" in (
        files["tables/gates.md"]
    )
    for name, parts in (("methods", ("methods", "updates")), ("gates", ("gates", "capabilities"))):
        data = json.loads(files[f"tables/{name}.json"])
        assert tuple(data) == parts
        assert data == {part: json.loads(json.dumps(everything(specs)[part])) for part in parts}
    for text in files.values():
        assert text.endswith("\n") and not text.endswith("\n\n")
        for line in text.splitlines():
            assert line == line.rstrip()


def test_every_row_of_a_table_has_as_many_cells_as_its_head(specs: list[Spec]) -> None:
    files = tables.files(specs, Templates(), {"header": "Generated."})
    for name in ("methods", "gates"):
        width = None
        for line in files[f"tables/{name}.md"].splitlines():
            width = (width or line.count("|")) if line.startswith("|") else None
            assert width is None or line.count("|") == width, line


def test_lookup(specs: list[Spec]) -> None:
    go = lookup("go", specs)
    assert [line.method for line in go.methods] == ["go"]
    assert [line.path for line in go.capabilities] == ["go"], "a method and a capability"
    one = lookup("one", specs)
    assert [line.kind for line in one.updates] == ["one"]
    assert [line.requires for line in one.gates] == ["client: term"]
    term = lookup("client: term", specs)
    assert [(line.what, line.place) for line in term.gates] == [("go", "/mode"), ("one", "")]
    assert lookup("term", specs) == term
    assert not lookup("agent: term", specs)
    assert not lookup("gone", specs)
