"""Monopoly Builder on the stage: where somebody landed, what was paid, built or bid, and the account at the end."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from companion.engine.journal import Json
from companion.game_api.drawing import Drawing
from companion.game_api.stage import (
    CountRow,
    DrawnCount,
    GlossaryTerm,
    SeatState,
    Stage,
    StageFact,
    StageSeat,
    StageStep,
    Token,
    Tone,
    Transfer,
)
from companion.game_api.ui import Language, TableView
from companion.games.monopoly_builder.drawings.cards import chance, deed, on_paper
from companion.games.monopoly_builder.drawings.chips import chance_back, chip_token, deed_strip, small_deed
from companion.games.monopoly_builder.drawings.game import (
    account_of,
    auction_picture,
    floor_costs,
    standing_events,
    town_picture,
)
from companion.games.monopoly_builder.drawings.town import low_town
from companion.games.monopoly_builder.rules.catalog import KINDS, LEAST_BID, PENTHOUSE, UNIT
from companion.games.monopoly_builder.ui.offers import described_advice
from companion.games.monopoly_builder.ui.texts import jail_ways, payments_together, space_named, try_in_jail

STEPS = ("roll", "space", "act")
"""The steps of a turn in the head: dice, what the space brings, building and trading."""
_ROLLING = frozenset({"discard", "roll"})
_SILENT = frozenset(
    {"TurnBegan", "StageCame", "TokenMoved", "DeedOffered", "EffectCame", "ChoicesCame", "DiceRolled", "RentFell"}
    | {"EntryUndone", "EntryRedone", "EntryAmended"}
)
"""Events that page and sentence show anyway, and that nobody needs to hear of."""
_MOST_SENTENCES = 3
_KIND_FIELDS = frozenset({"kind", "get", "give", "take", "chips"})


class MonopolyBuilderStage:
    """Shows positions of Monopoly Builder on the stage."""

    def stage(self, scene: TableView) -> Stage:
        """Return what happened last while it is the newest thing, else what is to be done."""
        events = _latest_events(scene)
        return Stage(
            **{**_scene(scene, events), **_deed_asked(scene)},
            plan=_plan(scene),
            transfers=_transfers(scene, events),
            facts=_facts(scene),
            steps=_steps(scene),
            seats={player: _seat(scene, player, events) for player in scene.players},
            now=_expected(scene),
            then=_next_player(scene),
            news=" ".join(_sentences(scene, events)),
            advice={player: sentences for player in scene.players if (sentences := described_advice(scene, player))},
        )

    def choices(self, scene: TableView, name: str, values: Sequence[str]) -> Mapping[str, Drawing]:
        """Draw chips where a kind is chosen."""
        if name == "deeds":
            return {deed: replace(_deed_of(scene, deed), says="") for deed in values}
        if name == "cards":
            return {card: replace(chance_back(card, scene.catalog, scene.words), says="") for card in values}
        if name not in _KIND_FIELDS:
            return {}
        return {kind: chip_token(kind, scene.words) for kind in values if kind in KINDS}

    def deal(self, scene: TableView, command: Json) -> Sequence[Transfer]:
        """Return what each side of a trade gives."""
        if command["do"] != "trade":
            return ()
        return _sides(scene, command["player"], command["with"], command)


def _sides(scene: TableView, player: str, other: str, bundles: Json) -> tuple[Transfer, Transfer]:
    """Return both directions of a trade, of a command or of what came of it."""
    return (
        _transfer(scene, player, other, bundles.get("give", {})),
        _transfer(scene, other, player, bundles.get("get", {})),
    )


def _transfer(scene: TableView, giver: str, taker: str, bundle: Json) -> Transfer:
    words, counts = scene.words, bundle.get("chips", {})
    pieces = tuple(DrawnCount(chip_token(kind, words), counts[kind]) for kind in KINDS if counts.get(kind))
    named = (_deed_of(scene, deed) for deed in bundle.get("deeds", ()))
    cards = (chance_back(card, scene.catalog, words) for card in bundle.get("cards", ()))
    amount = words.money(bundle["money"]) if bundle.get("money") else ""
    return Transfer(giver, taker, amount, pieces, (*named, *cards))


def _deed_of(scene: TableView, deed: str) -> Drawing:
    is_mortgaged = any(deed in values["mortgaged"] for values in scene.players.values())
    return small_deed(deed, scene.catalog, scene.words, mortgaged=is_mortgaged)


def _latest_events(scene: TableView) -> tuple[Json, ...]:
    return tuple(scene.entries[-1]["events"]) if scene.entries else ()


def _sentences(scene: TableView, events: Sequence[Json], *, without: Sequence[str] = ()) -> list[str]:
    """Return what happened in sentences; not what the page shows anyway, nor events named in ``without``.

    What was owed and paid at once is told as paid, and what many paid alike in one sentence.
    """
    newsworthy = [event for event in events if event["event"] not in _SILENT and event["event"] not in without]
    payments = [event for event in newsworthy if event["event"] == "DebtPaid"]
    settled = [{**payment, "event": "DebtIncurred"} for payment in payments]
    together = payments_together(scene, payments) if len(payments) > _MOST_STRAPS else ""
    sentences: list[str] = []
    for event in newsworthy:
        if together and event in payments:
            sentences += [together] if event is payments[0] else []
        elif event not in settled:
            sentences.append(f"{scene.words.event(event, scene.names, scene.catalog)}.")
    return sentences


def _scene(scene: TableView, events: Sequence[Json]) -> dict[str, Any]:
    """Return the scene of a position: auction and end by themselves, else that of the newest event that has one."""
    position = scene.position
    if position["finished"]:
        return _ending(scene, events)
    if position["phase"] == "auction":
        return _auction(scene)
    by_event = {event["event"]: event for event in events}
    for name, draw in _SCENES.items():
        if name in by_event:
            drawn: dict[str, Any] = draw(scene, by_event[name], events)
            return drawn
    return _to_do(scene, events)


_MOST_STRAPS = 2
"""More than that at once would cross each other: then the sentences tell it."""


def _transfers(scene: TableView, events: Sequence[Json]) -> tuple[Transfer, ...]:
    """Return what these events moved from player to player."""
    moved: list[Transfer] = []
    for event in events:
        match event:
            case {"event": "DebtPaid", "debtor": giver, "creditor": taker, "amount": amount} if taker in scene.players:
                moved.append(_transfer(scene, giver, taker, {"money": amount}))
            case {"event": "Traded", "player": player, "with": other}:
                moved += _sides(scene, player, other, event)
            case {"event": "ChipStolen", "player": taker, "from": giver, "kind": kind}:
                moved.append(_transfer(scene, giver, taker, {"chips": {kind: 1}}))
            case {"event": "ChancePlayed", "player": player, "from": str(other), "give": give, "take": take}:
                moved += _sides(scene, player, other, {"give": {"chips": {give: 1}}, "get": {"chips": {take: 1}}})
            case _:
                pass
    things = tuple(part for part in moved if part.amount or part.pieces or part.named)
    return things if len(things) <= _MOST_STRAPS else ()


def _costs(scene: TableView) -> Drawing | None:
    """Return what floors cost while somebody may build, those that they could build next in ink."""
    position = scene.position
    mover = position["players"][position["turn"]]
    if position["phase"] != "act" or mover["in_jail"]:
        return None
    heights = {place["height"] + 1 for place in position["board"].values() if place["owner"] == position["turn"]}
    floors = [scene.words.say_in("stage", "floor", floor=floor) for floor in range(1, PENTHOUSE)]
    names = (*floors, scene.words.say_in("stage", "penthouse"))
    return floor_costs(scene.catalog, names, heights | {1}, scene.words)


def _deed_asked(scene: TableView) -> dict[str, Drawing | None]:
    """Return what stands beside the scene: the deed that is offered, in place of the town on phones, or floors."""
    position = scene.position
    if position["phase"] != "buy":
        return {"legend": _costs(scene)}
    drawn = on_paper(deed(position["offered"], scene.catalog, scene.words))
    return {"legend": drawn, "upright": drawn}


def _plan(scene: TableView) -> Drawing | None:
    """Return the town from above while somebody may build, with the cells that are free for it."""
    cells = [cell for offer in scene.offers_of("build") for cell in offer["fields"]["cell"]["values"]]
    if not cells:
        return None
    return low_town(scene.catalog["foundation"]["rows"], scene.position["board"], scene.initials, cells)


def _to_do(scene: TableView, events: Sequence[Json]) -> dict[str, Any]:
    position, words = scene.position, scene.words
    mover = position["players"][position["turn"]]
    asked = words.described_moment(position, scene.names, scene.catalog)
    title = words.say_in("stage", "turn of", player=scene.names[position["turn"]])
    sentences = _sentences(scene, events)[:_MOST_SENTENCES]
    kicker = space_named(scene, int(mover["space"]), in_jail=mover["in_jail"])
    return {"kicker": kicker, "title": title, "text": (*sentences, asked), "picture": town_picture(scene)}


# Moments, each by the event that it is about; the first of these that happened is shown.


def _landed(scene: TableView, rolled: Json, events: Sequence[Json]) -> dict[str, Any]:
    """Return who rolled what and where they landed, and what comes of it."""
    words, position = scene.words, scene.position
    player = position["players"][rolled["player"]]
    kicker = words.say_in("stage", "rolls", player=scene.names[rolled["player"]], total=sum(rolled["dice"]))
    text = [*_business(scene), *_sentences(scene, events)]
    title = space_named(scene, int(player["space"]), in_jail=player["in_jail"])
    picture = town_picture(scene, rolled["dice"])
    return {"kicker": kicker, "title": title, "text": tuple(text[:_MOST_SENTENCES]), "picture": picture}


def _business(scene: TableView) -> list[str]:
    """Return what a space brings that somebody landed on: it is free, or rents may be claimed."""
    words, position = scene.words, scene.position
    said = [words.say_in("stage", "nobody owns it")] if position["phase"] == "buy" else []
    for claim in position["claims"]:
        figures = {role: scene.names[claim[role]] for role in ("owner", "payer")}
        said.append(words.say_in("moment", "claim", **figures, amount=words.money(claim["amount"])))
    return said


def _arrival(scene: TableView, events: Sequence[Json]) -> list[str]:
    """Return where somebody came by these events beside a headline of another kind, and what that space brings."""
    moves = [event for event in events if event["event"] == "TokenMoved"]
    if not moves:
        return []
    player, space = moves[-1]["player"], space_named(scene, int(moves[-1]["to"]))
    return [scene.words.say_in("stage", "comes to", player=scene.names[player], space=space), *_business(scene)]


def _paid(scene: TableView, event: Json, events: Sequence[Json]) -> dict[str, Any]:
    """Return a rent, a debt or a fee: the amount as headline, who pays whom below."""
    is_paid = any(each["event"] == "DebtPaid" for each in events)
    text = _sentences(scene, events, without=("RentClaimed",) if is_paid else ())
    amount = scene.words.money(event["amount"])
    return {"title": amount, "text": tuple(text[:_MOST_SENTENCES]), "picture": town_picture(scene)}


def _rent(scene: TableView, event: Json, events: Sequence[Json]) -> dict[str, Any]:
    name = scene.words.card(event["deed"], scene.catalog)
    return {"kicker": scene.words.say_in("stage", "rent for", deed=name), **_paid(scene, event, events)}


def _built(scene: TableView, event: Json, events: Sequence[Json]) -> dict[str, Any]:
    """Return a floor that was built, with the chips that paid for it."""
    words = scene.words
    counts = tuple(DrawnCount(chip_token(kind, words), count) for kind, count in event["chips"].items())
    return {
        "kicker": scene.names[event["player"]],
        "title": words.say_in("stage", "builds floor", floor=event["height"], cell=event["cell"]),
        "text": tuple(_sentences(scene, events, without=("FloorBuilt",))[:_MOST_SENTENCES]),
        "counts": (CountRow(words.say_in("stage", "paid with"), counts),),
        "picture": town_picture(scene),
    }


def _deed(scene: TableView, event: Json, events: Sequence[Json]) -> dict[str, Any]:
    """Return a deed that was bought, sold or left."""
    title = scene.words.card(event["deed"], scene.catalog)
    return {"title": title, "text": tuple(_sentences(scene, events)[:_MOST_SENTENCES]), "picture": town_picture(scene)}


def _sold(scene: TableView, event: Json, events: Sequence[Json]) -> dict[str, Any]:
    """Return a deed that was sold by auction, with the ladder of bids."""
    return {
        **_deed(scene, event, events),
        "kicker": scene.words.say_in("stage", "sold"),
        **_ladder(scene, event["deed"], _bids(scene)),
    }


def _chance(scene: TableView, event: Json, events: Sequence[Json]) -> dict[str, Any]:
    """Return a Chance card, turned."""
    words = scene.words
    text = [*_arrival(scene, events), *_sentences(scene, events, without=("ChanceDrawn",))]
    return {
        "kicker": words.say_in("stage", "draws", player=scene.names[event["player"]]),
        "title": words.card(event["card"], scene.catalog),
        "text": tuple(text[:_MOST_SENTENCES]),
        "picture": on_paper(chance(event["card"], scene.catalog, words)),
    }


def _freed(scene: TableView, event: Json, events: Sequence[Json]) -> dict[str, Any]:
    """Return how somebody left jail, and where they came by the double that freed them."""
    others = _sentences(scene, events, without=("Freed",))
    text = [*_sentences(scene, [event]), *_arrival(scene, events), *others]
    return {**_plain(scene, event, events), "text": tuple(text[:_MOST_SENTENCES])}


def _plain(scene: TableView, event: Json, events: Sequence[Json]) -> dict[str, Any]:
    """Return a moment under a headline of its own: jail, a trade, a bankruptcy."""
    name = event["event"]
    tone: Tone = "alarm" if name == "WentBankrupt" else ""
    title = scene.words.say_in("stage", f"title {name}")
    return {
        "title": title,
        "text": tuple(_sentences(scene, events)[:_MOST_SENTENCES]),
        "picture": town_picture(scene),
        "tone": tone,
    }


_SCENES: Mapping[str, Any] = {
    "WentBankrupt": _plain,
    "Jailed": _plain,
    "RentClaimed": _rent,
    "ChanceDrawn": _chance,
    "FloorBuilt": _built,
    "DeedBought": _deed,
    "DeedSold": _sold,
    "DeedUnsold": _deed,
    "DeedMortgaged": _deed,
    "DeedRedeemed": _deed,
    "Traded": _plain,
    "Freed": _freed,
    "DiceRolled": _landed,
    "DebtPaid": _paid,
}


def _auction(scene: TableView) -> dict[str, Any]:
    """Return the deed under the hammer, the highest bid large, earlier ones by name."""
    position, words = scene.position, scene.words
    auction = position["auction"]
    text = [words.say_in("stage", "leads", player=scene.names[auction["leader"]])] if auction["leader"] else []
    return {
        "kicker": words.say_in("stage", "under the hammer"),
        "title": words.card(auction["deed"], scene.catalog),
        "text": tuple(text or [words.described_moment(position, scene.names, scene.catalog)]),
        **_ladder(scene, auction["deed"], _bids(scene)),
    }


def _ladder(scene: TableView, card: str, bids: Sequence[Json]) -> dict[str, Drawing]:
    """Draw a deed with the highest bid and the ladder of earlier ones, wide and for phones."""
    words = scene.words
    earlier = [f"{scene.names[bid['player']]} {words.money(bid['amount'])}" for bid in bids[:-1][-_MOST_SENTENCES:]]
    before = words.say_in("stage", "before", bids=words.listed(reversed(earlier))) if earlier else ""
    ladder = [(bid["player"], scene.initials[bid["player"]], words.money(bid["amount"])) for bid in reversed(bids)]
    picture = partial(auction_picture, card, ladder, scene.catalog, words, says=before)
    return {"picture": picture(), "upright": picture(is_narrow=True)}


def _bids(scene: TableView) -> list[Json]:
    """Return the bids since the auction was opened, the earliest first."""
    bids: list[Json] = []
    for event in standing_events(scene):
        if event["event"] == "AuctionOpened":
            bids = []
        elif event["event"] == "BidMade":
            bids.append(event)
    return bids


def _ending(scene: TableView, events: Sequence[Json]) -> dict[str, Any]:
    """Return who has won, with the account of each player source by source."""
    words = scene.words
    winners = [scene.names[place.player] for place in scene.overview.standings if place.rank == 1]
    ended = [event for event in events if event["event"] == "GameEnded"]
    lines = {line["player"]: line for line in scene.position["standings"] or ()}
    return {
        "title": words.say_in("stage", "wins" if len(winners) == 1 else "win", players=words.listed(winners)),
        "text": tuple(_sentences(scene, ended)),
        "columns": {player: account_of(line, words) for player, line in lines.items()},
        "tone": "joy",
    }


# What stands beside the scene: head, seats, the line of what is expected.


def _facts(scene: TableView) -> tuple[StageFact, ...]:
    """Return the number of the turn, and the bank's money where it is open."""
    words, bank = scene.words, scene.position["bank"]
    turns = 1 + sum(event["event"] == "TurnBegan" and not event["doubles"] for event in standing_events(scene))
    facts = [StageFact(words.say_in("stage", "turn"), str(turns))]
    if bank is not None:
        facts.append(StageFact(words.named("field", "bank"), words.money(bank)))
    return tuple(facts)


