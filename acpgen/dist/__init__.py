"""`acpgen package`: the bindings as an sdist and a wheel that can be published.

Everything is generated, built and checked in a temporary folder. The artefacts go to the output
folder together, and only when every check passed.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from acpgen import generate as generation
from acpgen import inputs as reading
from acpgen import tree
from acpgen.config import Config
from acpgen.dist import building, comparing, names, origin, previous, verify
from acpgen.manifest import Manifest
from acpgen.problem import ProblemError
from acpgen.project import pep440
from acpgen.spec import atomic

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Artefact:
    """A file to publish. name: without a folder. size: in bytes. sha256: in hex."""

    name: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was built.

    name, version: of the distribution. artefacts: the sdist and the wheel. written: names of those
    that were new in the output folder or differed there. differing: with check, names of those that
    the folder has with other bytes; missing: of those that it does not have; findings: what that
    means, in sentences; empty where everything that could be compared is equal. added, renamed,
    removed: public names beside the previous release, as `surface.Name`; empty without one.
    notices: for the user.
    """

    name: str
    version: str
    artefacts: tuple[Artefact, ...]
    written: tuple[str, ...] = ()
    differing: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    findings: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    renamed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()

    @property
    def drifted(self) -> bool:
        return bool(self.findings)

    def lines(self, folder: Path) -> list[str]:
        """For people: the artefacts in the folder, as it was given, and what happened to public
        names.
        """
        found = [f"{folder / item.name}  {item.size} bytes" for item in self.artefacts]
        for word, changed in (
            ("new", self.added),
            ("renamed", self.renamed),
            ("removed", self.removed),
        ):
            found += [f"{word}: {name}" for name in changed]
        return found

    def as_json(self) -> dict[str, object]:
        return {**asdict(self), "drifted": self.drifted}


def package(
    config: Config,
    out: Path,
    *,
    against: Path | None = None,
    check: bool = False,
    isolated: bool = True,
    jobs: int | None = None,
    progress: Progress = lambda _: None,
) -> Outcome:
    """Build and check the distribution; unless `check`, write it to the folder `out`.

    against: the release that was published before (a wheel, an sdist, a manifest, or a folder with
    one). isolated: build in an environment of its own with the newest hatchling; else with the one
    that is installed beside acpgen. Raises ProblemError with `out` as it was before.
    """
    if config.layout != "project":
        raise ProblemError.of(
            f"{config.where}: layout",
            "a package that is vendored into your source tree has no project of its own to publish",
            'build the project that it lies in, or set layout = "project"',
        )
    building.need_tools(isolated)
    epoch = building.epoch()
    before = previous.read(against) if against is not None else None
    progress("reading schemas")
    inputs = reading.read(config)
    version = config.project.version_for(inputs.version)
    if not (config.project.version or pep440(inputs.version)):
        raise ProblemError.of(
            f"{config.where}: project",
            f"the schemas ({inputs.source}) have no version that a package could have",
            'give one: version = "..." in the table project',
        )
    origin.check(config, inputs)
    base, accept = _base(config, inputs.source, before)
    output = generation.make(
        config, inputs, base, accept_names=accept, jobs=jobs, progress=progress
    )
    notices: list[str] = []
    found = names.Changes()
    if before is not None:
        found = names.judged(before, output.manifest, version)
        notices += names.notices(before, output.manifest, config.project.distribution(config.package))
    with tempfile.TemporaryDirectory(prefix="acpgen-package-") as temporary:
        built = building.run(
            output.files, Path(temporary).resolve(), epoch, isolated=isolated, progress=progress
        )
        progress("checking")
        verify.check(built, output.files, config, version, Path(temporary).resolve())
    outcome = Outcome(
        name=config.project.distribution(config.package),
        version=version,
        artefacts=tuple(
            Artefact(name, len(data), hashlib.sha256(data).hexdigest())
            for name, data in built.files.items()
        ),
        added=found.added,
        renamed=found.renamed,
        removed=found.removed,
        notices=(*inputs.notices, *output.notices, *notices),
    )
    return _with_folder(outcome, out, built, check)


def _base(
    config: Config, source: str, before: previous.Previous | None
) -> tuple[Manifest | None, bool]:
    """The manifest whose deprecated aliases are kept, and whether names may vanish from it.

    It is that of the generated folder where it is of the same schema release, else the previous
    release's: what vanishes since that is judged by the version, not by the name lock.
    """
    own = tree.read_manifest(config.root)
    if own is not None and own.options.get("source") == source:
        return own, False
    return (before.manifest if before is not None else None), True


def _with_folder(outcome: Outcome, out: Path, built: building.Built, check: bool) -> Outcome:
    """Compare with the output folder, and write there unless `check`."""
    with tree.guarded(out), atomic.exclusive(out, "acpgen package"):
        if not check:
            tree.recover(out)
        there = comparing.compare(out, built.files)
        if check:
            return _checked(outcome, out, there)
        other = tuple(name for name in built.files if name in {*there.missing, *there.differing})
        atomic.replace_all(out, {name: built.files[name] for name in other})
    replaced = tuple(
        f"{out.name}/{name} was there with other bytes and was replaced; if it is published already,"
        " raise the revision"
        for name in there.differing
    )
    return replace(outcome, written=other, notices=(*outcome.notices, *replaced))


def _checked(outcome: Outcome, out: Path, there: comparing.Comparison) -> Outcome:
    """The outcome with what was found. One artefact is enough; none is a finding, for nothing was
    compared.
    """
    findings, notices = there.findings, outcome.notices
    if len(there.missing) == len(outcome.artefacts):
        absent = " and no ".join(there.missing)
        findings = (f"nothing to compare: there is no {absent} in {out.name}",)
    else:
        notices += tuple(f"{out.name} has no {name}: not compared" for name in there.missing)
    return replace(
        outcome,
        differing=there.differing,
        missing=there.missing,
        findings=findings,
        notices=notices,
    )
