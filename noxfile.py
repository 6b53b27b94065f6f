"""Everything that CI runs, and what a developer runs by hand: `nox`, or `nox -s tests -- -k tree`.

generate  the bindings in generated/
tests     the test suite, on every Python from 3.10 to 3.13 that is at hand (slow tests: the newest)
lint      ruff, black, mypy --strict and pyright on acpgen and on generated/
check     generated/ and schemas/ are what the pinned input gives
wheel     the built wheel alone generates the same bytes
scaffold  every project that `acpgen new` can make passes its own tests and checks, on 3.10 and 3.13
dist      the bindings and acpgen itself, published to an index of our own and used from there
docs      the site in site/, with every link checked, and the tutorials run
browser   the pages of what changed, in a headless Chromium
interop   the official SDKs on the other end of our agents and clients, from PyPI and npm
releases  the oracle on bindings of older releases (not part of the default run)
bench     benchmarks/ (not part of the default run)
"""

from __future__ import annotations

import filecmp
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import nox

nox.needs_version = ">=2024.10.9"
nox.options.default_venv_backend = "uv|virtualenv"
nox.options.sessions = [
    "lint",
    "check",
    "wheel",
    "tests",
    "scaffold",
    "dist",
    "docs",
    "browser",
    "interop",
]
nox.options.error_on_missing_interpreters = False
nox.options.stop_on_first_error = False

SUPPORTED = ("3.10", "3.11", "3.12", "3.13")
PROJECT = nox.project.load_toml("pyproject.toml")
GENERATED = Path("generated")


def _candidates(version: str) -> Iterator[Path]:
    """Where an interpreter of a version may be: the path, and pyenv's own folder, whose shims are
    off by default.
    """
    if found := shutil.which(f"python{version}"):
        yield Path(found)
    root = os.environ.get("PYENV_ROOT") or str(Path.home() / ".pyenv")
    yield from sorted(Path(root, "versions").glob(f"{version}.*/bin/python"), reverse=True)


