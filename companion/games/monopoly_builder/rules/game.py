"""Monopoly Builder as the engine sees it."""

from collections.abc import Mapping, Sequence
from typing import Any

from companion.engine.game import Offer, Overview, Question, Refused
from companion.engine.ledger import Transaction
from companion.engine.placement import Placement
from companion.games.monopoly_builder.rules import commands as c
from companion.games.monopoly_builder.rules.accounting import account_for
from companion.games.monopoly_builder.rules.catalog import Catalog
from companion.games.monopoly_builder.rules.corrections import CORRECTIONS, put_right
from companion.games.monopoly_builder.rules.event_recorder import Recorder
from companion.games.monopoly_builder.rules.events import BidderPassed, BidMade, CashCounted, Event
from companion.games.monopoly_builder.rules.evolve import evolve
from companion.games.monopoly_builder.rules.offers import offers
from companion.games.monopoly_builder.rules.phases import auction, building, chance, chips, debts, trading, turn
from companion.games.monopoly_builder.rules.phases.follow_up import follow_up
from companion.games.monopoly_builder.rules.reading import read
from companion.games.monopoly_builder.rules.setup import start
from companion.games.monopoly_builder.rules.state import GamePosition, State
from companion.games.monopoly_builder.rules.take_over import taken_over
from companion.games.monopoly_builder.rules.view import overview, view


def _pass(recorder: Recorder, command: c.Pass) -> None:
    """Leave Free Parking alone, or bid no more."""
    if recorder.state.stage == "parking":
        chips.leave_parking(recorder, command)
    else:
        auction.pass_bid(recorder, command)


ANSWERS: Mapping[type, Any] = {
    c.Discard: turn.discard,
    c.Roll: turn.roll,
    c.LeaveJail: turn.leave_jail,
    c.EndTurn: turn.end_turn,
    c.TurnDeed: turn.turn_deed,
    c.Buy: turn.buy,
    c.Decline: turn.decline,
    c.RollForResources: turn.roll_for_resources,
    c.Bid: auction.bid,
    c.Pass: _pass,
    c.Hammer: auction.hammer,
    c.DrawChance: chance.draw_chance,
    c.Take: chips.take,
    c.ReturnChips: chips.return_chips,
    c.Steal: chips.steal,
    c.FreeParking: chips.free_parking,
    c.BankTrade: chips.bank_trade,
    c.Build: building.build,
    c.Trade: trading.trade,
    c.PlayChance: trading.play_chance,
    c.ClaimRent: debts.claim_rent,
    c.Mortgage: debts.mortgage,
    c.Unmortgage: debts.unmortgage,
    c.DeclareBankrupt: debts.declare_bankrupt,
    **dict.fromkeys(CORRECTIONS, put_right),
}
"""Which page answers which command."""


class MonopolyBuilder:
    """The rules over the catalogs that this installation knows, by name."""

    name = "monopoly_builder"
    label_code = "MO"

    def __init__(self, catalogs: Mapping[str, Catalog]) -> None:
        """Store the catalogs that ``start_game`` may name."""
        self.catalogs = catalogs

    def decide(self, position: GamePosition | None, command: c.Command) -> Sequence[Event]:
        """Answer a command with events, or raise ``Refused``."""
        if isinstance(command, c.StartGame | c.TakeOver):
            if position is not None:
                raise Refused("started_already")
            if isinstance(command, c.StartGame):
                return [start(self.catalogs, command)]
            return [taken_over(self.catalogs, command)]
        if position is None:
            raise Refused("not_started")
        recorder = Recorder(position)
        ANSWERS[type(command)](recorder, command)
        return recorder.events

    def follow_up(self, position: GamePosition) -> Sequence[Event]:
        """Return what happens next unasked."""
        return follow_up(position)

    def evolve(self, state: State | None, event: Event) -> State:
        """Record an event."""
        return evolve(state, event)

    def account_for(self, event: Event) -> Transaction | None:
        """Return which money and chips the event moved."""
        return account_for(event)

    def offers(self, position: GamePosition, player: str) -> Sequence[Offer]:
        """Return what a player may do now."""
        return offers(position, player)

    def read(self, position: GamePosition, placement: Placement) -> c.Command | Question | None:
        """Return what a card laid there means now."""
        return read(position, placement)

    def view(self, position: GamePosition, viewer: str) -> dict[str, Any]:
        """Show the position to a viewer."""
        return view(position, viewer)

    def overview(self, position: GamePosition) -> Overview:
        """Outline the position."""
        return overview(position)

    def players(self, position: GamePosition) -> tuple[str, ...]:
        """Return the players clockwise."""
        return position.state.seats

    def author(self, position: GamePosition | None, command: c.Command) -> str | None:
        """Return which player alone may give a command; ``None``: only the banker."""
        if position is None or isinstance(command, (c.StartGame, c.TakeOver, c.Hammer, *CORRECTIONS)):
            return None
        return command.player

    def secret_of(self, event: Event) -> str | None:
        """Hold a count of cash back from all but its player where money is hidden."""
        return event.player if isinstance(event, CashCounted) and event.secret else None

    def overtakes(self, command: c.Command, event: Event) -> bool:
        """Let a claim pass anything, a bid what other bidders did, a pass that of another."""
        if isinstance(command, c.ClaimRent):
            return True
        if isinstance(command, c.Bid):
            return isinstance(event, BidMade | BidderPassed)
        return isinstance(command, c.Pass) and isinstance(event, BidderPassed)
