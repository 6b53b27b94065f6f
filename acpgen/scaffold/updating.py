"""Bring a newer template into a project whose author has changed it.

The template is rendered twice, as it was when the project was made and as it is now, and git merges the
difference into the project: three ways, renames followed, binary files too. What both sides changed is
left as a conflict in git's own terms; nothing of the author's is ever dropped. The result is staged, not
committed.
"""

from __future__ import annotations

import os
import shlex
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from acpgen.problem import Problem, ProblemError
from acpgen.scaffold import git, history, render
from acpgen.scaffold.template import ANSWERS, KINDS, Template, packaged
from acpgen.scaffold.wishes import Wishes, checked
from acpgen.spec import atomic

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Progress = Callable[[str], None]
Files = dict[str, tuple[str, bytes]]

# How `git status` names the kinds of conflicts.
_CONFLICTS = {
    "DD": "removed on both sides",
    "AU": "added by you, where the template renamed a file",
    "UD": "changed by you, removed from the template",
    "UA": "added by the template, where you renamed a file",
    "DU": "removed by you, changed in the template",
    "AA": "added by you and by the template",
    "UU": "changed by you and by the template",
}


@dataclass(frozen=True, slots=True)
class Updated:
    """What an update did.

    before, after: the template's version; equal where nothing was to do but to change answers.
    changed: files that the update changed without a conflict. conflicts: file -> what happened on
    both sides. generate: the bindings lie in the project, so `acpgen generate` is next. obsolete: the
    folder of bindings that lay in the project and are now a dependency of it.
    """

    before: str
    after: str
    changed: tuple[str, ...] = ()
    conflicts: Mapping[str, str] | None = None
    generate: bool = False
    obsolete: str | None = None
    notices: tuple[str, ...] = ()

    def report(self) -> tuple[str, ...]:
        """For people: what happened, and what comes next."""
        if not (self.changed or self.conflicts):
            return (f"up to date with template {self.after}",)
        head = f"updated from template {self.before} to {self.after}"
        if self.before == self.after:
            head = f"other answers to template {self.after}"
        lines = [head]
        lines += [f"  changed   {path}" for path in self.changed]
        lines += [f"  CONFLICT  {path}: {why}" for path, why in (self.conflicts or {}).items()]
        lines.append("next:")
        if self.conflicts:
            lines.append(
                "  solve the conflicts, git add what you solved (undo all: git reset --merge)"
            )
        if self.generate:
            lines.append("  acpgen generate")
        if self.obsolete is not None:
            folder = shlex.quote(self.obsolete)
            lines.append(f"  git rm -r {folder} (the bindings are a package now), install it")
        return (*lines, "  look at it with git diff --staged, run the tests, git commit")

    def as_json(self) -> dict[str, object]:
        return {**asdict(self), "conflicts": dict(self.conflicts or {})}


@dataclass(frozen=True, slots=True)
class _Side:
    """A template as it was or is: its version, and a function that renders it into a folder."""

    version: str
    render: Callable[[Path], None]


def update(
    folder: Path, *, wishes: Wishes | None = None, progress: Progress = lambda _: None
) -> Updated:
    """Update a project.

    folder: the project's. wishes: answers to change. Raises ProblemError, and then the project is
    as it was; so after an interrupt.
    """
    root = Path(os.path.abspath(folder.expanduser()))  # noqa: PTH100 (a link stays a link)
    if not root.is_dir():
        raise ProblemError.of(str(folder), "is no folder", "give the folder of a project")
    answers = render.read_answers(root / ANSWERS)
    repository, prefix = _repository(root)
    with tempfile.TemporaryDirectory(prefix="acpgen-update-") as temporary:
        work = Path(temporary)
        old, new, notices = _sides(answers, wishes or Wishes(), work)
        progress("rendering the template as it was, and as it is")
        before, after = _rendered(old, work / "old"), _rendered(new, work / "new")
    had, has = _vendored(before), _vendored(after)
    obsolete = had if has is None and had is not None and (root / had).is_dir() else None
    outcome = Updated(
        old.version, new.version, generate=has is not None, obsolete=obsolete, notices=notices
    )
    if before == after:
        return outcome
    progress("merging")
    with atomic.exclusive(root, "acpgen update"):
        _check_clean(repository)
        _check_room(root, repository, prefix, before, after)
        changed, conflicts = _merge(repository, prefix, before, after, new.version)
    return replace(outcome, changed=changed, conflicts=conflicts)


def record() -> tuple[str, ...]:
    """Keep the templates of this acpgen for updates by later ones; their names. Raises ProblemError."""
    templates = [packaged(kind) for kind in KINDS]
    for template in templates:
        history.keep(template)
    return tuple(f"{template.kind} {template.tag}" for template in templates)


def _sides(
    answers: Mapping[str, Any], wishes: Wishes, work: Path
) -> tuple[_Side, _Side, tuple[str, ...]]:
    """The template as it was and as it is, and notices."""
    source, tag = str(answers.get("_src_path", "")), str(answers.get("_commit", ""))
    kept = {key: value for key, value in answers.items() if key[:1] != "_"}
    wanted = {**kept, **wishes.answers()}
    if not source or not tag:
        what = "does not say what the project was made from"
        hint = "only a template that is a git repository can be updated from"
        raise ProblemError.of(ANSWERS, what, hint)
    kind = next((kind for kind in KINDS if source == Template(kind, "", {}).source), None)
    if kind is None:
        checked(wishes, "agent")
        return (
            _Side(tag, lambda folder: render.copy(source, kept, folder, ask=False, ref=tag)),
            _Side("the newest", lambda folder: render.copy(source, wanted, folder, ask=False)),
            (),
        )
    checked(wishes, kind)
    new = packaged(kind)
    notices = history.remember(new)
    old = new if tag == new.tag else _recalled(new, tag)

    def side(template: Template, answers: Mapping[str, Any], name: str) -> _Side:
        scratch = work / name
        return _Side(
            template.tag,
            lambda folder: render.render(template, answers, folder, scratch=scratch, ask=False),
        )

    return side(old, kept, "old-template"), side(new, wanted, "new-template"), notices


