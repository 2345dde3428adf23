"""Field types: what a field of a command, an event or a refusal holds, said once where the field is declared.

They mark the fields of frozen dataclasses, as in ``worker: Annotated[str, Holds("card", "workers")]``.  Strict JSON,
the forms that put an entry right, the telling of events and the schemas of the interface all read them.
"""

from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias

Kind: TypeAlias = Literal["money", "thousands", "person", "place", "card", "seat", "choice", "count", "text", "record"]
"""What a field may hold.

``money`` whole dollars, ``thousands`` dollars told in thousands, ``count`` a number of anything; ``person`` the id of a
player, ``place`` of a player or a place; ``card`` the id of a card; ``seat`` an object with ``id`` and ``name``;
``choice`` one of the ids of its ``Literal``; ``text`` somebody's own words; ``record`` an object of the game's own.
"""

MEANINGS: dict[str, str] = {
    "money": "Whole dollars.",
    "thousands": "Whole dollars, told in thousands.",
    "person": "The id of a player.",
    "place": "The id of a player or of a place.",
    "card": "The id of a card.",
    "count": "A number.",
    "text": "Somebody's own words.",
}
"""What the description of the interface says of a field."""


@dataclass(frozen=True, slots=True)
class Holds:
    """What a field holds, ``of`` what, and whether it ``stays`` when an entry is put right.

    ``of``: for a card the table of the catalog that it stands in (two, separated by a space), for a place the ids
    of those that are no player, for a choice the context of its words, for a record the name of its telling.
    """

    kind: Kind
    of: str = ""
    stays: bool = False

    def __get_pydantic_json_schema__(self, core: Any, handler: Any) -> Any:
        """Say in the schema of the interface what the field holds."""
        described = handler(core)
        return {**described, "description": MEANINGS[self.kind]} if self.kind in MEANINGS else described


Dollars: TypeAlias = Annotated[int, Holds("money")]
Thousands: TypeAlias = Annotated[int, Holds("thousands")]
Count: TypeAlias = Annotated[int, Holds("count")]
Person: TypeAlias = Annotated[str, Holds("person")]
Actor: TypeAlias = Annotated[str, Holds("person", stays=True)]
"""The player whose act it is, where nobody else could have done it."""
Card: TypeAlias = Annotated[str, Holds("card")]
Text: TypeAlias = Annotated[str, Holds("text")]
