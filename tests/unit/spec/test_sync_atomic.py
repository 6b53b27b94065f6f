"""acpgen sync when it fails, is interrupted or killed, or runs twice at once."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Container
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from acpgen.problem import ProblemError
from acpgen.spec import atomic, sync
from tests.unit.spec import releases
from tests.unit.spec.releases import (
    OWN,
    PLACES,
    check,
    folder,
    no_root,
    posix,
    refused,
    tree,
)

ROOT = Path(__file__).parents[3]


# Errors, interruptions and other runs.
def steps(
    monkeypatch: pytest.MonkeyPatch, fail: Container[int], error: BaseException
) -> Callable[[], int]:
    """Make some of the renames and removals in a folder fail; tells how many there were."""
    count = 0

    def guarded(original: Callable[..., Any]) -> Callable[..., Any]:
        def run(path: Path, *args: Any, **options: Any) -> Any:
            nonlocal count
            if Path(path).name != "journal.json":
                count += 1
                if count in fail:
                    raise error
            return original(path, *args, **options)

        return run

    monkeypatch.setattr(Path, "replace", guarded(Path.replace))
    monkeypatch.setattr(Path, "unlink", guarded(Path.unlink))
    return lambda: count


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
@pytest.mark.parametrize("step", range(1, 8))
def test_a_failure_at_any_step_changes_nothing(
    schemas: Path, upstream: Path, monkeypatch: pytest.MonkeyPatch, step: int, error: BaseException
) -> None:
    for name in PLACES[:3]:
        (upstream / "schema" / name).write_bytes(releases.text(Changed={"const": step}))
    (upstream / "schema" / PLACES[3]).unlink()
    folder(upstream, {"schema/v3/schema.json": releases.text()})
    before = tree(schemas)
    entries = sorted(schemas.rglob("*"))
    with monkeypatch.context() as patch:
        steps(patch, [step], error)
        with pytest.raises((ProblemError, KeyboardInterrupt)) as caught:
            sync.sync(str(upstream), schemas)
    if isinstance(error, OSError):
        assert "cannot be written: No space left on device" in str(caught.value)
    assert tree(schemas) == before
    assert sorted(schemas.rglob("*")) == entries
    sync.sync(str(upstream), schemas)
    assert tree(schemas).keys() == OWN.keys() | {*PLACES[:3], "v3/schema.json", "lock.toml"}


def test_what_cannot_be_undone_at_once_is_undone_by_the_next_run(
    schemas: Path, upstream: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = tree(schemas)
    for name in PLACES:
        (upstream / "schema" / name).write_bytes(releases.text(Changed={}))
    with monkeypatch.context() as patch:
        steps(patch, range(4, 100), OSError(5, "Input/output error"))
        assert "Input/output error" in refused(lambda: sync.sync(None, schemas))
    assert tree(schemas).items() != before.items()
    assert atomic.recover(schemas)
    assert tree(schemas) == before
    assert not atomic.recover(schemas)


def test_a_failing_first_sync_leaves_no_folder(
    tmp_path: Path, upstream: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps(monkeypatch, [3], OSError(28, "No space left on device"))
    with pytest.raises(ProblemError):
        sync.sync(str(upstream), tmp_path / "a" / "b")
    assert not (tmp_path / "a").exists()


def run(code: str, *args: str | Path, **options: Any) -> subprocess.Popen[str]:
    script = "import sys\nfrom pathlib import Path\nfrom acpgen.spec import atomic, sync\n"
    return subprocess.Popen(
        [sys.executable, "-c", script + textwrap.dedent(code), *map(str, args)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


KILLED = """
    replace, count = Path.replace, 0
    def dying(self, target):
        global count
        if target.name != "journal.json":
            count += 1
            if count == 3:
                import os
                os._exit(9)
        return replace(self, target)
    Path.replace = dying
    sync.sync(sys.argv[1], Path(sys.argv[2]))
