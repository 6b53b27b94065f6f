# Part of acpgen's runtime, copied as it is. Do not edit.
"""Which protocol version a connection speaks.

An agent serves a set of versions and a client asks for one of its own; the answer is a version or
the error -32022. Nothing but `protocolVersion` is looked at before that is decided.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, TypeAlias

from .errors import InvalidParams, UnsupportedProtocolVersion

Policy: TypeAlias = Callable[[int, Collection[int]], "int | None"]
"""(requested, served) -> the version to answer, or None for the error."""

_FIELD = "protocolVersion"
_LARGEST = 65535


def newest_at_or_below(requested: int, served: Collection[int]) -> int | None:
    """The highest version served that is not above the one asked for.

    An agent that serves version 1 alone answers 1 whatever it was asked for: the rule from before
    there was a second version.
    """
    fitting = [version for version in served if version <= requested]
    if fitting:
        return max(fitting)
    return 1 if set(served) == {1} else None


def always_newest(requested: int, served: Collection[int]) -> int | None:
    """The version asked for where it is served, else the newest; the client closes if it cannot."""
    return requested if requested in served else max(served, default=None)


def requested_version(params: Any) -> int:
    """The version that `initialize` params ask for.

    Raises InvalidParams, naming the field, for anything but a JSON integer from 0 to 65535 that is
    written without a fraction: text, true, 1.0, a date and a missing value are none.
    """
    if not isinstance(params, Mapping):
        raise invalid_params([("", "must be an object", "model_type")])
    if _FIELD not in params:
        raise invalid_params([(f"/{_FIELD}", "is required", "missing")])
    version = params[_FIELD]
    if type(version) is not int or not 0 <= version <= _LARGEST:
        raise invalid_params([(f"/{_FIELD}", f"must be an integer, 0 to {_LARGEST}", "version")])
    return version


def choose(requested: int, served: Collection[int], policy: Policy = newest_at_or_below) -> int:
    """The version to answer. Raises UnsupportedProtocolVersion, with both sides in its data."""
    chosen = policy(requested, served)
    if chosen is None:
        raise UnsupportedProtocolVersion(requested, sorted(served))
    if chosen not in served:
        raise ValueError(f"the policy chose version {chosen}, which is not served")
    return chosen


def invalid_params(problems: Collection[tuple[str, str, str]]) -> InvalidParams:
    """The error -32602; its data says what is wrong where: {"errors": [{"pointer", "message"}]}."""
    words = "; ".join(f"{pointer or 'params'} {message}" for pointer, message, _kind in problems)
    return InvalidParams(
        f"Invalid params: {words}",
        {"errors": [{"pointer": pointer, "message": message} for pointer, message, _ in problems]},
    )
