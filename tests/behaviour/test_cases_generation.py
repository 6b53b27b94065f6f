"""The cases of tests/contract/cases.json about generation; the others are in test_cases.py."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.behaviour import test_cases
from tests.behaviour.bindings import (
    PACKAGE,
    ROOT,
    SOURCE,
    SURFACES,
    V1,
    decode,
    encode,
    fragment,
    models,
    pointers,
    schema,
    texts_of,
)
from tests.behaviour.cases import CASES, case
from tests.unit.diff import test_cases as diff_cases


def test_every_case_has_a_test() -> None:
    names = [*globals(), *vars(test_cases), *vars(diff_cases)]
    tested = {match[1].upper() for name in names if (match := re.match(r"test_(c\d\d)_", name))}
    assert tested == set(CASES)


@pytest.mark.parametrize("discriminator", [False, True])
def test_c08_the_tag_is_found_with_and_without_the_discriminator_keyword(
    discriminator: bool, tmp_path: Path
) -> None:
    union = json.loads(json.dumps(case("C08")["schema_fragment"]))
    known = {
        "type": "object",
        "properties": {"type": {"const": "http", "type": "string"}},
        "required": ["type"],
    }
    union["anyOf"][1]["not"] = {"anyOf": [known]}
    if discriminator:
        union["discriminator"] = {"propertyName": "type"}
    http = {"type": "object", "properties": {"url": {"type": "string"}}, "required": ["url"]}
    holder = {
        "type": "object",
        "properties": {"server": {"$ref": "#/$defs/McpServer"}},
        "required": ["server"],
    }
    m: Any = fragment(tmp_path, {"McpServer": union, "McpServerHttp": http, "Holder": holder})

    def read(server: dict[str, Any]) -> Any:
        return m.Holder.model_validate({"server": server}).server

    assert read({"type": "http", "url": "u"}) == m.HttpMcpServer(url="u")
    raw = {"type": "_mine", "port": 1}
    assert type(read(raw)) is m.OtherMcpServer
    assert encode(read(raw)) == raw
    with pytest.raises(ValueError):
        read({"type": "http", "url": 1})
    assert (
        type(decode("v1", "ContentBlock", {"type": "text", "text": "t"}))
        is models("v1").TextContentBlock
    )


@pytest.mark.parametrize("name", V1)
def test_c14_elicitation_is_flat_and_methods_are_the_schema_s(name: str) -> None:
    accepted = decode(name, "CreateElicitationResponse", case("C14")["flat"])
    assert accepted.content == {"ok": True}
    assert "/action" in pointers(name, "CreateElicitationResponse", case("C14")["nested"])[0]
    from acpgen.spec.build import build

    root = schema(name)
    spec = build(root, version=1, channel="unstable" if name.endswith("unstable") else "stable")
    methods = {item["x-method"] for item in root["$defs"].values() if "x-method" in item}
    assert {method.wire for method in spec.methods} == methods
    assert case("C14")["method_in_schema"] in methods
    assert "session/elicitation" not in methods


@pytest.mark.parametrize(("name", "count"), [("v1", 12), ("v2", 15)])
def test_c15_objects_without_meta_are_listed(name: str, count: int) -> None:
    from acpgen.spec.audit import lint_meta

    found = [str(problem) for problem in lint_meta(schema(name))]
    assert len(found) == count, "\n".join(found)
    assert not any("looks like" in line for line in found)


@pytest.mark.parametrize("wrong", ["meta", "_Meta", "__meta"])
def test_c15_a_misspelt_meta_is_listed(wrong: str) -> None:
    from acpgen.spec.audit import lint_meta

    item = {"type": "object", "properties": {wrong: {"type": "object"}}}
    assert any(wrong in str(problem) for problem in lint_meta({"$defs": {"Item": item}}))


@pytest.mark.parametrize("name", V1)
def test_c39_members_of_unions_are_reached_directly(name: str) -> None:
    option = {"type": "boolean", "id": "o", "name": "n", "currentValue": True}
    answer = decode(name, "SetSessionConfigOptionResponse", {"configOptions": [option]})
    assert type(answer.config_options[0]) is models(name).BooleanSessionConfigOption
    assert answer.config_options[0].id == "o"
    assert not hasattr(answer.config_options[0], "root")


@pytest.mark.parametrize(
    "text", ['[tool.acpgen]\nsurfacs = ["v1"]\n', '[tool.acpgen]\nrenames = "renames.toml"\n']
)
def test_c40_an_override_that_matches_nothing_is_an_error(text: str, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(text, encoding="utf-8")
    (tmp_path / "renames.toml").write_text(
        '[types]\n"PromptResponse.stopReasn" = "StopReason"\n', encoding="utf-8"
    )
    command = [
        sys.executable,
        "-c",
        "from acpgen.cli import app; app()",
        "generate",
        "--out",
        "out",
    ]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env=_environment())
    assert done.returncode == 2, done.stdout + done.stderr
    assert "surfacs" in done.stderr or "stopReasn" in done.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", SURFACES)
def test_c41_unions_have_exactly_the_schema_s_members(name: str) -> None:
    defs = schema(name)["$defs"]
    union = defs["SessionUpdate"]
    tags = set()
    for branch in union.get("oneOf") or union["anyOf"]:
        if "const" in branch["properties"]["sessionUpdate"]:
            tags.add(branch["properties"]["sessionUpdate"]["const"])
    classes: list[Any] = [getattr(models(name), item) for item in models(name).__all__]
    found = set()
    for class_ in classes:
        if "session_update" in getattr(class_, "model_fields", {}):
            default = class_.model_fields["session_update"].default
            if isinstance(default, str):
                found.add(default)
    assert found == tags
    assert set(models(name).WIRE_TYPES.values()) <= set(models(name).__all__)


def test_c42_no_tag_value_is_invented(tmp_path: Path) -> None:
    union = case("C42")["$defs"]["A"]
    for branch in union["oneOf"]:
        branch.setdefault("type", "object")
        branch["required"] = ["k"]
    holder = {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/A"}, "b": {"$ref": "#/$defs/B"}},
    }
    definitions = {"A": union, "B": json.loads(json.dumps(union)), "Holder": holder}
    m: Any = fragment(tmp_path, definitions)
    value = m.Holder.model_validate({"a": {"k": "x"}, "b": {"k": "x"}})
    assert type(value.a) is not type(value.b)
    assert encode(value) == {"a": {"k": "x"}, "b": {"k": "x"}}
    text = "".join(text for path, text in texts_of(definitions).items() if "/models/" in path)
    assert set(re.findall(r'Literal\["([^"]*)"\]', text)) == {"x", "y"}


_PRINT_HASH = """
import hashlib, sys
from tests.behaviour.bindings import texts_of
fields = {"n": {"type": "integer"}, "m": {"type": "string"}}
item = {"type": "object", "properties": fields, "required": ["n"]}
items = {"type": "array", "items": {"$ref": "#/$defs/Item"}}
parts = {"Item": item, "List": {"type": "object", "properties": {"items": items}}}
print(hashlib.sha256(repr(sorted(texts_of(parts).items())).encode()).hexdigest())
"""


def test_c43_equal_input_gives_equal_bytes(tmp_path: Path) -> None:
    hashes = set()
    for seed, zone, locale in (("0", "UTC", "C"), ("1", "Asia/Tokyo", "C.UTF-8")):
        environment = {**_environment(), "PYTHONHASHSEED": seed, "TZ": zone, "LC_ALL": locale}
        folder = tmp_path / seed
        folder.mkdir()
        done = subprocess.run(
            [sys.executable, "-c", _PRINT_HASH],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        hashes.add(done.stdout)
    assert len(hashes) == 1
    for path in (SOURCE / PACKAGE).rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert str(ROOT) not in text
        assert not re.search(r"\b20\d\d-\d\d-\d\dT\d\d:", text.split('"""')[0])


def _environment() -> dict[str, str]:

    return {**os.environ, "PYTHONPATH": str(ROOT)}


def test_a_property_with_a_control_character_comes_out(tmp_path: Path) -> None:
    name = "a\u0000b\u0007"
    found = fragment(tmp_path, {"R": {"type": "object", "properties": {name: {"type": "string"}}}})
    value = {name: "x"}
    assert encode(found.R.model_validate(value)) == value