def _steps(scene: TableView) -> tuple[StageStep, ...]:
    position, words = scene.position, scene.words
    if position["finished"]:
        return ()
    phase = position["phase"]
    at = 0 if phase in _ROLLING else 2 if phase == "act" else 1
    return tuple(
        StageStep(words.say_in("stage", f"step {step}"), "done" if place < at else "now" if place == at else "later")
        for place, step in enumerate(STEPS)
    )


def _seat(scene: TableView, player: str, events: Sequence[Json]) -> StageSeat:
    own, words, position = scene.players[player], scene.words, scene.position
    counted = tuple(Token(words.say_in("kind", kind), chip_token(kind, words), own["chips"][kind]) for kind in KINDS)
    strip = deed_strip(scene.catalog, own["deeds"], own["mortgaged"])
    deeds = Token(words.say_in("field", "deeds"), strip, len(own["deeds"]), 1, strip)
    rank = next((place.rank for place in scene.overview.standings if place.player == player), 0)
    status = f"rank {rank}" if rank else "bankrupt" if own["bankrupt"] else "in jail" if own["in_jail"] else ""
    return StageSeat(
        tokens=() if own["bankrupt"] else (*counted, deeds),
        amount=words.say("covered") if own["cash"] is None else words.money(own["cash"]),
        status=words.say_in("stage", status) if status else "",
        state=_state(scene, player, events, bankrupt=own["bankrupt"], finished=position["finished"]),
    )


