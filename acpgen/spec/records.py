"""Assembled parts -> records and unions of the intermediate representation, every variant with its own name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from acpgen.spec.ir import (
    AnyDefinition,
    CatchAll,
    Field,
    Record,
    RefType,
    Union,
    Variant,
)
from acpgen.spec.metadata import Metadata
from acpgen.spec.names import (
    ClassName,
    catch_all_name,
    class_name,
    field_name,
    field_names,
    pascal,
    payload_name,
    variant_name,
)
from acpgen.spec.parts import Assembler, Parts, is_plain
from acpgen.spec.shapes import Branch, Choice, Property, Schema, Shape, ShapeReader, escape
from acpgen.spec.types import TypeReader, with_null


def branch_label(branch: Branch) -> str:
    """What a branch is called: its tag, its title, the definition that it refers to, or the keys that it requires."""
    if branch.tag is not None:
        return branch.tag
    if branch.title:
        return branch.title
    if branch.ref is not None:
        return branch.ref
    required = (
        sorted(branch.shape.required or branch.shape.properties) if branch.shape is not None else []
    )
    return "_".join(required) or str(branch.schema.get("type", "any"))


def branch_parts(assembler: Assembler, branch: Branch, common: Parts) -> Parts:
    """What a variant has: what its branch states, and what stands beside the choice."""
    shape = branch.shape or Shape(branch.pointer, refs=(branch.ref,) if branch.ref else ())
    return assembler.join(assembler.parts(shape), replace(common, choice=None), branch.pointer)


def is_leaf(branch: Branch, choice: Choice, common: Parts) -> bool:
    """The branch becomes a class of its own."""
    if branch.ref is not None:
        return not is_plain(
            branch, choice, bool(common.properties or common.bases or common.merged)
        )
    return branch.shape is not None


def name_definitions(reader: ShapeReader, assembler: Assembler) -> dict[str, ClassName]:
    """A name for each definition that is a type of its own.

    It is the `$defs` key, but where a variant is called like the definition that it carries, the variant keeps the name
    (it is what people build and match), and the definition without the tag is called the payload.
    """
    names = {key: class_name(key) for key in reader.defs if key in assembler.own}
    for _ in range(len(names)):
        by_name = {name: key for key, name in names.items()}
        changed = False
        for key in list(names):
            for variant, refs in _variant_names(
                assembler, names[key], assembler.parts(reader.definition(key))
            ):
                taken = by_name.get(variant)
                if taken is not None and taken in refs:
                    names[taken] = payload_name(variant)
                    changed = True
        if not changed:
            break
    return names


def _variant_names(
    assembler: Assembler, union: ClassName, parts: Parts
) -> Iterator[tuple[ClassName, set[str]]]:
    """The names of the variants below a union, with the definitions that each carries."""
    choice = parts.choice
    if choice is None and parts.nested is not None:
        choice = assembler.reader.definition(parts.nested).choice
    if choice is None:
        return
    for branch in choice.branches:
        if branch.catch_all or not is_leaf(branch, choice, replace(parts, choice=None)):
            continue
        name = variant_name(union, branch_label(branch), choice.tag)
        inner = branch_parts(assembler, branch, Parts())
        yield name, {*inner.bases, *inner.merged, *([inner.nested] if inner.nested else [])}
        yield from _variant_names(assembler, name, inner)


@dataclass
class Recorder:
    """Makes the definitions of one contract. out: what was made, by name, in order."""

    reader: ShapeReader
    assembler: Assembler
    names: Mapping[str, ClassName]
    metadata: Metadata
    out: dict[ClassName, AnyDefinition] = field(default_factory=dict)
    merged: dict[str, list[ClassName]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.types = TypeReader(self.reader, self.names, self.hoist)
        self._defined: set[str] = set()
        # What every variant of a union has, the tags of outer unions included.
        self.common: dict[ClassName, Parts] = {}
        self._hoisted: dict[str, RefType] = {}
        # (`$defs` key, "") or ("", name of a variant that is described in place) -> the kinds of
        # update that carry it.
        self.updates: Mapping[tuple[str, str], Sequence[str]] = {}

    def add(self, definition: AnyDefinition) -> RefType:
        known = self.out.get(definition.name)
        if known is not None and known != definition:
            self.reader.problem(
                definition.pointer,
                f"the name {definition.name} is taken by {known.pointer}",
                "two things of one schema need two names: give one of them another `$defs` key or tag "
                "in a copy of the schema (config key `schemas`)",
            )
        self.out[definition.name] = definition
        return RefType(definition.name)

    def hoist(self, schema: Schema, pointer: str, name: str) -> RefType:
        """A definition for what a schema describes in place."""
        if pointer not in self._hoisted:
            self._hoisted[pointer] = RefType(class_name(name))
            self.make(class_name(name), None, schema, pointer)
        return self._hoisted[pointer]

    def define(self, key: str) -> None:
        """Make the definition of a `$defs` key, once."""
        if key not in self._defined:
            self._defined.add(key)
            self.make(self.names[key], key, self.reader.defs[key], f"#/$defs/{escape(key)}")

    def make(self, name: ClassName, wire: str | None, schema: Schema, pointer: str) -> None:
        """The definition for a schema; build.py decides which kind it is."""
        raise NotImplementedError

    # Records

    def make_object(self, name: ClassName, wire: str | None, shape: Shape, docs: str) -> None:
        """A record or, where a choice stands beside the properties, a union."""
        parts = self.assembler.parts(shape)
        if parts.choice is None and parts.nested is None:
            self.record(name, wire, shape.pointer, parts, docs)
        else:
            self.union(name, wire, shape.pointer, parts, docs)

    def record(
        self,
        name: ClassName,
        wire: str | None,
        pointer: str,
        parts: Parts,
        docs: str = "",
        *,
        base: ClassName | None = None,
        catch_all: CatchAll | None = None,
        unions: tuple[ClassName, ...] = (),
        free_tag: str | None = None,
        tag: str | None = None,
    ) -> RefType:
        """A record with one base at most; the fields of further bases are written out."""
        if base is None and len(parts.bases) == 1:
            base = self.names[parts.bases[0]]
            inherited = self.assembler.flat(
                self.assembler.parts(self.reader.definition(parts.bases[0]))
            )
            own = {
                wire: prop
                for wire, prop in parts.properties.items()
                if wire not in inherited.properties or wire == tag
            }
            parts = replace(
                parts,
                properties=own,
                required=parts.required - (set(inherited.properties) - set(own)),
            )
        elif parts.bases:
            parts = self.assembler.flat(parts)
        for key in parts.merged:
            holders = self.merged.setdefault(key, [])
            if name not in holders:
                holders.append(name)
        fields = self.fields(name, parts, tag)
        return self.add(
            Record(
                name,
                wire,
                pointer,
                docs,
                fields=fields,
                base=base,
                closed=parts.closed,
                catch_all=catch_all,
                unions=unions,
            )
        )

    def fields(self, name: ClassName, parts: Parts, tag: str | None = None) -> tuple[Field, ...]:
        """The fields of a record, discriminators first, the outermost before the others."""
        properties = dict(parts.properties)
        for wire in sorted(parts.required - set(properties)):
            properties[wire] = Property({}, "")
        names = field_names(properties)
        found = []
        for wire, prop in properties.items():
            keys = tuple(key for key in (prop.owner, name) if key)
            kinds = self.updates.get((prop.owner, "") if prop.owner else ("", name), ())
            item = self.types.field_of(
                wire,
                names[wire],
                prop,
                wire in parts.required or wire == tag,
                name,
                patch=self.metadata.is_patch(keys, wire, kinds),
                omit_empty=self.metadata.omits_empty(keys, wire, kinds),
            )
            found.append(replace(item, tag=True) if wire == tag else item)
        tags = [item for item in found if item.tag]
        # The outer union's tag comes from what stands beside the choice, so it was joined last.
        return (*reversed(tags), *(item for item in found if not item.tag))

    # Unions

    def union(
        self, name: ClassName, wire: str | None, pointer: str, parts: Parts, docs: str = ""
    ) -> RefType:
        """A union and a record for each of its variants."""
        choice = parts.choice
        common = replace(parts, choice=None, nested=None)
        self.common[name] = common
        if choice is None:
            assert parts.nested is not None
            self.define(parts.nested)
            nested = self.out.get(self.names[parts.nested])
            if not isinstance(nested, Union):
                self.reader.problem(
                    pointer, f"`{parts.nested}` is no choice between objects that could carry a tag"
                )
                return RefType(name)
            return self._extend(name, pointer, common, nested)
        reserved = tuple(branch.tag for branch in choice.branches if branch.tag is not None)
        variants: list[Variant] = []
        catch_all: ClassName | None = None
        for branch in choice.branches:
            if branch.catch_all:
                assert choice.tag is not None
                labels = (branch_label(item) for item in choice.branches if not item.catch_all)
                taken = {variant_name(name, label, choice.tag) for label in labels}
                catch_all = catch_all_name(name, received_only=False, taken=taken)
                self._leaf(
                    catch_all, branch, common, name, choice.tag, CatchAll(choice.tag, reserved)
                )
                continue
            label = branch_label(branch)
            if is_leaf(branch, choice, common):
                leaf = variant_name(name, label, choice.tag)
                if leaf in self.names.values() or leaf in self.out:
                    leaf = class_name(pascal(label) + name)
                kind = self._leaf(
                    leaf, branch, common, name, choice.tag if branch.tag is not None else None, None
                )
                variants.append(Variant(label, branch.tag, kind))
            else:
                inner, nullable = self.types.type_of(
                    branch.schema, branch.pointer, name + pascal(label)
                )
                variants.append(Variant(label, branch.tag, with_null(inner, nullable)))
        return self.add(
            Union(
                name,
                wire,
                pointer,
                docs,
                tag=choice.tag,
                tag_name=field_name(choice.tag) if choice.tag is not None else None,
                variants=tuple(variants),
                catch_all=catch_all,
                exclusive=choice.exclusive,
            )
        )

    def _leaf(
        self,
        name: ClassName,
        branch: Branch,
        common: Parts,
        union: ClassName,
        tag: str | None,
        catch_all: CatchAll | None,
    ) -> RefType:
        parts = branch_parts(self.assembler, branch, common)
        if parts.choice is not None or parts.nested is not None:
            if catch_all is None:
                return self.union(name, None, branch.pointer, parts)
            return self._catch_all_union(name, branch.pointer, parts, catch_all)
        return self.record(
            name, None, branch.pointer, parts, catch_all=catch_all, unions=(union,), tag=tag
        )

    def _catch_all_union(
        self, name: ClassName, pointer: str, parts: Parts, catch_all: CatchAll
    ) -> RefType:
        """An unknown tag beside which a further choice stands: a catch-all for each branch of that choice."""
        found = self.union(name, None, pointer, parts)
        union = self.out[found.name]
        assert isinstance(union, Union)
        for variant in union.variants:
            record = self.out.get(variant.type.name) if isinstance(variant.type, RefType) else None
            if not isinstance(record, Record):
                self.reader.problem(
                    pointer, "no rule knows such a choice beside the tag of a catch-all"
                )
                continue
            fields = tuple(
                replace(item, tag=True) if item.wire == catch_all.tag else item
                for item in record.fields
            )
            self.out[record.name] = replace(record, catch_all=catch_all, fields=fields)
        return found

    def _extend(self, name: ClassName, pointer: str, common: Parts, inner: Union) -> RefType:
        """A union whose variants are those of another one, each with more fields (the tag of the outer union)."""
        self.common[name] = self.assembler.join(common, self.common[inner.name], pointer)
        variants: list[Variant] = []
        for variant in inner.variants:
            leaf = variant_name(name, variant.label, inner.tag)
            variants.append(
                replace(variant, type=self._extend_one(leaf, pointer, common, variant.type, name))
            )
        catch_all = None
        if inner.catch_all is not None:
            taken = {
                kind.name for kind in (item.type for item in variants) if isinstance(kind, RefType)
            }
            catch_all = catch_all_name(name, received_only=False, taken=taken)
            self._extend_one(catch_all, pointer, common, RefType(inner.catch_all), name)
        return self.add(
            replace(
                inner,
                name=name,
                wire=None,
                pointer=pointer,
                variants=tuple(variants),
                catch_all=catch_all,
            )
        )

    def _extend_one(
        self, name: ClassName, pointer: str, common: Parts, kind: object, union: ClassName
    ) -> RefType:
        base = self.out[kind.name] if isinstance(kind, RefType) else None
        if isinstance(base, Union):
            return self._extend(name, pointer, common, base)
        if not isinstance(base, Record):
            self.reader.problem(pointer, f"the variant {name} cannot carry a tag: it is no object")
            return RefType(name)
        return self.record(
            name, None, pointer, common, base=base.name, catch_all=base.catch_all, unions=(union,)
        )
