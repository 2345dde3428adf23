"""Deeds that were shuffled: pages follow what was turned up where, and nothing is known of what lies face down."""

from math import dist
from statistics import fmean
from typing import Any

import pytest

from companion.game_api.drawing import Polygon
from companion.games.monopoly_builder import GAME
from companion.games.monopoly_builder.drawings.chips import BACKS, colours_of, of_set
from companion.games.monopoly_builder.drawings.isometric import BLOCKS, project
from companion.games.monopoly_builder.drawings.ring import draw_spaces, spaces_of
from companion.games.monopoly_builder.ui.corrections import MonopolyBuilderCorrections, MonopolyBuilderTakeOver
from companion.games.monopoly_builder.ui.stage import MonopolyBuilderStage
from companion.words import LANGUAGES, Words
from tests.games.monopoly_builder.scenes import scene
from tests.games.monopoly_builder.town import KINDS, O_SPACE, O, Town

Json = dict[str, Any]
TURNED_UP = "D09"
"""A deed that is printed elsewhere, and is turned up on the space of O."""


def landed() -> Town:
    """Red has landed on a space whose deed lies face down."""
    town = Town("red", "green", rules={"deeds": "shuffled"})
    town.roll("red", 1, 3)
    return town


def bought() -> Town:
    """Red has turned a deed up and bought it."""
    town = landed()
    town.do("turn_deed", "red", deed=TURNED_UP)
    town.do("buy", "red")
    return town


def name(town: Town, deed: str) -> str:
    return str(town.table.catalog_json()["deeds"][deed]["name"])


@pytest.mark.parametrize(
    ("language", "says"), [("en", "Face-down deed"), ("fr", "Titre face cachée"), ("de", "Verdeckte Urkunde")]
)
def test_who_lands_on_a_deed_that_lies_face_down_is_not_told_what_is_printed_there(language: str, says: str) -> None:
    assert MonopolyBuilderStage().stage(scene(landed(), language)).title == says


def test_a_space_is_called_by_the_deed_that_was_turned_up_there() -> None:
    # given a deed that was turned up elsewhere than where it is printed
    town = landed()
    town.do("turn_deed", "red", deed=TURNED_UP)

    # then the headline names it, and the correction of the token too
    stage = MonopolyBuilderStage().stage(scene(town))
    assert stage.kicker == name(town, TURNED_UP)
    token = next(figure for figure in MonopolyBuilderCorrections().figures(scene(town)) if figure.key == "space:red")
    said = {choice.says for choice in token.choices}
    assert token.now == name(town, TURNED_UP)
    assert f"{O_SPACE} {name(town, TURNED_UP)}" in said
    assert not any(name(town, O) in choice for choice in said)
    assert "1 Face-down deed" in said


def test_the_board_shows_owner_and_group_where_the_deed_was_turned_up_and_backs_elsewhere() -> None:
    # given red's deed on another space than the printed one
    town = bought()
    catalog = town.table.catalog_json()
    printed = next(number for number, space in enumerate(catalog["spaces"]) if space["deed"] == TURNED_UP)

    # when the board is drawn with red's deed
    sites, words = town.position["sites"], Words("en", GAME)
    shapes = [
        shape for shape in draw_spaces(catalog, words, sites, {TURNED_UP: "red"}, None) if isinstance(shape, Polygon)
    ]

    # then group and owner are at the space where it was turned up, and every other deed shows its back
    middles = [project(*space.middle) for space in spaces_of(catalog)]

    def spaces_with(fill: str) -> set[int]:
        centres = [tuple(map(fmean, zip(*shape.points, strict=True))) for shape in shapes if shape.fill == fill]
        return {min(range(len(middles)), key=lambda at: dist(middles[at], middle)) for middle in centres}

    deeds = {number for number, space in enumerate(catalog["spaces"]) if space["deed"]}
    assert spaces_with(of_set(catalog["deeds"][TURNED_UP]["colour"], colours_of(catalog))) == {O_SPACE} != {printed}
    assert spaces_with(BLOCKS["red"].top) == {O_SPACE}
    assert spaces_with(BACKS["deeds"]) == deeds - {O_SPACE}


def test_corrections_offer_owners_for_deeds_that_were_turned_up_alone() -> None:
    # given a table on which one deed was turned up and bought
    town = bought()
    figures = MonopolyBuilderCorrections().figures(scene(town))

    # then that one may change hands, and each of its choices is accepted
    assert [figure.key for figure in figures if figure.key.startswith("deed:")] == [f"deed:{TURNED_UP}"]
    given = next(figure for figure in figures if figure.key == f"deed:{TURNED_UP}").choices[-1].command
    assert given is not None
    town.give({**given, "reason": "a test"})


@pytest.mark.parametrize("moment", ["buy", "auction"])
def test_a_deed_that_is_offered_or_under_the_hammer_has_no_figure_for_every_choice_would_be_refused(
    moment: str,
) -> None:
    # given a deed that is not settled yet
    town = Town("red", "green")
    town.roll("red", 1, 3)
    if moment == "auction":
        town.do("decline", "red")

    # then it is no figure, and the other deeds are
    keys = {figure.key for figure in MonopolyBuilderCorrections().figures(scene(town))}
    assert f"deed:{O}" not in keys
    assert "deed:D01" in keys


# The page on which such a game is taken over.


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_game_with_shuffled_deeds_is_entered_by_space_and_accepted(language: str) -> None:
    # given the form, as it is asked where deeds were shuffled
    cards = landed().table.catalog_json()
    form = MonopolyBuilderTakeOver().form(Words(language, GAME), cards, KINDS)
    asked = [group for group in form.groups if group.where in ({}, {"deeds": "shuffled"})]
    turned_up = next(group for group in asked if any("sites" in str(option.sets) for option in group.fields[0].options))

    # then no space is called by a deed that is printed there
    names = {str(deed["name"]) for deed in cards["deeds"].values()}
    places = next(field for field in form.player if field.where == {"deeds": "shuffled"})
    titles = [field.title for group in asked if group.where for field in group.fields]
    assert not any(name in said for name in names for said in (*titles, *(option.says for option in places.options)))

    # when one deed lies on a space, and red owns it
    sites: Json = {}
    for place, field in enumerate(turned_up.fields):
        chosen = next(
            option for option in field.options if list(option.sets.values()) == [TURNED_UP if place == 1 else None]
        )
        sites.update({key.removeprefix("sites."): value for key, value in chosen.sets.items()})
    position = {"rules": {"deeds": "shuffled"}, "sites": sites}
    town = Town("red", "green", taken=position, red={"deeds": [TURNED_UP]})

    # then the rules accept it
    assert [deed for deed in town.position["sites"].values() if deed] == [TURNED_UP]


def test_deeds_beside_their_spaces_are_not_asked_for() -> None:
    cards = landed().table.catalog_json()
    form = MonopolyBuilderTakeOver().form(Words("en", GAME), cards, KINDS)

    asked = [group for group in form.groups if group.where in ({}, {"deeds": "beside"})]

    assert not any("sites" in str(option.sets) for group in asked for field in group.fields for option in field.options)
    assert any(name_ in field.title for group in asked for field in group.fields for name_ in ("Canal Row",))
