"""Names from schemas on a screen: control and direction characters spelled out."""

from __future__ import annotations

import re

_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")


def visible(text: str) -> str:
    """The text with its control and direction characters spelled out, so that none acts on the reader's screen."""
    return _CONTROLS.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
