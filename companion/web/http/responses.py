"""Headers that every answer carries."""

import gzip
from functools import lru_cache
from http import HTTPStatus
from pathlib import Path

from flask import Flask, request
from werkzeug.wrappers import Response

from companion.web.http.metrics import figures

CONTENT_SECURITY_POLICY = (
    "default-src 'self'; base-uri 'none'; object-src 'none'; form-action 'self'; frame-ancestors 'none'"
)


def register_headers(app: Flask) -> None:
    """Tell browsers what these pages never do, and keep what is seen at a table out of caches."""
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
    figures().count("answers", status=f"{answer.status_code // 100}xx")
    return answer


# --- packing
# Style sheets, modules and drawings travel packed. Only what is the same for everybody is packed: a page holds
# what one player alone may know, and how well such a page packs together with words of somebody's choice would
# tell what is in it (BREACH). Streams stay as they are, too.

ENDPOINTS = frozenset({"static", "assets.game_static"})
PACKED = frozenset({".css", ".js", ".svg"})
"""What is text; pictures are packed already."""


def register_packing(app: Flask) -> None:
    """Let browsers that can unpack have less to fetch."""
    app.after_request(_packed)


def _packed(answer: Response) -> Response:
    path = Path(str((request.view_args or {}).get("filename", "")))
    if request.endpoint not in ENDPOINTS or path.suffix not in PACKED:
        return answer
    answer.headers.add("Vary", "Accept-Encoding")
    if etag := answer.get_etag()[0]:
        answer.set_etag(etag, weak=True)  # the same words, packed or not
    if answer.status_code != HTTPStatus.OK or request.method != "GET" or not request.accept_encodings["gzip"]:
        return answer
    answer.direct_passthrough = False
    answer.set_data(_gzipped(answer.get_data()))
    answer.headers["Content-Encoding"] = "gzip"
    return answer


@lru_cache(maxsize=128)
def _gzipped(whole: bytes) -> bytes:
    """Pack a file once for as long as it stays the same."""
    return gzip.compress(whole, compresslevel=9, mtime=0)
