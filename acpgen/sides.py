"""What `acpgen diff A B` compares: two words from the command line -> Specs.

A word is one of
- a surface of the configured schemas: `v1`, `v1-unstable` (or `v1_unstable`), `v2`, ...;
- a release: whatever `acpgen.spec.source` takes (`npm:PACKAGE@VERSION`, a folder, a tarball, a URL);
- one surface of a release: `RELEASE#v2-unstable`.

Where only one of the two names a surface, the other is asked for the same. Where none does, every
surface that both have is compared, and what only one has is a notice.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from acpgen import inputs as reading
from acpgen.config import DEFAULT_SURFACES, Config, surface_key
from acpgen.inputs import Inputs
from acpgen.problem import Problem, ProblemError
from acpgen.spec.ir import Spec

_SURFACE = re.compile(r"v[1-9][0-9]*(?:[-_]unstable)?")
_ELSEWHERE = re.compile(r"npm:|[A-Za-z][A-Za-z0-9+.-]+://")
_HINT = "give v1, v2-unstable, ..., a release (npm:PACKAGE@VERSION, a folder, a tarball, a URL), or RELEASE#v2"


@dataclass(frozen=True, slots=True)
class Word:
    """One of the two words. source: the release, None for the configured schemas. surface: "" for every one."""

    text: str
    source: str | None
    surface: str


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a diff.

    label: as it was given. specs: what is compared, in the order of the other side's. labels: of each
    Spec ("v1", "v1 of npm:...@2.1.0"). notices: what was skipped.
    """

    label: str
    specs: tuple[Spec, ...]
    labels: tuple[str, ...]
    notices: tuple[str, ...] = ()


def word(text: str) -> Word:
    """What a word means. Raises ProblemError for one that can be nothing."""
    if _SURFACE.fullmatch(text):
        return Word(text, None, _name(text))
    source, mark, surface = text.rpartition("#")
    if mark and not Path(text).exists():
        if not source:
            raise ProblemError.of(text, "names no release before the #", _HINT)
        if not _SURFACE.fullmatch(surface):
            raise ProblemError.of(text, f"{surface!r} is no surface", _near(surface))
        return Word(text, source, _name(surface))
    if not text:
        raise ProblemError.of("acpgen diff", "there is an empty argument", _HINT)
    if not _ELSEWHERE.match(text) and not Path(text).exists():
        what = "is no surface, and there is no such file or folder"
        raise ProblemError.of(text, what, _near(text))
    return Word(text, text, "")


def pair(settings: Config, a: str, b: str) -> tuple[Side, Side]:
    """Both sides, with as many Specs each, the first to be compared with the first, and so on.

    settings: where the configured schemas are, and the overlays of either side. What methods.toml does
    not name is a notice. Raises ProblemError with the faults of both words, or of what they stand for.
    """
    words: list[Word] = []
    problems: list[Problem] = []
    for text in (a, b):
        try:
            words.append(word(text))
        except ProblemError as error:
            problems += error.problems
    if problems:
        raise ProblemError(problems)
    settings = replace(settings, allow_ungated=True, docs=False)
    shelf = _Shelf(settings)
    old, new = words
    names, notices = shelf.names(old, new)
    shelf.want(old, [name for name, _ in names])
    shelf.want(new, [name for _, name in names])
    first = shelf.side(old, [name for name, _ in names])
    second = shelf.side(new, [name for _, name in names])
    told = first.notices, second.notices
    first = replace(first, notices=(*notices, *_placed(told[0], old, told[1])))
    return first, replace(second, notices=tuple(_placed(told[1], new, told[0])))


