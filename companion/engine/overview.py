"""What every screen and service may know of any game, without knowing the game."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Seat:
    """A player: id, name, and how many have left this seat to somebody else."""

    id: str
    name: str
    sitter: int = 0


@dataclass(frozen=True, slots=True)
class Place:
    """A line of the final standings; ``figures`` are the game's own columns by name, the deciding one first.

    Ranks count from 1; equal players share one.
    """

    player: str
    rank: int
    figures: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Overview:
    """The outline of a position; it holds nothing secret.

    ``players`` run in turn order, ``seats`` clockwise; ``expects`` are the kinds of commands that would move the
    game on; ``round`` is ``None`` in a game without rounds; ``standings`` are empty before the end.
    """

    phase: str
    players: tuple[Seat, ...]
    seats: tuple[str, ...]
    waiting_for: tuple[str, ...] = ()
    expects: tuple[str, ...] = ()
    round: int | None = None
    finished: bool = False
    standings: tuple[Place, ...] = ()

    @property
    def names(self) -> dict[str, str]:
        """What the players are called, by id in turn order."""
        return {seat.id: seat.name for seat in self.players}

    def sitter(self, player: str) -> int:
        """Count who has left a player's seat; 0 where nobody has, or there is no such player."""
        return next((seat.sitter for seat in self.players if seat.id == player), 0)
