"""Screens of a town besides its figures: points at any time, groups, the final score, chips on their way."""

from typing import Any

import pytest

from companion.game_api.drawing import LIT, Disc, Drawing, Polygon, TextLine
from companion.games.monopoly_builder import GAME
from companion.games.monopoly_builder.drawings.chips import MonopolyBuilderFlights
from companion.games.monopoly_builder.drawings.game import (
    LEADS,
    THICK,
    MonopolyBuilderDrawings,
    largest_groups,
    outlines,
)
from companion.games.monopoly_builder.drawings.isometric import ACCENT, BLOCKS, project
from companion.games.monopoly_builder.drawings.ring import spaces_of
from companion.games.monopoly_builder.ui.stage import MonopolyBuilderStage
from companion.words import LANGUAGES, Words
from tests.games.monopoly_builder.scenes import scene
from tests.games.monopoly_builder.town import PARKING, Town, built

BUILT = built(A1=("red", 2), A2=("red", 1), B2=("red", 4), D4=("green", 3), D5=("green", 1), E1=("green", 1))


def scores(town: Town, viewer: str = "spectator") -> list[tuple[str, int, dict[str, int]]]:
    return [(score.player, score.rank, dict(score.figures)) for score in town.table.advice.scores(viewer)]


def test_everybodys_points_are_told_by_source_before_the_end() -> None:
    town = Town("red", "green", taken=BUILT, red={"cash": 500}, green={"cash": 700})

    assert scores(town) == [
        ("red", 1, {"points": 19, "buildings": 14, "sets": 0, "billionaire": 0, "community": 5, "cash": 500}),
        ("green", 2, {"points": 11, "buildings": 8, "sets": 0, "billionaire": 3, "community": 0, "cash": 700}),
    ]
    assert town.position["standings"] is None


def test_points_tell_nobody_what_is_hidden() -> None:
    # given a town with hidden money, in which green would lead by theirs
    town = Town("red", "green", taken=BUILT | {"rules": {"money": "hidden"}}, green={"cash": 700})

    # then others see neither money nor who has most, and the banker sees both
    assert scores(town) == [
        ("red", 1, {"points": 19, "buildings": 14, "sets": 0, "community": 5}),
        ("green", 2, {"points": 8, "buildings": 8, "sets": 0, "community": 0}),
    ]
    assert scores(town, "green") == scores(town)
    assert {"billionaire", "cash"} <= scores(town, "banker")[0][2].keys()


def test_points_of_equals_share_a_rank() -> None:
    town = Town("red", "green", taken={"rules": {"money": "hidden"}}, red={})

    assert [rank for _, rank, _ in scores(town)] == [1, 1]


def test_the_largest_group_of_each_owner_is_outlined_and_the_one_that_scores_thickest() -> None:
    town = Town("red", "green", taken=BUILT, red={})
    catalog, board = town.table.catalog_json(), town.position["board"]

    assert largest_groups(catalog, board) == [(frozenset({"A1", "A2", "B2"}), True), (frozenset({"D4", "D5"}), False)]
    lines = outlines(catalog, board, 0, 0, 10)
    assert len(lines) == 8 + 6, "an edge is no outline where two of the group meet"
    assert max(line.thick for line in lines[:6]) < min(line.thick for line in lines[6:])
    assert all(0 <= x <= 50 and 0 <= y <= 50 for line in lines for x, y in line.points)


@pytest.mark.parametrize(("ties", "community", "thick"), [("all", 5, 12), ("nobody", 0, 0)])
def test_groups_of_one_size_are_outlined_as_ones_that_score_only_where_both_do(
    ties: str, community: int, thick: int
) -> None:
    # given red and green, who have two neighbours each
    pairs = built(A1=("red", 1), A2=("red", 1), D4=("green", 1), D5=("green", 3))
    town = Town("red", "green", taken=pairs, rules={"bonus_ties": ties}, red={})

    # then their outlines are thick where both would have the bonus
    assert [figures["community"] for _, _, figures in scores(town)] == [community, community]
    lines = [shape for shape in town_picture(town).shapes if isinstance(shape, Polygon) and not shape.closed]
    assert sum((line.line, line.thick) == (LEADS, THICK) for line in lines) == thick


def test_a_building_alone_is_no_group() -> None:
    town = Town("red", "green", taken=built(A1=("red", 2), C3=("red", 1)), red={})

    assert largest_groups(town.table.catalog_json(), town.position["board"]) == []


# The town seen from one corner, with the ring of spaces round it.


def town_picture(town: Town, language: str = "en") -> Drawing:
    return MonopolyBuilderDrawings().pictures(scene(town, language))[0]


def faces(drawing: Drawing, colour: str) -> int:
    return sum(1 for shape in drawing.shapes if isinstance(shape, Polygon) and shape.fill == colour)


