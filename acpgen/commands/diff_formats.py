"""What `acpgen diff` writes: the comparison as Markdown, JSON or a page, and where it goes."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias, cast

from acpgen.problem import ProblemError

if TYPE_CHECKING:
    from acpgen.diff.reporting.guide import Guide
    from acpgen.diff.run import Compared

Format: TypeAlias = Literal["text", "md", "json", "html"]
FORMATS: tuple[Format, ...] = ("text", "md", "json", "html")


def report(pairs: Sequence[Compared], form: Format, templates: Sequence[Path]) -> str:
    """The findings of some pairs of surfaces. JSON is one object: the view of the pair, or of several
    `{"pairs": [...]}`; Markdown has one part per pair; a page shows one pair.

    templates: the user's own folders. Raises ProblemError for several pairs on one page, and for faulty templates.
    """
    from acpgen.diff.report import view
    from acpgen.emit.diff_tables import render
    from acpgen.emit.templates import Templates

    if form == "html" and len(pairs) > 1:
        names = ", ".join(item.new.surface.replace("_", "-") for item in pairs)
        what = f"one page shows one pair of surfaces, and both sides have {names}"
        raise ProblemError.of("--format html", what, f"name one: A#{names.partition(',')[0]}")
    views = [view(item.diff, item.old, item.new, item.selected) for item in pairs]
    if form == "json" and len(views) > 1:
        return json.dumps({"pairs": views}, indent=1, ensure_ascii=False) + "\n"
    shelf = Templates(templates)
    return "\n".join(
        render(item, cast("Literal['md', 'json', 'html']", form), shelf) for item in views
    )


def guides(found: Sequence[Guide], form: Format) -> str:
    """Checklists as JSON (one object; of several `{"guides": [...]}`) or Markdown."""
    if form == "html":
        raise ProblemError.of("--guide", "there is no guide as a page", "use --format md or json")
    if form == "md":
        return "\n".join(item.as_markdown() for item in found)
    items = [item.as_json() for item in found]
    whole = items[0] if len(items) == 1 else {"guides": items}
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def write(path: Path, text: str) -> None:
    """Write a file whole, or leave what is there as it was."""
    if path.is_dir():
        raise ProblemError.of("--output", f"{path} is a folder", "name a file")
    if not path.parent.is_dir():
        raise ProblemError.of("--output", f"there is no folder {path.parent}", "make it first")
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        mask = os.umask(0)
        os.umask(mask)
        Path(name).chmod(0o666 & ~mask)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
