"""A small protocol in two versions and what changed between them, written by hand: every section, severity and peer,
and names that would do harm where they are not escaped.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from acpgen.diff.change import Area, Change, Spot
from acpgen.diff.finding import Diff, Finding, Note, Severity, with_fingerprints
from acpgen.spec.ir import Spec
from acpgen.spec.metadata import parse
from acpgen.spec.tabulate import table_of
from tests.unit.spec.outline import spec_of

STRING = {"type": "string"}
HOSTILE = 'x</script><img src=q onerror="boom()">`|\n\u202eevil'
_EMPTY = '[[method]]\nname = "{}"\nside = "{}"\nkind = "{}"\nsummary = "One."\n'


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/$defs/{name}"}


def _method(wire: str, side: str, **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "x-method": wire, "x-side": side}


def _update(tags: str) -> dict[str, Any]:
    variants = [
        {
            "type": "object",
            "properties": {"kind": {"const": tag, **STRING}},
            "required": ["kind"],
        }
        for tag in tags.split()
    ]
    return {"oneOf": variants, "discriminator": {"propertyName": "kind"}}


OLD: dict[str, Any] = {
    "InitializeRequest": _method("initialize", "agent"),
    "InitializeResponse": _method("initialize", "agent"),
    "EnterRequest": _method("enter", "agent", who=STRING, at=_ref("Place")),
    "EnterResponse": _method("enter", "agent"),
    "LoadRequest": _method("load", "agent"),
    "LoadResponse": _method("load", "agent"),
    "RestRequest": _method("rest", "agent", at=_ref("Place")),
    "RestResponse": _method("rest", "agent"),
    "Place": {"type": "object", "properties": {"x": {"type": "integer"}}},
    "UpdateNotification": _method("session/update", "client", update=_ref("Update")),
    "Update": _update("one two"),
}
NEW: dict[str, Any] = {
    **{key: OLD[key] for key in OLD if not key.startswith(("Enter", "Load", "Rest"))},
    "LoginRequest": _method("login", "agent", name=STRING, at=_ref("Place")),
    "LoginResponse": _method("login", "agent"),
    "RestRequest": _method("rest", "agent", at=_ref("Place")),
    "RestResponse": _method("rest", "agent"),
    "AskRequest": _method("ask", "client"),
    "AskResponse": _method("ask", "client"),
    "Place": {"type": "object", "properties": {"x": {"type": "number"}}},
    "Update": _update("one three"),
}
OLD_ROWS = [("enter", "agent", "request"), ("load", "agent", "request")]
NEW_ROWS = [("login", "agent", "request"), ("ask", "client", "request")]
BOTH_ROWS = [
    ("initialize", "agent", "request"),
    ("rest", "agent", "request"),
    ("session/update", "client", "notification"),
]
KINDS = ("one", "two", "three")


def specs() -> tuple[Spec, Spec]:
    """The old version and the new one."""
    return _spec(OLD, OLD_ROWS, 1), _spec(NEW, NEW_ROWS, 2)


def _spec(defs: dict[str, Any], rows: list[tuple[str, str, str]], version: int) -> Spec:
    text = "".join(_EMPTY.format(*row) for row in (*BOTH_ROWS, *rows))
    text += "".join(
        f'[[update]]\nkind = "{kind}"\nsummary = "One."\nsemantics = "append"\n' for kind in KINDS
    )
    metadata = parse(text, "methods.toml")
    spec = replace(spec_of(defs, metadata), version=version)
    return replace(spec, table=table_of(spec, metadata))


def there(pointer: str, name: str, shape: Any = None) -> Spot:
    return Spot(pointer, True, name, {} if shape is None else shape)


def nowhere(pointer: str = "") -> Spot:
    return Spot(pointer, False)


def finding(
    area: Area,
    action: str,
    subject: str,
    severity: Severity = "breaking",
    *,
    old: Spot | None = None,
    new: Spot | None = None,
    agent: str = "",
    client: str = "",
    text: str = "",
    uses: tuple[str, ...] = (),
    evidence: str = "",
    waived: str = "",
    **detail: Any,
) -> Finding:
    """A finding that concerns the peers that it has a sentence for, as severe for each as it is."""
    old = old or there(f"/$defs/{subject}", subject)
    new = new or there(f"/$defs/{subject}", subject)
    change = Change(area, action, subject, old, new, frozenset(), evidence, uses, detail)
    levels: dict[Any, Severity] = {
        peer: severity for peer, sentence in (("agent", agent), ("client", client)) if sentence
    }
    return Finding(
        change,
        f"{area}-{action}",
        severity,
        text or f"`{subject}` is other",
        agent,
        client,
        frozenset(levels if severity == "breaking" else ()),
        waived=waived,
        levels=levels,
    )


def findings() -> tuple[Finding, ...]:
    """One or more for every section."""
    wide = {"anyOf": [{"type": "integer"}, {"type": "null"}], "description": "x" * 60}
    found = [
        finding(
            "method",
            "renamed",
            "enter",
            old=there("/$defs/EnterRequest", "enter"),
            new=there("/$defs/LoginRequest", "login"),
            agent="Serve `login`.",
            client="Call `login`.",
            evidence="replaced_by of methods.toml",
        ),
        finding(
            "method",
            "removed",
            "load",
            new=nowhere(),
            client="Do not call it.",
            replaced_by=["rest"],
        ),
        finding(
            "method", "added", "ask", "compatible", old=nowhere(), client="You may implement it."
        ),
        finding("gate", "added", "rest", agent="Advertise it.", client="Look first."),
        finding("gate", "changed", "one", "risky", agent="Look first."),
        finding("capability", "moved", "agent: go", agent="Advertise `go.fast`."),
        finding("update", "semantics", "two", client="Replace it."),
        finding("variant", "removed", "Update:two", agent="Do not send it.", client="-"),
        finding("type", "removed", "EnterRequest", "compatible", new=nowhere("/$defs")),
        finding(
            "field",
            "renamed",
            "EnterRequest.who",
            old=there("/$defs/EnterRequest/properties/who", "EnterRequest.who"),
            new=there("/$defs/LoginRequest/properties/name", "LoginRequest.name"),
            client="Write `name`.",
            uses=("enter", "login"),
        ),
        finding(
            "field",
            "type",
            "Place.x",
            "risky",
            old=there("/$defs/Place/properties/x", "Place.x", {**wide, "title": "one"}),
            new=there("/$defs/Place/properties/x", "Place.x", {**wide, "title": "two"}),
            agent="Read a number.",
            uses=("enter", "rest"),
        ),
        finding("value", "added", "Mood:calm", "compatible", client="Be ready for it."),
        finding("error", "added", "-32001", "compatible", client="Be ready for it."),
        finding("type", "closed", "Waived", agent="No more.", waived="nobody sends it"),
        finding(
            "field",
            "type",
            f"{HOSTILE}.y",
            "risky",
            old=there(f"/$defs/{HOSTILE}", HOSTILE, {HOSTILE: HOSTILE}),
            agent=f"Mind {HOSTILE}, and `{HOSTILE}`.",
            uses=(HOSTILE,),
            evidence=HOSTILE,
        ),
    ]
    return with_fingerprints(found)


def sample() -> Diff:
    note = Note(
        "end of a turn",
        "the answer of `rest`",
        "an update says so",
        agent="Send the update.",
        about=("rest",),
    )
    hostile = Note(HOSTILE, HOSTILE, HOSTILE, agent=HOSTILE, client=HOSTILE, about=(HOSTILE,))
    return Diff("v1", "v2", findings(), ("`three` is skipped",), (note, hostile))
