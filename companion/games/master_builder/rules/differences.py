"""The table against the books: what lies in the zones of the mat, and what the position says.

Only told, never acted upon.  A card says something only where it lies in a zone that means something; on the scan
tray, beside the mat or under another card it says nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from companion.games.master_builder.rules.reading import CONTRACTS, MARKET
from companion.games.master_builder.rules.state import Player, State, worker_card

SUPPLY, DISPLAY, DECK, REMOVED = "supply", "display", "deck", "removed"
"""Where a card is by the books when no player has it."""


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A card lies in one zone, and the books have it in another place: a player's id, or a place of the table."""

    card: str
    zone: str
    books: str


@dataclass(frozen=True, slots=True)
class Fewer:
    """The books say that a player has so many workers of a type, the table shows less; ``cards`` are those unseen."""

    player: str
    type: str
    books: int
    table: int
    cards: tuple[str, ...]


Difference: TypeAlias = Elsewhere | Fewer


def differences(state: State, lying: Mapping[str, str]) -> tuple[Difference, ...]:
    """Compare the zones in which cards lie at rest with the books: by players in their seats, then by cards."""
    elsewhere = (_elsewhere(state, card, zone) for card, zone in sorted(lying.items()))
    fewer = (difference for player in state.players for difference in _fewer(state, player, lying))
    return (*(difference for difference in elsewhere if difference is not None), *fewer)


def _elsewhere(state: State, card: str, zone: str) -> Elsewhere | None:
    if zone not in (*state.seats, MARKET, CONTRACTS):
        return None
    if card.startswith("W"):
        employer = state.employer(card)
        books, right = (SUPPLY, MARKET) if employer is None else (employer.id, employer.id)
    elif card.startswith("C"):
        books, right = _contract_place(state, card)
    else:
        return None
    return None if zone == right else Elsewhere(card, zone, books)


def _contract_place(state: State, card: str) -> tuple[str, str]:
    """Return where a contract is by the books, and in which zone it belongs then."""
    owner = next(
        (player for player in state.players if player.site(card) is not None or card in player.completed), None
    )
    if owner is not None:
        return owner.id, owner.id
    if card in state.display:
        return DISPLAY, CONTRACTS
    return (REMOVED if card in state.removed else DECK), ""


def _fewer(state: State, player: Player, lying: Mapping[str, str]) -> list[Fewer]:
    """Return which of a player's workers are nowhere in view; nothing while none of them lies in his zone."""
    crew = [(worker_card(state, employed.id).type, employed.id) for employed in player.crew]
    if all(lying.get(card) != player.id for _, card in crew):
        return []
    missing: list[Fewer] = []
    for kind in ("MC", "F", "T", "A"):
        his = [card for its, card in crew if its == kind]
        unseen = tuple(sorted(card for card in his if card not in lying))
        if unseen:
            missing.append(Fewer(player.id, kind, len(his), len(his) - len(unseen), unseen))
    return missing
