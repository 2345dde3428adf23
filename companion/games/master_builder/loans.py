"""The bank's two loans (rules, phase 5; rulings D34 to D37)."""

from companion.engine.errors import Refused
from companion.engine.offers import Offer, OneOf
from companion.games.master_builder.commands import Loan
from companion.games.master_builder.events import LoanRepaid, LoanTaken
from companion.games.master_builder.guards import cash, seated
from companion.games.master_builder.state import Contracts, Finished, Here, Player, State

LENT: dict[Loan, int] = {"small": 10_000, "large": 30_000}
EARLY: dict[Loan, int] = {"small": 13_000, "large": 38_000}
LATE: dict[Loan, int] = {"small": 15_000, "large": 40_000}


def taken(player: str, loan: Loan) -> LoanTaken:
    """Lend."""
    return LoanTaken(player, loan, LENT[loan])


def is_late(state: State) -> bool:
    """Repayment is late from the moment the contract deck is empty (D36)."""
    return state.deck == 0


def price_of(state: State, loan: Loan) -> int:
    """Say what repaying one loan costs now."""
    return (LATE if is_late(state) else EARLY)[loan]


def owes(state: State, player: Player) -> int:
    """Say what repaying every loan of a player would cost now."""
    return player.small * price_of(state, "small") + player.large * price_of(state, "large")


def held(player: Player, loan: Loan) -> int:
    """Count a player's loans of one kind."""
    return player.small if loan == "small" else player.large


def bound_by_bid(here: Here, player: str) -> int:
    """Say how much cash a player must keep because he leads an auction (D37)."""
    phase = here.state.phase
    if isinstance(phase, Contracts) and phase.auction is not None and phase.auction.leader == player:
        return phase.auction.bid
    return 0


def repaid(here: Here, player: str, loan: Loan) -> LoanRepaid:
    """Pay one loan back, at any moment of the running game."""
    one = seated(here.state, player)
    if isinstance(here.state.phase, Finished):
        raise Refused("game_over")
    if not held(one, loan):
        raise Refused("no_such_loan", player=player, loan=loan)
    amount = price_of(here.state, loan)
    if cash(here, player) < amount:
        raise Refused("cannot_pay", player=player, amount=amount, cash=cash(here, player))
    bid = bound_by_bid(here, player)
    if cash(here, player) - amount < bid:
        raise Refused("bound_by_bid", player=player, amount=amount, bid=bid)
    return LoanRepaid(player, loan, amount)


def loan_offers(player: str) -> list[Offer]:
    """Offer both kinds to who must borrow."""
    return [Offer("borrow", player, fields=(("loan", OneOf(("small", "large"))),))]


def repay_offers(here: Here, player: str) -> list[Offer]:
    """Offer what a player can pay back now."""
    if isinstance(here.state.phase, Finished):
        return []
    one = here.state.player(player)
    kinds: tuple[Loan, ...] = ("small", "large")
    spare = cash(here, player) - bound_by_bid(here, player)
    return [
        Offer("repay", player, given=(("loan", loan),), urgency="possible")
        for loan in kinds
        if held(one, loan) and spare >= price_of(here.state, loan)
    ]
