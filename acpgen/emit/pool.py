"""Render the surfaces side by side, one process each.

Model emission is plain CPU work of a second or more per surface. Workers are spawned, so that
threads of the caller (a progress line) cannot hurt, and talk through pipes of their own rather than
an executor: an interrupt then ends them at once, on every Python. Where processes are not to be
had, the work is done here. The result does not depend on it.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import traceback
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from pathlib import Path

from acpgen.spec.ir import Spec

Files = dict[str, str]
Done = Callable[[str], None]


class WorkerLost(Exception):
    """A worker ended without an answer (killed, out of memory)."""


@dataclass(frozen=True, slots=True)
class Task:
    """One surface's models: its Spec, old names to keep (old -> new), the user's templates."""

    spec: Spec
    aliases: Mapping[str, str] = field(default_factory=dict)
    templates: tuple[Path, ...] = ()


def cpus() -> int:
    """Processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def run(tasks: Sequence[Task], jobs: int | None = None, done: Done | None = None) -> list[Files]:
    """The files of every task, in the order of the tasks. `done` is told each surface that is
    finished.

    Raises ProblemError as the emitter does. An interrupt ends the workers and passes through.
    """
    workers = min(len(tasks), cpus() if jobs is None else jobs)
    if workers > 1:
        try:
            return _parallel(tasks, workers, done)
        except (WorkerLost, OSError, ImportError, NotImplementedError):
            pass  # no processes here (a sandbox, little memory): do the work in this one
    results = []
    for task in tasks:
        results.append(_models(task))
        if done is not None:
            done(task.spec.surface)
    return results


def _models(task: Task) -> Files:
    from acpgen.emit.models import model_files

    with warnings.catch_warnings():
        # The generator warns of what we do on purpose (running on Python 3.10): nothing for users.
        warnings.filterwarnings("ignore", category=FutureWarning, module="datamodel_code_generator")
        return model_files(task.spec, aliases=task.aliases, templates=task.templates)


def _parallel(tasks: Sequence[Task], workers: int, done: Done | None) -> list[Files]:
    # The largest first: the last one to finish is then a small one.
    sizes = {index: len(task.spec.definitions) for index, task in enumerate(tasks)}
    waiting = deque(sorted(sizes, key=lambda index: (-sizes[index], index)))
    results: dict[int, Files] = {}
    processes: list[SpawnProcess] = []
    busy: dict[Connection, int] = {}
    try:
        for connection in [_start(processes) for _ in range(workers)]:
            _give(connection, waiting, tasks, busy)
        while busy:
            for ready in wait(list(busy)):
                connection = next(item for item in busy if item is ready)
                index = busy.pop(connection)
                results[index] = _answer(connection)
                if done is not None:
                    done(tasks[index].spec.surface)
                _give(connection, waiting, tasks, busy)
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            process.join()
    return [results[index] for index in range(len(tasks))]


def _start(processes: list[SpawnProcess]) -> Connection:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    with _interrupts_held():
        process = context.Process(target=_serve, args=(theirs,), daemon=True)
        process.start()
        processes.append(process)
    theirs.close()  # only the worker holds it now: its end is an end of file here
    return ours


def _give(
    connection: Connection, waiting: deque[int], tasks: Sequence[Task], busy: dict[Connection, int]
) -> None:
    """Hand the next task to a worker, or none if none is left."""
    if waiting:
        index = waiting.popleft()
        try:
            connection.send(tasks[index])
        except BrokenPipeError as error:
            raise WorkerLost from error
        busy[connection] = index


def _answer(connection: Connection) -> Files:
    try:
        files, error, trace = connection.recv()
    except (EOFError, ConnectionError) as lost:
        raise WorkerLost from lost
    if error is not None:
        raise error from RuntimeError(f"in a worker:\n{trace}")
    return dict(files)


def _serve(connection: Connection) -> None:
    """A worker: answer tasks until the parent ends it. An interrupt is the parent's to handle."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        try:
            task = connection.recv()
        except EOFError:
            return
        try:
            answer: tuple[Files, Exception | None, str] = (_models(task), None, "")
        except Exception as error:
            answer = ({}, error, traceback.format_exc())
        try:
            connection.send(answer)
        except (AttributeError, TypeError, ValueError):  # an error that cannot be pickled
            connection.send(({}, RuntimeError(repr(answer[1])), answer[2]))


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Hold back Ctrl-C while a worker starts: it inherits that, and cannot ignore it itself yet."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    # Starting the tracker itself would let interrupts through again, so it is started before.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
