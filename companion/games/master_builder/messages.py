"""The commands, events and records in the journals of Master Builder."""

from dataclasses import dataclass
from typing import Annotated, TypeAlias

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
    Thousands,
    Upcast,
    collect_messages,
    covered_position,
)
from companion.games.master_builder.rules import commands, events
from companion.games.master_builder.rules.state import (
    CardPlace,
    Dollars,
    NameOfPhase,
    SectionId,
    TypeOfWorker,
    WorkerId,
)

# What the details of refusals hold, where commands and events have no field of that name, or mean another
# thing.

Said: TypeAlias = Annotated[int, Holds("record", "said")]
"""An amount as somebody said it, which may be none that the game knows."""


@dataclass(frozen=True, slots=True)
class Details:
    """Of any refusal."""

    amount: Said
    card: Card
    choices: tuple[WorkerId, ...]
    kept: Dollars
    least: Dollars
    limit: Thousands
    missing: Dollars
    owner: Person
    phase: NameOfPhase
    places: tuple[CardPlace, ...]
    section: SectionId
    type: TypeOfWorker
    wage: Said
    waiting: tuple[Person, ...]
    wages: Thousands


@dataclass(frozen=True, slots=True)
class SeatsWanted:
    """Of ``number_of_players``."""

    least: Count
    most: Count


def cover_taken_over(command: Json, event: Json, viewer: str) -> tuple[Json, Json]:
    """Cover the money of others where a game is taken over in which it is hidden."""
    if event["rules"].get("money") != "hidden" or event["phase"] == "finished":
        return command, event
    cash = [purse if purse["by"] == viewer else {**purse, "amount": None} for purse in event["cash"]]
    return covered_position(command, viewer), {**event, "cash": cash}


UPCASTS: tuple[Upcast, ...] = ()
"""What has been renamed in Master Builder since its first journals, oldest first.

The journal keeps what was written.  Whoever renames an event class, or a field of one, adds an upcast here and
a journal of the version before to the tests.
"""

MESSAGES = Messages(
    commands=(*collect_messages(Command, commands), RenamePlayer),
    events=(*collect_messages(Event, events), PlayerRenamed),
    upcasts=UPCASTS,
    secret=frozenset({"PlanLocked", "CashCounted", "GameTakenOver"}),
    revealing=frozenset({"IncomePhaseBegan"}),
    revealed_by=dict.fromkeys(("CashCounted", "GameTakenOver"), frozenset({"GameEnded"})),
    banker_sees=frozenset({"CashCounted", "GameTakenOver"}),
    covered={"GameTakenOver": cover_taken_over},
    details={"": Details, "number_of_players": SeatsWanted},
)
