"""Contract schema + metadata -> Spec. The last place that sees JSON Schema."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, cast

from acpgen.problem import ProblemError
from acpgen.spec.ir import (
    Alias,
    AnyDefinition,
    CatchAll,
    Enum,
    EnumValue,
    Method,
    Record,
    RefType,
    Spec,
    Union,
    Variant,
    all_fields,
    reachable,
)
from acpgen.spec.metadata import NOTHING, Metadata
from acpgen.spec.names import ClassName, catch_all_name, variant_name
from acpgen.spec.parts import Assembler
from acpgen.spec.records import Recorder, branch_label, name_definitions
from acpgen.spec.shapes import (
    Property,
    Schema,
    ShapeReader,
    bare_ref,
    escape,
    is_object,
    plain,
    ref_name,
    unknown_keywords,
)
from acpgen.spec.tabulate import table_of
from acpgen.spec.types import enum_values, scalar, with_null
from acpgen.spec.usage import Usage

_UPDATE_METHOD = "session/update"


def build(
    contract: Mapping[str, Any],
    *,
    version: int,
    channel: Literal["stable", "unstable"],
    metadata: Metadata = NOTHING,
    overlays: Sequence[str] = (),
    docs: Mapping[str, str] | None = None,
    text: str | None = None,
) -> Spec:
    """The Spec of one surface.

    contract: a contract schema that contract.parse accepted. docs: upstream's descriptions by JSON pointer, if they were
    asked for. text: the contract as it is to be packaged. Raises ProblemError with every shape that no rule knows.
    """
    builder = _Builder(contract["$defs"], metadata)
    where = f"v{version}/{'schema' if channel == 'stable' else 'schema.unstable'}.json"
    builder.run()
    methods = builder.methods()
    if builder.reader.problems:
        raise ProblemError(
            replace(item, where=f"{where}{item.where}") for item in builder.reader.problems
        )
    definitions = _with_docs(builder.out, docs) if docs else builder.out
    spec = Spec(
        version,
        channel,
        definitions,
        methods,
        {key: builder.names[key] for key in builder.reader.defs if key in builder.names},
        {key: tuple(names) for key, names in builder.merged.items()},
        tuple(sorted(builder.envelopes)),
        tuple(overlays),
        text if text is not None else json.dumps(contract, indent=1) + "\n",
    )
    return replace(spec, table=table_of(spec, metadata))


class _Builder(Recorder):
    """Recorder that knows which kind of definition a schema is."""

    def __init__(self, defs: Mapping[str, Schema], metadata: Metadata) -> None:
        defs = {key: plain(schema) for key, schema in defs.items()}
        reader = ShapeReader(defs)
        self.envelopes = frozenset(
            key for key, schema in defs.items() if schema.get("x-docs-ignore") is True
        )
        for key in defs:
            if key not in self.envelopes:
                reader.problems.extend(unknown_keywords(defs[key], f"#/$defs/{escape(key)}"))
        own = Usage(reader, self.envelopes).own(defs, self.envelopes)
        assembler = Assembler(reader, own)
        super().__init__(reader, assembler, name_definitions(reader, assembler), metadata)
        self.updates = _kinds(defs, self.names)

    def run(self) -> None:
        """Make every definition, in the schema's order; then open the closed unions that readers meet in updates."""
        for key in self.names:
            self.define(key)
        self._open_received()
        self._state_required()

    def make(self, name: ClassName, wire: str | None, schema: Schema, pointer: str) -> None:
        docs = str(schema.get("x-docs", ""))
        ref = bare_ref(schema)
        values = enum_values(schema)
        if ref is not None:
            self.add(
                Alias(name, wire, pointer, docs, type=self.types.type_of(schema, pointer, name)[0])
            )
        elif values is not None:
            known, kind, is_open = values
            self.add(self._enum(name, wire, pointer, docs, known, kind, is_open, schema))
        elif is_object(schema) or "allOf" in schema or self._is_choice(schema):
            self.make_object(name, wire, self.reader.shape(schema, pointer, wire or ""), docs)
        else:
            found, nullable = self.types.type_of(schema, pointer, name)
            self.add(Alias(name, wire, pointer, docs, type=with_null(found, nullable)))

    def _is_choice(self, schema: Schema) -> bool:
        branches = schema.get("anyOf") or schema.get("oneOf") or ()
        return len(branches) > 0

    def _enum(
        self,
        name: ClassName,
        wire: str | None,
        pointer: str,
        docs: str,
        values: list[EnumValue],
        kind: str,
        is_open: bool,
        schema: Schema,
    ) -> Enum:
        branches = schema.get("anyOf") or schema.get("oneOf") or [schema]
        return Enum(
            name,
            wire,
            pointer,
            docs,
            values=tuple(values),
            kind=cast(Literal["string", "integer"], kind),
            open=is_open,
            scalar=scalar(branches[-1], kind),
        )

    # What only the whole says

    def _state_required(self) -> None:
        """Tell each untagged variant the keys by which it is told apart."""
        for name, definition in list(self.out.items()):
            if isinstance(definition, Union):
                variants = tuple(self._with_required(variant) for variant in definition.variants)
                self.out[name] = replace(definition, variants=variants)

    def _with_required(self, variant: Variant) -> Variant:
        target = self.out.get(variant.type.name) if isinstance(variant.type, RefType) else None
        if variant.tag is not None or not isinstance(target, Record):
            return variant
        return replace(
            variant,
            required=tuple(item.wire for item in all_fields(self.out, target) if item.required),
        )

    def _open_received(self) -> None:
        """Give the closed tagged unions inside session/update a catch-all for readers, so that a newer peer's variant
        does not lose the whole message. An outcome of a permission question is never among them: it is sent, not received.
        """
        roots = [
            self.names[key]
            for key, schema in self.reader.defs.items()
            if schema.get("x-method") == _UPDATE_METHOD and key in self.names
        ]
        for name in reachable(self.out, roots):
            definition = self.out[name]
            if (
                isinstance(definition, Union)
                and definition.tag is not None
                and definition.catch_all is None
            ) and all(variant.tag is not None for variant in definition.variants):
                self._open_one(definition)

    def _open_one(self, union: Union) -> None:
        assert union.tag is not None
        name = catch_all_name(union.name, received_only=True, taken=self.out)
        known = tuple(variant.tag for variant in union.variants if variant.tag is not None)
        common = self.common[union.name]
        parts = replace(
            common,
            properties={
                **common.properties,
                union.tag: Property({"type": "string"}, union.pointer),
            },
            required=common.required | {union.tag},
        )
        self.record(
            name,
            None,
            union.pointer,
            parts,
            union.docs,
            catch_all=CatchAll(union.tag, known, received_only=True),
            unions=(union.name,),
            tag=union.tag,
        )
        self.out[union.name] = replace(union, catch_all=name)

    # Methods

    def methods(self) -> tuple[Method, ...]:
        """The method table that the schema alone gives, in the schema's order."""
        roles = dict(self._roles())
        rows: dict[tuple[str, str, str], Method] = {}
        results: dict[tuple[str, str], ClassName] = {}
        for key, schema in self.reader.defs.items():
            wire = schema.get("x-method")
            if not isinstance(wire, str) or key not in self.names:
                continue
            role = roles.get(key) or _role_by_suffix(key)
            for side in _sides(schema.get("x-side")):
                if role == "response":
                    results[wire, side] = self.names[key]
                else:
                    kind = cast(Literal["request", "notification"], role)
                    rows[wire, side, kind] = Method(wire, side, kind, self.names[key])
        for (wire, receiver), name in results.items():
            if (wire, receiver, "request") not in rows:
                where = self.out[name].pointer
                self.reader.problem(
                    where,
                    f"answers {wire} (received by the {receiver}), but no request has that method",
                )
        return tuple(
            replace(row, result=results.get((row.wire, row.side))) if row.kind == "request" else row
            for row in rows.values()
        )

    def _roles(self) -> Iterator[tuple[str, str]]:
        """What each definition is to the envelopes: request, response or notification."""
        for key in self.envelopes:
            for role in ("request", "response", "notification"):
                if key.lower().endswith(role):
                    yield from ((name, role) for name in _all_refs(self.reader.defs[key]))


