"""Advice at a table: what somebody's money will come to, and the best that he could do now."""

import threading
from collections.abc import Callable
from typing import Any

from companion.engine.errors import Refused
from companion.engine.game import BANKER, Position
from companion.engine.timeline import Timeline
from companion.gamekit.edition import Edition
from companion.service.errors import Forbidden

Question = tuple[str, str, str | None, int | None]
"""Viewer, player, card and amount of a forecast."""


class Advice:
    """Answers for the position now, and remembers what it answered until the position changes."""

    def __init__(self, edition: Edition, timeline: Callable[[], Timeline[Any]]) -> None:
        """Take the game, and where its latest timeline is."""
        self._edition = edition
        self._timeline = timeline
        self._lock = threading.Lock()
        self._about: Position[Any] | None = None
        self._answers: dict[Question, dict[str, Any] | None] = {}

    def forecast(self, viewer: str, player: str, card: str | None = None, amount: int | None = None) -> dict[str, Any]:
        """Look ahead for a player, and at what a card for an amount would change.

        Raises ``Forbidden`` where the viewer may not see that player's money, ``Refused`` for what cannot be, or in a
        game that forecasts nothing.
        """
        forecasts = self._edition.can.forecasts
        if forecasts is None:
            raise Refused("not_in_this_game")
        timeline = self._timeline()
        position = self._position(timeline)
        question = (viewer, player, card, amount)
        with self._lock:
            if self._about is not position:
                self._about, self._answers = position, {}
            if question not in self._answers:
                self._answers[question] = forecasts.forecast(position, *question)
            known = self._answers[question]
        if known is None:
            raise Forbidden
        return {"version": timeline.version, **known}

    def suggestion(self, viewer: str, player: str) -> dict[str, Any]:
        """Give the best command for a player with its reasons; ``Forbidden`` to anybody who may not give it."""
        if viewer not in (BANKER, player):
            raise Forbidden
        advises = self._edition.can.advises
        if advises is None:
            raise Refused("not_in_this_game")
        timeline = self._timeline()
        command, reasons = advises.suggestion(self._position(timeline), player)
        return {"version": timeline.version, "command": self._edition.codec.command_json(command), **reasons}

    def needs(self, player: str, card: str | None = None) -> dict[str, Any]:
        """Say what a player still needs, out of what everybody sees.  ``Refused``, as in games that do not know."""
        knows = self._edition.can.needs
        if knows is None:
            raise Refused("not_in_this_game")
        timeline = self._timeline()
        return {"version": timeline.version, **knows.needs(self._position(timeline), player, card)}

    @staticmethod
    def _position(timeline: Timeline[Any]) -> Position[Any]:
        if timeline.position is None:
            raise Refused("not_started")
        return timeline.position
