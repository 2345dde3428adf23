"""Advice at a table: a forecast of a player's money, and the best command for them now."""

from collections.abc import Callable
from functools import partial
from typing import Any

from companion.engine.game import BANKER, Position, Refused, StandingsRow
from companion.engine.timeline import Timeline
from companion.game_api.manifest import LoadedGame
from companion.service.ports import Forbidden
from companion.service.runtime import VersionCache

MOST_BYTES = 500_000
"""Of what is remembered for a table."""


class Advice:
    """Answers for the position now, and remembers what it answered until the position changes."""

    def __init__(self, game: LoadedGame, timeline: Callable[[], Timeline[Any]]) -> None:
        """Store the game, and where its latest timeline is."""
        self._game = game
        self._timeline = timeline
        self._answers = VersionCache(MOST_BYTES)

    def forget(self) -> None:
        """Drop the remembered answers."""
        self._answers = VersionCache(MOST_BYTES)

    def forecast(self, viewer: str, player: str, card: str | None = None, amount: int | None = None) -> dict[str, Any]:
        """Look ahead for a player, and at what a card for an amount would change.

        Raises ``Forbidden`` where the viewer may not see that player's money, ``Refused`` for what cannot be, or in a
        game that forecasts nothing.
        """
        look_ahead = self._game.can.forecast
        if look_ahead is None:
            raise Refused("not_in_this_game")
        timeline = self._timeline()
        position = self._position(timeline)
        if player in self._game.money_hidden_from(position, viewer):  # before any figure of theirs decides the answer
            raise Forbidden
        find = partial(look_ahead, position, viewer, player, card, amount)
        outlook = self._answers.get(("forecast", viewer, player, card, amount), timeline.version, find)
        if outlook is None:
            raise Forbidden
        return {"version": timeline.version, **outlook}

    def suggestion(self, viewer: str, player: str) -> dict[str, Any]:
        """Return the best command for a player with its reasons; ``Forbidden`` to anybody who may not give it."""
        if viewer not in (BANKER, player):
            raise Forbidden
        advice = self._game.can.advice
        if advice is None:
            raise Refused("not_in_this_game")
        timeline = self._timeline()
        command, reasons = advice.suggest(self._position(timeline), player)
        return {"version": timeline.version, "command": self._game.codec.command_json(command), **reasons}

    def needs(self, player: str, card: str | None = None) -> dict[str, Any]:
        """Return what a player still needs, out of what everybody sees.  ``Refused``, as in games that do not know."""
        needs = self._game.can.needs
        if needs is None:
            raise Refused("not_in_this_game")
        timeline = self._timeline()
        position = self._position(timeline)
        needed = self._answers.get(("needs", player, card), timeline.version, partial(needs, position, player, card))
        return {"version": timeline.version, **needed}

    def scores(self, viewer: str) -> tuple[StandingsRow, ...]:
        """Return how everybody would stand if the game ended now, as far as a viewer may know; empty in other games."""
        scores, timeline = self._game.can.scores, self._timeline()
        if scores is None or timeline.position is None:
            return ()
        position = timeline.position
        return self._answers.get(("scores", viewer), timeline.version, lambda: tuple(scores(position, viewer)))

    @staticmethod
    def _position(timeline: Timeline[Any]) -> Position[Any]:
        if timeline.position is None:
            raise Refused("not_started")
        return timeline.position