def _state(scene: TableView, player: str, events: Sequence[Json], *, bankrupt: bool, finished: bool) -> SeatState:
    if finished:
        wins = any(place.player == player and place.rank == 1 for place in scene.overview.standings)
        return "leads" if wins else ""
    if bankrupt:
        return "passed"
    return "hit" if any(event["event"] == "DebtPaid" and event["debtor"] == player for event in events) else ""


def _expected(scene: TableView) -> str:
    """Return what is expected, with its amounts, in a few words."""
    position, words = scene.position, scene.words
    phase, mover = position["phase"], position["players"][position["turn"]]
    if position["finished"]:
        return ""
    if phase == "buy":
        price = scene.catalog["deeds"][position["offered"]]["price"]
        return str(words.say_in("stage", "now buy", amount=words.money(price)))
    if phase == "auction":
        least = position["auction"]["bid"] + UNIT if position["auction"]["leader"] else LEAST_BID
        return str(words.say_in("stage", "now auction", amount=words.money(least)))
    if phase == "debt" and len(position["debts"]) > 1:
        return str(words.say_in("stage", "now debts"))
    if phase == "debt":
        return str(words.say_in("stage", "now debt", amount=words.money(position["debts"][0]["amount"])))
    if phase == "roll" and mover["in_jail"]:
        ways = jail_ways(position, "way out", words)
        return str(words.say_in("stage", "now jail", ways=ways, tries=try_in_jail(mover)))
    if phase == "act" and mover["in_jail"]:
        return str(
            words.say_in("stage", "now act in jail" if "bank_trade" in position["expects"] else "now act by trades")
        )
    return str(words.say_in("stage", f"now {phase}", count=position["due"]))


