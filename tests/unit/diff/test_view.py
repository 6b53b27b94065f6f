"""The keys of the JSON are documented."""

from __future__ import annotations

import re
from pathlib import Path

from acpgen.diff.reporting import view

PAGE = Path(__file__).parents[3] / "docs/diff-tables.md"


def test_every_key_is_on_the_page() -> None:
    text = PAGE.read_text(encoding="utf-8").partition("## The JSON")[2]
    documented = set(re.findall(r"`(\w+)`", text))
    shapes = [item for item in vars(view).values() if hasattr(item, "__required_keys__")]
    assert len(shapes) > 8
    keys = {key for shape in shapes for key in shape.__annotations__}
    assert keys - documented == set()
