"""Acceptance examples MW-14, MW-21 to MW-25, MW-34, MW-35, MW-40 to MW-44: the impossible, the exhausted, the ends."""

from typing import Any

import pytest

from tests.games.men_at_work.building_site import SITE, Site, discarded, house_deck

ON_DUTY: dict[str, Any] = {"boss": {"on_duty": True}}
INSTRUCTIONS = house_deck().instructions
GIRDERS = [instruction.id for instruction in INSTRUCTIONS if instruction.kind == "girder"]
WORKERS = [instruction.id for instruction in INSTRUCTIONS if instruction.kind == "worker"]


def at(**lying: int) -> dict[str, Any]:
    """A site with as much of these, and the rest as at the start."""
    return {"site": {**SITE, **lying}}


def stopped(*figures: tuple[int, int], rules: dict[str, str] | None = None) -> list[tuple[str, int]]:
    """Return the ranking after construction has stopped: certificates and awards of each player."""
    seats = ("blue", "red", "grey", "green")[: len(figures)]
    players = {
        seat: {"certificates": max(1, score[0]), "awards": score[1]} for seat, score in zip(seats, figures, strict=True)
    }
    site = Site(*seats, taken={**ON_DUTY, **at(supports=8), "players": players}, rules=rules)
    for seat, (certificates, _) in zip(seats, figures, strict=True):
        if certificates == 0:
            site.do("correct_player", player=seat, certificates=0, reason="fell before")
    site.turn("new_support_same", "GOP")
    assert site.position["ended_by"] == "exhausted"
    return [(place["player"], place["rank"]) for place in site.position["standings"]]


def test_mw_14_total_first_then_awards_then_shared() -> None:
    assert stopped((3, 2), (2, 3)) == [("red", 1), ("blue", 2)]
    assert stopped((2, 3), (2, 3), (1, 1)) == [("blue", 1), ("red", 1), ("grey", 3)]


def test_mw_14_the_eliminated_rank_last_or_by_their_total() -> None:
    assert stopped((1, 0), (0, 3), (3, 0)) == [("grey", 1), ("blue", 2), ("red", 3)]
    by_total = stopped((1, 0), (0, 3), (3, 0), rules={"eliminated": "by_total"})
    assert by_total == [("red", 1), ("grey", 2), ("blue", 3)]


def test_mw_21_what_suits_is_not_there_and_what_is_there_does_not_suit() -> None:
    site = Site(taken=at(purple=0, orange=7))
    site.turn("same_colour", "GOP")
    assert (site.phase, site.action["status"]) == ("turn", "impossible")


def test_mw_22_no_girder_of_either_colour_ends_the_game() -> None:
    site = Site(taken=at(orange=7, purple=7))
    site.turn("balance", "GOP")
    assert (site.position["ended_by"], site.position["winner"]) == ("exhausted", None)


def test_mw_22_but_nothing_is_needed_for_what_cannot_be_done() -> None:
    site = Site(taken=at(orange=7, purple=7, supports=0))
    site.turn("touch_support", "GOP")
    assert (site.phase, site.action["status"]) == ("turn", "impossible")


@pytest.mark.parametrize(
    ("lying", "how", "back", "ends"),
    [
        ({"bricks": 11}, "two_bricks", "HOP", True),
        ({"bricks": 11}, "one_brick", "HOP", False),
        ({"supports": 8}, "new_support_same", "GOP", True),
        ({"supports": 8}, "new_support_other", "GOP", True),
        ({"supports": 8}, "new_support_on_girder", "GOP", True),
        ({"workers": 15}, "two_workers", "HOP", True),
        ({"workers": 15}, "with_worker", "GOP", False),
    ],
)
def test_mw_23_a_reserve_that_cannot_supply_ends_the_game(
    lying: dict[str, int], how: str, back: str, *, ends: bool
) -> None:
    site = Site(taken=at(**lying))
    site.turn(how, back)
    assert site.position["finished"] is ends


