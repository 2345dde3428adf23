"""Whatever is offered is taken, and nothing is made or lost, in games under random rules (issue: 5,000 of them)."""

import random

import pytest

from companion.engine.game import Refused
from companion.game_api.house_rules import values_by_key
from companion.games.monopoly_builder.rules.house_rules import Rules
from tests.extent import of_all
from tests.games.monopoly_builder.drawn_fields import drawn
from tests.games.monopoly_builder.town import KINDS, Town, check, house_board
from tests.games.played_table import Json
from tests.strategies import command_of

SEATS = ("red", "purple", "green", "yellow")
COMMANDS = 250
"""Commands after which a game is left: random players seldom reach a penthouse."""


@pytest.mark.parametrize("seed", range(of_all(5, 40)))
def test_every_offer_is_taken_and_nothing_is_lost(seed: int) -> None:
    lots = random.Random(seed)
    town = begun(lots)
    for number in range(COMMANDS):
        if town.position["finished"]:
            break
        town.give(choice(lots, town))
        if number % 9 == 0:
            taken_back(town)
        if number % 13 == 0:
            unasked(lots, town)
    standings(town)


def test_a_game_folded_again_from_its_entries_is_the_same() -> None:
    lots = random.Random(3)
    town = begun(lots)
    for _ in range(COMMANDS):
        if not town.position["finished"]:
            town.give(choice(lots, town))
    other = Town("red", "green").table
    again = type(town.table)("u", town.table.game, other._journal, other._clock)
    again.load(town.table.entries)
    assert again.position_json("banker") == town.position


@pytest.mark.parametrize("seed", range(200, 200 + of_all(2, 15)))
def test_any_position_can_be_taken_over_as_it_is_shown(seed: int) -> None:
    lots = random.Random(seed)
    town = begun(lots)
    for _ in range(120):
        position = town.position
        if position["finished"]:
            break
        town.give(choice(lots, town))
        shown = town.position
        under_way = shown["auction"] or shown["claims"] or shown["debts"]
        if shown["phase"] in ("discard", "roll", "act") and not under_way and _sound(shown):
            other = Town(
                *shown["players"],
                taken={key: value for key, value in shown.items() if key != "players"},
                **shown["players"],
            )
            assert other.position == shown


def _sound(shown: Json) -> bool:
    """A third failure that was cut short shows three tries, which nobody takes over."""
    return all(player["tries"] < 3 for player in shown["players"].values())


def begun(lots: random.Random) -> Town:
    """Begin a game under rules that are drawn, some of them poor so that debts come."""
    seats = lots.sample(SEATS, lots.randint(2, 4))
    rules = {key: lots.choice(values) for key, values in values_by_key(Rules).items() if lots.random() < 0.5}
    town = Town(*seats, rules=rules, catalog=house_board())
    if lots.random() < 0.5:
        for seat in seats:
            town.do("correct_money", from_=seat, to="bank", amount=lots.choice((700, 800, 850)), reason="a poor start")
    return town


def choice(lots: random.Random, town: Town) -> Json:
    """Draw one of the commands that one of those waited for is offered."""
    waiting = town.position["waiting_for"]
    player = lots.choice(waiting if lots.random() < 0.8 else town.seats)
    offers = [offer for offer in town.offers(player) if offer["do"] not in ("undo", "redo")]
    if not offers:
        player = lots.choice(waiting)
        offers = [offer for offer in town.offers(player) if offer["do"] not in ("undo", "redo")]
    assert offers, (town.phase, waiting)
    due = [offer for offer in offers if offer["urgency"] == "due"]
    offers = [offer for offer in offers if offer["do"] != "trade" or _tradable(offer)]
    if lots.random() < 0.8:
        offers = [offer for offer in offers if offer["do"] != "trade"] or offers
    offer = lots.choice(due if due and lots.random() < 0.5 else offers)
    filled = {name: drawn(lots, field) for name, field in offer["fields"].items()}
    while offer["do"] == "trade" and not (filled["give"] or {*filled["get"]} - {"money"}):
        filled = {name: drawn(lots, field) for name, field in offer["fields"].items()}
    command = affordable(town, {**command_of(offer), **filled})
    return paid(lots, town, command) if command["do"] == "build" and "chips" in command else command


