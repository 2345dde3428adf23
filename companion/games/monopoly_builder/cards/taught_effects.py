"""What Chance cards do, as their owner composes it: verbs with a few fields each, and a sentence that says it back."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, get_args

from companion.game_api.teaching import Acts, Number, Pick
from companion.games.monopoly_builder.rules.catalog import SPACE_TYPES, KindOfEffect, KindOrAny, Per, Who

Json = Mapping[str, Any]

ONCE = "once"
_WHO = Pick("who", get_args(Who), "who")
_PER = Pick("per", (ONCE, *get_args(Per)), "per")
_AMOUNT = Number("amount", 9_995, least=5)
_COUNT = Number("count", 9, least=1)
_GAINED = Pick("kind", get_args(KindOfEffect), "kind of effect")
_LOST = Pick("kind", get_args(KindOrAny), "kind of effect")
_TYPES = tuple(one for one in SPACE_TYPES if one not in ("deed", "chance"))
_MOST = 6

EFFECTS = Acts(
    "effects",
    MappingProxyType(
        {
            "manual": (),
            "receive": (_AMOUNT, _WHO, _PER),
            "receive_from_players": (_AMOUNT,),
            "pay": (_AMOUNT, _WHO, _PER),
            "pay_to_players": (_AMOUNT,),
            "gain": (_GAINED, _COUNT, _WHO),
            "lose": (_LOST, _COUNT, _WHO),
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
    held = {key: value for key, value in act.items() if (key, value) != ("per", ONCE)}
    match act["do"]:
        case "receive_from_players":
            return {**held, "do": "receive", "from": "players"}
        case "pay_to_players":
            return {**held, "do": "pay", "to": "players"}
        case "move_to_space":
            return {**held, "do": "move_to"}
        case _:
            return held


def told(act: Json, words: Any) -> str:
    """Say an effect back in a sentence."""
    back = ".back" if act["do"] == "move" and act["by"] < 0 else ""
    figures = {
        "who": words.say_in("who", act.get("who", "drawer")),
        "amount": words.money(act.get("amount", 0)),
        "per": words.say_in("per", act.get("per", ONCE)),
        "count": act.get("count", abs(act.get("by", act.get("space", 0)))),
        "kind": words.say_in("kind of effect", act.get("kind", "any")),
        "space": words.say_in("space", act.get("type", "go")),
    }
    return str(words.say_in("effect told", act["do"] + back, **figures))