def _recalled(new: Template, tag: str) -> Template:
    """The template that a project was made from."""
    from packaging.version import InvalidVersion, Version

    version = tag.split("+")[0]
    try:
        newer = Version(version) > Version(new.version)
    except InvalidVersion:
        raise ProblemError.of(
            ANSWERS, f"_commit {tag!r} is no version", "restore it from version control"
        ) from None
    if newer:
        what = f"the project was made by acpgen {version}, which is newer than this {new.version}"
        raise ProblemError.of(ANSWERS, what, "update acpgen")
    old = history.recall(new, tag)
    if old is None:
        what = f"the template {tag} that the project was made from is not on this machine"
        hint = (
            f"acpgen {version} brings it along: run `uvx acpgen@{version} update --record` or"
            f" `pipx run acpgen=={version} update --record` once, then update again"
        )
        raise ProblemError.of(ANSWERS, what, hint)
    return old


def _rendered(side: _Side, folder: Path) -> Files:
    """What a template renders to."""
    side.render(folder)
    files: Files = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            mode = git.PROGRAM if os.access(path, os.X_OK) else git.FILE
            files[path.relative_to(folder).as_posix()] = (mode, path.read_bytes())
    return files


def _vendored(files: Files) -> str | None:
    """The folder of the bindings that a rendered project generates into itself, or None."""
    _, content = files.get("pyproject.toml", ("", b""))
    try:
        table = tomllib.loads(content.decode("utf-8")).get("tool", {}).get("acpgen")
    except (UnicodeDecodeError, tomllib.TOMLDecodeError):  # a template of one's own
        return None
    if table is None:
        return None
    if table.get("layout") != "package":
        return str(table.get("out", "generated"))
    return f"{table.get('out', '.')}/{table.get('package', 'acp_bindings')}"


def _repository(root: Path) -> tuple[git.Repository, str]:
    """The repository that the project lies in, and the project's path in it (`""`, `agents/demo/`)."""
    repository = git.Repository(root)
    if repository.call("rev-parse", "--is-inside-work-tree").stdout.strip() != b"true":
        hint = "git init, git add --all, git commit; then update"
        raise ProblemError.of(
            str(root), "is in no git repository, so nothing could be undone", hint
        )
    prefix = repository.line("rev-parse", "--show-prefix")
    if not repository.has(f"HEAD:{prefix}{ANSWERS}"):
        raise ProblemError.of(
            str(root), f"{ANSWERS} is in no commit", "commit the project, then update"
        )
    return git.Repository(Path(repository.line("rev-parse", "--show-toplevel"))), prefix


def _check_clean(repository: git.Repository) -> None:
    """Raises ProblemError where a tracked file differs from the last commit."""
    entries = repository.paths("status", "--porcelain", "-z", "--untracked-files=no")
    if entries:
        shown = ", ".join(entry[3:] for entry in entries[:5])
        more = f" and {len(entries) - 5} more" if len(entries) > 5 else ""
        what = f"there are changes that are not committed: {shown}{more}"
        raise ProblemError.of(str(repository.folder), what, "commit or stash them, then update")


def _check_room(
    root: Path, repository: git.Repository, prefix: str, before: Files, after: Files
) -> None:
    """Raises ProblemError where the template adds a file that is there and that git does not know."""
    added = [path for path in after if path not in before]
    tracked = set(repository.paths("ls-files", "-z", "--", *(prefix + path for path in added)))
    raise_for = [
        Problem(path, "is there already, in no commit, and the template adds it", "move it away")
        for path in added
        if prefix + path not in tracked and os.path.lexists(root / path)
    ]
    if raise_for:
        raise ProblemError(raise_for)


def _merge(
    repository: git.Repository, prefix: str, before: Files, after: Files, version: str
) -> tuple[tuple[str, ...], dict[str, str]]:
    """Merge the difference into index and work tree: the changed files, and the conflicts."""
    head = repository.line("rev-parse", "HEAD^{tree}")
    base = repository.commit(
        git.Commit("acpgen's template as it was", before, history.STAMP, head, prefix)
    )
    message = f"Update to acpgen's template {version}"
    tip = repository.commit(git.Commit(message, after, history.STAMP, head, prefix, base))
    try:
        done = repository.call("cherry-pick", "--no-commit", tip)
    except BaseException:
        repository.call("reset", "--merge")
        raise
    conflicts = _conflicts(repository)
    if done.returncode and not conflicts:
        repository.call("reset", "--merge")
        raise ProblemError.of(str(repository.folder), f"git did not merge: {git.complaint(done)}")
    changed = repository.paths("diff", "--cached", "--name-only", "--no-renames", "-z", "HEAD")
    return tuple(path for path in changed if path not in conflicts), conflicts


def _conflicts(repository: git.Repository) -> dict[str, str]:
    entries = repository.paths("status", "--porcelain", "-z", "--untracked-files=no")
    return {entry[3:]: _CONFLICTS[entry[:2]] for entry in entries if entry[:2] in _CONFLICTS}
