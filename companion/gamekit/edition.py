"""A game opened over the catalogs of an installation: all that a table needs of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.engine.game import Game
from companion.gamekit.capabilities import Capabilities
from companion.gamekit.cards import Cards, codes_of_backs, kind_of
from companion.gamekit.manifest import Manifest
from companion.gamekit.messages import Codec, Messages
from companion.vision.label.tag import COMMAND_CARDS


@dataclass(frozen=True)
class Edition:
    """One game as tables play it, with the catalogs that are known here by name (a faulty one is ``Refused``)."""

    manifest: Manifest
    game: Game[Any, Any, Any]
    codec: Codec
    messages: Messages
    cards: Cards
    catalogs: Mapping[str, Any] = field(default_factory=dict[str, Any])
    can: Capabilities = field(default_factory=Capabilities)

    @property
    def name(self) -> str:
        """The game's name in play files and addresses."""
        return self.manifest.name

    @property
    def command_words(self) -> Mapping[str, str]:
        """What the command cards say, by id: those of every game and this one's own."""
        return {**COMMAND_CARDS, **self.manifest.command_cards}

    def labelled(self, state: Any) -> frozenset[str]:
        """Give the ids of the cards that a position is played with, and the codes that several of them bear.

        Its own command cards are among them.
        """
        deck = self.cards.in_use(state)
        return frozenset(
            {*self.cards.ids(deck), *codes_of_backs(self.cards.labels(deck)), *self.manifest.command_cards}
        )

    def shared(self, state: Any) -> frozenset[str]:
        """Give the codes that several of the labels bear that a position is played with."""
        return codes_of_backs(self.cards.labels(self.cards.in_use(state)))

    def kind_of(self, card: str) -> str | None:
        """Say of which kind a card is; ``None``: of none of this game's."""
        kind = kind_of(self.manifest.kinds, card)
        return None if kind is None else kind.name
