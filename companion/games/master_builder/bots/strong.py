"""The strong strength: whatever is to be decided, it thinks each answer through to the end of the game."""

from companion.games.master_builder.bots.answers import taking
from companion.games.master_builder.bots.chancy import chancy
from companion.games.master_builder.bots.duties import forced_loan, passed, repayment
from companion.games.master_builder.bots.middle_crew import first_hire
from companion.games.master_builder.bots.strong_crew import FIRST_CREW, best_change
from companion.games.master_builder.bots.strong_events import event_played, sections_given_up, workers_given_up
from companion.games.master_builder.bots.strong_plan import best_work
from companion.games.master_builder.bots.strong_trade import opening, raised
from companion.games.master_builder.bots.turn import Turn
from companion.games.master_builder.rules.commands import Command
from companion.games.master_builder.rules.state import Contracts, Events, Hire


def strong(turn: Turn) -> Command:
    """Name one of the commands that were offered."""
    return forced_loan(turn) or _by_phase(turn) or passed(turn) or chancy(turn)


def _by_phase(turn: Turn) -> Command | None:
    match turn.state.phase:
        case Hire() as phase:
            offer = turn.offer("hire_worker")
            if turn.state.round == 1 and offer is not None:
                return first_hire(turn, offer, FIRST_CREW)
            return repayment(turn, turn.me.wages) or best_change(turn, phase)
        case Contracts(auction=None):
            return opening(turn)
        case Contracts(auction=auction):
            offer = turn.offer("bid")
            return raised(turn, offer, auction.lot) if offer and auction else None
        case Events() as phase:
            return _in_event(turn, phase)
        case _:
            plan = turn.offer("plan")
            return taking(plan, work=best_work(turn)) if plan else None


def _in_event(turn: Turn, phase: Events) -> Command | None:
    workers, sections = turn.offer("choose_workers"), turn.offer("choose_sections")
    if workers is not None:
        return workers_given_up(turn, phase, workers)
    if sections is not None:
        return sections_given_up(turn, sections)
    played = turn.offer("turn_event")
    return event_played(turn, played) if played else None
