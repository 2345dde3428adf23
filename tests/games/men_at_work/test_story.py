"""The story of an evening of Men at Work, told of games that were played at a table."""

import pytest

from companion.game_api.stage import Ending
from companion.games.men_at_work.ui.story import MenAtWorkStory
from tests.games.men_at_work.building_site import SITE, Site
from tests.games.men_at_work.test_stage import scene


def story(site: Site) -> Ending:
    """Return the story of a table as far as it has come."""
    events = [event for entry in site.table.journal("banker") for event in entry["events"]]
    return MenAtWorkStory().ending(scene(site), events, ())


def turning_points(site: Site) -> list[str]:
    """Return the sentences of the story of a table."""
    return [point.says for point in story(site).turns]


def accident(site: Site) -> None:
    """Let the next player's girder fall."""
    site.turn("become_highest", "GBW")
    site.do("accident", colour="white")


def build(site: Site, turns: int) -> None:
    """Play turns without an accident."""
    for _ in range(turns):
        while site.position["phase"] in ("turn", "clean"):
            cards = site.table.catalog_json()["cards"]
            card = next(card for card in cards if card not in site.position["discard"])
            site.do("turn_card", card=card, back="HBW")
        site.do("done", **({"highest": False} if site.position["boss"]["on_duty"] else {}))


def test_a_turn_with_an_accident_is_part_of_no_run() -> None:
    # given an accident of blue, and three turns of blue without one
    site = Site("blue", "grey", "red", rules={"exhausted": "needed"})
    accident(site)
    site.do("fallen", pieces={"white": 1})
    site.do("cleaned")
    build(site, 9)

    # then nobody has built four times without an accident
    assert not any("in a row" in says for says in turning_points(site))

    # and with one turn more grey has
    build(site, 1)
    assert any("Grey builds 4 times in a row" in says for says in turning_points(site))


def test_an_accident_while_comparing_ends_the_run_before_the_turn_counts() -> None:
    # given three turns of blue without an accident, and a fourth that ends while heights are compared
    site = Site("blue", "grey", rules={"exhausted": "needed"})
    site.boss("GOP")
    build(site, 6)
    site.turn("become_highest", "GOP")
    site.do("done", colour="purple")
    site.do("accident")

    # then no run is told
    assert not any("in a row" in says for says in turning_points(site))


def test_supports_that_are_put_back_later_fell_in_no_accident() -> None:
    # given an accident that brought one girder down, and two supports that fell in a later turn
    site = Site("blue", "grey")
    accident(site)
    site.do("fallen", pieces={"white": 1})
    site.do("cleaned")
    site.turn("become_highest", "GOP")
    site.do("fallen", pieces={"supports": 2})
    site.do("done", colour="orange")

    # then the accident is not told as one that brought three pieces down
    assert not any("brings down" in says for says in turning_points(site))


def test_an_accident_that_needs_no_cleaning_after_a_correction_is_over() -> None:
    # given an accident after which the banker says that nothing is to be cleaned up
    site = Site("blue", "grey", "red", rules={"exhausted": "needed"})
    accident(site)
    site.do("correct_turn", player="grey", clean=False, reason="nothing fell")

    # when ten turns without an accident follow, in the first of which supports go back
    site.do("fallen", pieces={"supports": 3})
    build(site, 10)

    # then their longest run is told, and no piece fell in that accident
    said = turning_points(site)
    assert any("Grey builds 4 times in a row" in says for says in said)
    assert not any("brings down" in says for says in said)


def test_pieces_fall_in_an_accident_until_whoever_got_the_hook_by_a_correction_has_cleaned_up() -> None:
    # given an accident after which another player cleans up than the one who was next
    site = Site("blue", "grey", "red")
    accident(site)
    site.do("correct_turn", player="red", reason="Red is nearer")

    site.do("fallen", pieces={"white": 1, "supports": 2})

    assert any("accident brings down 3 pieces" in says for says in turning_points(site))


