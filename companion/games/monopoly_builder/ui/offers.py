"""Offers as pages show them: amounts on buttons, order, folds, where one may build; and advice about them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.engine.journal import Json
from companion.game_api.ui import AmountOutlook, Language, OfferValue, OfferWording, TableView, TextContext
from companion.games.monopoly_builder.drawings.town import plan_area
from companion.games.monopoly_builder.rules.advice import missing_chips, total_of
from companion.games.monopoly_builder.rules.catalog import BLOCKS, KINDS, PENTHOUSE
from companion.games.monopoly_builder.ui.texts import chips as said_chips

_CLAIM, _TURN, _BUILD, _END, _FOLDED, _HAMMER = range(0, 60, 10)
"""Kinds of offers in order: rents and debts, what is due, building, the end of the turn, what is seldom wanted."""
_RANKS = {
    "claim_rent": _CLAIM,
    "declare_bankrupt": _CLAIM,
    "build": _BUILD,
    "end_turn": _END,
    "bank_trade": _FOLDED,
    "trade": _FOLDED,
    "hammer": _HAMMER,
}
_FOLDS = {"build": "build", "bank_trade": "bank", "trade": "trades"}
_FOLDED_UNLESS_DUE = {"mortgage": "mortgages", "unmortgage": "mortgages", "play_chance": "cards"}


class MonopolyBuilderOffers:
    """Words for Monopoly Builder's offers on a page, and their order."""

    def offer(self, offer: Json, position: Json, telling: TextContext) -> OfferWording:
        """Return how an offer is called, where it stands, and what its values are called."""
        do = offer["do"]
        if do in _FOLDED_UNLESS_DUE:
            is_due = offer["urgency"] == "due"
            rank = _FOLDED if not is_due else _CLAIM if do == "mortgage" else _TURN
            wording = OfferWording(rank=rank, fold="" if is_due else _FOLDED_UNLESS_DUE[do])
        else:
            wording = OfferWording(
                rank=_RANKS.get(do, _TURN), fold=_FOLDS.get(do, ""), is_joined=do == "build", is_in_bar=do == "build"
            )
        return replace(wording, **_worded(offer, position, telling))

    def not_yet(self, position: Json, player: str, telling: TextContext) -> Sequence[tuple[str, str]]:
        """Return what somebody on turn cannot do yet, and what is missing for it: the next floors."""
        if position["phase"] != "act" or position["turn"] != player:
            return []
        lacking, is_any_paid = _lacking(position, player, telling)
        return [] if is_any_paid or not lacking else [(telling.words.verb("build"), lacking)]


def _worded(offer: Json, position: Json, telling: TextContext) -> dict[str, Any]:
    """Return what an offer says of amounts: title, note, values."""
    words, say = telling.words, telling.words.say_in
    match offer["do"]:
        case "buy":
            price = _deed(position["offered"], telling).get("price", 0)
            leaves = _leaves(offer["player"], price, telling)
            return {"title": say("offer", "buy", amount=words.money(price)), "note": leaves}
        case "decline" | "free_parking" as do:
            return {"title": say("offer", do)}
        case "bid":
            outlook = _outlook(offer["player"], telling)
            outlooks = {} if outlook is None else {offer["player"]: outlook}
            return {"title": words.template("bid", "offer"), "outlooks": outlooks}
        case "claim_rent":
            return _claim(offer, position, telling)
        case "mortgage" | "unmortgage":
            return {"values": _deeds_with(offer, offer["do"], telling)}
        case "trade":
            return {"values": _on_both_sides(offer, position, telling), "sides": _sides(offer)}
        case "build":
            note = _lacking(position, offer["player"], telling)[0]
            return {"values": _cells(offer, position, telling), "note": note}
        case "hammer":
            return {"note": _sold(position["auction"], telling)}
        case "end_turn" | "roll":
            mover = position["players"][position["turn"]]
            rolls = offer["do"] == "roll" or (position["doubles"] and not mover["in_jail"])
            return {"note": _lapsing(position, offer["player"] if rolls else None, telling)}
        case _:
            return {}


def _deed(deed: str, telling: TextContext) -> Json:
    values: Json = telling.catalog.get("deeds", {}).get(deed, {})
    return values


def _outlook(player: str, telling: TextContext) -> AmountOutlook | None:
    """Return what a bid leaves for the rents of the next roll and what is to be paid before it.

    ``None`` where the player's money is not seen.
    """
    ahead, words = telling.ahead(player, None), telling.words
    if ahead is None:
        return None
    cash, safe, figures = ahead["cash"], ahead["safe"], {"left": "{left}", "due": words.money(ahead["due"])}
    if not ahead["rents"]:
        enough = words.say_in("offer", "leaves", **figures)
        return cash, ((safe, enough), (cash, words.say_in("offer", "leaves too little due", **figures)))
    dearest = ahead["rents"][0]
    figures |= {"deed": telling.card(dearest["deed"]), "rent": words.money(dearest["rent"])}
    short = "leaves too little with due" if ahead["due"] else "leaves too little"
    enough = words.say_in("offer", "leaves enough", **figures)
    return cash, ((safe, enough), (cash, words.say_in("offer", short, **figures)))