def _next_player(scene: TableView) -> str | None:
    """Return who has the next turn; nobody where a double gives another one to whoever is on turn."""
    position, seats = scene.position, list(scene.players)
    if position["finished"] or position["doubles"] or position["turn"] not in seats:
        return None
    at = seats.index(position["turn"])
    around = [*seats[at + 1 :], *seats[:at]]
    return next((player for player in around if not scene.players[player]["bankrupt"]), None)


# Words and symbols.


class MonopolyBuilderGlossary:
    """Knows the words and symbols of Monopoly Builder."""

    def groups(self, words: Language) -> Mapping[str, Sequence[GlossaryTerm]]:
        """Return chips, what is built, what is owned and owed, and how points come about."""
        return {
            "chips": (
                *(GlossaryTerm(f"chip_{kind}", chip_token(kind, words), "gathering") for kind in KINDS),
                GlossaryTerm("limit", rule="discarding"),
                GlossaryTerm("collect", rule="collecting"),
            ),
            "deeds": (
                GlossaryTerm("deed", rule="buying"),
                GlossaryTerm("set", rule="points"),
                GlossaryTerm("mortgage", rule="mortgages"),
                GlossaryTerm("claim", rule="rent"),
            ),
            "town": (
                GlossaryTerm("floor", rule="floors"),
                GlossaryTerm("group", rule="points"),
                GlossaryTerm("penthouse", rule="penthouse"),
                GlossaryTerm("visiting", rule="jail"),
            ),
        }
