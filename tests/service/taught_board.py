"""The bundled board of Monopoly Builder as somebody would teach it, in the colours that such boards have."""

from typing import Any

Json = dict[str, Any]

KINDS = ("red", "purple", "green", "yellow")
USUAL = {"crimson": "red", "gold": "yellow", "navy": "dark_blue"}
COLOURS = ("brown", "light_blue", "pink", "orange", "red", "yellow", "green", "dark_blue")
NUMBERS = ("price", "rent", "set_rent", "mortgage", "unmortgage")


def printed_board(tables: Json) -> dict[str, Json]:
    """What a table of a catalog file says, as the fields that are asked for it."""
    ring = [".".join((one["type"], *([one["kind"]] if "kind" in one else []))) for one in tables["space"]]
    rolled = next(one["table"] for one in tables["space"] if "table" in one)
    points = {USUAL.get(colour, colour): worth for colour, worth in tables["sets"].items()}
    tokens = {one["player"]: one for one in tables["reference"]}
    none: Json = {"apart": [], "joined": []}
    return {
        "BOARD": {"ring": ring, "table": {total: [kind] for total, kind in rolled.items()}},
        "TOWN": none | tables["foundation"],
        **{f"F{at}": {"costs": [one.get(k, 0) for k in (*KINDS, "any")]} for at, one in enumerate(tables["floors"], 1)},
        **{one["id"]: _deed(one) for one in tables["deed"]},
        "SETS": {"points": [points[colour] for colour in COLOURS]},
        **{one["id"]: _chance(one) for one in tables["chance"]},
        **{f"R{at}": {key: tokens[seat][key] for key in ("token", "kind")} for at, seat in enumerate(KINDS, 1)},
    }


def usual_colours(catalog: Json) -> Json:
    """The bundled catalog in those colours."""
    deeds = {card: {**one, "colour": USUAL.get(one["colour"], one["colour"])} for card, one in catalog["deeds"].items()}
    return {**catalog, "deeds": deeds, "sets": {USUAL.get(one, one): worth for one, worth in catalog["sets"].items()}}


def _deed(one: Json) -> Json:
    amounts = {"set_rent": 2 * one["rent"]} | one
    numbers = {"numbers": [str(total) for total in one["numbers"]]}
    rest = {"name": one["name"], "colour": USUAL.get(one["colour"], one["colour"]), "kind": one["kind"]}
    return {**rest, **{name: amounts[name] for name in NUMBERS}, **numbers}


def _chance(one: Json) -> Json:
    kept = "kept" if one.get("keep") else "played"
    return {"effects": [_act(act) for act in one["effects"]], "keep": kept, "name": one["name"], "text": one["text"]}


def _act(act: Json) -> Json:
    verb = act["do"] + ("_from_players" if "from" in act else "_to_players" if "to" in act else "")
    verb += "_space" if verb == "move_to" and "space" in act else ""
    usual = {"who": "drawer"} if verb in ("receive", "pay", "gain", "lose") else {}
    often = {"per": "once"} if verb in ("receive", "pay") else {}
    return {**usual, **often, **{key: held for key, held in act.items() if key not in ("from", "to")}, "do": verb}