class _Shelf:
    """What was read, by source: a release that stands on both sides is read and built once."""

    def __init__(self, settings: Config) -> None:
        self.settings = settings
        self.read: dict[str | None, Inputs] = {}
        self.wanted: dict[str | None, dict[str, None]] = {}
        self.built: dict[str | None, Mapping[str, Spec]] = {}
        self.told: dict[str | None, tuple[str, ...]] = {}

    def names(self, old: Word, new: Word) -> tuple[list[tuple[str, str]], list[str]]:
        """The surfaces to compare, as pairs, and notices of what is left out."""
        if old.surface or new.surface:
            pair = (old.surface or new.surface, new.surface or old.surface)
            return [pair], []
        left, right = self.inputs(old).schemas, self.inputs(new).schemas
        both = [name for name in left if name in right]
        if not both:
            what = f"has {', '.join(map(_shown, left))}, and {new.text} has {', '.join(map(_shown, right))}"
            hint = f"name one of each: {old.text}#{_shown(next(iter(left)))}"
            raise ProblemError.of(old.text, what, hint)
        notices = [
            f"only {item.text} has {_shown(name)}: not compared"
            for item, own in ((old, left), (new, right))
            for name in own
            if name not in both
        ]
        return [(name, name) for name in both], notices

    def inputs(self, item: Word) -> Inputs:
        """The schemas of a source, read once."""
        if item.source not in self.read:
            settings = replace(self.settings, surfaces=None)
            if item.source is not None:
                settings = replace(settings, source=item.source, base=Path.cwd())
            with _told_by(item):
                self.read[item.source] = reading.read(settings)
        return self.read[item.source]

    def want(self, item: Word, names: list[str]) -> None:
        """Ask for surfaces of a source; they are built together. Raises ProblemError for those it lacks."""
        known = self.inputs(item).schemas
        for name in names:
            if name not in known:
                words = item.text if item.source is not None else self.inputs(item).source
                what = f"has no surface {_shown(name)}"
                raise ProblemError.of(words, what, f"it has {', '.join(map(_shown, known))}")
            self.wanted.setdefault(item.source, {})[name] = None

    def side(self, item: Word, names: list[str]) -> Side:
        """The Specs of surfaces that were asked for. Notices stand on the first side of a source."""
        first = item.source not in self.built
        if first:
            self._build(item)
        specs = self.built[item.source]
        return Side(
            item.text,
            tuple(specs[name] for name in names),
            tuple(self._label(item, name) for name in names),
            self.told[item.source] if first else (),
        )

    def _build(self, item: Word) -> None:
        from acpgen import generate as generation

        inputs = self.inputs(item)
        names = sorted(self.wanted[item.source], key=surface_key)
        stable = sorted({name.removesuffix("_unstable") for name in names} - set(names))
        chosen = replace(
            inputs,
            schemas={name: inputs.schemas[name] for name in names},
            beside={name: inputs.schemas[name] for name in stable if name in inputs.schemas},
        )
        with _told_by(item):
            specs, notices = generation.build_specs(self.settings, chosen, bindings=False)
        self.built[item.source] = {spec.surface: spec for spec in specs}
        self.told[item.source] = tuple(dict.fromkeys(notices))

    def _label(self, item: Word, name: str) -> str:
        if item.source is None:
            return name
        source, inputs = item.source, self.inputs(item)
        if source.startswith("npm:") and inputs.version:  # a tag is resolved to its version
            source = f"{source.rpartition('@')[0]}@{inputs.version}"
        elif inputs.version and not any(
            key != source and other.source == inputs.source for key, other in self.read.items()
        ):
            source = inputs.source
        return f"{name} of {source}"


@contextmanager
def _told_by(item: Word) -> Iterator[None]:
    """Let problems say of which of the two releases they are."""
    try:
        yield
    except ProblemError as error:
        raise ProblemError(
            replace(one, where=_of(item, one.where)) for one in error.problems
        ) from None


def _of(item: Word, where: str) -> str:
    """A place, with the release that it is in."""
    if item.source is None or where.startswith(item.source):
        return where
    return f"{item.source}: {where}"


def _placed(notices: Sequence[str], item: Word, others: Sequence[str]) -> Iterator[str]:
    """Notices with the release that they are about, unless the other one has them too."""
    for text in notices:
        plain = item.source is None or text in others
        yield text if plain else f"{text} (in {item.source})"


def _name(text: str) -> str:
    return text.replace("-", "_")


def _shown(name: str) -> str:
    """A surface as people write it on the command line."""
    return name.replace("_", "-")


def _near(text: str) -> str:
    known = [_shown(name) for name in DEFAULT_SURFACES]
    near = difflib.get_close_matches(text.lower().replace("_", "-"), known, n=1)
    return f"did you mean {near[0]}?" if near else _HINT
