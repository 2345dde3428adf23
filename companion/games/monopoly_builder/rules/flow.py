"""What follows by itself after every command: debts first, then what the turn has come to (section 5.6)."""

from collections.abc import Sequence

from companion.games.monopoly_builder.rules import auction
from companion.games.monopoly_builder.rules import events as e
from companion.games.monopoly_builder.rules.chance import next_effect, settle_choice
from companion.games.monopoly_builder.rules.course import Course
from companion.games.monopoly_builder.rules.dealings import PARKING_CHIPS
from companion.games.monopoly_builder.rules.debts import payable
from companion.games.monopoly_builder.rules.holdings import count_of
from companion.games.monopoly_builder.rules.kinds import LIMIT
from companion.games.monopoly_builder.rules.landing import land
from companion.games.monopoly_builder.rules.state import Here
from companion.games.monopoly_builder.rules.turn import fee_paid


def follow_up(here: Here) -> Sequence[e.Event]:
    """Give the next thing that happens unasked; empty where the game waits for somebody."""
    if here.state.finished:
        return ()
    if here.state.debts:
        debt = payable(here)
        return () if debt is None else (e.DebtPaid(debt.debtor, debt.creditor, debt.amount),)
    course = Course(here)
    _go_on(course)
    return course.told


def _go_on(course: Course) -> None:
    state, here = course.state, course.here
    match state.stage:
        case "discard" if count_of(here, state.turn) <= LIMIT:
            course.stage("roll")
        case "fee":
            fee_paid(course)
        case "landed":
            land(course)
        case "auction" if auction.is_over(state):
            auction.close(course)
        case "card":
            _card(course)
        case "steal" if not any(count_of(here, other) for other in state.others(state.turn)):
            course.stage("card")
        case "parking" if count_of(here, state.turn) < PARKING_CHIPS:
            course.stage("act")
        case _:
            pass


def _card(course: Course) -> None:
    if course.state.choosers:
        settle_choice(course)
    elif course.state.effects:
        next_effect(course)
    else:
        course.stage("act")