def _leaves(player: str, amount: int, telling: TextContext) -> str:
    """Return what a price leaves, with a warning where that is too little for a rent of the next roll."""
    outlook = _outlook(player, telling)
    if outlook is None or amount > outlook[0]:
        return ""
    cash, sentences = outlook
    left = telling.words.money(cash - amount)
    if amount <= sentences[0][0]:
        return telling.words.say_in("offer", "leaves", left=left)
    return sentences[-1][1].replace("{left}", left)


def _claim(offer: Json, position: Json, telling: TextContext) -> dict[str, Any]:
    """Return the oldest claim for a deed, which is claimed first: what it brings and from whom."""
    words, mine = telling.words, (offer["player"], offer["deed"])
    claim = next(claim for claim in position["claims"] if (claim["owner"], claim["deed"]) == mine)
    payer = telling.person(claim["payer"])
    return {
        "title": words.say_in("offer", "claim_rent", amount=words.money(claim["amount"])),
        "note": words.say_in("offer", "claim from", deed=telling.card(offer["deed"]), player=payer),
    }


def _sold(auction: Json, telling: TextContext) -> str:
    """Return to whom the hammer sells for how much, or that the deed stays with the bank."""
    words, leader = telling.words, auction["leader"]
    if leader is None:
        return words.say_in("offer", "unsold")
    return words.say_in("offer", "sold", player=telling.person(leader), amount=words.money(auction["bid"]))


def _deeds_with(offer: Json, figure: str, telling: TextContext) -> Mapping[str, OfferValue]:
    """Return the deeds of an offer with what each brings or costs."""
    say, money = telling.words.say, telling.words.money
    return {
        deed: OfferValue(
            say("{name}: {value}", name=telling.card(deed), value=money(_deed(deed, telling).get(figure, 0)))
        )
        for deed in offer["fields"]["deed"]["values"]
    }


def _sides(offer: Json) -> Mapping[str, str]:
    """Return whose things each side of a trade holds."""
    return {"give": offer["player"], "get": offer["with"]}


def _on_both_sides(offer: Json, position: Json, telling: TextContext) -> Mapping[str, OfferValue]:
    """Return the deeds of both sides of a trade, each with its rent, or that it is mortgaged."""
    words = telling.words
    mortgaged = {deed for player in _sides(offer).values() for deed in position["players"][player]["mortgaged"]}
    deeds = [
        deed for side in _sides(offer) for deed in offer["fields"][side]["parts"].get("deeds", {}).get("values", ())
    ]
    return {
        deed: OfferValue(
            telling.card(deed),
            note=words.say_in("offer", "mortgaged")
            if deed in mortgaged
            else words.say_in("offer", "rent", amount=words.money(_rent(deed, position, telling))),
        )
        for deed in deeds
    }


def _rent(deed: str, position: Json, telling: TextContext) -> int:
    """Return what landing on a deed costs now: more where its owner has both of its colour."""
    values, deeds = _deed(deed, telling), telling.catalog.get("deeds", {})
    both = {other for other in deeds if deeds[other]["colour"] == values.get("colour")}
    is_set = any({deed, *both} <= {*own["deeds"]} for own in position["players"].values())
    return int(values.get("set_rent" if is_set else "rent", 0))


def _lapsing(position: Json, roller: str | None, telling: TextContext) -> str:
    """Return which rents can be claimed only until the next roll; ``roller``: who rolls it, where that is known."""
    claims = [claim for claim in position["claims"] if claim["payer"] != roller]
    said = (
        telling.words.say_in(
            "offer", "rent of", player=telling.person(claim["owner"]), amount=telling.words.money(claim["amount"])
        )
        for claim in claims
    )
    return telling.words.say_in("offer", "lapsing", rents=telling.words.listed(said)) if claims else ""


def _cost(height: int, telling: TextContext) -> Mapping[str, int]:
    floors = telling.catalog.get("floors", [])
    cost: Mapping[str, int] = floors[height - 1] if 0 < height <= len(floors) else {}
    return cost


def _cells_in_all(telling: TextContext) -> int:
    return sum(row.count("X") for row in telling.catalog["foundation"]["rows"])


_MOST_FLOORS = 2
"""Floors that are told at once, those first of which the fewest chips are missing."""


