"""Acceptance examples MW-09 to MW-13, MW-16, MW-26 to MW-33: accidents, cleaning, elimination, awards after them."""

import pytest

from tests.games.men_at_work.building_site import SITE, Site

ON_DUTY = {"boss": {"on_duty": True}}


def test_mw_09_an_accident_costs_a_certificate_and_the_next_one_cleans() -> None:
    site = Site()
    site.turn("near_end", "HOP")
    site.do("accident")
    assert (site.certificates("blue"), site.active, site.phase) == (2, "grey", "clean")


def test_mw_10_a_support_alone_is_no_accident() -> None:
    site = Site()
    site.turn("balance", "GOP")
    site.do("fallen", pieces={"supports": 1})
    assert (site.on_site("supports"), site.reserve("supports"), site.phase) == (2, 6, "place")


def test_mw_11_an_accident_while_cleaning_ends_the_turn() -> None:
    site = Site()
    site.do("accident")
    site.do("accident")
    assert (site.certificates("grey"), site.active, site.phase) == (2, "blue", "clean")


def test_mw_11_where_it_only_ends_the_turn_it_costs_nothing() -> None:
    site = Site(rules={"cleaning_accident": "turn_only"})
    site.do("accident")
    site.do("accident")
    assert (site.certificates("grey"), site.active, site.phase) == (3, "blue", "clean")


def test_mw_12_without_certificates_one_is_out_and_skipped() -> None:
    site = Site("blue", "red", "grey", taken={"players": {"red": {"certificates": 1}}})
    site.quiet_turn()
    site.do("accident")
    assert (site.player("red")["out"], site.active, site.phase) == (True, "grey", "clean")
    site.do("cleaned")
    site.quiet_turn()
    site.quiet_turn()
    assert site.active == "grey"


def test_mw_13_the_boss_asks_for_the_highest_piece() -> None:
    site = Site(taken=ON_DUTY)
    site.turn("become_highest", "GOP")
    site.do("done", colour="orange")
    assert (site.phase, site.position["expects"]) == ("highest", ["claim_highest", "nobody", "accident"])
    site.do("claim_highest")
    assert (site.awards("blue"), site.position["awards_left"], site.active) == (1, 12, "grey")


def test_mw_13_nobody_wins_an_award() -> None:
    site = Site(taken=ON_DUTY)
    site.turn("become_highest", "GOP")
    site.do("done", colour="orange")
    site.do("nobody")
    assert (site.awards("blue"), site.active, site.phase) == (0, "grey", "turn")


def test_mw_13_who_says_so_at_once_is_not_asked() -> None:
    site = Site(taken=ON_DUTY)
    site.turn("become_highest", "GOP")
    site.do("done", colour="orange", highest=True)
    assert (site.awards("blue"), site.active) == (1, "grey")
    site.turn("become_highest", "GOP")
    site.do("done", colour="orange", highest=False)
    assert (site.awards("grey"), site.active) == (0, "blue")


def test_mw_16_the_crane_changes_no_figure() -> None:
    plain, with_crane = Site().position, Site(variants=["crane"]).position
    assert {**with_crane, "variants": []} == plain


def test_mw_16_in_the_box_no_support_stands_and_workers_stay_on_the_floor() -> None:
    site = Site(variants=["skyscraper"])
    assert (site.on_site("supports"), site.reserve("supports")) == (0, 8)
    site.do("accident")
    site.do("fallen", pieces={"workers": 1}, to="floor")
    assert (site.on_site("workers"), site.reserve("workers"), site.position["floor"]["workers"]) == (0, 15, 1)
    assert site.refuses("fallen", pieces={"orange": 1}, to="floor") == "never_on_the_floor"
    site.do("fallen", pieces={"orange": 1})
    assert site.reserve("orange") == 7


def test_mw_26_pieces_of_an_accident_count_as_taken() -> None:
    site = Site()
    site.turn("new_support_same", "GOP")
    site.do("accident", colour="orange")
    assert (site.reserve("orange"), site.reserve("supports")) == (5, 4)
    assert (site.on_site("orange"), site.on_site("supports")) == (2, 4)
    site.do("fallen", pieces={"orange": 1, "supports": 1})
    assert (site.reserve("orange"), site.reserve("supports")) == (6, 5)


def test_mw_27_a_colour_that_is_not_clear_is_asked() -> None:
    site = Site()
    site.turn("become_highest", "GOP")
    site.do("done")
    assert (site.phase, site.position["expects"]) == ("colour", ["say_colour", "accident"])
    site.do("say_colour", colour="purple")
    assert (site.reserve("purple"), site.active) == (5, "grey")


def test_mw_27_there_is_nothing_to_ask_where_one_is_sold_out() -> None:
    site = Site(taken={"site": {**SITE, "orange": 7}})
    site.turn("become_highest", "GOP")
    site.do("done")
    assert (site.reserve("purple"), site.active) == (5, "grey")