def _tradable(offer: Json) -> bool:
    """Return whether a trade can hold more than hidden money, which the other one may not have."""
    give, get = (offer["fields"][side]["parts"] for side in ("give", "get"))
    return bool(give or {*get} - {"money"})


def affordable(town: Town, command: Json) -> Json:
    """Ask in a trade for money that the other one has: where it is hidden, the offer says nothing of it."""
    if command["do"] != "trade" or "money" not in command["get"]:
        return command
    auction, other = town.position["auction"], command["with"]
    set_aside = auction["bid"] if auction and auction["leader"] == other else 0
    money = min(command["get"]["money"], town.cash(other) - set_aside)
    rest = {name: value for name, value in command["get"].items() if name != "money"}
    return {**command, "get": {"money": money, **rest} if money else rest}


def paid(lots: random.Random, town: Town, command: Json) -> Json:
    """Pay a floor with its named kinds, and for the rest with whatever is there."""
    built = town.position["board"].get(command["cell"], {"height": 0})
    price = dict(house_board().floors[built["height"]])
    mine = town.player(command["player"])["chips"]
    chips = {kind: price.get(kind, 0) for kind in KINDS}
    rest = [kind for kind in KINDS for _ in range(mine[kind] - chips[kind])]
    for kind in lots.sample(rest, price.get("any", 0)):
        chips[kind] += 1
    return {**command, "chips": chips}


def taken_back(town: Town) -> None:
    """Undo the latest entry and bring it back: as before in either way."""
    after = town.position
    try:
        town.do("undo")
    except Refused:
        return
    town.do("redo")
    assert town.position == after


def unasked(lots: random.Random, town: Town) -> None:
    """Trade or put something right, as people might; what cannot be is refused and changes nothing."""
    player, other = lots.sample(town.seats, 2)
    wishes: list[Json] = [
        {"do": "trade", "player": player, "with": other, "give": {"money": 50}, "get": {"chips": {"red": 1}}},
        {"do": "trade", "player": player, "with": other, "give": {"deeds": ["D01"]}, "get": {"money": 30}},
        {"do": "correct_chips", "kind": "green", "count": 1, "from": "bank", "to": player, "reason": "counted"},
        {"do": "correct_card", "card": f"D{lots.randint(1, 16):02d}", "to": player, "reason": "it lies there"},
        {"do": "correct_card", "card": "C01", "to": player, "reason": "it lies there"},
        {
            "do": "correct_block",
            "cell": "B2",
            "owner": player,
            "height": lots.randint(1, 4),
            "reason": "it stands there",
        },
        {"do": "correct_position", "player": player, "space": lots.randint(0, 27), "reason": "it stands there"},
        {"do": "correct_turn", "player": player, "phase": lots.choice(("discard", "roll", "act")), "reason": "look"},
        {"do": "correct_money", "from": player, "to": "bank", "amount": 100, "reason": "counted"},
        {"do": "declare_bankrupt", "player": player},
    ]
    before = town.position
    try:
        town.give(lots.choice(wishes))
    except Refused:
        assert town.position == before


def standings(town: Town) -> None:
    """End the game, and see that ranks follow points and then money."""
    if not town.position["finished"]:
        town.do("correct_turn", phase="finished", reason="it is late")
    listed = town.position["standings"]
    scores = [(line["points"], line["cash"]) for line in listed]
    assert scores == sorted(scores, reverse=True)
    assert [line["rank"] for line in listed] == [1 + sum(other > score for other in scores) for score in scores]
    check(town.position)
