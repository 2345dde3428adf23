"""The story of an evening of Monopoly Builder: turns by their numbers, the highest rent."""

from collections.abc import Sequence

from companion.game_api.stage import Ending, RoundWorth
from companion.games.monopoly_builder.rules.catalog import Effect
from companion.games.monopoly_builder.ui.story import MonopolyBuilderStory
from tests.games.monopoly_builder.scenes import scene
from tests.games.monopoly_builder.town import CHANCE, Town, built, with_card

NARROW = "\u00a0"


def ending(town: Town, worths: Sequence[RoundWorth] = ()) -> Ending:
    town.do("correct_turn", phase="finished", reason="it got late")
    seen = scene(town)
    events = [event for entry in seen.entries if not entry.get("undone") for event in entry["events"]]
    return MonopolyBuilderStory().ending(seen, events, worths)


def rents(town: Town) -> list[tuple[str, str]]:
    return [(point.when, point.says) for point in ending(town).turns if "highest rent" in point.says]


def test_turns_are_numbered_from_the_first_one() -> None:
    # given two players, who have had a turn each
    town = Town("red", "green")
    town.quiet("red")
    town.quiet("green")

    assert "3 turns" in ending(town).facts


def test_the_highest_rent_is_told_where_rents_are_claimed() -> None:
    town = Town("red", "green", green={"deeds": ["D03"]})
    town.roll("red", 1, 3)
    town.do("claim_rent", "green", deed="D03")

    said = f"green claims 50{NARROW}M from red for Canal Row, the highest rent of the evening."
    assert rents(town) == [("Turn 1", said)]


def test_the_highest_rent_is_told_where_rents_are_paid_unasked() -> None:
    # given a table with automatic rents, and red, who lands on green's deed
    town = Town("red", "green", rules={"rent": "auto"}, green={"deeds": ["D03"]})
    town.roll("red", 1, 3)
    assert town.cash("red") == 850

    said = f"green claims 50{NARROW}M from red for Canal Row, the highest rent of the evening."
    assert rents(town) == [("Turn 1", said)]


def test_what_a_card_makes_players_pay_each_other_is_no_rent() -> None:
    card = with_card("C05", Effect("pay", amount=60, players=True))
    town = Town("red", "green", rules={"rent": "auto"}, catalog=card, red={"space": CHANCE - 3})
    town.roll("red", 1, 2)
    town.do("draw_chance", "red", card="C05")
    assert town.cash("red") == 840

    assert rents(town) == []


def test_who_led_is_not_told_for_samples_of_the_evening_do_not_say_when_that_changed() -> None:
    # given an evening of two turns, told in parts, after one of which red was ahead for good
    town = Town("red", "green", taken=built(A1=("red", 2)))
    town.quiet("red")
    parts = [RoundWorth(part, {"red": points, "green": 3}) for part, points in enumerate((0, 2, 5, 6))]

    assert ending(town, parts).turns == ()
