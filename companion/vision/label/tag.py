"""The text on a label, which names game, print run and card, and the deck of cards that a table knows.

``MB1W07`` is the game ``MB``, print run ``1``, card ``W07``: at most ten characters of QR's alphanumeric set, so that
every label fits a version 1 symbol with level H.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, TypeAlias

LONGEST_TEXT = 10
"""Version 1 with level H holds ten alphanumeric characters."""

CommandWord: TypeAlias = Literal["yes", "no", "pass", "undo", "suggest"]
"""What a command card says when it is laid down."""

COMMAND_CARDS: Mapping[str, CommandWord] = MappingProxyType(
    {"X01": "yes", "X02": "no", "X03": "pass", "X04": "undo", "X05": "suggest"}
)
"""Cards that belong to no game's box. Their kind letter is ``X``, after the game's own code."""

_FORMAT = re.compile(r"([A-Z]{2})([0-9])([A-Z0-9]{1,7})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Tag:
    """The parts of a label's text."""

    game_code: str
    print_run: int
    card: str

    @property
    def text(self) -> str:
        """Return the text as it is on the label."""
        return f"{self.game_code}{self.print_run}{self.card}"


@dataclass(frozen=True, slots=True)
class Deck:
    """The labelled cards of one game that may lie on a table."""

    game_code: str
    cards: frozenset[str]
    shared: frozenset[str] = frozenset()
    """Cards with several labels, such as the backs in a pile; every other card has one."""
    piles: frozenset[str] = frozenset()
    """Zones of its mats in which only the top card counts."""
    commands: frozenset[str] = frozenset()
    """Cards that say a word, wherever they lie."""

    def is_shared(self, text: str) -> bool:
        """Return whether several labels on a table may bear this text."""
        return self.card_of(text) in self.shared

    def unique_text(self, text: str) -> str | None:
        """Return the text if only one label bears it, else None."""
        return None if self.is_shared(text) else text

    def unique_card(self, text: str) -> str | None:
        """Return the card of a label of any print run if only one label stands for it, else None."""
        return None if self.is_shared(text) else self.card_of(text)

    def card_of(self, text: str) -> str | None:
        """Return the card that a label of any print run of this deck stands for, or None."""
        tag = parse_tag(text)
        if tag is None or tag.game_code != self.game_code or tag.card not in self.cards:
            return None
        return tag.card


def build_deck(
    game_code: str,
    cards: Iterable[str],
    shared: Iterable[str] = (),
    piles: Iterable[str] = (),
    commands: Iterable[str] = COMMAND_CARDS,
) -> Deck:
    """Return the deck of a game: those of its cards that a label can say, the shared ones, and the command cards."""
    with_several_labels = frozenset(shared)
    sayable = frozenset(card for card in cards if parse_tag(f"{game_code}1{card}") == Tag(game_code, 1, card))
    all_cards = sayable | with_several_labels | frozenset(COMMAND_CARDS)
    return Deck(game_code, all_cards, with_several_labels, frozenset(piles), frozenset(commands))


def format_tag(game_code: str, print_run: int, card: str) -> str:
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
    """Return the parts of a label's text, or None if ``text`` is not one."""
    match = _FORMAT.fullmatch(text)
    if match is None:
        return None
    return Tag(game_code=match[1], print_run=int(match[2]), card=match[3])
