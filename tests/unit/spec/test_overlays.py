"""Overlays: what they add, and what happens where a place is taken already."""

from __future__ import annotations

import copy
import json
from functools import partial
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from acpgen.spec import contract, overlays
from acpgen.spec.contract import Contract
from acpgen.spec.overlays import Overlay
from tests.unit.spec.releases import document, refused

SCHEMAS = Path(__file__).parents[3] / "schemas"
PACKAGED = [SCHEMAS / "overlays"]


def base(**more: Any) -> Contract:
    record = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
    return contract.form(document(Rec=record, Other={"type": "string"}, **more))


def write(
    root: Path, name: str, defs: Any, definitions: tuple[str, ...] = (), version: int = 1
) -> Overlay:
    folder = root / name
    folder.mkdir(parents=True, exist_ok=True)
    facts = f'title = "T"\nsource = "S"\nadds = "A"\ndefinitions = {json.dumps(definitions)}\n'
    (folder / "overlay.toml").write_text(facts)
    (folder / f"v{version}.json").write_text(json.dumps({"$defs": defs}))
    return overlays.load(name, [root])


PROPERTY = {"Rec": {"properties": {"b": {"$ref": "#/$defs/New"}}}}
NEW = {"New": {"type": "object", "properties": {"x": {"type": "integer"}}}}


def test_it_adds_definitions_and_properties(tmp_path: Path) -> None:
    before = base()
    untouched = copy.deepcopy(before)
    one = write(tmp_path, "one", {**NEW, **PROPERTY}, ("New",))
    after, notices = overlays.apply(before, 1, [one], pinned=True)
    assert notices == []
    assert before == untouched
    assert after["$defs"].pop("New") == NEW["New"]
    assert after["$defs"]["Rec"]["properties"].pop("b") == {"$ref": "#/$defs/New"}
    assert after == untouched


def test_the_result_is_in_contract_form(tmp_path: Path) -> None:
    defs = {
        "Alpha": {"description": "Prose.", "x-side": "agent", "type": "string"},
        "Rec": {"properties": {"b": {"description": "Prose.", "type": "null"}}, "x-method": "m"},
    }
    before = base()
    before["$defs"]["Rec"]["properties"]["_meta"] = {"type": "object"}
    after, _ = overlays.apply(before, 1, [write(tmp_path, "one", defs, ("Alpha",))])
    assert contract.parse(contract.dumps(after), "s") == after
    assert list(after["$defs"]) == ["Alpha", "Other", "Rec"]
    assert list(after["$defs"]["Rec"]["properties"]) == ["a", "b", "_meta"]
    assert after["$defs"]["Rec"]["x-method"] == "m"
    assert "Prose" not in contract.dumps(after)


@pytest.mark.parametrize("pinned", [False, True])
@pytest.mark.parametrize(
    ("defs", "place"),
    [
        ({"Other": None}, "Other"),
        ({"Rec": {"properties": {"a": None}}}, "Rec/properties/a"),
        ({"Rec": {"properties": None}}, "Rec/properties"),
        ({"Rec": {"required": None}}, "Rec/required"),
    ],
)
def test_null_for_what_upstream_has_is_a_problem(
    tmp_path: Path, defs: dict[str, Any], place: str, pinned: bool
) -> None:
    one = write(tmp_path, "one", defs)
    message = refused(lambda: overlays.apply(base(), 1, [one], pinned=pinned))
    assert message == (
        f"overlay one: v1#/$defs/{place}: null would remove it, and upstream has it"
        " (an overlay adds; leave it out)"
    )


def test_null_for_what_upstream_lacks_changes_nothing(tmp_path: Path) -> None:
    one = write(tmp_path, "one", {"Gone": None, "Rec": {"properties": {"gone": None}}})
    after, notices = overlays.apply(base(), 1, [one])
    assert after == base()
    assert "skipped" in notices[0]


# Upstream catches up.
def test_identical_content_is_skipped_with_a_notice(tmp_path: Path) -> None:
    one = write(tmp_path, "one", {**NEW, **PROPERTY}, ("New",))
    upstream, _ = overlays.apply(base(), 1, [one])
    upstream["$defs"]["New"]["x-docs"] = "/protocol/v1/new"
    after, notices = overlays.apply(upstream, 1, [one])
    assert after == upstream
    assert notices == [
        "overlay one: skipped: upstream has all of it in v1 (it can leave the overlay)"
    ]


