"""The oracle over every type of every committed surface.

`pytest -s` shows what was tried; the figures are also in the test report's captured output.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.oracle.judge import Judge
from tests.oracle.package import Surface, surfaces
from tests.oracle.patch import patch_of
from tests.oracle.received import FORMAT_BOUNDS, INTEGRAL_FLOAT

SOURCE = Path(__file__).resolve().parents[2] / "generated" / "src"
PACKAGE = "acp_bindings"
NUMBERS = {INTEGRAL_FLOAT, FORMAT_BOUNDS}
V1_OPEN = {
    f"received-open:{name}"
    for name in ("SessionUpdate", "ContentBlock", "ToolCallContent", "SessionConfigOption")
}
AGREED = {
    "v1": NUMBERS | V1_OPEN,
    "v1_unstable": NUMBERS | V1_OPEN | {"received-open:PlanUpdateContent"},
    "v2": NUMBERS,
    "v2_unstable": NUMBERS,
}


def surface(name: str) -> Surface:
    """One surface of the committed output."""
    return {found.name: found for found in surfaces(SOURCE, PACKAGE)}[name]


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(AGREED))
def test_models_agree_with_the_reference_reader(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    report = Judge(surface(name), patch_of(name)).run()
    with capsys.disabled():
        print(f"\n{report}")
    assert not report.faults, "\n".join(f"{count} x {fault}" for count, fault in report.grouped())
    assert report.exceptions == AGREED[name]
    assert report.values >= 5 * report.types
    assert min(report.mutated[kind] for kind in ("refused", "repaired", "accepted")) > 1000


def test_every_surface_is_judged() -> None:
    assert {found.name for found in surfaces(SOURCE, PACKAGE)} == set(AGREED)