def test_mw_23_the_last_brick_may_be_taken() -> None:
    site = Site(taken=at(bricks=11))
    site.turn("one_brick", "HOP")
    site.do("done")
    assert (site.reserve("bricks"), site.position["finished"]) == (0, False)


@pytest.mark.parametrize(
    ("rule", "lying", "how", "ends"),
    [
        ("one_kind", {"bricks": 11}, "one_brick", True),
        ("workers_or_all", {"bricks": 11}, "one_brick", False),
        ("one_kind", {"workers": 15}, "near_end", True),
        ("workers_or_all", {"workers": 15}, "near_end", True),
        ("needed", {"workers": 15}, "near_end", False),
    ],
)
def test_mw_24_some_tables_end_with_the_last_piece(rule: str, lying: dict[str, int], how: str, *, ends: bool) -> None:
    site = Site(taken=at(**lying), rules={"exhausted": rule})
    site.turn(how, "HOP")
    site.do("done")
    assert site.position["finished"] is ends


def test_mw_24_after_an_accident_it_is_tested_when_all_is_cleaned_up() -> None:
    site = Site(taken=at(bricks=11), rules={"exhausted": "one_kind"})
    site.turn("one_brick", "HOP")
    site.do("accident")
    assert (site.phase, site.reserve("bricks")) == ("clean", 0)
    site.do("fallen", pieces={"bricks": 1})
    site.do("cleaned")
    assert site.phase == "turn"


def test_mw_24_what_is_not_put_back_ends_it_then() -> None:
    site = Site(taken=at(bricks=11), rules={"exhausted": "one_kind"})
    site.turn("one_brick", "HOP")
    site.do("accident")
    site.do("cleaned")
    assert site.position["ended_by"] == "exhausted"


@pytest.mark.parametrize(("ends", "by", "awards"), [("award_first", "awards", 5), ("stop_first", "exhausted", 4)])
def test_mw_25_two_ends_by_one_act(ends: str, by: str, awards: int) -> None:
    taken = {**ON_DUTY, **at(bricks=11), "players": {"blue": {"awards": 4}}}
    site = Site(taken=taken, rules={"exhausted": "one_kind", "two_ends": ends})
    site.turn("one_brick", "HOP")
    site.do("done", highest=True)
    assert (site.position["ended_by"], site.awards("blue")) == (by, awards)


def test_mw_34_the_third_award_of_five_players_wins() -> None:
    players = {"blue": {"certificates": 1, "awards": 2}, "grey": {"certificates": 3, "awards": 2}}
    site = Site("blue", "red", "yellow", "green", "grey", taken={**ON_DUTY, "players": players})
    site.turn("near_end", "HOP")
    site.do("done", highest=True)
    position = site.position
    assert (position["ended_by"], position["winner"]) == ("awards", "blue")
    first, second = position["standings"][:2]
    assert first == {"player": "blue", "total": 4, "certificates": 1, "awards": 3, "rank": 1}
    assert (second["player"], second["total"], second["rank"]) == ("grey", 5, 2)


def test_mw_35_an_accident_before_shuffling_again() -> None:
    site = Site(taken={"discard": discarded(36), "boss": {"on_duty": True}})
    assert site.phase == "reshuffle"
    site.do("accident")
    assert site.phase == "clean"
    site.do("cleaned")
    assert site.phase == "reshuffle"
    site.do("reshuffle")
    assert (site.phase, site.position["deck"], site.position["back"]) == ("turn", 35, None)


def test_mw_40_without_counts_the_players_word_counts() -> None:
    site = Site(rules={"counts": False})
    assert [site.position[heap] for heap in ("reserve", "site", "floor")] == [None, None, None]
    site.turn("balance", "GOP")
    assert site.position["expects"] == ["done", "impossible", "exhausted", "accident"]
    assert site.action["colours"] == ["orange", "purple"]
    assert site.refuses("done", colour="orange") == "no_colour_here"
    assert site.refuses("fallen", pieces={"supports": 1}) == "nothing_is_counted"
    site.do("impossible")
    assert (site.phase, site.active, site.action["colours"]) == ("turn", "blue", [])
    site.turn("balance", "GOP")
    site.do("exhausted")
    assert site.position["ended_by"] == "exhausted"


