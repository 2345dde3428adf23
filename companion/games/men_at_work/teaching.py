"""The printed data of the cards of Men at Work: a back, and two panels that are chosen by their drawings."""

import tomllib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from companion.engine.journal import Json
from companion.game_api.drawing import Drawing
from companion.game_api.teaching import Asked, Pick
from companion.games.men_at_work.drawings.instructions import HEIGHT, WIDTH, instruction
from companion.games.men_at_work.rules.catalog import BACKS, BOSS, INSTRUCTIONS, PLAIN

_HOUSE = Path(__file__).parent / "cards" / "decks" / "house.toml"
_IDS = tuple(f"I{number:02}" for number in range(1, INSTRUCTIONS + 1))


class MenAtWorkTeaching:
    """Thirty-six instruction cards and the boss.  Which instructions there are is known; only who has which is not."""

    cards: Mapping[str, Sequence[str]] = MappingProxyType({"card": _IDS, "boss": (BOSS,)})

    def fields(self, card: str) -> Sequence[Asked]:
        """Ask for the back, and of a front for both panels."""
        if card == BOSS:
            return (Pick("back", (*BACKS, PLAIN), "back"),)
        return (
            Pick("back", BACKS, "back"),
            *(Pick(panel, tuple(names), "instruction", names=names) for panel, names in _instructions().items()),
        )

    def usual(self, card: str, taught: Mapping[str, Json]) -> Json:
        """Propose the back of the card before."""
        if card == BOSS or not taught:
            return {}
        return {"back": list(taught.values())[-1]["back"]}

    def follows(self, taught: Mapping[str, Json]) -> Mapping[str, Mapping[str, Json]]:
        """Propose nothing more."""
        del taught
        return {}

    def tables(self, name: str, taught: Mapping[str, Json]) -> dict[str, Any]:
        """Return the box as the rules have it, with the cards that are known."""
        whole_catalog: dict[str, Any] = dict(_skeleton())
        cards = [{"id": card, **taught[card]} for card in _IDS if card in taught]
        boss = {key: value for key, value in whole_catalog["boss"].items() if key != "back"}
        back = {"back": taught[BOSS]["back"]} if BOSS in taught else {}
        return {**whole_catalog, "name": name, "invented": False, "boss": {**boss, **back}, "card": cards}

    def picture(self, name: str, value: str) -> Drawing | None:
        """Draw an instruction as its panel shows it."""
        if name not in ("girder", "worker"):
            return None
        return Drawing(WIDTH, HEIGHT, instruction(value, "any", "", 0, 0, 1))

    def describe_act(self, act: Json, words: Any) -> str:
        """Return nothing: no card of this game does anything by itself."""
        del act, words
        return ""


@lru_cache(maxsize=1)
def _skeleton() -> Mapping[str, Any]:
    return MappingProxyType(tomllib.loads(_HOUSE.read_text("utf-8")))


@lru_cache(maxsize=1)
def _instructions() -> Mapping[str, Mapping[str, Mapping[str, str]]]:
    """Return the names of the instructions for girders and for workers, in each language."""
    backs: dict[str, dict[str, Mapping[str, str]]] = {"girder": {}, "worker": {}}
    for card in _skeleton()["instruction"]:
        backs[card["for"]][card["id"]] = {"en": card["name"], **card["names"]}
    return backs
