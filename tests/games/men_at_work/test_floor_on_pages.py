"""The floor of the box on pages, where the variant with the skyscraper is played: put right, and taken over.

The form of a game that is taken over bounds no figure below what a box may have.
"""

from dataclasses import replace
from typing import Any

import pytest

from companion.game_api.stage import CorrectableFigure, TakenField
from companion.game_api.ui import TableView
from companion.games.men_at_work import GAME
from companion.games.men_at_work.ui.corrections import MenAtWorkCorrections, MenAtWorkTakeOver
from companion.words import LANGUAGES, Words
from tests.games.men_at_work.building_site import Site, house_deck

MAY_LIE_THERE = {"workers", "beams", "bricks"}
SKYSCRAPER = {"counts": True, "skyscraper": True}
USUAL = {"counts": True, "skyscraper": False}


def figures(site: Site, language: str = "en") -> dict[str, CorrectableFigure]:
    overview, shown = site.table.overview, site.table.show("banker")
    assert overview is not None
    catalog, words = site.table.catalog_json(), Words(language, GAME)
    scene = TableView("t", shown["version"], shown["position"], overview, (), catalog, words)
    return {figure.key: figure for figure in MenAtWorkCorrections().figures(scene)}


def fields(now: dict[str, bool], language: str = "en") -> dict[str, TakenField]:
    """Return the fields of what lies on the table that are asked with these rules, by their paths."""

    def applies(where: Any) -> bool:
        return all(now[key] == value for key, value in where.items())

    form = MenAtWorkTakeOver().form(Words(language, GAME), {}, ())
    asked = [field for group in form.groups if applies(group.where) for field in group.fields if applies(field.where)]
    paths = [field.path for field in asked if field.path]
    assert len(paths) == len(set(paths))
    return {field.path: field for field in asked}


def test_what_lies_on_the_floor_is_put_right_as_what_stands_on_the_site() -> None:
    # given a skyscraper, whose floor has a figure for all that may lie there
    site = Site(variants=["skyscraper"])
    on_floor = {key: figure for key, figure in figures(site).items() if key.startswith("floor:")}
    assert set(on_floor) == {f"floor:{piece}" for piece in MAY_LIE_THERE}
    assert (on_floor["floor:bricks"].title, on_floor["floor:bricks"].now) == ("On the floor: bricks", "0")

    # when two bricks lie there, and one of them is taken away
    for number in (2, 1):
        command = figures(site)["floor:bricks"].choices[number].command
        assert command is not None
        site.give({**command, "reason": "a test"})

    # then one is left
    assert site.position["floor"]["bricks"] == 1
    assert figures(site)["floor:bricks"].now == "1"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_number_on_the_floor_is_one_that_the_rules_accept(language: str) -> None:
    site = Site(variants=["skyscraper"])
    for key, figure in figures(site, language).items():
        for choice in figure.choices if key.startswith("floor:") else ():
            if choice.command is not None:
                site.give({**choice.command, "reason": "a test"})
                site.give({"do": "undo"})


def test_without_the_variant_nothing_lies_on_the_floor() -> None:
    assert not any(key.startswith("floor:") for key in figures(Site()))
    assert not any(path.startswith("floor.") for path in fields(USUAL))


def test_a_skyscraper_is_taken_over_with_its_floor_and_begins_without_supports() -> None:
    # given the form
    asked, usual = fields(SKYSCRAPER), fields(USUAL)

    # then it asks for the floor, and says what the box has at the start
    assert {path for path in asked if path.startswith("floor.")} == {f"floor.{piece}" for piece in MAY_LIE_THERE}
    assert (asked["site.supports"].hint, usual["site.supports"].hint) == ("0", "3")
    assert asked["site.orange"].hint == usual["site.orange"].hint == "1"

    # when a game with all that may lie there goes on
    floor = {path.removeprefix("floor."): 1 for path in asked if path.startswith("floor.")}
    site = Site(variants=["skyscraper"], taken={"floor": floor})

    # then it lies there
    assert {piece for piece, count in site.position["floor"].items() if count} == MAY_LIE_THERE
    assert site.position["site"]["supports"] == 0


def test_where_nothing_is_counted_no_pieces_are_asked_for() -> None:
    paths = fields({"counts": False, "skyscraper": True})

    assert not any(path.startswith(("site.", "floor.")) for path in paths)


def test_as_many_awards_are_entered_as_a_box_of_ones_own_lets_a_player_have() -> None:
    # given a box with which two players need seven awards, of which one has six
    box = replace(house_deck().box, awards_needed=(7, 4, 4, 3))
    players = {"blue": {"awards": 6}}

    # then the rules take that
    site = Site(catalog=replace(house_deck(), box=box), taken={"boss": {"on_duty": True}, "players": players})
    assert (site.awards("blue"), site.position["awards_needed"]) == (6, 7)

    # and the form lets it be entered
    (awards,) = (
        field for field in MenAtWorkTakeOver().form(Words("en", GAME), {}, ()).player if field.path == "awards"
    )
    assert awards.most is not None
    assert awards.most >= 6
