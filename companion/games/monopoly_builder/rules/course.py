"""What a command leads to, event by event: each is recorded before the next is thought of."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from companion.engine.game import Game, told
from companion.engine.timeline import fold
from companion.games.monopoly_builder.rules import events as e
from companion.games.monopoly_builder.rules.accounting import account_for
from companion.games.monopoly_builder.rules.catalog import Catalog
from companion.games.monopoly_builder.rules.evolve import evolve
from companion.games.monopoly_builder.rules.house_rules import Rules
from companion.games.monopoly_builder.rules.kinds import some
from companion.games.monopoly_builder.rules.state import Here, Player, Stage, State


class _Record:
    """As much of the game as folding asks."""

    name = "monopoly_builder"
    evolve = staticmethod(evolve)
    account_for = staticmethod(account_for)


_RECORD = cast("Game[State, Any, e.Event]", _Record())


class Course:
    """The events of one command so far, and the position after them."""

    def __init__(self, here: Here) -> None:
        """Begin with a position."""
        self.here = here
        self._events: list[e.Event] = []

    def happens(self, *events: e.Event) -> None:
        """Record what happens next."""
        self.here = cast("Here", fold(_RECORD, self.here, events))
        self._events.extend(events)

    @property
    def told(self) -> Sequence[e.Event]:
        """All that has happened."""
        return told(self._events, self.here)

    @property
    def state(self) -> State:
        """The state now."""
        return self.here.state

    @property
    def catalog(self) -> Catalog:
        """The box that is played with."""
        return self.here.state.catalog

    @property
    def rules(self) -> Rules:
        """What the table has agreed on."""
        return self.here.state.rules

    @property
    def mover(self) -> Player:
        """The player whose turn it is."""
        return self.here.state.mover

    def stage(self, stage: Stage) -> None:
        """Let the turn come to something."""
        self.happens(e.StageCame(stage))

    def gather(self, player: str, chips: Mapping[str, int]) -> None:
        """Give chips of the tray to a player, if there are any to give."""
        if some(chips):
            self.happens(e.ChipsGathered(player, some(chips)))

    def owe(self, debtor: str, creditor: str, amount: int) -> None:
        """Enter a debt, if there is anything to pay."""
        if amount:
            self.happens(e.DebtIncurred(debtor, creditor, amount))

    def pass_turn(self) -> None:
        """Let the next solvent player begin."""
        self.happens(e.TurnBegan(self.state.next_player(), 0))
