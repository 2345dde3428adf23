"""The field types of Monopoly Builder."""

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

from companion.game_api.fields import Holds
from companion.games.monopoly_builder.rules.kinds import Kind

PlayerId: TypeAlias = Literal["red", "purple", "green", "yellow"]
PhaseChosen: TypeAlias = Literal["discard", "roll", "act", "finished"]

Money: TypeAlias = Annotated[int, Holds("money", "5")]
DeedId: TypeAlias = Annotated[str, Holds("card", "deeds")]
ChanceId: TypeAlias = Annotated[str, Holds("card", "chance")]
CardId: TypeAlias = Annotated[str, Holds("card", "deeds chance")]
KindChosen: TypeAlias = Annotated[Kind, Holds("choice", "kind")]
ChipsNamed: TypeAlias = Annotated[Mapping[str, int], Holds("record", "chips")]
Dice: TypeAlias = Annotated[tuple[int, int], Holds("record", "dice")]
Cell: TypeAlias = Annotated[str, Holds("text")]
Payer: TypeAlias = Annotated[str, Holds("place", "bank")]
CardPlace: TypeAlias = Annotated[str, Holds("place", "bank deck")]
ChipPlace: TypeAlias = Annotated[str | int, Holds("record", "heap")]
NameOfPhase: TypeAlias = Annotated[PhaseChosen, Holds("choice", "phase")]
