"""Small Specs, written by hand, and packages made of them."""

from __future__ import annotations

import importlib
import shutil
import sys
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import acpgen.runtime
from acpgen.emit.models import model_files
from acpgen.spec.ir import (
    NO_DEFAULT,
    AnyDefinition,
    AnyType,
    CatchAll,
    Field,
    Json,
    LiteralType,
    MapType,
    Method,
    Record,
    RefType,
    Scalar,
    Spec,
    Tolerance,
    Type,
    Union,
    Variant,
)
from acpgen.spec.names import ClassName, FieldName, field_name

STRING = Scalar("string")
META = MapType(AnyType())
_numbers = count()


def ref(name: str) -> RefType:
    return RefType(ClassName(name))


def field(
    wire: str,
    type_: Type = STRING,
    presence: Any = "optional",
    *,
    name: str | None = None,
    default: Any = None,
    nullable: bool = False,
    doc: str = "",
    omit_empty: bool = False,
    on_error: bool = False,
    skip_items: bool = False,
    on_null: bool = False,
) -> Field:
    """A field; `default` counts for optional fields and for tolerant ones."""
    tolerance = Tolerance(on_error=on_error, skip_items=skip_items, on_null=on_null)
    own: Json | Any = (
        default if presence == "optional" or (tolerance and presence == "required") else NO_DEFAULT
    )
    return Field(
        wire,
        FieldName(name) if name else field_name(wire),
        type_,
        presence,
        nullable=nullable,
        default=own,
        tolerance=tolerance,
        omit_empty=omit_empty,
        doc=doc,
    )


def required(wire: str, type_: Type = STRING, **more: Any) -> Field:
    return field(wire, type_, "required", **more)


def patch(wire: str, type_: Type = STRING, **more: Any) -> Field:
    return field(wire, type_, "patch", nullable=True, **more)


def tag(wire: str, value: str | None = None) -> Field:
    type_: Type = STRING if value is None else LiteralType((value,))
    return Field(wire, field_name(wire), type_, "required", tag=True)


def record(name: str, *fields: Field, base: str | None = None, **more: Any) -> Record:
    return Record(
        ClassName(name),
        name,
        f"#/$defs/{name}",
        fields=fields,
        base=None if base is None else ClassName(base),
        **more,
    )


def union(name: str, wire_tag: str, variants: dict[str, str], other: str | None = None) -> Union:
    return Union(
        ClassName(name),
        name,
        f"#/$defs/{name}",
        tag=wire_tag,
        tag_name=field_name(wire_tag),
        variants=tuple(Variant(key, key, ref(item)) for key, item in variants.items()),
        catch_all=None if other is None else ClassName(other),
    )


def other(name: str, wire_tag: str, *reserved: str, received_only: bool = False) -> Record:
    return record(name, tag(wire_tag), catch_all=CatchAll(wire_tag, reserved, received_only))


def blocks() -> list[AnyDefinition]:
    """An open union of two, and its catch-all."""
    return [
        record(
            "TextBlock",
            tag("kindOf", "text"),
            required("text"),
            field("_meta", META, nullable=True),
        ),
        record("ImageBlock", tag("kindOf", "image"), required("data")),
        other("OtherBlock", "kindOf", "text", "image"),
        union("Block", "kindOf", {"text": "TextBlock", "image": "ImageBlock"}, "OtherBlock"),
    ]


def spec(
    *definitions: AnyDefinition, methods: Sequence[Method] = (), contract: str = "{}\n"
) -> Spec:
    return Spec(
        1,
        "stable",
        {item.name: item for item in definitions},
        methods=tuple(methods),
        wire_types={item.wire: item.name for item in definitions if item.wire is not None},
        contract=contract,
    )


def load(folder: Path, made: Spec, **options: Any) -> ModuleType:
    """The models of a package that holds this surface alone."""
    package = f"emitted_{next(_numbers)}"
    root = folder / package
    shutil.copytree(
        Path(acpgen.runtime.__file__).parent,
        root / "runtime",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    (root / "__init__.py").touch()
    for path, text in {
        **model_files(made, **options),
        "__init__.py": "",
        "schema.json": made.contract,
    }.items():
        target = root / made.surface / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    sys.path.insert(0, str(folder))
    try:
        importlib.invalidate_caches()
        return importlib.import_module(f"{package}.{made.surface}.models")
    finally:
        sys.path.remove(str(folder))


def runtime(models: Any, module: str = "base") -> Any:
    return importlib.import_module(f"{models.__name__.split('.')[0]}.runtime.{module}")


def round_trip(models: Any, name: str, value: Any) -> Any:
    base = runtime(models)
    return base.encode(base.decode(getattr(models, name), value))


def refuses(models: Any, name: str, value: Any) -> list[str]:
    base = runtime(models)
    with pytest.raises(base.DecodeError) as caught:
        base.decode(getattr(models, name), value)
    return [problem[0] for problem in caught.value.problems]
