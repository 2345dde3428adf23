"""What the companion says in one language: cards, refusals, and the journal in words."""

from collections.abc import Mapping
from typing import TypeAlias

from companion.engine.json_values import Json
from companion.gamekit.manifest import Manifest
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
        super().__init__(language, None if game is None else game.words)
        self._vocabulary = vocabulary(game)

    def card(self, card: str, catalog: Json | None = None) -> str:
        """Name a card: *Foreman W26*, *Inn*; without a catalog its id."""
        return Teller(self, self._vocabulary, {}, catalog).card(card)

    def refusal(self, rule: str, details: Json, names: Names, catalog: Json | None = None) -> str:
        """Say why something is not possible now."""
        return Teller(self, self._vocabulary, names, catalog).refusal(rule, details)

    def faults(self, details: Json, names: Names, catalog: Json | None = None) -> list[str]:
        """Say the faults of a refusal one by one; none where it has only itself."""
        return Teller(self, self._vocabulary, names, catalog).faults(details.get("faults", ()))

    def event(self, event: Json, names: Names, catalog: Json | None = None) -> str:
        """Say what happened, one event of a journal entry."""
        return Teller(self, self._vocabulary, names, catalog).event(event)
