# Part of acpgen's runtime, copied as it is. Do not edit.
"""Where in the wire value an error of pydantic-core is.

An error's `loc` mixes keys with labels of union branches, and strings alone do not tell which is
which. Walking the core schema does: a union consumes a label, a tagged union its tag, a model the
alias of a field, a list an index, and wrappers nothing. On the way, each choice says which of its
branches the value was meant for; errors of the others are noise.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .core import AMBIGUOUS, BRANCHES, MATCHED, TAG
from .shapes import is_array, is_object, is_pair

Step = int | str

# The schema of a place that the schema says nothing about.
NOWHERE: dict[str, Any] = {}


@dataclass(frozen=True)
class Found:
    """An error's place: the steps into the wire value, and whether the value was meant for the
    branch that complains.
    """

    path: tuple[Step, ...]
    meant: bool
    kind: str
    message: str
    context: Mapping[str, Any]


def escape(key: str) -> str:
    """A key as one step of a JSON pointer (RFC 6901)."""
    return key.replace("~", "~0").replace("/", "~1")


def locate(
    schema: Any,
    loc: Sequence[Step],
    kind: str,
    value: Any,
    context: Mapping[str, Any],
    message: str,
) -> Found:
    """Find the place of one error in a value that was read by this core schema."""
    walk = _Walk(schema, loc, value, kind)
    walk.run()
    walk.meant = walk.meant and kind != MATCHED
    if kind == "union_tag_not_found":
        kind = "missing"
    return Found(tuple(walk.path), walk.meant, kind, message, context)


class _Walk:
    def __init__(self, schema: Any, loc: Sequence[Step], value: Any, kind: str) -> None:
        self.kind = kind
        self.schema: Any = schema
        self.rest = list(loc)
        self.value: Any = value
        self.path: list[Step] = []
        self.meant = True
        self.definitions: dict[str, Any] = {}

    def run(self) -> None:
        while True:
            self.schema = self._unwrap(self.schema)
            if self.schema.get("type") == "tagged-union" and not self.rest:
                # The tag itself is wrong or missing.
                if self.kind in ("union_tag_invalid", "union_tag_not_found"):
                    self.path.append(self.schema["metadata"][TAG])
                return
            if not self.rest:
                return
            self._step(self.rest.pop(0))

    def _unwrap(self, schema: Any) -> Any:
        """Through everything that consumes no part of `loc`."""
        while True:
            kind = schema.get("type")
            if kind == "definitions":
                self.definitions.update((item["ref"], item) for item in schema["definitions"])
                schema = schema["schema"]
            elif kind == "definition-ref":
                schema = self.definitions[schema["schema_ref"]]
            elif kind in ("tagged-union", "union", "list", "dict", "model-fields"):
                return schema
            elif is_object(schema.get("schema")):
                schema = schema["schema"]
            else:
                return schema

    def _step(self, step: Step) -> None:
        kind = self.schema.get("type")
        if kind == "union":
            self._branch(str(step))
        elif kind == "tagged-union":
            choices: Mapping[Any, Any] = self.schema["choices"]
            chosen = [item for tag, item in choices.items() if str(tag) == str(step)]
            self.schema = chosen[0] if chosen else NOWHERE
        elif kind == "model-fields":
            fields: Iterable[tuple[str, Any]] = self.schema["fields"].items()
            found = [
                item for name, item in fields if step in (item.get("validation_alias", name), name)
            ]
            exact = [item for item in found if item.get("validation_alias") == step]
            self._enter(step, (exact or found or [NOWHERE])[0])
        elif kind == "list":
            self._enter(step, self.schema.get("items_schema", NOWHERE))
        elif kind == "dict":
            self._enter(step, self.schema.get("values_schema", NOWHERE))
            if self.rest == ["[key]"]:
                self.rest.clear()
        else:
            self._enter(step, NOWHERE)

    def _enter(self, step: Step, schema: Any) -> None:
        self.path.append(step)
        self.schema = schema
        value = self.value
        if is_object(value):
            self.value = value.get(str(step))
        elif is_array(value) and isinstance(step, int) and 0 <= step < len(value):
            self.value = value[step]
        else:
            self.value = None

    def _branch(self, label: str) -> None:
        choices: dict[str, Any] = {}
        for index, item in enumerate(self.schema["choices"]):
            labelled: tuple[Any, Any] = item if is_pair(item) else (item, index)
            choices[str(labelled[1])] = labelled[0]
        metadata: dict[str, Any] = self.schema.get("metadata") or {}
        choose = metadata.get(BRANCHES)
        if choose is not None:
            wanted = choose(self.value)
            if wanted is None:
                wanted = self._nearest(choices)
            if label != wanted and self.kind != AMBIGUOUS:
                self.meant = False
        self.schema = choices.get(label, NOWHERE)

    def _nearest(self, choices: Mapping[str, Any]) -> str:
        """The branch of an untagged choice that the value looks most like."""
        return max(choices, key=lambda label: self._likeness(choices[label]))

    def _likeness(self, schema: Any) -> tuple[int, int]:
        """Whether the JSON type is right, and how many required keys are there; a missing one
        counts against it.
        """
        inner = self._unwrap(schema)
        value = self.value
        kind = inner.get("type")
        if kind == "model-fields":
            if not is_object(value):
                return (0, 0)
            required = [
                item.get("validation_alias", name)
                for name, item in inner["fields"].items()
                if item["schema"].get("type") != "default"
            ]
            missing = sum(key not in value for key in required)
            return (2 if not missing else 1, len(required) - 2 * missing)
        if kind == "list" and is_array(value):
            element = inner.get("items_schema")
            if element is None or not value:
                return (1, 0)
            item = _Walk(element, (), value[0], self.kind)
            item.definitions = self.definitions
            return (1, item._likeness(element)[0])
        if kind in ("union", "tagged-union"):
            return (1, 0) if is_object(value) else (0, 0)
        return (1 if isinstance(value, _PYTHON.get(str(kind), ())) else 0, 0)


_PYTHON: dict[str, tuple[type, ...]] = {
    "str": (str,),
    "literal": (str, int),
    "int": (int,),
    "float": (int, float),
    "bool": (bool,),
    "dict": (dict,),
    "any": (object,),
}
