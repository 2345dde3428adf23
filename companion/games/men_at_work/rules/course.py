"""What a command leads to, event by event: each is recorded before the next is thought of."""

from collections.abc import Sequence

from companion.games.men_at_work.rules import events as e
from companion.games.men_at_work.rules.evolve import evolve
from companion.games.men_at_work.rules.judging import used_up
from companion.games.men_at_work.rules.state import State


class Course:
    """The events of one command so far, and the state after them."""

    def __init__(self, state: State) -> None:
        """Begin with a state."""
        self.state = state
        self.events: list[e.Event] = []

    def happens(self, *events: e.Event) -> None:
        """Record what happens next."""
        for event in events:
            self.state = evolve(self.state, event)
            self.events.append(event)

    @property
    def told(self) -> Sequence[e.Event]:
        """All that has happened."""
        return tuple(self.events)

    def pass_on(self, *, clean: bool) -> None:
        """Give the hook to the next one who still plays."""
        self.happens(e.TurnPassed(self.state.next_player(), self.state.turn + 1, clean))

    def end_turn(self) -> None:
        """End a turn that had no accident, or pass on what is to be cleaned up."""
        if not self.state.accident and used_up(self.state):
            self.stop()
        else:
            self.pass_on(clean=self.state.accident)

    def stop(self) -> None:
        """End the game: the reserve is exhausted."""
        self.happens(e.GameEnded("exhausted"))

    def ask_highest(self) -> None:
        """Ask whether a piece of this turn is the highest now."""
        self.happens(e.HighestWanted(self.state.active))

    def award(self) -> None:
        """Give the active player an award; enough of them end the game."""
        player = self.state.player(self.state.active)
        self.happens(e.AwardWon(player.id, player.awards + 1))
        self.test_awards()

    def test_awards(self) -> None:
        """End the game where somebody who still plays has the awards needed, from the active player on."""
        state = self.state
        at = state.seats.index(state.active)
        around = (*state.seats[at:], *state.seats[:at])
        for player in map(state.player, around):
            if not player.out and player.awards >= state.awards_needed:
                self.happens(e.GameEnded("awards", player.id))
                return

    def test_last_standing(self) -> None:
        """End the game where one player alone has certificates left."""
        if not self.state.finished and len(self.state.left_in) == 1:
            self.happens(e.GameEnded("last_standing", self.state.left_in[0]))
