"""Text of a diff for Markdown and HTML: names from schemas, quoted; shapes, side by side with what differs marked."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup, escape

from acpgen.diff.reporting import jsonlines
from acpgen.diff.reporting.view import RowView
from acpgen.emit.visible import visible
from acpgen.spec.ir import Json

_QUOTED = re.compile(r"(`+)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_TILDES = re.compile(r"~{3,}")
_SPECIAL = re.compile(r"[\\*\[\]<>&|~`]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")
_ENTITIES = {"<": "&lt;", ">": "&gt;", "&": "&amp;"}
_WIDTH = 60  # of a shape; two stand side by side
_COMPARED = 400  # lines; longer shapes are shown without marks


class Line(NamedTuple):
    """A line of a shape. changed: the other side has no such line."""

    changed: bool
    text: str


class Shapes(NamedTuple):
    """The two sides of a row; a side where nothing stands has no line."""

    old: list[Line]
    new: list[Line]


def code(text: str) -> Markup:
    """HTML of a sentence in which backticks quote names."""
    parts = []
    at = 0
    for match in _QUOTED.finditer(text):
        parts += [
            escape(visible(text[at : match.start()])),
            Markup("<code>{}</code>").format(visible(match[2])),
        ]
        at = match.end()
    return Markup("").join([*parts, escape(visible(text[at:]))])


def markdown(text: str) -> str:
    """Markdown of a sentence in which backticks quote names; everything else is plain text, in one line."""
    parts = []
    at = 0
    for match in _QUOTED.finditer(text):
        parts += [_plain(text[at : match.start()]), markdown_code(match[2])]
        at = match.end()
    return "".join([*parts, _plain(text[at:])])


def _plain(text: str) -> str:
    return _SPECIAL.sub(lambda match: _ENTITIES.get(match[0], "\\" + match[0]), visible(text))


def markdown_code(text: str) -> str:
    """A name as a code span, fit for a cell of a table. "" stays empty."""
    if not text:
        return ""
    shown = visible(text).replace("|", "\\|")
    ticks = "`" * (max((len(run) for run in re.findall(r"`+", shown)), default=0) + 1)
    space = " " if shown.startswith("`") or shown.endswith("`") or not shown.strip() else ""
    return f"{ticks}{space}{shown}{space}{ticks}"


def fence(lines: Sequence[Line]) -> str:
    """The fence of a Markdown block that holds these lines: longer than any run of tildes in them."""
    return "~" * (
        max((len(run) for line in lines for run in _TILDES.findall(line.text)), default=2) + 1
    )


def shapes(row: RowView) -> Shapes:
    """The shapes of both sides as JSON, what only one side has marked."""
    old = _lines(row["old"]["shape"]) if row["old"]["exists"] else []
    new = _lines(row["new"]["shape"]) if row["new"]["exists"] else []
    if not old or not new or max(len(old), len(new)) > _COMPARED:
        return Shapes([Line(False, line) for line in old], [Line(False, line) for line in new])
    blocks = difflib.SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks()
    same_old = {block.a + step for block in blocks for step in range(block.size)}
    same_new = {block.b + step for block in blocks for step in range(block.size)}
    return Shapes(
        [Line(at not in same_old, line) for at, line in enumerate(old)],
        [Line(at not in same_new, line) for at, line in enumerate(new)],
    )


def alike(row: RowView) -> str:
    """What is known of a change that the shapes of the two sides do not show, as JSON; "" where they differ."""
    hidden = (
        row["old"]["exists"] and row["new"]["exists"] and row["old"]["shape"] == row["new"]["shape"]
    )
    known = {key: row["detail"][key] for key in row["detail"] if key not in ("kind", "side")}
    return visible(json.dumps(known, ensure_ascii=False)) if hidden and known else ""


def _lines(shape: Json) -> list[str]:
    return [visible(line) for line in jsonlines.lines(shape, _WIDTH)]
