"""The seats in the lobby as they are typed on the tablet, for a big screen; kept in memory."""

import threading
from dataclasses import dataclass, replace


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

    def __init__(self) -> None:
        """Start with an empty table."""
        self._lock = threading.Lock()
        self._now = LobbySeats()

    @property
    def now(self) -> LobbySeats:
        """The seats as they were typed last."""
        return self._now

    def seat(self, game: str, seats: tuple[LobbySeat, ...]) -> None:
        """Store who sits where; a name that was not there before has just arrived."""
        with self._lock:
            before = {seat.player: seat.name for seat in self._now.seats if self._now.game == game}
            new = [seat.player for seat in seats if seat.name and seat.name != before.get(seat.player)]
            still_there = {seat.player for seat in seats if seat.name}
            arrived = new[-1] if new else self._now.arrived
            self._now = replace(self._now, game=game, seats=seats, arrived=arrived if arrived in still_there else None)
