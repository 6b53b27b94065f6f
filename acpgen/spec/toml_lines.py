"""Where a value stands in TOML text: no TOML reader of the standard library tells."""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

_HEADER = re.compile(r"\s*(\[\[?)\s*([A-Za-z0-9_.\"'-]+)\s*\]\]?\s*(#.*)?$")
_KEY = re.compile(r"\s*([A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*')\s*(?:\.|=)")


def line_of(text: str, path: Sequence[str | int]) -> int:
    """The line (from 1) of the value at a path of keys and indices, or of the row around it.

    Tables are found by their headers, keys by their names; what stands inside an inline table or
    an array has the line of its key. 0 where not even the table is found.
    """
    table = str(path[0]) if path else ""
    position = path[1] if len(path) > 1 and isinstance(path[1], int) else 0
    key = next((part for part in path[1:] if isinstance(part, str)), "")
    index = _index(text)
    row = index.rows.get((table, position)) or index.rows.get((table, -1))
    if row is None:
        return index.keys.get(table, 0)
    return row.get(key, row[""])


class _Index(NamedTuple):
    """rows: (table, index; -1 where it stands once) -> the lines of its keys, "" for its header.
    keys: the lines of the keys before any table.
    """

    rows: dict[tuple[str, int], dict[str, int]]
    keys: dict[str, int]


@functools.lru_cache(maxsize=8)
def _index(text: str) -> _Index:
    index = _Index({}, {})
    counts: Counter[str] = Counter()
    keys = index.keys
    for number, line in enumerate(text.splitlines(), 1):
        if header := _HEADER.match(line):
            table = header[2].strip("\"'")
            place = -1 if header[1] == "[" else counts[table]
            counts[table] += 1
            keys = index.rows.setdefault((table, place), {"": number})
        elif match := _KEY.match(line):
            keys.setdefault(match[1].strip("\"'"), number)
    return index
