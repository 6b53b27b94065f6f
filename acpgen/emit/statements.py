"""One module's text, taken apart by name and put in an order that runs.

A class needs its bases and what its body evaluates (default factories) before it; an alias needs
everything that it names. Annotations need nothing, but pydantic resolves them at once where it can,
so what they name goes first unless that closes a circle.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Statement:
    """The definition of one name, with its docstring. hard: names that it needs when it runs; soft:
    those it mentions.
    """

    name: str
    text: str
    hard: frozenset[str]
    soft: frozenset[str]
    is_class: bool

    @property
    def names(self) -> frozenset[str]:
        return self.hard | self.soft


def statements(text: str) -> dict[str, Statement]:
    """The definitions of a module by name; imports and calls are left out."""
    lines = text.split("\n")
    found: dict[str, Statement] = {}
    body = ast.parse(text).body
    for index, node in enumerate(body):
        if isinstance(node, ast.ClassDef):
            hard = frozenset(_class_hard(node))
            found[node.name] = Statement(
                node.name,
                _segment(lines, node, node),
                hard,
                _mentioned(node) - hard - {node.name},
                True,
            )
        elif (
            isinstance(node, ast.AnnAssign)
            and isinstance(node.target, ast.Name)
            and node.value is not None
        ):
            name = node.target.id
            following = body[index + 1] if index + 1 < len(body) else node
            last = following if _is_docstring(following) else node
            alias = (
                _unquoted(lines, node)
                + _segment(lines, node, last)[len(_segment(lines, node, node)) :]
            )
            found[name] = Statement(
                name, alias, _mentioned(node.value) - {name}, frozenset({"TypeAlias"}), False
            )
    return found


def without_imports(text: str) -> str:
    """A module's text below its imports."""
    last = max(
        (
            node.end_lineno or 0
            for node in ast.parse(text).body
            if isinstance(node, (ast.Import, ast.ImportFrom))
        ),
        default=0,
    )
    return "\n".join(text.split("\n")[last:])


def _segment(lines: list[str], first: ast.stmt, last: ast.stmt) -> str:
    assert last.end_lineno is not None
    return "\n".join(lines[first.lineno - 1 : last.end_lineno])


def _is_docstring(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _mentioned(node: ast.AST) -> frozenset[str]:
    names = {item.id for item in ast.walk(node) if isinstance(item, ast.Name)}
    return frozenset(names | {str(item.value) for item in _quoted(node)})


def _class_hard(node: ast.ClassDef) -> Iterator[str]:
    for base in node.bases:
        yield from _mentioned(base)
    for item in node.body:
        if isinstance(item, (ast.Assign, ast.AnnAssign)) and item.value is not None:
            inner = {lambda_ for lambda_ in ast.walk(item.value) if isinstance(lambda_, ast.Lambda)}
            late = {name for lambda_ in inner for name in _mentioned(lambda_)}
            yield from _mentioned(item.value) - late


def _quoted(node: ast.AST) -> Iterator[ast.Constant]:
    """Names that stand in quotes inside a hint: subscripts other than Literal's, and unions."""
    if isinstance(node, ast.Subscript):
        if isinstance(node.value, ast.Name) and node.value.id == "Literal":
            return
        yield from _quoted_here(node.slice)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        for side in (node.left, node.right):
            yield from _quoted_here(side)
    elif isinstance(node, (ast.Call, ast.Constant, ast.Dict)):
        return
    else:
        for child in ast.iter_child_nodes(node):
            yield from _quoted(child)


def _quoted_here(node: ast.expr) -> Iterator[ast.Constant]:
    if isinstance(node, ast.Tuple):
        for item in node.elts:
            yield from _quoted_here(item)
    elif isinstance(node, ast.Constant):
        if isinstance(node.value, str) and node.value.isidentifier():
            yield node
    else:
        yield from _quoted(node)


def _unquoted(lines: list[str], node: ast.AnnAssign) -> str:
    """The text of an alias without quotes around names: what it names stands before it."""
    assert node.end_lineno is not None
    own = lines[node.lineno - 1 : node.end_lineno]
    assert node.value is not None
    for item in sorted(_quoted(node.value), key=lambda item: (item.lineno, -item.col_offset)):
        row = item.lineno - node.lineno
        data = own[row].encode("utf-8")
        own[row] = (
            data[: item.col_offset] + str(item.value).encode() + data[item.end_col_offset :]
        ).decode("utf-8")
    return "\n".join(own)


def ordered(items: Mapping[str, Statement]) -> list[Statement]:
    """The statements in an order that runs, close to the one given. Raises ValueError where hard
    needs form a circle.
    """
    done: dict[str, Statement] = {}
    for name in items:
        _place(name, items, done, ())
    return list(done.values())


def _place(
    name: str, items: Mapping[str, Statement], done: dict[str, Statement], above: tuple[str, ...]
) -> bool:
    """Place a statement after what it needs. False where that is not possible from here: a circle
    through `above`.
    """
    if name in done or name not in items:
        return True
    if name in above:
        return False
    item = items[name]
    inside = (*above, name)
    for need in sorted(item.hard):
        if not _place(need, items, done, inside):
            if above:
                return False
            raise ValueError(f"{name} and {need} need each other")
    for need in sorted(item.soft):
        _place(need, items, done, inside)
    done.setdefault(name, item)
    return True


def closure(items: Mapping[str, Statement], roots: Iterable[str]) -> set[str]:
    """The names that the roots lead to, themselves included."""
    found: set[str] = set()
    todo = [name for name in roots if name in items]
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo.extend(need for need in items[name].names if need in items)
    return found
