"""Headers of every response, soft breaks in long words of pages, and compression of public files.

Only style sheets, scripts and drawings are compressed, which are the same for everybody.  Pages are not: they hold
secrets of one player beside text that somebody else may choose, so that their compressed size would leak (BREACH).
"""

import gzip
import re
from functools import lru_cache
from http import HTTPStatus
from itertools import pairwise
from pathlib import Path

from flask import Flask, request
from flask import Response as FlaskResponse
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


LONG_WORD = 18
"""Letters from which on a word gets soft breaks: longer than the words of templates, shorter than a name may be."""
_BREAK_AFTER = 9
SOFT_HYPHEN = "\u00ad"
_LETTER = "[A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0370-\u052f\u1e00-\u1fff]"
"""Of the scripts in which a word is broken with a hyphen."""
_HYPHENATED = re.compile(f"{_LETTER}{{{LONG_WORD},}}")
_WORD = r"[^\s<>&/\-\u00ad\u2010-\u2015]"
"""Of a word in any script, with its digits and signs; after a hyphen or slash a browser breaks by itself."""
_LONG_WORDS = re.compile(f"{_WORD}{{{LONG_WORD},}}")
_LONG_TEXT = re.compile(f">([^<]{{{LONG_WORD},}})")
"""Text between two tags that has room for a long word."""
_MARKUP_OR_LONG_WORD = re.compile(
    r"<(script|style|svg|textarea|title|option|code|pre)\b.*?</\1\s*>|<[^>]*>|https?://[^\s<]*|&#?\w+;"
    rf"|({_HYPHENATED.pattern}|{_LONG_WORDS.pattern})",
    re.DOTALL | re.IGNORECASE,
)
_ESCAPED_SIGNS = {
    "&#39;": "\ufdd0",
    "&#34;": "\ufdd1",
    "&quot;": "\ufdd2",
    "&amp;": "\ufdd3",
    "&lt;": "\ufdd4",
    "&gt;": "\ufdd5",
}
"""Signs that templates escape, by a character that no text has: each is one letter of its word while words are broken.

Other entities are blanks and dashes, and stand between words.
"""


class SoftenedResponse(FlaskResponse):
    """A part of a page whose long words have their soft breaks already, because many screens ask for it."""


def register_soft_breaks(app: Flask) -> None:
    """Register soft hyphens for words of pages that are longer than a narrow column: names of players, cards, boxes."""
    app.after_request(_soften)


def _soften(answer: Response) -> Response:
    if answer.mimetype == "text/html" and not answer.is_streamed and not isinstance(answer, SoftenedResponse):
        answer.set_data(soften(answer.get_data(as_text=True)))
    return answer


def soften(html: str) -> str:
    """Return a page whose long words may be broken; attributes, fields, addresses and code stay as they are.

    Latin, Greek and Cyrillic words get soft hyphens.  Others are broken without any, between letters as people see
    them: that is left to the browser, because a character put between two letters of Persian would separate them.
    """
    text = " ".join((*_LONG_TEXT.findall(html), html.partition("<")[0]))
    if len(max(text.split(), key=len, default="")) < LONG_WORD or _LONG_WORDS.search(_without_entities(text)) is None:
        return html  # nearly all pages; a tenth of what the next lines take
    softened = _MARKUP_OR_LONG_WORD.sub(
        lambda match: match[0] if match[2] is None else _broken(match[2]), _without_entities(html)
    )
    for escaped, sign in _ESCAPED_SIGNS.items():
        softened = softened.replace(sign, escaped)
    return softened


def _without_entities(html: str) -> str:
    """Return a page in which each escaped sign is one character."""
    for escaped, sign in _ESCAPED_SIGNS.items():
        html = html.replace(escaped, sign)
    return html


def _broken(word: str) -> str:
    """Return a word in an element that may be broken where others may not."""
    if _HYPHENATED.search(word) is None:
        return f'<span class="long-word anywhere">{word}</span>'
    return f'<span class="long-word">{_HYPHENATED.sub(lambda match: _hyphenated(match[0]), word)}</span>'


def _hyphenated(letters: str) -> str:
    """Return letters with soft hyphens at equal distances."""
    pieces = -(-len(letters) // _BREAK_AFTER)
    edges = [round(len(letters) * piece / pieces) for piece in range(pieces + 1)]
    return SOFT_HYPHEN.join(letters[start:end] for start, end in pairwise(edges))


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
