"""Cards that are turned, seen, shuffled and played."""

from dataclasses import dataclass

from companion.game_api.fields import Count, Person
from companion.games.men_at_work.rules.fields import BackShown, CardId, PileOrDiscard


@dataclass(frozen=True, slots=True)
class CardTurned:
    """An instruction came on top of the discard; ``unlike``: the back last seen, where the card has another."""

    card: CardId
    back: BackShown | None
    unlike: BackShown | None = None


@dataclass(frozen=True, slots=True)
class BossTurned:
    """The boss is on duty; ``front_stays``: she lay on top with a plain back, and the front that lies there counts."""

    back: BackShown | None
    front_stays: bool


@dataclass(frozen=True, slots=True)
class BackSeen:
    """The back on top of the pile was seen."""

    back: BackShown


@dataclass(frozen=True, slots=True)
class PileReshuffled:
    """All of the discard but its top card is the pile."""

    deck: Count
    back: BackShown | None


@dataclass(frozen=True, slots=True)
class ForemanCardPlayed:
    """A card of the hand lies on the pile, and its back counts, or on the discard, and its front does."""

    player: Person
    card: CardId
    on: PileOrDiscard
    back: BackShown
    hand: Count
