"""Recording of what a command leads to, with the steps that several commands share."""

from companion.game_api.event_recorder import EventRecorder
from companion.game_api.messages import Event
from companion.games.men_at_work.rules import events as e
from companion.games.men_at_work.rules.evolve import evolve
from companion.games.men_at_work.rules.phases import used_up
from companion.games.men_at_work.rules.state import GamePosition, State


class Recorder(EventRecorder[State, Event]):
    """The events of one command so far, and the position after them."""

    def __init__(self, position: GamePosition) -> None:
        """Begin with a position; no event of this game moves money."""
        super().__init__(position, evolve, lambda _: None)

    def pass_turn(self, *, clean: bool) -> None:
        """Pass the hook to the next player who is not out."""
        self.record(e.TurnPassed(self.state.next_player(), self.state.turn + 1, clean))

    def end_turn(self) -> None:
        """End a turn that had no accident, or pass on what is to be cleaned up."""
        if not self.state.accident and used_up(self.state):
            self.stop()
        else:
            self.pass_turn(clean=self.state.accident)

    def stop(self) -> None:
        """End the game: the reserve is exhausted."""
        self.record(e.GameEnded("exhausted"))

    def ask_highest(self) -> None:
        """Ask whether a piece of this turn is the highest now."""
        self.record(e.HighestWanted(self.state.active))

    def award(self) -> None:
        """Record an award of the active player; enough of them end the game."""
        player = self.state.player(self.state.active)
        self.record(e.AwardWon(player.id, player.awards + 1))
        self.end_if_awards_won()

    def end_if_awards_won(self) -> None:
        """End the game where somebody who still plays has the awards needed, from the active player on."""
        state = self.state
        at = state.seats.index(state.active)
        around = (*state.seats[at:], *state.seats[:at])
        for player in map(state.player, around):
            if not player.out and player.awards >= state.awards_needed:
                self.record(e.GameEnded("awards", player.id))
                return

    def end_if_one_left(self) -> None:
        """End the game where one player alone has certificates left."""
        if not self.state.finished and len(self.state.left_in) == 1:
            self.record(e.GameEnded("last_standing", self.state.left_in[0]))
