# Part of acpgen's runtime, copied as it is. Do not edit.
"""The method table of one surface: frozen rows, filled in by the generated `methods.py`.

Types are named, not imported: a row's params and result become classes when they are first asked
for, so that importing a table loads no model.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, Literal, NamedTuple, TypeAlias

Side: TypeAlias = Literal["agent", "client", "proxy", "protocol"]
Kind: TypeAlias = Literal["request", "notification"]
Key: TypeAlias = tuple[str, Side, Kind]
By: TypeAlias = Literal["both", "sender", "receiver"]
When: TypeAlias = tuple[tuple[str, Any], ...]

METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602


class Check(NamedTuple):
    """What one place in a message needs.

    at: JSON pointer to the place; `*` stands for every item of an array. A place that is absent is
      not checked, unless `when` asks for absence.
    when: conditions on the value there, all of which must hold: (`is`, v), (`is_not`, v),
      (`one_of`, [v]), (`not_one_of`, [v]), (`starts_with`, s), (`not_starts_with`, s),
      (`present`, true or false; null counts as absent), (`non_empty`, true).
    requires: a gate expression (see `expressions`), or "". rule: a rule about the value itself, by
      name (see `checks.RULES`), or "".
    error: code of the answer to a request that violates it. by: who checks it; `sender` alone means
      that receivers are lenient. note: why, in our words.
    """

    at: str
    when: When = ()
    requires: str = ""
    rule: str = ""
    error: int = INVALID_PARAMS
    by: By = "both"
    note: str = ""


class Row(NamedTuple):
    """One method, as one side receives it in one kind of message.

    method: its name on the wire. side: who receives it. params, result: names of models of the
      surface, None where the protocol has none.
    summary: one line. requires: the gate, an expression over the `initialize` messages; "" is
      baseline. error: code of the answer where the gate does not hold.
    checks, result_checks: what places in params and result need. needs: the state that a call
      presupposes (`initialized`, `session`, ...), in the order that it is asked for.
    errors: codes that the method is known to answer beside the general ones.
    replaced_by: methods that do the same in the other version: None is the same name, empty is
      nothing. note: how they do it, or what to do instead.
    optional: advertising the gate does not oblige its receiver to implement it.
    docs: path of the specification page, or "". stability: `stable`, `unstable`, or the name of the
      proposal that brings it.
    """

    method: str
    side: Side
    kind: Kind
    params: str | None = None
    result: str | None = None
    summary: str = ""
    requires: str = ""
    error: int = METHOD_NOT_FOUND
    checks: tuple[Check, ...] = ()
    result_checks: tuple[Check, ...] = ()
    needs: tuple[str, ...] = ()
    errors: tuple[int, ...] = ()
    replaced_by: tuple[str, ...] | None = None
    note: str = ""
    optional: bool = False
    docs: str = ""
    stability: str = "stable"

    @property
    def key(self) -> Key:
        return self.method, self.side, self.kind

    @property
    def sender(self) -> Literal["agent", "client", "either"]:
        """Who sends it: the peer of the side that receives it."""
        return "client" if self.side == "agent" else "agent" if self.side == "client" else "either"

    def __str__(self) -> str:
        return f"{self.method} ({self.kind} to the {self.side})"


class Elsewhere(NamedTuple):
    """A request that this surface lacks: one of another version, release or channel.

    side: who would receive it. defined_by: the protocol versions that have it, in some schema;
      empty: none has it any more. replaced_by: what does the same here, among the methods that this
      side receives. hint: what to do, or why it is lacking; "" where replaced_by says it all.
    """

    method: str
    side: Side
    defined_by: tuple[int, ...] = ()
    replaced_by: tuple[str, ...] = ()
    hint: str = ""


class Update(NamedTuple):
    """One kind of session/update.

    kind: the tag's value. type: name of the variant's model. semantics: append, append_bytes,
      create, event, patch, remove, replace, replace_by_id, set, snapshot or upsert.
    identity: wire name of the field that says which entity is meant; "" is the session itself.
    requires, checks: as in Row; the pointers of checks lead into the variant.
    """

    kind: str
    type: str | None = None
    semantics: str = ""
    identity: str = ""
    summary: str = ""
    requires: str = ""
    checks: tuple[Check, ...] = ()
    replaced_by: tuple[str, ...] | None = None
    stability: str = "stable"


class State(NamedTuple):
    """A fact that gates ask for and no capability states.

    name: as in `state: name`. summary: what is true when it holds. known_by: `initialize` (the
    messages tell), `session` (what was said about the session tells) or `author` (only the author
    of a peer can know). default: what counts where nobody says.
    """

    name: str
    summary: str = ""
    known_by: Literal["initialize", "session", "author"] = "author"
    default: bool = True


class Table:
    """Every row of one surface, by (method, side, kind).

    models: the module that has the types. update_method: the row whose params hold an update;
    update_at: wire names that lead to it; update_tag: wire name of its discriminator.
    elsewhere: requests that this surface lacks and others have.
    """

    __slots__ = (
        "_types",
        "by_method",
        "channel",
        "elsewhere",
        "models",
        "rows",
        "states",
        "update_at",
        "update_method",
        "update_tag",
        "updates",
        "version",
    )

    def __init__(
        self,
        *,
        version: int,
        channel: Literal["stable", "unstable"],
        models: str,
        rows: tuple[Row, ...],
        updates: tuple[Update, ...] = (),
        states: tuple[State, ...] = (),
        elsewhere: tuple[Elsewhere, ...] = (),
        update_method: str = "session/update",
        update_at: tuple[str, ...] = ("update",),
        update_tag: str = "sessionUpdate",
    ) -> None:
        self.version = version
        self.channel = channel
        self.models = models
        self.rows: Mapping[Key, Row] = {row.key: row for row in rows}
        self.updates: Mapping[str, Update] = {item.kind: item for item in updates}
        self.states: Mapping[str, State] = {item.name: item for item in states}
        self.elsewhere = elsewhere
        self.update_method = update_method
        self.update_at = update_at
        self.update_tag = update_tag
        self._types: dict[str, Any] = {}

    def __getitem__(self, key: Key) -> Row:
        return self.rows[key]

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows.values())

    def __len__(self) -> int:
        return len(self.rows)

    def get(self, method: str, side: Side, kind: Kind) -> Row | None:
        """The row, or None. A method that both sides receive is found under `protocol` too."""
        found = self.rows.get((method, side, kind))
        return found if found is not None else self.rows.get((method, "protocol", kind))

    def missing(self, method: str, side: Side) -> Elsewhere | None:
        """What is known of a request that this surface lacks; None where no other has it either."""
        return next(
            (item for item in self.elsewhere if item.method == method and item.side == side), None
        )

    def received_by(self, side: Side) -> Iterator[Row]:
        """The rows that a side implements, in the schema's order, without those of the protocol."""
        return (row for row in self.rows.values() if row.side == side)

    def type_of(self, name: str | None) -> Any:
        """The class or alias of that name; None for None."""
        if name is None:
            return None
        found = self._types.get(name)
        if found is None:
            found = self._types[name] = getattr(import_module(self.models), name)
        return found

    def params_type(self, row: Row) -> Any:
        return self.type_of(row.params)

    def result_type(self, row: Row) -> Any:
        return self.type_of(row.result)
