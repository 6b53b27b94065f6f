"""Interleaved measurement: every round runs each contender once, so that a busy machine slows all
of them alike.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

Contender: TypeAlias = Callable[[], float]


@dataclass(frozen=True)
class Row:
    """One contender's figures. ratio: its median over that of the baseline."""

    name: str
    median: float
    least: float
    most: float
    rounds: int
    ratio: float


@dataclass(frozen=True)
class Table:
    """One comparison. target: what the design asks for, in words; met: whether it is, None where
    nothing is asked.
    """

    title: str
    unit: str
    baseline: str
    rows: tuple[Row, ...]
    target: str = ""
    met: bool | None = None

    def row(self, name: str) -> Row:
        """The row of a contender; KeyError if there is none."""
        for row in self.rows:
            if row.name == name:
                return row
        raise KeyError(name)


def interleave(contenders: Mapping[str, Contender], rounds: int) -> dict[str, list[float]]:
    """Run every contender once per round, after one round that does not count."""
    figures: dict[str, list[float]] = {name: [] for name in contenders}
    for number in range(rounds + 1):
        for name, run in contenders.items():
            figure = run()
            if number:
                figures[name].append(figure)
    return figures


def table(
    title: str,
    unit: str,
    figures: Mapping[str, list[float]],
    baseline: str,
    target: tuple[str, float] | None = None,
) -> Table:
    """Medians and ratios. target: a contender and the highest ratio to the baseline that it may
    have.
    """
    base = statistics.median(figures[baseline])
    rows = tuple(
        Row(
            name,
            statistics.median(values),
            min(values),
            max(values),
            len(values),
            statistics.median(values) / base,
        )
        for name, values in figures.items()
    )
    result = Table(title, unit, baseline, rows)
    if target is None:
        return result
    name, most = target
    return Table(
        title,
        unit,
        baseline,
        rows,
        f"{name}: at most {most:g} x {baseline}",
        result.row(name).ratio <= most,
    )
