"""Monopoly Builder as the engine sees it."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from companion.game_api.event_recorder import RecordedGame
from companion.game_api.messages import Event
from companion.games.monopoly_builder.rules import commands as c
from companion.games.monopoly_builder.rules.accounting import account_for as record_money
from companion.games.monopoly_builder.rules.accounting import count_of
from companion.games.monopoly_builder.rules.catalog import LIMIT
from companion.games.monopoly_builder.rules.corrections import CORRECTIONS, put_right
from companion.games.monopoly_builder.rules.events import BidderPassed, BidMade, CashCounted, DebtPaid
from companion.games.monopoly_builder.rules.evolve import evolve as evolve_state
from companion.games.monopoly_builder.rules.offers import offers as find_offers
from companion.games.monopoly_builder.rules.phases import Recorder, chance, chips, deeds, turn
from companion.games.monopoly_builder.rules.reading import read as read_card
from companion.games.monopoly_builder.rules.setup import start
from companion.games.monopoly_builder.rules.state import GamePosition, State
from companion.games.monopoly_builder.rules.take_over import taken_over
from companion.games.monopoly_builder.rules.view import overview as outline
from companion.games.monopoly_builder.rules.view import view as show


def _pass(recorder: Recorder, command: c.Pass) -> None:
    """Leave Free Parking alone, or bid no more."""
    if recorder.state.stage == "parking":
        chips.leave_parking(recorder, command)
    else:
        deeds.pass_bid(recorder, command)


def _follow_up(position: GamePosition) -> Sequence[Event]:
    """Return what happens unasked: debts, then the stage of the turn (section 5.6); empty where the game waits."""
    if position.state.finished:
        return ()
    if position.state.debts:
        debt = deeds.payable(position)
        return () if debt is None else (DebtPaid(debt.debtor, debt.creditor, debt.amount),)
    recorder = Recorder(position)
    _go_on(recorder)
    return recorder.events


def _go_on(recorder: Recorder) -> None:
    state, position = recorder.state, recorder.position
    match state.stage:
        case "discard" if count_of(position, state.turn) <= LIMIT:
            recorder.enter_stage("roll")
        case "fee":
            turn.fee_paid(recorder)
        case "landed":
            turn.land(recorder)
        case "auction" if deeds.is_over(state):
            deeds.close(recorder)
        case "card":
            _card(recorder)
        case "steal" if not any(count_of(position, other) for other in state.others(state.turn)):
            recorder.enter_stage("card")
        case "parking" if count_of(position, state.turn) < chips.PARKING_CHIPS:
            recorder.enter_stage("act")
        case _:
            pass


def _card(recorder: Recorder) -> None:
    if recorder.state.choosers:
        chance.settle_choice(recorder)
    elif recorder.state.effects:
        chance.next_effect(recorder)
    else:
        recorder.enter_stage("act")


class MonopolyBuilder(RecordedGame[State]):
    """The rules over the catalogs that this installation knows, by name."""

    name = "monopoly_builder"
    label_code = "MO"

    beginnings: ClassVar[Mapping[type, Any]] = {c.StartGame: start, c.TakeOver: taken_over}
    recorder: ClassVar[type[Any]] = Recorder
    answers: ClassVar[Mapping[type, Any]] = {
        c.Discard: turn.discard,
        c.Roll: turn.roll,
        c.LeaveJail: turn.leave_jail,
        c.EndTurn: turn.end_turn,
        c.TurnDeed: turn.turn_deed,
        c.Buy: turn.buy,
        c.Decline: turn.decline,
        c.RollForResources: turn.roll_for_resources,
        c.Bid: deeds.bid,
        c.Pass: _pass,
        c.Hammer: deeds.hammer,
        c.DrawChance: chance.draw_chance,
        c.Take: chips.take,
        c.ReturnChips: chips.return_chips,
        c.Steal: chips.steal,
        c.FreeParking: chips.free_parking,
        c.BankTrade: chips.bank_trade,
        c.Build: chips.build,
        c.Trade: deeds.trade,
        c.PlayChance: chance.play_chance,
        c.ClaimRent: deeds.claim_rent,
        c.Mortgage: deeds.mortgage,
        c.Unmortgage: deeds.unmortgage,
        c.DeclareBankrupt: deeds.declare_bankrupt,
        **dict.fromkeys(CORRECTIONS, put_right),
    }

    follow_up = staticmethod(_follow_up)
    evolve = staticmethod(evolve_state)
    account_for = staticmethod(record_money)
    offers = staticmethod(find_offers)
    view = staticmethod(show)
    overview = staticmethod(outline)

    def read(self, position: GamePosition, placement: Any) -> Any:
        """Return what a card on the table means (section 10)."""
        return read_card(position, placement, self.decide)

    def secret_of(self, event: Event) -> str | None:
        """Hold a count of cash back from all but its player where money is hidden."""
        return event.player if isinstance(event, CashCounted) and event.secret else None

    def overtakes(self, command: Any, event: Event) -> bool:
        """Let a claim pass anything, a bid what other bidders did, a pass that of another."""
        if isinstance(command, c.ClaimRent):
            return True
        if isinstance(command, c.Bid):
            return isinstance(event, BidMade | BidderPassed)
        return isinstance(command, c.Pass) and isinstance(event, BidderPassed)
