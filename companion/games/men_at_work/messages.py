"""Commands, events and the details of refusals of Men at Work."""

from dataclasses import dataclass
from typing import Annotated

from companion.game_api.corrections import PlayerRenamed, RenamePlayer
from companion.game_api.messages import Card, Command, Count, Event, Holds, Messages, Person, collect_messages
from companion.games.men_at_work.rules import commands, events
from companion.games.men_at_work.rules.state import BackShown, ColourChosen

# What the details of refusals hold, where commands and events have no field of that name, or mean another
# thing.

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


# What Men at Work's journals are made of.

MESSAGES = Messages(
    commands=(*collect_messages(Command, commands), RenamePlayer),
    events=(*collect_messages(Event, events), PlayerRenamed),
    details=DETAILS,
)
