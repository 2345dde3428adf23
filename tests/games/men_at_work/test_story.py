"""The story of an evening of Men at Work, told of games that were played at a table."""

from companion.game_api.stage import Ending
from companion.games.men_at_work.ui.story import MenAtWorkStory
from tests.games.men_at_work.building_site import Site
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
