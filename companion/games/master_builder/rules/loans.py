"""The bank's two loans (rules, phase 5; rulings D34 to D37)."""

from dataclasses import replace

from companion.engine.game import Offer, OneOf, Refused
from companion.game_api.seating import require_player
from companion.games.master_builder.rules.events import LoanRepaid, LoanTaken
from companion.games.master_builder.rules.state import (
    Contracts,
    Finished,
    GamePosition,
    Loan,
    Player,
    State,
    cash,
    contract_account,
)

ANYTIME = "voluntary_anytime_but_phase2"
LENT: dict[Loan, int] = {"small": 10_000, "large": 30_000}
EARLY: dict[Loan, int] = {"small": 13_000, "large": 38_000}
LATE: dict[Loan, int] = {"small": 15_000, "large": 40_000}


IOUS: dict[Loan, int] = {"small": 12, "large": 6}
"""IOU cards in the box, a limit only under the house rule ``iou_supply`` (D35)."""


def to_be_had(state: State) -> tuple[Loan, ...]:
    """Return the loans that the bank gives now; with all IOUs lent it still gives Small ones."""
    kinds: tuple[Loan, ...] = ("small", "large")
    if state.rules.iou_supply == "unlimited":
        return kinds
    left: tuple[Loan, ...] = tuple(
        loan for loan in kinds if sum(count_loans(player, loan) for player in state.players) < IOUS[loan]
    )
    return left or ("small",)


def lend(state: State, player: str, loan: Loan) -> LoanTaken:
    """Lend; ``Refused`` where that kind is sold out."""
    if loan not in to_be_had(state):
        raise Refused("loan_sold_out", loan=loan)
    return LoanTaken(player, loan, LENT[loan])


def freely_taken(position: GamePosition, player: str, loan: Loan) -> LoanTaken | None:
    """Lend at any moment but phase 2, where the house rule says so (D34); ``None`` where it does not."""
    phase = position.state.phase
    if position.state.rules.loans != ANYTIME or isinstance(phase, Contracts | Finished):
        return None
    require_player(position.state, player)
    return lend(position.state, player, loan)


def free_loan_offers(position: GamePosition, player: str) -> list[Offer]:
    """Offer loans to everybody while they may be taken at any moment."""
    phase = position.state.phase
    if position.state.rules.loans != ANYTIME or isinstance(phase, Contracts | Finished):
        return []
    return [replace(offer, urgency="possible") for offer in loan_offers(position.state, player)]


def is_late(state: State) -> bool:
    """Repayment is late from the moment the contract deck is empty (D36); at the end as the rules say (D45)."""
    if isinstance(state.phase, Finished) and state.rules.final_rate == "always_late":
        return True
    if state.rules.late_when == "deck_and_display_empty":
        return state.deck == 0 and not state.display
    return state.deck == 0


def price_of(state: State, loan: Loan) -> int:
    """Return what repaying one loan costs now."""
    return (LATE if is_late(state) else EARLY)[loan]


def owes(state: State, player: Player) -> int:
    """Return what repaying every loan of a player would cost now."""
    return player.small * price_of(state, "small") + player.large * price_of(state, "large")


def count_loans(player: Player, loan: Loan) -> int:
    """Count a player's loans of one kind."""
    return player.small if loan == "small" else player.large


def bound_by_bid(position: GamePosition, player: str) -> int:
    """Return how much cash a player must keep because they lead an auction (D37)."""
    phase = position.state.phase
    if isinstance(phase, Contracts) and phase.auction is not None and phase.auction.leader == player:
        return max(0, leading_bid(position) - lends_itself(position, phase.auction.lot))
    return 0


def leading_bid(position: GamePosition) -> int:
    """Return the highest bid of the auction under way; 0: there is none."""
    phase = position.state.phase
    return phase.auction.bid if isinstance(phase, Contracts) and phase.auction is not None else 0


def lends_itself(position: GamePosition, contract: str) -> int:
    """Return how much of what lies on a contract counts for its own price (house rule ``premium_funds_bid``, D11)."""
    if not position.state.rules.premium_funds_bid:
        return 0
    return position.ledger.balance(contract_account(contract))


def repay_loan(position: GamePosition, player: str, loan: Loan) -> LoanRepaid:
    """Pay one loan back, at any moment of the running game."""
    borrower = require_player(position.state, player)
    if isinstance(position.state.phase, Finished):
        raise Refused("game_over")
    if not count_loans(borrower, loan):
        raise Refused("no_such_loan", player=player, loan=loan)
    amount = price_of(position.state, loan)
    if cash(position, player) < amount:
        raise Refused("cannot_pay", player=player, amount=amount, cash=cash(position, player))
    kept = bound_by_bid(position, player)
    if cash(position, player) - amount < kept:
        raise Refused("bound_by_bid", player=player, amount=amount, bid=leading_bid(position), kept=kept)
    return LoanRepaid(player, loan, amount)


def loan_offers(state: State, player: str) -> list[Offer]:
    """Offer the loans that are to be had."""
    return [Offer("borrow", player, fields=(("loan", OneOf(to_be_had(state))),))]


def repay_offers(position: GamePosition, player: str) -> list[Offer]:
    """Offer what a player can pay back now."""
    if isinstance(position.state.phase, Finished):
        return []
    borrower = position.state.player(player)
    kinds: tuple[Loan, ...] = ("small", "large")
    spare = cash(position, player) - bound_by_bid(position, player)
    return [
        Offer("repay", player, given=(("loan", loan),), urgency="possible")
        for loan in kinds
        if count_loans(borrower, loan) and spare >= price_of(position.state, loan)
    ]
