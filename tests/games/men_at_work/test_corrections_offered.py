"""The sheet of corrections of Men at Work: no choice on it is refused at once, and it can give every correction."""

import random

import pytest

from companion.engine.game import Refused
from companion.game_api.stage import CorrectableFigure
from companion.games.men_at_work.ui.corrections import MenAtWorkCorrections
from companion.service.table.table import Request
from tests.extent import of_all
from tests.games.men_at_work.building_site import Site, discarded, house_deck
from tests.games.men_at_work.test_random_games import LONGEST, begun, choice, corrected
from tests.games.men_at_work.test_stage import scene
from tests.games.played_table import Json

EVERY = 9
"""So many commands lie between two positions whose sheet is tried."""
TRIED_AT_ONCE = 40
"""So many choices of a sheet are tried, drawn by lot where there are more."""
REASON = "look"


def figures(site: Site) -> dict[str, CorrectableFigure]:
    return {figure.key: figure for figure in MenAtWorkCorrections().figures(scene(site))}


def commands(site: Site) -> list[Json]:
    """Return the command of every choice on the sheet."""
    chosen = [choice.command for figure in figures(site).values() for choice in figure.choices]
    return [{**command, "reason": REASON} for command in chosen if command is not None]


def refused(site: Site, tried: list[Json]) -> list[tuple[Json, str]]:
    """Return what is refused, and why."""
    refusals: list[tuple[Json, str]] = []
    for command in tried:
        try:
            site.table.foresee(Request(command, "banker", "tap"))
        except Refused as fault:
            refusals.append((command, fault.rule))
    return refusals


@pytest.mark.parametrize("seed", range(of_all(5, 30)))
def test_no_choice_of_the_sheet_is_refused_at_once(seed: int) -> None:
    # given a game under random rules, with corrections
    lots = random.Random(seed)
    site = begun(lots)
    for number in range(LONGEST):
        # when choices of its sheet are tried now and then, and in every moment that is seldom
        if number % EVERY == 0 or site.position["phase"] in ("colour", "reshuffle", "supply"):
            offered = commands(site)
            tried = lots.sample(offered, min(len(offered), TRIED_AT_ONCE))
            # then none is refused
            assert refused(site, tried) == []
        if site.position["finished"]:
            return
        site.give(choice(lots, site))
        if number % 11 == 0:
            corrected(lots, site)


def test_pieces_wait_until_the_colour_is_told() -> None:
    site = Site(variants=["skyscraper"])
    site.turn("balance", "GOP")
    assert any(key.startswith(("site:", "floor:")) for key in figures(site))

    site.do("done")

    assert site.position["phase"] == "colour"
    assert not any(key.startswith(("site:", "floor:")) for key in figures(site))
    assert refused(site, commands(site)) == []


def test_a_card_that_was_played_onto_the_pile_is_no_choice_until_it_is_turned() -> None:
    # given a foreman card on the pile, and one that was played and taken back
    site = Site(variants=["foreman"])
    site.turn("balance", "GOP")
    unseen = [card.id for card in house_deck().cards if card.id not in site.position["discard"]]
    site.do("use_foreman_card", card=unseen[0], on="deck")
    site.do("undo")
    site.do("use_foreman_card", card=unseen[1], on="deck")

    # then only the one that lies there cannot be put right
    named = {command["card"] for command in commands(site) if command["do"] == "correct_card"}
    assert unseen[0] in named
    assert unseen[1] not in named
    assert refused(site, commands(site)) == []

    # when it was turned and another lies on it, then it can
    site.do("done")
    if site.position["phase"] == "colour":
        site.do("say_colour", colour=site.action["colours"][0])
    site.do("turn_card", card=unseen[1], back="GOP")
    site.do("correct_card", card=unseen[2], to="discard", reason=REASON)
    assert refused(site, commands(site)) == []


def test_an_empty_pile_gives_no_card_to_a_hand_or_the_discard() -> None:
    # given a pile of the boss alone, and nobody with two cards in hand
    one_card = {"hand": 1}
    site = Site(
        variants=["foreman"],
        taken={"discard": discarded(34), "players": {"blue": one_card, "grey": one_card}, "turn": 9},
    )
    assert site.position["deck"] == 1

    # then no card comes from there
    assert [choice.says for choice in figures(site)["hand:blue"].choices] == ["0", "1"]
    assert not any(command.get("to") == "discard" for command in commands(site))
    assert refused(site, commands(site)) == []


def test_mw_49_the_turn_of_whoever_holds_the_hook_begins_anew() -> None:
    site = Site()
    site.turn("balance", "GOP")

    choices = figures(site)["turn"].choices
    assert [choice.says for choice in choices] == ["1", "2: Blue begins anew"]
    site.give({**(choices[1].command or {}), "reason": REASON})

    assert (site.active, site.position["turn"], site.position["phase"]) == ("blue", 2, "turn")
    assert site.action is None


def test_mw_49_it_is_told_whether_something_is_to_be_cleaned_up() -> None:
    site = Site()
    assert figures(site)["clean"].now == "no"

    for says, phase in (("yes", "clean"), ("no", "turn")):
        chosen = {choice.says: choice.command for choice in figures(site)["clean"].choices}
        site.give({**(chosen[says] or {}), "reason": REASON})
        assert (site.position["phase"], site.active, figures(site)["clean"].now) == (phase, "blue", says)
