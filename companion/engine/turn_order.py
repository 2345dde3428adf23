"""Who sits where, and whose turn follows whose."""

from collections.abc import Sequence


def clockwise_from(seats: Sequence[str], first: str) -> tuple[str, ...]:
    """Give everybody in clockwise order, beginning with ``first``."""
    place = seats.index(first)
    return tuple(seats[place:]) + tuple(seats[:place])


def left_of(seats: Sequence[str], player: str) -> str:
    """Give the left neighbour: the next one clockwise."""
    return seats[(seats.index(player) + 1) % len(seats)]
