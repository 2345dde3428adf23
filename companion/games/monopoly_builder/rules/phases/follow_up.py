"""Events that follow a command by themselves: debts first, then the stage of the turn (section 5.6)."""

from collections.abc import Sequence

from companion.games.monopoly_builder.rules import events as e
from companion.games.monopoly_builder.rules.accounting import count_of
from companion.games.monopoly_builder.rules.catalog import LIMIT
from companion.games.monopoly_builder.rules.event_recorder import Recorder
from companion.games.monopoly_builder.rules.phases import auction
from companion.games.monopoly_builder.rules.phases.chance import next_effect, settle_choice
from companion.games.monopoly_builder.rules.phases.chips import PARKING_CHIPS
from companion.games.monopoly_builder.rules.phases.debts import payable
from companion.games.monopoly_builder.rules.phases.turn import fee_paid, land
from companion.games.monopoly_builder.rules.state import GamePosition


def follow_up(position: GamePosition) -> Sequence[e.Event]:
    """Return the next thing that happens unasked; empty where the game waits for somebody."""
    if position.state.finished:
        return ()
    if position.state.debts:
        debt = payable(position)
        return () if debt is None else (e.DebtPaid(debt.debtor, debt.creditor, debt.amount),)
    recorder = Recorder(position)
    _go_on(recorder)
    return recorder.events


def _go_on(recorder: Recorder) -> None:
    state, position = recorder.state, recorder.position
    match state.stage:
        case "discard" if count_of(position, state.turn) <= LIMIT:
            recorder.enter_stage("roll")
        case "fee":
            fee_paid(recorder)
        case "landed":
            land(recorder)
        case "auction" if auction.is_over(state):
            auction.close(recorder)
        case "card":
            _card(recorder)
        case "steal" if not any(count_of(position, other) for other in state.others(state.turn)):
            recorder.enter_stage("card")
        case "parking" if count_of(position, state.turn) < PARKING_CHIPS:
            recorder.enter_stage("act")
        case _:
            pass


def _card(recorder: Recorder) -> None:
    if recorder.state.choosers:
        settle_choice(recorder)
    elif recorder.state.effects:
        next_effect(recorder)
    else:
        recorder.enter_stage("act")
