"""`acpgen sync`: write the contract form of a release to schemas/, or prove that it is there.

    sync(source: str | None, target: Path, *, check=False, offline=False) -> SyncReport

The exit code of a command: 1 where `report.drift` is not empty, else 0; ProblemError is 2.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from acpgen import resources
from acpgen.problem import Problem, ProblemError
from acpgen.spec import atomic, contract, npm, prose
from acpgen.spec import lock as locks
from acpgen.spec.audit import lint_meta
from acpgen.spec.contract import Contract
from acpgen.spec.lock import Lock, LockedFile, sha256
from acpgen.spec.source import Key, Release, contracts, fetch, key_of, path_of

_SYNC = "run acpgen sync SOURCE"


@dataclass(frozen=True, slots=True)
class SyncReport:
    """What a sync did, or what a check found.

    source, package, version: of the release; package and version are "" where the source does not
    name them.
    written, removed, unchanged: paths below the schemas folder, the lock file included; a check
    writes nothing.
    drift: each difference between the folder, its lock and the release; only a check has any.
    notices: what else there is to say.
    """

    source: str
    package: str = ""
    version: str = ""
    written: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    drift: tuple[Problem, ...] = ()
    notices: tuple[str, ...] = ()


def sync(
    source: str | None, target: Path, *, check: bool = False, offline: bool = False
) -> SyncReport:
    """Make a schemas folder hold the contract form of a release, or check that it does.

    source: see source.py; None means the source that the lock file names. target: the schemas
    folder; sync makes it if it is missing, and touches nothing in it but `vN/schema.json`,
    `vN/schema.unstable.json` and `lock.toml`.
    check: write nothing. Files are first compared with the lock, which finds most drift without a
    network; then, if these agree and `offline` is false, the release is fetched again and compared
    byte for byte.
    Raises ProblemError for bad input; the folder is then as it was.
    """
    if target.exists() and not target.is_dir():
        raise ProblemError.of(str(target), "is not a folder")
    if check:
        return _check(source, target, offline)
    if offline:
        raise ProblemError.of("acpgen sync", "offline goes with check only")
    release = _fetched(source, target)
    _refuse_moved(release, locks.load(target))
    made = contracts(release)
    files = _texts(made)
    disagreements = prose.compare(release, target)
    with atomic.exclusive(target, "acpgen sync"):
        undone = ("an interrupted sync was undone first",) if atomic.recover(target) else ()
        lock = _lock(release, files, source, target)
        wanted = {**files, locks.NAME: locks.dumps(lock).encode("utf-8")}
        present = _present(target)
        changes: dict[str, bytes | None] = {
            path: data for path, data in wanted.items() if present.get(path) != data
        }
        removed = tuple(sorted(present.keys() - wanted.keys()))
        if changes or removed:
            # The lock file goes last: as long as the old one stands, a check tells.
            last = {key: changes.pop(key) for key in [locks.NAME] if key in changes}
            atomic.replace_all(target, {**dict.fromkeys(removed), **changes, **last})
            changes |= last
    return SyncReport(
        lock.source,
        lock.package,
        lock.version,
        written=tuple(sorted(changes)),
        removed=removed,
        unchanged=tuple(sorted(wanted.keys() - changes.keys())),
        notices=(
            *undone,
            *_lint(made),
            *(f"prose and gates differ: {item}" for item in disagreements),
        ),
    )


def pinned(target: Path) -> Release:
    """The release that a schemas folder is pinned to, with upstream's own text.

    `acpgen generate --docs` needs it. Raises ProblemError where there is no pin, it cannot be had,
    or it is not the one that was pinned.
    """
    lock = _pin(target)
    release = fetch(lock.source, target)
    _refuse_moved(release, lock)
    if moved := [*_upstream_drift(release, lock)]:
        raise ProblemError(moved)
    return release


def _pin(target: Path) -> Lock:
    lock = locks.load(target)
    if lock is None:
        raise ProblemError.of(f"{target.resolve().name}/{locks.NAME}", "does not exist", _SYNC)
    return lock


def _fetched(source: str | None, target: Path) -> Release:
    """The release of a source, or of the pin."""
    if source is None:
        return fetch(_pin(target).source, target)
    release = fetch(source)
    if not release.integrity:  # a folder
        places = [Path(source, file.path).resolve() for file in release.files.values()]
        if any(target.resolve() in place.parents for place in places):
            raise ProblemError.of(source, "is the schemas folder itself", "give another source")
    return release


def _recorded(source: str, target: Path) -> str:
    """A source as the lock names it: a path relative to the schemas folder."""
    if source.startswith(npm.PREFIX) or "://" in source:
        return source
    try:
        return Path(os.path.relpath(Path(source).resolve(), target.resolve())).as_posix()
    except ValueError:  # another drive, on Windows
        return Path(source).name


def _texts(made: Mapping[Key, Contract]) -> dict[str, bytes]:
    return {path_of(key): contract.dumps(item).encode("utf-8") for key, item in made.items()}


def _lint(made: Mapping[Key, Contract]) -> Iterator[str]:
    """What looks like a slip of upstream's, a line per file and kind; nothing is repaired."""
    for key, item in made.items():
        found: dict[str, list[str]] = {}
        for problem in lint_meta(item):
            found.setdefault(problem.what, []).append(problem.where.removeprefix("#/$defs/"))
        for what, places in found.items():
            yield f"{path_of(key)}: {len(places)} x {what}: {', '.join(places)}"


