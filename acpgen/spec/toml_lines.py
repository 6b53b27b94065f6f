"""Where a value stands in TOML text: no TOML reader of the standard library tells."""

from __future__ import annotations

import re
from collections.abc import Sequence

_HEADER = re.compile(r"\s*(\[\[?)\s*([A-Za-z0-9_.\"'-]+)\s*\]\]?\s*(#.*)?$")
_KEY = re.compile(r"\s*([A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*')\s*(?:\.|=)")


def line_of(text: str, path: Sequence[str | int]) -> int:
    """The line (from 1) of the value at a path of keys and indices, or of the row around it.

    Tables are found by their headers, keys by their names; what stands inside an inline table or
    an array has the line of its key. 0 where not even the table is found.
    """
    table = str(path[0]) if path else ""
    index = path[1] if len(path) > 1 and isinstance(path[1], int) else 0
    key = next((part for part in path[1:] if isinstance(part, str)), None)
    found, count, inside = 0, -1, False
    for number, line in enumerate(text.splitlines(), 1):
        header = _HEADER.match(line)
        if header:
            here = header[2].strip("\"'") == table
            count += here
            inside = here and (header[1] == "[" or count == index)
            if inside:
                found = number
        elif (match := _KEY.match(line)) and (inside or (not found and count < 0)):
            name = match[1].strip("\"'")
            if inside and name == key:
                return number
            if not inside and name == table:
                found = number
    return found
