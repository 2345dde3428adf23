"""Idempotency keys: a request that is repeated after a lost response has its effect once.

The journal keeps the keys of commands for ever.  The responses to everything else that is posted (answers to the
camera, scans, ticks) are cached here, in this process: a repetition comes within seconds.
"""

import hashlib
import re
import threading
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from flask import Response, current_app, make_response, request

from companion.service.caches import BoundedCache
from companion.service.ports import KeyReused
from companion.web.http.auth import current_caller
from companion.web.http.problems import Problem


def request_key(actor: str) -> str | None:
    """Return the ``Idempotency-Key`` with the sender before it, so that nobody gets the response to another sender."""
    header = request.headers.get("Idempotency-Key")
    if header is None:
        return None
    if not re.fullmatch(r"[\x21-\x7e]{1,200}", header):
        raise Problem("malformed", "Idempotency-Key must be 1 to 200 visible ASCII characters.")
    return f"{actor}:{header}"


MOST_BYTES, BYTES_BESIDE_BODY = 4_000_000, 1_000
"""Limit of all cached responses, and what one takes besides its body."""
View = TypeVar("View", bound=Callable[..., Any])


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


class ResponseCache:
    """The latest responses by path and key."""

    def __init__(self) -> None:
        """Start empty."""
        self._lock = threading.Lock()
        self._places: BoundedCache[_CachedResponse] = BoundedCache(MOST_BYTES, _CachedResponse.size)

    def get_or_compute(self, key: tuple[str, str], body: bytes, give: Callable[[], Response]) -> Response:
        """Return the response to the same request, or compute it.  Raise ``KeyReused`` for another body.

        Responses that are problems are cached too, unexpected errors are not.
        """
        digest = hashlib.sha256(body).digest()
        with self._lock:
            place = self._places.get(key)
            if place is None:
                place = _CachedResponse(digest)
                self._places.put(key, place)
        if place.body != digest:
            raise KeyReused
        with place.answering:
            if place.answer is None:
                answer = give()
                place.answer = (answer.get_data(), answer.status_code, answer.content_type)
                self._places.put(key, place)
                return answer
            data, status, kind = place.answer
            return Response(data, status=status, content_type=kind)


def idempotent(view: View) -> View:
    """Decorate a view so that requests with the same ``Idempotency-Key`` have their effect once."""

    @wraps(view)
    def answered(*args: Any, **values: Any) -> Response:
        key = request_key(current_caller().viewer)
        if key is None:
            return make_response(view(*args, **values))
        cache: ResponseCache = current_app.extensions["companion.response_cache"]

        def give() -> Response:
            try:
                return make_response(view(*args, **values))
            except Problem as problem:
                return problem.response()

        return cache.get_or_compute((request.path, key), request.get_data(), give)

    return answered  # type: ignore[return-value]
