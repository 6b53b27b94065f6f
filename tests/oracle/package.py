"""A generated package, seen only through what its users see."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.oracle.contract import Json, Schema, load


@dataclass(frozen=True)
class Surface:
    """One surface of a generated package.

    models: its module of types. base: the package's runtime.base. root: the contract schema that is
    packaged with it.
    """

    name: str
    models: Any
    base: Any
    root: Schema

    @property
    def wire_types(self) -> Mapping[str, str]:
        """`$defs` key -> Python name."""
        types: Mapping[str, str] = self.models.WIRE_TYPES
        return types

    def type_of(self, definition: str) -> Any:
        """The Python type that stands for a definition."""
        return getattr(self.models, self.wire_types[definition])

    def decode(self, type_: Any, value: Json) -> Any:
        return self.base.decode(type_, value)

    def decode_json(self, type_: Any, text: str) -> Any:
        return self.base.decode_json(type_, text)

    def encode(self, value: Any) -> Json:
        return self.base.encode(value)

    def encode_json(self, value: Any) -> bytes:
        encoded: bytes = self.base.encode_json(value)
        return encoded

    @property
    def error(self) -> type[Exception]:
        error: type[Exception] = self.base.DecodeError
        return error

    def is_model(self, value: object) -> bool:
        return isinstance(value, self.base.WireModel)

    def classes(self) -> dict[str, type]:
        """The public model classes by name; deprecated aliases are not among them."""
        found = {name: getattr(self.models, name) for name in self.models.__all__}
        return {
            name: item
            for name, item in found.items()
            if isinstance(item, type) and issubclass(item, self.base.WireModel)
        }


def surfaces(source: Path, package: str) -> list[Surface]:
    """The surfaces of `package`, which lies in the folder `source`: those of its folders that carry
    a schema.json.
    """
    if str(source) not in sys.path:
        sys.path.insert(0, str(source))
    importlib.invalidate_caches()
    base = importlib.import_module(f"{package}.runtime.base")
    found = []
    for path in sorted((source / package).glob("*/schema.json")):
        name = path.parent.name
        models = importlib.import_module(f"{package}.{name}.models")
        found.append(Surface(name, models, base, load(path.read_text(encoding="utf-8"))))
    if not found:
        raise LookupError(f"{source / package}: no surface (a folder with a schema.json) in here")
    return found
