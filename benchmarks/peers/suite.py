"""The comparison of agents and clients: cold start, memory, round trips, chunks, a large update."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from benchmarks.measure import Table, interleave, table
from benchmarks.peers.programs import BLOCKING, OURS, programs
from benchmarks.peers.running import Amount, start, work

T = TypeVar("T")
Figures = Mapping[str, list[float]]

STARTS = 2  # of each agent in a round: they are short, and vary more than the rest


def peers(source: Path, folder: Path, rounds: int, amount: Amount | None = None) -> list[Table]:
    """Eight tables; every round runs all agents and all clients once.

    source: the folder that has the package acp_bindings. folder: where the TypeScript SDK is.
    Agents are driven by the bare client, clients are fed by the bare blocking agent.
    """
    asked = amount or Amount()
    with programs(source, folder) as found:
        environment = found.environment
        python, typescript = found.python, found.typescript
        client, agent = found.clients[BLOCKING], found.agents[BLOCKING]
        started = _collect(
            {
                name: (lambda command=command: start(command, environment))
                for name, command in found.agents.items()
            },
            rounds * STARTS,
        )
        worked = _collect(
            {
                **{
                    f"agent {name}": (
                        lambda command=command: work(client, command, environment, asked)
                    )
                    for name, command in found.agents.items()
                },
                **{
                    f"client {name}": (
                        lambda command=command: work(command, agent, environment, asked)
                    )
                    for name, command in found.clients.items()
                },
            },
            rounds,
        )

    agents = {name: worked[f"agent {name}"] for name in found.agents}
    clients = {name: worked[f"client {name}"] for name in found.clients}
    cold = _figures(started, lambda run: run.milliseconds)
    memory = _figures(started, lambda run: run.megabytes)
    chunks, large = f"{asked.chunks} chunks", f"an update of {asked.characters} characters"
    return [
        table("agent, spawn -> initialize answered", "ms", cold, python, (OURS, 0.35)),
        _below(table("agent, resident memory after initialize", "MB", memory, python), typescript),
        _at_least(
            table("agent, round trips", "per s", _figures(agents, lambda run: run.trips), python),
            {python: 1.25},
        ),
        _at_least(
            table(
                f"agent emits {chunks}",
                "per s",
                _figures(agents, lambda run: run.chunks),
                typescript,
            ),
            {typescript: 1.2},
        ),
        table(f"agent emits {large}", "ms", _figures(agents, lambda run: run.large), python),
        table("client, round trips", "per s", _figures(clients, lambda run: run.trips), python),
        _at_least(
            table(
                f"client receives {chunks}",
                "per s",
                _figures(clients, lambda run: run.chunks),
                typescript,
            ),
            {typescript: 1.3, python: 2.0},
        ),
        table(f"client receives {large}", "ms", _figures(clients, lambda run: run.large), python),
    ]


def _collect(contenders: Mapping[str, Callable[[], T]], rounds: int) -> dict[str, list[T]]:
    """`interleave`, for runs that give more than one figure."""
    runs: dict[str, list[T]] = {name: [] for name in contenders}

    def contender(name: str) -> Callable[[], float]:
        def run() -> float:
            runs[name].append(contenders[name]())
            return 0.0

        return run

    interleave({name: contender(name) for name in contenders}, rounds)
    return {name: found[1:] for name, found in runs.items()}


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
