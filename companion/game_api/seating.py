"""Names, seats and players: checks that every game makes, players of a state, and their ranks."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Generic, Protocol, Self, TypeVar

from companion.engine.game import Refused, copy_with
from companion.engine.readable import appearance, is_readable, join_words

AnyCatalogT = TypeVar("AnyCatalogT")

LONGEST_NAME = 40
UNNAMED = "\0"
"""Stands for a name that was left out; nobody can be called so."""


def validate_name(name: str, others: Iterable[str] = ()) -> str:
    """Return a name without superfluous blanks.

    Args:
        name: what somebody is to be called.
        others: the names of the other players at the table.

    Raises:
        Refused: where it has nothing to see or is too long, holds hidden characters, or looks like another's.

    """
    trimmed = join_words(name)
    if not name.strip() or len(trimmed) > LONGEST_NAME:
        raise Refused("name_length", limit_characters=LONGEST_NAME)
    if not is_readable(trimmed):
        raise Refused("name_unseen")
    require_distinct_names((*others, trimmed))
    return trimmed


def shown_name(name: str) -> str:
    """Return a name as it is shown while it is typed; empty for what nobody can be called."""
    trimmed = join_words(name)
    return trimmed if len(trimmed) <= LONGEST_NAME and is_readable(trimmed) else ""


def require_distinct_names(names: Iterable[str]) -> None:
    """Raise ``Refused`` where two names look the same."""
    seen: set[str] = set()
    for name in names:
        shape = appearance(name)
        if shape in seen:
            raise Refused("names_alike", name=name)
        seen.add(shape)


def player_name(name: str, otherwise: str) -> str:
    """Return the name of a player, or another word where nobody named them; raise ``Refused``."""
    return otherwise if name == UNNAMED else validate_name(name)


def name_faults(names: Iterable[tuple[str, str]]) -> Iterator[Refused]:
    """Yield everything that is wrong with the names of a table, each given with the word used where it is missing."""
    sound: list[str] = []
    for name, otherwise in names:
        try:
            sound.append(player_name(name, otherwise))
            require_distinct_names(sound)
        except Refused as refused:
            yield refused


def require_seats(players: Sequence[str], fewest: int, most: int) -> None:
    """Raise ``Refused`` where too few or too many play, or somebody sits twice."""
    if not fewest <= len(players) <= most:
        raise Refused("number_of_players", least=fewest, most=most)
    if len(set(players)) != len(players):
        raise Refused("colour_taken_twice")


def require_seated(seats: Sequence[str], player: str) -> None:
    """Raise ``Refused`` where nobody of that id sits at the table."""
    if player not in seats:
        raise Refused("unknown_player", player=player)


def require_turn(player: str, waiting: Sequence[str]) -> None:
    """Raise ``Refused`` where the table waits for others."""
    if player not in waiting:
        raise Refused("not_your_turn", player=player, waiting=tuple(waiting))


# Players of a state, their ranks, and the catalog of a table.


class NamedPlayer(Protocol):
    """A player of a game's state."""

    @property
    def id(self) -> str:
        """The id of the seat."""
        ...

    @property
    def name(self) -> str:
        """The name of whoever sits there."""
        ...


PlayerT = TypeVar("PlayerT", bound=NamedPlayer)


class SeatedPlayers(Generic[PlayerT]):
    """The players of a game's state, clockwise; a state, a dataclass of positional fields, derives it."""

    __slots__ = ()
    players: tuple[PlayerT, ...]

    @property
    def seats(self) -> tuple[str, ...]:
        """The ids of the players clockwise."""
        return tuple(player.id for player in self.players)

    def player(self, player: str) -> PlayerT:
        """Return a player of this table."""
        return next(candidate for candidate in self.players if candidate.id == player)

    def with_player(self, changed: PlayerT) -> Self:
        """Return the state with one player changed."""
        return copy_with(self, players=tuple(changed if player.id == changed.id else player for player in self.players))


def require_player(state: SeatedPlayers[PlayerT], player: str) -> PlayerT:
    """Return a player of this table; raise ``Refused`` where nobody of that id sits there."""
    require_seated(state.seats, player)
    return state.player(player)


def rank_players(scores: Mapping[str, Any]) -> tuple[tuple[str, int], ...]:
    """Return the players with their ranks, the highest score first; equal scores share a rank, the next is left out."""
    order = sorted(scores, key=lambda player: scores[player], reverse=True)
    return tuple((player, 1 + sum(other > scores[player] for other in scores.values())) for player in order)


def known_catalog(catalogs: Mapping[str, AnyCatalogT], name: str) -> AnyCatalogT:
    """Return a catalog by name; raise ``Refused`` where there is none."""
    if name not in catalogs:
        raise Refused("unknown_catalog", name=name)
    return catalogs[name]
