"""What is printed in a box of Monopoly Builder: the board, its foundation, floors, deeds, Chance, reference cards."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from companion.game_api.drawing import Box, Disc, Drawing
from companion.game_api.teaching import Asked, Cells, Json, Line, Number, Pairs, Pick, Row, Series, Teams
from companion.games.monopoly_builder.cards.chance_checks import LONGEST_TEXT
from companion.games.monopoly_builder.cards.checks import (
    CHANCE_IDS,
    DEED_IDS,
    LONGEST_NAME,
    MOST_COLUMNS,
    MOST_ROWS,
    MOST_SPACES,
    TOTALS,
)
from companion.games.monopoly_builder.cards.taught import BOARD, KINDS_OR_ANY, SET_COLOURS, SETS, TOWN, tables
from companion.games.monopoly_builder.cards.taught_effects import EFFECTS, told
from companion.games.monopoly_builder.drawings.colours import KINDS as COLOURS_OF_KINDS
from companion.games.monopoly_builder.drawings.colours import of_set
from companion.games.monopoly_builder.rules.catalog import FLOORS
from companion.games.monopoly_builder.rules.kinds import KINDS

FLOOR_IDS = tuple(f"F{number}" for number in range(1, FLOORS + 1))
REFERENCE_IDS = tuple(f"R{number}" for number in range(1, len(KINDS) + 1))
SPACES = (
    "deed",
    *(f"collect.{kind}" for kind in KINDS),
    "roll_for_resources",
    "chance",
    "steal",
    "free_parking",
    "jail",
    "go_to_jail",
    "go",
)
_TOTALS = tuple(str(total) for total in TOTALS)
_MOST_OF_A_KIND = 9
_AMOUNTS = ("price", "rent", "set_rent", "mortgage", "unmortgage")


class MonopolyBuilderTeaching:
    """The ring first, then the foundation, what floors cost, deeds, what groups count, Chance, reference cards."""

    cards: Mapping[str, Sequence[str]] = MappingProxyType(
        {
            "space": (BOARD,),
            "foundation": (TOWN,),
            "floors": FLOOR_IDS,
            "deed": DEED_IDS,
            "sets": (SETS,),
            "chance": CHANCE_IDS,
            "reference": REFERENCE_IDS,
        }
    )

    def fields(self, card: str) -> Sequence[Asked]:
        """Say what is asked: of the board its spaces clockwise from GO, of deeds all that is printed there."""
        if card == BOARD:
            table = Teams("table", _TOTALS, "", KINDS_OR_ANY, "value", 1)
            return (Series("ring", SPACES, "printed space", MOST_SPACES, first=0), table)
        if card == TOWN:
            return (
                Cells("rows", MOST_ROWS, MOST_COLUMNS),
                Pairs("apart", "rows", 40),
                Pairs("joined", "rows", 40),
            )
        if card == SETS:
            return (Row("points", SET_COLOURS, _MOST_OF_A_KIND, "colour"),)
        match card[0]:
            case "F":
                return (Row("costs", KINDS_OR_ANY, _MOST_OF_A_KIND, "value"),)
            case "D":
                amounts = (Number(name, 9_995, least=5) for name in _AMOUNTS)
                numbers = Pick("numbers", _TOTALS, "", 1, len(_TOTALS))
                colour = Pick("colour", SET_COLOURS, "colour")
                return (Line("name", LONGEST_NAME), colour, *amounts, numbers, Pick("kind", KINDS, "value"))
            case "C":
                keep = Pick("keep", ("played", "kept"), "keep")
                return (EFFECTS, keep, Line("name", LONGEST_NAME), Line("text", LONGEST_TEXT))
            case _:
                return (Line("token", LONGEST_NAME), Pick("kind", KINDS, "value"))

    def usual(self, card: str, known: Mapping[str, Json]) -> Json:
        """Propose what every box has, and names that are numbers until somebody types."""
        if card == BOARD:
            return {"ring": ["go"], "table": {total: ["any"] for total in _TOTALS}}
        if card in (TOWN, SETS):
            return {"rows": [], "apart": [], "joined": []} if card == TOWN else {}
        match card[0]:
            case "F":
                return {"costs": [0] * len(KINDS_OR_ANY)}
            case "D":
                before = [held for other, held in known.items() if other[0] == "D"]
                return {"name": card, **({"colour": before[-1]["colour"]} if before else {})}
            case "C":
                return {"effects": [{"do": "manual"}], "keep": "played", "name": card, "text": card}
            case _:
                return {"token": card, "kind": KINDS[REFERENCE_IDS.index(card)]}

    def follows(self, known: Mapping[str, Json]) -> Mapping[str, Mapping[str, Json]]:
        """Propose for each colour the amounts of the latest deed of it."""
        deeds = (held for card, held in known.items() if card in DEED_IDS)
        return {"colour": {held["colour"]: {name: held[name] for name in _AMOUNTS} for held in deeds}}

    def tables(self, name: str, known: Mapping[str, Json]) -> dict[str, Any]:
        """Give the tables of a catalog file with what is known."""
        return tables(name, known)

    def picture(self, name: str, value: str) -> Drawing | None:
        """Draw colours of groups, and chips."""
        if name == "colour":
            return Drawing(40, 16, (Box(0, 0, 40, 16, fill=of_set(value, SET_COLOURS), round=2),))
        if name == "kind":
            return Drawing(40, 16, (Disc(20, 8, 7.5, fill=COLOURS_OF_KINDS[value], line="#221d18", thick=0.6),))
        return None

    def told(self, act: Json, words: Any) -> str:
        """Say an effect back."""
        return told(act, words)
