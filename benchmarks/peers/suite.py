"""The comparison of agents and clients: cold start, memory, round trips, chunks, a large update."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from benchmarks.measure import Table, interleave, table
from benchmarks.peers.programs import BLOCKING, OURS, programs
from benchmarks.peers.running import Amount, Started, Worked, start, work

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)
Figures = Mapping[str, list[float]]

STARTS = 2  # of each agent in a round: they are short, and vary more than the rest


def peers(source: Path, folder: Path, rounds: int, amount: Amount | None = None) -> list[Table]:
    """The tables of agents, then those of clients; every round runs each of them once.

    source: the folder that has the package acp_bindings. folder: where the TypeScript SDK is.
    """
    asked = amount or Amount()
    with programs(source, folder) as found:
        environment = found.environment
        starts = {
            name: partial(start, command, environment) for name, command in found.agents.items()
        }
        driver, agent = found.clients[BLOCKING], found.agents[BLOCKING]
        runs = {
            ("agent", name): partial(work, driver, command, environment, asked)
            for name, command in found.agents.items()
        }
        for name, command in found.clients.items():
            runs["client", name] = partial(work, command, agent, environment, asked)
            runs["fed", name] = partial(
                work, command, found.feeder, environment, replace(asked, trips=1, characters=1)
            )
        started = _collect(starts, rounds * STARTS)
        worked = _collect(runs, rounds)

    def side(name: str) -> dict[str, list[Worked]]:
        return {contender: done for (key, contender), done in worked.items() if key == name}

    python, typescript = found.python, found.typescript
    return [
        *_of_starting(started, python, typescript),
        *_of_agents(side("agent"), asked, python, typescript),
        *_of_clients(side("client"), side("fed"), asked, python, typescript),
    ]


def _of_starting(
    runs: Mapping[str, list[Started]], python: str, typescript: str
) -> Iterator[Table]:
    cold = _figures(runs, lambda run: run.milliseconds)
    yield table("agent, spawn -> initialize answered", "ms", cold, python, (OURS, 0.35))
    memory = _figures(runs, lambda run: run.megabytes)
    yield _below(table("agent, resident memory after initialize", "MB", memory, python), typescript)


def _of_agents(
    runs: Mapping[str, list[Worked]], asked: Amount, python: str, typescript: str
) -> Iterator[Table]:
    trips = _figures(runs, lambda run: run.trips)
    yield _at_least(table("agent, round trips", "per s", trips, python), {python: 1.25})
    chunks = _figures(runs, lambda run: run.chunks)
    title = f"agent emits {asked.chunks} chunks"
    yield _at_least(table(title, "per s", chunks, typescript), {typescript: 1.2})
    large = _figures(runs, lambda run: run.large)
    title = f"agent emits an update of {asked.characters} characters"
    yield table(title, "ms", large, python)


def _of_clients(
    runs: Mapping[str, list[Worked]],
    fed: Mapping[str, list[Worked]],
    asked: Amount,
    python: str,
    typescript: str,
) -> Iterator[Table]:
    trips = _figures(runs, lambda run: run.trips)
    yield table("client, round trips", "per s", trips, python)
    # The figure that the design means waits for the agent to make the chunks; the other hardly.
    title = f"client receives {asked.chunks} chunks"
    yield _at_least(
        table(title, "per s", _figures(runs, lambda run: run.chunks), typescript),
        {typescript: 1.3, python: 2.0},
    )
    prepared = _figures(fed, lambda run: run.chunks)
    yield table(f"{title}, prepared", "per s", prepared, typescript)
    large = _figures(runs, lambda run: run.large)
    title = f"client receives an update of {asked.characters} characters"
    yield table(title, "ms", large, python)


def _collect(contenders: Mapping[K, Callable[[], T]], rounds: int) -> dict[K, list[T]]:
    """`interleave`, for runs that give more than one figure."""
    runs: dict[K, list[T]] = {key: [] for key in contenders}

    def one(key: K) -> float:
        runs[key].append(contenders[key]())
        return 0.0

    interleave({str(key): partial(one, key) for key in contenders}, rounds)
    return {key: found[1:] for key, found in runs.items()}


def _figures(runs: Mapping[str, list[T]], of: Callable[[T], float]) -> Figures:
    return {name: [of(run) for run in found] for name, found in runs.items()}


def _at_least(result: Table, times: Mapping[str, float]) -> Table:
    """The table of a rate with its target: so many times the others' rates."""
    ours = result.row(OURS).median
    words = " and ".join(f"{least:g} x {name}" for name, least in times.items())
    met = all(ours >= least * result.row(name).median for name, least in times.items())
    return replace(result, target=f"{OURS}: at least {words}", met=met)


def _below(result: Table, other: str) -> Table:
    """The table with its target: below its baseline and below another contender."""
    ours = result.row(OURS).median
    names = (result.baseline, other)
    met = all(ours < result.row(name).median for name in names)
    return replace(result, target=f"{OURS}: below {' and '.join(names)}", met=met)