def _works(python: Path, version: str) -> bool:
    ask = "import sys, venv; print('%d.%d' % sys.version_info[:2])"
    try:
        answer = subprocess.run([python, "-c", ask], capture_output=True, text=True, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return answer.returncode == 0 and answer.stdout.strip() == version


def _pythons() -> list[str]:
    """The supported versions that are at hand, made findable for nox; always the running one."""
    running = f"{sys.version_info.major}.{sys.version_info.minor}"
    found = []
    for version in SUPPORTED:
        own = [Path(sys.executable)] if version == running else []
        works = (path for path in (*own, *_candidates(version)) if _works(path, version))
        if (python := next(works, None)) is not None:
            os.environ["PATH"] = os.pathsep.join([str(python.parent), os.environ["PATH"]])
            found.append(version)
    return found


AT_HAND = _pythons()


def _install(session: nox.Session, *groups: str) -> None:
    session.install("-e", ".", *nox.project.dependency_groups(PROJECT, *groups))


def _npm_install(session: nox.Session, folder: Path) -> None:
    """Install what the folder's package.json asks for."""
    with session.chdir(folder):
        flags = ("--no-audit", "--no-fund", "--no-package-lock", "--silent")
        session.run("npm", "install", *flags, external=True)


@nox.session
def generate(session: nox.Session) -> None:
    """Write generated/."""
    session.install("-e", ".")
    session.run("acpgen", "generate", *session.posargs)


@nox.session(python=AT_HAND)
def tests(session: nox.Session) -> None:
    """The test suite; what is slow on the newest Python alone."""
    _install(session, "test", "types", "build")
    slow = () if session.python == AT_HAND[-1] else ("-m", "not slow")
    session.run("pytest", "-n", "auto", "--ignore", "tests/interop", *slow, *session.posargs)


@nox.session
def lint(session: nox.Session) -> None:
    """Style and types, of acpgen and of what it generates."""
    _install(session, "lint", "test")
    session.run("ruff", "check", ".")
    session.run("black", "--check", "--quiet", ".")
    session.run("mypy", "--strict", "acpgen")
    session.run("pyright", "acpgen")
    session.run("mypy", "--strict", "--config-file=", str(GENERATED / "src"))
    session.run("pyright", str(GENERATED / "src"))


@nox.session
def check(session: nox.Session) -> None:
    """Drift: of generated/ from its input, and of schemas/ from the pinned release."""
    session.install("-e", ".")
    session.run("acpgen", "generate", "--check", "--full")
    session.run("acpgen", "sync", "--check")


@nox.session
def wheel(session: nox.Session) -> None:
    """Build the wheel, install it without the repository, generate, and compare the bytes."""
    session.install(*nox.project.dependency_groups(PROJECT, "build"))
    expected = GENERATED.resolve()
    # Outside of the repository, whose configuration would be found otherwise.
    with tempfile.TemporaryDirectory(prefix="acpgen-wheel-") as temporary:
        folder = Path(temporary).resolve()
        session.run("python", "-m", "build", "--wheel", "--outdir", str(folder), ".")
        built = str(next(folder.glob("*.whl")))
        session.install(built)
        session.install(
            "--force-reinstall", "--no-deps", built
        )  # a kept environment has an old one
        with session.chdir(folder):
            session.run("acpgen", "generate", "--out", "out")
        different = sorted(_differences(folder / "out", expected))
    if different:
        session.error("the wheel generates other bytes: " + ", ".join(different))
    session.log("the wheel generates the same bytes as the checkout")


@nox.session(python=[version for version in AT_HAND if version in ("3.10", "3.13")])
def scaffold(session: nox.Session) -> None:
    """Every combination of the options of `acpgen new`: its tests, mypy --strict, ruff, black."""
    _install(session, "test", "lint", "build")
    session.install(f"./{GENERATED.name}")
    folder = Path(session.create_tmp(), "projects").resolve()
    session.run("python", "-m", "tests.scaffold.projects", str(folder), *session.posargs)


@nox.session
def dist(session: nox.Session) -> None:
    """`acpgen package`, twine and a pypiserver on the loopback address, pip, mypy, an agent; and
    acpgen's own sdist and wheel.
    """
    _install(session, "test", "dist")
    session.run("pytest", *(session.posargs or ("tests/dist",)))


@nox.session
def docs(session: nox.Session) -> None:
    """The site, and what the tutorials show."""
    _install(session, "test", "build", "docs")
    session.run("mkdocs", "build", "--strict", "--quiet", env={"NO_MKDOCS_2_WARNING": "1"})
    session.run("pytest", *(session.posargs or ("tests/docs",)))


@nox.session
def browser(session: nox.Session) -> None:
    """The pages of what changed in a real browser; here it is a fault if there is none."""
    _install(session, "test", "browser")
    arguments = session.posargs or ("tests/browser",)
    session.run("pytest", *arguments, env={"ACPGEN_BROWSER": "required"})


@nox.session
def interop(session: nox.Session) -> None:
    """Our agents and clients against the official SDKs, pinned, over stdio and WebSocket."""
    _install(session, "test", "interop")
    peers = Path(session.create_tmp(), "peers").resolve()
    shutil.copytree(Path("tests", "interop", "peers"), peers, dirs_exist_ok=True)
    _npm_install(session, peers)
    arguments = session.posargs or ("tests/interop",)
    session.run("pytest", *arguments, env={"ACP_PEERS": str(peers)})


@nox.session
def releases(session: nox.Session) -> None:
    """The oracle on bindings of older releases, made with --source from npm; takes some minutes."""
    _install(session, "test")
    session.run("python", "-m", "tests.oracle.releases", *session.posargs)


@nox.session
def bench(session: nox.Session) -> None:
    """Benchmarks beside the official SDKs, pinned, from PyPI and npm; takes some minutes."""
    _install(session, "bench")
    session.install("psutil>=5.9")
    peers = Path(session.create_tmp(), "peers").resolve()
    peers.mkdir(exist_ok=True)
    shutil.copy(Path("tests", "interop", "peers", "package.json"), peers)
    _npm_install(session, peers)
    session.run("python", "-m", "benchmarks", "--peers", str(peers), *session.posargs)


def _differences(ours: Path, theirs: Path) -> set[str]:
    """Relative paths of files that one folder lacks or that differ."""

    def files(root: Path) -> set[str]:
        found = (path for path in root.rglob("*") if path.is_file())
        return {
            path.relative_to(root).as_posix() for path in found if "__pycache__" not in path.parts
        }

    both = files(ours) & files(theirs)
    odd = files(ours) ^ files(theirs)
    return odd | {
        path for path in both if not filecmp.cmp(ours / path, theirs / path, shallow=False)
    }
