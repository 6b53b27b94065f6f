"""One run: configuration -> contracts -> Specs -> texts -> the output folder.

Nothing touches the output folder before every file's text exists.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

from acpgen import inputs as reading
from acpgen import manifest as manifests
from acpgen import tree
from acpgen.config import DEFAULT_SURFACES, Config, surface_key
from acpgen.inputs import Inputs, SchemaFile
from acpgen.manifest import Manifest, ManifestError
from acpgen.problem import Problem, ProblemError
from acpgen.resources import digest
from acpgen.spec import atomic

if TYPE_CHECKING:
    from acpgen.spec.ir import Spec
    from acpgen.spec.overlays import Overlay

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run did or, with check, what it found.

    written, removed: paths in the output folder. unchanged: how many files stood already. moved:
    what differs from the last run (inputs, files), in words. problems: why the moved input cannot
    be rendered (check only). diff: unified, from the disk to
    what would be written. notices: for the user.
    """

    written: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    unchanged: int = 0
    moved: tuple[str, ...] = ()
    diff: str = ""
    notices: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    surfaces: tuple[str, ...] = ()

    @property
    def drifted(self) -> bool:
        return bool(self.moved or self.diff)

    def summary(self, folder: str, check: bool) -> str:
        """One line for people."""
        if check:
            return f"{folder}: up to date ({self.unchanged} files)"
        counts = (
            f"{len(self.written)} written, {len(self.removed)} removed, {self.unchanged} unchanged"
        )
        return f"{folder}: {', '.join(self.surfaces)}: {counts}"

    def as_json(self) -> dict[str, object]:
        return {**asdict(self), "drifted": self.drifted}


@dataclass(frozen=True, slots=True)
class Output:
    """Every text of one run, the manifest's own among them, before anything is written."""

    files: dict[str, str]
    manifest: Manifest
    notices: tuple[str, ...] = field(default=())


def generate(
    config: Config,
    *,
    force: bool = False,
    accept_names: bool = False,
    jobs: int | None = None,
    progress: Progress = lambda _: None,
) -> Outcome:
    """Write the output folder. Raises ProblemError with the folder as it was before."""
    with tree.guarded(config.root), atomic.exclusive(config.root, "acpgen generate"):
        notices = _recovered(config)
        old = tree.read_manifest(config.root, force)
        progress("reading schemas")
        inputs = reading.read(config)
        output = make(config, inputs, old, accept_names=accept_names, jobs=jobs, progress=progress)
        plan = tree.plan(config.root, output.files, old, force)
        progress("writing")
        tree.write(config.root, plan)
    return Outcome(
        written=tuple(plan.writes),
        removed=plan.removes,
        unchanged=len(output.files) - len(plan.writes),
        notices=(*notices, *inputs.notices, *output.notices),
        surfaces=tuple(inputs.schemas),
    )


def check(
    config: Config,
    *,
    full: bool = False,
    jobs: int | None = None,
    progress: Progress = lambda _: None,
) -> Outcome:
    """Compare the output folder with what would be written, and write nothing.

    Where no input and no file moved by the manifest's hashes, that is taken as proof; full renders
    all the same. A name that would vanish is drift here, not an error: `moved` names it.
    """
    notices: tuple[str, ...] = ()
    with tree.guarded(config.root, "read"):
        moved: list[str] = []
        new = False
        if atomic.pending(config.root):
            moved.append("a run was interrupted: acpgen generate undoes it")
        old: Manifest | None = None
        try:
            old = manifests.read(config.root)
            new = old is None
            if old is None:
                moved.append(
                    f"{config.root.name} has no {manifests.NAME}: nothing was generated there"
                )
        except ManifestError as error:
            moved.append(f"generated file {manifests.NAME} {error}")
        inputs = reading.read(config)
        if old is not None:
            moved += reading.moved(old.options, reading.options(config, inputs))
            moved += reading.moved(old.inputs, reading.fingerprint(config, inputs))
            moved += [f"generated file {path} changed" for path in tree.damage(config.root, old)]
        diff = ""
        problems: tuple[Problem, ...] = ()
        if moved or full:
            try:
                output = make(config, inputs, old, accept_names=True, jobs=jobs, progress=progress)
            except ProblemError as error:
                if old is None or not moved:
                    raise
                problems = error.problems  # that the input moved is established: drift, not exit 2
            else:
                if not new:  # a diff would be the whole output
                    diff = tree.drift(config.root, output.files, old)
                notices += output.notices
            if diff and not moved:
                moved.append("the output, though no recorded input moved")
    return Outcome(
        unchanged=len(old.files) if old is not None else 0,
        moved=tuple(moved),
        diff=diff,
        notices=(*notices, *inputs.notices),
        problems=problems,
        surfaces=tuple(inputs.schemas),
    )


