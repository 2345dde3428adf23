"""Monopoly Builder in words: who chooses, what a floor costs, letters of chips, sources of points."""

from typing import Any

import pytest

from companion.engine.game import Refused
from companion.games.monopoly_builder import GAME
from companion.games.monopoly_builder.drawings.chips import letter
from companion.service.table.table import Request
from companion.words import LANGUAGES, Words
from tests.games.monopoly_builder.town import Town, empty_table

KINDS = ("red", "purple", "green", "yellow")


def test_players_who_choose_chips_are_named() -> None:
    event = {"event": "ChoicesCame", "choosers": [{"player": player, "what": "take"} for player in ("red", "green")]}

    said = Words("en", GAME).event(event, {"red": "Bartholomew", "green": "Anne-Sophie"}, {})

    assert said == "Bartholomew and Anne-Sophie must choose chips"


@pytest.mark.parametrize(
    ("language", "floor", "said"),
    [
        ("en", 4, "Other chips are needed: floor 4 costs 1 purple and 2 yellow."),
        ("fr", 4, "Il faut d’autres jetons\u202f: l’étage 4 coûte 1 violet et 2 jaunes."),  # noqa: RUF001 a French sentence
        ("de", 4, "Es braucht andere Chips: Stockwerk 4 kostet 1 lila und 2 gelbe."),
        ("en", 5, "Other chips are needed: the penthouse costs 1 red, 1 purple, 1 green, 1 yellow, and 1 of any kind."),
        ("de", 5, "Es braucht andere Chips: das Penthouse kostet 1 rot, 1 lila, 1 grün, 1 gelb und 1 beliebig."),
    ],
)
def test_a_wrong_payment_is_refused_with_what_the_floor_costs(language: str, floor: int, said: str) -> None:
    catalog = Town().table.catalog_json()

    assert Words(language, GAME).refusal("not_the_cost", {"floor": floor}, {}, catalog) == said


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_kind_of_chip_has_a_letter_of_its_own(language: str) -> None:
    words = Words(language, GAME)

    assert len({letter(kind, words) for kind in KINDS}) == len(KINDS)


@pytest.mark.parametrize("language", ["fr", "de"])
@pytest.mark.parametrize("source", ["buildings", "sets", "billionaire", "community"])
def test_sources_of_points_are_translated(language: str, source: str) -> None:
    assert Words(language, GAME).named("field", source) != source.capitalize()


def refusal(town: Town, language: str, command: dict[str, Any]) -> str:
    """Return in words why a command is refused."""
    with pytest.raises(Refused) as refused:
        town.give(command)
    names, catalog = town.table.names(), town.table.catalog_json()
    return (
        Words(language, GAME).refusal(refused.value.rule, refused.value.details, names, catalog).replace("\u00a0", " ")
    )


@pytest.mark.parametrize(
    ("language", "amount", "said"),
    [
        ("en", 0, "0 M will not do: an amount is a multiple of 5 M, 5 M or more."),
        ("en", 12, "12 M will not do: an amount is a multiple of 5 M, 5 M or more."),
        ("de", 0, "0 M geht nicht: Ein Betrag ist ein Vielfaches von 5 M, mindestens 5 M."),
    ],
)
def test_a_wrong_amount_is_refused_with_what_it_was_and_the_least(language: str, amount: int, said: str) -> None:
    wrong = {"do": "correct_money", "from": "bank", "to": "red", "amount": amount, "reason": "a test"}

    assert refusal(Town(), language, wrong) == said


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_position_that_cannot_be_is_refused_with_each_fault_as_a_sentence(language: str) -> None:
    # given a position in which somebody keeps a card that nobody keeps, and the money does not add up
    town, players = Town(), {"red": {"cash": 900, "cards": ["C05"]}, "green": {"cash": 900}}
    position = {"game": "monopoly_builder", "turn": "red", "phase": "roll", "players": players, "money_in_play": 5}
    town.table = empty_table()

    said = refusal(town, language, {"do": "take_over", "position": position})

    # then both are told in the reader's language, with one full stop each
    assert said.count(".") == 2
    assert Words(language, GAME).named("field", "money_in_play") in said
    if language == "en":
        faults = "C05 is not a card that is kept. Money in play does not agree with the rest."
        assert said == f"This position cannot be: {faults}"


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "Chips to choose: 1."), ("de", "Chips zu wählen: 1."), ("fr", "Nombre de jetons à choisir\u202f: 1.")],
)
def test_one_chip_that_is_to_be_chosen_is_told_as_one(language: str, said: str) -> None:
    town = Town("red", "green", taken={"phase": "discard"}, red={"chips": {"red": 7}})

    assert refusal(town, language, {"do": "discard", "player": "red", "chips": {"red": 2}}) == said


@pytest.mark.parametrize(
    ("language", "rules", "bid", "said"),
    [
        ("en", {}, 0, "Red has 900 M and cannot pay 905 M."),
        ("en", {}, 100, "Red cannot pay 905 M: beside the bid of 100 M, 800 M are left."),
        ("en", {"money": "hidden"}, 100, "Red cannot pay 905 M."),
        ("de", {}, 0, "Red hat 900 M und kann 905 M nicht zahlen."),
        ("fr", {}, 0, "Red a 900 M et ne peut pas payer 905 M."),
    ],
)
def test_what_cannot_be_paid_is_refused_with_what_is_there_where_money_is_open(
    language: str, rules: dict[str, str], bid: int, said: str
) -> None:
    # given red, who may lead an auction
    town = Town("red", "green", rules=rules, red={}, green={"chips": {"red": 1}})
    if bid:
        town.roll("red", 1, 3)
        town.do("decline", "red")
        town.do("bid", "red", amount=bid)

    # then a trade for more than they have says how much that is
    trade = {"do": "trade", "player": "red", "with": "green", "give": {"money": 905}, "get": {"chips": {"red": 1}}}
    assert refusal(town, language, trade) == said


GONE = {"cash": 0, "bankrupt": True}
RICH = {"cash": 900}


@pytest.mark.parametrize(
    ("language", "players", "board", "said"),
    [
        ("en", {"red": RICH, "green": GONE}, {}, ["Not bankrupt: 1; for the game to go on, at least 2."]),
        ("de", {"red": RICH, "green": GONE}, {}, ["Nicht bankrott: 1; damit es weitergeht, mindestens 2."]),
        (
            "en",
            {"red": GONE, "green": RICH, "yellow": RICH},
            {},
            ["Ada is bankrupt, so it cannot be their turn."],
        ),
        (
            "en",
            {"red": RICH, "green": RICH},
            {"A1": {"owner": "red", "height": 7}},
            ["A building has 1 to 5 floors, not 7."],
        ),
    ],
)
def test_a_game_that_cannot_be_taken_over_says_what_is_wrong(
    language: str, players: dict[str, Any], board: dict[str, Any], said: list[str]
) -> None:
    position = {"game": "monopoly_builder", "turn": "red", "phase": "roll", "players": players, "board": board}

    with pytest.raises(Refused) as refused:
        empty_table().submit(Request({"do": "take_over", "position": position}, "banker", "test"))

    assert Words(language, GAME).faults(dict(refused.value.details), {"red": "Ada"}) == said
