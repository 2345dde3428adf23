"""The text on a label: which game, which print run, which card.

``MB1W07`` is the game ``MB``, print run ``1``, card ``W07``.  Ten characters of QR's alphanumeric set at most,
so that every label fits a version 1 symbol with level H.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, TypeAlias

LONGEST_TEXT = 10
"""Version 1 with level H holds ten alphanumeric characters."""

Word: TypeAlias = Literal["yes", "no", "pass", "undo", "suggest"]
"""What a command card says."""

COMMAND_CARDS: Mapping[str, Word] = MappingProxyType(
    {"X01": "yes", "X02": "no", "X03": "pass", "X04": "undo", "X05": "suggest"}
)
"""Cards that belong to no game's box: laid down, each says a word.  Kind letter ``X``, after the game's own code."""

_FORMAT = re.compile(r"([A-Z]{2})([0-9])([A-Z0-9]{1,7})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Tag:
    """What a label says."""

    game_code: str
    print_run: int
    card: str

    @property
    def text(self) -> str:
        """Return the text as it is on the label."""
        return f"{self.game_code}{self.print_run}{self.card}"


@dataclass(frozen=True, slots=True)
class Deck:
    """The labelled cards of one game, as plain values: whatever else is on the table does not belong to it."""

    game_code: str
    cards: frozenset[str]
    shared: frozenset[str] = frozenset()
    """Those of them that several labels bear, backs in a pile for example; every other card is there once."""
    piles: frozenset[str] = frozenset()
    """Zones of its mats in which only what lies on top counts."""

    def is_shared(self, text: str) -> bool:
        """Say whether several labels on a table may bear this text."""
        return self.card_of(text) in self.shared

    def text_once(self, text: str) -> str | None:
        """Give a text that one label bears; ``None`` where several do."""
        return None if self.is_shared(text) else text

    def card_once(self, text: str) -> str | None:
        """Give the card that a label stands for, whatever its print run; ``None`` where several labels do."""
        return None if self.is_shared(text) else self.card_of(text)

    def card_of(self, text: str) -> str | None:
        """Return the card that a label of any print run of this deck stands for, or None."""
        tag = parse_tag(text)
        if tag is None or tag.game_code != self.game_code or tag.card not in self.cards:
            return None
        return tag.card


def playing_deck(game_code: str, cards: Iterable[str], shared: Iterable[str] = (), piles: Iterable[str] = ()) -> Deck:
    """Return the deck that lies on a table: the cards of the game, those that several labels bear, command cards."""
    several = frozenset(shared)
    return Deck(game_code, frozenset(cards) | several | frozenset(COMMAND_CARDS), several, frozenset(piles))


def tag_text(game_code: str, print_run: int, card: str) -> str:
    """Return the text of a label.

    Raises:
        ValueError: when the three do not make a text that ``parse_tag`` would understand.

    """
    text = f"{game_code}{print_run}{card}"
    if parse_tag(text) != Tag(game_code, print_run, card):
        reason = (
            f"no label can say {text!r}: two capital letters, one digit and a card id of capital letters and "
            f"digits, {LONGEST_TEXT} characters in all"
        )
        raise ValueError(reason)
    return text


def parse_tag(text: str) -> Tag | None:
    """Return what a label says, or None when ``text`` is no label's text."""
    found = _FORMAT.fullmatch(text)
    if found is None:
        return None
    return Tag(game_code=found[1], print_run=int(found[2]), card=found[3])
