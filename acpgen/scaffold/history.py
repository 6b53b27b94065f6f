"""The templates that this user's acpgens brought along, as a git repository with a tag for each.

`acpgen new` and `acpgen update` put the packaged template there, so that a later update can tell what
changed since, and plain `copier update` works too. A commit has no parent, a fixed author and a fixed
date: one template has one commit, on every machine.
"""

from __future__ import annotations

from pathlib import Path

from acpgen.problem import ProblemError
from acpgen.scaffold import git
from acpgen.scaffold.template import Template
from acpgen.spec import atomic

BRANCH = "refs/heads/main"

STAMP = "acpgen <acpgen@localhost> 1767225600 +0000"


def folder(template: Template) -> Path:
    """Where the templates of a kind are kept for this user."""
    return Path(template.source).expanduser()


def remember(template: Template) -> tuple[str, ...]:
    """Keep a template for later updates; notices where that is not possible."""
    try:
        keep(template)
    except ProblemError as error:
        reason = error.problems[0]
        return (
            f"the template was not kept for later updates: {reason.where}: {reason.what};"
            " acpgen update --record does it later, with this version of acpgen",
        )
    return ()


def keep(template: Template) -> None:
    """Put a template into the repository, tagged; newest on the branch. Raises ProblemError."""
    root = folder(template)
    try:
        root.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError) as error:
        raise ProblemError.of(str(root), f"cannot be made: {error}") from None
    with atomic.exclusive(root, "acpgen"):
        repository = git.Repository(root)
        if not (root / ".git").is_dir():
            repository.run("init", "--quiet", "--initial-branch=main")
        commit = _commit(repository, template)
        repository.run("update-ref", f"refs/tags/{template.tag}", commit)
        repository.run("symbolic-ref", "HEAD", BRANCH)
        repository.run("update-ref", BRANCH, commit)
        # What lies there is never used, but copier takes the folder for changed if it differs.
        repository.run("reset", "--quiet", "--hard")


def recall(template: Template, tag: str) -> Template | None:
    """The template of a tag, of the same kind; None where this user has not seen it."""
    root = folder(template)
    if not (root / ".git").is_dir():
        return None
    repository = git.Repository(root)
    if not repository.has(f"refs/tags/{tag}"):
        return None
    files = repository.files(f"refs/tags/{tag}")
    found = Template(template.kind, tag.split("+")[0], files)
    if found.tag != tag:
        what = f"the template {tag} is not what it was"
        raise ProblemError.of(str(root), what, "remove this folder, and run acpgen update again")
    return found


def _commit(repository: git.Repository, template: Template) -> str:
    message = f"acpgen's template for {template.kind} projects, {template.tag}"
    files = {path: (git.FILE, data) for path, data in template.files.items()}
    return repository.commit(git.Commit(message, files, STAMP))
