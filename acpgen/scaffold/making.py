"""A new project: names, place, files, bindings; all of it or nothing."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from acpgen.problem import ProblemError
from acpgen.scaffold import history, place, render
from acpgen.scaffold import names as naming
from acpgen.scaffold.template import ANSWERS, packaged
from acpgen.scaffold.wishes import Wishes, checked

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Created:
    """A project that was made.

    path: its folder, as it was asked for. names: name, distribution, package, class_name. answers: to
    the template's questions. files: how many there are. notices: for the user.
    """

    path: str
    kind: str
    names: naming.Names
    answers: dict[str, Any]
    files: int
    notices: tuple[str, ...] = ()

    @property
    def next_commands(self) -> tuple[str, str]:
        """What to type next: go there; set it up and try it."""
        return (f"cd {_quoted(self.path)}", "python -m pip install -e . pytest && python -m pytest")

    def report(self) -> tuple[str, ...]:
        """For people: what was made, and what comes next."""
        head = f"made {self.path} ({self.files} files): the {self.kind} {self.names.name}"
        return (head, "next:", *(f"  {command}" for command in self.next_commands))

    def as_json(self) -> dict[str, object]:
        return {**asdict(self), "next": list(self.next_commands)}


def new(
    name: str,
    *,
    kind: str = "agent",
    wishes: Wishes | None = None,
    path: Path | None = None,
    ask: bool = False,
    template: str | None = None,
    jobs: int | None = None,
    progress: Progress = lambda _: None,
) -> Created:
    """Make a project.

    name: as typed. path: its folder; default: the distribution's name, in the working folder. ask:
    ask on the terminal for what the wishes leave open. template: a copier template of one's own, a
    folder or a git URL. Raises ProblemError, and then nothing was written; an
    interrupt leaves nothing either.
    """
    wishes = checked(wishes or Wishes(), kind)
    names = naming.names(name, word=kind)
    shown = path if path is not None else Path(names.distribution)
    target = place.checked(shown)
    own = _own(template)
    data = {**asdict(names), **wishes.answers()}
    notices: tuple[str, ...] = ()
    with place.staged(target) as (project, scratch):
        if not ask:
            progress("rendering the project")
        if own is None:
            packed = packaged(kind)
            render.render(packed, data, project, scratch=scratch, ask=ask)
            notices = history.remember(packed)
        else:
            render.copy(own, data, project, ask=ask)
        answers = _answers(project)
        if (project / "pyproject.toml").is_file():
            _bindings(project, jobs, progress)
        count = sum(1 for found in project.rglob("*") if found.is_file())
        _open(project)
    return Created(shown.as_posix(), kind, names, answers, count, notices)


def _own(template: str | None) -> str | None:
    """A template of one's own as copier takes it: folders absolute, whatever the working folder."""
    if template is None:
        return None
    if not template.strip():
        raise ProblemError.of("command line", "--template is empty", "give a folder or a git URL")
    folder = Path(template).expanduser()
    if folder.exists() and not folder.is_dir() and folder.suffix != ".bundle":
        raise ProblemError.of(f"--template {template}", "is a file", "give a folder or a git URL")
    if folder.is_dir() and not any((folder / f"copier.{end}").exists() for end in ("yml", "yaml")):
        raise ProblemError.of(f"--template {template}", "has no copier.yml, so is no template")
    if not folder.exists() and ":" not in template and not template.endswith(".git"):
        raise ProblemError.of(f"--template {template}", "is no folder, and no git URL either")
    return str(folder.resolve()) if folder.exists() else template


def _answers(project: Path) -> dict[str, Any]:
    """What the project was made from; a template of one's own may keep no record of it."""
    path = project / ANSWERS
    if not path.is_file():
        return {}
    return {key: value for key, value in render.read_answers(path).items() if key[:1] != "_"}


def _bindings(project: Path, jobs: int | None, progress: Progress) -> None:
    """Generate the bindings that the project's own pyproject.toml asks for."""
    from acpgen import config, generate

    file = project / "pyproject.toml"
    if "acpgen" not in config.read_toml(file).get("tool", {}):
        return
    progress("generating the bindings")
    generate.generate(config.load(start=project, file=file), jobs=jobs, progress=progress)


def _open(project: Path) -> None:
    """Give the folder the mode that other new folders get; a temporary one is closed to others."""
    mask = os.umask(0)
    os.umask(mask)
    project.chmod(0o777 & ~mask)


def _quoted(path: str) -> str:
    import shlex

    return shlex.quote(path)
