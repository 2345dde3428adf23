"""Record the events of one command, each folded before the rules decide on the next; and games that do so."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from companion.engine.game import Position, Refused, folded_events
from companion.engine.ledger import BANK, Transaction, player_account, transfer
from companion.engine.timeline import next_position
from companion.game_api.messages import PlayerCommand

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


def payment(source: str, to: str, amount: str, *, if_any: bool = False) -> Callable[[Any], Transaction | None]:
    """Return the function that books an event by which money goes from one purse to another.

    Args:
        source: The bank, or the field of the event that names who pays.
        to: The bank, or the field that names who is paid.
        amount: The field of the amount.
        if_any: Whether an event of no amount books nothing.

    """

    def account(event: Any, name: str) -> str:
        owner = BANK if name == BANK else getattr(event, name)
        return BANK if owner == BANK else player_account(owner)

    def book(event: Any) -> Transaction | None:
        paid = getattr(event, amount)
        return None if if_any and not paid else transfer(account(event, source), account(event, to), paid)

    return book


class RecordedGame(Generic[S]):
    """The rules of a game whose commands are answered by functions that record events; a game derives it.

    Attributes:
        beginnings: Returns the event that begins a game, out of the catalogs and the command, by its class.
        recorder: The class of the recorder, which is made out of a position.
        answers: Records what a command leads to, by its class.
    """

    beginnings: ClassVar[Mapping[type, Callable[[Mapping[str, Any], Any], Any]]]
    recorder: ClassVar[type[Any]]
    answers: ClassVar[Mapping[type, Callable[[Any, Any], None]]]

    def __init__(self, catalogs: Mapping[str, Any]) -> None:
        """Store the catalogs that a game may begin with, by name."""
        self.catalogs = catalogs

    def decide(self, position: Position[S] | None, command: Any) -> Sequence[Any]:
        """Return the events of a command; raise ``Refused``."""
        begin = self.beginnings.get(type(command))
        if begin is not None:
            if position is not None:
                raise Refused("started_already")
            return [begin(self.catalogs, command)]
        if position is None:
            raise Refused("not_started")
        recorder: EventRecorder[S, Any] = self.recorder(position)
        self.answer(recorder, command)
        return recorder.events

    def answer(self, recorder: Any, command: Any) -> None:
        """Record what a command leads to in a running game."""
        self.answers[type(command)](recorder, command)

    @staticmethod
    def account_for(event: Any) -> Transaction | None:
        """Return no transaction: by default no event moves money."""
        del event
        return None

    def players(self, position: Position[Any]) -> Sequence[str]:
        """Return the players clockwise."""
        seats: Sequence[str] = position.state.seats
        return seats

    def author(self, position: Position[S] | None, command: Any) -> str | None:
        """Return which player alone may give a command; ``None``: only the banker."""
        return command.player if position is not None and isinstance(command, PlayerCommand) else None

    def secret_of(self, event: Any) -> str | None:
        """Return whose secret an event is: by default nobody's."""
        del event
        return None

    def overtakes(self, command: Any, event: Any) -> bool:
        """Return whether a command may pass an event that has happened meanwhile: by default none does."""
        del command, event
        return False
