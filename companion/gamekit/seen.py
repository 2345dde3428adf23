"""One version of one table as one viewer sees it, told in one language: what pages are drawn from."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

from companion.engine.json_values import Json
from companion.engine.overview import Overview, Place
from companion.gamekit.initials import initials
from companion.gamekit.speaks import Speaks

Ahead: TypeAlias = Callable[[str, str | None], Json | None]
"""Look ahead for a player, and for a card that he could bid for; ``None`` where there is nothing to see."""


@dataclass(frozen=True)
class Seen:
    """What any page may show of a table.  A game's face makes a scene of its own of it.

    ``words`` speak the viewer's language; ``decks`` are the tables of the catalog as JSON that hold cards, with titles.
    ``quiet`` events are no news of their own, ``corrected`` ones put something right.  ``covered``: the tablet lies in
    the middle, and shows nobody's money that others may not see.  ``scores``: how everybody would stand if the game
    ended now, in games that know.
    """

    table: str
    version: int
    position: Json
    overview: Overview
    offers: tuple[Json, ...]
    catalog: Json
    words: Speaks
    entries: tuple[Json, ...] = ()
    proposals: tuple[Json, ...] = ()
    suggest: Json | None = None
    camera: Json = field(default_factory=lambda: {"state": "none"})
    ahead: Ahead = lambda _player, _card: None
    needs: Ahead = lambda _player, _card: None
    decks: tuple[tuple[str, str], ...] = ()
    quiet: frozenset[str] = frozenset()
    corrected: frozenset[str] = frozenset()
    covered: bool = False
    scores: tuple[Place, ...] = ()

    @property
    def players(self) -> Json:
        """The players in turn order, with what the position says of each."""
        shown = self.position.get("players")
        return {seat.id: shown.get(seat.id, {}) if isinstance(shown, Mapping) else {} for seat in self.overview.players}

    @cached_property
    def names(self) -> dict[str, str]:
        """What the players are called."""
        return self.overview.names

    @cached_property
    def initials(self) -> dict[str, str]:
        """One letter a player, two where one would not tell them apart."""
        return initials(self.names)

    @property
    def waiting(self) -> list[str]:
        """Who must act."""
        return list(self.overview.waiting_for)

    @property
    def turn(self) -> str | None:
        """Whose turn it is, where the table waits for one player alone."""
        return self.waiting[0] if len(self.waiting) == 1 else None

    @property
    def phase(self) -> str:
        """The phase now."""
        return self.overview.phase

    def offer(self, do: str, **settled: Any) -> Json | None:
        """Find the first offer of a kind whose settled fields are these."""
        return next(iter(self.offers_of(do, **settled)), None)

    def offers_of(self, do: str | None = None, **settled: Any) -> list[Json]:
        """List the offers of a kind (``None``: of any) whose settled fields are these."""
        return [
            one
            for one in self.offers
            if do in (None, one["do"]) and all(one.get(key) == at for key, at in settled.items())
        ]

    @staticmethod
    def command(offer: Json) -> dict[str, Any]:
        """Give the command of an offer, still without its open fields."""
        return {key: held for key, held in offer.items() if key not in {"fields", "urgency", "by", "costs"}}
