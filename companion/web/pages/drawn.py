"""Living parts of pages, drawn once a change for all screens that show the same."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable

from flask import current_app

MOST_KEPT = 64
"""Texts that are remembered: some twenty thousand characters each."""


class Drawn:
    """Remembers the latest text of every part and kind of viewer: fifty screens then cost a few drawings, not fifty."""

    def __init__(self) -> None:
        """Begin empty."""
        self._lock = threading.Lock()
        self._kept: OrderedDict[Hashable, _Place] = OrderedDict()

    def text(self, screen: Hashable, moment: Hashable, draw: Callable[[], str]) -> str:
        """Give what ``draw`` gives for such a ``screen`` at such a ``moment``; of those who ask at once only one draws.

        ``moment`` was taken before; so what changes while it is drawn makes the next one draw anew.
        """
        with self._lock:
            place = self._kept.setdefault(screen, _Place())
            self._kept.move_to_end(screen)
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        with place.drawing:
            if place.text is None or place.moment != moment:
                place.text, place.moment = draw(), moment
            return place.text


class _Place:
    __slots__ = ("drawing", "moment", "text")

    def __init__(self) -> None:
        self.drawing = threading.Lock()
        self.moment: Hashable = None
        self.text: str | None = None


def drawn() -> Drawn:
    """Give the drawn parts of the running application."""
    found: Drawn = current_app.extensions["companion.drawn"]
    return found
