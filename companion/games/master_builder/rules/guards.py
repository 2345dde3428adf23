"""The questions that many rules ask first; each raises ``Refused`` with its reason."""

from collections.abc import Collection, Sequence

from companion.engine.errors import Refused
from companion.engine.ledger import player_account
from companion.games.master_builder.rules.catalog import ContractCard, EconomyCard, EventCard, WorkerCard
from companion.games.master_builder.rules.state import GamePosition, Player, State

THOUSAND = 1_000
WAGE_LIMIT = 30_000
"""The wage track ends here (rules, phase 1)."""


def seated(state: State, player: str) -> Player:
    """Find a player at this table."""
    if player not in state.seats:
        raise Refused("unknown_player", player=player)
    return state.player(player)


def turn_of(player: str, waiting: Sequence[str]) -> None:
    """Check that the table waits for this player."""
    if player not in waiting:
        raise Refused("not_your_turn", player=player, waiting=tuple(waiting))


def whole_thousands(amount: int) -> None:
    """Check that an amount can be paid in notes: whole thousands, not below nothing."""
    if amount < 0 or amount % THOUSAND:
        raise Refused("not_whole_thousands", amount=amount)


def worker_card(state: State, worker: str) -> WorkerCard:
    """Find a worker of the deck in use."""
    for card in state.catalog.workers:
        if card.id == worker:
            return card
    raise Refused("unknown_worker", card=worker)


def contract_card(state: State, contract: str) -> ContractCard:
    """Find a contract of the deck in use."""
    for card in state.catalog.contracts:
        if card.id == contract:
            return card
    raise Refused("unknown_contract", card=contract)


def event_card(state: State, event: str) -> EventCard:
    """Find an event of the deck in use."""
    for card in state.catalog.events:
        if card.id == event:
            return card
    raise Refused("unknown_event", card=event)


def economy_card(state: State, economy: str) -> EconomyCard:
    """Find an economic situation of the deck in use."""
    for card in state.catalog.economy:
        if card.id == economy:
            return card
    raise Refused("unknown_economy", card=economy)


def all_different(cards: Collection[str]) -> None:
    """Check that no card is named twice."""
    if len(set(cards)) != len(cards):
        raise Refused("named_twice", cards=tuple(cards))


def cash(position: GamePosition, player: str) -> int:
    """Return what a player holds, in dollars."""
    return position.ledger.balance(player_account(player))
