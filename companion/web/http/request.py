"""Bodies of requests, and idempotency keys.

Bodies are strictly parsed JSON objects, or pictures.  A request that is repeated after a lost response has its effect
once: the journal keeps the keys of commands for ever; the responses to everything else that is posted (answers to the
camera, scans, ticks) are cached here, in this process, because a repetition comes within seconds.
"""

import hashlib
import json
import math
import re
import threading
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeAlias, TypeVar

from flask import Response, current_app, make_response, request

from companion.game_api.codec import is_utf16
from companion.service.access.logins import Caller
from companion.service.ports import KeyReused
from companion.service.runtime import BoundedCache
from companion.web.http.auth import current_caller
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


def request_key(actor: str) -> str | None:
    """Return the ``Idempotency-Key`` with the sender before it, so that nobody gets the response to another sender."""
    header = request.headers.get("Idempotency-Key")
    if header is None:
        return None
    if not re.fullmatch(r"[\x21-\x7e]{1,200}", header):
        raise Problem("malformed", "Idempotency-Key must be 1 to 200 visible ASCII characters.")
    return f"{actor}:{header}"


BANKER_BYTES, SEAT_BYTES, MOST_SEATS, BYTES_BESIDE_BODY = 2_000_000, 200_000, 20, 1_000
"""Limits of the cached responses to the banker and to one seat, and what one takes besides its body."""
RepeatableViewT = TypeVar("RepeatableViewT", bound=Callable[..., Any])


class _CachedResponse:
    """The response to one request; a repetition waits until the first one is answered."""

    __slots__ = ("answer", "answering", "body")

    def __init__(self, body: bytes) -> None:
        self.answering = threading.Lock()
        self.body = body
        self.answer: tuple[bytes, int, str] | None = None

    def size(self) -> int:
        """Return its size in bytes."""
        return BYTES_BESIDE_BODY + (0 if self.answer is None else len(self.answer[0]))


_Responses: TypeAlias = BoundedCache[_CachedResponse]


class ResponseCache:
    """The latest responses by path and key.

    The banker and each seat have room of their own, so that nobody's requests push out the responses to others.
    """

    def __init__(self, banker_bytes: int = BANKER_BYTES, seat_bytes: int = SEAT_BYTES) -> None:
        """Start empty."""
        self._lock = threading.Lock()
        self._seat_bytes = seat_bytes
        self._banker = _Responses(banker_bytes, _CachedResponse.size)
        self._seats: BoundedCache[_Responses] = BoundedCache(MOST_SEATS * seat_bytes, lambda _: seat_bytes)

    def get_or_compute(
        self, caller: Caller, key: tuple[str, str], body: bytes, give: Callable[[], Response]
    ) -> Response:
        """Return the response to the same request, or compute it.  Raise ``KeyReused`` for another body.

        Responses that are problems are cached too, unexpected errors are not.
        """
        digest = hashlib.sha256(body).digest()
        with self._lock:
            responses = self._responses_to(caller)
            place = responses.get(key)
            if place is None:
                place = _CachedResponse(digest)
                responses.put(key, place)
        if place.body != digest:
            raise KeyReused
        with place.answering:
            if place.answer is None:
                answer = give()
                place.answer = (answer.get_data(), answer.status_code, answer.content_type)
                responses.put(key, place)
                return answer
            data, status, kind = place.answer
            return Response(data, status=status, content_type=kind)

    def _responses_to(self, caller: Caller) -> _Responses:
        if caller.role == "banker":
            return self._banker
        seat = (caller.table, caller.viewer)
        responses = self._seats.get(seat)
        if responses is None:
            responses = _Responses(self._seat_bytes, _CachedResponse.size)
            self._seats.put(seat, responses)
        return responses


def idempotent(view: RepeatableViewT) -> RepeatableViewT:
    """Decorate a view so that requests with the same ``Idempotency-Key`` have their effect once."""

    @wraps(view)
    def answered(*args: Any, **values: Any) -> Response:
        caller = current_caller()
        key = request_key(caller.viewer)
        if key is None:
            return make_response(view(*args, **values))
        cache: ResponseCache = current_app.extensions["companion.response_cache"]

        def give() -> Response:
            try:
                return make_response(view(*args, **values))
            except Problem as problem:
                return problem.response()

        return cache.get_or_compute(caller, (request.path, key), request.get_data(), give)

    return answered  # type: ignore[return-value]
