"""Teaching of a box of Monopoly Builder: what is asked of each card and of the board."""

from collections.abc import Mapping, Sequence
from itertools import count
from types import MappingProxyType
from typing import Any, get_args

from companion.engine.journal import Json
from companion.game_api.drawing import Disc, Drawing, Rectangle
from companion.game_api.teaching import Acts, Asked, Cells, Line, Number, Pairs, Pick, Row, Series, Teams
from companion.games.monopoly_builder.cards.checks import (
    CHANCE_IDS,
    DEED_IDS,
    LONGEST_NAME,
    LONGEST_TEXT,
    MOST_COLUMNS,
    MOST_ROWS,
    MOST_SPACES,
    TOTALS,
)
from companion.games.monopoly_builder.drawings.chips import KINDS as COLOURS_OF_KINDS
from companion.games.monopoly_builder.drawings.chips import of_set
from companion.games.monopoly_builder.rules.catalog import (
    FLOORS,
    KINDS,
    SPACE_TYPES,
    AffectedPlayers,
    KindOfEffect,
    KindOrAny,
    Per,
)

# What Chance cards do, as their owner composes it: verbs with a few fields each, and a sentence that says it
# back.


ONE_TIME = "once"
_AFFECTED = Pick("who", get_args(AffectedPlayers), "who")
_PER = Pick("per", (ONE_TIME, *get_args(Per)), "per")
_AMOUNT = Number("amount", 9_995, least=5)
_COUNT = Number("count", 9, least=1)
_GAINED = Pick("kind", get_args(KindOfEffect), "kind of effect")
_LOST = Pick("kind", get_args(KindOrAny), "kind of effect")
_TYPES = tuple(space_type for space_type in SPACE_TYPES if space_type not in ("deed", "chance"))
_MOST = 6

EFFECTS = Acts(
    "effects",
    MappingProxyType(
        {
            "manual": (),
            "receive": (_AMOUNT, _AFFECTED, _PER),
            "receive_from_players": (_AMOUNT,),
            "pay": (_AMOUNT, _AFFECTED, _PER),
            "pay_to_players": (_AMOUNT,),
            "gain": (_GAINED, _COUNT, _AFFECTED),
            "lose": (_LOST, _COUNT, _AFFECTED),
            "steal": (),
            "move": (Number("by", 59, least=-59),),
            "move_to": (Pick("type", _TYPES, "space"),),
            "move_to_space": (Number("space", 59),),
            "go_to_jail": (),
            "out_of_jail": (),
            "forced_trade": (),
        }
    ),
    "effect",
    _MOST,
)


def effect_table(act: Json) -> dict[str, Any]:
    """Write an effect as a catalog file has it."""
    fields_kept = {key: value for key, value in act.items() if (key, value) != ("per", ONE_TIME)}
    match act["do"]:
        case "receive_from_players":
            return {**fields_kept, "do": "receive", "from": "players"}
        case "pay_to_players":
            return {**fields_kept, "do": "pay", "to": "players"}
        case "move_to_space":
            return {**fields_kept, "do": "move_to"}
        case _:
            return fields_kept


def describe_effect(act: Json, words: Any) -> str:
    """Return an effect back in a sentence."""
    by = act["by"] if act["do"] == "move" else 0
    way = (".back" if by < 0 else "") + (".one" if abs(by) == 1 else "")
    figures = {
        "who": words.say_in("who", act.get("who", "drawer")),
        "amount": words.money(act.get("amount", 0)),
        "per": words.say_in("per", act.get("per", ONE_TIME)),
        "count": act.get("count", abs(act.get("by", act.get("space", 0)))),
        "kind": words.say_in("kind of effect", act.get("kind", "any")),
        "space": words.say_in("space", act.get("type", "go")),
    }
    return str(words.say_in("effect told", act["do"] + way, **figures))


# The tables of a catalog file out of what was taught of a box.

BOARD, TOWN, SETS = "BOARD", "TOWN", "SETS"
SET_COLOURS = ("brown", "light_blue", "pink", "orange", "red", "yellow", "green", "dark_blue")
KINDS_OR_ANY = (*KINDS, "any")
_KEPT = ("out_of_jail", "forced_trade")


