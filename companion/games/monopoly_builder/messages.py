"""Commands, events and the details of refusals of Monopoly Builder."""

from dataclasses import dataclass
from typing import Annotated

from companion.engine.journal import Json
from companion.game_api.corrections import PlayerRenamed, RenamePlayer
from companion.game_api.messages import (
    Card,
    Command,
    Count,
    Event,
    Holds,
    Messages,
    Person,
    collect_messages,
    covered_position,
)
from companion.games.monopoly_builder.rules import commands, events
from companion.games.monopoly_builder.rules.state import ChipPlace, Money

# What the details of refusals hold, where commands and events have no field of that name, or mean another
# thing.


@dataclass(frozen=True, slots=True)
class Details:
    """Of any refusal."""

    amount: Money
    bid: Money
    card: Card
    due: Count
    floor: Count
    free: Money
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


@dataclass(frozen=True, slots=True)
class FloorWanted:
    """Of ``say_the_chips`` and ``not_the_cost``: told with what the floor costs."""

    floor: Annotated[int, Holds("record", "floor cost")]


@dataclass(frozen=True, slots=True)
class FieldNamed:
    """Of ``disagrees``: a field of a position, by its name on pages; of players how many are and must be solvent."""

    field: Annotated[str, Holds("choice", "field")]
    solvent: Count
    needed: Count


@dataclass(frozen=True, slots=True)
class HeightWanted:
    """Of ``no_such_height``: a building that is taken over has at most so many floors."""

    height: Count
    most: Count


@dataclass(frozen=True, slots=True)
class ChipsWanted:
    """Of ``not_so_many_chips`` and ``tray_is_short``: so many are asked for, and so many are there."""

    place: ChipPlace
    count: Count
    there: Count


DETAILS: dict[str, type] = {
    "": Details,
    "disagrees": FieldNamed,
    "no_such_height": HeightWanted,
    "not_so_many_chips": ChipsWanted,
    "tray_is_short": ChipsWanted,
    "number_of_players": SeatsWanted,
    "say_the_chips": FloorWanted,
    "not_the_cost": FloorWanted,
}


def cover_taken_over(command: Json, event: Json, viewer: str) -> tuple[Json, Json]:
    """Cover the money of others where a game is taken over in which it is hidden."""
    if event["rules"].get("money") != "hidden" or event["stage"] == "finished":
        return command, event
    cash = {player: amount if player == viewer else None for player, amount in event["cash"].items()}
    return covered_position(command, viewer), {**event, "cash": cash}


# What Monopoly Builder's journals are made of.

MESSAGES = Messages(
    commands=(*collect_messages(Command, commands), RenamePlayer),
    events=(*collect_messages(Event, events), PlayerRenamed),
    secret=frozenset({"CashCounted", "GameTakenOver"}),
    revealing=frozenset({"GameEnded"}),
    banker_sees=frozenset({"CashCounted", "GameTakenOver"}),
    covered={"GameTakenOver": cover_taken_over},
    quiet=frozenset({"StageCame", "EffectCame", "DeedOffered"}),
    details=DETAILS,
)
