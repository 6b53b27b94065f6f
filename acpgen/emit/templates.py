"""The Jinja environment, and the merged template folder that datamodel-code-generator reads.

A template's path below templates/ is its name. A user's folder overrides single files by the same
relative path; a file in it that overrides nothing is a Problem, because a template that was renamed
here would otherwise be ignored in silence there.
"""

from __future__ import annotations

import json
import shutil
import tempfile
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property, partial
from pathlib import Path

from jinja2 import (
    ChoiceLoader,
    Environment,
    FileSystemLoader,
    StrictUndefined,
    TemplateError,
    TemplateSyntaxError,
)

from acpgen import resources
from acpgen.problem import Problem, ProblemError

DCG = "dcg"


class Templates:
    """The templates of one run, user folders first."""

    def __init__(self, user_folders: Sequence[Path] = ()) -> None:
        self.folders = tuple(user_folders)
        self.files = resources.template_files(self.folders)

    @cached_property
    def environment(self) -> Environment:
        folders = [*self.folders, resources.templates_dir()]
        environment = Environment(
            loader=ChoiceLoader([FileSystemLoader(folder) for folder in folders]),
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
            autoescape=False,
        )
        environment.filters["py"] = repr
        environment.filters["toml"] = partial(json.dumps, ensure_ascii=False)
        return environment

    def names(self, prefix: str) -> list[str]:
        """Names below a folder of templates, without partials (a file that begins with one `_`)."""
        below = (name for name in sorted(self.files) if name.startswith(f"{prefix}/"))
        return [name for name in below if not _is_partial(name)]

    def render(self, name: str, context: Mapping[str, object]) -> str:
        """The text of one template. Raises ProblemError naming the template and the line for any
        error in it.
        """
        if not name.endswith(".jinja"):
            return self.files[name].read_text(encoding="utf-8")
        with explained(self.files):
            return self.environment.get_template(name).render(context)


def _is_partial(name: str) -> bool:
    base = name.rsplit("/", 1)[-1]
    return base.startswith("_") and not base.startswith("__")


@contextmanager
def explained(files: Mapping[str, Path]) -> Iterator[None]:
    """Turn what a template raises into a ProblemError that names the template and the line.

    `files` maps template names to the files that they come from. An error that no template raised
    passes through.
    """
    try:
        yield
    except ProblemError:
        raise
    except Exception as error:
        problem = template_problem(error, files)
        if problem is None:
            raise
        raise ProblemError([problem]) from error


def template_problem(error: BaseException, files: Mapping[str, Path]) -> Problem | None:
    """What went wrong in which template, or None where the error comes from no template.

    Follows the chain of causes, so it also explains an error that datamodel-code-generator wrapped.
    """
    chain: BaseException | None = error
    while chain is not None:
        if isinstance(chain, TemplateSyntaxError):
            where = _template_name(chain.filename or chain.name or "template", files)
            return Problem(
                f"template {where}, line {chain.lineno}", chain.message or "syntax error"
            )
        for frame in reversed(traceback.extract_tb(chain.__traceback__)):
            if (where := _template_name(frame.filename, files)) != frame.filename:
                return Problem(
                    f"template {where}, line {frame.lineno}", f"{type(chain).__name__}: {chain}"
                )
        if isinstance(chain, TemplateError):
            return Problem("template", f"{type(chain).__name__}: {chain}")
        chain = chain.__cause__ or chain.__context__
    return None


def _template_name(filename: str, files: Mapping[str, Path]) -> str:
    """The template's name for a file that holds it, or the filename as it is."""
    path = Path(filename)
    for name, source in files.items():
        if path == source or (name.startswith(f"{DCG}/") and path.as_posix().endswith(f"/{name}")):
            return name
    return filename


@contextmanager
def dcg_template_dir(user_folders: Sequence[Path] = ()) -> Iterator[Path]:
    """The folder for datamodel-code-generator's `custom_template_dir`: our dcg/ with the user's
    files laid over it.

    Without overrides it is the packaged folder itself; else a temporary folder, gone when the
    context ends. What a template raises inside the context becomes a ProblemError that names the
    template and the line.
    """
    files = {
        name: path
        for name, path in resources.template_files(user_folders).items()
        if name.startswith(f"{DCG}/")
    }
    packaged = resources.templates_dir()
    with explained(files):
        if all(path.is_relative_to(packaged) for path in files.values()):
            yield packaged / DCG
            return
        with tempfile.TemporaryDirectory(prefix="acpgen-templates-") as temporary:
            for name, path in files.items():
                target = Path(temporary) / name
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, target)
            yield Path(temporary) / DCG
