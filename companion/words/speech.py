"""What the companion says in one language: cards, refusals, and the journal in words."""

from collections.abc import Mapping
from typing import Any, TypeAlias

from companion.engine.json_values import Json
from companion.gamekit.manifest import Manifest
from companion.gamekit.tells import Telling
from companion.words.phrases import Phrases
from companion.words.telling import Teller
from companion.words.vocabulary import vocabulary

Names: TypeAlias = Mapping[str, str]


class Words(Phrases):
    """One language's words, with the names of cards and players put in."""

    def __init__(self, language: str, game: Manifest | None = None) -> None:
        """Speak ``language`` (``en``, ``fr``, ``de``); ``KeyError`` for any other.

        ``game``: whose words count before the house's, and whose events and refusals can be told.
        """
        super().__init__(language, None if game is None else game.words, "$" if game is None else game.currency)
        self._vocabulary = vocabulary(game)

    def card(self, card: str, catalog: Json | None = None) -> str:
        """Name a card: *Foreman W26*, *Inn*; without a catalog its id."""
        return Teller(self, self._vocabulary, {}, catalog).card(card)

    def described_figure(self, key: str, held: Any, names: Names, catalog: Json) -> str | None:
        """Put a figure of a position into words as its game does; ``None`` where it says nothing of its own."""
        describes = self._vocabulary.describes
        return None if describes is None else describes.figure(key, held, self._telling(names, catalog))

    def described_moment(self, position: Json, names: Names, catalog: Json) -> str:
        """Say what is to be done now, as its game does; ``""`` where it says nothing of its own."""
        describes = self._vocabulary.describes
        return "" if describes is None else describes.moment(position, self._telling(names, catalog))

    def _telling(self, names: Names, catalog: Json) -> Telling:
        return Teller(self, self._vocabulary, names, catalog).telling()

    def refusal(self, rule: str, details: Json, names: Names, catalog: Json | None = None) -> str:
        """Say why something is not possible now."""
        return Teller(self, self._vocabulary, names, catalog).refusal(rule, details)

    def faults(self, details: Json, names: Names, catalog: Json | None = None) -> list[str]:
        """Say the faults of a refusal one by one; none where it has only itself."""
        return Teller(self, self._vocabulary, names, catalog).faults(details.get("faults", ()))

    def event(self, event: Json, names: Names, catalog: Json | None = None) -> str:
        """Say what happened, one event of a journal entry."""
        return Teller(self, self._vocabulary, names, catalog).event(event)
