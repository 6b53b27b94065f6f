from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from acpgen import cli
from acpgen.problem import ProblemError
from tests.unit.support import PING, disk, project, schema

ROOT = Path(__file__).parents[2]
# Not pydantic: typer itself imports it where it is installed.
SLOW_PARTS = ("datamodel_code_generator", "black", "jinja2", "jsonschema", "rich", "urllib.request")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(project(tmp_path))
    return tmp_path


def run(*args: str, code: int = 0) -> tuple[str, str]:
    """stdout and stderr of a command, run in this process."""
    result = CliRunner().invoke(cli.app, args)
    assert result.exit_code == code, result.output
    assert "Traceback" not in result.output
    return result.stdout, result.stderr


def command(*args: str) -> list[str]:
    return [sys.executable, "-m", "acpgen", *args]


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "100", "TERM": "dumb"}


def test_a_run_is_quiet_in_a_pipe(folder: Path) -> None:
    assert run("generate", "--jobs", "1") == ("", "")
    assert (folder / "generated/acpgen.lock.json").exists()
    assert run("generate", "--check") == ("", "")
    assert run("generate", "--check", "--full", "--jobs", "1") == ("", "")


def test_drift_exits_1_shows_the_diff_and_names_what_moved(folder: Path) -> None:
    run("generate", "--jobs", "1")
    schema(folder, {**PING, "New": {"type": "string"}})
    out, err = run("generate", "--check", "--jobs", "1", code=1)
    assert "+++ b/src/acp_bindings/v1/schema.json\n" in out
    assert out.endswith("moved: schema v1 changed\n")
    assert err == ""


def test_bad_input_exits_2_and_says_what_where_and_what_to_do(folder: Path) -> None:
    out, err = run("generate", "--package", "no-name", "--surface", "v1", "--surface", "w", code=2)
    assert out == ""
    assert err.splitlines() == [
        "error: command line: package: 'no-name' is no name for a Python package",
        "  use letters, digits and _",
        "error: command line: surfaces: 'w' is no surface; write v1, v1_unstable, v2, v2_unstable",
    ]


def test_an_unknown_option_exits_2(folder: Path) -> None:
    _, err = run("generate", "--nonsense", code=2)
    assert "--nonsense" in err


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("--full",), "--full means something only with --check"),
        (("--overlay", "a", "--no-overlays"), "exclude each other"),
        (("--overlay", "nothing", "--surface", "v1_unstable"), "overlay nothing: does not exist"),
        (("--templates", "none"), "none does not exist"),
        (("--source", "none"), "none"),
        (("--config", "none.toml"), "none.toml: cannot be read"),
    ],
)
def test_arguments_that_cannot_be_used(folder: Path, args: tuple[str, ...], words: str) -> None:
    _, err = run("generate", *args, code=2)
    assert words in err
    assert not (folder / "generated").exists()


def test_json_for_machines(folder: Path) -> None:
    out, _ = run("generate", "--json", "--jobs", "1")
    found = json.loads(out)
    assert found["surfaces"] == ["v1"]
    assert "README.md" in found["written"]
    (folder / "generated/README.md").write_text("x", encoding="utf-8")
    out, _ = run("generate", "--check", "--json", "--jobs", "1", code=1)
    found = json.loads(out)
    assert found["drifted"] is True
    assert found["moved"] == ["generated file README.md changed"]


def test_force_and_the_edited_file(folder: Path) -> None:
    run("generate", "--jobs", "1")
    path = folder / "generated/README.md"
    path.write_text("mine\n", encoding="utf-8")
    _, err = run("generate", "--jobs", "1", code=2)
    assert "generated/README.md: was edited by hand" in err
    assert path.read_text(encoding="utf-8") == "mine\n"
    run("generate", "--jobs", "1", "--force")
    assert run("generate", "--check") == ("", "")


def test_accept_names(folder: Path) -> None:
    run("generate", "--jobs", "1")
    schema(folder, {"Ping": PING["Ping"]})
    _, err = run("generate", "--jobs", "1", code=2)
    assert "error: v1.Pong: this public name is gone\n  accept it with --accept-names" in err
    _, err = run("generate", "--jobs", "1", "--accept-names")
    assert err == "note: v1.Pong: this public name is gone\n"


def test_show(folder: Path) -> None:
    out, _ = run("show", "Ping")
    assert all(word in out for word in ("Ping", "record", "v1", "id", "int", "required"))
    out, _ = run("show", "Ping", "--json")
    assert json.loads(out)[0]["name"] == "Ping"
    _, err = run("show", "Pingg", code=2)
    assert "Ping" in err


def test_sync_writes_and_checks_a_folder(folder: Path) -> None:
    release = folder / "release/schema/v1"
    release.mkdir(parents=True)
    (release / "schema.json").write_text(json.dumps({"$defs": PING}), encoding="utf-8")
    lint = "note: v1/schema.json: 2 x has no `_meta`: Ping, Pong\n"
    assert run("sync", "release", "--schemas", "pinned") == ("", lint)
    assert {"lock.toml", "v1/schema.json"} <= disk(folder / "pinned").keys()
    assert run("sync", "--check", "--schemas", "pinned") == ("", "")
    (folder / "pinned/v1/schema.json").write_text("{}", encoding="utf-8")
    _, err = run("sync", "--check", "--schemas", "pinned", code=1)
    assert "v1/schema.json" in err
    _, err = run("sync", "none", "--schemas", "pinned", code=2)
    assert "none" in err


