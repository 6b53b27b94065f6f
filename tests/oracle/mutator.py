"""Changed copies of a value: most of them are malformed, and which ones is for the reader to say.

Each field is dropped, made null, given each wrong type and values out of bounds; lists get broken
items; tags are dropped, unknown (custom and reserved) or of another type; the same happens at
random places deep inside.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from tests.oracle.contract import Contract, Json, Schema, Shape, copy_json
from tests.oracle.received import BOUNDS
from tests.oracle.sampler import TAGS

WRONG: tuple[Json, ...] = ("text", "1", 7, 1.5, 1.0, True, [], ["x"], {}, {"k": 1})
BROKEN_ITEMS: tuple[Json, ...] = (None, 7, "x", {}, [])
DEEP_MUTATIONS = 12


@dataclass(frozen=True)
class Mutation:
    """kind: dropped, null, wrong-type, bounds, broken-item, tag or whole. where: JSON pointer.
    value: the changed copy.
    """

    kind: str
    where: str
    value: Json


def mutations(contract: Contract, shape: Shape, value: Json, seed: int = 0) -> Iterator[Mutation]:
    """Every changed copy of one valid value of `shape`."""
    for wrong in (None, *WRONG):
        yield Mutation("whole", "", copy_json(wrong))
    if isinstance(value, dict):
        yield from _fields(contract, shape, value)
        yield from _deep(value, Random(seed))
    elif isinstance(value, list):
        for item, at, kind in _items(value):
            yield Mutation(kind, f"/{at}", item)
    else:
        for bound in _out_of_bounds(shape.keywords):
            yield Mutation("bounds", "", bound)


def _with(value: dict[str, Json], name: str, inner: Json) -> Json:
    changed = copy_json(value)
    changed[name] = copy_json(inner)
    return changed


def _without(value: dict[str, Json], name: str) -> Json:
    return copy_json({key: inner for key, inner in value.items() if key != name})


def _fields(contract: Contract, shape: Shape, value: dict[str, Json]) -> Iterator[Mutation]:
    for name, schemas in shape.properties.items():
        where = "/" + name.replace("~", "~0").replace("/", "~1")
        if name in value:
            yield Mutation("dropped", where, _without(value, name))
        yield Mutation("null", where, _with(value, name, None))
        for wrong in WRONG:
            yield Mutation("wrong-type", where, _with(value, name, wrong))
        if name in shape.constants or any(name in guard for guard in _tags(shape)):
            for tag in TAGS:
                yield Mutation("tag", where, _with(value, name, tag))
        for inner in contract.shapes(schemas[-1]):
            for bound in _out_of_bounds(inner.keywords):
                yield Mutation("bounds", where, _with(value, name, bound))
        if isinstance(value.get(name), list):
            for items, at, kind in _items(value[name]):
                yield Mutation(kind, f"{where}/{at}", _with(value, name, items))
        if isinstance(value.get(name), dict):
            yield from _nested_tags(contract, schemas[-1], value, name, where)


def _tags(shape: Shape) -> Iterator[frozenset[str]]:
    for guard in shape.guards:
        yield frozenset(
            name for inner in guard.get("anyOf", [guard]) for name in inner.get("properties", {})
        )


def _nested_tags(
    contract: Contract, schema: Schema, value: dict[str, Json], name: str, where: str
) -> Iterator[Mutation]:
    """The tag of a union that stands in a field."""
    tags = {tag for shape in contract.shapes(schema) for tag in shape.constants}
    for tag in sorted(tags & set(value[name])):
        yield Mutation("tag", f"{where}/{tag}", _with(value, name, _without(value[name], tag)))
        for other in (*TAGS, 5, None):
            yield Mutation(
                "tag", f"{where}/{tag}", _with(value, name, _with(value[name], tag, other))
            )


def _items(items: list[Json]) -> Iterator[tuple[Json, int, str]]:
    """Changed copies of a list, where they changed, and the kind."""
    for broken in BROKEN_ITEMS:
        yield [copy_json(broken), *copy_json(items)], 0, "broken-item"
        yield [*copy_json(items), copy_json(broken)], len(items), "broken-item"
    for at, item in enumerate(items[:2]):
        if isinstance(item, dict):
            for name in item:
                changed = copy_json(items)
                del changed[at][name]
                yield changed, at, "broken-item"
                changed = copy_json(items)
                changed[at][name] = {"broken": [True]}
                yield changed, at, "broken-item"
                if isinstance(item[name], str):
                    for tag in TAGS:
                        changed = copy_json(items)
                        changed[at][name] = tag
                        yield changed, at, "tag"


def _out_of_bounds(keywords: Schema) -> Iterator[Json]:
    """Values just outside of what a schema (or its format) allows, and the edges themselves."""
    kind = keywords.get("type")
    if kind in ("integer", "number") and "const" not in keywords:
        low, high = BOUNDS.get(keywords.get("format", ""), (None, None))
        for edge, step in ((keywords.get("minimum", low), -1), (keywords.get("maximum", high), 1)):
            if edge is not None:
                yield edge
                outside = edge + step
                # A power of two survives a float: int64 stands beside a number in some unions.
                yield outside if abs(outside) < 2**53 else (edge if edge < 0 else outside) * 2
    if kind == "array" and keywords.get("minItems"):
        yield []
    if kind == "string" and (keywords.get("minLength") or "pattern" in keywords):
        yield ""


def _deep(value: Json, random: Random) -> Iterator[Mutation]:
    """Random places at any depth."""
    places = [place for place in _places(value, "") if place.count("/") > 1]
    for place in random.sample(places, min(DEEP_MUTATIONS, len(places))):
        changed = copy_json(value)
        container = changed
        *path, last = [part.replace("~1", "/").replace("~0", "~") for part in place[1:].split("/")]
        for part in path:
            container = container[int(part)] if isinstance(container, list) else container[part]
        key: Any = int(last) if isinstance(container, list) else last
        action = random.choice(("dropped", "null", "wrong-type"))
        if action == "dropped":
            del container[key]
        else:
            container[key] = None if action == "null" else copy_json(random.choice(WRONG))
        yield Mutation(action, place, changed)


def _places(value: Json, at: str) -> Iterator[str]:
    pairs = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value) if isinstance(value, list) else ()
    )
    for key, inner in pairs:
        place = f"{at}/" + str(key).replace("~", "~0").replace("/", "~1")
        yield place
        yield from _places(inner, place)
