"""The middle strength plays sensibly: a mixed crew, one or two buildings at a time, loans only where it must."""

from companion.engine.game import AnyOfThese, AnySet, Offer, SomeOf
from companion.games.master_builder.advice.planning import best_plan
from companion.games.master_builder.bots.answers import taking, work_of
from companion.games.master_builder.bots.chancy import chancy
from companion.games.master_builder.bots.duties import forced_loan, passed, repayment
from companion.games.master_builder.bots.middle_crew import first_hire, later_hire
from companion.games.master_builder.bots.middle_trade import opening, raised, worth_bidding
from companion.games.master_builder.bots.turn import Turn, field_of
from companion.games.master_builder.rules.commands import Command
from companion.games.master_builder.rules.guards import contract_card
from companion.games.master_builder.rules.loans import LENT
from companion.games.master_builder.rules.state import Contracts, Hire


def middle(turn: Turn) -> Command:
    """Name one of the commands that were offered."""
    return forced_loan(turn) or _by_phase(turn) or passed(turn) or chancy(turn)


def _by_phase(turn: Turn) -> Command | None:
    match turn.state.phase:
        case Hire():
            return _hiring(turn)
        case Contracts() as phase:
            offer = turn.offer("bid")
            if phase.auction is None or offer is None:
                return opening(turn) if phase.auction is None else None
            return raised(offer, worth_bidding(turn, contract_card(turn.state, phase.auction.lot)))
        case _:
            return _answer(turn)


def _hiring(turn: Turn) -> Command | None:
    offer = turn.offer("hire_worker")
    if turn.state.round == 1 and offer is not None:
        return first_hire(turn, offer)
    return repayment(turn, turn.me.wages + LENT["small"]) or later_hire(turn)


def _answer(turn: Turn) -> Command | None:
    """Plan as best he can; in an event give up the last of those who may be chosen, and play the first of his hand."""
    for offer in turn.offers:
        match offer.do:
            case "plan":
                return taking(offer, work=work_of(best_plan(turn.here, turn.player)))
            case "choose_workers":
                return taking(offer, workers=given_up(offer))
            case "choose_sections":
                return taking(offer, sections=dict(field_of(offer, "sections", AnyOfThese).values[0]))
            case "turn_event":
                return taking(offer, card=turn.hand[0])
            case _:
                continue
    return None


def given_up(offer: Offer) -> tuple[str, ...]:
    """Name the last workers of those among whom an owner may choose."""
    field = next(field for _, field in offer.fields)
    if isinstance(field, AnySet):
        return field.values[0]
    some = field_of(offer, "workers", SomeOf)
    return some.values[-some.least :]