def test_what_is_not_identical_yet_is_still_added(tmp_path: Path) -> None:
    one = write(tmp_path, "one", {**NEW, **PROPERTY}, ("New",))
    after, notices = overlays.apply(base(**NEW), 1, [one])
    assert "b" in after["$defs"]["Rec"]["properties"]
    assert notices == [
        "overlay one: v1#/$defs/New: skipped: upstream has the same (it can leave the overlay)"
    ]


def test_upstream_wins_and_the_differences_are_listed(tmp_path: Path) -> None:
    theirs = {"type": "object", "properties": {"x": {"type": "number"}}, "required": ["x"]}
    upstream = base(New=theirs)
    upstream["$defs"]["Rec"]["properties"]["b"] = {"type": "boolean"}
    one = write(tmp_path, "one", {**NEW, **PROPERTY}, ("New",))
    after, notices = overlays.apply(upstream, 1, [one])
    assert after == upstream
    assert notices == [
        "overlay one: v1#/$defs/New: upstream has it, differently, and wins: /properties/x/type is"
        ' "integer" in the overlay and "number" there; /required is only there'
        " (bring the overlay up to date)",
        "overlay one: v1#/$defs/Rec/properties/b: upstream has it, differently, and wins:"
        " /$ref is only in the overlay; /type is only there (bring the overlay up to date)",
    ]


def test_true_is_not_one(tmp_path: Path) -> None:
    one = write(tmp_path, "one", {"New": {"const": 1}}, ("New",))
    _, notices = overlays.apply(base(New={"const": True}), 1, [one])
    assert "/const is 1 in the overlay and true there" in notices[0]


def test_for_the_committed_pin_every_one_of_these_is_a_problem(tmp_path: Path) -> None:
    one = write(tmp_path, "one", {**NEW, **PROPERTY}, ("New",))
    same, _ = overlays.apply(base(), 1, [one])
    other = base(New={"type": "string"})
    lacking = contract.form(document(Other={"type": "string"}))
    for upstream, message in (
        (same, "skipped: upstream has all of it in v1"),
        (other, "upstream has it, differently, and wins"),
        (lacking, "skipped: this release lacks Rec"),
    ):
        assert overlays.apply(upstream, 1, [one])[1]
        found = refused(partial(overlays.apply, upstream, 1, [one], pinned=True))
        assert message in found


# An older release.
def test_a_target_that_is_missing_is_skipped_with_a_notice(tmp_path: Path) -> None:
    one = write(tmp_path, "one", {**NEW, **PROPERTY}, ("New",))
    after, notices = overlays.apply(contract.form(document(Other={})), 1, [one])
    assert list(after["$defs"]) == ["New", "Other"]
    assert notices == ["overlay one: v1#/$defs/Rec/properties/b: skipped: this release lacks Rec"]


def test_what_refers_to_something_missing_is_skipped_too(tmp_path: Path) -> None:
    defs = {
        "New": {"properties": {"x": {"$ref": "#/$defs/Gone"}}},
        "List": {"type": "array", "items": {"$ref": "#/$defs/New"}},
        "Fine": {"type": "string"},
        **PROPERTY,
    }
    one = write(tmp_path, "one", defs, ("New", "List", "Fine"))
    after, notices = overlays.apply(base(), 1, [one])
    assert after["$defs"].keys() == {"Fine", "Other", "Rec"}
    assert "b" not in after["$defs"]["Rec"]["properties"]
    assert [notice.split(": ", 1)[1] for notice in notices] == [
        "v1#/$defs/New: skipped: this release lacks Gone",
        "v1#/$defs/List: skipped: this release lacks New",
        "v1#/$defs/Rec/properties/b: skipped: this release lacks New",
    ]


def test_a_version_without_a_patch_is_a_notice_even_for_the_pin(tmp_path: Path) -> None:
    one = write(tmp_path, "one", NEW, ("New",))
    assert overlays.apply(base(), 3, [one], pinned=True) == (
        base(),
        ["overlay one: has nothing for v3"],
    )


