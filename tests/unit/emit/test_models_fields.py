"""The model emitter, field by field: enums, presence, tolerance, bounds, defaults, names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic_core import MISSING

from acpgen.spec.ir import (
    Alias,
    AnyType,
    ArrayType,
    Enum,
    EnumValue,
    LiteralType,
    MapType,
    OptionsType,
    Scalar,
)
from acpgen.spec.names import ClassName
from tests.unit.emit.specs import (
    STRING,
    blocks,
    field,
    load,
    patch,
    record,
    ref,
    refuses,
    required,
    round_trip,
    runtime,
    spec,
    tag,
    union,
)

INTEGER = Scalar("integer")


@pytest.mark.parametrize("open_", [True, False])
def test_enums(tmp_path: Path, open_: bool) -> None:
    values = (EnumValue("read", doc="Reads."), EnumValue("edit"))
    codes = (EnumValue(1), EnumValue(-2))
    models = load(
        tmp_path,
        spec(
            Enum(ClassName("Kind"), "Kind", "", values=values, open=open_),
            Enum(
                ClassName("Code"),
                "Code",
                "",
                values=codes,
                kind="integer",
                open=open_,
                scalar=Scalar("integer", minimum=-5),
            ),
            record("Tool", required("kind", ref("Kind")), field("code", ref("Code"))),
        ),
    )
    assert round_trip(models, "Tool", {"kind": "read", "code": -2}) == {"kind": "read", "code": -2}
    assert refuses(models, "Tool", {"kind": 5}) == ["/kind"]
    for bad in (True, 1.0, "1", -6):
        assert refuses(models, "Tool", {"kind": "read", "code": bad}) == ["/code"]
    new = {"kind": "new", "code": 7}
    if open_:
        assert round_trip(models, "Tool", new) == new
    else:
        assert refuses(models, "Tool", new) == ["/kind", "/code"]


def test_presence(tmp_path: Path) -> None:
    models = load(
        tmp_path,
        spec(
            record(
                "Thing",
                required("must", ArrayType(STRING)),
                required("mayBeNull", nullable=True),
                field("plain"),
                field("nullable", nullable=True),
                patch("state"),
                field("list", ArrayType(STRING), default=[]),
                field("map", MapType(INTEGER), default={}),
                field("flag", Scalar("boolean"), default=False),
                field("dirs", ArrayType(STRING), default=[], omit_empty=True),
                field("level", LiteralType(("low", "high")), default="low"),
            )
        ),
    )
    least: dict[str, Any] = {"must": [], "mayBeNull": None}
    assert round_trip(models, "Thing", least) == least
    assert round_trip(models, "Thing", {**least, "nullable": None}) == least
    assert refuses(models, "Thing", {**least, "plain": None}) == ["/plain"]
    assert refuses(models, "Thing", {"must": []}) == ["/mayBeNull"]
    full: dict[str, Any] = {
        **least,
        "state": None,
        "list": [],
        "map": {},
        "flag": False,
        "level": "low",
    }
    assert round_trip(models, "Thing", full) == full
    assert round_trip(models, "Thing", {**least, "dirs": []}) == least
    read = runtime(models).decode(models.Thing, least)
    assert (read.plain, read.state, read.list_, read.map, read.flag, read.level) == (
        None,
        MISSING,
        [],
        {},
        False,
        "low",
    )
    assert models.Thing(must=[], may_be_null=None, plain=None) == read


def test_tolerance(tmp_path: Path) -> None:
    models = load(
        tmp_path,
        spec(
            *blocks(),
            record(
                "Thing",
                required(
                    "items", ArrayType(ref("Block")), default=[], on_error=True, skip_items=True
                ),
                required("servers", ArrayType(STRING), default=[], on_null=True),
                field("title", on_error=True, nullable=True),
                patch("status", on_error=True),
                field("tags", ArrayType(STRING), default=[], on_null=True, on_error=True),
                field("more", ArrayType(ref("Block")), nullable=True, skip_items=True),
            ),
        ),
    )
    least: dict[str, Any] = {"items": [], "servers": []}
    block = {"kindOf": "text", "text": "x"}
    cases: list[tuple[dict[str, Any], dict[str, Any]]] = [
        ({"items": None}, {}),
        ({"items": [block, 5]}, {"items": [block]}),
        ({"servers": None}, {}),
        ({"title": 5}, {}),
        ({"status": 5}, {}),
        ({"status": None}, {"status": None}),
        ({"tags": None}, {"tags": []}),
        ({"tags": "x"}, {"tags": []}),
        ({"more": [{"kindOf": "text"}]}, {"more": []}),
        ({"more": None}, {}),
    ]
    for given, expected in cases:
        assert round_trip(models, "Thing", {**least, **given}) == {**least, **expected}, given
    assert refuses(models, "Thing", {**least, "servers": "x"}) == ["/servers"]
    assert refuses(models, "Thing", {**least, "more": "x"}) == ["/more"]
    assert refuses(models, "Thing", {}) == ["/items", "/servers"]


def test_scalars_keep_their_bounds(tmp_path: Path) -> None:
    cases: dict[str, tuple[Scalar, list[Any], list[Any]]] = {
        "uint64": (
            Scalar("integer", minimum=0, maximum=2**64 - 1),
            [0, 2**64 - 1],
            [-1, 2**64, True, "1", 1.0],
        ),
        "int32": (Scalar("integer", minimum=-(2**31), maximum=2**31 - 1), [-(2**31)], [2**31]),
        "odd": (
            Scalar("integer", exclusive_minimum=1, maximum=9, multiple_of=2),
            [2, 8],
            [1, 3, 10],
        ),
        "number": (Scalar("number"), [1, 0.5], [True, "1"]),
        "share": (Scalar("number", minimum=0, maximum=1), [0, 0.5], [1.1, -0.1]),
        "code": (
            Scalar("string", min_length=2, max_length=3, pattern="^a"),
            ["ab", "abc"],
            ["a", "abcd", "ba"],
        ),
        "date": (Scalar("string", format="date-time"), ["yesterday"], [5]),
        "nothing": (Scalar("null"), [], [0]),
    }
    models = load(
        tmp_path,
        spec(record("Thing", *(field(wire, scalar) for wire, (scalar, _, _) in cases.items()))),
    )
    for wire, (_scalar, good, bad) in cases.items():
        for value in good:
            assert round_trip(models, "Thing", {wire: value}) == {wire: value}
        for value in bad:
            assert refuses(models, "Thing", {wire: value}) == [f"/{wire}"]


def test_array_bounds_hold_at_any_depth(tmp_path: Path) -> None:
    pair = ArrayType(INTEGER, min_items=2, max_items=2)
    models = load(
        tmp_path,
        spec(
            record(
                "Thing",
                field("pair", pair),
                field("either", OptionsType((STRING, ArrayType(pair, min_items=1)))),
            ),
            Alias(ClassName("Pairs"), "Pairs", "", type=ArrayType(pair)),
        ),
    )
    assert round_trip(models, "Thing", {"pair": [1, 2], "either": [[1, 2]]}) == {
        "pair": [1, 2],
        "either": [[1, 2]],
    }
    assert refuses(models, "Thing", {"pair": [1]}) == ["/pair"]
    assert refuses(models, "Thing", {"either": []}) == ["/either"]
    assert refuses(models, "Pairs", [[1, 2], [1]]) == ["/1"]


def test_aliases(tmp_path: Path) -> None:
    models = load(
        tmp_path,
        spec(
            Alias(ClassName("Id"), "Id", "", type=OptionsType((Scalar("null"), INTEGER, STRING))),
            Alias(ClassName("Ids"), "Ids", "", type=ArrayType(ref("Id"))),
            Alias(ClassName("Anything"), "Anything", "", type=AnyType()),
            record(
                "Holder", field("ids", ref("Ids")), field("any", ref("Anything"), nullable=True)
            ),
        ),
    )
    value = {"ids": [1, "1", None], "any": {"a": [1.5]}}
    assert round_trip(models, "Holder", value) == value
    assert refuses(models, "Ids", [True]) == ["/0"]
    assert round_trip(models, "Anything", [None]) == [None]


def test_bases(tmp_path: Path) -> None:
    models = load(
        tmp_path,
        spec(
            record("Child", required("own"), base="Parent"),
            record("Same", base="Parent"),
            record("Parent", field("size", INTEGER, on_error=True), field("odd-name")),
        ),
    )
    assert issubclass(models.Child, models.Parent) and issubclass(models.Same, models.Parent)
    assert round_trip(models, "Child", {"own": "x", "size": "bad", "odd-name": "y"}) == {
        "own": "x",
        "odd-name": "y",
    }


def test_recursive_types(tmp_path: Path) -> None:
    models = load(
        tmp_path,
        spec(
            record(
                "Node",
                field("kids", ArrayType(ref("Node")), default=[]),
                field("block", ref("Block")),
            ),
            record("Leaf", tag("kindOf", "leaf"), field("node", ref("Node"))),
            union("Block", "kindOf", {"leaf": "Leaf"}),
        ),
    )
    value = {"kids": [{"kids": []}, {"block": {"kindOf": "leaf", "node": {}}}]}
    assert round_trip(models, "Node", value) == value
    assert refuses(models, "Node", {"kids": [{"block": {"kindOf": "leaf", "node": 5}}]}) == [
        "/kids/0/block/node"
    ]


def test_object_defaults(tmp_path: Path) -> None:
    models = load(
        tmp_path,
        spec(
            record(
                "Request",
                field("caps", ref("Caps"), default={}),
                field("full", ref("Caps"), default={"load": True}),
            ),
            record("Caps", field("load", Scalar("boolean"), default=False)),
        ),
    )
    assert round_trip(models, "Request", {}) == {}
    read = runtime(models).decode(models.Request, {})
    assert (read.caps.load, read.full.load) == (False, True)
    assert round_trip(models, "Request", {"caps": {}, "full": {"load": True}}) == {
        "caps": {},
        "full": {"load": True},
    }


NAMES = {
    "class": "class_",
    "from": "from_",
    "None": "none",
    "schema": "schema_",
    "copy": "copy_",
    "json": "json_",
    "dict": "dict_",
    "model_config": "model_config_",
    "modelFields": "model_fields_",
    "construct": "construct_",
    "type": "type",
    "list": "list_",
    "str": "str_",
    "int": "int_",
    "_meta": "meta",
    "$ref": "ref",
    "self": "self",
    "data": "data",
    "text": "text",
    "items": "items",
    "wire": "wire",
    "annotated": "annotated",
}


def test_names_that_are_taken_stay_usable(tmp_path: Path) -> None:
    strange = record("Strange", *(field(wire, name=name) for wire, name in NAMES.items()))
    models = load(tmp_path, spec(strange, record("Number_", required("n", INTEGER))))
    value = {wire: f"v{index}" for index, wire in enumerate(NAMES)}
    assert round_trip(models, "Strange", value) == value
    built = models.Strange(**{name: value[wire] for wire, name in NAMES.items()})
    assert runtime(models).encode(built) == value
    assert built.model_copy().model_dump() == value and built == models.Strange.model_validate(
        value
    )
