"""Men at Work as the engine sees it."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from companion.engine.game import Offer
from companion.game_api.event_recorder import RecordedGame
from companion.game_api.messages import Event, PlayerCommand, verb_of
from companion.games.men_at_work.rules import commands as c
from companion.games.men_at_work.rules import decide
from companion.games.men_at_work.rules.corrections import CORRECTIONS, put_right
from companion.games.men_at_work.rules.decide import offers
from companion.games.men_at_work.rules.events import GameEnded
from companion.games.men_at_work.rules.evolve import evolve as evolve_state
from companion.games.men_at_work.rules.phases import Recorder, phase_of, require_expected
from companion.games.men_at_work.rules.reading import read as read_card
from companion.games.men_at_work.rules.setup import start
from companion.games.men_at_work.rules.state import GamePosition, State
from companion.games.men_at_work.rules.take_over import taken_over
from companion.games.men_at_work.rules.view import overview as outline
from companion.games.men_at_work.rules.view import view

TURNED = (c.TurnCard, c.ShowBack, c.Reshuffle)
"""Cards that are turned at the table; the holder of the hook turns them."""


class MenAtWork(RecordedGame[State]):
    """The rules over the catalogs that this installation knows, by name."""

    name = "men_at_work"
    label_code = "MW"

    beginnings: ClassVar[Mapping[type, Any]] = {c.StartGame: start, c.TakeOver: taken_over}
    recorder: ClassVar[type[Any]] = Recorder
    answers: ClassVar[Mapping[type, Any]] = {
        c.TurnCard: decide.turn_card,
        c.ShowBack: decide.show_back,
        c.Reshuffle: decide.reshuffle,
        c.Done: decide.finish_action,
        c.SayColour: decide.say_colour,
        c.ClaimHighest: decide.claim_highest,
        c.Nobody: decide.record_nobody_highest,
        c.Accident: decide.record_accident,
        c.Fallen: decide.put_back_fallen,
        c.Cleaned: decide.finish_cleaning,
        c.UseForemanCard: decide.use_foreman_card,
        c.Pass: decide.stop,
        c.Impossible: decide.record_impossible,
        c.Exhausted: decide.record_exhausted,
        **dict.fromkeys(CORRECTIONS, put_right),
    }

    evolve = staticmethod(evolve_state)
    read = staticmethod(read_card)
    overview = staticmethod(outline)

    def answer(self, recorder: Recorder, command: Any) -> None:
        """Record what a command leads to that is expected now; pieces may fall at any time."""
        if isinstance(command, (PlayerCommand, *TURNED)) and not isinstance(command, c.Fallen):
            require_expected(recorder.state, verb_of(type(command)), getattr(command, "player", None))
        super().answer(recorder, command)

    def follow_up(self, position: GamePosition) -> Sequence[Event]:
        """End the game where the action wants what the reserve lacks, and no foreman card can change it."""
        state = position.state
        if phase_of(state) == "supply" and not state.may_play_foreman():
            return (GameEnded("exhausted"),)
        return ()

    def offers(self, position: GamePosition, player: str) -> Sequence[Offer]:
        """Return what a player may do now."""
        return offers(position.state, player)

    def view(self, position: GamePosition, viewer: str) -> dict[str, Any]:
        """Show the position to a viewer; nothing of it is secret."""
        del viewer
        return view(position)

    def author(self, position: GamePosition | None, command: Any) -> str | None:
        """Return which player alone may give a command: the holder of the hook turns cards; ``None``: the banker."""
        if position is not None and isinstance(command, TURNED):
            return position.state.active
        return super().author(position, command)
