"""Corrections by taps: turns, a game taken over before a roll, buildings of whoever is bankrupt."""

from companion.game_api.stage import CorrectableFigure
from companion.games.monopoly_builder import GAME
from companion.games.monopoly_builder.ui.corrections import MonopolyBuilderCorrections, MonopolyBuilderTakeOver
from companion.words import Words
from tests.games.monopoly_builder.scenes import scene
from tests.games.monopoly_builder.town import KINDS, Town, built


def figure(town: Town, key: str) -> CorrectableFigure:
    return next(figure for figure in MonopolyBuilderCorrections().figures(scene(town)) if figure.key == key)


def test_a_turn_that_is_given_by_a_tap_begins_with_the_discard() -> None:
    # given green with eight chips, and yellow with none
    town = Town("red", "green", "yellow", green={"chips": {"green": 8}})
    choices = {choice.says: choice.command for choice in figure(town, "turn").choices}

    # when somebody taps that it is green's turn, green puts two chips down first
    town.give({**(choices["green, before the roll"] or {}), "reason": "sat in another order"})
    assert (town.turn, town.phase, town.position["due"]) == ("green", "discard", 2)

    # and yellow, who has none, rolls at once
    town.give({**(choices["yellow, before the roll"] or {}), "reason": "sat in another order"})
    assert (town.turn, town.phase) == ("yellow", "roll")


def test_a_game_that_is_taken_over_before_a_roll_begins_with_the_discard() -> None:
    form = MonopolyBuilderTakeOver().form(Words("en", GAME), Town().table.catalog_json(), KINDS)
    before, after = form.groups[0].fields[0].options

    assert (before.says, before.sets, after.sets) == ("before the roll", {"phase": "discard"}, {"phase": "act"})
    town = Town("red", "green", taken=dict(before.sets), red={"chips": {"red": 7}}, green={})
    assert (town.phase, town.position["due"]) == ("discard", 1)
    assert Town("red", "green", taken=dict(before.sets), red={"chips": {"red": 6}}).phase == "roll"


def test_a_building_of_a_bankrupt_player_is_set_to_another_height_by_a_tap() -> None:
    # given green, who is bankrupt, with a tower of two floors
    tower = built(A1=("green", 2))
    town = Town("red", "green", "yellow", taken=tower, green={"cash": 0, "bankrupt": True})
    choices = {choice.says: choice.command for choice in figure(town, "cell:A1").choices}

    # when a third floor is put right
    town.give({**(choices["green, height 3"] or {}), "reason": "looked again"})

    # then it stands, and green's blocks follow
    assert town.position["board"] == {"A1": {"owner": "green", "height": 3}}
    assert town.player("green")["blocks"] == 9


def test_a_bankrupt_player_and_a_row_of_doubles_are_entered_when_a_game_is_taken_over() -> None:
    # given the page on which a game is entered, with both chosen
    form = MonopolyBuilderTakeOver().form(Words("en", GAME), Town().table.catalog_json(), KINDS)
    bankrupt = next(field for field in form.player if field.title == "Bankrupt").options
    doubles = next(field for field in form.groups[0].fields if field.title == "Doubles rolled in a row").options
    assert ([option.says for option in bankrupt], [option.says for option in doubles]) == (
        ["no", "yes"],
        ["0", "1", "2"],
    )

    # when the game goes on
    position = {"game": "monopoly_builder", "turn": "red", "phase": "act", **doubles[1].sets}
    town = Town("red", "green", "yellow", taken=position, green={"cash": 0, **bankrupt[1].sets})

    # then green is out, and red has another turn
    assert town.player("green")["bankrupt"]
    town.do("end_turn", "red")
    assert town.turn == "red"


def test_an_evening_that_was_ended_goes_on_by_a_tap() -> None:
    # given a game that was called off, and a name that was put right after it
    town = Town("red", "green")
    end = {choice.says: choice.command for choice in figure(town, "turn").choices}
    town.give({**(end["The evening ends here: now it is counted"] or {}), "reason": "it got late"})
    town.do("rename_player", "green", name="Eve")

    # when somebody taps whose turn it is
    turn = figure(town, "turn")
    choices = {choice.says: choice.command for choice in turn.choices}
    assert turn.now == "The game is over."
    assert list(choices) == [
        "red, before the roll",
        "red, after the roll",
        "Eve, before the roll",
        "Eve, after the roll",
    ]
    town.give({**(choices["Eve, before the roll"] or {}), "reason": "one more round"})

    # then the game goes on
    assert (town.position["finished"], town.turn, town.phase) == (False, "green", "roll")


def test_a_game_that_the_penthouse_ended_stays_over() -> None:
    chips = {"red": 2, "purple": 1, "green": 1, "yellow": 1}
    town = Town("red", "green", taken=built(A1=("red", 4)) | {"phase": "act"}, red={"chips": chips})
    town.do("build", "red", cell="A1", chips=chips)

    assert town.position["finished"]
    assert not [figure for figure in MonopolyBuilderCorrections().figures(scene(town)) if figure.key == "turn"]


def test_money_is_put_right_in_both_directions_while_the_bank_is_below_nothing() -> None:
    # given a bank that owes 600
    town = Town("red", "green")
    town.do("correct_money", from_="bank", to="red", amount=12_500, reason="found in the attic")
    assert town.position["bank"] == -600

    # then green's 900 can become more, as it can become less
    amount = figure(town, "cash:green").amount
    assert amount is not None
    assert amount.least < amount.value < amount.most
    assert amount.more is not None
    town.give({**amount.more, "amount": 50, "reason": "forgotten"})
    assert town.cash("green") == 950
