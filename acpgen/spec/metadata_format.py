"""The JSON Schema of methods.toml."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

SIDES = ("agent", "client", "proxy", "protocol")
KINDS = ("request", "notification")
SEMANTICS = (
    "append",
    "append_bytes",
    "create",
    "event",
    "patch",
    "remove",
    "replace",
    "replace_by_id",
    "set",
    "snapshot",
    "upsert",
)
NEEDS = ("initialized", "authenticated", "session", "active_session", "entity")

_TEXT: Mapping[str, Any] = {"type": "string", "minLength": 1}
_LINE: Mapping[str, Any] = {"type": "string", "minLength": 1, "pattern": r"^[^\n]+$"}
_BOOLEAN: Mapping[str, Any] = {"type": "boolean"}
_ERROR: Mapping[str, Any] = {"type": "integer"}
_POINTER: Mapping[str, Any] = {"type": "string", "pattern": r"^(/[^/]+)+$"}
_SCALAR: Mapping[str, Any] = {"type": ["string", "integer", "boolean"]}


def _list(items: Mapping[str, Any], empty: bool = False) -> dict[str, Any]:
    return {
        "type": "array",
        "items": items,
        "uniqueItems": True,
        **({} if empty else {"minItems": 1}),
    }


def _table(required: tuple[str, ...], **properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "additionalProperties": False,
        "required": list(required),
        "properties": properties,
    }


def _rows(row: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": row}


_FIELDS = {
    **_table(("fields",), type=_TEXT, update=_TEXT, fields=_list(_TEXT), retired=_BOOLEAN),
    "anyOf": [{"required": ["type"]}, {"required": ["update"]}],
}

_WHEN = {
    **_table(
        (),
        **{"is": _SCALAR},
        is_not=_SCALAR,
        one_of=_list(_SCALAR),
        not_one_of=_list(_SCALAR),
        known=_BOOLEAN,
        starts_with=_TEXT,
        not_starts_with=_TEXT,
        present=_BOOLEAN,
        non_empty={"const": True},
    ),
    "minProperties": 1,
}

_METHOD = _table(
    ("name", "side", "kind", "summary"),
    name=_TEXT,
    side={"enum": list(SIDES)},
    kind={"enum": list(KINDS)},
    summary=_LINE,
    requires=_TEXT,
    error=_ERROR,
    needs=_list({"enum": list(NEEDS)}),
    errors=_list(_ERROR),
    replaced_by=_list(_TEXT, empty=True),
    note=_LINE,
    docs={"type": "string", "pattern": "^/"},
    optional=_BOOLEAN,
    retired=_BOOLEAN,
)

_CHECK = {
    **_table(
        ("at",),
        methods=_list(_TEXT),
        updates=_list(_TEXT),
        of={"enum": ["params", "result"]},
        at=_POINTER,
        when=_WHEN,
        requires=_TEXT,
        rule=_LINE,
        error=_ERROR,
        by={"enum": ["both", "sender", "receiver"]},
        note=_LINE,
        retired=_BOOLEAN,
    ),
    "oneOf": [{"required": ["methods"]}, {"required": ["updates"]}],
    "anyOf": [{"required": ["requires"]}, {"required": ["rule"]}],
}

_UPDATE = _table(
    ("kind", "semantics", "summary"),
    kind=_TEXT,
    semantics={"enum": list(SEMANTICS)},
    identity=_TEXT,
    summary=_LINE,
    requires=_TEXT,
    replaced_by=_list(_TEXT, empty=True),
    retired=_BOOLEAN,
)

_STATE = _table(
    ("name", "summary", "known_by", "default"),
    name={"type": "string", "pattern": "^[a-z][a-z0-9_]*$"},
    summary=_LINE,
    known_by={"enum": ["initialize", "session", "author"]},
    default=_BOOLEAN,
    of_update=_TEXT,
)

_INFORMATIONAL = _table(
    ("capability", "summary"), capability=_TEXT, summary=_LINE, retired=_BOOLEAN
)

_ROOTS = _table(("agent", "client"), agent=_TEXT, client=_TEXT)

FORMAT: Mapping[str, Any] = _table(
    (),
    roots=_ROOTS,
    method=_rows(_METHOD),
    check=_rows(_CHECK),
    update=_rows(_UPDATE),
    state=_rows(_STATE),
    informational=_rows(_INFORMATIONAL),
    patch=_rows(_FIELDS),
    omit_empty=_rows(_FIELDS),
)
"""The JSON Schema of the file."""