def texts(drawing: Drawing) -> list[str]:
    return [shape.words for shape in drawing.shapes if isinstance(shape, TextLine)]


def test_a_building_shows_two_walls_and_a_roof_with_its_owners_letter() -> None:
    bare, with_tower = (town_picture(Town("red", "green", taken=taken)) for taken in ({}, built(C3=("green", 4))))
    tones = BLOCKS["green"]

    assert faces(with_tower, tones.top) - faces(bare, tones.top) == 1
    assert faces(with_tower, tones.left) > faces(bare, tones.left)
    assert texts(with_tower).count("G") == texts(bare).count("G") + 1
    assert "C3" in texts(bare)
    assert "C3" not in texts(with_tower), "a cell that is built on is not offered by its name"


def test_a_tower_hides_what_stands_behind_it_and_not_the_other_way_round() -> None:
    drawn = town_picture(Town("red", "green", taken=built(A1=("red", 1), E5=("green", 4))))
    roofs = [shape.fill for shape in drawn.shapes if isinstance(shape, Polygon)]

    assert roofs.index(BLOCKS["green"].top) < roofs.index(BLOCKS["red"].top), "A1 lies in front, beside GO"


def test_whoever_moved_last_is_ringed_where_they_landed() -> None:
    # given a town in which nobody has moved since it was taken over
    town = Town("red", "green")
    assert faces(town_picture(town), LIT) == 0

    # when red rolls a three
    town.roll("red", 1, 2)
    drawn = town_picture(town)

    # then the third space is lit, and red's token wears the only ring
    lit = next(shape for shape in drawn.shapes if isinstance(shape, Polygon) and shape.fill == LIT)
    place = spaces_of(town.table.catalog_json())[3].place
    assert lit.points[0] == project(place.x, place.y)
    assert [shape.line for shape in drawn.shapes if isinstance(shape, Disc)].count(ACCENT) == 1


@pytest.mark.parametrize("space", [13, PARKING, 15])
def test_tokens_that_stand_together_in_the_rear_corner_lie_wholly_in_the_picture(space: int) -> None:
    # given two players in the rear corner of the board, where it is highest
    town = Town("red", "green", "yellow", red={"space": space - 3}, green={"space": space}, yellow={"space": space})

    # when a third joins them, whose token stands above theirs with its ring
    town.roll("red", 1, 2)
    drawn = town_picture(town)

    # then the picture has room for all of it
    assert min(shape.y - shape.radius for shape in drawn.shapes if isinstance(shape, Disc)) >= 0
    assert min(y for shape in drawn.shapes if isinstance(shape, Polygon) for _, y in shape.points) >= 0


def test_an_owned_deed_wears_a_bar_of_its_owners_colour() -> None:
    bare, owned = (town_picture(Town("red", "green", green={"deeds": deeds})) for deeds in ([], ["D03", "D04"]))

    assert faces(owned, BLOCKS["green"].top) - faces(bare, BLOCKS["green"].top) == 2


def test_who_sits_in_jail_stands_behind_its_bars_and_visitors_pass_outside() -> None:
    town = Town("red", "green", red={"space": 7, "in_jail": True}, green={"space": 7})
    drawn = town_picture(town)

    feet = [shape for shape in drawn.shapes if isinstance(shape, Polygon) and not shape.closed and shape.thick == 5]
    poles = [line.points[0] for line in feet if line.points[0][0] == line.points[1][0]]
    across, down = zip(*poles, strict=True)
    assert max(across) - min(across) > 10 or max(down) - min(down) > 10


@pytest.mark.parametrize(("language", "purple"), [("en", "P"), ("fr", "Vi"), ("de", "L")])
def test_chips_on_the_spaces_have_the_letters_of_the_language(language: str, purple: str) -> None:
    assert purple in texts(town_picture(Town(), language))


def test_everything_lies_on_the_picture_a_penthouse_in_the_rear_corner_too() -> None:
    town = Town("red", "green", taken=built(E5=("green", 4)), green={"chips": {"red": 2, "purple": 2}})
    seen = scene(town)
    seen.position["board"]["E5"]["height"] = 5
    drawn = MonopolyBuilderDrawings().pictures(seen)[0]

    points = [point for shape in drawn.shapes if isinstance(shape, Polygon) for point in shape.points]
    assert all(0 <= x <= drawn.width and 0 <= y <= drawn.height for x, y in points)


def test_signs_are_legible_from_a_sofa() -> None:
    """The picture is at least 960 wide on a big screen of 1920 x 1080, where 22 px is the least for a chip's letter."""
    drawn = town_picture(Town())
    signs = [shape.size for shape in drawn.shapes if isinstance(shape, TextLine) and shape.words in "RPGY?!"]

    assert min(signs) * 960 / drawn.width >= 22


