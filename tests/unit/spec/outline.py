"""A Spec as text, for snapshots."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from acpgen.spec.build import build
from acpgen.spec.contract import parse
from acpgen.spec.ir import Alias, Enum, Field, Record, Spec, Union
from acpgen.spec.metadata import NOTHING, Metadata
from acpgen.spec.show import bounds_text, tolerance_text, type_text

FRAGMENTS = Path(__file__).parents[2] / "fragments"


def spec_of(defs: Mapping[str, Any], metadata: Metadata = NOTHING) -> Spec:
    """The Spec of a few definitions, by the same path as a real schema."""
    text = json.dumps({"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": defs})
    return build(parse(text, "fragment"), version=1, channel="stable", metadata=metadata)


def fragment(name: str) -> dict[str, Any]:
    """The definitions of one fragment."""
    return json.loads((FRAGMENTS / f"{name}.json").read_text())["$defs"]


def outline(spec: Spec) -> str:
    return "\n".join(
        [
            *_definitions(spec),
            *(
                f"method {row.wire} {row.side} {row.kind} {row.params} -> {row.result}"
                for row in spec.methods
            ),
        ]
    )


def _definitions(spec: Spec) -> Iterator[str]:
    for item in spec.definitions.values():
        wire = f" = {item.wire}" if item.wire else ""
        if isinstance(item, Record):
            base = f"({item.base})" if item.base else ""
            marks = ["closed"] * item.closed + (
                ["catch-all" + " (received)" * item.catch_all.received_only]
                if item.catch_all
                else []
            )
            yield f"record {item.name}{base}{wire} {' '.join(marks)}".rstrip()
            yield from (f"    {_field(one)}" for one in item.fields)
        elif isinstance(item, Union):
            rest = f" | {item.catch_all}" if item.catch_all else ""
            how = f"{item.tag or 'shape'}{' exactly one' * item.exclusive}"
            yield f"union {item.name}{wire} by {how}{rest}"
            yield from (
                f"    {one.label}: {type_text(one.type)}{'' if one.tag else f' {one.required}'}"
                for one in item.variants
            )
        elif isinstance(item, Enum):
            values = [one.value for one in item.values]
            yield f"enum {item.name}{wire} {'open' if item.open else 'closed'} {values}"
        else:
            assert isinstance(item, Alias)
            bounds = bounds_text(item.type)
            yield f"alias {item.name}{wire} {type_text(item.type)} {bounds}".rstrip()


def _field(item: Field) -> str:
    default = "" if item.default.__class__.__name__ == "NoDefault" else f" = {item.default!r}"
    marks = [
        item.presence,
        *["tag"] * item.tag,
        *["null"] * item.nullable,
        *filter(None, [bounds_text(item.type), tolerance_text(item)]),
    ]
    return f"{item.name} <- {item.wire}: {type_text(item.type)}{default} [{'; '.join(marks)}]"