def test_mw_27_after_an_accident_the_same_player_is_asked_and_then_the_next_one_cleans() -> None:
    site = Site()
    site.turn("become_highest", "GOP")
    site.do("accident")
    assert (site.certificates("blue"), site.phase, site.active) == (2, "colour", "blue")
    assert site.position["expects"] == ["say_colour"]
    site.do("say_colour", colour="orange")
    assert (site.on_site("orange"), site.phase, site.active) == (2, "clean", "grey")


@pytest.mark.parametrize("moment", ["turn", "back", "clean", "highest"])
def test_mw_28_at_these_moments_an_accident_takes_no_piece(moment: str) -> None:
    site = Site(taken={**ON_DUTY, "clean": moment == "clean"})
    if moment == "back":
        site.turn("two_bricks")
    if moment == "highest":
        site.turn("two_bricks", "HOP")
        site.do("done")
    assert site.phase == moment
    before = site.position["site"]
    site.do("accident")
    assert (site.position["site"], site.phase, site.active) == (before, "clean", "grey")


def test_mw_29_an_accident_while_the_colour_is_asked_keeps_the_question() -> None:
    site = Site(taken=ON_DUTY)
    site.turn("become_highest", "GOP")
    site.do("done", highest=True)
    site.do("accident")
    assert (site.certificates("blue"), site.phase, site.active) == (2, "colour", "blue")
    assert site.refuses("accident") == "not_now"
    site.do("say_colour", colour="orange")
    assert (site.awards("blue"), site.phase, site.active) == (0, "clean", "grey")


def test_mw_29_a_colour_told_with_the_accident_answers_the_question() -> None:
    site = Site()
    site.turn("become_highest", "GOP")
    site.do("done")
    site.do("accident", colour="purple")
    assert (site.on_site("purple"), site.phase, site.active) == (2, "clean", "grey")


def test_mw_30_after_an_accident_nobody_asks_for_the_highest() -> None:
    site = Site(taken=ON_DUTY)
    site.turn("near_end", "HOP")
    site.do("accident")
    assert (site.phase, site.active) == ("clean", "grey")


def test_mw_30_where_the_table_does_a_claim_counts_and_then_the_next_one_cleans() -> None:
    site = Site(taken=ON_DUTY, rules={"award_after_accident": "asked"})
    site.turn("near_end", "HOP")
    site.do("accident")
    assert (site.phase, site.active) == ("highest", "blue")
    site.do("claim_highest")
    assert (site.awards("blue"), site.phase, site.active) == (1, "clean", "grey")


def test_mw_30_an_accident_while_measuring_keeps_that_question_too() -> None:
    site = Site(taken=ON_DUTY, rules={"award_after_accident": "asked"})
    site.turn("near_end", "HOP")
    site.do("done")
    site.do("accident")
    assert (site.phase, site.active, site.position["expects"]) == ("highest", "blue", ["claim_highest", "nobody"])
    site.do("nobody")
    assert (site.phase, site.active) == ("clean", "grey")


def test_mw_30_never_after_turning_or_cleaning_nor_of_one_who_is_out() -> None:
    asked = {"award_after_accident": "asked"}
    turning = Site(taken=ON_DUTY, rules=asked)
    turning.do("accident")
    cleaning = Site(taken={**ON_DUTY, "clean": True}, rules=asked)
    cleaning.do("accident")
    out = Site("blue", "red", "grey", taken={**ON_DUTY, "players": {"blue": {"certificates": 1}}}, rules=asked)
    out.turn("near_end", "HOP")
    out.do("accident")
    assert [site.phase for site in (turning, cleaning, out)] == ["clean"] * 3


def test_mw_31_the_boss_asks_in_her_very_first_turn() -> None:
    site = Site()
    site.boss("GOP")
    site.turn("near_end", "HOP")
    site.do("done")
    assert site.phase == "highest"


def test_mw_31_after_an_impossible_card_and_the_boss_another_instruction_is_due() -> None:
    site = Site(taken={"site": {**SITE, "supports": 0}})
    site.turn("touch_support", "GOP")
    site.boss("HOP")
    assert (site.phase, site.position["action"], site.active) == ("turn", None, "blue")


def test_mw_32_the_middle_one_is_out_and_keeps_his_awards() -> None:
    players = {"blue": {"certificates": 1, "awards": 2}}
    site = Site("blue", "red", "grey", taken={**ON_DUTY, "players": players})
    site.do("accident")
    assert (site.player("blue")["out"], site.position["awards_left"], site.active) == (True, 11, "red")
    site.do("cleaned")
    site.turn("near_end", "HOP")
    site.do("done", highest=False)
    site.turn("near_end", "HOP")
    site.do("done", highest=False)
    assert site.active == "red"


def test_mw_33_the_last_certificate_of_two_ends_the_game_and_moves_no_piece() -> None:
    site = Site(taken={"players": {"blue": {"certificates": 1}}})
    site.turn("become_highest", "GOP")
    before = site.position["site"]
    site.do("accident")
    position = site.position
    assert (position["finished"], position["ended_by"], position["winner"]) == (True, "last_standing", "grey")
    assert (position["site"], position["waiting_for"], position["expects"]) == (before, [], [])
