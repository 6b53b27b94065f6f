"""The committed generated package, by surface, and packages made of small schemas.

Everything is `Any` here: which names exist is a thing to test, not to assume.
"""

from __future__ import annotations

import importlib
import json
import sys
from functools import cache
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "generated" / "src"
PACKAGE = "acp_bindings"
SURFACES = ("v1", "v1_unstable", "v2", "v2_unstable")
V1 = ("v1", "v1_unstable")
V2 = ("v2", "v2_unstable")

if str(SOURCE) not in sys.path:
    sys.path.append(str(SOURCE))

_numbers = count()


@cache
def surface(name: str) -> Any:
    """The surface package: its models, decode, encode and the like."""
    return importlib.import_module(f"{PACKAGE}.{name}")


@cache
def models(name: str) -> Any:
    """The surface's module of types."""
    return importlib.import_module(f"{PACKAGE}.{name}.models")


@cache
def schema(name: str) -> dict[str, Any]:
    """The contract schema that is packaged with a surface."""
    file = Path(surface(name).__file__).parent / "schema.json"
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found


def decode(name: str, type_: str, value: object) -> Any:
    """Decode a value as the type that stands for a `$defs` key."""
    return surface(name).decode(getattr(models(name), models(name).WIRE_TYPES[type_]), value)


def encode(value: object) -> Any:
    return surface("v1").encode(value)


def pointers(name: str, type_: str, value: object) -> list[str]:
    """The places that decoding names when it refuses; AssertionError if it does not refuse."""
    try:
        decode(name, type_, value)
    except surface(name).DecodeError as error:
        return [problem[0] for problem in error.problems]
    raise AssertionError(f"{type_} accepts {value!r}")


def update_type(name: str) -> str:
    """The params of session/update: `SessionNotification` in v1, another name in v2."""
    (found,) = (
        key
        for key, item in schema(name)["$defs"].items()
        if item.get("x-method") == "session/update"
    )
    return str(found)


def decode_update(name: str, update: dict[str, Any]) -> Any:
    """Decode one update inside its notification, and give the update."""
    return decode(name, update_type(name), {"sessionId": "s", "update": update}).update


def texts_of(definitions: dict[str, Any], channel: str = "stable") -> dict[str, str]:
    """The files of a package that acpgen makes of a small v1 schema."""
    from acpgen.emit.layout import LayoutOptions, render
    from acpgen.spec.build import build
    from acpgen.spec.contract import parse

    text = json.dumps(
        {"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": definitions}
    )
    spec = build(
        parse(text, "fragment"), version=1, channel="stable" if channel == "stable" else "unstable"
    )
    return render([spec], LayoutOptions(jobs=1, layout="package"))


def fragment(folder: Path, definitions: dict[str, Any]) -> ModuleType:
    """The models of a package made of a small v1 schema, under a name of its own."""
    package = f"fragment_{next(_numbers)}"
    for path, text in texts_of(definitions).items():
        target = folder / package / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    sys.path.insert(0, str(folder))
    try:
        importlib.invalidate_caches()
        module = importlib.import_module(f"{package}.v1.models")
        # What is lazy has to resolve while the path is set.
        assert callable(importlib.import_module(f"{package}.v1").decode)
        return module
    finally:
        sys.path.remove(str(folder))
