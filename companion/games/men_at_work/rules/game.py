"""Men at Work as the engine sees it."""

from collections.abc import Mapping, Sequence
from typing import Any

from companion.engine.game import Offer, Refused
from companion.engine.ledger import Transaction
from companion.game_api.messages import Command, Event, PlayerCommand
from companion.games.men_at_work.rules import commands as c
from companion.games.men_at_work.rules import decide
from companion.games.men_at_work.rules.catalog import Catalog
from companion.games.men_at_work.rules.corrections import CORRECTIONS, put_right
from companion.games.men_at_work.rules.event_recorder import Recorder
from companion.games.men_at_work.rules.events import GameEnded
from companion.games.men_at_work.rules.evolve import evolve as evolve_state
from companion.games.men_at_work.rules.offers import offers
from companion.games.men_at_work.rules.phases import phase_of
from companion.games.men_at_work.rules.reading import read as read_card
from companion.games.men_at_work.rules.setup import start
from companion.games.men_at_work.rules.state import GamePosition
from companion.games.men_at_work.rules.take_over import taken_over
from companion.games.men_at_work.rules.view import overview as outline
from companion.games.men_at_work.rules.view import view

ANSWERS: Mapping[type, Any] = {
    c.TurnCard: decide.turn_card,
    c.ShowBack: decide.show_back,
    c.Reshuffle: decide.reshuffle,
    c.Done: decide.done,
    c.SayColour: decide.say_colour,
    c.ClaimHighest: decide.claim_highest,
    c.Nobody: decide.record_nobody_highest,
    c.Accident: decide.accident,
    c.Fallen: decide.fallen,
    c.Cleaned: decide.cleaned,
    c.UseForemanCard: decide.use_foreman_card,
    c.Pass: decide.stop,
    c.Impossible: decide.impossible,
    c.Exhausted: decide.exhausted,
    **dict.fromkeys(CORRECTIONS, put_right),
}
"""Which page answers which command."""
TURNED = (c.TurnCard, c.ShowBack, c.Reshuffle)
"""Cards that are turned at the table; the holder of the hook turns them."""


class MenAtWork:
    """The rules over the catalogs that this installation knows, by name."""

    name = "men_at_work"
    label_code = "MW"

    evolve = staticmethod(evolve_state)
    read = staticmethod(read_card)
    overview = staticmethod(outline)

    def __init__(self, catalogs: Mapping[str, Catalog]) -> None:
        """Store the catalogs that ``start_game`` may name."""
        self.catalogs = catalogs

    def decide(self, position: GamePosition | None, command: Command) -> Sequence[Event]:
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
        """End the game where the action wants what the reserve lacks, and no foreman card can change it."""
        state = position.state
        if phase_of(state) == "supply" and not state.may_play_foreman():
            return (GameEnded("exhausted"),)
        return ()

    def account_for(self, event: Event) -> Transaction | None:
        """Move no money: there is none."""
        del event
        return None

    def offers(self, position: GamePosition, player: str) -> Sequence[Offer]:
        """Return what a player may do now."""
        return offers(position.state, player)

    def view(self, position: GamePosition, viewer: str) -> dict[str, Any]:
        """Show the position to a viewer; nothing of it is secret."""
        del viewer
        return view(position)

    def players(self, position: GamePosition) -> tuple[str, ...]:
        """Return the players clockwise."""
        return position.state.seats

    def author(self, position: GamePosition | None, command: Command) -> str | None:
        """Return which player alone may give a command; ``None``: only the banker."""
        if position is not None and isinstance(command, TURNED):
            return position.state.active
        return command.player if position is not None and isinstance(command, PlayerCommand) else None

    def secret_of(self, event: Event) -> str | None:
        """Hold nothing back."""
        del event
        return None

    def overtakes(self, command: Command, event: Event) -> bool:
        """Let no command pass another."""
        del command, event
        return False
