"""The picture to send: where town, turning points and standing lie in its 1200 by 1200 units."""

from dataclasses import dataclass

from companion.games.master_builder.face.town import Building, Town

SIDE = 1200
EDGE = 56
GROUND = 650
HOUSE = 326, 198
"""A finished building's own drawing."""
WIDEST = 250
MOST_BEHIND = 7
STEP_BACK = 40
MOST_TURNS = 3


@dataclass(frozen=True, slots=True)
class Plot:
    """Where a building stands: the upper left corner and size of its drawing, and its middle."""

    building: Building
    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> float:
        """Where its badge stands."""
        return self.x + self.width / 2


@dataclass(frozen=True, slots=True)
class Place:
    """Where a player's line of the standing is: its left end, its top, and how much room it has."""

    x: float
    y: float
    room: float


def front(town: Town) -> tuple[Plot, ...]:
    """Lay out the newest buildings on the ground."""
    return _row(town.front, 0.98, 0)


def behind(town: Town) -> tuple[Plot, ...]:
    """Lay out the older ones, smaller and higher."""
    return _row(town.back[-MOST_BEHIND:], 0.8, STEP_BACK)


def _row(buildings: tuple[Building, ...], scale: float, up: float) -> tuple[Plot, ...]:
    if not buildings:
        return ()
    room = min(WIDEST, (SIDE - EDGE) / len(buildings))
    wide = room * scale
    high = wide * HOUSE[1] / HOUSE[0]
    left = (SIDE - room * len(buildings)) / 2 + (room - wide) / 2
    # The last three of its units lie under the ground line.
    top = GROUND - up - high * (HOUSE[1] - 3) / HOUSE[1]
    return tuple(
        Plot(one, round(left + place * room, 1), round(top, 1), round(wide, 1), round(high, 1))
        for place, one in enumerate(buildings)
    )


def places(players: int) -> tuple[Place, ...]:
    """Lay out the standing: up to four beside each other, more in two lines."""
    across = players if players <= 4 else -(-players // 2)  # noqa: PLR2004 - as many as have room
    room = (SIDE - 2 * EDGE) / across
    return tuple(Place(EDGE + number % across * room, 1028 + number // across * 72, room) for number in range(players))
