"""The printed data of Master Builder's cards, for people who enter the cards of their own box."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, get_args

from companion.engine.journal import Json
from companion.game_api.drawing import Drawing
from companion.game_api.teaching import Acts, Asked, Line, Number, Pick, Row, Teams
from companion.games.master_builder.cards.checks import IDS, LONGEST_NAME, LONGEST_TEXT, MOST_IN_TEAM, MOST_QUIRKS
from companion.games.master_builder.drawings.buildings import empty_building
from companion.games.master_builder.rules.catalog import (
    HOUSE_SECTIONS,
    WALL_NUMBERS,
    WALL_SECTIONS,
    Lasting,
    Per,
    Quirk,
    WorkerType,
)

_TYPES, _QUIRKS = get_args(WorkerType), get_args(Quirk)
_THOUSAND = 1_000
_TYPE = Pick("type", _TYPES, "workers", 0, len(_TYPES))
_QUIRK = Pick("quirk", _QUIRKS, "quirk", 0, len(_QUIRKS))
_COUNT = Number("count", 9, least=1)
_AMOUNT = Number("amount", 99, _THOUSAND)
_LESS = Number("amount", 99, _THOUSAND, -99)
_LASTING = Pick("lasting", get_args(Lasting), "lasting")
_PER = Pick("per", get_args(Per), "per")
_EFFECTS = Acts(
    "effects",
    MappingProxyType(
        {
            "manual": (),
            "unavailable": (_TYPE, _QUIRK, _COUNT),
            "dismiss": (_TYPE, _QUIRK, _COUNT),
            "wage_change": (_TYPE, _QUIRK, _COUNT, _LESS, _LASTING),
            "pay": (_AMOUNT, _PER),
            "receive": (_AMOUNT, _PER),
            "raze": (_COUNT,),
        }
    ),
    "effect",
    6,
    frozenset({"type", "quirk", "count"}),
)
_NAMES = {"contract": "Contract", "event": "Event", "economy": "Situation"}


class MasterBuilderTeaching:
    """Contracts, workers, events and economic situations of a box."""

    cards: Mapping[str, Sequence[str]] = MappingProxyType(
        {table: IDS[table] for table in ("worker", "contract", "event", "economy")}
    )

    def fields(self, card: str) -> Sequence[Asked]:
        """Return what is asked: type, wage and quirks of workers; price, lowest bid and teams of contracts."""
        match card[0]:
            case "W":
                quirks = Pick("quirks", _QUIRKS, "quirk", 1, MOST_QUIRKS)
                return (Pick("type", _TYPES, "worker"), Number("wage", 99, _THOUSAND), quirks)
            case "C":
                wall = int(card[1:]) in WALL_NUMBERS
                sections = tuple(WALL_SECTIONS if wall else HOUSE_SECTIONS)
                plan, spots = empty_building("city_wall" if wall else "house")
                teams = Teams("sections", sections, "section", _TYPES, "worker", MOST_IN_TEAM, plan, spots)
                price, cost = Number("price", 999, _THOUSAND), Number("cost", 999, _THOUSAND)
                return (price, cost, teams, Line("name", LONGEST_NAME))
            case "E":
                return (_EFFECTS, Line("name", LONGEST_NAME), Line("text", LONGEST_TEXT))
            case _:
                return (Row("reveal", ("2", "3", "4"), 6), Line("name", LONGEST_NAME))

    def usual(self, card: str, taught: Mapping[str, Json]) -> Json:
        """Propose the values of the card before: workers come type by type, names are numbers until somebody types."""
        before = [values for other, values in taught.items() if other[0] == card[0]]
        match card[0]:
            case "W":
                return {key: before[-1][key] for key in ("type", "wage")} if before else {}
            case "C":
                return {"name": f"{_NAMES['contract']} {int(card[1:])}"}
            case "E":
                name = f"{_NAMES['event']} {int(card[1:])}"
                return {"effects": [{"do": "manual"}], "name": name, "text": name}
            case _:
                reveal = before[-1]["reveal"] if before else [0, 0, 0]
                return {"reveal": list(reveal), "name": f"{_NAMES['economy']} {int(card[1:])}"}

    def follows(self, taught: Mapping[str, Json]) -> Mapping[str, Mapping[str, Json]]:
        """Propose for each type of worker the wage that the latest one of it has."""
        workers = (values for card, values in taught.items() if card[0] == "W")
        return {"type": {values["type"]: {"wage": values["wage"]} for values in workers}}

    def tables(self, name: str, taught: Mapping[str, Json]) -> dict[str, Any]:
        """Return contracts, workers, events and economic situations as a file has them."""
        whole_catalog: dict[str, Any] = {"game": "master_builder", "name": name, "invented": False}
        whole_catalog["contract"] = [_contract(card, taught[card]) for card in IDS["contract"] if card in taught]
        for table in ("worker", "event", "economy"):
            whole_catalog[table] = [{"id": card, **taught[card]} for card in IDS[table] if card in taught]
        return whole_catalog

    def picture(self, name: str, value: str) -> Drawing | None:
        """Draw nothing: letters stand on the cards too."""
        del name, value
        return None

    def describe_act(self, act: Json, words: Any) -> str:
        """Return an effect back."""
        types_named = words.listed(words.say_in("workers", worker_type) for worker_type in act.get("type", ()))
        quirks = words.listed((words.say_in("quirk", quirk) for quirk in act.get("quirk", ())), how="or")
        said = " ".join(
            part
            for part in (types_named or words.say_in("effect told", "any"), f"({quirks})" if quirks else "")
            if part
        )
        figures = {
            "whom": said,
            "count": act.get("count") or words.say_in("effect told", "all"),
            "amount": words.money(abs(act.get("amount", 0))),
            "per": words.say_in("per", act.get("per", "player")),
            "lasting": words.say_in("lasting", act.get("lasting", "round")),
        }
        less = ".less" if act["do"] == "wage_change" and act.get("amount", 0) < 0 else ""
        return str(words.say_in("effect told", act["do"] + less, **figures))


def _contract(card: str, card_values: Json) -> dict[str, Any]:
    number = int(card[1:])
    kind = "city_wall" if number in WALL_NUMBERS else "house"
    return {"number": number, "kind": kind, **card_values}
