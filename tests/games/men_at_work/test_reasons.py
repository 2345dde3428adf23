"""Men at Work says why, with the count: what makes an action impossible, what is short, what was being placed."""

from typing import Any

import pytest

from companion.games.men_at_work import GAME
from companion.web.default_ui.ui import DefaultUI
from companion.words import LANGUAGES
from tests.games.men_at_work.building_site import Site, house_deck
from tests.games.men_at_work.test_stage import scene, stage, with_award

NEXT = "Turn up the next card."
FOREMAN = "Play a foreman card or stop construction."
STOPPED = "The reserve is exhausted; construction stops."


def moment(site: Site, language: str = "en") -> str:
    """Return what is said to whoever acts."""
    return str(DefaultUI(GAME).values(scene(site, language), None)["moment"])


def on_site(counts: dict[str, int], **begun: Any) -> Site:
    return Site(taken={"site": counts}, **begun)


@pytest.mark.parametrize(
    ("counts", "how", "back", "said"),
    [
        ({"orange": 1}, "touch_support", "GOP", "At a support is impossible. It needs a support; on the site: 0."),
        ({"orange": 1}, "strong_worker", "GOP", "Strong worker is impossible. It needs a worker; on the site: 0."),
        ({"workers": 1}, "balance", "GOP", "Balanced is impossible. It needs a girder; on the site: 0."),
        (
            {"black": 2},
            "same_colour",
            "GOP",
            "Same colour is impossible. It needs another girder of its colour, orange or purple; on the site: 0.",
        ),
        (
            {"orange": 3},
            "two_other_colours",
            "GPB",
            "Three colours is impossible. It needs girders of two other colours; on the site: 1.",
        ),
        (
            {"black": 2},
            "one_brick",
            "HOP",
            "One brick is impossible. It needs a girder to stand on, orange or purple; on the site: 0.",
        ),
        (
            {"orange": 1},
            "connect_by_beam",
            "HOP",
            "Joined by a beam is impossible. It needs a worker; on the site: 0.",
        ),
    ],
)
def test_an_impossible_action_names_what_the_site_lacks(counts: dict[str, int], how: str, back: str, said: str) -> None:
    site = on_site(counts)

    site.turn(how, back)

    assert moment(site) == f"{said} {NEXT}"
    assert stage(site).text == (f"{said} {NEXT}",)


def test_of_several_colours_that_lack_something_the_best_off_is_counted() -> None:
    # given one girder alone, which is another colour for purple, and none for itself
    site = on_site({"orange": 1})

    site.turn("two_other_colours", "GOP")

    assert "It needs girders of two other colours; on the site: 1." in moment(site)


def test_mw_21_an_action_says_that_one_colour_is_missing_on_the_site_and_the_other_in_the_reserve() -> None:
    site = on_site({"orange": 7})

    site.turn("same_colour", "GOP")

    assert moment(site) == (
        "Same colour is impossible. It needs another girder of its colour, purple; on the site: 0. "
        f"Girders in the reserve, orange: 0. {NEXT}"
    )


@pytest.mark.parametrize("how", [instruction.id for instruction in house_deck().instructions])
@pytest.mark.parametrize("back", ["GOP", "GPB", "HOP", "HPB"])
def test_whatever_is_impossible_has_a_reason_with_a_count(how: str, back: str) -> None:
    # given an instruction of the kind that the back shows, on sites that lack one thing or another
    if house_deck().instruction(how).kind != {"G": "girder", "H": "worker"}[back[0]]:
        return
    for counts in ({}, {"orange": 1}, {"orange": 7}, {"workers": 2, "black": 1}, {"supports": 1}):
        site = on_site(counts)
        site.turn(how, back)

        # then a reason is given wherever it is impossible
        if site.position["phase"] == "turn":
            assert any(letter.isdigit() for letter in moment(site)), (counts, moment(site))


@pytest.mark.parametrize(
    ("counts", "how", "back", "said"),
    [
        ({"orange": 1, "bricks": 11}, "two_bricks", "HOP", "It takes 2 bricks; in the reserve: 1."),
        (
            {"orange": 7, "purple": 7},
            "balance",
            "GOP",
            "It takes a girder, orange or purple; in the reserve: 0.",
        ),
        (
            {"orange": 1, "bricks": 12, "beams": 12},
            "brick_and_beam",
            "HOP",
            "It takes a beam; in the reserve: 0. It takes a brick; in the reserve: 0.",
        ),
        ({"orange": 1, "workers": 15}, "two_workers", "HOP", "It takes 2 workers; in the reserve: 1."),
    ],
)
def test_what_the_reserve_lacks_is_counted_before_a_foreman_card_and_at_the_end(
    counts: dict[str, int], how: str, back: str, said: str
) -> None:
    # given somebody who could play a foreman card
    site = on_site(counts, variants=["foreman"])
    site.turn(how, back)
    assert site.position["phase"] == "supply"
    assert moment(site) == f"The reserve is too short. {said} {FOREMAN}"

    # when construction is stopped, then it is said once more
    site.do("pass")
    assert moment(site) == f"{STOPPED} {said} Certificates and awards: Blue 3 + 0 and Grey 3 + 0."
    assert stage(site).text == (f"{STOPPED} {said}",)


