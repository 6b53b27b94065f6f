"""The model emitter: small Specs, generated, imported, used."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from pathlib import Path

import black
import pytest

from acpgen.emit.models import model_files
from acpgen.problem import ProblemError
from acpgen.spec.ir import (
    ArrayType,
    Method,
    Scalar,
    Union,
    Variant,
)
from acpgen.spec.names import ClassName
from tests.unit.emit.specs import (
    blocks,
    field,
    load,
    other,
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
from tests.unit.spec.outline import fragment, spec_of

INTEGER = Scalar("integer")


def test_every_file_is_formatted_and_compiles() -> None:
    made = spec(*blocks(), record("Message", required("blocks", ArrayType(ref("Block")))))
    files = model_files(made)
    assert sorted(files) == [
        "models/__init__.py",
        "models/_initialize.py",
        "models/_types.py",
        "strict.py",
    ]
    for path, text in files.items():
        compile(text, path, "exec")
        assert black.format_str(text, mode=black.Mode(line_length=100)) == text
    assert model_files(made) == files


def test_open_union(tmp_path: Path) -> None:
    models = load(tmp_path, spec(*blocks(), record("Message", required("content", ref("Block")))))
    for content in ({"kindOf": "text", "text": "x"}, {"kindOf": "new", "more": [1]}):
        assert round_trip(models, "Message", {"content": content, "x": None}) == {
            "content": content,
            "x": None,
        }
    assert refuses(models, "Message", {"content": {"kindOf": "text"}}) == ["/content/text"]
    match runtime(models).decode(models.Message, {"content": {"kindOf": "text", "text": "hi"}}):
        case models.Message(content=models.TextBlock(text=text)):
            assert text == "hi"
        case unexpected:
            pytest.fail(repr(unexpected))
    built = models.Message(content=models.OtherBlock(kind_of="_mine", more=1))
    assert runtime(models).encode(built) == {"content": {"kindOf": "_mine", "more": 1}}


def test_received_only_catch_all(tmp_path: Path) -> None:
    models = load(tmp_path, spec(other("UnknownBlock", "type", "text", received_only=True)))
    assert round_trip(models, "UnknownBlock", {"type": "new", "a": 1}) == {"type": "new", "a": 1}
    with pytest.raises(TypeError, match="only received"):
        models.UnknownBlock(type="_x")


def test_nested_unions_carry_every_tag(tmp_path: Path) -> None:
    models = load(
        tmp_path,
        spec(
            record("IdleState", tag("update", "state"), tag("state", "idle"), field("reason")),
            record("OtherState", tag("update", "state"), required("state")),
            union("State", "state", {"idle": "IdleState"}),
            record("Chunk", tag("update", "chunk"), required("text")),
            union("Update", "update", {"state": "State", "chunk": "Chunk"}),
        ),
    )
    assert models.IdleState().update == "state"
    idle = {"update": "state", "state": "idle"}
    assert round_trip(models, "Update", idle) == idle
    assert refuses(models, "Update", {"update": "state"}) == ["/state"]
    assert refuses(models, "Update", {"update": "state", "state": "idle", "reason": None}) == [
        "/reason"
    ]


def test_untagged_union_with_a_default_variant(tmp_path: Path) -> None:
    server = Union(
        ClassName("Server"),
        "Server",
        "",
        tag="type",
        variants=(Variant("http", "http", ref("Http")), Variant("stdio", None, ref("Stdio"))),
    )
    models = load(
        tmp_path,
        spec(
            record("Http", tag("type", "http"), required("url")),
            record("Stdio", required("command")),
            server,
        ),
    )
    for value in ({"type": "http", "url": "u"}, {"command": "c"}, {"command": "c", "type": "x"}):
        assert round_trip(models, "Server", value) == value
    assert refuses(models, "Server", {}) == ["/command"]


def test_exclusive_union(tmp_path: Path) -> None:
    one = Union(
        ClassName("One"),
        "One",
        "",
        variants=(Variant("a", None, ref("A")), Variant("b", None, ref("B"))),
        exclusive=True,
    )
    models = load(tmp_path, spec(record("A", required("a")), record("B", required("b")), one))
    assert round_trip(models, "One", {"b": "x"}) == {"b": "x"}
    assert refuses(models, "One", {"a": "x", "b": "x"}) == [""]


def test_closed_record(tmp_path: Path) -> None:
    models = load(tmp_path, spec(record("Closed", field("a"), closed=True)))
    assert refuses(models, "Closed", {"a": "x", "b": 1}) == ["/b"]


def test_lazy_import_and_the_split(tmp_path: Path) -> None:
    methods = [Method("initialize", "agent", "request", ClassName("Init"), ClassName("InitDone"))]
    models = load(
        tmp_path,
        spec(
            record("Init", field("caps", ref("Caps"))),
            record("InitDone"),
            record("Caps"),
            *blocks(),
            methods=methods,
        ),
    )
    package = models.__name__
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import {package} as m; m.Init; "
        f"print(*sorted(n for n in sys.modules if n.startswith('{package}.')))"
    )
    run = [sys.executable, "-c", code]
    assert subprocess.run(run, capture_output=True, text=True, check=True).stdout.split() == [
        f"{package}._initialize"
    ]
    assert models.Caps.__module__ == f"{package}._initialize"
    assert models.TextBlock.__module__ == f"{package}._types"
    assert set(models.__all__) == {*models.WIRE_TYPES, "WIRE_TYPES"}
    assert set(dir(models)) >= set(models.__all__)
    with pytest.raises(AttributeError, match="Nothing"):
        models.Nothing  # noqa: B018


def test_deprecated_names(tmp_path: Path) -> None:
    models = load(tmp_path, spec(record("New")), aliases={"Old": "New"})
    with pytest.warns(DeprecationWarning, match="Old is now New"):
        old = models.Old
    assert old is models.New and "Old" not in models.__all__


def test_wire_types_and_strict(tmp_path: Path) -> None:
    contract = {
        "$defs": {
            "Thing": {"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}}}
        }
    }
    models = load(tmp_path, spec(record("Thing", required("a")), contract=json.dumps(contract)))
    assert models.WIRE_TYPES == {"Thing": "Thing"}
    strict = importlib.import_module(f"{models.__name__.removesuffix('.models')}.strict")
    assert strict.check(models.Thing, {}) == [("/a", "is required", "required")]
    assert strict.check("Thing", models.Thing(a="x")) == []
    with pytest.raises(LookupError):
        strict.check(str, "x")


def test_docstrings_say_what_is_on_the_wire() -> None:
    made = spec(
        *blocks(),
        record(
            "Thing",
            field(
                "maxSize",
                Scalar("integer", minimum=0, maximum=9),
                on_error=True,
                doc='Upstream\'s "text"',
            ),
            docs="/protocol/thing",
        ),
        methods=[Method("thing/do", "agent", "request", ClassName("Thing"))],
    )
    text = model_files(made)["models/_types.py"]
    for line in (
        "Parameters of `thing/do` (request to the agent).",
        "Specification: /protocol/thing",
        "Wire: `maxSize`, integer (0 to 9), optional. Malformed: as if absent.",
        'Upstream\'s "text"',
        "Any other `kindOf` decodes as OtherBlock; a known one with a malformed payload is an",
    ):
        assert line in text


def test_upstream_text_cannot_break_out_of_its_docstring() -> None:
    nasty = 'ends with a quote"\n\n"""; raise SystemExit #\\'
    made = spec(record("Thing", field("a", doc=nasty), doc=nasty))
    compile(model_files(made)["models/_types.py"], "types", "exec")