def _lacking(position: Json, player: str, telling: TextContext) -> tuple[str, bool]:
    """Return what is missing for the next floors that a player cannot build, and whether they can build any other."""
    words, own = telling.words, position["players"][player]
    if own["in_jail"]:
        return "", False
    heights = {building["height"] + 1 for building in position["board"].values() if building["owner"] == player}
    heights |= {1} if len(position["board"]) < _cells_in_all(telling) else set()
    heights = {height for height in heights if height <= PENTHOUSE}
    with_block = {height for height in heights if height == PENTHOUSE or own["blocks"]}
    missing = {height: missing_chips(_cost(height, telling), own["chips"]) for height in with_block}
    near = sorted(
        (height for height in missing if missing[height]), key=lambda height: (total_of(missing[height]), height)
    )
    said = [
        words.say_in("offer", "missing", floor=_floor(height, words), chips=said_chips(missing[height], words))
        for height in near[:_MOST_FLOORS]
    ]
    if with_block < heights:
        said.insert(0, words.say_in("offer", "no block", count=BLOCKS))
    return " · ".join(said), len(near) < len(with_block)


def _floor(height: int, words: Language) -> str:
    return words.say_in("stage", "penthouse") if height == PENTHOUSE else words.say_in("stage", "floor", floor=height)


def _cells(offer: Json, position: Json, telling: TextContext) -> Mapping[str, OfferValue]:
    """Return the cells where one may build, each with its place on the plan, the floor's cost, and how to pay it."""
    words, own = telling.words, position["players"][offer["player"]]["chips"]
    values: dict[str, OfferValue] = {}
    for cell in offer["fields"]["cell"]["values"]:
        height = position["board"].get(cell, {"height": 0})["height"] + 1
        cost = _cost(height, telling)
        top, chips = height == PENTHOUSE, said_chips(cost, words)
        values[cell] = OfferValue(
            f"{cell} · {words.say_in('stage', 'penthouse') if top else height}",
            note=words.say_in("offer", "penthouse on" if top else "floor", cell=cell, floor=height, chips=chips),
            area=plan_area(telling.catalog["foundation"]["rows"], cell, is_built=cell in position["board"]),
            fills=suggested_payment(cost, own),
        )
    return values


def suggested_payment(cost: Mapping[str, int], chips: Mapping[str, int]) -> dict[str, int]:
    """Return which chips pay for a floor: the named kinds, and for *any* those of which most are left."""
    paid = {kind: cost.get(kind, 0) for kind in KINDS}
    for _ in range(cost.get("any", 0)):
        most = max(KINDS, key=lambda kind: chips.get(kind, 0) - paid[kind])
        paid[most] += 1
    return {kind: count for kind, count in paid.items() if count}


# Advice: what is short of a floor, and what a deed is worth to whom.

_NEAR = 2
"""Chips short of a floor that is worth a word."""


def described_advice(scene: TableView, player: str) -> tuple[str, ...]:
    """Return what a player could use: floors within reach, and what the deed in question is worth to whom."""
    needed = scene.needs(player, None)
    if needed is None or scene.position["finished"]:
        return ()
    near = [floor for floor in needed["floors"] if 0 < floor["short"] <= _NEAR][:_MOST_FLOORS]
    sentences = [_short_of(scene, floor) for floor in near]
    if needed["deed"] is not None:
        sentences += _deed_advice(scene, needed["deed"])
    return tuple(sentences)


def _short_of(scene: TableView, floor: Json) -> str:
    words = scene.words
    missing, short = said_chips(floor["missing"], words), "penthouse short" if floor["floor"] == PENTHOUSE else "short"
    if len(floor["cells"]) > _MOST_FLOORS:
        return str(words.say_in("advice", short, chips=missing, floor=floor["floor"]))
    cells = words.listed(floor["cells"], how="or")
    return str(words.say_in("advice", f"{short} on", chips=missing, floor=floor["floor"], cells=cells))


def _deed_advice(scene: TableView, deed: Json) -> list[str]:
    """Return whose set a deed completes and what it brings; worth is counted for each player alike."""
    words, name = scene.words, scene.words.card(deed["deed"], scene.catalog)
    kind = words.say_in("kind of effect", deed["kind"])
    completes = "completes doubling" if scene.position["rules"].get("set_doubles_chips") else "completes"
    sentences = [words.say_in("advice", "brings", deed=name, kind=kind, rolls=deed["rolls"])]
    for worth in deed["worth"]:
        if worth["completes"]:
            points = words.several("{count} point", "{count} points", worth["points"])
            owner, rent = scene.names[worth["player"]], words.money(worth["rent"])
            sentences.append(words.say_in("advice", completes, deed=name, player=owner, rent=rent, points=points))
    return sentences