def test_sync_takes_the_configured_folder(folder: Path) -> None:
    release = folder / "release/schema/v1"
    release.mkdir(parents=True)
    (release / "schema.json").write_text(json.dumps({"$defs": PING}), encoding="utf-8")
    run("sync", "release")
    assert (folder / "schemas/lock.toml").exists()


def test_sync_never_writes_into_an_installed_acpgen(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "acpgen.toml").write_text("", encoding="utf-8")
    monkeypatch.setattr("acpgen.resources.is_checkout", lambda: False)
    _, err = run("sync", "somewhere", code=2)
    assert "--schemas FOLDER" in err


@pytest.mark.parametrize("name", ["generate", "show", "sync"])
def test_help_has_an_example(name: str) -> None:
    out, _ = run(name, "--help")
    assert f"Example: acpgen {name}" in " ".join(out.split())


def test_version() -> None:
    out, _ = run("--version")
    assert out.startswith("acpgen 0.")


@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (KeyboardInterrupt(), 130, "interrupted"),
        (ProblemError.of("here", "is wrong", "mend it"), 2, "error: here: is wrong\n  mend it"),
        (PermissionError(13, "Permission denied", "x/y"), 2, "error: x/y: Permission denied"),
        (OSError(28, "No space left on device"), 2, "error: acpgen: No space left on device"),
    ],
)
def test_expected_errors_have_no_traceback(
    folder: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int, words: str
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("acpgen.generate.generate", fail)
    out, err = run("generate", code=code)
    assert (out, err.strip()) == ("", words)


@pytest.mark.parametrize("args", [["--help"], ["generate", "--help"], ["generate", "--check"]])
def test_quick_commands_load_no_generator(folder: Path, args: list[str]) -> None:
    run("generate", "--jobs", "1")
    code = f"""
import atexit, json, sys
def report():
    print(json.dumps([name for name in {SLOW_PARTS} if name in sys.modules]), file=sys.stderr)
atexit.register(report)
from acpgen.cli import app
app({args!r})
"""
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment(), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
    assert json.loads(done.stderr.splitlines()[-1]) == []


def test_a_reader_that_goes_away_is_no_traceback(folder: Path) -> None:
    run("generate", "--jobs", "1")
    (folder / "generated/acpgen.lock.json").unlink()
    done = subprocess.Popen(
        command("generate", "--check", "--jobs", "1"),
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert done.stdout is not None
    assert done.stderr is not None
    done.stdout.close()
    assert "Traceback" not in done.stderr.read()
    done.stderr.close()
    done.wait()


@pytest.mark.skipif(os.name == "nt", reason="signals and terminals of POSIX")
class TestPosix:
    @pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="asks /proc for workers")
    @pytest.mark.parametrize(
        ("sign", "code", "wait"),
        [(signal.SIGINT, 130, 0.0), (signal.SIGINT, 130, 1.0), (signal.SIGTERM, 143, 0.5)],
        ids=["INT at once", "INT", "TERM"],
    )
    def test_a_signal_ends_the_run_and_its_workers(
        self, folder: Path, sign: signal.Signals, code: int, wait: float
    ) -> None:
        (folder / "acpgen.toml").write_text("", encoding="utf-8")
        started = subprocess.Popen(
            command("generate", "--jobs", "2"),
            env=environment(),
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        children = Path(f"/proc/{started.pid}/task/{started.pid}/children")
        for _ in range(600):  # until the workers run; rendering then takes some seconds
            if len(children.read_text(encoding="ascii").split()) >= 2:
                break
            time.sleep(0.05)
        time.sleep(wait)
        os.killpg(started.pid, sign)  # as a terminal does
        _, err = started.communicate(timeout=20)
        assert started.returncode == code
        assert "Traceback" not in err
        assert not (folder / "generated").exists()
        with pytest.raises(ProcessLookupError):
            for _ in range(100):
                os.killpg(started.pid, 0)
                time.sleep(0.05)

    def test_a_terminal_gets_progress_and_a_summary(self, folder: Path) -> None:
        ours, theirs = os.openpty()
        started = subprocess.Popen(
            command("generate", "--jobs", "1"),
            env={**environment(), "TERM": "xterm"},
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
        )
        os.close(theirs)
        seen = b""
        while True:
            try:
                part = os.read(ours, 4096)
            except OSError:
                break
            if not part:
                break
            seen += part
        started.wait()
        os.close(ours)
        text = seen.decode("utf-8")
        assert "rendering v1" in text
        assert "generated: v1: " in text
        assert started.returncode == 0

    @pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
    def test_a_folder_that_cannot_be_written(self, folder: Path) -> None:
        (folder / "generated").mkdir(mode=0o555)
        _, err = run("generate", "--jobs", "1", code=2)
        assert "Permission denied" in err


def test_a_configured_folder_is_made_by_sync_and_missed_by_generate(folder: Path) -> None:
    (folder / "acpgen.toml").write_text('schemas = "own"\n', encoding="utf-8")
    _, err = run("generate", code=2)
    assert "own does not exist" in err
    assert "acpgen sync SOURCE makes it" in err
    release = folder / "release/schema/v1"
    release.mkdir(parents=True)
    (release / "schema.json").write_text(json.dumps({"$defs": PING}), encoding="utf-8")
    run("sync", "release")
    assert (folder / "own/v1/schema.json").exists()