def _kinds(
    defs: Mapping[str, Schema], names: Mapping[str, ClassName]
) -> dict[tuple[str, str], tuple[str, ...]]:
    """(`$defs` key, "") or ("", name of a variant that is described in place) -> the kinds of update that carry it."""
    reader = ShapeReader(defs)  # one that nobody asks for its problems: they are told elsewhere
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    for schema in defs.values():
        if schema.get("x-method") != _UPDATE_METHOD:
            continue
        union = bare_ref(reader.property_of(schema, "update"))
        if union is None or union not in names:
            continue
        choice = reader.choice(defs[union], f"#/$defs/{escape(union)}")
        for branch in choice.branches if choice is not None else ():
            if branch.tag is None:
                continue
            refs = branch.shape.refs if branch.shape is not None else ()
            label = variant_name(names[union], branch_label(branch), choice.tag if choice else None)
            carried = _behind(defs, (branch.ref,) if branch.ref else refs)
            for key in (*((item, "") for item in carried), ("", label)):
                found[key] = tuple(dict.fromkeys((*found.get(key, ()), branch.tag)))
    return found


def _behind(defs: Mapping[str, Schema], keys: Sequence[str]) -> Iterator[str]:
    """These definitions, and those that they merely are another name of."""
    for key in keys:
        seen: set[str] = set()
        at: str | None = key
        while at is not None and at in defs and at not in seen:
            seen.add(at)
            yield at
            at = bare_ref(defs[at])


def _role_by_suffix(key: str) -> str:
    lowered = key.lower()
    return (
        "response"
        if lowered.endswith("response")
        else "notification" if lowered.endswith("notification") else "request"
    )


def _sides(side: Any) -> tuple[Literal["agent", "client", "proxy", "protocol"], ...]:
    if side == "both":
        return ("agent", "client")
    return (side,) if side in ("agent", "client", "proxy", "protocol") else ()


def _all_refs(schema: Any) -> Iterator[str]:
    if isinstance(schema, Mapping):
        for key, value in schema.items():
            if key == "$ref":
                yield ref_name(value)
            else:
                yield from _all_refs(value)
    elif isinstance(schema, list):
        for item in schema:
            yield from _all_refs(item)


def _with_docs(
    definitions: Mapping[ClassName, AnyDefinition], docs: Mapping[str, str]
) -> dict[ClassName, AnyDefinition]:
    """The definitions with upstream's descriptions."""
    found: dict[ClassName, AnyDefinition] = {}
    for name, definition in definitions.items():
        item: AnyDefinition = replace(definition, doc=docs.get(definition.pointer, ""))
        if isinstance(item, Record):
            item = replace(
                item,
                fields=tuple(replace(one, doc=docs.get(one.pointer, "")) for one in item.fields),
            )
        elif isinstance(item, Enum):
            words = [word for word in ("oneOf", "anyOf") if f"{item.pointer}/{word}/0" in docs]
            base = f"{item.pointer}/{words[0]}" if words else ""
            values = tuple(
                replace(one, doc=docs.get(f"{base}/{index}", ""))
                for index, one in enumerate(item.values)
            )
            item = replace(item, values=values)
        found[name] = item
    return found