def ended() -> Town:
    town = Town("red", "green", taken=BUILT, red={"cash": 500}, green={"cash": 700})
    town.do("correct_turn", phase="finished", reason="it got late")
    return town


def test_a_bankrupt_player_whose_buildings_win_is_shown_as_the_winner() -> None:
    # given green, who is bankrupt, with two high towers
    towers = built(A1=("green", 4), A2=("green", 4), C3=("red", 1))
    town = Town("red", "green", "yellow", taken=towers, green={"cash": 0, "bankrupt": True}, yellow={"cash": 800})
    seat = MonopolyBuilderStage().stage(scene(town)).seats["green"]
    assert (seat.status, seat.state) == ("bankrupt", "passed")

    # when the evening ends
    town.do("correct_turn", phase="finished", reason="it got late")

    # then green is the first, as the headline says
    shown = MonopolyBuilderStage().stage(scene(town))
    assert shown.title == "green wins"
    assert (shown.seats["green"].status, shown.seats["green"].state) == ("1st", "leads")
    assert [shown.seats[player].status for player in ("red", "yellow")] == ["2nd", "3rd"]


def staircase(town: Town, language: str = "en") -> Drawing:
    drawings = MonopolyBuilderDrawings().pictures(scene(town, language))
    assert len(drawings) == 2
    return drawings[1]


def test_the_reckoning_is_a_staircase_of_sources_up_to_the_sum() -> None:
    drawn = staircase(ended())

    texts = [shape.words for shape in drawn.shapes if isinstance(shape, TextLine)]
    assert texts == [
        "R",
        "+14",
        "Buildings",
        "+5",
        "Community",
        "19",
        "G",
        "+8",
        "Buildings",
        "+3",
        "Billionaire",
        "11",
    ]
    assert drawn.says == "red 19: Buildings 14, Community 5. green 11: Buildings 8, Billionaire 3"
    assert all(0 <= shape.x <= drawn.width for shape in drawn.shapes if isinstance(shape, TextLine))


def test_before_the_end_there_is_nothing_to_reckon() -> None:
    assert len(MonopolyBuilderDrawings().pictures(scene(Town()))) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_reckoning_is_told_in_every_language(language: str) -> None:
    words = Words(language, GAME)

    assert words.named("field", "community") in staircase(ended(), language).says


def test_who_has_nothing_stands_at_the_foot() -> None:
    town = Town("red", "green", taken={}, red={"cash": 500}, green={"cash": 700})
    town.do("correct_turn", phase="finished", reason="it got late")

    assert staircase(town).says == "green 3: Billionaire 3. red 0"


@pytest.mark.parametrize(
    ("event", "flying"),
    [
        ({"event": "ChipsGathered", "player": "red", "chips": {"red": 2, "green": 1}}, [("red", "")] * 3),
        ({"event": "ChipsPicked", "player": "green", "space": 4, "chips": {"red": 1}}, [("green", "")]),
        ({"event": "ChipsChosen", "player": "red", "what": "take", "chips": {"red": 1}}, [("red", "")]),
        ({"event": "ChipsChosen", "player": "red", "what": "return_chips", "chips": {"red": 1}}, []),
        ({"event": "ChipStolen", "player": "red", "from": "green", "kind": "purple"}, [("red", "green")]),
        ({"event": "ParkingTraded", "player": "red", "give": {"red": 2}, "get": "green"}, [("red", "")]),
        ({"event": "BankTraded", "player": "red", "give": "red", "get": "green", "count": 4}, [("red", "")]),
        (
            {
                "event": "Traded",
                "player": "red",
                "with": "green",
                "give": {"chips": {"red": 1}},
                "get": {"chips": {"yellow": 1}},
            },
            [("green", "red"), ("red", "green")],
        ),
        ({"event": "TokenMoved", "player": "red", "space": 4}, []),
        ({"event": "ChipsGathered", "player": "red", "chips": {"red": 15}}, [("red", "")] * 12),
    ],
)
def test_chips_that_come_to_somebody_are_seen_on_their_way(
    event: dict[str, Any], flying: list[tuple[str, str]]
) -> None:
    flights = MonopolyBuilderFlights().flights(event, Words("en", GAME))

    assert [(flight.to, flight.source) for flight in flights] == flying


def test_what_a_roll_brings_is_what_its_events_say() -> None:
    town = Town(green={"deeds": ["D03"]})
    events = town.roll("red", 3, 3)
    flies = MonopolyBuilderFlights()
    coming = [flight.to for event in events for flight in flies.flights(event, Words("en", GAME))]

    gained = {player: sum(town.chips(player).values()) for player in ("red", "green", "yellow")}
    assert {player: coming.count(player) for player in gained} == gained
