"""Object shapes put together: what a record has when its own properties and those of its allOf are one list."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from acpgen.spec.shapes import (
    Branch,
    Choice,
    Property,
    Shape,
    ShapeReader,
    bare_ref,
    const_of,
    escape,
    is_object,
    split_null,
)
from acpgen.spec.types import enum_values


@dataclass(frozen=True)
class Parts:
    """A record in the making.

    bases: definitions of their own whose fields it has. merged: definitions that occur only inside variants.
    choice: the branches between which its rest is decided. nested: the union definition whose variants it extends.
    """

    properties: Mapping[str, Property] = field(default_factory=dict)
    required: frozenset[str] = frozenset()
    bases: tuple[str, ...] = ()
    merged: tuple[str, ...] = ()
    choice: Choice | None = None
    nested: str | None = None
    closed: bool = False


def declared_tag(shape: Shape) -> bool:
    """The discriminator is an optional property of the object itself, and the branches only add optional properties.

    Then the object is one record: the branches say which values the property is known to take.
    """
    choice = shape.choice
    if (
        choice is None
        or choice.tag is None
        or choice.tag not in shape.properties
        or choice.tag in shape.required
    ):
        return False
    return all(
        branch.shape is not None
        and branch.shape.choice is None
        and branch.shape.required <= {choice.tag}
        for branch in choice.branches
    )


class Assembler:
    """Puts shapes of one contract together. own: the definitions that are types of their own."""

    def __init__(self, reader: ShapeReader, own: frozenset[str]) -> None:
        self.reader = reader
        self.own = own

    def parts(self, shape: Shape) -> Parts:
        """Everything an object has, its allOf followed."""
        if declared_tag(shape):
            shape = self._one_record(shape)
        found = Parts(shape.properties, shape.required, choice=shape.choice, closed=shape.closed)
        for ref in shape.refs:
            found = self.join(found, self._referred(ref), shape.pointer)
        return found

    def join(self, left: Parts, right: Parts, pointer: str) -> Parts:
        """Two parts of one object; a constant wins over the same property without one."""
        properties = dict(left.properties)
        for wire, prop in right.properties.items():
            known = properties.get(wire)
            if known is None or (
                const_of(known.schema) is None and const_of(prop.schema) is not None
            ):
                properties[wire] = prop
            elif (
                const_of(prop.schema) is None
                and const_of(known.schema) is None
                and known.schema != prop.schema
            ):
                self.reader.problem(
                    pointer, f"two parts of one object describe the property `{wire}` differently"
                )
        if (left.choice or left.nested) and (right.choice or right.nested):
            self.reader.problem(pointer, "no rule knows an object with two choices")
        return Parts(
            properties,
            left.required | right.required,
            left.bases + right.bases,
            left.merged + right.merged,
            left.choice or right.choice,
            left.nested or right.nested,
            left.closed or right.closed,
        )

    def _referred(self, ref: str, seen: frozenset[str] = frozenset()) -> Parts:
        target = self.reader.defs.get(ref, {})
        further = bare_ref(target)
        if further is not None and further not in seen:
            return self._referred(further, seen | {ref})
        if enum_values(target) is not None or (
            target and not (is_object(target) or {"allOf", "anyOf", "oneOf", "$ref"} & set(target))
        ):
            self.reader.problem(
                f"#/$defs/{escape(ref)}",
                "is no object, but something else is to have its properties",
            )
            return Parts()
        shape = self.reader.definition(ref)
        if ref in self.own:
            if shape.choice is not None and not declared_tag(shape):
                return Parts(nested=ref)
            return Parts(bases=(ref,))
        inner = self.parts(shape)
        return replace(inner, merged=(ref, *inner.merged))

    def flat(self, parts: Parts) -> Parts:
        """The parts with the fields of every base written out."""
        bases, parts = parts.bases, replace(parts, bases=())
        for ref in bases:
            inner = self.flat(self.parts(self.reader.definition(ref)))
            parts = self.join(parts, inner, f"#/$defs/{ref}")
        return parts

    def _one_record(self, shape: Shape) -> Shape:
        choice = shape.choice
        assert choice is not None and choice.tag is not None
        properties = dict(shape.properties)
        refs = list(shape.refs)
        for branch in choice.branches:
            assert branch.shape is not None
            refs.extend(branch.shape.refs)
            for wire, prop in branch.shape.properties.items():
                properties.setdefault(wire, prop)
        declared = properties[choice.tag]
        plain, nullable = split_null(declared.schema)
        values = [
            {"const": branch.tag, "type": "string", "title": branch.title}
            for branch in choice.branches
            if branch.tag is not None
        ]
        known = [
            *values,
            {"type": plain.get("type", "string")},
            *([{"type": "null"}] if nullable else []),
        ]
        schema = {key: item for key, item in declared.schema.items() if key != "type"}
        properties[choice.tag] = replace(declared, schema={**schema, "anyOf": known})
        return replace(shape, properties=properties, refs=tuple(refs), choice=None)


def is_plain(branch: Branch, choice: Choice, common: bool) -> bool:
    """The branch is a definition as it stands, with nothing added: no tag, no common properties, no name of its own."""
    if branch.ref is None or common:
        return False
    titled_default = choice.tag is not None and branch.tag is None and branch.title != ""
    return not titled_default


def references(
    reader: ShapeReader, shape: Shape, common: bool = False
) -> Iterator[tuple[str, bool]]:
    """The definitions that an object's allOf and branches bring in: (key, whether only as the payload of a variant)."""
    common = common or bool(shape.properties) or bool(shape.refs)
    if shape.choice is None:
        return
    for branch in shape.choice.branches:
        if branch.ref is not None:
            yield branch.ref, not is_plain(branch, shape.choice, common)
        elif branch.shape is not None:
            for ref in branch.shape.refs:
                yield ref, True
            yield from references(reader, branch.shape, True)