# Two overlays.
def test_two_overlays_may_agree(tmp_path: Path) -> None:
    one = write(tmp_path, "one", {**NEW, **PROPERTY}, ("New",))
    two = write(tmp_path, "two", NEW, ("New",))
    assert overlays.apply(base(), 1, [one, two], pinned=True) == overlays.apply(base(), 1, [one])


def test_one_overlay_may_build_on_another(tmp_path: Path) -> None:
    one = write(tmp_path, "one", NEW, ("New",))
    two = write(tmp_path, "two", {"New": {"properties": {"y": {"type": "null"}}}})
    after, _ = overlays.apply(base(), 1, [one, two], pinned=True)
    assert after["$defs"]["New"]["properties"].keys() == {"x", "y"}


@pytest.mark.parametrize(
    ("first", "second", "place"),
    [
        (NEW, {"New": {"type": "string"}}, "v1#/$defs/New"),
        (NEW, {"New": None}, "v1#/$defs/New"),
        (
            {"Rec": {"properties": {"q": {"type": "string"}}}},
            {"Rec": {"properties": {"q": {"type": "null"}}}},
            "v1#/$defs/Rec/properties/q",
        ),
    ],
)
def test_two_overlays_that_differ_are_a_problem(
    tmp_path: Path, first: Any, second: Any, place: str
) -> None:
    one = write(tmp_path, "one", first, tuple({"New"} & first.keys()))
    two = write(tmp_path, "two", second, tuple({"New", "Other"} & second.keys()))
    message = refused(lambda: overlays.apply(base(), 1, [one, two]))
    assert message.startswith(f"overlay two: {place}: overlay one sets it differently: ")
    assert message.endswith("(use one of the two)")


# The files.
def test_an_unknown_overlay_is_told_with_those_that_exist(tmp_path: Path) -> None:
    assert refused(lambda: overlays.load("x", [tmp_path, tmp_path / "none"])) == (
        "overlay x: does not exist (there are none)"
    )
    write(tmp_path, "two", NEW, ("New",))
    write(tmp_path, "one", NEW, ("New",))
    assert refused(lambda: overlays.load("../two", [tmp_path])) == (
        "overlay ../two: does not exist (known: one, two)"
    )


def test_the_first_folder_of_the_search_wins(tmp_path: Path) -> None:
    write(tmp_path / "a", "one", NEW, ("New",))
    write(tmp_path / "b", "one", {"New": {"type": "null"}}, ("New",))
    assert overlays.load("one", [tmp_path / "b", tmp_path / "a"]).folder == tmp_path / "b" / "one"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("overlay.toml", "title = ", "overlays/one/overlay.toml: is not TOML"),
        ("overlay.toml", 'titel = "x"', "unknown key 'titel' (known: title, source, adds, def"),
        ("overlay.toml", 'source = "x"', "overlays/one/overlay.toml: has no title"),
        ("overlay.toml", "title = 3", "title must be a text"),
        ("overlay.toml", 'title = "x"\ndefinitions = [1]', "definitions must be a list of names"),
        ("overlay.toml", 'title = "x"\ndefinitions = ["Nope"]', "that no patch has: Nope"),
        ("v1.json", "[", "overlays/one/v1.json: is not JSON"),
        ("v1.json", '{"a": 1, "a": 2}', "overlays/one/v1.json#: has the key 'a' twice"),
        ("v1.json", "[]", "overlays/one/v1.json: is no merge patch for a schema"),
        ("v1.json", '{"$defs": {}, "anyOf": []}', "v1.json#/anyOf: an overlay changes nothing but"),
        ("v1.json", '{"$defs": {"A": 1}}', "v1.json#/$defs/A: is neither an object nor null"),
        (
            "v1.json",
            '{"$defs": {"New": {"properties": 1}}}',
            "v1.json#/$defs/New/properties: is no",
        ),
    ],
)
def test_bad_files_are_told(tmp_path: Path, name: str, content: str, message: str) -> None:
    write(tmp_path, "one", NEW, ("New",))
    (tmp_path / "one" / name).write_text(content)
    assert message in refused(lambda: overlays.load("one", [tmp_path]))


