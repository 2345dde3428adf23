"""What piles of cards are called."""

from companion.game_api.cards import CardKind
from companion.game_api.ui import Speaks


def deck_title(words: Speaks, kind: CardKind) -> str:
    """Name a pile of cards, as the game's words do, or else readably."""
    return words.named("deck", kind.table or kind.name)
