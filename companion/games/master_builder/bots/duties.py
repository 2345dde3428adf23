"""What bots do alike where there is little to think about: pass, take a loan that cannot be avoided, pay it back."""

from companion.engine.game import Offer, OneOf
from companion.games.master_builder.bots.answers import taking
from companion.games.master_builder.bots.turn import Turn, field_of
from companion.games.master_builder.rules.commands import Command
from companion.games.master_builder.rules.guards import contract_card
from companion.games.master_builder.rules.loans import LENT, price_of
from companion.games.master_builder.rules.phases.income import wages_due
from companion.games.master_builder.rules.state import Contracts, Income

RESTING = ("rest", True)


def passed(turn: Turn) -> Command | None:
    """Pass, all the opportunities left if that is offered; ``None`` where nobody may pass."""
    offers = [offer for offer in turn.offers if offer.do == "pass"]
    return taking(max(offers, key=lambda offer: RESTING in offer.given)) if offers else None


def forced_loan(turn: Turn) -> Command | None:
    """Borrow where nothing else moves the game on; ``None``: there is something else."""
    due = [offer for offer in turn.offers if offer.urgency == "due"]
    return borrowing(turn, due[0]) if [offer.do for offer in due] == ["borrow"] else None


def borrowing(turn: Turn, offer: Offer) -> Command:
    """Take the loan that costs least for what is missing, of those that are to be had."""
    kinds = field_of(offer, "loan", OneOf).values
    wanted = "small" if _missing(turn) <= 2 * LENT["small"] else "large"
    return taking(offer, loan=wanted if wanted in kinds else kinds[0])


def _missing(turn: Turn) -> int:
    """Say how much a player lacks; little, as far as he can tell, where an event takes it."""
    match turn.state.phase:
        case Contracts():
            return min(contract_card(turn.state, card).cost for card in turn.state.display) - turn.cash
        case Income():
            return wages_due(turn.state.rules, turn.me) - turn.cash
        case _:
            return 0


def repayment(turn: Turn, reserve: int) -> Command | None:
    """Pay a loan back where the reserve stays, the large one first; ``None``: nothing to pay, or nothing with."""
    for loan in ("large", "small"):
        for offer in turn.offers:
            affordable = turn.cash >= reserve + price_of(turn.state, loan)
            if offer.do == "repay" and ("loan", loan) in offer.given and affordable:
                return taking(offer)
    return None
