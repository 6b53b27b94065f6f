"""The names of a project: from what was typed to a distribution, a package and a class.

`My Agent 2` becomes the distribution `my-agent-2`, the package `my_agent_2`, the class `MyAgent2`. What
cannot be a project's name is refused with a suggestion that can.
"""

from __future__ import annotations

import builtins
import keyword
import re
import sys
import unicodedata
from dataclasses import dataclass

from acpgen.problem import ProblemError

LONGEST = 64
"""Characters of a distribution's name: room for what packaging puts behind it in file names."""

# The bindings and what they, the project's tests and its build import: a package of such a name hides it.
_IMPORTED = frozenset(
    "acp acp_bindings acp_runtime acpgen agent_client_protocol annotated_types black blackd blib2to3 hatchling "
    "iniconfig jsonschema mypy mypy_extensions mypyc packaging pathspec pip pluggy pydantic pydantic_core pygments "
    "pytest pytokens ruff setuptools tomli typing_extensions typing_inspection uv wheel".split()
)
# Folders of the project itself, and what tools make in it.
_FOLDERS = frozenset("build dist docs env node_modules src test tests venv".split())
# Modules that some supported Python has and the running one may lack.
_OTHER_STDLIB = frozenset(
    "aifc annotationlib asynchat asyncore audioop cgi cgitb chunk compression crypt distutils imghdr imp lib2to3 "
    "mailcap msilib nis nntplib ossaudiodev pipes smtpd sndhdr spwd sunau telnetlib tomllib uu xdrlib".split()
)
# The console script lies in the environment's bin folder, before everything else on the path.
_COMMANDS = frozenset(
    "activate awk bash cat cd chmod chown cp curl cut date deactivate df diff dmypy du echo ed find git grep gzip hatch "
    "head hostname install kill less ln ls make man mkdir more mv node nox npm npx openssl pipx ps pwd py pygmentize "
    "pyw rm rmdir sed sh sleep sort ssh stubgen stubtest sudo tail tar tee touch tox tr true twine uname unzip uvx vi "
    "vim virtualenv wc wget where whereis which who whoami xargs zip zsh".split()
)
# Interpreters and what comes with them; each of these is there with the version behind its name, too.
_VERSIONED = re.compile("(?:idle|pip|pydoc|python|pythonw)[0-9]*")
_DEVICES = frozenset(
    ["con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))]
)
# In lower case: names are compared without it, as file systems do.
_KEYWORDS = frozenset(name.lower() for name in (*keyword.kwlist, *keyword.softkwlist))
_BUILTINS = frozenset(name.lower() for name in dir(builtins))

_SEPARATORS = re.compile(r"[-_. ]+")
_SIGNS = re.compile(r"[A-Za-z0-9._ -]*")


@dataclass(frozen=True, slots=True)
class Names:
    """The names of one project.

    name: as typed, for people. distribution: for packaging, the console script and the folder.
    package: for imports. class_name: for the class that stands for it.
    """

    name: str
    distribution: str
    package: str
    class_name: str


def names(typed: str, word: str = "agent") -> Names:
    """The names that follow from what was typed.

    word: what kind of project it is, for suggestions. Raises ProblemError with a suggestion for
    what is impossible.
    """
    fault = _fault(typed)
    if fault is not None:
        raise ProblemError.of(f"project name {typed!r}", fault, _hint(typed, word))
    words = _words(typed)
    distribution = "-".join(words).lower()
    return Names(
        name=" ".join(typed.split()),
        distribution=distribution,
        package=distribution.replace("-", "_"),
        class_name="".join(word[0].upper() + word[1:] for word in words),
    )


def suggestion(typed: str, word: str = "agent") -> str:
    """A name that is possible and as near as can be to what was typed."""
    folded = unicodedata.normalize("NFKD", typed).encode("ascii", "ignore").decode()
    base = "-".join(re.findall(r"[a-z0-9]+", folded.lower()))[: LONGEST // 2].strip("-")
    for candidate in (base, f"{base}-{word}", f"{word}-{base}"):
        if base and _fault(candidate) is None:
            return candidate
    return f"my-{word}"


def _words(typed: str) -> list[str]:
    return [word for word in _SEPARATORS.split(typed) if word]


def _hint(typed: str, word: str) -> str:
    last = re.split(r"[/\\]", typed.rstrip("/\\"))[-1]
    if last != typed and last:
        name = suggestion(last, word)
        return f"acpgen new {name} --path FOLDER says where the project goes"
    return f"try {suggestion(typed, word)}"


def _fault(typed: str) -> str | None:
    """Why a name is impossible, or None."""
    if not typed.strip():
        return "is empty"
    if not typed.isascii():
        return "has letters or signs that packaging does not accept: only ASCII letters, digits, - _ . and space"
    if "/" in typed or "\\" in typed:
        return "is a path, not a name"
    if not _SIGNS.fullmatch(typed):
        return "has signs other than letters, digits, - _ . and space"
    words = _words(typed)
    if not words:
        return "has no letter"
    package = "_".join(words).lower()
    if len(package) > LONGEST:
        return f"is too long: {len(package)} characters, {LONGEST} are possible"
    if not package[0].isalpha():
        return "begins with a digit, which no Python package may"
    return _taken(package)


def _taken(package: str) -> str | None:
    """Whose name a package's name is already, or None."""
    if package in _KEYWORDS:
        return f"{package} is a word of the Python language"
    if package in _BUILTINS:
        return f"{package} is the name of something that is built into Python"
    stdlib = {name.lower() for name in sys.stdlib_module_names} | _OTHER_STDLIB
    if package in stdlib:
        return f"{package} is a module of Python's standard library"
    if package in _IMPORTED:
        return f"{package} is a package that the project, its tests or its tools import"
    if package in _DEVICES:
        return f"{package} is the name of a device on Windows"
    if package in _FOLDERS:
        return f"{package} is the name of a folder that projects have"
    if package in _COMMANDS or _VERSIONED.fullmatch(package):
        return f"the command {package} would hide another one"
    return None
