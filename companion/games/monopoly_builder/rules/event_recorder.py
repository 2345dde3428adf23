"""Recording of what a command leads to, with the steps that several commands share."""

from collections.abc import Mapping

from companion.game_api.event_recorder import EventRecorder
from companion.game_api.messages import Event
from companion.games.monopoly_builder.rules import events as e
from companion.games.monopoly_builder.rules.accounting import account_for
from companion.games.monopoly_builder.rules.catalog import Catalog, some
from companion.games.monopoly_builder.rules.evolve import evolve
from companion.games.monopoly_builder.rules.house_rules import Rules
from companion.games.monopoly_builder.rules.state import GamePosition, Player, Stage, State


class Recorder(EventRecorder[State, Event]):
    """The events of one command so far, and the position after them."""

    def __init__(self, position: GamePosition) -> None:
        """Begin with a position."""
        super().__init__(position, evolve, account_for)

    @property
    def catalog(self) -> Catalog:
        """The box that is played with."""
        return self.state.catalog

    @property
    def rules(self) -> Rules:
        """Return what the table has agreed on."""
        return self.state.rules

    @property
    def mover(self) -> Player:
        """The player whose turn it is."""
        return self.state.mover

    def enter_stage(self, stage: Stage) -> None:
        """Let the turn come to something."""
        self.record(e.StageCame(stage))

    def give_chips(self, player: str, chips: Mapping[str, int]) -> None:
        """Record chips of the tray that go to a player, if there are any to give."""
        if some(chips):
            self.record(e.ChipsGathered(player, some(chips)))

    def incur_debt(self, debtor: str, creditor: str, amount: int) -> None:
        """Enter a debt, if there is anything to pay."""
        if amount:
            self.record(e.DebtIncurred(debtor, creditor, amount))

    def pass_turn(self) -> None:
        """Let the next solvent player begin."""
        self.record(e.TurnBegan(self.state.next_player(), 0))