def test_the_boss_is_told_where_she_was_turned_and_not_where_that_was_taken_back() -> None:
    # given a boss who was turned by mistake, as the banker says
    site = Site("blue", "grey")
    site.boss("GOP")
    site.do("correct_boss", on_duty=False, reason="it was another card")
    assert turning_points(site) == []

    # when she is turned two turns later
    build(site, 1)
    site.boss("GOP")

    # then that is told, once
    (point,) = story(site).turns
    assert (point.when, point.player) == ("Turn 2", "grey")
    assert point.says.startswith("Grey turns up the boss")


def test_an_award_is_not_told_that_was_put_right_to_none() -> None:
    # given two awards of blue
    site = Site("blue", "grey")
    site.boss("GOP")
    for player in ("blue", "grey", "blue"):
        site.turn("become_highest", "GOP")
        site.do("done", colour="orange", highest=player == "blue")
    assert any("Blue wins a second award" in says for says in turning_points(site))

    # when one proves to be none, then the first is the last one told
    site.do("correct_player", player="blue", awards=1, reason="it was not higher")
    assert any("Blue wins a first award" in says for says in turning_points(site))
    assert not any("Blue wins a second award" in says for says in turning_points(site))

    # and when both do, then none is
    site.do("correct_player", player="blue", awards=0, reason="nor was that")
    assert not any("award." in says for says in turning_points(site))


def test_whoever_is_back_in_by_a_correction_is_not_told_as_out() -> None:
    # given a player who loses the last certificate
    site = Site("blue", "grey", "red", taken={"players": {"blue": {"certificates": 1}}})
    site.do("accident")
    assert any("Blue loses the last certificate and is out" in says for says in turning_points(site))

    # when an award of another player is put right, then that stays
    site.do("correct_player", player="grey", certificates=2, reason="one lay under the box")
    assert any("Blue loses the last certificate and is out" in says for says in turning_points(site))

    # when one is found, then nobody is told as out
    site.do("correct_player", player="blue", certificates=1, reason="it lay under the box")
    assert turning_points(site) == []


def ended(**eliminated: str) -> Site:
    """Return a game that ended by an exhausted reserve, with a player who is out and has the highest total."""
    players = {"blue": {"certificates": 0, "awards": 3}, "yellow": {"certificates": 2}, "red": {"certificates": 1}}
    there = {**SITE, "bricks": 12}
    taken = {"boss": {"on_duty": True}, "players": players, "site": there, "turn": 30}
    site = Site("yellow", "red", "blue", taken=taken, rules=eliminated)
    site.turn("two_bricks", "HOP")
    return site


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Whoever is out comes last."),
        ("de", "Wer ausgeschieden ist, kommt zuletzt."),
        ("fr", "Les éliminés viennent en dernier."),
    ],
)
def test_the_ranking_says_that_the_eliminated_come_last_where_they_do(language: str, said: str) -> None:
    # given a player who is out and ranks last in spite of three awards
    site = ended()
    assert [place["player"] for place in site.position["standings"]] == ["yellow", "red", "blue"]

    # then what decides is explained
    assert MenAtWorkStory().ending(scene(site, language), (), ()).explained.endswith(said)

    # and not so where the total alone decides
    site = ended(eliminated="by_total")
    assert [place["player"] for place in site.position["standings"]] == ["blue", "yellow", "red"]
    assert said not in MenAtWorkStory().ending(scene(site, language), (), ()).explained


def test_a_winner_who_is_put_out_after_the_end_is_not_said_to_come_last() -> None:
    # given a winner by awards
    site = Site("blue", "grey", "red", taken={"boss": {"on_duty": True}, "players": {"blue": {"awards": 3}}})
    site.turn("near_end", "HOP")
    site.do("done", highest=True)

    # when the banker finds that they have no certificate
    site.do("correct_player", player="blue", certificates=0, reason="counted again")

    # then they are first, and nobody else is out
    assert site.position["standings"][0]["player"] == "blue"
    assert "comes last" not in story(site).explained


def test_only_a_game_that_was_followed_from_the_start_counts_its_accidents() -> None:
    site = Site("blue", "grey")
    accident(site)
    assert story(site).facts == ("2 turns", "1 accident")

    # of the 29 turns before a game was taken over nobody has counted them
    assert story(ended()).facts == ("30 turns",)
