"""Monopoly Builder in words: who chooses, what a floor costs, letters of chips, sources of points."""

import pytest

from companion.games.monopoly_builder import GAME
from companion.games.monopoly_builder.drawings.chips import letter
from companion.words import LANGUAGES, Words
from tests.games.monopoly_builder.town import Town

KINDS = ("red", "purple", "green", "yellow")


def test_players_who_choose_chips_are_named() -> None:
    event = {"event": "ChoicesCame", "choosers": [{"player": player, "what": "take"} for player in ("red", "green")]}

    said = Words("en", GAME).event(event, {"red": "Bartholomew", "green": "Anne-Sophie"}, {})

    assert said == "Bartholomew and Anne-Sophie must choose chips"


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Other chips are needed: floor 4 costs 1 purple and 2 yellow."),
        ("fr", "Il faut d’autres jetons\u202f: l’étage 4 coûte 1 violet et 2 jaunes."),  # noqa: RUF001 a French sentence
        ("de", "Es braucht andere Chips: Stockwerk 4 kostet 1 lila und 2 gelbe."),
    ],
)
def test_a_wrong_payment_is_refused_with_what_the_floor_costs(language: str, said: str) -> None:
    catalog = Town().table.catalog_json()

    assert Words(language, GAME).refusal("not_the_cost", {"floor": 4}, {}, catalog) == said


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_kind_of_chip_has_a_letter_of_its_own(language: str) -> None:
    words = Words(language, GAME)

    assert len({letter(kind, words) for kind in KINDS}) == len(KINDS)


@pytest.mark.parametrize("language", ["fr", "de"])
@pytest.mark.parametrize("source", ["buildings", "sets", "billionaire", "community"])
def test_sources_of_points_are_translated(language: str, source: str) -> None:
    assert Words(language, GAME).named("field", source) != source.capitalize()
