"""Answers about what stands now, found once and kept until something else stands."""

import threading
from collections.abc import Callable, Hashable
from typing import TypeVar, cast

T = TypeVar("T")


class ForNow:
    """Remembers answers about one thing that never changes in itself, until another is asked of.

    Fifty screens ask the same within a tenth of a second.  They share what is answered, so nobody changes it.
    """

    def __init__(self) -> None:
        """Begin empty."""
        self._lock = threading.RLock()
        self._about: object = None
        self._answers: dict[Hashable, object] = {}

    def answer(self, about: object, question: Hashable, find: Callable[[], T]) -> T:
        """Give what ``find`` answers to a ``question`` ``about`` something; of those who ask at once only one finds."""
        with self._lock:
            if self._about is not about:
                self._about, self._answers = about, {}
            if question not in self._answers:
                self._answers[question] = find()
            return cast("T", self._answers[question])
