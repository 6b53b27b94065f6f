"""HTTP(S) downloads, bounded in time and size."""

from __future__ import annotations

import http.client
import time
import urllib.error
import urllib.request
from typing import IO, Any
from urllib.parse import urlsplit

from acpgen.problem import ProblemError
from acpgen.spec import archive

TIMEOUT = 30.0
"""Seconds without an answer."""
DEADLINE = 300.0
"""Seconds for all of it."""

_CHUNK = 1 << 16


def download(url: str) -> bytes:
    """The bytes behind a URL.

    Raises ProblemError: not http(s), an HTTP error, no network, a redirect to another scheme, an
    answer that ends early, one that is larger than archive.MAX_PACKED or takes longer than
    DEADLINE.
    """
    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise ProblemError.of(url, f"is no address: {error}") from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ProblemError.of(url, "is no http or https address", "give a path for a local file")
    if parts.username is not None:
        where = f"{parts.scheme}://{parts.hostname}{parts.path}"
        raise ProblemError.of(where, "holds a user name: it would be written to the lock file")
    request = urllib.request.Request(url, headers={"User-Agent": "acpgen", "Accept": "*/*"})
    try:
        with urllib.request.build_opener(_Redirects).open(request, timeout=TIMEOUT) as answer:
            return _body(answer, url)
    except urllib.error.HTTPError as error:
        raise ProblemError.of(url, f"answered HTTP {error.code} {error.reason}") from None
    except urllib.error.URLError as error:
        what = f"cannot be reached: {error.reason}"
        raise ProblemError.of(url, what, _NO_NETWORK) from None
    except (http.client.InvalidURL, ValueError) as error:  # a port or a host name that cannot be
        raise ProblemError.of(url, f"is no address: {error}") from None
    except (TimeoutError, http.client.HTTPException, OSError) as error:
        what = f"broke off: {error or type(error).__name__}"
        raise ProblemError.of(url, what, _NO_NETWORK) from None


_NO_NETWORK = "without a network, sync from a folder or a tarball"


def _body(answer: Any, url: str) -> bytes:
    end = time.monotonic() + DEADLINE
    length = answer.headers.get("Content-Length", "")
    body = bytearray()
    while chunk := answer.read(_CHUNK):
        body += chunk
        if len(body) > archive.MAX_PACKED:
            raise ProblemError.of(url, f"sends more than {archive.MAX_PACKED >> 20} MiB: refused")
        if time.monotonic() > end:
            raise ProblemError.of(url, f"takes longer than {DEADLINE:.0f} seconds: given up")
    if length.isdigit() and len(body) < int(length):
        what = f"ended early: {len(body)} of {length} bytes"
        raise ProblemError.of(url, what, "try again")
    return bytes(body)


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Follows redirects, but never to another scheme than http(s), nor from https to http."""

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: http.client.HTTPMessage,
        newurl: str,
    ) -> urllib.request.Request | None:
        scheme = urlsplit(newurl).scheme
        if scheme not in ("http", "https") or (req.type == "https" and scheme == "http"):
            raise ProblemError.of(req.full_url, f"redirects to {newurl}: refused")
        return super().redirect_request(req, fp, code, msg, headers, newurl)

    def http_error_302(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: http.client.HTTPMessage,
    ) -> Any:
        """The base class answers a redirect to another scheme with an HTTP error of its own; this
        one says what it is.
        """
        location = headers.get("Location") or headers.get("URI") or ""
        scheme = urlsplit(location).scheme
        if scheme not in ("", "http", "https"):
            raise ProblemError.of(req.full_url, f"redirects to {location}: refused")
        return super().http_error_302(req, fp, code, msg, headers)

    http_error_301 = http_error_303 = http_error_307 = http_error_308 = http_error_302
