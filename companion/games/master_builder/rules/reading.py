"""The meaning of a card on the table, and where the table contradicts the books."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from companion.engine.game import Placement, Question, Refused
from companion.game_api.messages import Command
from companion.games.master_builder.rules import commands as c
from companion.games.master_builder.rules.phases import decide, waits
from companion.games.master_builder.rules.phases.event_cards import plays_from_hand
from companion.games.master_builder.rules.state import (
    Build,
    Contracts,
    Events,
    Finished,
    GamePosition,
    Hire,
    Player,
    State,
    contract_card,
    worker_card,
)

# The meaning of a card on the table: a command to propose, or the reason why there is none.

MARKET, CONTRACTS = "market", "contracts"
"""Zones of the mat: where workers in the supply lie, and the contracts on display."""


def read(position: GamePosition, placement: Placement) -> Command | Question | None:
    """Read a card that was laid down; ``None`` where it lies where it belongs, or where the game is over.

    A card that belongs to another phase is a question that names that phase.
    """
    if placement.event == "remove" or isinstance(position.state.phase, Finished):
        return None
    try:
        reading = _meaning(position, placement.card, placement.zone)
        if reading is not None:
            decide(position, reading)
    except Refused as refused:
        return Question(placement.card, refused.rule, tuple(refused.details.items()))
    return reading


def _meaning(position: GamePosition, card: str, zone: str) -> Command | None:
    """Return what a card means in a zone: that of a player (an id) says whose it is, any other one what it is for.

    On the scan tray, and wherever else nothing is said, the turn decides whose card it is.
    """
    waiting, expects = waits(position)
    player = waiting[0] if waiting else ""
    if card.startswith("W"):
        return _worker_in(position, card, zone, player, expects)
    if card.startswith("C"):
        return _contract_in(position, card, zone, player)
    if card.startswith("E"):
        return _event(position, card)
    if card.startswith("Y"):
        return None if card in position.state.turned_economy else c.TurnEconomy(card)
    return None


def _event(position: GamePosition, card: str) -> Command | None:
    phase = position.state.phase
    if card in position.state.turned_events:
        return None
    return c.TurnEvent(card, from_hand=isinstance(phase, Events) and plays_from_hand(position.state, phase))


def _worker_in(position: GamePosition, card: str, zone: str, player: str, expects: tuple[str, ...]) -> Command | None:
    """In a player's zone workers are hired by them, back at the market fired; where they belong they only lie."""
    employer = position.state.employer(card)
    if zone == MARKET and (employer is None or not isinstance(position.state.phase, Hire)):
        return None
    if zone == MARKET and employer is not None:
        return c.FireWorker(employer.id, card)
    if zone in position.state.seats:
        return None if employer is not None and employer.id == zone else _worker(position, card, zone, expects)
    return _worker(position, card, player, expects)


def _contract_in(position: GamePosition, card: str, zone: str, player: str) -> Command | None:
    """Among the contracts a card comes up; taken from there to a player's zone it is what they would open with."""
    if zone == CONTRACTS and card in position.state.display:
        return None
    return _contract(position, card, zone if zone in position.state.seats else player)


def _worker(position: GamePosition, card: str, player: str, expects: tuple[str, ...]) -> Command | None:
    if isinstance(position.state.phase, Hire):
        if position.state.player(player).employs(card) and position.state.round > 1:
            return c.FireWorker(player, card)
        return c.HireWorker(player, card)
    if isinstance(position.state.phase, Events) and "choose_workers" in expects:
        return c.ChooseWorkers(player, (card,))
    if position.state.employer(card) is not None:
        return None
    raise Refused("no_hiring_now", card=card)


def _contract(position: GamePosition, card: str, player: str) -> Command | None:
    phase = position.state.phase
    if any(owner.site(card) is not None or card in owner.completed for owner in position.state.players):
        return None
    if not isinstance(phase, Contracts):
        raise Refused("no_contracts_now", card=card)
    if phase.auction is not None and phase.auction.lot == card:
        return None
    if phase.economy_due or phase.reveal_due:
        return c.RevealContracts((card,)) if card not in position.state.display else None
    return c.OpenAuction(player, card, contract_card(position.state, card).cost)


# The table against the books: what lies in the zones of the mat, and what the position says. Only told, never
# acted upon. A card says something only where it lies in a zone that means something; on the scan tray, beside
# the mat or under another card it says nothing.

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
        if zone == _borrower(state, card):
            return None
        books, right = (SUPPLY, MARKET) if employer is None else (employer.id, employer.id)
    elif card.startswith("C"):
        books, right = _contract_place(state, card)
    else:
        return None
    return None if zone == right else Elsewhere(card, zone, books)


def _borrower(state: State, worker: str) -> str | None:
    """Return whom a worker is lent to in this phase; ``None``: to nobody."""
    lent = state.phase.lent if isinstance(state.phase, Build) else ()
    return next((loaned.borrower for loaned in lent if loaned.worker == worker), None)


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
    """Return which of a player's workers are nowhere in view; nothing while none of them lies in the player's zone."""
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
