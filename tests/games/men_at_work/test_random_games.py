"""MW-55: whatever is offered is taken, and nothing is lost, in games under random rules and variants."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from companion.engine.game import Refused
from companion.game_api.house_rules import values_by_key
from companion.games.men_at_work.rules.catalog import PIECES
from companion.games.men_at_work.rules.house_rules import VARIANTS, Rules
from tests.extent import of_all
from tests.games.men_at_work.building_site import Site, house_deck, plain_boss
from tests.games.played_table import Json
from tests.strategies import command_of

SEATS = ("blue", "yellow", "red", "green", "grey")
LONGEST = 900
"""Commands after which a game is given up: bots have accidents, so it never comes to that."""


@pytest.mark.parametrize("seed", range(of_all(8, 60)))
def test_mw_55_every_offer_is_taken_and_every_game_ends(seed: int) -> None:
    lots = random.Random(seed)
    site = begun(lots)
    for number in range(LONGEST):
        check(site)
        if site.position["finished"]:
            break
        command = choice(lots, site)
        site.give(command)
        if number % 7 == 0:
            taken_back(site)
        if number % 11 == 0:
            corrected(lots, site)
    assert site.position["finished"]
    assert {place["rank"] for place in site.position["standings"]} <= set(range(1, 6))


def test_mw_55_a_game_folded_again_from_its_entries_is_the_same() -> None:
    lots = random.Random(5)
    site = begun(lots)
    while not site.position["finished"]:
        site.give(choice(lots, site))
    other = Site("blue", "grey").table
    again = type(site.table)("u", site.table.game, other._journal, other._clock)
    again.load(site.table.entries)
    assert again.position_json("banker") == site.position


def begun(lots: random.Random) -> Site:
    """Begin a game under rules and variants that are drawn."""
    seats = lots.sample(SEATS, lots.randint(2, 5))
    rules = {key: lots.choice(values) for key, values in values_by_key(Rules).items() if lots.random() < 0.5}
    variants = [variant for variant in VARIANTS if lots.random() < 0.5]
    catalog = plain_boss() if lots.random() < 0.3 else house_deck()
    return Site(*seats, catalog=catalog, rules=rules, variants=variants, experts=seats[:1])


def choice(lots: random.Random, site: Site) -> Json:
    """Draw one of the commands that the player on turn is offered; accidents and the like less often."""
    offers: list[Json] = site.table.show(site.active)["offers"]
    playable = [offer for offer in offers if offer["do"] not in ("undo", "redo")]
    likely = [offer for offer in playable if offer["urgency"] == "due"] or playable
    offer = lots.choice(playable if lots.random() < 0.2 else likely)
    filled = {name: drawn(lots, field) for name, field in offer["fields"].items()}
    return {**command_of(offer), **filled}


def drawn(lots: random.Random, field: Json) -> Any:
    """Draw what a field may hold."""
    if field["kind"] == "bag":
        kinds = lots.sample(sorted(field["kinds"]), lots.randint(1, min(2, len(field["kinds"]))))
        return {kind: lots.randint(1, field["kinds"][kind]) for kind in kinds}
    return lots.choice(field["values"])


def check(site: Site) -> None:
    """See that pieces, cards, certificates and awards are all there, and that who must act can."""
    position = site.position
    box = house_deck().box
    if position["reserve"] is not None:
        for piece in PIECES:
            heaps = [position[heap][piece] for heap in ("reserve", "site", "floor")]
            assert sum(heaps) == box.pieces[piece]
            assert min(heaps) >= 0
    players = position["players"].values()
    hands = sum(player["hand"] for player in players)
    assert position["deck"] + len(position["discard"]) + hands + position["boss"]["on_duty"] == 37
    assert sum(player["awards"] for player in players) + position["awards_left"] == box.awards
    left = [player for player in players if not player["out"]]
    if not position["finished"]:
        assert len(left) >= 2
        assert position["phase"] == "colour" or not site.player(position["active"])["out"]
        assert all(player["awards"] < position["awards_needed"] for player in left)
        assert {offer["do"] for offer in site.table.show(site.active)["offers"]} >= set(_offered(position))


def _offered(position: Json) -> Iterator[str]:
    """Return which kinds of commands must be offered: all that are expected and that something suits."""
    for do in position["expects"]:
        if do == "claim_highest" and position["awards_left"] == 0:
            continue
        if do == "fallen" and not any(position["site"].values()):
            continue
        yield do


def taken_back(site: Site) -> None:
    """Undo the latest entry and bring it back: as before in either way."""
    after = site.position
    try:
        site.do("undo")
    except Refused:
        return
    check(site)
    site.do("redo")
    assert site.position == after


def corrected(lots: random.Random, site: Site) -> None:
    """Put something right, as a banker might; what cannot be is refused and changes nothing."""
    seat = lots.choice(site.seats)
    wishes: list[Json] = [
        {"do": "correct_player", "player": seat, "awards": lots.randint(0, 2), "reason": "counted"},
        {"do": "correct_player", "player": seat, "certificates": lots.randint(0, 3), "reason": "counted"},
        {"do": "correct_player", "player": seat, "hand": lots.randint(0, 2), "reason": "counted"},
        {"do": "correct_pieces", "from": "reserve", "to": "site", "pieces": {"bricks": 1}, "reason": "it stands there"},
        {"do": "correct_pieces", "from": "site", "to": "reserve", "pieces": {"beams": 1}, "reason": "it fell"},
        {"do": "correct_card", "card": f"I{lots.randint(1, 36):02d}", "to": "discard", "reason": "nobody saw it"},
        {"do": "correct_card", "card": f"I{lots.randint(1, 36):02d}", "to": "deck", "reason": "it was not"},
        {"do": "correct_boss", "on_duty": lots.random() < 0.7, "reason": "look"},
        {"do": "correct_turn", "player": seat, "reason": "look"},
    ]
    before = site.position
    try:
        site.give(lots.choice(wishes))
    except Refused:
        assert site.position == before
    check(site)
