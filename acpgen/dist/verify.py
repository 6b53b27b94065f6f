"""Look into the artefacts before anybody else does."""

from __future__ import annotations

import email
import io
import re
import tarfile
import zipfile
from collections.abc import Iterator, Mapping
from email.message import Message
from email.utils import getaddresses
from pathlib import Path

from acpgen import manifest as manifests
from acpgen.config import Config
from acpgen.dist import building
from acpgen.problem import Problem, ProblemError

REQUIRED = (
    "Name",
    "Version",
    "Summary",
    "Description-Content-Type",
    "License-Expression",
    "License-File",
    "Requires-Python",
    "Classifier",
)
"""Fields of the metadata that every package of ours has."""

_SHELL = ("LICENSE", "NOTICE", "README.md", "pyproject.toml", manifests.NAME)
_RELATIVE = re.compile(r"\]\((?![a-z]+:|#)([^)]+)\)")


def check(
    built: building.Built, files: Mapping[str, str], config: Config, version: str, work: Path
) -> None:
    """Raise a ProblemError with every fault of the artefacts.

    files: what was generated. work: the folder in which they were built; it still exists.
    """
    texts = {path: text.encode("utf-8") for path, text in files.items()}
    wheel, sdist = built.files[built.wheel], built.files[built.sdist]
    problems = [
        *_wheel(built.wheel, wheel, texts, config, version),
        *_sdist(built.sdist, sdist, texts, config),
    ]
    folder = work / "artefacts"
    folder.mkdir()
    for name, data in built.files.items():
        (folder / name).write_bytes(data)
    problems += building.twine(sorted(folder.iterdir()), work)
    needle = work.name.encode("utf-8")
    for name, members in ((built.wheel, _zip(wheel)), (built.sdist, _tar(sdist))):
        problems += [
            Problem(f"{name}#{path}", "names the folder in which it was built")
            for path, data in members.items()
            if needle in data
        ]
    if problems:
        raise ProblemError(problems)


def _zip(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _tar(data: bytes) -> dict[str, bytes]:
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:gz") as archive:
        contents = {item.name: archive.extractfile(item) for item in archive if item.isreg()}
        return {name: file.read() for name, file in contents.items() if file is not None}


def _wheel(
    name: str, data: bytes, texts: Mapping[str, bytes], config: Config, version: str
) -> Iterator[Problem]:
    members = _zip(data)
    info = next((path.split("/")[0] for path in members if path.endswith("/METADATA")), "")
    wanted = {
        path.removeprefix("src/"): text for path, text in texts.items() if path.startswith("src/")
    }
    yield from _content(
        name, {path: item for path, item in members.items() if path.split("/")[0] != info}, wanted
    )
    if f"{config.package}/py.typed" not in members:
        yield Problem(name, f"lacks {config.package}/py.typed", "type checkers ignore its types")
    if members.get(f"{info}/extra_metadata/{manifests.NAME}") != texts.get(manifests.NAME):
        yield Problem(
            name,
            f"does not carry {manifests.NAME}",
            "bindings/pyproject.toml.jinja has to put it into extra-metadata",
        )
    # As text: of bytes, email gives what is not ASCII as something that is no str.
    text = members.get(f"{info}/METADATA", b"").decode("utf-8", "replace")
    metadata = email.message_from_string(text)
    where = f"{name}#METADATA"
    for problem in _metadata(metadata, config, version):
        yield Problem(where, problem)
    for path in metadata.get_all("License-File", []):
        if f"{info}/licenses/{path}" not in members:
            yield Problem(where, f"the licence file {path} is not in the wheel")
    for problem in _readme(texts.get("README.md", b"").decode("utf-8"), metadata, config):
        yield Problem("README.md", problem)


def _metadata(metadata: Message, config: Config, version: str) -> Iterator[str]:
    for field in REQUIRED:
        if not metadata.get(field):
            yield f"has no {field}"
    project = config.project
    if _normal(metadata.get("Name", "")) != _normal(project.distribution(config.package)):
        yield f"the name is {metadata.get('Name')}"
    if metadata.get("Version") != version:
        yield f"the version is {metadata.get('Version')}, not {version}"
    if not str(metadata.get_payload()).strip():
        yield "has no description: the README is missing"
    urls = metadata.get_all("Project-URL", [])
    for label, address in project.urls:
        if f"{label}, {address}" not in urls:
            yield f"lacks the URL {label}"
    people = [("", ""), *getaddresses(metadata.get_all("Author-email", []))]
    people += [(name, "") for text in metadata.get_all("Author", []) for name in text.split(", ")]
    for author in project.authors:
        if author not in people:
            yield f"lacks the author {author[0] or author[1]}"


def _readme(text: str, metadata: Message, config: Config) -> Iterator[str]:
    """Extras that it names exist, and no link is relative: an index shows it without the files."""
    name = re.escape(config.project.distribution(config.package))
    named = {
        _normal(extra.strip())
        for group in re.findall(rf"{name}\[([^\]]+)\]", text, re.IGNORECASE)
        for extra in group.split(",")
    } | {_normal(extra) for extra in re.findall(r"\bextra `([^`]+)`", text)}
    provided = {_normal(extra) for extra in metadata.get_all("Provides-Extra", [])}
    for extra in sorted(named - provided):
        yield f"names the extra {extra}, which the package does not have"
    for target in _RELATIVE.findall(text):
        yield f"links to {target}, which an index cannot show"


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _sdist(
    name: str, data: bytes, texts: Mapping[str, bytes], config: Config
) -> Iterator[Problem]:
    """Exactly the generated project: no bytecode, no file of the machine, no owner's name."""
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:gz") as archive:
        for member in archive:
            if member.uname or member.gname or member.uid or member.gid:
                yield Problem(f"{name}#{member.name}", "tells whose file it was")
    top = name.removesuffix(".tar.gz") + "/"
    members = _tar(data)
    yield from (
        Problem(f"{name}#{path}", f"is not below {top}")
        for path in members
        if not path.startswith(top)
    )
    inside = {path.removeprefix(top): item for path, item in members.items()}
    if "PKG-INFO" not in inside:
        yield Problem(name, "has no PKG-INFO")
    wanted = {
        path: text
        for path, text in texts.items()
        if path in _SHELL or path.startswith(f"src/{config.package}/")
    }
    yield from _content(
        name, {path: item for path, item in inside.items() if path != "PKG-INFO"}, wanted
    )


def _content(
    name: str, members: Mapping[str, bytes], wanted: Mapping[str, bytes]
) -> Iterator[Problem]:
    for path in sorted({*members, *wanted}):
        if path not in wanted:
            yield Problem(f"{name}#{path}", "does not belong there: acpgen did not generate it")
        elif path not in members:
            yield Problem(f"{name}#{path}", "is missing")
        elif members[path] != wanted[path]:
            yield Problem(f"{name}#{path}", "differs from what was generated")
