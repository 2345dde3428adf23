"""The bundled board of Monopoly Builder as somebody would teach it, in the colours that such boards have."""

from typing import Any

Json = dict[str, Any]

KINDS = ("red", "purple", "green", "yellow")
USUAL = {"crimson": "red", "gold": "yellow", "navy": "dark_blue"}
COLOURS = ("brown", "light_blue", "pink", "orange", "red", "yellow", "green", "dark_blue")
NUMBERS = ("price", "rent", "set_rent", "mortgage", "unmortgage")


def printed_board(tables: Json) -> dict[str, Json]:
    """Return the values of a catalog file's tables, as the fields that are asked for each card."""
    ring = [".".join((space["type"], *([space["kind"]] if "kind" in space else []))) for space in tables["space"]]
    rolled = next(space["table"] for space in tables["space"] if "table" in space)
    points = {USUAL.get(colour, colour): worth for colour, worth in tables["sets"].items()}
    tokens = {reference["player"]: reference for reference in tables["reference"]}
    none: Json = {"apart": [], "joined": []}
    return {
        "BOARD": {"ring": ring, "table": {total: [kind] for total, kind in rolled.items()}},
        "TOWN": none | tables["foundation"],
        **{
            f"F{at}": {"costs": [floor.get(k, 0) for k in (*KINDS, "any")]}
            for at, floor in enumerate(tables["floors"], 1)
        },
        **{deed["id"]: _deed(deed) for deed in tables["deed"]},
        "SETS": {"points": [points[colour] for colour in COLOURS]},
        **{chance["id"]: _chance(chance) for chance in tables["chance"]},
        **{f"R{at}": {key: tokens[seat][key] for key in ("token", "kind")} for at, seat in enumerate(KINDS, 1)},
    }


def usual_colours(catalog: Json) -> Json:
    """The bundled catalog in those colours."""
    deeds = {
        card: {**deed, "colour": USUAL.get(deed["colour"], deed["colour"])} for card, deed in catalog["deeds"].items()
    }
    return {
        **catalog,
        "deeds": deeds,
        "sets": {USUAL.get(colour, colour): worth for colour, worth in catalog["sets"].items()},
    }


def _deed(deed: Json) -> Json:
    amounts = {"set_rent": 2 * deed["rent"]} | deed
    numbers = {"numbers": [str(total) for total in deed["numbers"]]}
    rest = {"name": deed["name"], "colour": USUAL.get(deed["colour"], deed["colour"]), "kind": deed["kind"]}
    return {**rest, **{name: amounts[name] for name in NUMBERS}, **numbers}


def _chance(chance: Json) -> Json:
    kept = "kept" if chance.get("keep") else "played"
    return {
        "effects": [_act(act) for act in chance["effects"]],
        "keep": kept,
        "name": chance["name"],
        "text": chance["text"],
    }


def _act(act: Json) -> Json:
    verb = act["do"] + ("_from_players" if "from" in act else "_to_players" if "to" in act else "")
    verb += "_space" if verb == "move_to" and "space" in act else ""
    usual = {"who": "drawer"} if verb in ("receive", "pay", "gain", "lose") else {}
    often = {"per": "once"} if verb in ("receive", "pay") else {}
    return {**usual, **often, **{key: value for key, value in act.items() if key not in ("from", "to")}, "do": verb}
