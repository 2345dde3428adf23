"""What the details of refusals hold, where commands and events have no field of that name, or mean another thing."""

from dataclasses import dataclass
from typing import Annotated, TypeAlias

from companion.game_api.fields import Card, Count, Holds, Person, Thousands
from companion.games.master_builder.rules.fields import (
    CardPlace,
    Dollars,
    NameOfPhase,
    SectionId,
    TypeOfWorker,
    WorkerId,
)

Said: TypeAlias = Annotated[int, Holds("record", "said")]
"""An amount as somebody said it, which may be none that the game knows."""


@dataclass(frozen=True, slots=True)
class Details:
    """Of any refusal."""

    amount: Said
    card: Card
    choices: tuple[WorkerId, ...]
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
