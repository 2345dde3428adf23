"""What the details of refusals hold, where commands and events have no field of that name, or mean another thing."""

from dataclasses import dataclass
from typing import Annotated

from companion.game_api.fields import Card, Count, Holds, Person
from companion.games.men_at_work.rules.fields import BackShown, ColourChosen

MOMENT = Annotated[str, Holds("choice", "phase")]


@dataclass(frozen=True, slots=True)
class Details:
    """Of any refusal."""

    back: BackShown
    card: Card
    cards: tuple[Card, ...]
    colours: tuple[ColourChosen, ...]
    count: Count
    least: Count
    lying: Count
    most: Count
    phase: MOMENT
    piece: Annotated[str, Holds("choice", "piece")]
    turn: Count
    waiting: tuple[Person, ...]


DETAILS: dict[str, type] = {"": Details}
