"""What the templates of agent.py, client.py and updates.py get: stubs for all methods."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from acpgen.emit.docstrings import fill
from acpgen.runtime.agent_base import AgentBase
from acpgen.runtime.client_base import ClientBase
from acpgen.runtime.peer import Peer
from acpgen.runtime.table import Row, Side, Update
from acpgen.spec.ir import Record, RefType, Spec, Union
from acpgen.spec.names import method_names

INITIALIZE = "initialize"
_INSTANCE = {"connection", "calls", "send_update", "initialize_request", "initialize_response"}
_TAKEN = {*dir(AgentBase), *dir(ClientBase), *dir(Peer), *_INSTANCE}
_IN_A_METHOD = 8


@dataclass(frozen=True, slots=True)
class Stub:
    """One method as the templates write it.

    name: in Python. params, result: types, as they stand in an annotation. doc: docstring of the
    handler; call_doc: of the call. ends: an unknown session counts as success.
    """

    name: str
    wire: str
    kind: str
    params: str
    result: str
    doc: str
    call_doc: str
    ends: bool = False


@dataclass(frozen=True, slots=True)
class Hook:
    """One kind of session/update. name: of its hook. type: of the update."""

    name: str
    kind: str
    type: str
    doc: str


def context(spec: Spec) -> dict[str, object]:
    """`agent`, `client`: the stubs that each side implements; `agent_types`, `client_types`: the
    models that they name; `declares`: per side, attribute -> model of what an author declares, and
    `wire`, the property of `initialize` that holds the program's name; `declared_types`: those
    models; `initialize`: its stub or
    None; `hooks`, `hook_types`: the kinds of update and their models; `update`: the stub of
    session/update or None, `update_type` its union, `unknown_type` that union's
    catch-all, `tag` its discriminator in Python.
    """
    agent, client = _stubs(spec, "agent"), _stubs(spec, "client")
    hooks, union = _hooks(spec), _update_union(spec)
    first = [stub for stub in agent if stub.wire == INITIALIZE]
    types = first[0] if first else None
    initialize = {types.params, types.result} if types else set()
    update = next((stub for stub in client if stub.wire == spec.table.update_method), None)
    declares = {
        "agent": _declared(spec, types.result if types else ""),
        "client": _declared(spec, types.params if types else ""),
    }
    return {
        "agent": agent,
        "client": client,
        "agent_types": _models([*_named(agent), *initialize]),
        "client_types": _models([*_named(client), *initialize]),
        "declares": declares,
        "declared_types": {
            side: [value for key, value in found.items() if value and key != "wire"]
            for side, found in declares.items()
        },
        "initialize": types,
        "hooks": hooks,
        "hook_types": _models(hook.type for hook in hooks),
        "update": update if hooks else None,
        "update_type": str(union.name) if union is not None else "Any",
        "unknown_type": str(union.catch_all) if union is not None and union.catch_all else "Any",
        "tag": str(union.tag_name) if union is not None and union.tag_name else "",
    }


def _stubs(spec: Spec, side: Side) -> list[Stub]:
    rows = [row for row in spec.table.rows if row.side == side]
    names = method_names(((row.method, row.kind) for row in rows), _TAKEN)
    found = [_stub(row, names[row.method, row.kind]) for row in rows]
    return sorted(found, key=lambda stub: (stub.wire != INITIALIZE, stub.name))


def _stub(row: Row, name: str) -> Stub:
    ends = row.side == "agent" and row.method in ("session/close", "session/delete")
    about = [f"{row.kind.capitalize()} `{row.method}`. {row.summary}".strip()]
    if row.requires:
        about.append(f"Needs `{row.requires}`.")
    if row.docs:
        about.append(f"Specification: {row.docs}")
    call = about[:]
    if ends:
        call.insert(1, "A session that the agent does not know counts as success.")
    default = "Answered with -32601" if row.kind == "request" else "Ignored"
    return Stub(
        name=name,
        wire=row.method,
        kind=row.kind,
        params=row.params or "Any",
        result=(row.result or "Any") if row.kind == "request" else "None",
        doc=_doc([about[0], f"{default} unless overridden.", *about[1:]]),
        call_doc=_doc(call),
        ends=ends,
    )


def _doc(lines: Sequence[str]) -> str:
    """The first line, a blank one, the rest."""
    rest = "\n".join(lines[1:])
    return fill("\n\n".join(part for part in (lines[0], rest) if part), _IN_A_METHOD)


def _hooks(spec: Spec) -> list[Hook]:
    names = method_names((item.kind, "notification") for item in spec.table.updates)
    return [
        _hook(item, f"on_{names[item.kind, 'notification']}")
        for item in spec.table.updates
        if item.type is not None
    ]


def _hook(item: Update, name: str) -> Hook:
    if name == "on_unknown":
        name += "_"
    lines = [f"`{item.kind}`: {item.summary}" if item.summary else f"`{item.kind}`."]
    if item.semantics:
        of = f" of what `{item.identity}` names" if item.identity else ""
        lines.append(f"Semantics: {item.semantics}{of}.")
    if item.requires:
        lines.append(f"Sent only with `{item.requires}`.")
    return Hook(name, item.kind, str(item.type), _doc(lines))


def _update_union(spec: Spec) -> Union | None:
    """The union of all kinds of update: the type of the last step of `update_at`."""
    row = next((row for row in spec.table.rows if row.method == spec.table.update_method), None)
    found = spec.definitions.get(row.params) if row and row.params else None  # type: ignore[call-overload]
    for wire in spec.table.update_at:
        if not isinstance(found, Record):
            return None
        field = next((item for item in spec.fields(found) if item.wire == wire), None)
        kind = field.type if field is not None else None
        found = spec.definitions.get(kind.name) if isinstance(kind, RefType) else None
    return found if isinstance(found, Union) else None


def _declared(spec: Spec, message: str) -> dict[str, str]:
    """What an author declares of an `initialize` message; see `context`."""
    record = spec.definitions.get(message)  # type: ignore[call-overload]
    found: dict[str, str] = dict.fromkeys(("info", "wire", "capabilities", "auth_methods"), "")
    if not isinstance(record, Record):
        return found
    for item in spec.fields(record):
        if not isinstance(item.type, RefType):
            continue
        if item.wire in ("info", "agentInfo", "clientInfo"):
            found |= {"info": str(item.type.name), "wire": item.wire}
        elif item.wire in spec.table.roots.values():
            found["capabilities"] = str(item.type.name)
    for item in spec.fields(record):
        if item.wire == "authMethods":
            inner = getattr(item.type, "items", None)
            found["auth_methods"] = str(inner.name) if isinstance(inner, RefType) else "Any"
    return found


def _named(stubs: Iterable[Stub]) -> Iterable[str]:
    for stub in stubs:
        yield from (stub.params, stub.result)


def _models(names: Iterable[str]) -> list[str]:
    return sorted(set(names) - {"Any", "None", ""})
