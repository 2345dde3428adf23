"""The banker's typed fixes: money, cards, counted cash, names.  Possible at any moment, also after the end."""

from companion.engine.errors import Refused
from companion.engine.ledger import BANK, contract_account
from companion.games.master_builder.rules.commands import (
    CorrectCard,
    CorrectMoney,
    CountCash,
    RenamePlayer,
    ReplacePlayer,
)
from companion.games.master_builder.rules.events import (
    CashCounted,
    ContractCorrected,
    Event,
    MoneyCorrected,
    PlayerRenamed,
    PlayerReplaced,
    WorkerCorrected,
)
from companion.games.master_builder.rules.guards import (
    cash,
    contract_card,
    reason_given,
    seated,
    whole_thousands,
    worker_card,
)
from companion.games.master_builder.rules.loans import bound_by_bid
from companion.games.master_builder.rules.seats import sound_name
from companion.games.master_builder.rules.state import Contracts, Here, State

SUPPLY = "supply"
PLACES = ("display", "deck", "removed")


def money(here: Here, command: CorrectMoney) -> MoneyCorrected:
    """Move money between the bank and players; nobody below zero, no high bidder below his bid."""
    for side in (command.from_, command.to):
        if side != BANK:
            seated(here.state, side)
    if command.from_ == command.to:
        raise Refused("same_account", account=command.from_)
    whole_thousands(command.amount)
    if command.amount == 0:
        raise Refused("nothing_to_move")
    reason_given(command.reason)
    if command.from_ != BANK:
        left = cash(here, command.from_) - command.amount
        bid = bound_by_bid(here, command.from_)
        if left < bid:
            rule = "bound_by_bid" if bid else "cannot_pay"
            raise Refused(rule, player=command.from_, amount=command.amount, cash=cash(here, command.from_), bid=bid)
    return MoneyCorrected(command.from_, command.to, command.amount, command.reason)


def card(here: Here, command: CorrectCard) -> Event:
    """Put a worker or a contract to where it lies on the table."""
    reason_given(command.reason)
    if any(command.card == one.id for one in here.state.catalog.workers):
        return _worker(here.state, command)
    if any(command.card == one.id for one in here.state.catalog.contracts):
        return _contract(here, command)
    events, economy = here.state.catalog.events, here.state.catalog.economy
    if command.card in {*(one.id for one in events), *(one.id for one in economy)}:
        raise Refused("undo_instead", card=command.card)
    raise Refused("unknown_card", card=command.card)


def _worker(state: State, command: CorrectCard) -> WorkerCorrected:
    if command.to != SUPPLY and command.to not in state.seats:
        raise Refused("no_such_place", card=command.card, place=command.to)
    owner = state.employer(command.card)
    if command.to == (owner.id if owner else SUPPLY):
        raise Refused("lies_there_already", card=command.card, place=command.to)
    return WorkerCorrected(command.card, command.to, worker_card(state, command.card).wage, command.reason)


def place_of(state: State, contract: str) -> str:
    """Say where a contract lies: a player, ``display``, ``deck`` or ``removed``."""
    for player in state.players:
        if player.site(contract) or contract in player.completed:
            return player.id
    if contract in state.display:
        return "display"
    return "removed" if contract in state.removed else "deck"


def _contract(here: Here, command: CorrectCard) -> ContractCorrected:
    state = here.state
    contract_card(state, command.card)
    if command.to not in PLACES and command.to not in state.seats:
        raise Refused("no_such_place", card=command.card, place=command.to)
    origin = place_of(state, command.card)
    if command.to == origin:
        raise Refused("lies_there_already", card=command.card, place=command.to)
    phase = state.phase
    if isinstance(phase, Contracts) and phase.auction is not None and phase.auction.lot == command.card:
        raise Refused("under_the_hammer", card=command.card)
    if origin == "deck" and state.deck == 0:
        raise Refused("deck_is_empty", card=command.card)
    premium = here.ledger.balance(contract_account(command.card))
    return ContractCorrected(command.card, origin, command.to, premium, command.reason)


def count(here: Here, command: CountCash) -> CashCounted:
    """Compare what a player holds with the books; moves nothing."""
    seated(here.state, command.player)
    whole_thousands(command.amount)
    booked = cash(here, command.player)
    return CashCounted(command.player, command.amount, booked, command.amount - booked)


def rename(here: Here, command: RenamePlayer) -> PlayerRenamed:
    """Call a player by another name."""
    seated(here.state, command.player)
    return PlayerRenamed(command.player, sound_name(command.name))


def replace_player(here: Here, command: ReplacePlayer) -> PlayerReplaced:
    """Let somebody else go on in a player's seat."""
    before = seated(here.state, command.player)
    return PlayerReplaced(command.player, sound_name(command.name), before.name)