def test_mw_24_a_kind_that_is_used_up_is_named_where_it_ends_the_game() -> None:
    site = on_site({"orange": 1, "bricks": 11}, rules={"exhausted": "one_kind"})
    site.turn("one_brick", "HOP")

    site.do("done")

    assert moment(site).startswith(f"{STOPPED} Reserve at 0: bricks.")


def test_mw_40_without_counts_there_is_no_count_to_give() -> None:
    site = Site(rules={"counts": False})
    site.turn("same_colour", "GOP")
    site.do("impossible")
    assert moment(site) == f"Same colour is impossible on this site. {NEXT}"

    site.turn("balance", "GOP")
    site.do("exhausted")
    assert moment(site) == f"{STOPPED} Certificates and awards: Blue 3 + 0 and Grey 3 + 0."


def test_the_end_says_what_everybody_has_the_first_one_first() -> None:
    players = {"blue": {"awards": 1}, "grey": {"awards": 3}, "red": {"certificates": 2}}
    site = Site("blue", "grey", "red", taken={"players": players, "boss": {"on_duty": True}})

    site.do("correct_player", player="grey", awards=4, reason="counted")

    assert moment(site) == (
        "Grey has the awards needed. Certificates and awards: Grey 3 + 4, Blue 3 + 1, and Red 2 + 0."
    )


def test_an_award_says_how_many_are_missing_and_the_last_one_does_not() -> None:
    site = Site()
    with_award(site)
    assert stage(site).news == "Blue wins a first award. Awards still missing: 4."

    site = Site(taken={"players": {"blue": {"awards": 4}}, "boss": {"on_duty": True}})
    site.turn("become_highest", "GOP")
    site.do("done", colour="orange", highest=True)
    assert stage(site).news == "Blue wins a fifth award."


def test_whoever_cleans_up_hears_what_was_being_placed_until_it_is_done() -> None:
    # given an accident whose colour is told after it
    site = Site()
    site.turn("new_support_same", "GOP")
    site.do("accident")
    site.do("say_colour", colour="orange")
    placing = "Blue was placing an orange girder and a support."
    assert stage(site).text == ("Blue loses a certificate.", placing)

    # when a part of it is put back, then it is said and shown
    site.do("fallen", pieces={"supports": 1})
    assert (stage(site).news, stage(site).text[-1]) == (placing, placing)

    # and no more once all is cleaned up
    site.do("cleaned")
    assert (stage(site).news, stage(site).text) == ("", ())


def test_what_was_being_placed_is_told_as_it_was_amended() -> None:
    site = Site()
    site.turn("balance", "GOP")
    site.do("accident", colour="orange")

    site.do(
        "amend", seq=site.table.version, confirm=True, with_={"do": "accident", "player": "blue", "colour": "purple"}
    )

    assert stage(site).text[-1] == "Blue was placing a purple girder."


def test_an_accident_before_a_card_was_turned_and_one_while_cleaning_place_nothing() -> None:
    # given a turn with a girder before, and an accident of the next player before a card
    site = Site()
    site.quiet_turn()
    site.do("accident")
    assert stage(site).text == ("Grey loses a certificate.",)

    # when the next one has an accident while cleaning, then nothing was being placed either
    site.do("accident")
    assert stage(site).text == ("Blue loses a certificate.",)


def test_where_nobody_counts_the_back_says_what_was_being_placed() -> None:
    site = Site(rules={"counts": False})
    site.turn("balance", "GOP")

    site.do("accident")

    assert stage(site).text[-1] == "Blue was placing a girder, orange or purple."
    site.do("cleaned")
    site.turn("same_colour", "GOP")
    site.do("impossible")
    site.do("accident")
    assert stage(site).text == ("Grey loses a certificate.",)


def test_a_card_that_is_not_the_one_whose_back_was_seen_is_told_on_the_stage_and_aloud() -> None:
    # given a pile that shows one back
    site = Site()
    site.quiet_turn()
    cards = site.table.catalog_json()["cards"]
    other = next(card for card in cards if cards[card]["back"] == "GBW" and card not in site.position["discard"])

    # when a card with another one is turned up by a tap
    site.do("turn_card", card=other, back="GOW")

    # then it is told, and no more of a card that fits
    sentence = f"{other} is turned up, though the pile showed an orange or purple girder."
    assert (stage(site).news, stage(site).text[-1]) == (sentence, sentence)
    site.do("done", colour="orange")
    fitting = next(card for card in cards if cards[card]["back"] == "GOW" and card not in site.position["discard"])
    site.do("turn_card", card=fitting, back="GOW")
    assert stage(site).news == ""
    assert not any("though" in line for line in stage(site).text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_is_in_every_language(language: str) -> None:
    said: list[str] = []
    for counts, how, back in (
        ({"orange": 1}, "touch_support", "GOP"),
        ({"orange": 7}, "same_colour", "GOP"),
        ({"orange": 3}, "two_other_colours", "GPB"),
        ({"black": 2}, "one_brick", "HOP"),
        ({"orange": 7, "purple": 7}, "balance", "GOP"),
        ({"orange": 1, "bricks": 12}, "two_bricks", "HOP"),
    ):
        site = on_site(counts)
        site.turn(how, back)
        said.append(moment(site, language))
    together = " ".join(said)

    assert "{" not in together
    assert language == "en" or not any(word in together for word in ("needs", "takes", "reserve:", "the "))
