"""Who writes what a change is about, by x-side and `$ref` alone.

A message is written by who sends or answers it, and so is every definition that it refers to at any depth. What the
envelopes of the runtime hold beside messages (ids, errors) is written by both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

from tests.oracle.diff_raw import Raw, steps

if TYPE_CHECKING:
    from tests.oracle.diff_check import Claim

BOTH = frozenset(("agent", "client"))
ENVELOPE = "x-docs-ignore"
SENDERS = {"agent": frozenset(("client",)), "client": frozenset(("agent",))}
ANSWERERS = {"agent": frozenset(("agent",)), "client": frozenset(("client",))}


def refs(schema: Any) -> Iterator[str]:
    """The definitions that a schema names, at any depth."""
    if isinstance(schema, dict):
        if isinstance(schema.get("$ref"), str):
            yield schema["$ref"].rpartition("/")[2]
        for inner in schema.values():
            yield from refs(inner)
    elif isinstance(schema, list):
        for inner in schema:
            yield from refs(inner)


def reached(raw: Raw, keys: Iterable[str]) -> set[str]:
    """Those definitions and all that they refer to."""
    found: set[str] = set()
    waiting = list(keys)
    while waiting:
        key = waiting.pop()
        if key not in found and key in raw.defs:
            found.add(key)
            waiting += refs(raw.defs[key])
    return found


@cache
def writers_of(raw: Raw) -> dict[str, frozenset[str]]:
    """`$defs` key -> who writes it. What proxies carry counts only where no other message holds it."""
    ours: dict[str, frozenset[str]] = {}
    carried: dict[str, frozenset[str]] = {}
    messages = set()
    for (_, side, _), ends in raw.methods.items():
        into = carried if side == "proxy" else ours
        for part, who in (("params", SENDERS), ("result", ANSWERERS)):
            root = ends[part]
            messages.add(root)
            for key in reached(raw, [root] if root else []):
                into[key] = into.get(key, frozenset()) | who.get(side, BOTH)
    envelopes = {
        key for key, item in raw.defs.items() if isinstance(item, dict) and item.get(ENVELOPE)
    }
    inside = {name for key in envelopes for name in refs(raw.defs[key])} - envelopes - messages
    for key in reached(raw, inside):
        ours[key] = BOTH
    for key in envelopes:  # a response is written by who answers what it holds
        held = set(refs(raw.defs[key]))
        for (_, side, _), ends in raw.methods.items():
            if ends["result"] in held and side != "proxy":
                ours[key] = ours.get(key, frozenset()) | ANSWERERS.get(side, BOTH)
    return {**carried, **ours}


def expected(claim: Claim) -> frozenset[str]:
    """Who writes what the change is about, on either side."""
    change, detail = claim.change, claim.detail
    if change.area == "capability":
        return frozenset((detail["side"],))
    if change.area == "error":
        return _of_error(claim)
    if change.area == "update":
        return SENDERS["client"]
    if change.area in ("gate", "method"):
        return _of_message(claim)
    found: frozenset[str] = frozenset()
    for writers, (_, spot) in zip(claim.context.writers, claim.pairs(), strict=True):
        keys = steps(spot.pointer)
        if len(keys) > 1 and keys[0] == "$defs":
            found |= writers.get(keys[1], frozenset())
    return found


def _of_error(claim: Claim) -> frozenset[str]:
    """Who answers the methods that are known to answer the code; of one that none names, both."""
    raw, _ = claim.pairs()[claim.change.action == "added"]
    sides = {
        row["side"] for row in raw.rows("method") if claim.detail["value"] in row.get("errors", ())
    }
    return frozenset().union(*(ANSWERERS.get(side, BOTH) for side in sides)) if sides else BOTH


def _of_message(claim: Claim) -> frozenset[str]:
    change, detail = claim.change, claim.detail
    if "side" not in detail:
        return SENDERS["client"]  # a kind of session/update
    answer = change.kind in ("method.result", "method.errors") or detail.get("of") == "result"
    who = ANSWERERS if answer else SENDERS
    both = [detail["was"], detail["now"]] if change.kind == "method.moved" else [detail["side"]]
    return frozenset().union(*(who.get(side, BOTH) for side in both))


def check_writers(claim: Claim) -> Iterator[str]:
    """What a change says of its writers is so."""
    wanted = expected(claim)
    if frozenset(claim.change.writers) != wanted:
        yield f"written by {sorted(wanted)}, not by {sorted(claim.change.writers)}"
