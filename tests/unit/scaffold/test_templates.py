"""The packaged templates as files: what the versions of the protocol share stands there once."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from pathlib import Path

from acpgen import resources

LONGEST = 12
"""Lines in a row that two versions of a part may have in common; more go into `shared/`."""


def test_versions_of_a_clients_part_repeat_nothing_long() -> None:
    folder = resources.templates_dir() / "client/project/src/{{ package }}"
    parts: dict[str, list[Path]] = {}
    for path in sorted(folder.iterdir()):
        if found := re.search(r"(\w+)_v[12]\.py", path.name):
            parts.setdefault(found[1], []).append(path)
    pairs = [pair for pair in parts.values() if len(pair) == 2]
    assert len(pairs) == 3
    for one, two in pairs:
        texts = [path.read_text(encoding="utf-8").splitlines() for path in (one, two)]
        match = SequenceMatcher(None, texts[0], texts[1], autojunk=False).find_longest_match()
        repeated = texts[0][match.a : match.a + match.size]
        assert match.size <= LONGEST, "\n".join([one.name, *repeated])


def test_what_is_shared_is_used_by_both_versions() -> None:
    folder = resources.templates_dir() / "client"
    included = [
        name
        for path in (folder / "project").rglob("*.jinja")
        for name in re.findall(r'include "shared/([\w.]+)"', path.read_text(encoding="utf-8"))
    ]
    for path in (folder / "shared").iterdir():
        assert included.count(path.name) == 2, path.name
    assert set(included) == {path.name for path in (folder / "shared").iterdir()}
