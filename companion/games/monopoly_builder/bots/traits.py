"""What sets the three strengths apart."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Traits:
    """How a bot plays: ``reserve`` M it keeps, ``worth`` percent of a price that it bids for a deed, and for a set.

    ``idle`` times of a hundred it lets a good chance go; ``trades``: whether it swaps chips; ``climbs``: whether it
    builds upwards, and ends the game only when that wins.
    """

    reserve: int
    worth: int
    worth_of_set: int
    idle: int
    trades: bool
    climbs: bool


STRENGTHS: dict[str, Traits] = {
    "random": Traits(reserve=0, worth=60, worth_of_set=60, idle=50, trades=False, climbs=False),
    "middle": Traits(reserve=150, worth=80, worth_of_set=110, idle=10, trades=True, climbs=False),
    "strong": Traits(reserve=80, worth=100, worth_of_set=160, idle=0, trades=True, climbs=True),
}
"""The weakest first."""