def test_no_definitions(tmp_path: Path) -> None:
    models = load(tmp_path, spec())
    assert models.__all__ == ["WIRE_TYPES"] and models.WIRE_TYPES == {}


def test_an_override_of_a_template(tmp_path: Path) -> None:
    folder = tmp_path / "dcg" / "pydantic_v2"
    folder.mkdir(parents=True)
    made = spec(record("Thing", field("a")))
    target = folder / "BaseModel.jinja2"
    target.write_text("class {{ class_name }}({{ base_class }}):\n    mine = 1\n", encoding="utf-8")
    assert "mine = 1" in model_files(made, templates=[tmp_path])["models/_types.py"]
    target.write_text(
        "class {{ class_name }}({{ base_class }}):\n    {{ nothing.at_all }}\n", encoding="utf-8"
    )
    with pytest.raises(ProblemError, match=r"dcg/pydantic_v2/BaseModel.jinja2, line 2"):
        model_files(made, templates=[tmp_path])


def test_a_name_that_the_modules_import_is_a_problem() -> None:
    with pytest.raises(ProblemError, match=r"v1#/\$defs/Wire: Wire is a name"):
        model_files(spec(record("Wire")))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("dcg/pydantic_v2/BaseModel.jinja2", "hello world"),
        ("dcg/pydantic_v2/BaseModel.jinja2", ""),
        ("dcg/TypeAliasType.jinja2", "x ="),
        ("models/__init__.py.jinja", "def ("),
    ],
)
def test_a_template_that_makes_no_python_is_blamed(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ProblemError, match="your templates make no Python of it"):
        model_files(spec_of(fragment("enums")), templates=[tmp_path])
