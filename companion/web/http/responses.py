"""Headers of every response, and compression of public files.

Only style sheets, scripts and drawings are compressed, which are the same for everybody.  Pages are not: they hold
secrets of one player beside text that somebody else may choose, so that their compressed size would leak (BREACH).
"""

import gzip
from functools import lru_cache
from http import HTTPStatus
from pathlib import Path

from flask import Flask, request
from werkzeug.wrappers import Response

from companion.web.http.metrics import metrics

CONTENT_SECURITY_POLICY = (
    "default-src 'self'; base-uri 'none'; object-src 'none'; form-action 'self'; frame-ancestors 'none'"
)


def register_headers(app: Flask) -> None:
    """Register headers that restrict what pages may do, and that keep positions out of caches."""
    app.after_request(_add)


def _add(answer: Response) -> Response:
    headers = answer.headers
    headers["Content-Security-Policy"] = CONTENT_SECURITY_POLICY
    headers["X-Content-Type-Options"] = "nosniff"
    headers["X-Frame-Options"] = "DENY"
    # Not "no-referrer": with it browsers send "Origin: null" with forms, which looks like another site.
    headers["Referrer-Policy"] = "same-origin"
    headers["Permissions-Policy"] = "camera=(self), microphone=(), geolocation=()"
    headers["Cross-Origin-Resource-Policy"] = "same-origin"
    if request.endpoint != "static":
        headers.setdefault("Cache-Control", "no-store")
    metrics().count("answers", status=f"{answer.status_code // 100}xx")
    return answer


ENDPOINTS = frozenset({"static", "assets.game_static"})
COMPRESSED = frozenset({".css", ".js", ".svg"})
"""Suffixes of text files; pictures are compressed already."""


def register_compression(app: Flask) -> None:
    """Register gzip for public files."""
    app.after_request(_compress)


def _compress(answer: Response) -> Response:
    path = Path(str((request.view_args or {}).get("filename", "")))
    if request.endpoint not in ENDPOINTS or path.suffix not in COMPRESSED:
        return answer
    answer.headers.add("Vary", "Accept-Encoding")
    if etag := answer.get_etag()[0]:
        answer.set_etag(etag, weak=True)  # the same content, compressed or not
    if answer.status_code != HTTPStatus.OK or request.method != "GET" or not request.accept_encodings["gzip"]:
        return answer
    answer.direct_passthrough = False
    answer.set_data(_gzipped(answer.get_data()))
    answer.headers["Content-Encoding"] = "gzip"
    return answer


@lru_cache(maxsize=128)
def _gzipped(whole: bytes) -> bytes:
    """Return a file compressed; cached by its content."""
    return gzip.compress(whole, compresslevel=9, mtime=0)
