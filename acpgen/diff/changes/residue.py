"""What the intermediate representation does not tell apart, and a validator does.

The other modules compare Specs. This one looks at the schemas of definitions and properties in which they found nothing:
if one normal form of them differs, that is a change, stated by its keywords. The normal form drops annotations and what
is only another way of writing the same.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

from acpgen.diff.change import Change, Spot
from acpgen.diff.changes.book import Book, turn
from acpgen.diff.pairing.sameness import BOUNDS, bounds_of, inclusive
from acpgen.diff.pairing.schemas import CHOICES, pointer_to
from acpgen.diff.pairing.surface import Surface
from acpgen.spec.ir import Json
from acpgen.spec.names import ClassName
from acpgen.spec.shapes import const_of, is_object, ref_name

_SILENT = frozenset(
    "title description examples $comment default discriminator deprecated readOnly writeOnly format "
    "contentEncoding contentMediaType".split()
)
_TYPES: Mapping[str, type] = {"string": str, "boolean": bool, "integer": int}
_SHAPING = frozenset(
    ("required", "optional", "renamed", "moved", "removed", "added", "absorbed", "split")
)
_DEEP = 24


def compare_residue(book: Book) -> None:
    """Every definition that both schemas have, envelopes apart."""
    keys = dict(_keys(book))
    forms = _Forms(book.old, keys), _Forms(book.new, {key: key for key in keys.values()})
    touched = _Touched(book)
    for key, other in keys.items():
        left, right = book.old.defs[key], book.new.defs[other]
        if left != right:  # what equal text refers to is looked at on its own
            _definitions(book, key, other, forms, touched)


def _keys(book: Book) -> Iterator[tuple[str, str]]:
    """The `$defs` keys that stand for one type, on both sides."""
    owned = {*book.old.spec.envelopes, *book.new.spec.envelopes}
    for key in book.old.defs:
        if key not in owned and key in book.new.defs:
            yield key, key
    for change in book.changes.values():
        names = change.old.name, change.new.name
        if (
            change.kind == "type.renamed"
            and names[0] in book.old.defs
            and names[1] in book.new.defs
        ):
            yield change.old.name, change.new.name


class _Touched:
    """The changes so far, by the definition that they stand in."""

    def __init__(self, book: Book) -> None:
        self.sides: tuple[dict[str, list[Change]], dict[str, list[Change]]] = {}, {}
        for item in book.changes.values():
            if item.area == "gate" or item.kind in (
                "type.renamed",
                "method.removed",
                "method.added",
            ):
                continue
            for spot, side in zip((item.old, item.new), self.sides, strict=True):
                side.setdefault("/".join(spot.pointer.split("/")[:3]), []).append(item)

    def field(self, old: str, new: str) -> bool:
        """Something was found at or below a property. old, new: its pointers."""
        return any(
            spot.exists and (spot.pointer == place or spot.pointer.startswith(f"{place}/"))
            for item, spot, place in self._at(old, new)
        )

    def beside(self, old: str, new: str) -> bool:
        """Something was found in a definition that does not stand inside one of its properties."""
        for item, spot, place in self._at(old, new):
            inside = spot.exists and spot.pointer.startswith(f"{place}/properties/")
            if not inside or item.action in _SHAPING:
                return True
        return False

    def _at(self, old: str, new: str) -> Iterator[tuple[Change, Spot, str]]:
        for place, side, index in ((old, self.sides[0], 0), (new, self.sides[1], 1)):
            for item in side.get("/".join(place.split("/")[:3]), ()):
                yield item, (item.old, item.new)[index], place


def _definitions(
    book: Book, key: str, other: str, forms: tuple[_Forms, _Forms], touched: _Touched
) -> None:
    left, right = book.old.defs[key], book.new.defs[other]
    inner = [name for name in left.get("properties", {}) if name in right.get("properties", {})]
    for name in inner:
        one, two = left["properties"][name], right["properties"][name]
        if one != two:
            steps = ("properties", name)
            _compare(book, "field.bounds", (key, other), steps, (one, two), forms, touched.field)
    bare = _without(left, inner), _without(right, inner)
    if bare[0] != bare[1]:
        _compare(book, "type.changed", (key, other), (), bare, forms, touched.beside)


def _compare(
    book: Book,
    kind: str,
    keys: tuple[str, str],
    steps: tuple[str, ...],
    schemas: tuple[Any, Any],
    forms: tuple[_Forms, _Forms],
    touched: Callable[[str, str], bool],
) -> None:
    """Write down that two schemas decide differently, where nothing else said so. steps: from the definition to them."""
    places = [pointer_to("$defs", key, *steps) for key in keys]
    if touched(places[0][1:], places[1][1:]):
        return
    one, two = forms[0].of(schemas[0]), forms[1].of(schemas[1])
    if one != two:
        names = [".".join((key, *steps[1:])) for key in keys]
        spots = book.old.here(places[0], names[0]), book.new.here(places[1], names[1])
        users = book.users(_holder(book.old, keys[0]), _holder(book.new, keys[1]))
        book.add(kind, *spots, users, detail=_detail(one, two))


def _holder(side: Surface, key: str) -> ClassName | None:
    names = side.spec.merged.get(key) or ()
    return names[0] if names else side.spec.wire_types.get(key)


def _without(schema: Mapping[str, Any], names: list[str]) -> Mapping[str, Any]:
    """The schema without the properties that were looked at on their own."""
    if not names:
        return schema
    rest = {name: item for name, item in schema["properties"].items() if name not in names}
    return {**schema, "properties": rest}


def _detail(one: Any, two: Any) -> dict[str, Json]:
    """The keywords that differ, with both their forms, and in words."""
    words = [sorted(item) if isinstance(item, dict) else [] for item in (one, two)]
    keys = [key for key in sorted({*words[0], *words[1]}) if _part(one, key) != _part(two, key)]
    return {
        **turn(_text(one, keys), _text(two, keys)),
        "keyword": {key: turn(_part(one, key), _part(two, key)) for key in keys},
    }


def _part(form: Any, key: str) -> Json:
    return cast(Json, form.get(key)) if isinstance(form, dict) else None


def _text(form: Any, keys: list[str]) -> str:
    found = [
        f"{key} {json.dumps(form[key])}" for key in keys if isinstance(form, dict) and key in form
    ]
    text = ", ".join(found) or "not stated"
    return text if len(text) <= 120 else f"{text[:116]} ..."


class _Forms:
    """Normal forms of one side's schemas; definitions go by the name that their successor has."""

    def __init__(self, side: Surface, keys: Mapping[str, str]) -> None:
        self.side = side
        self.keys = keys

    def of(self, schema: Any, depth: int = 0) -> Any:
        """The normal form: equal where a validator decides alike."""
        if not isinstance(schema, dict) or depth > _DEEP:
            return schema
        found: dict[str, Any] = {}
        parts = [self._ref(schema["$ref"], depth)] if "$ref" in schema else []
        parts += [self.of(item, depth + 1) for item in schema.get("allOf", ())]
        for key, value in schema.items():
            if key in _SILENT or key.startswith("x-") or key in ("$ref", "allOf", "type", *BOUNDS):
                continue
            if key == "properties":
                found[key] = {name: self.of(item, depth + 1) for name, item in value.items()}
            elif key in CHOICES:
                continue
            elif key == "required":
                found[key] = sorted(value)
            elif key in ("items", "not") or (key == "additionalProperties" and value is not False):
                inner = self.of(value, depth + 1)
                if inner not in ({}, True):
                    found[key] = inner
            else:
                found[key] = value
        for key in ("properties", "required"):
            if not found.get(key, True):
                del found[key]
        bounds = bounds_of(schema)
        bounds = inclusive(bounds) if schema.get("type") == "integer" else bounds
        found |= {key: item for key, item in bounds.items() if key not in _SILENT}
        self._types(schema, found)
        self._choices(schema, found, depth)
        return _joined(found, parts)

    def _ref(self, ref: str, depth: int) -> Any:
        """What is looked at on its own goes by its name; a plain alias is what it stands for."""
        key = ref_name(ref)
        target = self.side.defs.get(key, {})
        plain = not is_object(target) and not {"$ref", "allOf", "enum", *CHOICES} & set(target)
        if key in self.keys and (not plain or depth > _DEEP // 2):
            return {"$ref": self.keys[key]}
        return self.of(target, depth + 1)

    @staticmethod
    def _types(schema: Mapping[str, Any], found: dict[str, Any]) -> None:
        """`type`, `const` and `enum` in one way of writing."""
        kind = schema.get("type")
        values = schema.get("enum", [schema["const"]] if "const" in schema else None)
        found.pop("const", None)
        if isinstance(values, list):
            found["enum"] = sorted(values, key=json.dumps)
            kinds = {kind} if isinstance(kind, str) else set(kind or ())
            if all(any(type(value) is _TYPES.get(item) for item in kinds) for value in values):
                return
        if isinstance(kind, list):
            found["type"] = sorted(kind) if len(kind) > 1 else kind[0]
        elif kind is not None:
            found["type"] = kind

    def _choices(self, schema: Mapping[str, Any], found: dict[str, Any], depth: int) -> None:
        kind = found.get("type")
        for word in CHOICES:
            if word not in schema:
                continue
            branches: list[Any] = []
            for item in schema[word]:
                inner = self.of(item, depth + 1)
                nested = isinstance(inner, dict) and set(inner) == {"anyOf"}
                branches += inner["anyOf"] if nested else [inner]
            exclusive = word == "oneOf" and not _distinct(schema[word])
            rest = branches if exclusive else _merged_constants(branches)
            rest = [
                json.loads(one)
                for one in sorted({json.dumps(item, sort_keys=True) for item in rest})
            ]
            if len(rest) == 1 and isinstance(rest[0], dict) and not set(rest[0]) & set(found):
                found.update(rest[0])
            else:
                found["oneOf" if exclusive else "anyOf"] = rest
        if isinstance(kind, list) and "anyOf" not in found:
            inner = {key: found.pop(key) for key in list(found)}
            options = [
                {**inner, "type": item} if item != "null" else {"type": item} for item in kind
            ]
            ordered = sorted(json.dumps(item, sort_keys=True) for item in options)
            found["anyOf"] = [json.loads(item) for item in ordered]


def _joined(found: dict[str, Any], parts: list[Any]) -> Any:
    """A schema and the schemas that hold beside it."""
    parts = [item for item in parts if item not in ({}, True)]
    if found == {"type": "object"} and parts:
        found = {}  # said by what it refers to
    if not found and len(parts) == 1:
        return parts[0]
    if len(parts) == 1 and isinstance(parts[0], dict) and not set(parts[0]) & set(found):
        return {**parts[0], **found}
    if parts:
        found["allOf"] = sorted(parts, key=lambda item: json.dumps(item, sort_keys=True))
    return found


def _is_enum(item: Any) -> bool:
    return isinstance(item, dict) and set(item) == {"enum"}


def _covers(item: Mapping[str, Any], values: list[str]) -> bool:
    kind = _TYPES.get(str(item["type"]))
    return all(type(json.loads(value)) is kind for value in values)


def _merged_constants(branches: list[Any]) -> list[Any]:
    """The branches of an anyOf with all constants in one, and without those that a free branch takes anyway."""
    groups = [item["enum"] for item in branches if _is_enum(item)]
    rest = [item for item in branches if not _is_enum(item)]
    values = sorted({json.dumps(one) for group in groups for one in group})
    free = [item for item in rest if isinstance(item, dict) and set(item) == {"type"}]
    if values and not any(_covers(item, values) for item in free):
        rest.append({"enum": [json.loads(value) for value in values]})
    return rest


def _distinct(branches: list[Any]) -> bool:
    """No value matches two branches: they are constants, or of different types, or objects that differ in a constant."""
    constants: list[str] = []
    kinds: list[str] = []
    tags: list[str] = []
    for item in branches:
        if not isinstance(item, dict):
            return False
        value, kind = const_of(item), item.get("type")
        tag = _own_tag(item)
        if value is not None:
            constants.append(json.dumps(value))
            kinds.append(f"constant {_kind(value)}")
        elif tag is not None:
            tags.append(tag)
        elif isinstance(kind, str) and kind != "object":
            kinds.append("number" if kind == "integer" else kind)
        else:
            return False
    free = [kind for kind in kinds if not kind.startswith("constant ")]
    taken = {kind.removeprefix("constant ") for kind in kinds if kind not in free}
    return (
        len({*constants}) == len(constants)
        and len({*tags}) == len(tags)
        and len({*free}) == len(free)
        and taken.isdisjoint(free)
    )


def _own_tag(branch: Mapping[str, Any]) -> str | None:
    """The constant that an object has to have to match a branch."""
    if branch.get("type") != "object":
        return None
    for name in branch.get("required", ()):
        value = const_of(branch.get("properties", {}).get(name))
        if isinstance(value, str):
            return f"{name} {value}"
    return None


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "boolean"
    return "string" if isinstance(value, str) else "number"