def test_mw_40_with_counts_it_is_not_asked() -> None:
    site = Site()
    site.turn("balance", "GOP")
    assert site.refuses("impossible") == "not_now"
    assert site.refuses("exhausted") == "not_now"


TAKEN_BESIDES = {
    "with_worker": {"workers": 14},
    "new_support_same": {"supports": 4},
    "new_support_other": {"supports": 4},
    "new_support_on_girder": {"supports": 4},
    "carry_brick": {"bricks": 11},
}


@pytest.mark.parametrize("how", GIRDERS)
def test_mw_41_every_girder_can_be_placed_and_takes_what_it_says(how: str) -> None:
    site = Site()
    before = site.position["reserve"]
    site.turn(how, "GOP")
    assert site.phase == "place"
    site.do("done", colour="orange")
    assert site.position["reserve"] == {**before, "orange": 5, **TAKEN_BESIDES.get(how, {})}


WITH_WORKERS = {
    "one_brick": {"bricks": 11},
    "two_bricks": {"bricks": 10},
    "one_beam": {"beams": 11},
    "two_beams": {"beams": 10},
    "brick_and_beam": {"bricks": 11, "beams": 11},
    "carry_beam": {"beams": 11},
    "connect_by_beam": {"beams": 11},
    "two_workers": {"workers": 13},
}


@pytest.mark.parametrize("how", WORKERS)
def test_mw_42_every_worker_can_be_placed_and_takes_what_it_says(how: str) -> None:
    site = Site()
    before = site.position["reserve"]
    site.turn(how, "HOP")
    site.do("done")
    assert site.position["reserve"] == {**before, "workers": 14, **WITH_WORKERS.get(how, {})}


NO_WORKER, NO_SUPPORT = {"workers": 0}, {"supports": 0}
NEITHER = {"orange": 0, "purple": 0}
NO_GIRDER = {"orange": 0, "purple": 0, "black": 0, "white": 0}


@pytest.mark.parametrize(
    ("lying", "how", "back"),
    [
        (NEITHER, "same_colour", "GOP"),
        (NEITHER, "new_support_same", "GOP"),
        *((NEITHER, how, "HOP") for how in WORKERS),
        ({**NO_GIRDER, "orange": 1}, "two_other_colours", "GPB"),
        (NO_WORKER, "strong_worker", "GOP"),
        (NO_WORKER, "connect_by_beam", "HOP"),
        (NO_SUPPORT, "touch_support", "GOP"),
        (NO_GIRDER, "balance", "GOP"),
        (NO_GIRDER, "touch_highest", "GOP"),
        (NO_GIRDER, "new_support_on_girder", "GOP"),
    ],
)
def test_mw_43_impossible_is_what_the_site_lacks(lying: dict[str, int], how: str, back: str) -> None:
    site = Site(taken=at(**lying))
    site.turn(how, back)
    assert (site.phase, site.action["status"]) == ("turn", "impossible")


def test_mw_43_beside_orange_alone_only_another_colour_touches_another() -> None:
    site = Site(taken=at(**NO_GIRDER) | {"site": {**SITE, **NO_GIRDER, "orange": 1}})
    site.turn("new_support_other", "GOP")
    assert (site.phase, site.action["colours"]) == ("place", ["purple"])


@pytest.mark.parametrize("how", ["with_worker", "carry_brick", "become_highest"])
def test_mw_43_these_are_never_impossible(how: str) -> None:
    site = Site(taken=at(**NO_GIRDER, workers=0, supports=0))
    site.turn(how, "GOP")
    assert site.phase == "place"


def test_mw_44_a_piece_put_right_makes_it_possible() -> None:
    site = Site(taken=at(workers=0))
    site.turn("strong_worker", "GOP")
    assert site.phase == "turn"
    site.do("correct_pieces", from_="reserve", to="site", pieces={"workers": 1}, reason="he stands there")
    assert site.phase == "place"
