"""The seats in the lobby as they are typed on the tablet, for a big screen; nothing is lost with them."""

from dataclasses import dataclass

from companion.service.ports import InMemoryStore, Store
from companion.service.runtime import StoredValue


@dataclass(frozen=True, slots=True)
class LobbySeat:
    """A seat before the game; ``name`` is empty until somebody types one."""

    player: str
    name: str


@dataclass(frozen=True, slots=True)
class LobbySeats:
    """The seats of a game that is about to begin; ``arrived`` is the player whose name was typed last."""

    game: str | None = None
    seats: tuple[LobbySeat, ...] = ()
    arrived: str | None = None


class Lobby:
    """The seats now.  Every call may come from any thread."""

    def __init__(self, store: Store[LobbySeats] | None = None) -> None:
        """Store where the seats are remembered; ``None``: in memory."""
        self._stored = StoredValue(store or InMemoryStore(LobbySeats()))

    @property
    def now(self) -> LobbySeats:
        """The seats as they were typed last."""
        return self._stored.now

    def seat(self, game: str, seats: tuple[LobbySeat, ...]) -> None:
        """Store who sits where; a name that was not there before has just arrived."""

        def with_seats(now: LobbySeats) -> LobbySeats:
            before = {seat.player: seat.name for seat in now.seats if now.game == game}
            new = [seat.player for seat in seats if seat.name and seat.name != before.get(seat.player)]
            still_there = {seat.player for seat in seats if seat.name}
            arrived = new[-1] if new else now.arrived
            return LobbySeats(game, seats, arrived if arrived in still_there else None)

        self._stored.change(with_seats)
