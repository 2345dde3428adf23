"""Master Builder as the engine sees it."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from companion.engine.game import Game, Offer, Refused
from companion.engine.timeline import fold
from companion.game_api.messages import Command, Event
from companion.games.master_builder.rules import commands as c
from companion.games.master_builder.rules import phases
from companion.games.master_builder.rules.accounting import account_for as record_money
from companion.games.master_builder.rules.catalog import Catalog
from companion.games.master_builder.rules.corrections import CORRECTIONS, put_right
from companion.games.master_builder.rules.events import CashCounted, GameTakenOver, PlanLocked
from companion.games.master_builder.rules.evolve import evolve as evolve_state
from companion.games.master_builder.rules.loans import free_loan_offers, freely_taken, repay_loan, repay_offers
from companion.games.master_builder.rules.reading import read as read_card
from companion.games.master_builder.rules.setup import start
from companion.games.master_builder.rules.state import GamePosition, State
from companion.games.master_builder.rules.take_over import taken_over
from companion.games.master_builder.rules.view import overview as outline
from companion.games.master_builder.rules.view import view as show

TURNED_BY_START_PLAYER = (c.TurnEconomy, c.RevealContracts, c.TurnEvent)


class MasterBuilder:
    """The rules over the catalogs that this installation knows, by name."""

    name = "master_builder"
    label_code = "MB"

    follow_up = staticmethod(phases.follow_up)
    evolve = staticmethod(evolve_state)
    account_for = staticmethod(record_money)
    read = staticmethod(read_card)
    view = staticmethod(show)
    overview = staticmethod(outline)

    def __init__(self, catalogs: Mapping[str, Catalog]) -> None:
        """Store the catalogs that ``start_game`` may name."""
        self.catalogs = catalogs

    def decide(self, position: GamePosition | None, command: Command) -> Sequence[Event]:
        """Answer a command with events, or raise ``Refused``."""
        if isinstance(command, c.StartGame):
            if position is not None:
                raise Refused("started_already")
            return [start(self.catalogs, command)]
        if isinstance(command, c.TakeOver):
            if position is not None:
                raise Refused("started_already")
            return [taken_over(self.catalogs, command, self._laid_out)]
        if position is None:
            raise Refused("not_started")
        if type(command) in CORRECTIONS:
            return put_right(position, command)
        match command:
            case c.Borrow(player, loan) if (free := freely_taken(position, player, loan)) is not None:
                return [free]
            case c.Repay(player, loan):
                return [repay_loan(position, player, loan)]
            case _:
                return phases.decide(position, command)

    def _laid_out(self, event: GameTakenOver) -> GamePosition:
        """Return the position that a game taken over begins with."""
        rules: Game[State, Command, Event] = self
        return cast("GamePosition", fold(rules, None, (event,)))

    def offers(self, position: GamePosition, player: str) -> Sequence[Offer]:
        """Return what a player may do now."""
        due = phases.offers(position, player)
        free = () if any(offer.do == "borrow" for offer in due) else free_loan_offers(position, player)
        return (*due, *free, *repay_offers(position, player))

    def players(self, position: GamePosition) -> tuple[str, ...]:
        """Return the players in turn order."""
        return position.state.turn_order

    def author(self, position: GamePosition | None, command: Any) -> str | None:
        """Return which player alone may give a command; ``None``: only the banker."""
        if position is None or isinstance(command, (c.StartGame, c.TakeOver, *CORRECTIONS)):
            return None
        if isinstance(command, TURNED_BY_START_PLAYER):
            return position.state.start
        return str(command.owner if isinstance(command, c.HireOut) else command.player)

    def secret_of(self, event: Event) -> str | None:
        """Hold a plan back from all but its player while plans are made, and a count of hidden money."""
        return event.player if isinstance(event, PlanLocked | CashCounted) and event.secret else None

    def overtakes(self, command: Command, event: Event) -> bool:
        """Let a plan pass though somebody else has planned in secret meanwhile."""
        return (
            isinstance(command, c.Plan)
            and isinstance(event, PlanLocked)
            and event.secret
            and event.player != command.player
        )
