"""Whether the schemas are those of the release that the package says it was made from."""

from __future__ import annotations

from acpgen import inputs as reading
from acpgen.config import Config, surface_key
from acpgen.inputs import Inputs
from acpgen.problem import Problem, ProblemError
from acpgen.resources import digest
from acpgen.spec import lock as locks
from acpgen.spec.source import path_of


def check(config: Config, inputs: Inputs) -> None:
    """Raise a ProblemError for each schema that is not the one of the release in lock.toml, whose
    name and version go into the package. Schemas without a lock.toml claim no release.
    """
    path = reading.lock_file(config, inputs.schemas) if config.source is None else None
    locked = locks.load(path.parent) if path is not None else None
    if locked is None:
        return
    problems = []
    for surface, schema in {**inputs.schemas, **inputs.beside}.items():
        file = locked.files.get(path_of(surface_key(surface)))
        if file is None:
            what = f"is not of {inputs.source}, as which the package would publish it"
            hint = f"leave {surface} out (surfaces), or get it from that release with acpgen sync"
        elif file.contract_sha256 != digest(schema.data):
            what = f"is not the schema of {inputs.source}: it was changed after acpgen sync wrote it"
            hint = (
                "restore it with acpgen sync; to publish schemas of your own, remove lock.toml and"
                " give a version in the table project"
            )
        else:
            continue
        problems.append(Problem(schema.where, what, hint))
    if problems:
        raise ProblemError(problems)