def _lock(release: Release, files: Mapping[str, bytes], source: str | None, target: Path) -> Lock:
    locked = {
        path_of(key): LockedFile(file.path, sha256(file.data), sha256(files[path_of(key)]))
        for key, file in release.files.items()
    }
    named = release.source if source is None else _recorded(release.source, target)
    return Lock(named, release.name, release.version, release.integrity, locked)


def _present(target: Path) -> dict[str, bytes]:
    """The files of a schemas folder that sync owns."""
    paths = [target / locks.NAME, *target.glob("v*/schema.json"), *target.glob("v*/schema.*.json")]
    names = {path.relative_to(target).as_posix(): path for path in sorted(paths)}
    try:
        return {
            name: path.read_bytes()
            for name, path in names.items()
            if path.is_file() and (name == locks.NAME or key_of(name))
        }
    except OSError as error:
        raise ProblemError.of(str(error.filename), f"cannot be read: {error.strerror}") from None


def _refuse_moved(release: Release, lock: Lock | None) -> None:
    """A release on npm never changes: if the pinned one did, something is wrong."""
    if lock is None or not release.source.startswith(npm.PREFIX) or lock.source != release.source:
        return
    if lock.integrity and lock.integrity != release.integrity:
        what = f"has the integrity {release.integrity}, but {lock.integrity} is pinned"
        hint = f"find out why; to accept it, remove {locks.NAME} and sync again"
        raise ProblemError.of(release.source, what, hint)


def _check(source: str | None, target: Path, offline: bool) -> SyncReport:
    lock = _pin(target)
    folder = target.resolve().name
    report = SyncReport(
        lock.source, lock.package, lock.version, notices=tuple(_whose(target, lock))
    )
    with atomic.exclusive(target, "acpgen sync"):
        present = _present(target)
        half_done = atomic.pending(target)
    drift = [*_local_drift(present, lock, folder)]
    if half_done:
        drift.append(Problem(folder, "holds an interrupted sync", "run acpgen sync again"))
    if drift:
        return replace(report, drift=tuple(sorted(drift)))
    if offline:
        offline_note = "the release itself was not compared: offline"
        return replace(report, notices=(*report.notices, offline_note))
    release = _fetched(source, target)
    _refuse_moved(release, lock)
    texts = _texts(contracts(release))
    drift += _upstream_drift(release, lock)
    drift += _form_drift(release, texts, present, folder)
    if not drift and (source is None or release.source == lock.source):
        # What remains is the lock itself: its integrity, its names, the way it is written.
        text = locks.dumps(replace(_lock(release, texts, None, target), source=lock.source))
        if present[locks.NAME] != text.encode("utf-8"):
            what = f"is not what sync writes for {release.source}"
            drift.append(Problem(f"{folder}/{locks.NAME}", what, _SYNC))
    same = tuple(sorted(present))
    return replace(report, unchanged=() if drift else same, drift=tuple(sorted(drift)))


def _whose(target: Path, lock: Lock) -> Iterator[str]:
    """That the schemas are not a user's own folder, which a check without one would be silent of."""
    if target.resolve() == resources.schemas_dir().resolve():
        release = f"{lock.package} {lock.version}".strip() or lock.source
        places = ", ".join(lock.files)
        yield (
            f"checked the schemas that acpgen brings ({release}: {places}); for a folder of your own"
            ' set schemas = "FOLDER", or give --schemas FOLDER'
        )


def _local_drift(present: Mapping[str, bytes], lock: Lock, folder: str) -> Iterator[Problem]:
    for path, file in lock.files.items():
        if path not in present:
            yield Problem(f"{folder}/{path}", "is in the lock but missing", _SYNC)
        elif (digest := sha256(present[path])) != file.contract_sha256:
            what = f"was changed: its SHA-256 is {digest}, the lock has {file.contract_sha256}"
            yield Problem(f"{folder}/{path}", what, _SYNC)
    for path in sorted(present.keys() - lock.files.keys() - {locks.NAME}):
        yield Problem(f"{folder}/{path}", "is not in the lock", _SYNC)


def _upstream_drift(release: Release, lock: Lock) -> Iterator[Problem]:
    here = {path_of(key): file for key, file in release.files.items()}
    for path in sorted(here.keys() | lock.files.keys()):
        if path not in here:
            what = f"no longer has {lock.files[path].upstream}, which is {path} in the lock"
            yield Problem(release.source, what, _SYNC)
        elif path not in lock.files:
            yield Problem(release.source, f"has {here[path].path}, the lock has no {path}", _SYNC)
        elif (digest := sha256(here[path].data)) != (was := lock.files[path].upstream_sha256):
            what = f"has another {here[path].path}: its SHA-256 is {digest}, the lock has {was}"
            yield Problem(release.source, what, _SYNC)


def _form_drift(
    release: Release, texts: Mapping[str, bytes], present: Mapping[str, bytes], folder: str
) -> Iterator[Problem]:
    for key, file in release.files.items():
        path = path_of(key)
        if path in present and present[path] != texts[path]:
            what = f"is not the contract form of {file.path} in {release.source}"
            yield Problem(f"{folder}/{path}", what, _SYNC)
