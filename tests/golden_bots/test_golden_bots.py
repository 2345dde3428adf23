"""Kept games of Men at Work and Monopoly Builder lead to the same events, refusals and positions as they did.

Where a change is wanted: ``python -m tests.golden_bots.make --play``, and look at what differs.
"""

from collections.abc import Iterator

import pytest

from companion.gamekit.messages import verb_of
from tests.golden_bots.make import differences, kept
from tests.golden_bots.playing import Json
from tests.golden_bots.recipes import GAMES, RECIPES, Recipe

LEFT_OUT = {
    "men_at_work": {"FoundExhausted", "GameTakenOver"},
    "monopoly_builder": {"ChanceCorrected", "ChipsCorrected", "ChipsReturned", "ClaimsLapsed", "DeedRedeemed"}
    | {"GameTakenOver", "MoneyReceived", "ParkingLeft", "WentBankrupt"},
}
"""Events that no kept game meets; the numbered examples do."""


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda one: f"{one.game}-{one.name}")
def test_every_answer_is_as_it_was_kept(recipe: Recipe) -> None:
    assert differences(recipe) == []


@pytest.mark.parametrize("game", GAMES)
def test_the_kept_games_meet_nearly_every_event(game: str) -> None:
    met = {event["event"] for line in lines(game) for event in line.get("events", ())}

    assert {kind.__name__ for kind in GAMES[game].messages().events} - met == LEFT_OUT[game]


def test_men_at_work_is_kept_to_every_end_and_in_every_variant() -> None:
    ended = {line["position"]["ended_by"] for line in lines("men_at_work") if "position" in line}
    variants = {variant for one in RECIPES if one.game == "men_at_work" for variant in one.variants}

    assert ended == {"awards", "last_standing", "exhausted"}
    assert variants == {"foreman", "crane", "skyscraper"}


@pytest.mark.parametrize("game", GAMES)
def test_refusals_are_kept_too(game: str) -> None:
    refused = {line["refused"] for line in lines(game) if "refused" in line}
    done = {line["command"]["do"] for line in lines(game) if "events" in line}

    assert len(refused) >= 15
    assert {"undo", "redo"} <= done
    assert verb_of(GAMES[game].messages().commands[0]) in done


def lines(game: str) -> Iterator[Json]:
    for recipe in RECIPES:
        if recipe.game == game:
            yield from kept(recipe)
