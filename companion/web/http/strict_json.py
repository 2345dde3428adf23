"""Request bodies: strictly parsed JSON objects, and pictures."""

import json
import math
from typing import Any

from flask import request

from companion.game_api.codec import is_utf16
from companion.web.http.problems import Problem

MOST_COMMAND_BYTES = 1_000_000
MOST_PICTURE_BYTES = 20_000_000
MAX_QUOTED = 60
"""Characters of a body that are repeated in an answer."""


def read_json_object() -> dict[str, Any]:
    """Return the body of the request, a JSON object.

    Raise a ``malformed`` problem for everything else: no body, invalid UTF-8, duplicate keys, ``NaN``, numbers that
    overflow, unpaired surrogates.
    """
    body = request.get_data(cache=False)
    if not body.strip():
        raise Problem("malformed", "A JSON object is expected in the body; it is empty.")
    if is_utf16(body):
        raise Problem("malformed", "The body is UTF-16: JSON is sent as UTF-8.")
    try:
        value = json.loads(
            body.decode("utf-8"), object_pairs_hook=_unique, parse_constant=_no_constant, parse_float=_finite
        )
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except (ValueError, RecursionError) as wrong:
        raise Problem("malformed", f"The body is no JSON: {wrong}.") from None
    if not isinstance(value, dict):
        raise Problem("malformed", "A JSON object is expected in the body, not a list or a bare value.")
    return value


def read_picture_bytes() -> bytes:
    """Return the body of the request, up to 20 MB.  Raise a ``malformed`` problem if it is empty."""
    request.max_content_length = MOST_PICTURE_BYTES
    body = request.get_data(cache=False)
    if not body:
        raise Problem("malformed", "The bytes of a picture are expected in the body; it is empty.")
    return body


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        keys: set[str] = set()
        for key, _ in pairs:
            if key in keys:
                raise ValueError(f"the key {json.dumps(key[:MAX_QUOTED])} comes twice")
            keys.add(key)
    return members


def _no_constant(constant: str) -> float:
    raise ValueError(f"{constant} is no JSON number")


def _finite(figures: str) -> float:
    number = float(figures)
    if not math.isfinite(number):
        raise ValueError(f"{figures[:MAX_QUOTED]} is too large")
    return number
