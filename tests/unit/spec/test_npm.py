"""npm, by a stand-in for the client, and one real release."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from acpgen.spec import npm, source
from acpgen.spec.source import fetch
from tests.unit.spec.releases import (
    GOOD_NPM,
    V1,
    V1U,
    V2,
    V2U,
    places,
    posix,
    refused,
)


@posix
def test_npm(fake_npm: Callable[[str], None]) -> None:
    fake_npm(GOOD_NPM)
    release = fetch("npm:@made/up@latest")
    assert release.source == "npm:@made/up@1.2.3"
    assert (release.name, release.version) == ("@made/up", "1.2.3")
    assert release.integrity.startswith("sha512-")
    assert list(release.files) == [V1, V1U, V2, V2U]


@posix
def test_npm_may_answer_with_an_object(fake_npm: Callable[[str], None]) -> None:
    fake_npm(GOOD_NPM.replace("json.dumps([", 'json.dumps({"@made/up": ').replace("}]))", "}}))"))
    assert fetch("npm:@made/up@latest").source == "npm:@made/up@1.2.3"


FAIL = 'print(json.dumps({"error": {"code": "%s", "summary": "It says so."}})); sys.exit(1)'


@posix
@pytest.mark.parametrize(
    ("body", "message"),
    [
        (FAIL % "ETARGET", "there is no such release (check the name and version)"),
        (FAIL % "E404", "there is no such release"),
        (FAIL % "ENOTFOUND", "npm has no network (ENOTFOUND) (try again, or sync from a folder, a"),
        (FAIL % "ECONNREFUSED", "npm has no network (ECONNREFUSED)"),
        (FAIL % "EINTEGRITY", "npm reports a wrong integrity (the tarball is not what"),
        (FAIL % "E403", "npm pack failed (E403): It says so."),
        ('sys.exit("npm ERR! code ETARGET")', "there is no such release"),
        ('sys.exit("npm error something odd")', "npm pack failed: npm error something odd"),
        ("sys.exit(3)", "npm pack failed: it printed nothing"),
        ("print('[]')", "npm pack did not leave one tarball"),
        (GOOD_NPM.replace("read_bytes()", "read_bytes()[:200]"), "is a truncated tarball"),
        (GOOD_NPM + '(pathlib.Path.cwd() / "b.tgz").touch()', "npm pack did not leave one tarball"),
    ],
)
def test_npm_fails(fake_npm: Callable[[str], None], body: str, message: str) -> None:
    fake_npm(body)
    found = refused(lambda: fetch("npm:@made/up@1.2.3"))
    assert found.startswith("npm:@made/up@1.2.3: ")
    assert message in found


@posix
def test_npm_hangs(fake_npm: Callable[[str], None], monkeypatch: pytest.MonkeyPatch) -> None:
    fake_npm("time.sleep(60)")
    monkeypatch.setattr(npm, "TIMEOUT", 0.3)
    assert "npm did not answer in" in refused(lambda: fetch("npm:@made/up@1.2.3"))


@posix
def test_npm_cannot_run(fake_npm: Callable[[str], None], tmp_path: Path) -> None:
    (tmp_path / "bin" / "npm").write_text("#!/no/such/interpreter\n")
    (tmp_path / "bin" / "npm").chmod(0o755)
    assert "npm cannot be run: " in refused(lambda: fetch("npm:@made/up@1.2.3"))


def test_no_npm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert refused(lambda: fetch("npm:@made/up@1.2.3")) == (
        "npm:@made/up@1.2.3: npm is not installed"
        " (install Node.js, or sync from a folder, a tarball or a URL: acpgen sync ./package.tgz)"
    )


@pytest.mark.parametrize(
    "name",
    [
        "",
        "x",
        "@made/up",
        "@made/up@",
        "git+ssh://h/x@1",
        "--flag@1",
        "./dir@1",
        "x@^1.0",
        "X@1",
        "a b@1",
    ],
)
def test_names_that_are_no_npm_release(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert "names no npm release (write npm:PACKAGE@VERSION" in refused(
        lambda: fetch(f"npm:{name}")
    )


@pytest.mark.network
def test_the_real_release() -> None:
    release = fetch("npm:@agentclientprotocol/sdk@0.4.5")
    assert places(release) == {V1: "schema/schema.json"}
    made = source.contracts(release)
    assert {"InitializeRequest", "SessionUpdate"} <= made[1, "stable"]["$defs"].keys()