def tables(name: str, taught: Mapping[str, Json]) -> dict[str, Any]:
    """Write what is known; what is not taught yet is left empty, so that its place tells it."""
    board, town, sets = (taught.get(sheet, {}) for sheet in (BOARD, TOWN, SETS))
    return {
        "game": "monopoly_builder",
        "name": name,
        "invented": False,
        "floors": [_costs(values["costs"]) for _, values in _of(taught, "F")],
        "foundation": {key: town.get(key, []) for key in ("rows", "apart", "joined")},
        "sets": dict(zip(SET_COLOURS, sets.get("points", ()), strict=False)),
        "space": _spaces(board),
        "deed": [
            {"id": card, **values, "numbers": [int(number) for number in values["numbers"]]}
            for card, values in _of(taught, "D")
        ],
        "chance": [_chance(card, values) for card, values in _of(taught, "C")],
        "reference": [{"player": KINDS[int(card[1:]) - 1], **values} for card, values in _of(taught, "R")],
    }


def _of(taught: Mapping[str, Json], letter: str) -> list[tuple[str, Json]]:
    return [(card, values) for card, values in sorted(taught.items()) if card[0] == letter and card[1:].isdigit()]


def _costs(costs: list[int]) -> dict[str, int]:
    return {kind: number for kind, number in zip(KINDS_OR_ANY, costs, strict=True) if number}


def _spaces(board: Json) -> list[dict[str, Any]]:
    """Write the ring; its deeds have their numbers in the order in which one walks past them."""
    numbers = count(1)
    acts: list[dict[str, Any]] = []
    for space in board.get("ring", ()):
        kind, _, of = space.partition(".")
        more: dict[str, Any] = {"kind": of} if of else {}
        if kind == "deed":
            more = {"deed": f"D{next(numbers):02}"}
        elif kind == "roll_for_resources":
            more = {"table": {total: team[0] for total, team in board["table"].items()}}
        acts.append({"type": kind, **more})
    return acts


def _chance(card: str, values: Json) -> dict[str, Any]:
    effects = [effect_table(act) for act in values["effects"]]
    kept = values["keep"] == "kept" or any(effect["do"] in _KEPT for effect in effects)
    return {"id": card, "name": values["name"], "text": values["text"], "keep": kept, "effects": effects}


# What is printed in a box of Monopoly Builder: the board, its foundation, floors, deeds, Chance, reference
# cards.

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
        """Return what is asked: of the board its spaces clockwise from GO, of deeds all that is printed there."""
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

    def usual(self, card: str, taught: Mapping[str, Json]) -> Json:
        """Propose what every box has, and names that are numbers until somebody types."""
        if card == BOARD:
            return {"ring": ["go"], "table": {total: ["any"] for total in _TOTALS}}
        if card in (TOWN, SETS):
            return {"rows": [], "apart": [], "joined": []} if card == TOWN else {}
        match card[0]:
            case "F":
                return {"costs": [0] * len(KINDS_OR_ANY)}
            case "D":
                before = [values for other, values in taught.items() if other[0] == "D"]
                return {"name": card, **({"colour": before[-1]["colour"]} if before else {})}
            case "C":
                return {"effects": [{"do": "manual"}], "keep": "played", "name": card, "text": card}
            case _:
                return {"token": card, "kind": KINDS[REFERENCE_IDS.index(card)]}

    def follows(self, taught: Mapping[str, Json]) -> Mapping[str, Mapping[str, Json]]:
        """Propose for each colour the amounts of the latest deed of it."""
        deeds = (values for card, values in taught.items() if card in DEED_IDS)
        return {"colour": {values["colour"]: {name: values[name] for name in _AMOUNTS} for values in deeds}}

    def tables(self, name: str, taught: Mapping[str, Json]) -> dict[str, Any]:
        """Return the tables of a catalog file with what is known."""
        return tables(name, taught)

    def picture(self, name: str, value: str) -> Drawing | None:
        """Draw colours of groups, and chips."""
        if name == "colour":
            return Drawing(40, 16, (Rectangle(0, 0, 40, 16, fill=of_set(value, SET_COLOURS), round=2),))
        if name == "kind":
            return Drawing(40, 16, (Disc(20, 8, 7.5, fill=COLOURS_OF_KINDS[value], line="#221d18", thick=0.6),))
        return None

    def describe_act(self, act: Json, words: Any) -> str:
        """Return an effect back."""
        return describe_effect(act, words)
