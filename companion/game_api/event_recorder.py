"""Recording the events of one command: each is folded before the rules think of the next."""

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from companion.engine.game import Position, folded_events
from companion.engine.ledger import Transaction
from companion.engine.timeline import next_position

S = TypeVar("S")
E = TypeVar("E")


class EventRecorder(Generic[S, E]):
    """The events of one command so far, and the position after them."""

    def __init__(
        self,
        position: Position[S],
        evolve: Callable[[S | None, E], S],
        account_for: Callable[[E], Transaction | None],
    ) -> None:
        """Begin with a position; ``evolve`` and ``account_for`` are those of the game."""
        self.position = position
        self._evolve = evolve
        self._account_for = account_for
        self._events: list[E] = []

    def record(self, *events: E) -> None:
        """Record what happens next."""
        for event in events:
            self.position = next_position(self.position, event, self._evolve, self._account_for)
            self._events.append(event)

    @property
    def events(self) -> Sequence[E]:
        """All events recorded, together with the position, so that the engine need not fold them again."""
        return folded_events(self._events, self.position)

    @property
    def state(self) -> S:
        """The state after all events recorded."""
        return self.position.state


def no_money_moved(event: object) -> None:
    """Return no transaction: in a game without money no event moves any."""
    del event
