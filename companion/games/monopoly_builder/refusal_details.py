"""What the details of refusals hold, where commands and events have no field of that name, or mean another thing."""

from dataclasses import dataclass
from typing import Annotated

from companion.game_api.fields import Card, Count, Holds, Person
from companion.games.monopoly_builder.rules.fields import Money


@dataclass(frozen=True, slots=True)
class Details:
    """Of any refusal."""

    amount: Money
    bid: Money
    card: Card
    due: Count
    floor: Count
    height: Count
    kind: Annotated[str, Holds("choice", "kind")]
    least: Money
    phase: Annotated[str, Holds("choice", "phase")]
    space: Count
    tries: Count
    waiting: tuple[Person, ...]


@dataclass(frozen=True, slots=True)
class SeatsWanted:
    """Of ``number_of_players``."""

    least: Count
    most: Count


DETAILS: dict[str, type] = {"": Details, "number_of_players": SeatsWanted}