def make(
    config: Config,
    inputs: Inputs,
    old: Manifest | None,
    *,
    accept_names: bool = False,
    jobs: int | None = None,
    progress: Progress = lambda _: None,
) -> Output:
    """Render everything. Raises ProblemError for faulty input, and for public names that would
    vanish unless accepted.
    """
    from acpgen import namelock
    from acpgen.emit.layout import LayoutOptions, render

    inputs = reading.with_docs(config, inputs)
    specs, notices = build_specs(config, inputs)
    names = {spec.surface: namelock.public_names(spec) for spec in specs}
    before = old or Manifest()
    pairs = {
        surface: namelock.paired(before.names[surface], was, spec)
        for surface in namelock.lost(before.names, names)
        if (was := _before(config, surface, before)) is not None
        for spec in specs
        if spec.surface == surface
    }
    changes, aliases = namelock.checked(before.names, names, before.aliases, accept_names, pairs)
    notices += [change.sentence() for change in changes]
    options = LayoutOptions(
        package=config.package,
        layout=config.layout,
        source=inputs.source,
        version=inputs.version,
        templates=config.templates,
        aliases=aliases,
        jobs=jobs,
        project=config.project,
        docs=config.docs,
    )
    progress(f"rendering {', '.join(spec.surface for spec in specs)}")
    files = render(specs, options, lambda surface: progress(f"rendered {surface}"))
    manifest = Manifest(
        options=reading.options(config, inputs),
        inputs=reading.fingerprint(config, inputs),
        files={path: digest(text) for path, text in files.items()},
        names=names,
        aliases=aliases,
    )
    return Output({**files, manifests.NAME: manifest.dumps()}, manifest, tuple(notices))


def build_specs(
    config: Config, inputs: Inputs, *, bindings: bool = True
) -> tuple[list[Spec], list[str]]:
    """The Spec of every surface, and notices of what was skipped. Raises one ProblemError with the
    faults of all of them.

    bindings: what only keeps models from being made is a fault; else it is a notice.
    """
    from acpgen import gating
    from acpgen.diff.pairing import renames as pairing
    from acpgen.spec import overlays as overlaying
    from acpgen.spec import renames
    from acpgen.spec.audit import audit, patterns

    problems: list[Problem] = []
    notices: list[str] = []
    search = reading.overlay_search(config)
    overlays: list[Overlay] = []
    for name in config.overlays:
        try:
            overlays.append(overlaying.load(name, search))
        except ProblemError as error:
            problems += error.problems
    specs = []
    for schema in inputs.schemas.values():
        try:
            spec, skipped = _spec(config, schema, inputs, overlays)
        except ProblemError as error:
            problems += error.problems
            continue
        except RecursionError:
            problems.append(
                Problem(schema.where, "is nested too deeply: its definitions refer on and on")
            )
            continue
        specs.append(spec)
        notices += skipped
        problems += audit(spec)
        if bindings:
            problems += patterns(spec)
        else:
            notices += map(str, patterns(spec))
    found, warnings = gating.audit(config, specs, overlays)
    problems += found
    notices += warnings
    if set(inputs.schemas) >= set(DEFAULT_SURFACES) and all(
        item.pinned for item in inputs.schemas.values()
    ):
        problems += pairing.stale(pairing.packaged(), specs)
    if problems:
        raise ProblemError(problems)
    specs = gating.with_stability(config, inputs, specs, overlays)
    specs = gating.with_elsewhere(config, specs, overlays)
    return renames.apply(specs, renames.load(config.renames)), notices


def _spec(
    config: Config, schema: SchemaFile, inputs: Inputs, overlays: Sequence[Overlay]
) -> tuple[Spec, Sequence[str]]:
    from acpgen.spec import build, contract, metadata
    from acpgen.spec import overlays as overlaying

    version, channel = surface_key(schema.surface)
    parsed = contract.parse(schema.data, schema.where)
    notices: Sequence[str] = ()
    applied: Sequence[Overlay] = ()
    if channel == "unstable" and overlays:
        applied = [overlay for overlay in overlays if version in overlay.patches]
        parsed, notices = overlaying.apply(parsed, version, applied, pinned=schema.pinned)
    rows = metadata.load(
        [*reading.metadata_files(config, version), *overlaying.metadata_files(applied, version)]
    )
    raw = inputs.raw.get(schema.surface)
    docs = None
    if raw is not None:  # a Spec's pointers begin with the # of a reference
        docs = {f"#{at}": text for at, text in contract.docs_of(raw, schema.where).items()}
    spec = build.build(
        parsed,
        version=version,
        channel=channel,
        metadata=rows,
        overlays=[overlay.name for overlay in applied],
        docs=docs,
        text=contract.dumps(parsed),
    )
    return spec, notices


def _before(config: Config, surface: str, old: Manifest) -> Spec | None:
    """A surface as the last run had it, from the schema in its output; None where that is not there
    as it was written, or is none that this acpgen reads.
    """
    from acpgen.spec import build, contract, metadata

    tail = f"{surface}/schema.json"
    path = next((item for item in old.files if f"/{item}".endswith(f"/{tail}")), None)
    if path is None or path in tree.damage(config.root, old):
        return None
    version, channel = surface_key(surface)
    try:
        return build.build(
            contract.parse((config.root / path).read_bytes(), tail),
            version=version,
            channel=channel,
            metadata=metadata.load(reading.metadata_files(config, version)),
        )
    except (ProblemError, OSError, RecursionError):
        return None


def _recovered(config: Config) -> tuple[str, ...]:
    if tree.recover(config.root):
        return ("an interrupted run was undone: the output is as it was before it",)
    return ()
