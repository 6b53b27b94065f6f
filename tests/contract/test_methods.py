"""The method table says what the copied facts say of methods, updates and the two versions."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.behaviour.bindings import SURFACES, models, schema, surface
from tests.contract.facts import LIVE, gates

HERE = Path(__file__).resolve().parent

NOTIFICATIONS = json.loads((HERE / "notifications.json").read_text(encoding="utf-8"))["versions"]
V1_V2 = json.loads((HERE / "v1_v2.json").read_text(encoding="utf-8"))
SEMANTICS = {"partial_update": "patch", "snapshot_with_patch_cost": "snapshot"}


def live(version: str) -> list[dict[str, Any]]:
    return [item for item in gates()["versions"][version]["methods"] if item["stability"] in LIVE]


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_every_method_is_in_the_table_with_its_types(version: str) -> None:
    table = surface(f"{version}_unstable").TABLE
    found = {row.key: (row.params, row.result) for row in table}
    expected = {
        (item["method"], item["implemented_by"], item["kind"]): (item["params"], item["result"])
        for item in live(version)
    }
    assert found == expected


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_stability(version: str) -> None:
    table = surface(f"{version}_unstable").TABLE
    words = {"rfd": "session-options"}
    for item in live(version):
        row = table[item["method"], item["implemented_by"], item["kind"]]
        assert row.stability == words.get(item["stability"], item["stability"]), row
    stable = {row.key for row in table if row.stability == "stable"}
    assert stable == {row.key for row in surface(version).TABLE}
    for item in NOTIFICATIONS[version]["session_update_variants"]:
        assert table.updates[item["sessionUpdate"]].stability == item["stability"]


@pytest.mark.parametrize("name", SURFACES)
def test_the_table_is_the_schema(name: str) -> None:
    """Independent of acpgen: method and side as the contract schema states them."""
    definitions = schema(name)["$defs"]
    sides = {"both": "protocol"}
    expected = {
        (item["x-method"], sides.get(item["x-side"], item["x-side"]))
        for item in definitions.values()
        if "x-method" in item
    }
    table = surface(name).TABLE
    assert {(row.method, row.side) for row in table} == expected
    for row in table:
        for type_name in (row.params, row.result):
            if type_name is not None:
                assert definitions[type_name]["x-method"] == row.method
                assert table.type_of(type_name) is getattr(models(name), type_name)
        assert (row.result is not None) == (row.kind == "request")
        assert row.summary
        assert row.docs == (definitions[row.params].get("x-docs") or "")


@pytest.mark.rule(8, 19)
@pytest.mark.parametrize("version", ["v1", "v2"])
def test_the_semantics_of_updates(version: str) -> None:
    table = surface(f"{version}_unstable").TABLE
    variants = NOTIFICATIONS[version]["session_update_variants"]
    assert list(table.updates) == [item["sessionUpdate"] for item in variants]
    for item in variants:
        update = table.updates[item["sessionUpdate"]]
        assert update.semantics == SEMANTICS.get(item["operation"], item["operation"])
        named = re.match(r"[A-Za-z]+(\.[A-Za-z]+)?", item["key"])
        has_key = named is not None and item["key"] != "none" and not item["key"].startswith("key")
        assert update.identity == (named[0] if named is not None and has_key else "")


@pytest.mark.parametrize("item", V1_V2["methods"], ids=lambda item: f"{item['v1']}->{item['v2']}")
def test_what_replaces_a_method(item: dict[str, Any]) -> None:
    pairs = [("v1", item["v1"], item["v2"]), ("v2", item["v2"], item["v1"])]
    for version, name, other in pairs:
        if name is None:
            continue
        name, other = (text and text.partition(" ")[0] for text in (name, other))
        for row in surface(f"{version}_unstable").TABLE:
            if row.method != name:
                continue
            if other is None:
                hint = item.get("note", "")
                named = [found for found in re.findall(r"session/\w+", hint) if "use" in hint]
                assert row.replaced_by == tuple(named)
            elif row.replaced_by is None:
                assert other == name
            else:
                assert other in row.replaced_by


@pytest.mark.parametrize(
    "item", V1_V2["update_variants"], ids=lambda item: f"{item['v1']}->{item['v2']}"
)
def test_what_replaces_an_update(item: dict[str, Any]) -> None:
    for version, name, other in (("v1", item["v1"], item["v2"]), ("v2", item["v2"], item["v1"])):
        if name is None or other is None:
            continue
        name, other = name.partition(" ")[0], other.partition(" ")[0]
        update = surface(f"{version}_unstable").TABLE.updates[name]
        assert other in (update.replaced_by if update.replaced_by is not None else (name,))


@pytest.mark.parametrize("name", SURFACES)
def test_what_replaces_something_exists(name: str) -> None:
    other = surface({"v1": "v2", "v2": "v1"}[name[:2]] + "_unstable").TABLE
    methods = {row.method for row in other}
    for row in surface(name).TABLE:
        names = (row.method,) if row.replaced_by is None else row.replaced_by
        unknown = set(names) - methods
        assert not unknown or row.side == "proxy", (row, unknown)
    for update in surface(name).TABLE.updates.values():
        kinds = (update.kind,) if update.replaced_by is None else update.replaced_by
        assert set(kinds) <= set(other.updates), update
