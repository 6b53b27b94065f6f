"""One side of a comparison: a Spec with its contract schema at hand, and what its parts are called on the wire."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from acpgen.diff.change import Spot
from acpgen.diff.pairing.schemas import CHOICES, child, shown, unescape, value_step
from acpgen.spec.ir import (
    AnyDefinition,
    Field,
    Json,
    Record,
    RefType,
    Spec,
    Union,
    Variant,
)
from acpgen.spec.names import ClassName
from acpgen.spec.shapes import bare_ref, const_of, is_null, plain


@dataclass
class Surface:
    """spec: the Spec. contract: its contract schema. defs: `$defs` without boolean schemas.

    keys: definition -> the `$defs` key whose properties it has, where that is one and it is nobody else's.
    above: definition -> the unions of which it is a variant, a catch-all or one of its branches.
    """

    spec: Spec
    contract: Mapping[str, Any] = field(init=False)
    defs: Mapping[str, Any] = field(init=False)
    keys: dict[ClassName, str] = field(init=False)
    holders: dict[str, ClassName] = field(init=False)
    above: dict[ClassName, list[ClassName]] = field(init=False)

    def __post_init__(self) -> None:
        self._names: dict[ClassName, str] = {}
        self._looked: dict[str, tuple[str, Any, bool]] = {}
        self._tags: dict[ClassName, frozenset[str]] = {}
        self._shapes: dict[str, Json] = {}
        self.contract = json.loads(self.spec.contract)
        self.defs = {key: plain(item) for key, item in self.contract["$defs"].items()}
        self.keys = {name: key for key, name in self.spec.wire_types.items()}
        for key, names in self.spec.merged.items():
            if len(names) == 1 and key not in self.spec.wire_types:
                self.keys.setdefault(names[0], key)
        self._name_payloads()
        self.holders = {key: name for name, key in self.keys.items()}
        self.above = {}
        for name, item in self.spec.definitions.items():
            if isinstance(item, Union):
                for inner in self.parts(item):
                    self.above.setdefault(inner, []).append(name)

    def _name_payloads(self) -> None:
        """A union whose choice a definition states that is no type of its own goes by the key of that definition."""
        taken = set(self.keys.values())
        for name, item in self.spec.definitions.items():
            if isinstance(item, Union) and name not in self.keys:
                steps = self.choice_pointer(item).split("/")
                key = unescape(steps[2]) if len(steps) == 3 else ""
                if key in self.spec.merged and key not in taken:
                    self.keys[name] = key
                    taken.add(key)

    @staticmethod
    def parts(union: Union) -> Iterator[ClassName]:
        """The definitions that the union's variants are, its catch-all last."""
        for variant in union.variants:
            if isinstance(variant.type, RefType):
                yield variant.type.name
        if union.catch_all is not None:
            yield union.catch_all

    # The intermediate representation

    def __getitem__(self, name: ClassName) -> AnyDefinition:
        return self.spec.definitions[name]

    def get(self, name: ClassName | str | None) -> AnyDefinition | None:
        return self.spec.definitions.get(cast(ClassName, name)) if name is not None else None

    def fields(self, record: Record) -> tuple[Field, ...]:
        """All fields of a record, without the tags that tell it apart from other variants."""
        tags = self.tags(record.name)
        return tuple(item for item in self.spec.fields(record) if item.wire not in tags)

    def tags(self, name: ClassName) -> frozenset[str]:
        """The discriminators of the unions that a definition is a variant of, at any depth."""
        if name not in self._tags:
            self._tags[name] = self._find_tags(name)
        return self._tags[name]

    def _find_tags(self, name: ClassName) -> frozenset[str]:
        found: set[str] = set()
        waiting, seen = [name], set()
        while waiting:
            one = waiting.pop()
            if one in seen:
                continue
            seen.add(one)
            for union in self.above.get(one, ()):
                item = self[union]
                if isinstance(item, Union) and item.tag is not None:
                    found.add(item.tag)
                waiting.append(union)
        return frozenset(found)

    def received_only(self, name: ClassName | None) -> bool:
        """The definition is a catch-all that no schema states: one of ours for readers."""
        item = self.get(name)
        if isinstance(item, Union):
            return any(self.received_only(inner) for inner in self.parts(item))
        return (
            isinstance(item, Record) and item.catch_all is not None and item.catch_all.received_only
        )

    def is_open(self, union: Union) -> bool:
        """The schema itself has a branch for unknown tags."""
        return union.catch_all is not None and not self.received_only(union.catch_all)

    # Names

    def label(self, name: ClassName) -> str:
        """What a definition is called: its `$defs` key, `Union:tag` for a variant, else `Type.property`."""
        if name not in self._names:
            self._names[name] = name  # a union that is its own variant
            self._names[name] = self._label(name)
        return self._names[name]

    def _label(self, name: ClassName) -> str:
        if name in self.keys:
            return self.keys[name]
        return self.variant_label(name) or self.place(self[name].pointer) or str(name)

    def variant_label(self, name: ClassName) -> str:
        """`Union:tag` of a variant, `Union:*` of a catch-all; "" for what is neither."""
        for union in self.above.get(name, ()):
            item = self[union]
            assert isinstance(item, Union)
            if item.catch_all == name:
                return f"{self.label(union)}:*"
            variant = next(v for v in item.variants if v.type == RefType(name))
            return self.variant_name(item, variant)
        return ""

    def variant_name(self, union: Union, variant: Variant) -> str:
        return f"{self.choice_label(union)}:{variant.label}"

    def choice_label(self, union: Union) -> str:
        """What a choice is called: by the definition that states it, where several unions choose from its variants."""
        steps = self.choice_pointer(union).split("/")
        key = unescape(steps[2]) if len(steps) == 3 and union.name not in self.keys else ""
        return key if key in self.spec.wire_types else self.label(union.name)

    def field_name(self, record: Record, item: Field) -> str:
        """`Type.property`, by the definition that states the property."""
        steps = item.pointer.split("/")
        if len(steps) == 5 and steps[1] == "$defs" and steps[3] == "properties":
            return f"{unescape(steps[2])}.{item.wire}"
        return f"{self.label(record.name)}.{item.wire}"

    def place(self, pointer: str) -> str:
        """A pointer in words: `Type.property`, with `[]` for items."""
        steps = pointer.removeprefix("#").split("/")[1:]
        if len(steps) < 2 or steps[0] != "$defs":
            return ""
        found, rest = unescape(steps[1]), steps[2:]
        while rest:
            word = rest.pop(0)
            if word == "properties" and rest:
                found += f".{unescape(rest.pop(0))}"
            elif word == "items":
                found += "[]"
            elif word in CHOICES and rest:
                found += f":{rest.pop(0)}"
        return found

    # The contract schema

    def at(self, pointer: str) -> Any:
        """What stands at a JSON pointer; None where nothing does."""
        found: Any = self.contract
        for step in pointer.split("/")[1:]:
            if isinstance(found, list):
                found = found[int(step)] if step.isdigit() and int(step) < len(found) else None
            else:
                found = found.get(unescape(step)) if isinstance(found, dict) else None
            if found is None:
                return None
        return found

    def pointer(self, pointer: str) -> str:
        """The JSON pointer of a place of the Spec, which steps over `anyOf [.., null]` and may name what is not there."""
        return self.look(pointer)[0]

    def look(self, pointer: str) -> tuple[str, Any]:
        """The JSON pointer of a place of the Spec, and what stands there."""
        return self._look(pointer.removeprefix("#"))[:2]

    def _look(self, pointer: str) -> tuple[str, Any, bool]:
        """The pointer as far as it leads, what stands there, and whether that is the whole way."""
        if pointer not in self._looked:
            above, _, step = pointer.rpartition("/")
            if not pointer:
                self._looked[pointer] = "", self.contract, True
            else:
                found = self._look(above)
                self._looked[pointer] = _stepped(found[0], found[1], step) if found[2] else found
        return self._looked[pointer]

    def here(self, pointer: str, name: str, shape: Json = None) -> Spot:
        """The spot of a thing that stands at a place of the Spec. shape: instead of what stands there."""
        where, found = self.look(pointer)
        if shape is None:
            if where not in self._shapes:
                self._shapes[where] = shown(found)
            shape = self._shapes[where]
        return Spot(where, True, name, shape)

    def spot(self, item: AnyDefinition) -> Spot:
        """The spot of a definition. A choice that another one holds as well stands where both have it from."""
        label = self.label(item.name)
        if isinstance(item, Union) and (name := self.choice_label(item)) != label:
            return self.here(self.choice_pointer(item), name)
        return self.here(item.pointer, label)

    def missing(self, pointer: str, name: str = "") -> Spot:
        """The spot of a thing that this side lacks, in the container at a place of the Spec."""
        return Spot(self.pointer(pointer), False, name)

    def def_pointer(self, name: ClassName | None) -> str:
        """Where a definition stands; "" for None."""
        item = self.get(name)
        return item.pointer if item is not None else ""

    def owner_pointer(self, record: Record, item: Field) -> str:
        """The object schema that states a field."""
        head, found, _ = item.pointer.rpartition("/properties/")
        return head if found else record.pointer

    def branch_pointer(self, union: Union, variant: Variant) -> str:
        """The branch of the choice that is this variant."""
        item = self.get(variant.type.name) if isinstance(variant.type, RefType) else None
        base = self.choice_pointer(union)
        if item is not None and item.wire is None and item.pointer.startswith(f"{base}/"):
            steps = item.pointer.removeprefix(f"{base}/").split("/")
            return f"{base}/{'/'.join(steps[:2])}"
        where, schema = self.look(base)
        for word in CHOICES:
            for index, branch in enumerate(schema.get(word, ())):
                if self._is_branch(branch, union, variant):
                    return f"#{where}/{word}/{index}"
        return base

    def _is_branch(self, branch: Any, union: Union, variant: Variant) -> bool:
        if variant.tag is not None and union.tag is not None:
            found = branch.get("properties", {}).get(union.tag)
            if found is not None:
                return bool(const_of(found) == variant.tag)
        ref = bare_ref(branch)
        if ref is not None and isinstance(variant.type, RefType):
            return self.spec.wire_types.get(ref) == variant.type.name
        return variant.label in (branch.get("title"), branch.get("type"))

    def choice_pointer(self, union: Union) -> str:
        """The schema in which the choice between the variants stands: the union's own, or that of its payload."""
        for name in self.parts(union):
            item = self.get(name)
            if item is None or item.wire is not None or self.received_only(name):
                continue
            where = item.pointer
            if where == union.pointer:  # a variant of the payload with more properties
                base = self.get(item.base) if isinstance(item, Record) else None
                where = base.pointer if base is not None else ""
            head, _, word = where.rpartition("/")[0].rpartition("/")
            if word in CHOICES:
                return head
        return union.pointer

    def value_pointer(self, pointer: str, value: Any) -> str:
        """Where a schema names a constant: in `enum`, `const` or a branch."""
        where, schema = self.look(pointer)
        step = value_step(schema, value)
        if step is not None:
            return f"#{where}{step}"
        # a property whose branches, beside it, name its values
        above, _, name = where.rpartition("/properties/")
        for word in CHOICES:
            for index, branch in enumerate((self.at(above) or {}).get(word, ()) if name else ()):
                step = value_step(branch.get("properties", {}).get(unescape(name)), value)
                if step is not None:
                    return f"#{above}/{word}/{index}/properties/{name}{step}"
        return f"#{where}"


def raw_of(side: Surface, item: Field) -> Mapping[str, Any]:
    """The schema of a property; empty where none states it."""
    found = side.look(item.pointer)[1] if item.pointer else None
    return found if isinstance(found, Mapping) else {}


def _stepped(found: str, here: Any, step: str) -> tuple[str, Any, bool]:
    """One step on, through the only branch beside null where there is one."""
    after = child(here, step)
    if after is None and isinstance(here, dict):
        for word in CHOICES:
            branches = here.get(word, ())
            inner = [i for i, item in enumerate(branches) if not is_null(item)]
            if len(inner) == 1 and child(branches[inner[0]], step) is not None:
                found, here = f"{found}/{word}/{inner[0]}", branches[inner[0]]
                after = child(here, step)
                break
    return (found, here, False) if after is None else (f"{found}/{step}", after, True)