"""


def test_a_killed_run_is_undone_by_the_next(schemas: Path, upstream: Path) -> None:
    before = tree(schemas)
    stored = {name: (upstream / "schema" / name).read_bytes() for name in PLACES}
    for name in PLACES:
        (upstream / "schema" / name).write_bytes(releases.text(Changed={}))
    process = run(KILLED, upstream, schemas)
    assert process.wait(30) == 9, process.communicate()
    assert tree(schemas) != before  # it died in the middle
    report = sync.sync(None, schemas, check=True)
    assert "schemas: holds an interrupted sync (run acpgen sync again)" in map(str, report.drift)
    folder(upstream / "schema", stored)
    report = sync.sync(None, schemas)
    assert report.notices == ("an interrupted sync was undone first",)
    assert report.written == ()
    assert tree(schemas) == before
    assert check(schemas) == []


@posix
def test_ctrl_c_while_fetching_changes_nothing(
    tmp_path: Path, schemas: Path, fake_npm: Callable[[str], None]
) -> None:
    fake_npm('(here / "started").touch(); time.sleep(60)')
    before = tree(schemas)
    process = run("sync.sync(sys.argv[1], Path(sys.argv[2]))", "npm:@made/up@1.2.3", schemas)
    end = time.monotonic() + 30
    while not (tmp_path / "bin" / "started").exists() and time.monotonic() < end:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert "KeyboardInterrupt" in errors
    assert tree(schemas) == before


HOLDS = """
    with atomic.exclusive(Path(sys.argv[1]), "acpgen sync"):
        print("held", flush=True)
        sys.stdin.read()
"""


def test_a_second_run_waits_then_is_refused(
    schemas: Path, upstream: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (upstream / "schema/v2/schema.json").write_bytes(releases.text(Changed={}))
    before = tree(schemas)
    process = run(HOLDS, os.path.relpath(schemas, ROOT), stdin=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    with monkeypatch.context() as patch:
        patch.setattr(atomic, "WAIT", 0.2)
        for checking in (False, True):
            found = refused(partial(sync.sync, str(upstream), schemas, check=checking))
            assert found == (
                f"{schemas}: another acpgen sync is at work in this folder (wait until it is done)"
            )
    assert tree(schemas) == before
    process.communicate("", timeout=30)
    assert sync.sync(str(upstream), schemas).written == ("lock.toml", "v2/schema.json")


def test_two_runs_at_once_end_with_one_of_the_two(tmp_path: Path, schemas: Path) -> None:
    sources = []
    for name in ("one", "two"):
        content = {f"schema/{place}": releases.text(Name={"const": name}) for place in PLACES}
        sources.append(folder(tmp_path / name, content))
    code = "for _ in range(20): sync.sync(sys.argv[1], Path(sys.argv[2]))"
    processes = [run(code, source, schemas) for source in sources]
    for process in processes:
        _, errors = process.communicate(timeout=60)
        assert (process.returncode, errors) == (0, "")
    assert check(schemas) == []
    texts = {json.dumps(json.loads((schemas / place).read_text())["$defs"]) for place in PLACES}
    assert len(texts) == 1
    assert tree(schemas).keys() == OWN.keys() | {"lock.toml", *PLACES}


@no_root
def test_a_folder_that_cannot_be_written(schemas: Path, upstream: Path) -> None:
    (upstream / "schema/v2/schema.json").write_bytes(releases.text(Changed={}))
    schemas.chmod(0o555)
    try:
        found = refused(lambda: sync.sync(str(upstream), schemas))
    finally:
        schemas.chmod(0o755)
    assert "cannot be written: Permission denied" in found


def test_folders_that_become_empty_go_and_others_stay(tmp_path: Path) -> None:
    atomic.replace_all(tmp_path / "x", {"a/b/c/d": b"1", "a/e": b"2"})
    atomic.replace_all(tmp_path / "x", {"a/b/c/d": None, "f/g": b"3"})
    assert sorted(path.name for path in (tmp_path / "x").rglob("*")) == ["a", "e", "f", "g"]
