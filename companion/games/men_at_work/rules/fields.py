"""The field types of Men at Work."""

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

from companion.game_api.fields import Holds
from companion.games.men_at_work.rules.pieces import Back, Colour

PlayerId: TypeAlias = Literal["red", "blue", "yellow", "green", "grey"]
Level: TypeAlias = Literal["standard", "expert"]
Heap: TypeAlias = Literal["reserve", "site", "floor"]
Ending: TypeAlias = Literal["awards", "last_standing", "exhausted"]

CardId: TypeAlias = Annotated[str, Holds("card", "cards")]
BackShown: TypeAlias = Annotated[Back, Holds("choice", "back")]
ColourChosen: TypeAlias = Annotated[Colour, Holds("choice", "colour")]
PiecesNamed: TypeAlias = Annotated[Mapping[str, int], Holds("record", "pieces")]
PlaceOfPieces: TypeAlias = Annotated[Heap, Holds("choice", "place")]
FallenTo: TypeAlias = Annotated[Literal["reserve", "floor"], Holds("choice", "place")]
PileOrDiscard: TypeAlias = Annotated[Literal["deck", "discard"], Holds("choice", "place")]
HowItEnded: TypeAlias = Annotated[Ending, Holds("choice", "ending")]
LevelChosen: TypeAlias = Annotated[Level, Holds("choice", "level")]