def test_an_overlay_without_a_patch_is_told(tmp_path: Path) -> None:
    write(tmp_path, "one", NEW, ("New",))
    (tmp_path / "one" / "v1.json").unlink()
    assert "overlays/one: has no patch (write v1.json" in refused(
        lambda: overlays.load("one", [tmp_path])
    )


# The packaged overlay.
def surface(version: int) -> Contract:
    path = SCHEMAS / f"v{version}" / "schema.unstable.json"
    before = contract.parse(path.read_bytes(), path.name)
    after, notices = overlays.apply(
        before, version, [overlays.load("session-options", PACKAGED)], pinned=True
    )
    assert notices == []
    return after


def valid(schema: Contract, name: str, value: Any) -> bool:
    root = {"$defs": schema["$defs"], "$ref": f"#/$defs/{name}"}
    return bool(jsonschema.Draft202012Validator(root).is_valid(value))


@pytest.mark.parametrize("version", [1, 2])
def test_session_options(version: int) -> None:
    schema = surface(version)
    defs = schema["$defs"]
    for name in ("SessionOptionsRequest", "SessionOptionsResponse"):
        assert (defs[name]["x-side"], defs[name]["x-method"]) == ("agent", "session/options")
    assert defs["SessionOptionsRequest"]["required"] == ["cwd"]
    assert "mcpServers" not in defs["SessionOptionsRequest"]["properties"]
    for session in (None, "s"):
        assert valid(schema, "SessionOptionsRequest", {"cwd": "/w", "sessionId": session})
    marker = defs["SessionCapabilities"]["properties"]["options"]
    assert marker == {
        "anyOf": [{"$ref": "#/$defs/SessionOptionsCapabilities"}, {"type": "null"}],
        "x-deserialize-default-on-error": True,
    }
    new = defs["NewSessionResponse"]["properties"]
    carried = {"modes", "configOptions"} if version == 1 else {"configOptions", "availableCommands"}
    answer = defs["SessionOptionsResponse"]
    assert answer["properties"] == {name: new[name] for name in new if name in carried | {"_meta"}}
    assert "required" not in answer


@pytest.mark.parametrize(
    ("version", "names"), [(1, ("New", "Load", "Resume")), (2, ("New", "Resume"))]
)
def test_session_options_on_session_setup(version: int, names: tuple[str, ...]) -> None:
    defs = surface(version)["$defs"]
    holders = {
        name
        for name, schema in defs.items()
        if schema.get("properties", {}).get("configOptions", {}).get("items")
        == {"$ref": "#/$defs/InitialSessionConfigOption"}
    }
    assert holders == {f"{name}SessionRequest" for name in names}
    for holder in holders:
        assert defs[holder]["properties"]["configOptions"] == {
            "type": "array",
            "items": {"$ref": "#/$defs/InitialSessionConfigOption"},
            "x-deserialize-default-on-null": True,
        }
        assert "configOptions" not in defs[holder]["required"]


@pytest.mark.parametrize(
    ("entry", "in_v1", "in_v2"),
    [
        ({"configId": "m", "type": "id", "value": "x"}, True, True),
        ({"configId": "m", "value": "x"}, True, False),
        ({"configId": "m", "type": "boolean", "value": True}, True, True),
        ({"configId": "m", "type": "boolean", "value": 1}, False, False),
        ({"configId": "m", "value": True}, False, False),
        ({"configId": "m", "type": "_own", "value": {"any": 1}}, False, True),
        ({"type": "id", "value": "x"}, False, False),
        ({"configId": "m", "type": "id"}, False, False),
    ],
)
def test_session_options_entry(entry: Any, in_v1: bool, in_v2: bool) -> None:
    """An entry has the value shape of session/set_config_option, without its sessionId."""
    for version, expected in ((1, in_v1), (2, in_v2)):
        schema = surface(version)
        assert valid(schema, "InitialSessionConfigOption", entry) is expected
        request = {"sessionId": "s", **entry}
        assert valid(schema, "SetSessionConfigOptionRequest", request) is expected
