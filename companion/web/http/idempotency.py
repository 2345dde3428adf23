"""Requests that a page repeats after a lost answer count once.

The journal remembers commands by their keys for ever.  Whatever else is posted (an answer to the camera, a scan,
a tick) is remembered here, for a while and in this process: the repetition comes within seconds.
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

# --- request_key
# The sender's own name for a request: sent twice, it counts once.


def request_key(actor: str) -> str | None:
    """Give the ``Idempotency-Key``, kept apart by sender, so that nobody is given the answer to another."""
    header = request.headers.get("Idempotency-Key")
    if header is None:
        return None
    if not re.fullmatch(r"[\x21-\x7e]{1,200}", header):
        raise Problem("malformed", "Idempotency-Key must be 1 to 200 visible ASCII characters.")
    return f"{actor}:{header}"


MOST_BYTES, BYTES_BESIDE_ANSWER = 4_000_000, 1_000
"""Of the answers that are remembered, and of one besides its body."""
View = TypeVar("View", bound=Callable[..., Any])


class _Place:
    """One request under its key: whoever comes second waits for the first, and gets the same answer."""

    __slots__ = ("answer", "answering", "body")

    def __init__(self, body: bytes) -> None:
        self.answering = threading.Lock()
        self.body = body
        self.answer: tuple[bytes, int, str] | None = None

    def size(self) -> int:
        return BYTES_BESIDE_ANSWER + (0 if self.answer is None else len(self.answer[0]))


class Answers:
    """The answers given lately, by address and key."""

    def __init__(self) -> None:
        """Begin with none."""
        self._lock = threading.Lock()
        self._places: BoundedCache[_Place] = BoundedCache(MOST_BYTES, _Place.size)

    def answer(self, key: tuple[str, str], body: bytes, give: Callable[[], Response]) -> Response:
        """Give what was answered to the same request, or what ``give`` answers now; ``KeyReused`` for another body.

        What is refused with a problem was answered too.  An error of the program is not remembered.
        """
        digest = hashlib.sha256(body).digest()
        with self._lock:
            place = self._places.get(key)
            if place is None:
                place = _Place(digest)
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


def once(view: View) -> View:
    """Let a request with an ``Idempotency-Key`` count once, however often it comes."""

    @wraps(view)
    def answered(*args: Any, **values: Any) -> Response:
        key = request_key(current_caller().viewer)
        if key is None:
            return make_response(view(*args, **values))
        answers: Answers = current_app.extensions["companion.answers"]

        def give() -> Response:
            try:
                return make_response(view(*args, **values))
            except Problem as problem:
                return problem.response()

        return answers.answer((request.path, key), request.get_data(), give)

    return answered  # type: ignore[return-value]
