"""A template and answers -> a project's files, by copier."""

from __future__ import annotations

import io
import re
import traceback
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stderr
from pathlib import Path
from typing import Any

from acpgen.problem import ProblemError
from acpgen.scaffold.template import ANSWERS, CONFIG, Template

Answers = Mapping[str, Any]


def render(template: Template, answers: Answers, folder: Path, *, scratch: Path, ask: bool) -> None:
    """Render a packaged template into a folder.

    answers: what is known. folder: the project's; made. scratch: an empty folder to work in. ask:
    ask for what is not known on the terminal, else take defaults. The project records the
    template's own name and source, and no path of this machine. Raises ProblemError.
    """
    template.write(scratch)
    copy(str(scratch), answers, folder, ask=ask)
    _sign(folder / ANSWERS, template)


def copy(source: str, answers: Answers, folder: Path, *, ask: bool, ref: str | None = None) -> None:
    """Render any copier template. Raises ProblemError for what copier and the template refuse."""
    import copier

    with explained():
        copier.run_copy(
            source,
            folder,
            data=dict(answers),
            vcs_ref=ref,
            defaults=not ask,
            quiet=True,
            overwrite=True,  # into an empty folder
        )


def read_answers(path: Path) -> dict[str, Any]:
    """The answers of a project. Raises ProblemError where there are none."""
    import yaml

    try:
        answers = yaml.safe_load(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        hint = "update works in a project that acpgen new made; give its folder"
        raise ProblemError.of(path.name, f"{path.parent} has no such file", hint) from None
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        what = f"cannot be read: {' '.join(str(error).split())}"
        raise ProblemError.of(path.name, what, "restore it from version control") from None
    if not isinstance(answers, dict):
        raise ProblemError.of(path.name, "has no answers", "restore it from version control")
    return answers


def _sign(path: Path, template: Template) -> None:
    """Put the template's name and source into the answers, in place of the scratch folder's."""
    text = path.read_text(encoding="utf-8")
    text = re.sub(r"(?m)^(_commit|_src_path):.*\n(?:[ \t]+.*\n)*", "", text)
    head, first, rest = _split(text)
    signed = f"{head}_commit: {template.tag}\n_src_path: {template.source}\n{first}{rest}"
    path.write_bytes(signed.encode("utf-8"))


def _split(text: str) -> tuple[str, str, str]:
    """The comment on top, the first line of answers, the rest."""
    lines = text.splitlines(keepends=True)
    at = next((n for n, line in enumerate(lines) if line.strip() and line[0] != "#"), len(lines))
    return "".join(lines[:at]), "".join(lines[at : at + 1]), "".join(lines[at + 1 :])


@contextmanager
def explained() -> Iterator[None]:
    """What copier and templates raise, as a ProblemError; anything else passes."""
    try:
        # copier prints what it raises as well.
        with warnings.catch_warnings(), redirect_stderr(io.StringIO()):
            warnings.simplefilter("ignore")
            yield
    except KeyboardInterrupt:  # copier's own kind is an Exception too
        raise KeyboardInterrupt from None
    except Exception as error:
        problem = _problem(error)
        if problem is None:
            raise
        raise problem from error


def _problem(error: Exception) -> ProblemError | None:
    from copier.errors import (
        CopierError,
        InteractiveSessionError,
        InvalidConfigFileError,
        UnsafeTemplateError,
    )
    from jinja2 import TemplateError

    text = " ".join(str(error).split()) or type(error).__name__
    if isinstance(error, InteractiveSessionError):
        return ProblemError.of("questions", "there is nobody to answer", "use --no-input")
    if isinstance(error, UnsafeTemplateError):
        hint = "a template that you trust: list it under `trust` in copier's settings file"
        return ProblemError.of("template", "runs commands or code of its own", hint)
    if isinstance(error, InvalidConfigFileError):
        return ProblemError.of(f"template {CONFIG}", "is not YAML")
    if isinstance(error, TemplateError):
        return ProblemError.of(_template(error) or "template", f"{type(error).__name__}: {text}")
    if stderr := getattr(error, "stderr", None):  # of git
        return ProblemError.of("template", " ".join(str(stderr).split()))
    if isinstance(error, CopierError | ValueError | OSError):
        return ProblemError.of("template", text)
    where = _template(error)  # whatever an expression in it raises
    if where:
        return ProblemError.of(where, f"{type(error).__name__}: {text}")
    if _last_module(error).startswith("copier."):  # answers of a kind that it did not expect
        return ProblemError.of("template and answers", f"{type(error).__name__}: {text}")
    return None


def _last_module(error: Exception) -> str:
    """The module that raised an error."""
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    return str(frames[-1].f_globals.get("__name__", "")) if frames else ""


def _template(error: Exception) -> str:
    """The file and line of a template that an error comes from, or ""."""
    places = [
        (Path(frame.filename).name, frame.lineno)
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename.endswith(".jinja")
    ]
    name, line = getattr(error, "name", None), getattr(error, "lineno", None)
    if isinstance(name, str) and line is not None:
        places.append((name, line))
    return f"template {places[-1][0]}, line {places[-1][1]}" if places else ""
