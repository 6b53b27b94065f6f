"""The oracle finds what is broken on purpose, and names it: one annotation, one union, one bound,
one definition.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from tests.oracle.accounting import unaccounted
from tests.oracle.judge import Judge, Report
from tests.oracle.package import surfaces
from tests.oracle.patch import patch_of
from tests.oracle.test_oracle import PACKAGE, SOURCE

_numbers = count()


def broken(folder: Path, edit: Callable[[str], str]) -> str:
    """A copy of the committed package under another name, the v1 models edited; its name."""
    name = f"broken_{next(_numbers)}"
    shutil.copytree(SOURCE / PACKAGE, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    changed = 0
    for path in (folder / name / "v1" / "models").glob("*.py"):
        text = path.read_text(encoding="utf-8")
        edited = edit(text)
        changed += edited != text
        path.write_text(edited, encoding="utf-8")
    assert changed == 1, "the edit has to change one module"
    return name


def judged(folder: Path, package: str, only: tuple[str, ...]) -> Report:
    (surface,) = (found for found in surfaces(folder, package) if found.name == "v1")
    return Judge(surface, patch_of("v1")).run(only)


def without_annotation(text: str) -> str:
    """ToolCallLocation's `line` is no longer tolerant."""
    return re.sub(
        r'(class ToolCallLocation\(.*?on_error=\([^)]*)"line", ?', r"\1", text, count=1, flags=re.S
    )


def without_variant(text: str) -> str:
    """ContentBlock's table has lost `image`."""
    return re.sub(
        r'(ContentBlock: TypeAlias = .*?)"image": ImageContentBlock,',
        r"\1",
        text,
        count=1,
        flags=re.S,
    )


def test_the_types_in_question_are_faultless_as_they_are() -> None:
    assert judged(SOURCE, PACKAGE, ("ToolCallLocation", "ContentBlock")).faults == []


def test_a_broken_annotation_and_a_broken_union_are_named(tmp_path: Path) -> None:
    package = broken(tmp_path, lambda text: without_variant(without_annotation(text)))
    report = judged(tmp_path, package, ("ToolCallLocation", "ContentBlock"))
    assert {fault.name for fault in report.faults} >= {"ToolCallLocation", "ContentBlock"}
    annotation = [str(fault) for fault in report.faults if fault.name == "ToolCallLocation"]
    assert any("at /line: refused, but the reader makes it valid" in fault for fault in annotation)
    union = [fault for fault in report.faults if fault.name == "ContentBlock"]
    assert any('"type": "image"' in fault.value for fault in union)


def test_an_intact_type_beside_them_stays_faultless(tmp_path: Path) -> None:
    package = broken(tmp_path, without_annotation)
    assert judged(tmp_path, package, ("ContentBlock", "Annotations")).faults == []


def accounting(folder: Path, package: str) -> str:
    (surface,) = (found for found in surfaces(folder, package) if found.name == "v1")
    return "\n".join(unaccounted(surface))


def test_every_definition_is_accounted_for_as_it_is() -> None:
    assert accounting(SOURCE, PACKAGE) == ""


def test_a_definition_that_is_not_accounted_for_is_named(tmp_path: Path) -> None:
    package = broken(
        tmp_path, lambda text: text.replace('    "PromptResponse": "PromptResponse",\n', "")
    )
    assert "definition PromptResponse has no type" in accounting(tmp_path, package)


@pytest.mark.parametrize("stale", ['    "Gone": "PromptResponse",\n', '    "PlanEntry": "Gone",\n'])
def test_a_stale_entry_is_named(tmp_path: Path, stale: str) -> None:
    head = "WIRE_TYPES: dict[str, str] = {\n"

    def edit(text: str) -> str:
        return text.replace('    "PlanEntry": "PlanEntry",\n', "").replace(head, head + stale)

    assert "Gone" in accounting(tmp_path, broken(tmp_path, edit))


def test_unused_exceptions_and_unreached_classes_are_named() -> None:
    (surface,) = (found for found in surfaces(SOURCE, PACKAGE) if found.name == "v1")
    judge = Judge(surface, patch_of("v1"))
    report = judge.run(("ContentBlock",))
    assert "received-open:ContentBlock" in report.exceptions
    judge.leftovers()
    named = {fault.name for fault in report.faults}
    assert "(exceptions)" in named
    unused = [fault.about for fault in report.faults if fault.name == "(exceptions)"]
    assert not any("received-open:ContentBlock" in about for about in unused)
    assert any("received-open:SessionUpdate" in about for about in unused)
    assert "PromptResponse" in named
    assert "TextContentBlock" not in named
