"""One side of a diff as raw JSON and raw TOML: contract schema and methods.toml, read without acpgen's
intermediate representation.

Schemas are looked at as they stand: a *view* of a schema is what `$ref`, `allOf` and a choice between it and null
lead to. Nothing here knows what a change is.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import jsonschema

Schema = dict[str, Any]
CHOICES = ("oneOf", "anyOf")
TOLERANCE = (
    "x-deserialize-default-on-error",
    "x-deserialize-skip-invalid-items",
    "x-deserialize-default-on-null",
)
# Keywords that say nothing about which values are valid.
SILENT = frozenset(
    (
        "title",
        "x-docs",
        "x-method",
        "x-side",
        "x-docs-ignore",
        "default",
        "discriminator",
        *TOLERANCE,
    )
)


def unescape(step: str) -> str:
    return step.replace("~1", "/").replace("~0", "~")


def steps(pointer: str) -> list[str]:
    """The keys of a JSON pointer. Raises ValueError for what is none."""
    text = pointer.removeprefix("#")
    if text and not text.startswith("/"):
        raise ValueError(f"{pointer!r} is no JSON pointer")
    return [unescape(step) for step in text.split("/")[1:]]


@dataclass(eq=False)
class Raw:
    """contract: the schema. metadata: the parsed methods.toml files of this side, the first counts.

    version: of the protocol.
    """

    contract: Schema
    metadata: Sequence[Mapping[str, Any]] = ()
    version: int = 1
    _valid: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def defs(self) -> dict[str, Any]:
        found: dict[str, Any] = self.contract["$defs"]
        return found

    def at(self, pointer: str) -> Any:
        """What stands at a pointer. Raises KeyError where nothing does."""
        found: Any = self.contract
        for step in steps(pointer):
            try:
                found = found[int(step)] if isinstance(found, list) else found[step]
            except (KeyError, IndexError, TypeError, ValueError):
                raise KeyError(f"{pointer} leads nowhere at {step!r}") from None
        return found

    # Schemas

    def target(self, schema: Any) -> Any:
        """The definition that a bare reference leads to, or the schema itself."""
        if isinstance(schema, dict) and "$ref" in schema:
            return self.at(schema["$ref"])
        return schema

    def parts(self, schema: Any, depth: int = 0) -> Iterator[Schema]:
        """A schema and everything that has to hold with it: references, `allOf`, the one branch beside null."""
        if not isinstance(schema, dict) or depth > 20:
            return
        yield schema
        if "$ref" in schema:
            yield from self.parts(self.at(schema["$ref"]), depth + 1)
        for inner in schema.get("allOf", ()):
            yield from self.parts(inner, depth + 1)
        for word in CHOICES:
            inner = [item for item in schema.get(word, ()) if not is_null(item)]
            if len(inner) == 1 and len(schema[word]) == 2:
                yield from self.parts(inner[0], depth + 1)

    def branches(self, schema: Any) -> list[Schema]:
        """The branches of the first choice that a schema leads to; [] without one."""
        for part in self.parts(schema):
            for word in CHOICES:
                found = [item for item in part.get(word, ()) if not is_null(item)]
                if len(found) > 1 or (found and len(part[word]) == len(found)):
                    return found
        return []

    def properties(self, schema: Any) -> dict[str, Any]:
        """Property -> its schema, of everything that has to hold; branches of a choice left out."""
        found: dict[str, Any] = {}
        for part in self.parts(schema):
            for name, inner in part.get("properties", {}).items():
                found.setdefault(name, inner)
        return found

    def everywhere(self, schema: Any, depth: int = 0) -> set[str]:
        """Every property that a value may have by some branch."""
        found = set(self.properties(schema))
        if depth < 6:
            for branch in self.branches(schema):
                found |= self.everywhere(branch, depth + 1)
        return found

    def required(self, schema: Any) -> set[str]:
        return {name for part in self.parts(schema) for name in part.get("required", ())}

    def constants(self, schema: Any) -> list[Any]:
        """The values that a schema names: `const`, `enum`, and those of its branches."""
        found: list[Any] = []
        for part in self.parts(schema):
            found += [part["const"]] if "const" in part else []
            found += [value for value in part.get("enum", ()) if value is not None]
        for branch in self.branches(schema):
            found += self.constants(branch)
        return found

    def tags(self, schema: Any, tag: str, depth: int = 0) -> list[Any]:
        """The constants of a property in the branches of a union, nested unions included."""
        found: list[Any] = []
        for branch in self.branches(schema):
            own = self.properties(branch).get(tag)
            values = self.constants(own) if own is not None else []
            found += values
            if not values and depth < 4:
                found += self.tags(branch, tag, depth + 1)
        return found

    def is_open(self, schema: Any) -> bool:
        """Unknown tags or values are taken: a branch for all others, or one that names no constant where others do."""
        branches = self.branches(schema)
        if any("not" in branch for branch in branches):
            return True
        named = [bool(self.constants(branch)) for branch in branches]
        scalars = not any(self.properties(branch) for branch in branches)
        return scalars and any(named) and not all(named)

    def default_of(self, schema: Any) -> Any:
        """(there is a default, the default)."""
        for part in self.parts(schema):
            if "default" in part:
                return True, part["default"]
        return False, None

    def meant(self, schema: Any) -> Any:
        """`default_of`, with the members of an object left out that say what their absence says."""
        there, value = self.default_of(schema)
        return there, self._short(schema, value)

    def _short(self, schema: Any, value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        found = {}
        for name, item in value.items():
            inner = self.properties(schema).get(name, {})
            there, usual = self.default_of(inner)
            short = self._short(inner, item)
            if not there or json.dumps(short) != json.dumps(self._short(inner, usual)):
                found[name] = short
        return found

    def tolerance(self, schema: Any) -> dict[str, bool]:
        return {
            name.removeprefix("x-deserialize-"): any(part.get(name) for part in self.parts(schema))
            for name in TOLERANCE
        }

    def takes(self, schema: Any, value: Any) -> bool:
        """jsonschema's verdict."""
        key = json.dumps(schema, sort_keys=True)
        if key not in self._valid:
            root = {"$defs": self.defs, "allOf": [schema]}
            self._valid[key] = jsonschema.Draft202012Validator(root)
        return bool(self._valid[key].is_valid(value))

    def nullable(self, schema: Any) -> bool:
        return self.takes(schema, None)

    def closed(self, schema: Any) -> bool:
        return any(part.get("additionalProperties") is False for part in self.parts(schema))

    def form(self, schema: Any, names: Mapping[str, str] | None = None, depth: int = 0) -> Any:
        """A schema without what says nothing about values, as comparable JSON.

        References to plain scalars and lists are stepped into, those to anything else stay names. However null is
        spelled, it is the same. names: what a name is called on the other side.
        """
        if isinstance(schema, list):
            return [self.form(item, names, depth) for item in schema]
        if not isinstance(schema, dict) or depth > 12:
            return schema
        left = without_null(schema)
        if left != schema:
            return ["or null", self.form(left, names, depth + 1)]
        found = {key: item for key, item in schema.items() if key not in SILENT}
        if set(found) == {"allOf"} and len(found["allOf"]) == 1:
            return self.form(found["allOf"][0], names, depth + 1)
        if "$ref" in found:
            target, name = self.at(found["$ref"]), found["$ref"].rpartition("/")[2]
            if len(found) == 1 and self._is_plain(target):
                return self.form(target, names, depth + 1)
            rest = {key: item for key, item in found.items() if key != "$ref"}
            return ["ref", (names or {}).get(name, name), self.form(rest, names, depth + 1)]
        return {key: self._keyword(key, item, names, depth + 1) for key, item in found.items()}

    def _keyword(self, key: str, item: Any, names: Mapping[str, str] | None, depth: int) -> Any:
        if key == "properties":
            return {name: self.form(inner, names, depth) for name, inner in item.items()}
        if key == "required":
            return sorted(item)
        return item if key in ("const", "enum") else self.form(item, names, depth)

    def _is_plain(self, target: Any) -> bool:
        """A string, a number, a list: nothing with members or named values."""
        return not (self.properties(target) or self.branches(target) or self.constants(target))

    # Methods and metadata

    @cached_property
    def methods(self) -> dict[tuple[str, str, str], dict[str, str | None]]:
        """(name, side, kind) -> `$defs` keys of params and result."""
        found: dict[tuple[str, str, str], dict[str, str | None]] = {}
        ends = (("Request", "request", "params"), ("Response", "request", "result"))
        for key, item in self.defs.items():
            if not isinstance(item, dict) or "x-method" not in item:
                continue
            side = item["x-side"]
            for end, kind, part in (*ends, ("Notification", "notification", "params")):
                for one in ("agent", "client") if side == "both" else (side,):
                    if key.endswith(end):
                        empty: dict[str, str | None] = {"params": None, "result": None}
                        found.setdefault((item["x-method"], one, kind), empty)[part] = key
        return found

    def rows(self, table: str) -> list[Mapping[str, Any]]:
        """The rows of a table of methods.toml, the user's or overlay's first."""
        return [row for one in self.metadata for row in one.get(table, ())]

    def method_row(self, name: str, side: str, kind: str) -> Mapping[str, Any]:
        return next(
            (
                row
                for row in self.rows("method")
                if (row["name"], row["side"], row["kind"]) == (name, side, kind)
            ),
            {},
        )

    def update_row(self, kind: str) -> Mapping[str, Any]:
        return next((row for row in self.rows("update") if row["kind"] == kind), {})

    @cached_property
    def update_union(self) -> Any:
        """The union of session/update."""
        params = self.methods[("session/update", "client", "notification")]["params"]
        return self.properties(self.defs[str(params)])["update"]

    @cached_property
    def update_kinds(self) -> list[Any]:
        """The kinds of session/update."""
        if ("session/update", "client", "notification") not in self.methods:
            return []
        return self.tags(self.update_union, "sessionUpdate")

    def capability(self, side: str, path: str) -> Any:
        """The schema of a capability; None where there is none."""
        key = self.methods[("initialize", "agent", "request")][
            "result" if side == "agent" else "params"
        ]
        roots: Mapping[str, str] = next(
            (one["roots"] for one in self.metadata if "roots" in one), {}
        )
        found: Any = self.properties(self.defs[str(key)]).get(roots.get(side, ""))
        for step in path.split(".") if path else ():
            if found is None:
                return None
            found = self.properties(found).get(step)
        return found

    def opened(self, capability: str) -> set[str]:
        """The methods whose gate is this capability (`agent: PATH`) alone."""
        return {row["name"] for row in self.rows("method") if row.get("requires") == capability}

    def reaches(self, schema: Any, at: str) -> list[Any]:
        """The schemas at a place such as `/mcpServers/*/type`, in whatever branch; [] if there is none."""
        found = [schema]
        for step in steps(at):
            found = [inner for item in found for inner in self._step(item, step)]
        return found

    def _step(self, schema: Any, step: str, depth: int = 0) -> Iterator[Any]:
        if step == "*":
            yield from (part["items"] for part in self.parts(schema) if "items" in part)
        elif step in self.properties(schema):
            yield self.properties(schema)[step]
        for branch in self.branches(schema) if depth < 4 else ():
            yield from self._step(branch, step, depth + 1)


def is_null(schema: Any) -> bool:
    return isinstance(schema, dict) and (
        schema.get("type") == "null" or ("const" in schema and schema["const"] is None)
    )


def without_null(schema: Any) -> Any:
    """A schema without null among its types, values or branches."""
    if not isinstance(schema, dict):
        return schema
    found = dict(schema)
    kind = found.get("type")
    if isinstance(kind, list):
        left = [item for item in kind if item != "null"]
        found["type"] = left[0] if len(left) == 1 else left
    if "enum" in found:
        found["enum"] = [item for item in found["enum"] if item is not None]
    for word in CHOICES:
        if word in found:
            branches = [item for item in found[word] if not is_null(item)]
            if len(branches) == 1 and len(found[word]) == 2:
                del found[word]
                found["allOf"] = [*found.get("allOf", ()), *branches]
            else:
                found[word] = branches
    return found
